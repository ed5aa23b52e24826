"""A season's fixtures from the first wish to the published list."""

from datetime import UTC, date, datetime, timedelta
from threading import Barrier, Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import translation

from clubs.models import Club, Venue
from games.fixture_lists import fixture_drafts, fixture_plans
from games.fixture_lists.fixture_drafts import Change
from games.fixture_lists.fixture_plans import DraftChanged, FixturesRefused
from games.fixture_lists.fixture_runs import make_draft
from games.match_cards.cards import record_card
from games.models import (
    AvoidDate,
    AvoidPair,
    DraftMatch,
    FixturePlan,
    Match,
    MatchWeek,
    PlanState,
    Season,
)
from games.season_office import seasons
from tests.factories import (
    BreakFactory,
    ClubFactory,
    DivisionFactory,
    MatchFactory,
    SeasonFactory,
    TeamFactory,
    UserFactory,
)
from tests.job_queue import jobs, work

pytestmark = pytest.mark.django_db
AT = datetime(2026, 8, 1, 12, tzinfo=UTC)
FIRST = date(2026, 9, 28)


def a_season(*sizes: int, weeks: int | None = None, night: int | None = 1) -> Season:
    """A season of divisions of so many teams, each of a club of its own, with its match weeks."""
    season = SeasonFactory(published_at=None)
    for rank, size in enumerate(sizes, 1):
        division = DivisionFactory(season=season, name=f"Division {rank}", rank=rank)
        for n in range(size):
            club = ClubFactory(name=f"Club {rank}{n}", slug=f"c{rank}{n}", club_night=night)
            TeamFactory(division=division, club=club, order_number=n + 1)
    count = 2 * (max(sizes) - 1 + max(sizes) % 2) if weeks is None else weeks
    fixture_plans.set_weeks(
        season=season.pk, weeks=[FIRST + timedelta(weeks=week) for week in range(count)]
    )
    fixture_plans.set_rules(season=season.pk, legs={}, seconds=2)
    return season


def drafted(season: Season) -> FixturePlan:
    """The season with a draft made by the solver."""
    plan = fixture_plans.ask_for_draft(season=season.pk, at=AT)
    make_draft(plan=plan.pk, run=plan.run, at=AT)
    plan.refresh_from_db()
    return plan


def test_a_draft_is_made_looked_at_and_published():
    season = a_season(4, 5)
    plan = drafted(season)
    assert (plan.state, plan.progress, plan.report["contradiction"]) == ("solved", 100, [])
    page = fixture_drafts.page_of(season, plan)
    assert (len(page.rows), page.binding) == (12 + 20, [])
    assert len(page.weeks) == 10 and page.weeks[0][0] == FIRST
    assert [name for name, _rows in page.clubs] == sorted(c.name for c in Club.objects.all())
    assert Match.objects.count() == 0
    published = fixture_plans.publish(season=season.pk, version=plan.draft_version, at=AT)
    assert (published, DraftMatch.objects.count(), Match.objects.count()) == (32, 0, 32)
    rows = {(m.home_id, m.away_id, m.round, m.played_on) for m in Match.objects.all()}
    assert rows == {(r.home_id, r.away_id, r.round, r.played_on) for r in page.rows}
    assert set(Match.objects.values_list("leg", "state", "board_count")) == {(1, "arranged", 6)}
    for division in season.divisions.all():
        assert (division.version, division.changed_at) == (1, AT)
    plan.refresh_from_db()
    assert plan.state == PlanState.IDLE
    with pytest.raises(FixturesRefused, match="There is no draft to publish"):
        fixture_plans.publish(season=season.pk, version=plan.draft_version, at=AT)


def test_three_legs_are_numbered_by_home_and_away():
    season = a_season(2, weeks=3)
    division = season.divisions.get()
    fixture_plans.set_rules(season=season.pk, legs={division.pk: 3})
    plan = drafted(season)
    fixture_plans.publish(season=season.pk, version=plan.draft_version, at=AT)
    one, other, third = Match.objects.order_by("round")
    assert (one.home, one.away, one.leg) == (other.away, other.home, other.leg)
    assert (third.home, third.away, third.leg) == (one.home, one.away, 2)
    assert len({one.number, other.number, third.number}) == 3


def test_what_is_not_known_yet_is_said():
    season = a_season(2, weeks=0, night=None)
    with pytest.raises(FixturesRefused) as refused:
        fixture_plans.ask_for_draft(season=season.pk, at=AT)
    assert str(refused.value) == (
        "No match weeks are chosen yet. No club night is known of Club 10, Club 11:"
        " give the clubs theirs, or the season its day."
    )
    fixture_plans.set_rules(season=season.pk, legs={}, weekday=2)
    fixture_plans.set_weeks(season=season.pk, weeks=[FIRST, FIRST + timedelta(weeks=1)])
    plan = drafted(season)
    days = set(DraftMatch.objects.values_list("played_on", flat=True))
    assert (plan.state, {day.weekday() for day in days}) == ("solved", {2})
    with pytest.raises(FixturesRefused, match="No division has two teams"):
        fixture_plans.ask_for_draft(season=SeasonFactory().pk, at=AT)


def test_divisions_with_matches_are_left_as_they_are_and_fill_the_halls():
    season = a_season(2, 2)
    first, second = season.divisions.order_by("rank")
    home, away = first.teams.order_by("order_number")
    hall = Venue.objects.create(name="Guildhall", match_limit=1)
    Club.objects.filter(teams__division__season=season).update(hall=hall)
    tuesday = FIRST + timedelta(days=1)
    MatchFactory(division=first, home=home, away=away, played_on=tuesday)
    fixture_plans.set_weeks(
        season=season.pk, weeks=[FIRST + timedelta(weeks=week) for week in range(3)]
    )
    assert fixture_plans.divisions_to_plan(season) == [second]
    drafted(season)
    days = set(DraftMatch.objects.values_list("division", "played_on"))
    assert days == {(second.pk, tuesday + timedelta(weeks=week)) for week in (1, 2)}


def test_an_impossible_case_says_what_contradicts():
    season = a_season(2)
    club = Club.objects.first()
    for team in (club.teams.get(),):
        AvoidDate.objects.create(
            season=season,
            team=team,
            first_day=FIRST,
            last_day=FIRST + timedelta(days=13),
            home_only=True,
        )
    plan = drafted(season)
    assert (plan.state, DraftMatch.objects.count()) == ("impossible", 0)
    assert plan.report["contradiction"] == [
        f"{club} A not at home Mon 28 Sep 2026 to Sun 11 Oct 2026"
    ]
    AvoidDate.objects.update(force="wish")
    plan = drafted(season)
    assert plan.state == "solved"
    assert plan.report["reasons"] == [
        f"{club} A not at home Mon 28 Sep 2026 to Sun 11 Oct 2026:"
        " no list can, since everybody meets everybody in turn."
    ]


def test_a_break_and_a_pair_are_kept():
    season = a_season(4, weeks=8)
    BreakFactory(season=season, first_day=FIRST, last_day=FIRST + timedelta(days=6))
    teams = list(season.divisions.get().teams.order_by("pk"))
    Club.objects.filter(teams=teams[2]).update(club_night=3)
    AvoidPair.objects.create(season=season, first=teams[0], second=teams[1], home_only=True)
    plan = drafted(season)
    assert plan.state == "solved"
    days = DraftMatch.objects.values_list("played_on", flat=True)
    assert min(days) > FIRST + timedelta(days=6)
    at_home = [set(DraftMatch.objects.filter(home=team).values_list("played_on", flat=True))
               for team in teams[:2]]  # fmt: skip
    assert not at_home[0] & at_home[1]


# Runs ---------------------------------------------------------------------------------------


def test_a_run_goes_through_the_queue(transactional_db):
    season = a_season(2)
    plan = fixture_plans.ask_for_draft(season=season.pk, at=AT)
    asked = {"plan": plan.pk, "run": 1, "language": "en-gb"}
    assert jobs("make_fixtures") == [(asked, "todo")]
    with pytest.raises(FixturesRefused, match="being made already"):
        fixture_plans.ask_for_draft(season=season.pk, at=AT)
    work("fixtures")
    plan.refresh_from_db()
    assert (plan.state, DraftMatch.objects.count()) == ("solved", 2)


def test_a_run_speaks_the_language_of_who_asked(transactional_db):
    with translation.override("fr"):
        plan = fixture_plans.ask_for_draft(season=a_season(2).pk, at=AT)
    MatchWeek.objects.all().delete()
    work("fixtures")
    plan.refresh_from_db()
    assert plan.report == {"refused": "Aucune semaine de match n’est encore choisie."}


def test_a_run_that_was_stopped_writes_nothing():
    season = a_season(2)
    plan = fixture_plans.ask_for_draft(season=season.pk, at=AT)
    fixture_plans.stop_run(season=season.pk, at=AT)
    make_draft(plan=plan.pk, run=plan.run, at=AT)
    plan.refresh_from_db()
    assert (plan.state, DraftMatch.objects.count()) == ("idle", 0)
    again = drafted(season)
    kept = fixture_plans.keep_outcome(
        plan=plan.pk, run=again.run, state="impossible", found=(), report={}, at=AT
    )
    assert kept is False and DraftMatch.objects.count() == 2


def test_a_failed_run_says_so():
    season = a_season(2)
    plan = fixture_plans.ask_for_draft(season=season.pk, at=AT)
    MatchWeek.objects.all().delete()
    make_draft(plan=plan.pk, run=plan.run, at=AT)
    plan.refresh_from_db()
    assert (plan.state, plan.report) == (
        "failed",
        {"refused": "No match weeks are chosen yet."},
    )


# The draft by hand --------------------------------------------------------------------------


def test_a_match_is_moved_turned_and_exchanged():
    season = a_season(4)
    plan = drafted(season)
    rows = fixture_plans.draft_of(season)
    match = rows[0]
    wednesday = match.played_on + timedelta(days=1)
    brought, ended = fixture_drafts.preview(season, plan, match, Change(day=wednesday))
    words = f"{match.home} v {match.away}, {wednesday:%a} {wednesday.day} {wednesday:%b} 2026"
    assert [said.words for said in brought] == [f"{words}: not the night of the home side."]
    assert ended == []
    plan = fixture_drafts.change_match(
        match=match.pk, change=Change(day=wednesday), version=plan.draft_version
    )
    page = fixture_drafts.page_of(season, plan)
    assert [said.words for said in page.by_match[match.pk]] == [brought[0].words]
    assert page.binding == brought
    plan = fixture_drafts.change_match(
        match=match.pk, change=Change(turned=True), version=plan.draft_version
    )
    legs = DraftMatch.objects.filter(
        home__in=[match.home, match.away], away__in=[match.home, match.away]
    )
    assert sorted((row.leg, row.home_id) for row in legs) == [
        (1, match.away_id),
        (2, match.home_id),
    ]
    other = next(row for row in rows if row.played_on > match.played_on)
    plan = fixture_drafts.change_match(
        match=match.pk, change=Change(other=other.pk), version=plan.draft_version
    )
    moved = DraftMatch.objects.get(pk=match.pk)
    assert moved.round == other.round
    assert DraftMatch.objects.get(pk=other.pk).round == match.round


def test_of_two_who_change_the_draft_one_is_told():
    season = a_season(2)
    plan = drafted(season)
    match = fixture_plans.draft_of(season)[0]
    day = Change(day=match.played_on + timedelta(days=1))
    fixture_drafts.change_match(match=match.pk, change=day, version=plan.draft_version)
    with pytest.raises(DraftChanged):
        fixture_drafts.change_match(match=match.pk, change=day, version=plan.draft_version)
    with pytest.raises(DraftChanged):
        fixture_plans.publish(season=season.pk, version=plan.draft_version, at=AT)
    with pytest.raises(FixturesRefused, match="outside the season"):
        fixture_drafts.preview(season, plan, match, Change(day=date(2030, 1, 1)))
    with pytest.raises(FixturesRefused, match="no longer in the draft"):
        fixture_drafts.preview(season, plan, match, Change(other=987654))


def test_a_discarded_draft_is_gone():
    season = a_season(2)
    drafted(season)
    fixture_plans.discard(season=season.pk)
    assert (DraftMatch.objects.count(), Match.objects.count()) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_two_who_publish_at_once_make_the_matches_once(transactional_db):
    season = a_season(2)
    version = drafted(season).draft_version
    barrier, told = Barrier(2), []

    def publish():
        try:
            barrier.wait()
            told.append(fixture_plans.publish(season=season.pk, version=version, at=AT))
        except FixturesRefused as refused:
            told.append(type(refused))
        finally:
            connection.close()

    threads = [Thread(target=publish) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sorted(told, key=str), Match.objects.count()) == ([2, DraftChanged], 2)


# Hidden until published -------------------------------------------------------------------


def test_a_draft_shows_nowhere(client):
    season = a_season(2)
    seasons.publish_season(season=season.pk, at=AT)
    plan = drafted(season)
    division = season.divisions.get()
    team, player_page = division.teams.first(), "/search/?q=club"
    pages = [
        *(f"/divisions/{division.pk}{end}" for end in ("/", ".json", "/fixtures/", "/crosstable/")),
        *(f"/divisions/{division.pk}/fixtures{end}" for end in (".csv", ".json")),
        *(f"/teams/{team.pk}{end}" for end in ("/", ".json", ".ics")),
        *(f"/clubs/{team.club.slug}{end}" for end in ("/", ".json", ".ics")),
        f"/divisions/{division.pk}.ics",
        "/",
        player_page,
    ]
    days = {f"{d:%Y-%m-%d}" for d in DraftMatch.objects.values_list("played_on", flat=True)}
    days |= {d.replace("-", "") for d in days} | {"29 September", "6 October"}

    def showing() -> list[str]:
        found = [(page, client.get(page).content.decode()) for page in pages]
        return [page for page, text in found if any(day in text for day in days)]

    assert showing() == []
    assert client.get("/matches/1/").status_code == 404
    fixture_plans.publish(season=season.pk, version=plan.draft_version, at=AT)
    assert {f"/teams/{team.pk}.ics", f"/divisions/{division.pk}/fixtures.csv"} <= set(showing())


def test_constraints_have_their_names():
    season = a_season(2)
    team = season.divisions.get().teams.first()
    days = {"first_day": FIRST, "last_day": FIRST}
    wrong = {
        "games_matchweek_starts_on_monday": lambda: MatchWeek.objects.create(
            season=season, starts_on=FIRST + timedelta(days=1)
        ),
        "games_matchweek_one_per_week": lambda: MatchWeek.objects.create(
            season=season, starts_on=FIRST
        ),
        "games_avoiddate_of_a_club_or_a_team": lambda: AvoidDate.objects.create(
            season=season, club=team.club, team=team, **days
        ),
        "games_avoidpair_two_teams": lambda: AvoidPair.objects.create(
            season=season, first=team, second=team
        ),
        "games_fixtureplan_one_second_to_ten_minutes": lambda: FixturePlan.objects.update(
            seconds=0
        ),
        "games_match_decided_with_reason": lambda: Match.objects.filter(
            pk=MatchFactory().pk
        ).update(state="void"),
        "games_match_awarded_with_score": lambda: Match.objects.filter(pk=MatchFactory().pk).update(
            state="awarded", decision="late"
        ),
        "clubs_venue_limit_not_negative": lambda: Venue.objects.create(name="X", match_limit=-1),
    }
    for name, make in wrong.items():
        with transaction.atomic(), pytest.raises(IntegrityError, match=name):
            make()


def test_no_card_can_be_entered_of_a_draft():
    season = a_season(2)
    drafted(season)
    row = DraftMatch.objects.first()
    with pytest.raises(Match.DoesNotExist):
        record_card(match=row.pk, boards=[], version=0, by=UserFactory(), at=AT)
