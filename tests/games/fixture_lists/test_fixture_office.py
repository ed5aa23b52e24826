"""The officer's pages of a season's fixtures, and those of another day for a match."""

from datetime import UTC, date, datetime, timedelta

import pytest

from clubs.models import Club, Venue
from games.fixture_lists import fixture_plans
from games.fixture_lists.fixture_runs import make_draft
from games.models import AvoidDate, AvoidPair, Break, DraftMatch, FixturePlan, Match, Season
from tests.factories import (
    ClubFactory,
    DivisionFactory,
    LeagueRoleFactory,
    SeasonFactory,
    TeamFactory,
)
from tests.job_queue import jobs

pytestmark = pytest.mark.django_db
AT = datetime(2026, 8, 1, 12, tzinfo=UTC)
FIRST = date(2026, 9, 28)


@pytest.fixture
def season(client) -> Season:
    """A season of two teams, its officer logged in."""
    found = SeasonFactory(published_at=None)
    division = DivisionFactory(season=found)
    for n in (1, 2):
        club = ClubFactory(name=f"Club {n}", club_night=1)
        TeamFactory(division=division, club=club, order_number=n)
    client.force_login(LeagueRoleFactory(league=found.league).user)
    return found


def url(season: Season, rest: str = "") -> str:
    return f"/office/leagues/{season.league.slug}/{season.slug}/fixtures/{rest}"


def page(client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def with_draft(season: Season) -> FixturePlan:
    weeks = [FIRST + timedelta(weeks=week) for week in range(2)]
    fixture_plans.set_weeks(season=season.pk, weeks=weeks)
    fixture_plans.set_rules(season=season.pk, legs={}, seconds=1)
    plan = fixture_plans.ask_for_draft(season=season.pk, at=AT)
    make_draft(plan=plan.pk, run=plan.run, at=AT)
    plan.refresh_from_db()
    return plan


def test_weeks_are_filled_in_then_saved(client, season):
    Break.objects.create(
        season=season,
        name="Half-term",
        first_day=date(2026, 10, 5),
        last_day=date(2026, 10, 11),
    )
    typed = {"step": "fill", "first": "2026-10-01", "every": "1", "count": "2"}
    answer = client.post(url(season, "weeks/"), typed)
    ticked = [w.data["value"] for w in answer.context["form"]["weeks"] if w.data["selected"]]
    assert (ticked, season.match_weeks.count()) == (["2026-09-28", "2026-10-12"], 0)
    client.post(url(season, "weeks/"), {"step": "save", "weeks": ticked})
    assert [f"{week}" for week in season.match_weeks.all()] == ticked
    for wrong in ({"weeks": ["2026-09-29"]}, {"weeks": ["x"]}):
        assert client.post(url(season, "weeks/"), {"step": "save"} | wrong).status_code == 200
    wrong = {"step": "fill", "first": "x", "every": "0", "count": "999"}
    assert len(client.post(url(season, "weeks/"), wrong).context["fill"].errors) == 3
    assert season.match_weeks.count() == 2


def test_rules_are_saved_and_wrong_ones_come_back(client, season):
    division = season.divisions.get()
    typed = {
        "weekday": "2",
        "club_teams_early": "wish",
        "club_teams_alternate": "off",
        "no_three_running": "must",
        "few_breaks": "strong",
        "seconds": "60",
        f"legs_{division.pk}": "3",
    }
    for wrong in ({"seconds": "0"}, {"few_breaks": "must"}, {f"legs_{division.pk}": "9"}):
        answer = client.post(url(season, "rules/"), typed | wrong)
        assert (answer.status_code, list(answer.context["form"].errors)) == (200, list(wrong))
    assert client.post(url(season, "rules/"), typed).status_code == 302
    plan = FixturePlan.objects.get()
    stored = {name: str(getattr(plan, name)) for name in typed if not name.startswith("legs")}
    division.refresh_from_db()
    assert stored | {f"legs_{division.pk}": str(division.legs)} == typed


def test_nights_and_halls_are_saved(client, season):
    one, other = Club.objects.order_by("search_name")
    typed = {
        "clubs-TOTAL_FORMS": 2,
        "clubs-INITIAL_FORMS": 2,
        "halls-TOTAL_FORMS": 0,
        "halls-INITIAL_FORMS": 0,
        "clubs-0-id": one.pk,
        "clubs-0-club_night": 0,
        "clubs-0-hall_name": " Town  Hall ",
        "clubs-1-id": other.pk,
        "clubs-1-club_night": "",
        "clubs-1-hall_name": "Town Hall",
    }
    assert client.post(url(season, "halls/"), typed).status_code == 302
    hall = Venue.objects.get()
    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.club_night, one.hall, other.club_night, other.hall) == (0, hall, None, hall)
    limited = typed | {"halls-TOTAL_FORMS": 1, "halls-INITIAL_FORMS": 1, "halls-0-id": hall.pk}
    answer = client.post(url(season, "halls/"), limited | {"halls-0-match_limit": "-1"})
    assert answer.status_code == 200 and "nothing is saved" in answer.content.decode()
    client.post(url(season, "halls/"), limited | {"halls-0-match_limit": "0"})
    hall.refresh_from_db()
    assert (hall.name, hall.match_limit) == ("Town Hall", 0)


def test_breaks_days_and_pairs_are_noted_and_taken_out(client, season):
    one, other = season.divisions.get().teams.order_by("pk")
    days = {"first_day": "2026-10-05", "last_day": ""}
    typed = {
        "breaks": days | {"name": "Half-term"},
        "days": days | {"team": one.pk, "home_only": "on", "force": "wish"},
        "pairs": {"first": one.pk, "second": other.pk, "force": "must"},
    }
    wrong = {
        "breaks": [{}, days, {"name": "x", "first_day": "2026-10-05", "last_day": "2026-10-01"}],
        "days": [days | {"force": "must"}, typed["days"] | {"club": one.club_id}],
        "pairs": [typed["pairs"] | {"second": one.pk}, {"first": 987654, "force": "must"}],
    }
    for kind, rows in wrong.items():
        for row in rows:
            assert client.post(url(season, f"{kind}/add/"), row).status_code == 200
    for kind, row in typed.items():
        assert client.post(url(season, f"{kind}/add/"), row).status_code == 302
    avoid = AvoidDate.objects.get()
    assert (avoid.first_day, avoid.last_day, avoid.force) == (
        date(2026, 10, 5),
        date(2026, 10, 5),
        "wish",
    )
    twice = client.post(url(season, "pairs/add/"), {**typed["pairs"], "first": other.pk})
    assert "These are not two teams." in twice.content.decode()
    swapped = {"first": other.pk, "second": one.pk, "force": "must"}
    assert "listed already" in client.post(url(season, "pairs/add/"), swapped).content.decode()
    assert "Half-term" in page(client, url(season))
    for kind, model in (("breaks", Break), ("days", AvoidDate), ("pairs", AvoidPair)):
        row = model.objects.get()
        client.post(url(season, f"{kind}/{row.pk}/remove/"))
        assert not model.objects.exists()
    assert client.get(url(season, "other/add/")).status_code == 404
    assert client.post(url(season, "breaks/987/remove/")).status_code == 404


def test_a_run_is_asked_for_shown_and_stopped(client, season):
    answer = client.post(url(season, "step/"), {"step": "make"}, follow=True)
    assert "No match weeks are chosen yet." in answer.content.decode()
    weeks = [FIRST + timedelta(weeks=week) for week in range(2)]
    fixture_plans.set_weeks(season=season.pk, weeks=weeks)
    client.post(url(season, "step/"), {"step": "make"})
    assert len(jobs("make_fixtures")) == 1
    text = page(client, url(season))
    assert '<meta http-equiv="refresh" content="3">' in text and "<progress" in text
    client.post(url(season, "step/"), {"step": "stop"})
    assert "refresh" not in page(client, url(season))


def test_what_contradicts_stands_on_the_page(client, season):
    plan = with_draft(season)
    plan.state = "impossible"
    plan.report = {"contradiction": ["Town Hall holds 1 match a night"], "is_smallest": True}
    plan.save()
    text = page(client, url(season))
    assert "These cannot all be kept:" in text and "Town Hall holds 1 match a night" in text


def test_a_draft_is_changed_by_hand_and_published(client, season):
    plan = with_draft(season)
    match = DraftMatch.objects.order_by("played_on").first()
    text = page(client, url(season, "draft/"))
    assert "No clash." in text and "Week of 28 September 2026" in text
    by_club = page(client, url(season, "draft/") + "?by=club")
    assert '<h2 class="group">Club 1</h2>' in by_club and "Week of" not in by_club
    edit = url(season, f"draft/{match.pk}/")
    typed = {"day": "2026-09-30", "version": plan.draft_version, "step": "check"}
    text = client.post(edit, typed).content.decode()
    assert "This would clash:" in text and "not the night of the home side" in text
    assert DraftMatch.objects.get(pk=match.pk).played_on == match.played_on
    for wrong in ("x", "2030-01-01"):
        assert client.post(edit, typed | {"day": wrong}).status_code == 200
    assert client.post(edit, typed | {"step": "save"}).status_code == 302
    assert DraftMatch.objects.get(pk=match.pk).played_on == date(2026, 9, 30)
    assert "1 clash." in page(client, url(season, "draft/"))
    stale = client.post(edit, typed | {"step": "save", "day": "2026-10-01"})
    assert "has changed meanwhile" in stale.content.decode()
    step = {"step": "publish", "version": plan.draft_version}
    client.post(url(season, "step/"), step)
    assert Match.objects.count() == 0
    plan.refresh_from_db()
    answer = client.post(url(season, "step/"), step | {"version": plan.draft_version}, follow=True)
    assert "2 matches are arranged. The public sees them when the season is published." in (
        answer.content.decode()
    )
    assert Match.objects.count() == 2
    assert client.get(edit).status_code == 404


def add_teams_to_the_draft(division) -> None:
    for n in range(3, 6):
        club = ClubFactory(name=f"Club {n}", club_night=1)
        TeamFactory(division=division, club=club, order_number=n)
    teams = list(division.teams.all())
    for home, away in zip(teams[2:], teams[1:], strict=False):
        DraftMatch.objects.create(division=division, home=home, away=away, round=1, played_on=FIRST)


def test_more_matches_ask_no_more_queries(client, season, django_assert_num_queries):
    with_draft(season)
    counts = []
    for nth in range(2):
        for address in (url(season), url(season, "draft/"), url(season, "draft/") + "?by=club"):
            with django_assert_num_queries(99, exact=False) as asked:
                client.get(address)
            counts.append(len(asked))
        if nth == 0:
            add_teams_to_the_draft(season.divisions.get())
    assert counts[:3] == counts[3:]


# A match ------------------------------------------------------------------------------------


def test_the_sides_agree_on_another_day(client, cast):
    match = cast.match
    address = f"/matches/{match.pk}/day/"
    client.force_login(cast.captain)
    typed = {"step": "propose", "team": match.home_id, "day": "2026-12-08", "reason": "flood"}
    assert client.post(address, typed | {"day": "x"}).status_code == 200
    refused = client.post(address, typed | {"day": "2030-01-01"})
    assert "The season runs from" in refused.content.decode()
    assert client.post(address, typed | {"team": match.away_id}).status_code == 403
    assert client.post(address, typed | {"step": "postpone"}).status_code == 403
    assert client.post(address, typed).status_code == 302
    proposal = match.open_proposal
    answer = {"step": "agree", "proposal": proposal.pk}
    assert client.post(address, answer).status_code == 403  # his own
    client.force_login(cast.officer)
    assert "would like to play on Tuesday 8 December 2026" in page(client, match.get_absolute_url())
    assert client.post(address, answer).status_code == 302
    match.refresh_from_db()
    assert match.played_on == date(2026, 12, 8)
    assert client.post(address, answer).status_code == 403


def test_an_officer_awards_a_match_and_takes_it_back(client, cast):
    match = cast.match
    address = f"/matches/{match.pk}/decide/"
    client.force_login(cast.officer)
    typed = {"step": "award", "award-home": "0", "award-away": "6", "award-reason": "no team"}
    for wrong in (
        {"award-home": "x"},
        {"award-reason": ""},
        {"award-reason": "\u200b \ufffd"},
        {"award-away": "7"},
    ):
        assert client.post(address, typed | wrong).status_code == 200
    match.refresh_from_db()
    assert match.state == "arranged"
    assert client.post(address, typed | {"award-defaulted_by": "home"}).status_code == 302
    match.refresh_from_db()
    assert (match.state, match.stated_home, match.stated_away, match.defaulted_by) == (
        "awarded",
        0,
        12,
        "home",
    )
    text = page(client, match.get_absolute_url())
    assert "Awarded 0 – 6." in text and f'href="{address}"' in text
    client.post(address, {"step": "reinstate"})
    client.post(address, {"step": "void", "void-reason": "wrong clocks"})
    assert "The match counts for nobody" in page(client, match.get_absolute_url())
