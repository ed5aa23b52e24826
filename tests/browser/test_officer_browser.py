"""A league's officer from June to May in a real browser: one season as one story."""

import datetime
import re

import pytest
from django.utils import timezone

from games.grading_office.verification import verify
from games.match_cards.cards import BoardEntry, record_card
from games.models import Division, Match, Season, TeamState
from tests import factories
from tests.browser.officer_plans import (
    a_league_and_its_season,
    clubs_and_teams,
    fixtures_with_a_clash,
    published,
)
from tests.browser.officer_steps import (
    BOARDS,
    CLUBS,
    Clock,
    Story,
    press,
    said,
    save,
    the_table,
    tidy,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(timezone, "now", lambda: found.at)
    return found


@pytest.fixture
def story(browse, clock):
    return Story(browse, factories.UserFactory(is_superuser=True))


def test_a_season_from_the_first_plan_to_the_next_one(story, clock, transactional_db):
    a_league_and_its_season(story)
    divisions = list(Division.objects.order_by("rank"))
    clubs_and_teams(story, divisions)
    fixtures_with_a_clash(story)
    public = published(story)
    clock.move(10, 12)
    late = a_match_put_off(story, divisions[0])
    clock.move(11, 6)
    half_a_card = cards_by_the_way(story, late)
    policies(story, divisions[2])
    penalty(story, divisions[1])
    the_late_match(story, late)
    an_unfinished_game(story, half_a_card)
    clock.move(5, 1, 2027)
    the_rest_of_the_cards(story)
    a_tie_in_words(story, divisions[0])
    closed_and_copied(story)
    assert verify() == []
    assert public == 200
    assert story.faults == {}


def a_match_put_off(story, division) -> Match:
    """A match of the third round, without a new day yet."""
    match = division.matches.filter(round=3).order_by("pk").first()

    def put_off(page):
        page.goto(f"/divisions/{division.pk}/fixtures/")
        page.locator(f'a[href="/matches/{match.pk}/"]').first.click()
        press(page, "Another day for this match")
        page.get_by_label("New date").fill("")
        page.get_by_label("Reason").fill("The hall is flooded")
        story.look(page)
        press(page, "Set it")
        return said(page)

    assert "Postponed." in story.leg(put_off)
    match.refresh_from_db()
    assert (match.state, match.played_on) == ("postponed", None)
    return match


def results_of(match) -> list[int]:
    """What the home side scores on each board, in halves: the earlier club of the list wins all.

    But the first three of Division 1 beat one another in a ring, each by another score.
    """
    home, away = (CLUBS.index(team.club.name) for team in (match.home, match.away))
    ring = {(0, 1): [2, 2], (1, 2): [2, 1], (2, 0): [2, 1]}
    if match.division.name == "Division 1" and (home, away) in ring:
        return ring[home, away]
    if match.division.name == "Division 1" and (away, home) in ring:
        return [2 - halves for halves in ring[away, home]]
    return [2 if home < away else 0] * BOARDS


def enter(match, results) -> None:
    squads = [
        list(side.club.memberships.order_by("pk").values_list("player", flat=True))
        for side in (match.home, match.away)
    ]
    for side, squad in zip((match.home, match.away), squads, strict=True):
        if side.name.endswith("B"):
            squad[:BOARDS] = squad[BOARDS : 2 * BOARDS]
    boards = [
        BoardEntry(number, squads[0][number - 1], squads[1][number - 1], "white", result)
        for number, result in enumerate(results, 1)
    ]
    record_card(match=match.pk, boards=boards, version=match.version, by=None, at=timezone.now())


def awaited():
    matches = Match.objects.filter(entered_at__isnull=True).order_by("played_on", "pk")
    return matches.select_related("division", "home__club", "away__club")


def cards_by_the_way(story, late) -> Match:
    """The cards of the first weeks: one by hand, one of which a game is unfinished."""
    due = [m for m in awaited().filter(played_on__lte="2026-11-06") if m.pk != late.pk]
    last = max(m.round for m in due if m.division.name == "Division 1")
    first, second = [m for m in due if (m.division.name, m.round) == ("Division 1", last)][:2]
    for match in due:
        if match.pk not in (first.pk, second.pk):
            enter(match, results_of(match))
    enter(second, [results_of(second)[0], None])
    results = results_of(first)

    def by_hand(page):
        page.goto(f"/matches/{first.pk}/")
        press(page, "Enter the card")
        story.look(page)
        for number, halves in enumerate(results, 1):
            words = {2: "1–0", 1: "½–½", 0: "0–1"}[halves]
            page.locator(f"#board-{number} .result label", has_text=words).click()
        save(page)
        return said(page)

    assert "Table and Elo are up to date." in story.leg(by_hand)
    return second


def policies(story, division) -> None:
    """The last of the division withdraws, and the table follows each of the three policies."""
    gone = division.teams.get(name="Lullington B")
    met = [
        match.home if match.away_id == gone.pk else match.away
        for match in [*gone.home_matches.all(), *gone.away_matches.all()]
        if match.entered_at is not None
    ]
    met_names = {team.name for team in met}
    others = set(division.teams.values_list("name", flat=True)) - {gone.name}
    assert met_names and others - met_names

    def withdraw(page):
        before, _words = the_table(page, division)
        press(page, "decisions")
        page.locator("#id_withdraw-team").select_option(gone.name)
        story.look(page)
        press(page, "Withdraw the team")
        told, tables = said(page), {}
        for policy in ("expunge", "keep", "forfeit"):
            page.goto(f"/divisions/{division.pk}/")
            press(page, "rules")
            page.locator("summary", has_text="Matches not played to the end").click()
            page.get_by_label("Withdrawn teams", exact=True).select_option(policy)
            story.look(page)
            press(page, "Save")
            tables[policy] = the_table(page, division)
        return before, told, tables

    before, told, tables = story.leg(withdraw)
    assert told == "Lullington B has withdrawn."

    def points(cells):
        return {name: float(cells[name][-1].split()[0].replace("½", ".5")) for name in others}

    def played(cells):
        return {
            name: int(cells[name][1].rstrip("*").split(",")[0].split("*")[0]) for name in others
        }

    start, games = points(before), played(before)
    cells = {
        policy: {name.removesuffix(" withdrawn"): row for name, row in rows.items()}
        for policy, (rows, _words) in tables.items()
    }
    lost = {name: 1 if name in met_names else 0 for name in others}
    assert points(cells["expunge"]) == {name: start[name] - lost[name] for name in others}
    assert played(cells["expunge"]) == {name: games[name] - lost[name] for name in others}
    assert points(cells["keep"]) == start
    assert points(cells["forfeit"]) == {name: start[name] + 1 - lost[name] for name in others}
    assert played(cells["forfeit"]) == games


def penalty(story, division) -> None:
    def fine(page):
        before, _words = the_table(page, division)
        press(page, "decisions")
        page.locator("#id_adjust-team").select_option("Ashdown B")
        page.get_by_label("Match points", exact=True).fill("3")
        page.get_by_label("Reason").fill("an ineligible player on board 2")
        press(page, "Decide")
        told = said(page)
        return told, before, the_table(page, division)

    told, before, (cells, words) = story.leg(fine)
    assert "3 match points deducted for an ineligible player on board 2" in told
    assert "Ashdown B: 3 match points deducted for an ineligible player on board 2" in words
    assert int(before["Ashdown B"][-1]) - 3 == int(cells["Ashdown B"][-1].split()[0])


def the_late_match(story, late) -> None:
    """On a phone: the match that was put off, with the day on which it was played."""
    results = results_of(Match.objects.select_related("home__club", "away__club").get(pk=late.pk))

    def by_phone(page):
        page.goto(f"/matches/{late.pk}/")
        story.look(page)
        press(page, "Enter the card")
        page.locator("#id_played_on").fill("2026-11-05")
        for number, halves in enumerate(results, 1):
            words = {2: "1–0", 1: "½–½", 0: "0–1"}[halves]
            page.locator(f"#board-{number} .result label", has_text=words).click()
        story.look(page)
        save(page)
        told = said(page)
        page.goto("/office/leagues/south-weald-league/2026-27/")
        for name in ("Fixtures", "Registered players", "Cards against the rules", "Clubs"):
            story.look(page)
            press(page, name)
            story.look(page)
            page.goto("/office/leagues/south-weald-league/2026-27/")
        return told

    assert "Table and Elo are up to date." in story.leg(by_phone, width=360)
    late.refresh_from_db()
    assert (late.state, late.played_on) == ("arranged", datetime.date(2026, 11, 5))


def an_unfinished_game(story, match) -> None:
    halves = results_of(match)[1]

    def complete(page):
        table, _words = the_table(page, match.division)
        page.goto(f"/matches/{match.pk}/")
        before = said(page)
        press(page, "Complete the card")
        words = {2: "1–0", 1: "½–½", 0: "0–1"}[halves]
        page.locator("#board-2 .result label", has_text=words).click()
        save(page)
        return before, said(page), table, the_table(page, match.division)[0]

    before, after, table, now = story.leg(complete)
    assert "Not complete." in before
    assert "Table and Elo are up to date." in after

    def played(cells, team):
        return int(re.match(r"\d+", cells[team.name][1])[0])

    for team in (match.home, match.away):
        assert played(now, team) == played(table, team) + 1


def the_rest_of_the_cards(story) -> None:
    rest = [m for m in awaited() if TeamState.WITHDRAWN not in (m.home.state, m.away.state)]
    for match in rest[1:]:
        enter(match, results_of(match))

    def too_early(page):
        page.goto("/office/leagues/south-weald-league/2026-27/")
        press(page, "Close the season")
        return said(page)

    assert "1 card is still to come: enter, award or void it first." in story.leg(too_early)
    enter(rest[0], results_of(rest[0]))


def a_tie_in_words(story, division) -> None:
    cells, words = story.leg(lambda page: the_table(page, division))
    assert [(name, row[-1].split()[0]) for name, row in cells.items()][:3] == [
        ("Ashdown A", "12"),
        ("Crowlink A", "12"),
        ("Birling A", "12"),
    ]
    assert "Ashdown A are ahead of Crowlink A on game points, 12½ to 12." in words
    assert "Crowlink A are ahead of Birling A on game points, 12 to 11½." in words


def closed_and_copied(story) -> None:
    def close(page):
        page.goto("/office/leagues/south-weald-league/2026-27/")
        press(page, "Close the season")
        told = said(page)
        page.goto("/leagues/south-weald-league/honours/")
        roll = tidy(page.inner_text("main table"))
        press(page, "South Weald League")
        press(page, "open a season")
        page.get_by_label("Season").fill("2027-28")
        page.get_by_label("Begin with").select_option("2026-27")
        press(page, "Open it")
        story.look(page)
        return told, roll, tidy(page.inner_text("main"))

    told, roll, desk = story.leg(close)
    assert told == "The season is closed; its tables are final."
    for champion in ("Ashdown A", "Ashdown B", "Eastlow B"):
        assert champion in roll
    assert "in preparation" in desk
    new = Season.objects.get(label="2027-28")
    teams = [
        sorted(division.teams.values_list("name", flat=True))
        for division in new.divisions.order_by("rank")
    ]
    assert teams[0] == sorted([*(f"{name} A" for name in CLUBS[:7]), "Ashdown B"])
    assert "Harrow End A" in teams[1] and "Eastlow B" in teams[1]
    assert "Lullington B" not in teams[2] and len(teams[2]) == 7
