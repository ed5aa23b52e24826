"""FIDE's team tie-breaks: a published exercise to the last column, and rounds not played."""

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from games.division_tables.records import (
    BOTH,
    HOME,
    MatchPoints,
    MatchResult,
    Record,
    Worth,
    meetings_by_team,
)
from games.division_tables.team_tie_breaks import (
    FORFEIT_LOSS,
    GAME,
    MATCH,
    PLAYED,
    REQUESTED_BYE,
    Points,
    Round,
    Rounds,
    buchholz,
    draw_of,
    score_and_schedule,
    sonneborn_berger,
)
from games.division_tables.tie_breaks import Why, levels

DATA = Path(__file__).parents[1] / "data"
FOUR_BOARDS = Worth(MatchPoints(), boards=4)
DRAW = draw_of(FOUR_BOARDS)

# A column of the published table: how it is worked out, and the unit its integers have.
COLUMNS = {
    "match_points": (lambda teams, team: teams[team].total.match, 2),
    "game_points": (lambda teams, team: teams[team].total.game, 2),
    "buchholz_match_points": (lambda teams, team: buchholz(teams, team, MATCH, DRAW), 2),
    "buchholz_match_points_cut_1": (lambda teams, team: buchholz(teams, team, MATCH, DRAW, 1), 2),
    "buchholz_game_points_cut_1": (lambda teams, team: buchholz(teams, team, GAME, DRAW, 1), 2),
    "emmsb": (lambda teams, team: sonneborn_berger(teams, team, MATCH, MATCH, DRAW), 4),
    "emmsb_cut_1": (lambda teams, team: sonneborn_berger(teams, team, MATCH, MATCH, DRAW, 1), 4),
    "egmsb": (lambda teams, team: sonneborn_berger(teams, team, GAME, MATCH, DRAW), 4),
    "emgsb": (lambda teams, team: sonneborn_berger(teams, team, MATCH, GAME, DRAW), 4),
    "eggsb": (lambda teams, team: sonneborn_berger(teams, team, GAME, GAME, DRAW), 4),
    "score_and_schedule": (lambda teams, team: score_and_schedule(teams, team, FOUR_BOARDS), 6),
}


def rows(name):
    with open(DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def published_teams():
    """The teams of the exercise, seven rounds each; a bye scores half of a match."""
    rounds = {}
    for row in rows("team_swiss_rounds.csv"):
        game = int(2 * float(row["game_points"]))
        match = 4 if game > 4 else 2 if game == 4 else 0
        own = rounds.setdefault(row["team"], [])
        own.append(Round(Points(match, game), row["kind"], row["opponent"] or None))
    return {team: rounds_in_all(*own) for team, own in rounds.items()}


def rounds_in_all(*rounds):
    total = Points(sum(r.points.match for r in rounds), sum(r.points.game for r in rounds))
    return Rounds(tuple(rounds), total)


@pytest.mark.parametrize("column", COLUMNS)
def test_a_published_column_of_fourteen_teams(column):
    teams = published_teams()
    value, unit = COLUMNS[column]
    published = {row["team"]: row[column] for row in rows("team_swiss_expected.csv") if row[column]}
    found = {team: round(float(Fraction(value(teams, team), unit)), 2) for team in published}
    assert found == {team: float(figure) for team, figure in published.items()}
    assert len(published) == (5 if column == "emmsb_cut_1" else 14)


def test_the_published_order_of_five_teams_level_by_the_extended_direct_encounter():
    level = {
        row["team"]: int(row["direct_encounter_order"])
        for row in rows("team_swiss_expected.csv")
        if row["direct_encounter_order"]
    }
    found = levels(*five_level_teams(sorted(level)), ["extended_direct_encounter"], FOUR_BOARDS)
    assert [each.teams for each in found] == [(team,) for team in sorted(level, key=level.get)]
    assert found[0].why == Why(
        over="Brinsop",
        criterion="extended_direct_encounter",
        measure="game_points",
        own=17,
        other=16,
        unit=2,
        among=tuple(sorted(level)),
    )


def five_level_teams(names):
    """The meetings of these teams with each other, as records."""
    matches = [
        MatchResult(number, row["team"], row["opponent"], halves, 8 - halves, complete=True)
        for number, row in enumerate(rows("team_swiss_rounds.csv"))
        if row["team"] in names and row["opponent"] in names and row["team"] < row["opponent"]
        for halves in [int(2 * float(row["game_points"]))]
    ]
    meetings = meetings_by_team(names, matches, MatchPoints())
    return {team: Record(team, tuple(meetings[team])) for team in names}, names


def played(opponent, match, game):
    return Round(Points(match, game), PLAYED, opponent)


def missed(kind):
    return Round(Points(0, 0), kind)


def test_rounds_missed_at_the_end_count_as_draws_for_the_opponents_only():
    left = rounds_in_all(played("B", 4, 6), missed(FORFEIT_LOSS), missed(REQUESTED_BYE))
    teams = {"A": left, "B": rounds_in_all(played("A", 0, 2))}
    assert buchholz(teams, "B", MATCH, DRAW) == 4 + 2 + 2
    assert buchholz(teams, "B", GAME, DRAW) == 6 + 4 + 4
    # Its own missed rounds are against a team of its own score.
    assert buchholz(teams, "A", MATCH, DRAW) == 0 + 4 + 4


def test_a_round_missed_before_a_played_one_counts_as_it_was_scored():
    away = rounds_in_all(missed(REQUESTED_BYE), played("B", 4, 6))
    teams = {"A": away, "B": rounds_in_all(played("A", 0, 2))}
    assert buchholz(teams, "B", MATCH, DRAW) == 4


def test_a_missed_round_is_cut_before_a_weaker_opponent():
    own = rounds_in_all(played("B", 4, 6), missed(REQUESTED_BYE), played("C", 4, 5))
    teams = {
        "A": own,
        "B": rounds_in_all(played("A", 0, 2)),
        "C": rounds_in_all(played("A", 0, 3)),
    }
    assert buchholz(teams, "A", MATCH, DRAW) == 8
    assert buchholz(teams, "A", MATCH, DRAW, cut=1) == 0


def records_of(names, *matches):
    meetings = meetings_by_team(names, matches, MatchPoints())
    return {team: Record(team, tuple(meetings[team])) for team in names}


def direct(records, *order):
    found = levels(records, sorted(records), order, FOUR_BOARDS)
    return [each.teams for each in found]


def test_a_direct_encounter_decides_nothing_while_a_match_of_the_level_teams_is_missing():
    one = MatchResult(1, "A", "B", 5, 3, complete=True)
    two = MatchResult(2, "B", "C", 5, 3, complete=True)
    assert direct(records_of("ABC", one, two), "extended_direct_encounter") == [("A", "B", "C")]


def test_who_is_in_front_whatever_the_missing_match_brings_goes_first():
    won = [
        MatchResult(1, "A", "B", 5, 3, complete=True),
        MatchResult(2, "A", "C", 5, 3, complete=True),
        MatchResult(3, "A", "D", 5, 3, complete=True),
    ]
    drawn = [
        MatchResult(4, "B", "C", 4, 4, complete=True),
        MatchResult(5, "B", "D", 4, 4, complete=True),
    ]
    found = direct(records_of("ABCD", *won, *drawn), "extended_direct_encounter")
    assert found == [("A",), ("B", "C", "D")]


@pytest.mark.parametrize("by", [HOME, BOTH])
def test_a_defaulted_match_is_no_direct_encounter(by):
    match = MatchResult(1, "A", "B", 0, 8, complete=True, defaulted_by=by)
    assert direct(records_of("AB", match), "extended_direct_encounter") == [("A", "B")]


SEASON = (
    # A and B are level on points, and so are those they beat but for what these did elsewhere.
    *(("A", "C", 6, 2), ("A", "G", 6, 2), ("B", "D", 6, 2), ("B", "H", 6, 2)),
    *(("C", "E", 8, 0), ("C", "F", 7, 1), ("E", "D", 5, 3), ("F", "D", 5, 3)),
)
BY_OPPONENTS = [
    *("buchholz_match_points", "buchholz_match_points_cut_1", "buchholz_game_points_cut_1"),
    *("emmsb", "emmsb_cut_1", "emgsb", "egmsb", "eggsb", "score_and_schedule"),
]


def season_of(*scores):
    matches = [
        MatchResult(number, home, away, own, other, complete=True)
        for number, (home, away, own, other) in enumerate(scores)
    ]
    return records_of(sorted({team for score in scores for team in score[:2]}), *matches)


@pytest.mark.parametrize("criterion", BY_OPPONENTS)
def test_a_tie_break_by_opponents_decides_and_does_not(criterion):
    order = ("match_points", "game_points", criterion)
    decided = levels(season_of(*SEASON), "AB", order, FOUR_BOARDS)
    assert [each.teams for each in decided] == [("A",), ("B",)]
    assert (decided[0].why.criterion, decided[0].why.over) == (criterion, "B")
    assert decided[0].why.own > decided[0].why.other
    level = levels(season_of(*SEASON[:4]), "AB", order, FOUR_BOARDS)
    assert [each.teams for each in level] == [("A", "B")]


def test_the_extended_direct_encounter_decides_by_match_points_first():
    scores = (("A", "B", 5, 3), ("C", "A", 8, 0), ("B", "D", 8, 0))
    order = ("match_points", "extended_direct_encounter")
    found = levels(season_of(*scores), "AB", order, FOUR_BOARDS)
    assert [each.teams for each in found] == [("A",), ("B",)]
    assert (found[0].why.measure, found[0].why.own, found[0].why.other) == ("match_points", 4, 0)


def test_a_play_off_decides_only_among_teams_that_are_level_before_it():
    records = season_of(("A", "C", 6, 2), ("B", "D", 6, 2))
    places = {"A": None, "B": 1, "C": 1, "D": None}
    played = {t: Record(t, r.meetings, (), places[t]) for t, r in records.items()}
    assert direct(records, "match_points", "play_off") == [("A", "B"), ("C", "D")]
    assert direct(played, "match_points", "play_off") == [("B",), ("A",), ("C",), ("D",)]
