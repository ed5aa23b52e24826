"""An officer's season until it is public: league, divisions, clubs, teams, fixtures."""

import datetime

from django.utils import timezone

from clubs import club_details
from clubs.models import Club
from games.fixture_lists.fixture_runs import make_draft
from games.models import Division, DraftMatch, FixturePlan, Match, Team
from games.season_office import entries
from tests import factories
from tests.browser.officer_steps import BOARDS, CLUBS, press, said


def a_league_and_its_season(story) -> None:
    def begin(page):
        page.goto("/office/leagues/")
        press(page, "Make a league")
        page.get_by_label("Name of the league").fill("South Weald League")
        story.look(page)
        press(page, "Make it")
        page.get_by_label("Season").fill("2026-27")
        story.look(page)
        press(page, "Open it")
        told = said(page)
        for name, preset in (
            ("Division 1", "two_one_nil"),
            ("Division 2", "four_two_one"),
            ("Division 3", "one_half_nil"),
        ):
            press(page, "Add a division")
            page.get_by_label("Name of the division").fill(name)
            page.get_by_label("Boards", exact=True).fill(str(BOARDS))
            page.get_by_label("Teams promoted").fill("1" if name != "Division 1" else "0")
            page.get_by_label("Teams relegated").fill("1" if name != "Division 3" else "0")
            page.get_by_label("A usual scheme").select_option(preset)
            story.look(page)
            press(page, "Add it")
        story.look(page)
        return told

    assert story.leg(begin) == (
        "The season 2026-27 is open. Only officers of the league see it yet."
    )
    found = Division.objects.order_by("rank").values_list(
        "name", "match_points_win", "match_points_loss", "promoted", "relegated"
    )
    assert list(found) == [
        ("Division 1", 4, 0, 0, 1),
        ("Division 2", 8, 2, 1, 1),
        ("Division 3", 2, 0, 1, 0),
    ]
    # From here on he has no right but that over his league.
    story.officer.is_superuser = False
    story.officer.save()
    assert list(story.officer.league_roles.values_list("league__name", flat=True)) == [
        "South Weald League"
    ]


def clubs_and_teams(story, divisions) -> None:
    def enter(page):
        page.goto("/office/leagues/")
        story.look(page)
        press(page, "2026-27")
        press(page, "Enter a team Division 1")
        story.look(page)
        press(page, "Make the club")
        page.get_by_label("Name of the club").fill(CLUBS[0])
        page.get_by_label("Club night").select_option("Tuesday")
        page.get_by_label("Hall", exact=True).fill("Guildhall")
        page.get_by_label("Matches a night in that hall").fill("2")
        story.look(page)
        press(page, "Make it")
        page.get_by_label("Name of the team").fill(f"{CLUBS[0]} A")
        page.get_by_label("Captain", exact=True).fill("Ann Orley")
        page.get_by_label("Captain’s e-mail").fill("ann@example.org")
        press(page, "Enter it and one more")
        told = said(page)
        page.get_by_label("Name of the team").fill(f"{CLUBS[0]} B")
        press(page, "Enter it")  # its club is chosen already; the wrong division, though
        press(page, f"{CLUBS[0]} B")
        page.get_by_label("Division", exact=True).select_option("Division 2")
        story.look(page)
        press(page, "Move the team")
        return told, said(page)

    told = story.leg(enter)
    assert told == (
        "Ashdown A is entered in Division 1.",
        "Ashdown B plays in Division 2 now.",
    )
    for number, name in enumerate(CLUBS[1:], 1):
        hall = {"hall": "Guildhall", "match_limit": 2} if number < 2 else {}
        club_details.add_club(
            name=name, club_night=1 if number < 2 else number % 5, by=None, **hall
        )
    clubs = {club.name: club for club in Club.objects.all()}
    for number, name in enumerate(CLUBS):
        for letter in "AB":
            place = (0 if number < 8 else 1) if letter == "A" else (1 if number < 4 else 2)
            if name != CLUBS[0]:
                team = f"{name} {letter}"
                entries.enter_team(division=divisions[place].pk, name=team, club=clubs[name])
    for team in Team.objects.all():
        for _n in range(BOARDS):
            factories.MembershipFactory(club=team.club)
    assert [division.teams.count() for division in divisions] == [8, 8, 8]


def fixtures_with_a_clash(story) -> None:
    def plan(page):
        page.goto("/office/leagues/south-weald-league/2026-27/")
        press(page, "Fixtures")
        story.look(page)
        press(page, "choose match weeks")
        page.get_by_label("First week").fill("2026-09-28")
        page.get_by_label("Weeks", exact=True).fill("9")
        press(page, "Tick these")
        story.look(page)
        press(page, "Save")
        press(page, "Add days on which nobody plays")
        page.get_by_label("What for").fill("Half-term")
        page.get_by_label("From").fill("2026-10-26")
        page.get_by_label("Until and including").fill("2026-10-30")
        story.look(page)
        press(page, "Add it")
        press(page, "Add days to avoid")
        page.get_by_label("Club", exact=True).select_option("Eastlow")
        page.get_by_label("From").fill("2026-10-05")
        page.get_by_label("Until and including").fill("2026-10-09")
        story.look(page)
        press(page, "Add it")
        press(page, "Add a pair")
        page.get_by_label("Team", exact=True).select_option("Iping A")
        page.get_by_label("and team").select_option("Jevington B")
        story.look(page)
        press(page, "Add it")
        press(page, "club nights and halls")
        page.get_by_label("Night of Eastlow").select_option("Thursday")
        story.look(page)
        press(page, "Save")
        press(page, "Fixtures")
        press(page, "change the rules of the fixtures")
        for number in (1, 2, 3):
            page.get_by_label(f"Division {number}: meetings of two teams").fill("1")
        page.get_by_label("Seconds").fill("1")
        story.look(page)
        press(page, "Save")
        press(page, "Make the fixtures")
        return said(page)

    assert "Waiting for the job worker." in story.leg(plan)
    plan = FixturePlan.objects.get()
    make_draft(plan=plan.pk, run=plan.run, at=timezone.now())
    moved = DraftMatch.objects.filter(division__name="Division 1").order_by("pk").first()
    day = moved.played_on.isoformat()

    def change(page):
        page.goto("/office/leagues/south-weald-league/2026-27/fixtures/")
        press(page, "Look at the draft")
        before = said(page)
        story.look(page)
        page.locator(f'a[href$="/draft/{moved.pk}/"]').click()
        page.get_by_label("Day", exact=True).fill("2026-10-28")
        press(page, "See what it clashes with")
        warned = said(page)
        story.look(page)
        press(page, "Save")
        clash = said(page)
        story.look(page)
        page.locator(f'a[href$="/draft/{moved.pk}/"]').click()
        page.get_by_label("Day", exact=True).fill(day)
        press(page, "Save")
        mended = said(page)
        press(page, "Publish the fixtures")
        return before, warned, clash, mended, said(page)

    before, warned, clash, mended, published = story.leg(change)
    assert "No clash." in before
    assert "This would clash:" in warned and "Half-term" in warned
    assert "Half-term" in clash and "No clash." not in clash
    assert "No clash." in mended
    assert "84 matches are arranged." in published
    for match in Match.objects.select_related("home__club", "away__club"):
        assert not datetime.date(2026, 10, 26) <= match.played_on <= datetime.date(2026, 10, 30)
        away = "Eastlow" in (match.home.club.name, match.away.club.name)
        busy = datetime.date(2026, 10, 5) <= match.played_on <= datetime.date(2026, 10, 9)
        assert not (away and busy)


def published(story) -> int:
    def publish(page):
        page.goto("/office/leagues/south-weald-league/2026-27/")
        press(page, "Publish the season")
        story.look(page)
        return said(page)

    assert story.leg(publish) == "The season is public."

    def visit(page):
        return page.goto("/leagues/south-weald-league/2026-27/").status

    return story.browse(visit)
