"""A person's data handed out, and erased: his name stands nowhere afterwards, his games stay."""

import datetime
import json

import pghistory
import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.cache import caches
from django.db import connection
from django.urls import reverse

from clubs.models import Membership, Player, PlayerState, User
from games.division_tables.adjustments import add_adjustment
from games.grading_office.verification import verify
from games.match_cards.card_entries import entry_of
from games.match_cards.cards import record_card
from games.models import Adjustment, Board, Division, LeagueRole, Match, PlayerMerge, Team
from games.registry.erasure import CannotErase, erase_person
from games.registry.merge_checks import reason_not_to_undo, reasons_against
from games.registry.people import merge_players
from games.views.person_data import LABELS
from ratings.models import EloGame, RatedGame
from tests.factories import (
    AdjustmentFactory,
    ClubFactory,
    ClubRoleFactory,
    DivisionFactory,
    InvitationFactory,
    LeagueRoleFactory,
    MembershipFactory,
    PlayerFactory,
    RegistrationFactory,
    SubmissionFactory,
    TeamFactory,
    TeamRoleFactory,
    UserFactory,
    ViolationFactory,
)
from tests.games.card_scene import AT, TODAY, make_scene, play_before

pytestmark = pytest.mark.django_db
NAME = "Zwischenzug"
FORENAME = "Xanthippe"
SECRETS = [NAME, FORENAME, "654321A", "M99887", "88776655", "zz@example.net", "07700900999"]
BORN = datetime.date(2009, 5, 17)


@pytest.fixture
def scene():
    return make_scene(boards=2)


@pytest.fixture
def person(scene) -> Player:
    """A junior with all that one may have: games, a merged entry, an account, a past."""
    officer = UserFactory()
    with pghistory.context(user=officer.pk):
        player = PlayerFactory(
            surname=NAME,
            forenames=FORENAME,
            ecf_code="654321A",
            membership_number="M99887",
            fide_id=88776655,
            birth_date=BORN,
            birth_year=2009,
            name_consent=True,
        )
        MembershipFactory(club=scene.match.home.club, player=player)
    for number in range(4):
        play_before(scene.match.home, [player], TODAY - datetime.timedelta(days=20 + number), 2)
    twin = PlayerFactory(surname=NAME, forenames="X", state=PlayerState.PENDING)
    MembershipFactory(club=scene.match.away.club, player=twin)
    merge_players(keep=player.pk, drop=twin.pk, by=officer, at=AT)
    account = UserFactory(email="zz@example.net", name=f"{FORENAME} {NAME}", player=player)
    TeamRoleFactory(team=scene.match.home, user=account)
    ClubRoleFactory(club=scene.match.home.club, user=account)
    InvitationFactory(team=scene.match.home, email="zz@example.net", name=f"{FORENAME} {NAME}")
    team = scene.match.home
    team.captain_name, team.captain_email = f"{FORENAME} {NAME}", "zz@example.net"
    team.captain_phone = "07700900999"
    team.save()
    RegistrationFactory(
        season=scene.match.division.season, club=scene.match.home.club, player=player
    )
    ViolationFactory(match=scene.match, player=player, note=f"{FORENAME} {NAME} was late")
    SubmissionFactory(
        event__season=scene.match.division.season,
        text=f"#EVENT CODE=ZZ\r\n#PIN={player.pk}#ECF CODE=654321A#NAME={NAME}, {FORENAME}\r\n"
        "#PIN=999999#NAME=Other\r\n",
    )
    return player


def everywhere() -> str:
    """Every row of every table of ours, as text."""
    found = []
    there = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            if table in there and not table.startswith("procrastinate"):
                cursor.execute(f'SELECT t::text FROM "{table}" t')
                found += [f"{table}: {row[0]}" for row in cursor.fetchall()]
    return "\n".join(found)


def played() -> list[tuple]:
    """The ledger with its ratings, and the boards."""
    return [
        list(RatedGame.objects.order_by("pk").values_list()),
        list(EloGame.objects.order_by("pk").values_list()),
        list(
            Board.objects.order_by("pk").values_list("pk", "home_player", "away_player", "result")
        ),
    ]


def erase(person, by=None):
    return erase_person(player=person.pk, by=by, at=AT)


def test_nothing_of_an_erased_person_is_left_in_any_table_and_no_game_moves(scene, person):
    before, text = played(), everywhere()
    assert [secret for secret in SECRETS if secret not in text] == []
    officer = UserFactory(name="An Officer", is_grading_officer=True)
    pk = person.user.pk
    erased = erase(person, officer)
    left = everywhere()
    for secret in [*SECRETS, "2009-05-17"]:
        assert [line for line in left.splitlines() if secret.casefold() in line.casefold()] == []
    assert played() == before
    assert not list(verify())
    assert (str(erased), erased.state) == ("Former player", "erased")
    assert not User.objects.filter(pk=pk).exists()
    assert not Membership.objects.on(TODAY).filter(player=person).exists()
    newest = person.events.latest("pgh_id")
    assert newest.pgh_context == {"user": officer.pk, "why": "erased"}


def test_the_year_of_birth_stays_only_where_a_junior_s_games_were_rated(person):
    assert erase(person).birth_date == datetime.date(2009, 1, 1)
    grown = PlayerFactory(birth_date=datetime.date(1980, 3, 3), birth_year=1980)
    assert (erase(grown).birth_date, grown.events.latest("pgh_id").birth_year) == (None, None)


def test_erased_once_more_changes_nothing_and_no_merge_comes_back(person):
    erase(person)
    events = person.events.count()
    erase(person)
    assert person.events.count() == events
    merge = PlayerMerge.objects.get()
    assert reason_not_to_undo(merge) == "What moved is not known any more."
    person.refresh_from_db()
    assert reasons_against(PlayerFactory(), person) == [
        "One of the two was erased: nothing is known of him any more."
    ]


def test_an_entry_that_leads_to_another_and_a_superuser_are_refused(person):
    twin = Player.objects.get(state="merged")
    with pytest.raises(CannotErase, match="leads to"):
        erase(twin)
    User.objects.filter(player=person).update(is_superuser=True)
    with pytest.raises(CannotErase, match="may do everything"):
        erase(person)
    assert Player.objects.get(pk=person.pk).surname == NAME


def test_the_history_is_closed_again_after_an_erasure(person):
    erase(person)
    with pytest.raises(Exception, match="Cannot update or delete"):
        person.events.update(surname="Forged")


def test_another_person_of_the_same_name_stays(person):
    other = PlayerFactory(surname=NAME, forenames=FORENAME, ecf_code="111111A")
    erase(person)
    other.refresh_from_db()
    assert (str(other), other.ecf_code) == (f"{FORENAME} {NAME}", "111111A")


def test_pages_that_are_kept_forget_him_with_the_reason_that_named_him(client, person, settings):
    local = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "erasure"}
    settings.CACHES = settings.CACHES | {"pages": local}
    team = Team.objects.first()
    reason = f"{FORENAME} {NAME} was not registered"
    facts = {"match_points": -2, "game_points": 0, "decided_on": TODAY}
    add_adjustment(team=team.pk, reason=reason, by=None, at=AT, **facts)
    page = f"/divisions/{team.division_id}/"
    assert reason in client.get(page).content.decode()
    others = DivisionFactory(name="Other").version
    erase(person)
    kept = client.get(page).content.decode()
    caches["pages"].clear()
    assert NAME not in kept and "Former player was not registered" in kept
    assert Division.objects.get(name="Other").version == others


def test_accounts_of_merged_entries_go_too(person):
    """A merge that keeps the kept entry's account leaves the other with the dropped one."""
    twin = PlayerFactory(surname=NAME, forenames="Xenia")
    UserFactory(email="zz2@example.net", name=f"Xenia {NAME}", player=twin)
    officer = UserFactory()
    choices = {"account": "kept"}
    merge_players(keep=person.pk, drop=twin.pk, by=officer, at=AT, choices=choices)
    User.objects.filter(player=twin).update(is_superuser=True)
    with pytest.raises(CannotErase, match="may do everything"):
        erase(person)
    User.objects.filter(player=twin).update(is_superuser=False)
    erase(person)
    assert list(User.objects.filter(email__startswith="zz")) == []


def test_whom_to_ask_is_forgotten_also_without_an_account_and_under_an_older_name():
    player = PlayerFactory(surname="Maiden", forenames=FORENAME)
    player.surname = NAME
    player.save()
    for name in (f"{FORENAME} {NAME}", f"Maiden, {FORENAME}"):
        facts = {"contact_email": "zz@example.net", "contact_phone": "07700900999"}
        ClubFactory(contact_name=name, **facts)
    other = ClubFactory(contact_name="Other", contact_email="other@example.net")
    erase(player)
    text = everywhere()
    assert [secret for secret in (*SECRETS, "Maiden") if secret in text] == []
    other.refresh_from_db()
    assert (other.contact_name, other.contact_email) == ("Other", "other@example.net")


def test_an_address_that_another_account_has_now_stays_its(person):
    person.user.email = "new@example.net"
    person.user.save()
    UserFactory(email="zz@example.net", name="The next secretary")
    club = ClubFactory(contact_name="The next secretary", contact_email="zz@example.net")
    erase(person)
    club.refresh_from_db()
    assert (club.contact_name, club.contact_email) == ("The next secretary", "zz@example.net")


def test_the_admin_s_log_forgets_his_rows_and_who_stood_in_others(person):
    chief, name = UserFactory(is_superuser=True), f"{FORENAME} {NAME}"
    for row, said in (
        (person, name),
        (person.user, name),
        (Membership.objects.first(), f"{name}, Ash"),
    ):
        LogEntry.objects.log_actions(chief.pk, [row], CHANGE, [{"changed": {"object": name}}])
        LogEntry.objects.filter(object_repr=str(row)).update(object_repr=said)
    erase(person)
    found = LogEntry.objects.values_list("object_repr", flat=True)
    assert sorted(found) == ["Former player", "Former player", "Former player, Ash"]
    assert NAME not in everywhere()


def test_the_admin_s_log_forgets_a_name_with_accents_and_no_longer_one(scene):
    person = PlayerFactory(forenames="José", surname="Núñez")
    chief, said = UserFactory(), "José Núñez late, José Núñezé early, “José Núñez”"
    changed = {"name": "adjustment", "object": said, "fields": ["reason"]}
    team = [scene.match.home]
    LogEntry.objects.log_actions(chief.pk, team, CHANGE, [{"changed": changed}])
    erase(person)
    told = LogEntry.objects.get().get_change_message()
    assert "Former player late, José Núñezé early, “Former player”" in told


def test_a_longer_name_that_holds_his_stays_and_a_full_reason_stays_full():
    player = PlayerFactory(surname="Lang", forenames="Max")
    team = TeamFactory()
    AdjustmentFactory(team=team, reason="Max Langer and Max Lang were late")
    AdjustmentFactory(team=team, reason="Max Lang".ljust(300, "."))
    erase(player)
    short, full = Adjustment.objects.order_by("pk").values_list("reason", flat=True)
    assert short == "Max Langer and Former player were late"
    assert full == "Former player".ljust(300, ".")


# --- Pages -------------------------------------------------------------------------------


def test_a_person_is_erased_after_two_confirmations(client, person):
    officer = UserFactory(is_grading_officer=True)
    client.force_login(officer)
    url = reverse("office_person_erase", args=[person.pk])
    name = f"{FORENAME} {NAME}"
    for typed, wrong in (
        ({}, ["name", "sure"]),
        ({"name": name}, ["sure"]),
        ({"name": NAME, "sure": "on"}, ["name"]),
    ):
        assert list(client.post(url, typed).context["form"].errors) == wrong
    assert Player.objects.get(pk=person.pk).surname == NAME
    page = reverse("office_person", args=[person.pk])
    assert client.post(url, {"name": name, "sure": "on"}).url == page
    assert client.post(url, {"name": name, "sure": "on"}).url == page
    public = client.get(person.get_absolute_url())
    assert public.status_code == 200 and "Former player" in public.content.decode()
    for name in ("office_person", "office_person_history", "office_person_data"):
        assert client.get(reverse(name, args=[person.pk])).status_code == 200
    assert client.get(reverse("search", query={"q": "former player"})).status_code == 200


def test_a_league_s_officer_erases_nobody_whose_roles_he_does_not_give(client, scene, person):
    league = scene.match.division.season.league
    officer, account = scene.officer, person.user
    url = reverse("office_person_erase", args=[person.pk])
    sure = {"name": f"{FORENAME} {NAME}", "sure": "on"}

    def refusal(by):
        client.force_login(by)
        response = client.post(url, sure)
        return response.context["reason"] if response.status_code == 200 else None

    alone = LeagueRoleFactory(user=account)
    words = f"{alone.league} would have no officer left. Invite another one first."
    assert refusal(officer) == words
    assert refusal(UserFactory(is_grading_officer=True)) == words
    LeagueRoleFactory(league=alone.league)
    where = "which you cannot take from him: ask the grading officer."
    assert refusal(officer) == f"He is officer of {alone.league}, {where}"
    alone.delete()
    User.objects.filter(pk=account.pk).update(is_grading_officer=True)
    assert refusal(officer) == f"He is grading officer, {where}"
    User.objects.filter(pk=account.pk).update(is_grading_officer=False)
    other = TeamRoleFactory(user=account)
    assert refusal(officer) == f"He is captain of {other.team}, {where}"
    other.delete()
    LeagueRoleFactory(league=league, user=account)
    assert (refusal(officer), Player.objects.get(pk=person.pk).state) == (None, "erased")


def test_a_league_s_last_officer_is_erased_by_a_superuser_alone(person):
    role = LeagueRoleFactory(user=person.user)
    LeagueRoleFactory(league=role.league, user__is_active=False)
    with pytest.raises(CannotErase, match="no officer left"):
        erase(person)
    erase(person, UserFactory(is_superuser=True))
    assert not LeagueRole.objects.filter(league=role.league, user__is_active=True).exists()


def test_a_person_s_data_is_handed_out_to_himself_and_to_the_officer(client, person):
    for account, name, args in (
        (person.user, "own_data", []),
        (UserFactory(is_grading_officer=True), "office_person_data", [person.pk]),
    ):
        client.force_login(account)
        page = client.get(reverse(name, args=args)).content.decode()
        response = client.get(reverse(f"{name}_file", args=args))
        found = json.loads(response.content)
        assert "attachment" in response["Content-Disposition"]
        for secret in ("654321A", "M99887", "88776655", "zz@example.net", "2009-05-17"):
            assert secret in response.content.decode()
        assert "654321A" in page and "zz@example.net" in page
        assert found["person"]["surname"] == NAME
        assert len(found["boards"]) == len(found["rated_games"]) == 4
        assert [row["club"] for row in found["clubs"]] == ["Ashdown", "Hartfield"]
        assert found["history"] and found["roles"] and found["invitations"]


def test_every_fact_has_a_name_in_french(client, person):
    client.force_login(person.user)
    found = json.loads(client.get(reverse("own_data_file")).content).values()
    rows = [section if isinstance(section, dict) else section[0] for section in found if section]
    assert {name for row in rows for name in row} - set(LABELS) == set()
    page = client.get(reverse("own_data"), headers={"Accept-Language": "fr"}).content.decode()
    assert "Dernière connexion" in page and "Last login" not in page
    assert "Elo avant" in page and "Elo before" not in page


def test_data_holds_no_other_person_s_name(client, person):
    client.force_login(person.user)
    text = client.get(reverse("own_data_file")).content.decode()
    own = [person.pk, *Player.objects.filter(merged_into=person).values_list("pk", flat=True)]
    others = Player.objects.exclude(pk__in=own)
    assert [other.surname for other in others if f'"{other}' in text] == []


def test_an_account_without_a_player_sees_its_own_data_alone(client):
    client.force_login(UserFactory(email="me@example.org"))
    found = json.loads(client.get(reverse("own_data_file")).content)
    assert found["account"]["email"] == "me@example.org" and "person" not in found
    assert client.get(reverse("own_data")).status_code == 200


def test_an_erased_player_stands_on_an_old_card_that_is_saved_again(scene, person):
    board = Board.objects.filter(home_player=person).first()
    erase(person)
    match = Match.objects.get(pk=board.match_id)
    entries = [entry_of(each) for each in match.boards.order_by("number")]
    assert not record_card(
        match=match.pk, boards=entries, version=match.version, by=None, at=AT
    ).changed
