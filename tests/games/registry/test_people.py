"""Two entries of one person merged, and taken apart again, whatever came in between."""

import datetime
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connections
from django.db.models import ProtectedError
from django.urls import reverse

from clubs.directory import Directory
from clubs.models import Membership, Player, PlayerState, User
from clubs.names import PersonName
from clubs.registry import add_pending
from games.grading_office.verification import verify
from games.match_cards.card_entries import BoardEntry, entry_of
from games.match_cards.cards import CardRefused, record_card
from games.models import Match, PlayerMerge
from games.registry.merge_checks import Conflict
from games.registry.people import (
    CannotUndo,
    MergeRefused,
    MergeUndecided,
    merge_players,
    undo_merge,
)
from ratings import ledger, live
from ratings.ledger import Played
from ratings.models import EloRating, Grade, GradedGame, OpeningRating, RatedGame
from tests.factories import (
    GradeListFactory,
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    PlayerMergeFactory,
    RatedEventFactory,
    RegistrationFactory,
    UserFactory,
)
from tests.games.card_scene import AT, TODAY, make_scene, play_before
from tests.games.league_state import everything, ratings

pytestmark = pytest.mark.django_db
DAY = datetime.timedelta(days=1)


def play(scene, player, days, results=(2, 1, 0)):
    """One match a day against strangers, with this player on a board of the home team."""
    return [
        play_before(scene.match.home, [player], day, results[number % len(results)])
        for number, day in enumerate(days)
    ]


@pytest.fixture
def scene():
    return make_scene(boards=2)


@pytest.fixture
def keep(scene):
    return scene.home[0]


@pytest.fixture
def drop(scene):
    player = PlayerFactory(surname="Lovell", forenames="Maureen", state=PlayerState.PENDING)
    MembershipFactory(club=scene.match.home.club, player=player, starts_on=TODAY - DAY * 400)
    return player


def merge(keep, drop, by=None, **choices):
    return merge_players(keep=keep.pk, drop=drop.pk, by=by, at=AT, choices=choices)


def undo(merged):
    return undo_merge(merge=merged.pk, by=None, at=AT)


def days(first, count, step=7):
    return [first + DAY * step * number for number in range(count)]


def met_elsewhere(one, other, key="congress"):
    """A game between the two in an event without any card."""
    event = RatedEventFactory(name="Kingsmead Congress")
    game = Played(key, TODAY - DAY * 30, 1, 1, 1, one.pk, other.pk, 2, True)
    touched = ledger.post(event=event, keys=(), games=[game])
    live.update(pool=ledger.lock_pool("standard"), touched=touched)


# --- All that each of them has -----------------------------------------------------------


def test_forty_games_each_merged_are_rated_as_a_rebuild_says_and_come_back(scene, keep, drop):
    year_ago = TODAY - DAY * 365
    play(scene, keep, days(year_ago, 40))
    play(scene, drop, days(year_ago + DAY * 3, 40))
    before = everything()
    merged = merge(keep, drop)
    assert verify() == []
    assert merged.games == 40
    assert EloRating.objects.get(player=keep).games == 81  # one was played in the scene
    assert not RatedGame.objects.of_player(drop.pk).exists()
    assert not EloRating.objects.filter(player=drop).exists()
    assert everything() != before
    undo(merged)
    assert everything() == before
    assert verify() == []


def test_games_without_a_card_move_too(keep, drop):
    met_elsewhere(drop, PlayerFactory())
    before = everything()
    merged = merge(keep, drop)
    assert merged.games == 1
    assert [game.white for game in RatedGame.objects.filter(source_key="congress")] == [keep]
    assert verify() == []
    undo(merged)
    assert everything() == before


def test_cards_entered_since_stay_with_the_kept_player(scene, keep, drop):
    play(scene, drop, days(TODAY - DAY * 100, 3))
    before = ratings()
    merged = merge(keep, drop)
    [since] = play(scene, keep, [TODAY - DAY])
    undo(merged)
    assert verify() == []
    assert since.boards.get().home_player == keep
    assert EloRating.objects.get(player=drop).games == 3
    assert EloRating.objects.get(player=keep).games == 2
    record_card(match=since.pk, boards=[], version=1, by=None, at=AT)
    assert ratings() == before


def test_a_board_corrected_since_is_not_taken_back(scene, keep, drop):
    [match] = play(scene, drop, [TODAY - DAY * 50])
    other = scene.home[5]
    merged = merge(keep, drop)
    match.refresh_from_db()
    [entry] = [entry_of(board) for board in match.boards.all()]
    boards = [BoardEntry(1, other.pk, entry.away, "white", entry.result)]
    record_card(match=match.pk, boards=boards, version=match.version, by=None, at=AT)
    undo(merged)
    assert match.boards.get().home_player == other
    assert verify() == []


def test_an_opening_and_a_birth_date_of_the_dropped_one_count_for_the_kept_one(scene, drop):
    keep = PlayerFactory(surname="Lovel", forenames="Maureen")
    play(scene, keep, days(TODAY - DAY * 90, 4))
    OpeningRatingFactory(player=drop, value=19_000)
    Player.objects.filter(pk=drop.pk).update(birth_date=datetime.date(2012, 3, 1), birth_year=2012)
    before = everything()
    merged = merge(keep, drop)
    assert OpeningRating.objects.get(player=keep).value == 19_000
    keep.refresh_from_db()
    assert keep.birth_date == datetime.date(2012, 3, 1)
    assert EloRating.objects.get(player=keep).rating > 18_000
    assert verify() == []
    undo(merged)
    assert everything() == before


def test_points_and_grades_come_back_and_published_lists_keep_both(scene, keep, drop):
    play(scene, drop, [TODAY - DAY * 150])
    game = RatedGame.objects.of_player(drop.pk).get()
    older, newer = (
        GradeListFactory(cutoff=cutoff, state="published", published_at=AT)
        for cutoff in (datetime.date(2026, 1, 1), datetime.date(2026, 7, 1))
    )
    of_both = [
        Grade.objects.create(
            grade_list=newer, player=each, grade=g, published=g, numerator=30 * g, divisor=30
        )
        for each, g in ((keep, 160), (drop, 140))
    ]
    alone = Grade.objects.create(grade_list=older, player=drop, grade=139, published=139)
    GradedGame.objects.create(
        game=game,
        grade_list=newer,
        white_grade=140,
        white_source="list",
        white_list=older.cutoff,
        white_points=190,
        black_grade=150,
        black_source="estimate",
        black_points=90,
    )
    before = everything()
    merged = merge(keep, drop)
    assert not GradedGame.objects.exists()  # the next list points the game anew
    alone.refresh_from_db()
    assert alone.player == keep
    assert [Grade.objects.get(pk=row.pk).player for row in of_both] == [keep, drop]
    undo(merged)
    assert everything() == before


def test_times_at_one_club_become_one_and_two_again(scene, keep, drop):
    elsewhere = MembershipFactory(player=drop)
    before = everything()
    merged = merge(keep, drop)
    home = scene.match.home.club
    own = Membership.objects.filter(player=keep)
    assert {(m.club, m.starts_on, m.ends_on) for m in own} == {
        (home, None, None),
        (elsewhere.club, None, None),
    }
    assert not Membership.objects.filter(player=drop).exists()
    undo(merged)
    assert everything() == before


def test_a_transfer_since_stays_when_a_merge_is_undone(scene, keep, drop):
    merged = merge(keep, drop)
    Membership.objects.filter(player=keep).update(ends_on=TODAY)
    undo(merged)
    assert Membership.objects.get(player=keep).ends_on == TODAY
    assert Membership.objects.get(player=drop).starts_on == TODAY - DAY * 400


def test_a_time_that_went_over_and_ended_since_is_his_again(keep, drop):
    """It was beside one that was joined, so its row is among those that come back as they were."""
    club, year = keep.memberships.get().club, datetime.date
    keep.memberships.update(starts_on=year(2010, 1, 1), ends_on=year(2012, 1, 1))
    drop.memberships.update(starts_on=year(2011, 1, 1), ends_on=year(2013, 1, 1))
    MembershipFactory(club=club, player=drop, starts_on=year(2015, 1, 1))
    merged = merge(keep, drop)
    Membership.objects.filter(player=keep, ends_on=None).update(ends_on=TODAY)
    undo(merged)
    times = Membership.objects.filter(player__in=[keep, drop]).order_by("player", "starts_on")
    assert list(times.values_list("player", "starts_on", "ends_on")) == [
        (keep.pk, year(2010, 1, 1), year(2013, 1, 1)),
        (drop.pk, year(2011, 1, 1), year(2013, 1, 1)),
        (drop.pk, year(2015, 1, 1), None),
    ]


def test_registrations_go_and_come_back(scene, keep, drop):
    season = scene.match.division.season
    for player, first in ((keep, 60), (drop, 90)):
        RegistrationFactory(
            season=season, club=scene.match.home.club, player=player, starts_on=TODAY - DAY * first
        )
    RegistrationFactory(season=season, player=drop)
    before = everything()
    merged = merge(keep, drop)
    assert not drop.registrations.exists()
    joined = keep.registrations.get(club=scene.match.home.club)
    assert joined.starts_on == TODAY - DAY * 90
    undo(merged)
    assert everything() == before


def test_a_pending_one_who_is_kept_is_confirmed_by_the_other(scene, keep):
    pending = PlayerFactory(surname="Lovell", state=PlayerState.PENDING)
    merged = merge(pending, keep)
    pending.refresh_from_db()
    keep.refresh_from_db()
    assert (pending.state, keep.state, keep.merged_into) == ("active", "merged", pending)
    undo(merged)
    pending.refresh_from_db()
    assert pending.state == "pending"


def test_who_retired_since_stays_so_when_a_merge_is_undone(keep):
    pending = PlayerFactory(surname="Lovell", state=PlayerState.PENDING)
    merged = merge(pending, keep)
    Player.objects.filter(pk=pending.pk).update(state=PlayerState.RETIRED)
    undo(merged)
    pending.refresh_from_db()
    assert pending.state == "retired"


def test_whatever_names_a_player_is_decided():
    """A new table that names players fails here until somebody decides what a merge does to it."""
    named = {
        f"{row.related_model.__name__}.{row.field.name}" for row in Player._meta.related_objects
    }
    moved = {
        *("Membership.player", "Registration.player", "User.player", "Violation.player"),
        *("RatedGame.white", "RatedGame.black", "EloRating.player", "OpeningRating.player"),
        *("Grade.player", "OutsidePlayer.player", "Board.home_player", "Board.away_player"),
        "SheetSeat.player",
    }
    stays = {
        *("Player.merged_into", "PlayerEvent.pgh_obj", "PlayerMerge.kept", "PlayerMerge.dropped"),
        *("SubmittedGame.home_player", "SubmittedGame.away_player"),
    }
    assert named - moved - stays == set()


# --- Conflicts ---------------------------------------------------------------------------


def test_codes_that_differ_have_to_be_chosen_and_none_is_lost(keep, drop):
    Player.objects.filter(pk=keep.pk).update(ecf_code="117540D", fide_id=1)
    Player.objects.filter(pk=drop.pk).update(ecf_code="233310H", membership_number="M7")
    keep.user = UserFactory(player=keep)
    other = UserFactory(player=drop)
    OpeningRatingFactory(player=drop, system="grade", value=150)
    before = everything()
    with pytest.raises(MergeUndecided) as refused:
        merge(keep, drop)
    assert [found.name for found in refused.value.conflicts] == [
        *("ecf_code", "opening-standard-grade", "account"),
    ]
    assert everything() == before
    merged = merge(
        keep, drop, ecf_code="dropped", account="dropped", **{"opening-standard-grade": "dropped"}
    )
    keep, drop = Player.objects.get(pk=keep.pk), Player.objects.get(pk=drop.pk)
    assert (keep.ecf_code, keep.fide_id, keep.membership_number) == ("233310H", 1, "M7")
    assert (drop.ecf_code, drop.fide_id, drop.membership_number) == ("117540D", None, None)
    assert User.objects.get(player=keep) == other
    assert OpeningRating.objects.get(player=keep).value == 150
    assert list(Player.objects.standing().found("117540D")) == [keep]
    assert verify() == []
    undo(merged)
    assert everything() == before


def test_two_birth_dates_and_consents_have_to_be_chosen(keep, drop):
    Player.objects.filter(pk=keep.pk).update(birth_year=2009, name_consent=True)
    Player.objects.filter(pk=drop.pk).update(
        birth_date=datetime.date(2010, 1, 1), birth_year=2010, name_consent=False
    )
    with pytest.raises(MergeUndecided) as refused:
        merge(keep, drop)
    assert [(f.name, f.kept, f.dropped) for f in refused.value.conflicts] == [
        ("birth_date", "2009", "2010-01-01"),
        ("name_consent", "yes", "no"),
    ]
    merge(keep, drop, birth_date="kept", name_consent="dropped")
    keep.refresh_from_db()
    assert (keep.birth_date, keep.birth_year, keep.name_consent) == (None, 2009, False)


@pytest.mark.parametrize(
    ("births", "may_be_junior"),
    [
        ((None, None), True),
        ((2015, None), True),
        ((None, 2008), True),
        ((1970, 2015), True),
        ((None, 1970), False),
    ],
)
def test_that_a_juniors_name_may_be_shown_is_never_taken_over_unsaid(
    keep, drop, births, may_be_junior
):
    Player.objects.filter(pk=keep.pk).update(birth_year=births[0])
    Player.objects.filter(pk=drop.pk).update(birth_year=births[1], name_consent=True)
    chosen = {"birth_date": "kept"} if births[0] and births[1] else {}
    if not may_be_junior:
        merge(keep, drop)
        assert Player.objects.get(pk=keep.pk).name_consent is True
        return
    with pytest.raises(MergeUndecided) as refused:
        merge(keep, drop, **chosen)
    [found] = refused.value.conflicts
    assert found == Conflict("name_consent", "Name may be shown", "not asked", "yes", "kept")
    merged = merge(keep, drop, name_consent="kept", **chosen)
    assert Player.objects.get(pk=keep.pk).name_consent is None
    undo(merged)
    assert Player.objects.get(pk=drop.pk).name_consent is True
    merge(keep, drop, name_consent="dropped", **chosen)
    assert Player.objects.get(pk=keep.pk).name_consent is True


# --- Refusals ----------------------------------------------------------------------------


def refusal(keep, drop) -> list[str]:
    before = everything()
    with pytest.raises(MergeRefused) as refused:
        merge(keep, drop)
    assert everything() == before
    return refused.value.reasons


def test_nobody_is_merged_with_whom_he_played(keep, drop):
    met_elsewhere(keep, drop)
    assert refusal(keep, drop) == [
        "They played each other on 25 October 2026 in Kingsmead Congress: nobody plays himself."
    ]


def test_nobody_is_merged_with_whom_he_sat_beside(scene, keep):
    scene.record("=1", boards=scene.entries("=1"))
    reasons = refusal(keep, scene.home[1])
    assert len(reasons) == 2  # they played before as well
    assert (
        "Both are on the card of Ashdown A v Hartfield A, 24 November 2026, on boards 1 and 2."
        in reasons
    )


def test_nobody_is_merged_with_himself_or_twice(keep, drop):
    assert refusal(keep, keep) == ["Both are the same entry already."]
    merge(keep, drop)
    third = PlayerFactory()
    assert refusal(third, drop) == [
        "Maureen Lovell was merged into Maureen T Lovell already.",
    ]
    assert refusal(drop, third) == [
        "Maureen Lovell was merged into Maureen T Lovell already.",
    ]


def test_merges_into_one_player_are_undone_the_last_one_first(keep, drop):
    first = merge(keep, drop)
    second = merge(keep, PlayerFactory(surname="Lovel", forenames="M"))
    with pytest.raises(CannotUndo, match="M Lovel was merged into Maureen T Lovell later"):
        undo(first)
    undo(second)
    undo(first)
    with pytest.raises(CannotUndo, match="undone already"):
        undo(first)
    with pytest.raises(CannotUndo, match="not known any more"):
        undo(PlayerMergeFactory())


def test_a_merged_player_may_be_merged_again_by_the_next(keep, drop):
    before = everything()
    third = PlayerFactory(surname="Lovell-Tso")
    beside = everything()
    inner = merge(keep, drop)
    outer = merge(third, keep)
    assert Player.objects.filter(pk=drop.pk).kept_for() == {drop.pk: third.pk}
    undo(outer)
    undo(inner)
    assert everything() == beside != before


# --- Cards and names ---------------------------------------------------------------------


def test_a_card_opened_before_a_merge_is_told_the_other_name(scene, keep, drop):
    boards = [BoardEntry(1, drop.pk, scene.away[0].pk, "white", 2)]
    merge(keep, drop)
    with pytest.raises(CardRefused) as refused:
        scene.record(boards=boards)
    assert [str(problem) for problem in refused.value.problems[1]] == [
        "Entered twice in the registry. Maureen Lovell is the same person as Maureen T Lovell:"
        " choose that name."
    ]


def test_an_open_card_of_a_match_he_sat_in_is_out_of_date(scene, keep, drop):
    [match] = play(scene, drop, [TODAY - DAY * 50])
    match.refresh_from_db()
    before = match.version
    merge(keep, drop)
    match.refresh_from_db()
    assert match.version == before + 1


def test_the_name_he_had_means_the_other_one_when_it_is_typed_on_a_card(scene, keep, drop, client):
    merge(keep, drop)
    client.force_login(scene.officer)
    form = scene.form("1=", home_1="", home_name_1="Maureen Lovell")
    assert client.post(scene.url, form).status_code == 302
    assert scene.match.boards.get(number=1).home_player == keep
    assert not Player.objects.filter(state=PlayerState.PENDING).exists()


def test_a_pending_player_who_was_merged_is_found_as_the_other_one(scene, keep):
    club = scene.match.home.club
    added = add_pending(surname="Lovvel", forenames="Maureen", club=club.pk, on=TODAY)
    merge(keep, added)
    assert list(Player.objects.standing().found("Lovvel")) == []
    assert Player.objects.filter(pk=added.pk).kept_for() == {added.pk: keep.pk}


def test_a_member_typed_without_accents_and_in_capitals_is_no_second_player(scene, client):
    player = PlayerFactory(surname="Müller", forenames="Élodie")
    MembershipFactory(club=scene.match.home.club, player=player)
    client.force_login(scene.officer)
    form = scene.form("1=", home_1="", home_name_1="ELODIE MULLER")
    assert client.post(scene.url, form).status_code == 302
    assert scene.match.boards.get(number=1).home_player == player


def test_a_namesake_of_another_club_is_asked_for_and_not_taken(scene, client):
    PlayerFactory(surname="Müller", forenames="Élodie")
    client.force_login(scene.officer)
    answer = client.post(scene.url, scene.form("1=", home_1="", home_name_1="ELODIE MULLER"))
    assert "Which ELODIE MULLER?" in answer.content.decode()
    assert not scene.match.boards.exists()


def test_a_file_finds_the_kept_player_by_the_name_and_the_code_of_the_merged_one(scene, keep, drop):
    Player.objects.filter(pk=keep.pk).update(ecf_code="117540D")
    Player.objects.filter(pk=drop.pk).update(ecf_code="233310H")
    merge(keep, drop, ecf_code="kept")
    directory = Directory.load(codes=["233310H"])
    club = directory.club(scene.match.home.club.name)
    directory.load_members([club])
    by_code = directory.person(name=PersonName("Lovell", "M"), code="233310H", club=club)
    by_name = directory.person(name=PersonName("Lovell", "Maureen"), code=None, club=club)
    assert [(found.player, found.new) for found in (by_code, by_name)] == [(keep, False)] * 2


def test_a_player_with_games_is_never_deleted(scene, keep):
    with pytest.raises(ProtectedError) as refused:
        keep.delete()
    assert {type(row).__name__ for row in refused.value.protected_objects} >= {
        *("Board", "RatedGame", "EloRating"),
    }
    assert Player.objects.filter(pk=keep.pk).exists()


def test_one_game_entered_for_both_of_two_entries_is_one_row(scene, keep, drop):
    """The same card twice, once for each spelling: the second is a correction of the first."""
    Player.objects.filter(pk=drop.pk).update(state=PlayerState.ACTIVE)
    scene.record(boards=[BoardEntry(1, drop.pk, scene.away[0].pk, "white", 2)])
    scene.record(boards=[BoardEntry(1, keep.pk, scene.away[0].pk, "white", 2)])
    assert RatedGame.objects.filter(black=scene.away[0], played_on=TODAY).count() == 1
    merge(keep, drop)
    assert RatedGame.objects.filter(black=scene.away[0], played_on=TODAY).count() == 1
    assert EloRating.objects.get(player=keep).games == 2  # with the one of last time
    assert verify() == []


# --- Old addresses -----------------------------------------------------------------------


ADDRESSES = ["player_detail", "player_chart", "player_opponents", "player_seasons", "elo_why"]


@pytest.mark.parametrize("name", [*ADDRESSES, "player_head_to_head", "grade_why_newest"])
@pytest.mark.parametrize("form", ["", "json"])
def test_old_addresses_lead_to_the_kept_player_for_good(client, keep, drop, name, form):
    merge(keep, drop)
    twin = {"form": form} if form else {}
    if name == "player_chart" and not form or name == "grade_why_newest" and form:
        return
    old, new = (reverse(name, kwargs={"pk": each.pk, **twin}) for each in (drop, keep))
    answer = client.get(f"{old}?pool=standard")
    assert (answer.status_code, answer["Location"]) == (301, f"{new}?pool=standard")


def test_what_a_published_list_says_of_the_dropped_one_stays_at_its_address(client, keep, drop):
    listed = GradeListFactory(cutoff=datetime.date(2026, 7, 1), state="published", published_at=AT)
    for player, grade in ((keep, 160), (drop, 140)):
        Grade.objects.create(
            grade_list=listed,
            player=player,
            grade=grade,
            published=grade,
            numerator=30 * grade,
            divisor=30,
            opening_games=30,
            opening_grade=grade,
        )
    merge(keep, drop)
    page = client.get(f"/players/{drop.pk}/grade/2026-07-01/")
    assert page.status_code == 200 and "140" in page.content.decode()


# --- At the same moment ------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_merge_and_a_card_that_names_him_leave_ledger_and_ratings_right():
    scene = make_scene(boards=2)
    keep = scene.home[0]
    drop = PlayerFactory(surname="Lovell", forenames="Maureen")
    boards = [BoardEntry(1, drop.pk, scene.away[0].pk, "white", 2)]

    def alone(call):
        try:
            return call()
        except (CardRefused, MergeRefused) as error:
            return error
        finally:
            connections.close_all()

    calls = [partial(merge, keep, drop), partial(scene.record, boards=boards)]
    with ThreadPoolExecutor(2) as threads:
        merged, carded = threads.map(alone, calls, timeout=60)
    assert isinstance(merged, PlayerMerge)
    seated = Match.objects.get(pk=scene.match.pk).boards.values_list("home_player", flat=True)
    assert list(seated) == ([] if isinstance(carded, CardRefused) else [keep.pk])
    assert not RatedGame.objects.of_player(drop.pk).exists()
    assert verify() == []
