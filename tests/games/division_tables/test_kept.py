"""What visitors' pages say is kept, and drawn anew after whatever changes it."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.cup import cups
from games.division_tables import adjustments, teams
from games.match_cards import agreement
from games.match_cards.card_scores import record_score
from games.match_cards.cards import BoardEntry, record_card
from games.matches import match_decisions, rearrangements
from games.models import Adjustment, Division, League, Match, Season, Team
from games.season_office import entries, seasons
from tests.factories import (
    ClubFactory,
    DivisionFactory,
    LeagueRoleFactory,
    MatchFactory,
    PlayerFactory,
    TeamFactory,
    TeamRoleFactory,
    UserFactory,
)
from tests.games.cup_scene import AT as CUP_AT
from tests.games.cup_scene import make_cup

pytestmark = pytest.mark.django_db
AT = datetime(2026, 12, 1, 20, tzinfo=UTC)
DAY = date(2026, 11, 30)


@pytest.fixture(autouse=True)
def memory(settings):
    """As in production: a memory of the process."""
    local = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "test"}
    settings.CACHES = settings.CACHES | {"pages": local}
    yield caches["pages"]
    caches["pages"].clear()


@pytest.fixture
def division(memory) -> Division:
    """Ash beat Birch; Ash v Cedar is to come, and so is a match of the second division."""
    found = DivisionFactory(name="First", board_count=2, match_points_win=4)
    ash, birch, cedar = (
        TeamFactory(division=found, name=f"{n} A") for n in ("Ash", "Birch", "Cedar")
    )
    MatchFactory(division=found, home=ash, away=birch, stated_home=3, stated_away=1)
    MatchFactory(division=found, home=ash, away=cedar, round=2)
    second = DivisionFactory(name="Second", season=found.season, rank=2)
    MatchFactory(division=second)
    return found


def addresses(division: Division) -> list[str]:
    own = f"/divisions/{division.pk}/"
    season = Season.objects.select_related("league").get(pk=division.season_id)
    pages = [own, *(f"{own}{tab}/" for tab in ("results", "fixtures", "crosstable"))]
    return ["/", "/leagues/", *pages, season.get_absolute_url()]


def seen(division: Division) -> dict[str, bytes]:
    """What a visitor reads on every page that shows the division."""
    return {page: Client().get(page).content for page in addresses(division)}


def open_match() -> Match:
    return Match.objects.get(away__name="Cedar A")


def team(name: str) -> Team:
    return Team.objects.get(name=name)


def postpone(division):
    match_decisions.postpone(match=open_match().pk, day=None, by=None, at=AT, why="", address="")


def card(division, by=None):
    match, players = open_match(), [PlayerFactory().pk for _ in range(4)]
    boards = [BoardEntry(n, *players[2 * n - 2 : 2 * n], "white", result=2) for n in (1, 2)]
    record_card(match=match.pk, boards=boards, version=0, by=by, at=AT)


def change_season(division):
    season = Season.objects.get(pk=division.season_id)
    kept = ("starts_on", "ends_on", "registration_deadline", "entries_close_on")
    facts = {name: getattr(season, name) for name in (*kept, "one_club_a_player")}
    seasons.change_season(season=season.pk, label="The year of the fox", **facts)


def in_admin(row, **changes):
    """Save a row's page of the admin with these changes, as a superuser."""
    chief = Client()
    chief.force_login(UserFactory(is_staff=True, is_superuser=True))
    address = reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk])
    form = chief.get(address).context["adminform"].form
    data = {name: form.get_initial_for_field(form.fields[name], name) for name in form.fields}
    for name in [name for name, value in data.items() if isinstance(value, datetime)]:
        at = timezone.localtime(data.pop(name))
        data |= {f"{name}_0": at.date().isoformat(), f"{name}_1": at.time().isoformat()}
    roles = {"roles-TOTAL_FORMS": 0, "roles-INITIAL_FORMS": 0}
    assert chief.post(address, data | roles | changes).status_code == 302


def rename_season(division):
    in_admin(Season.objects.get(pk=division.season_id), label="The year of the fox")


def hide_in_admin(division):
    season = Season.objects.get(pk=division.season_id)
    in_admin(season, published_at_0="", published_at_1="")


def rename_league(division):
    in_admin(League.objects.get(seasons=division.season_id), name="Weald")


def decision():
    return {"match_points": -2, "game_points": 0, "reason": "late", "decided_on": DAY, "at": AT}


def disputed(division):
    """The other side says that the card is wrong: lists mark its result."""
    card(division, by=TeamRoleFactory(team=team("Ash A")).user)
    match = open_match()
    seen(division)
    captain = TeamRoleFactory(team=match.away).user
    agreement.dispute(match=match.pk, version=match.version, reason="no", by=captain, at=AT)


def settled(division):
    disputed(division)
    seen(division)
    agreement.settle(match=open_match().pk, by=UserFactory(), at=AT)


def reinstated(division):
    WORKFLOWS["void"](division)
    seen(division)
    match = Match.objects.get(state="void")
    match_decisions.reinstate(match=match.pk, by=None, at=AT)


def rearranged(division):
    match = open_match()
    captains = [TeamRoleFactory(team=side).user for side in (match.home, match.away)]
    proposal = rearrangements.propose(
        match=match.pk,
        team=match.home,
        day=date(2027, 1, 12),
        reason="a wedding",
        by=captains[0],
        at=AT,
    )
    rearrangements.agree(proposal=proposal.pk, by=captains[1], at=AT)


def decision_changed(division):
    made = adjustments.add_adjustment(team=team("Ash A").pk, by=None, **decision())
    seen(division)
    adjustments.change_adjustment(
        adjustment=made.pk, by=None, **decision() | {"match_points": -1, "reason": "later"}
    )


def decision_gone(division):
    WORKFLOWS["a decision"](division)
    adjustments.add_adjustment(team=team("Birch A").pk, by=None, **decision())
    seen(division)
    last = Adjustment.objects.latest("pk")
    adjustments.remove_adjustment(adjustment=last.pk, by=None, at=AT)


def reinstated_team(division):
    WORKFLOWS["a team withdrawn"](division)
    WORKFLOWS["a decision"](division)
    seen(division)
    teams.reinstate_team(team=team("Birch A").pk, at=AT)


WORKFLOWS = {
    "a card disputed": disputed,
    "a card settled": settled,
    "reinstated": reinstated,
    "rearranged": rearranged,
    "a decision changed": decision_changed,
    "a decision taken back": decision_gone,
    "a team come back": reinstated_team,
    "awarded": lambda division: match_decisions.award(
        match=open_match().pk, home=4, away=0, reason="nobody came", by=None, at=AT
    ),
    "a card": card,
    "a score": lambda division: record_score(
        match=open_match().pk, home=3, away=1, played_on=DAY, version=0, by=UserFactory(), at=AT
    ),
    "postponed": postpone,
    "void": lambda division: match_decisions.void(
        match=Match.objects.get(stated_home=3).pk, reason="no clocks", by=None, at=AT
    ),
    "a team entered": lambda division: entries.enter_team(
        division=division.pk, name="Dale A", club=ClubFactory()
    ),
    "a team renamed": lambda division: entries.change_team(
        team=team("Ash A").pk, name="Oak A", club=ClubFactory(), at=AT
    ),
    "a team withdrawn": lambda division: teams.withdraw_team(
        team=team("Birch A").pk, withdrawn_on=DAY, at=AT
    ),
    "a decision": lambda division: adjustments.add_adjustment(
        team=team("Ash A").pk, by=None, **decision()
    ),
    "another name": lambda division: entries.change_division(
        division=division.pk, name="Premier", at=AT
    ),
    "other rules": lambda division: entries.change_division(
        division=division.pk, name="First", match_points_win=6, at=AT
    ),
    "another order": lambda division: entries.move_division(division=division.pk, up=False),
    "a division more": lambda division: entries.add_division(
        season=division.season_id, name="Third", board_count=4
    ),
    "the season's name": change_season,
    "the season's name, in the admin": rename_season,
    "the season hidden, in the admin": hide_in_admin,
    "the season hidden": lambda division: seasons.hide_season(season=division.season_id),
    "the league's name, in the admin": rename_league,
}


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_every_change_is_drawn(division, memory, workflow):
    before = seen(division)
    assert seen(division) == before
    WORKFLOWS[workflow](division)
    after = seen(division)
    memory.clear()
    assert after == seen(division)
    assert after != before


def queries(page: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        Client().get(page)
    return len(asked)


def test_what_is_kept_asks_one_query(division):
    pages = addresses(division)[2:]
    seen(division)
    assert {page: queries(page) for page in pages} == dict.fromkeys(pages, 1)


def test_the_first_pages_ask_less(division):
    first = {page: queries(page) for page in ("/", "/leagues/")}
    again = {page: queries(page) for page in first}
    # Teams, decisions and matches of all current divisions; the second page knows the words.
    assert {page: first[page] - again[page] for page in first} == {"/": 3, "/leagues/": 0}


def test_a_kept_page_has_its_validator(division):
    page = addresses(division)[2]
    drawn, kept = Client().get(page), Client().get(page)
    assert (kept.content, dict(kept.headers)) == (drawn.content, dict(drawn.headers))
    again = Client().get(page, headers={"If-None-Match": kept["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    adjustments.add_adjustment(team=team("Ash A").pk, by=None, **decision())
    assert Client().get(page, headers={"If-None-Match": kept["ETag"]}).status_code == 200


def test_nobody_else_reads_it_or_leaves_his_own(division, memory):
    officer = LeagueRoleFactory(league=division.season.league).user
    his = Client()
    his.force_login(officer)
    page = addresses(division)[2]
    assert officer.email in his.get(page).content.decode()
    assert len(memory._cache) == 0
    public = Client().get(page).content.decode()
    assert officer.email not in public and officer.email in his.get(page).content.decode()
    assert Client().get(page).content.decode() == public


def test_who_is_told_something_reads_a_page_of_his_own(division):
    page = addresses(division)[2]
    public = Client().get(page).content.decode()
    his = Client()
    his.force_login(LeagueRoleFactory(league=division.season.league).user)
    his.post("/accounts/logout/")
    assert "messages" in his.cookies and "sessionid" not in visible(his)
    assert his.get(page).content.decode() != public
    assert Client().get(page).content.decode() == public


def visible(client) -> set[str]:
    """The names of the cookies that a browser would still send."""
    return {name for name, cookie in client.cookies.items() if cookie.value}


def test_a_season_taken_back_is_gone_at_once_and_comes_back(division):
    pages = addresses(division)[2:]
    before = seen(division)
    seasons.hide_season(season=division.season_id)
    assert {Client().get(page).status_code for page in pages} == {404}
    seasons.publish_season(season=division.season_id, at=AT)
    assert seen(division) == before


def test_another_day_is_another_page(division, monkeypatch):
    """A match is awaited from the day after its own."""
    day = timezone.localdate()
    Match.objects.filter(pk=open_match().pk).update(played_on=day)
    page = addresses(division)[2]
    assert "result awaited" not in Client().get(page).content.decode()
    monkeypatch.setattr(timezone, "now", lambda: datetime.now(UTC) + timedelta(days=1))
    assert "result awaited" in Client().get(page).content.decode()


def test_files_and_questions_are_not_kept(division, memory):
    page = addresses(division)[2].rstrip("/")
    for address in (f"{page}.json", f"{page}.csv", f"{page}/?on=2026-11-25", f"{page}/?utm=1"):
        Client().get(address)
    assert len(memory._cache) == 0


def test_every_step_of_a_cup_is_drawn(memory):
    cup = make_cup(3, boards=4)
    page = f"/divisions/{cup.division.pk}/"
    steps = (
        lambda: cups.seed_teams(division=cup.division.pk, seeds={cup.teams[1].pk: 1}, at=CUP_AT),
        cup.draw,
        lambda: cup.play(cup.played_ties(1)[0], "level"),
        lambda: cups.order_replay(
            tie=cup.played_ties(1)[0].tie.pk, day=None, by=UserFactory(), at=CUP_AT
        ),
        lambda: cup.play(cup.played_ties(1)[0], "score"),
        lambda: cup.draw(2),
        lambda: cups.swap_sides(tie=cup.tie(2).tie.pk, by=None, at=CUP_AT),
        lambda: cups.undo_draw(division=cup.division.pk, round=2, by=None, at=CUP_AT),
    )
    for number, step in enumerate(steps):
        before = Client().get(page).content
        step()
        after = Client().get(page).content
        memory.clear()
        assert (number, after != before) == (number, True)
        assert (number, after) == (number, Client().get(page).content)
