"""Every change of what people decide leaves an event that says what, when and who."""

import datetime

import pghistory
import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from pghistory.models import Event

from clubs.models import Club, ClubRole, Membership, Player, User
from games.match_cards.cards import BoardEntry, record_card
from games.models import (
    Adjustment,
    Board,
    Invitation,
    LeagueRole,
    Match,
    PlayerMerge,
    Rearrangement,
    Registration,
    SheetSeat,
    SubmittedEvent,
    Team,
    TeamRole,
    Tie,
    Violation,
)
from ratings.models import GradeList, OutsideEvent
from tests.factories import (
    AdjustmentFactory,
    BoardFactory,
    ClubFactory,
    ClubRoleFactory,
    GradeListFactory,
    InvitationFactory,
    LeagueRoleFactory,
    MatchFactory,
    MembershipFactory,
    OutsideEventFactory,
    PlayerFactory,
    PlayerMergeFactory,
    RearrangementFactory,
    RegistrationFactory,
    SheetSeatFactory,
    SubmittedEventFactory,
    TeamFactory,
    TeamRoleFactory,
    TieFactory,
    UserFactory,
    ViolationFactory,
)

pytestmark = pytest.mark.django_db
AT = datetime.datetime(2026, 11, 24, 23, 14, tzinfo=datetime.UTC)

# What is tracked, how a row is made, and one column with another value.
TRACKED = {
    Club: (ClubFactory, "venue", "The King's Head"),
    Player: (PlayerFactory, "title", "FM"),
    Membership: (MembershipFactory, "ends_on", datetime.date(2026, 12, 1)),
    User: (UserFactory, "is_grading_officer", True),
    ClubRole: (ClubRoleFactory, "club_id", lambda: ClubFactory().pk),
    Team: (TeamFactory, "withdrawn_on", datetime.date(2026, 12, 1)),
    TeamRole: (TeamRoleFactory, "user_id", lambda: UserFactory().pk),
    Invitation: (InvitationFactory, "name", "Tom Barker"),
    LeagueRole: (LeagueRoleFactory, "user_id", lambda: UserFactory().pk),
    Match: (MatchFactory, "round_label", "Final"),
    Board: (BoardFactory, "result", 2),
    PlayerMerge: (PlayerMergeFactory, "undone_at", AT),
    Adjustment: (AdjustmentFactory, "reason", "a card two weeks late"),
    Registration: (RegistrationFactory, "ends_on", datetime.date(2026, 12, 1)),
    SheetSeat: (SheetSeatFactory, "number", 5),
    Violation: (ViolationFactory, "note", "a slip"),
    Tie: (TieFactory, "number", 31_000),
    Rearrangement: (RearrangementFactory, "reason", "snow"),
    SubmittedEvent: (SubmittedEventFactory, "treasurer", "C Sample"),
    OutsideEvent: (OutsideEventFactory, "index", 2),
    GradeList: (GradeListFactory, "reason", "board 3 was entered wrong"),
}


def events(row_type, pk) -> list[tuple[str, object, int | None]]:
    """Kind, value of the changed column, and account of each event of a row, oldest first."""
    column = TRACKED[row_type][1]
    model = row_type._meta.get_field("events").related_model
    return [
        (event.pgh_label, getattr(event, column), (event.pgh_context or {}).get("user"))
        for event in model.objects.filter(pgh_obj=pk).order_by("pgh_id")
    ]


def test_exactly_these_are_tracked():
    kinds = {model for model in apps.get_models() if issubclass(model, Event)}
    assert {kind._meta.get_field("pgh_obj").related_model for kind in kinds} == set(TRACKED)


@pytest.mark.parametrize("row_type", TRACKED)
def test_each_way_to_change_a_row_leaves_an_event(row_type):
    factory, column, other = TRACKED[row_type]
    other = other() if callable(other) else other
    with pghistory.context(user=11):
        row = factory()
    before = getattr(row, column)
    with pghistory.context(user=12):
        setattr(row, column, other)
        row.save()
    with pghistory.context(user=13):
        row_type.objects.filter(pk=row.pk).update(**{column: before})
    with pghistory.context(user=14):
        setattr(row, column, other)
        row_type.objects.bulk_update([row], [column.removesuffix("_id")])
    pk, table = row.pk, row_type._meta.db_table
    with pghistory.context(user=15), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE id = %s", [pk])  # past every model
    assert events(row_type, pk) == [
        ("insert", before, 11),
        ("update", other, 12),
        ("update", before, 13),
        ("update", other, 14),
        ("delete", other, 15),
    ]


def test_a_save_that_changes_nothing_leaves_none(client):
    user = UserFactory()
    user.save()
    client.force_login(user)  # writes last_login
    assert [kind for kind, *_ in events(User, user.pk)] == ["insert"]


def test_an_event_cannot_be_changed_or_deleted():
    player = PlayerFactory()
    for change in (
        lambda: player.events.update(surname="Forged"),
        lambda: player.events.all().delete(),
    ):
        with transaction.atomic(), pytest.raises(DatabaseError, match="Cannot update or"):
            change()


def test_what_is_rolled_back_left_no_event():
    with pytest.raises(RuntimeError), transaction.atomic():
        pk = PlayerFactory().pk
        raise RuntimeError
    assert events(Player, pk) == []


def test_a_card_says_who_saved_it():
    match, by = MatchFactory(board_count=1), UserFactory()
    home, away = PlayerFactory(), PlayerFactory()
    for result in (2, 1, None):
        entry = BoardEntry(number=1, home=home.pk, away=away.pk, home_colour="white", result=result)
        boards = [] if result is None else [entry]
        version = Match.objects.values_list("version", flat=True).get(pk=match.pk)
        record_card(match=match.pk, boards=boards, version=version, by=by, at=AT)
    kinds = Board._meta.get_field("events").related_model.objects.filter(match=match)
    told = kinds.order_by("pgh_id").values_list("pgh_label", "result", "pgh_context__user")
    assert list(told) == [("insert", 2, by.pk), ("update", 1, by.pk), ("delete", 1, by.pk)]
    assert [(kind, who) for kind, _, who in events(Match, match.pk)] == [
        ("insert", None),
        ("update", by.pk),
        ("update", by.pk),
        ("update", by.pk),
    ]


def test_a_change_by_a_page_says_who_and_where(client):
    admin, club = UserFactory(is_staff=True, is_superuser=True), ClubFactory()
    client.force_login(admin)
    url = reverse("admin:clubs_club_change", args=[club.pk])
    form = client.get(url).context["adminform"].form
    data = {name: form[name].value() or "" for name in form.fields} | {"venue": "The Crown"}
    response = client.post(url, data | {"roles-TOTAL_FORMS": 0, "roles-INITIAL_FORMS": 0})
    assert response.status_code == 302
    last = club.events.latest("pgh_id")
    assert (last.venue, last.pgh_context) == ("The Crown", {"user": admin.pk, "url": url})
