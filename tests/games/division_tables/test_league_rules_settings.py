"""What English leagues set differently, row by row, and the test that shows each value at work.

`SHOWN` names, for every value of every rule, a test in which it changes a table, a card, a fixture
list or a cup; what no other module shows stands below the table.
"""

import ast
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from games.division_tables.rule_presets import PRESETS
from games.models import Award, Division, HomeColour, Violation
from ratings.models import PoolName
from tests.factories import BoardFactory, DivisionFactory, MatchFactory, TeamFactory
from tests.games.card_scene import LAST_TIME, make_scene

pytestmark = pytest.mark.django_db

TESTS = Path(__file__).parents[2]
HERE = "games/division_tables/test_league_rules_settings.py"

SHOWN = {
    "boards": {
        "1 to 16": f"{HERE}::test_the_card_has_the_boards_of_its_division",
        "another number for one match": f"{HERE}::test_a_match_has_a_number_of_boards_of_its_own",
    },
    "match points": {
        "2/1/0, 1/½/0, 3/1/0, 4/2/1": f"{HERE}::test_what_a_match_is_worth",
        "none for defaulting": "games/division_tables/test_table_pages.py::"
        "test_match_points_for_defaulting_and_what_the_table_says_of_them",
    },
    "colours": {
        "odd, even, toss, unknown": f"{HERE}::test_the_colours_of_a_card",
    },
    "table order": {
        "each tie-break": "games/division_tables/test_table_pages.py::"
        "test_every_tie_break_can_order_a_stored_table",
        "of the competition's choosing": f"{HERE}::test_the_order_is_the_competition_s_own",
        "head to head over all meetings": "games/division_tables/test_tie_breaks.py::"
        "test_head_to_head_counts_all_their_meetings_home_and_away",
        "board count and elimination": "games/division_tables/test_table_pages.py::"
        "test_tie_breaks_by_single_boards",
        "play-off": "games/division_tables/test_team_changes.py::"
        "test_a_play_off_separates_level_teams_and_can_be_taken_back",
        "shared, alphabetical": "games/division_tables/test_standings.py::"
        "test_after_a_shared_place_the_numbers_go_on_in_the_whole_order",
        "why in words": "games/division_tables/test_standings.py::"
        "test_on_game_points_22_and_a_half_to_21",
    },
    "board order": {
        "tolerance over all pairs": "games/match_cards/test_board_order.py::"
        "test_every_higher_board_counts_not_only_the_next",
        "exactly the tolerance": "games/match_cards/test_board_order.py::"
        "test_exactly_the_tolerance_is_allowed_and_one_more_is_not",
        "0 and off": "games/match_cards/test_board_order.py::"
        "test_no_tolerance_is_no_rule_and_nought_is_one",
        "by Elo": "games/match_cards/test_violations.py::test_live_elo_may_be_the_list",
        "exceptions of a card": "games/match_cards/test_violations.py::"
        "test_a_board_marked_as_an_exception_may_stand_out_of_order",
        "refused or warned": "games/match_cards/test_violations.py::"
        "test_a_rule_may_refuse_the_card",
    },
    "list used": {
        "our own grades": "games/match_cards/test_violations.py::"
        "test_the_board_order_is_noted_with_the_figures_of_the_day",
        "original or revised, by its publication": "games/match_cards/test_violations.py::"
        "test_a_federations_list_by_its_publication_date",
    },
    "several clubs": {
        "one or more": "games/season_office/test_registrations.py::"
        "test_one_club_a_player_is_a_setting",
    },
    "ungraded": {
        "a fixed value or none": "games/match_cards/test_team_rules.py::test_the_teams_total",
        "never 0": "games/match_cards/test_board_order.py::"
        "test_who_has_no_grade_is_neither_above_nor_below",
    },
    "team limits": {
        "total and maximum": "games/match_cards/test_violations.py::test_team_limits",
        "average": "games/match_cards/test_team_rules.py::test_the_teams_average_is_exact",
    },
    "eligibility": {
        "registered": "games/match_cards/test_violations.py::"
        "test_registration_on_the_day_of_the_match",
        "tied after games for a higher team": "games/match_cards/test_violations.py::"
        "test_games_for_a_higher_team_tie_a_player_to_it",
        "nominated": "games/match_cards/test_violations.py::"
        "test_nominated_players_of_a_higher_team",
        "federation members": "games/match_cards/test_violations.py::"
        "test_members_only_after_some_games",
    },
    "board defaults": {
        "score and are not rated": "games/match_cards/test_cards.py::"
        "test_a_default_is_never_rated_and_scores",
        "a point per so many": "games/division_tables/test_table_pages.py::"
        "test_a_penalty_for_boards_defaulted",
        "an appearance or none": f"{HERE}::test_a_game_won_by_default_may_be_an_appearance",
    },
    "defaulted match": {
        "full, none, excluded": "games/division_tables/test_table_pages.py::"
        "test_a_match_that_one_side_defaulted",
        "said where it pays": "games/division_tables/test_table_policies.py::"
        "test_the_table_knows_when_defaulting_pays",
    },
    "unfinished games": {
        "four policies": "games/division_tables/test_table_pages.py::test_an_unfinished_game",
    },
    "bye": {
        "one free week a leg, no row": "games/fixture_lists/test_pairings.py::"
        "test_of_an_odd_number_each_is_free_once_a_leg_without_a_row",
    },
    "postponed": {
        "the card's date becomes the match's": "games/matches/test_match_decisions.py::"
        "test_a_match_postponed_without_a_day_takes_result_and_day_from_its_card",
    },
    "withdrawn team": {
        "three policies": "games/division_tables/test_team_changes.py::"
        "test_a_team_withdraws_under_each_policy_and_comes_back",
    },
    "penalties": {
        "off": "games/division_tables/test_decision_pages.py::"
        "test_points_are_taken_off_and_given_back",
        "on": "games/division_tables/test_decision_pages.py::test_points_are_put_on",
    },
    "league result and played result": {
        "a board": "games/match_cards/test_violations.py::"
        "test_an_awarded_board_stays_rated_as_played",
        "a match": "games/matches/test_match_decisions.py::"
        "test_an_awarded_match_counts_as_awarded_whatever_is_played",
    },
    "cup ties": {
        "board count, elimination": "games/cup/test_cup_ties.py::test_the_four_cases",
        "straight elimination": "games/cup/test_cup_ties.py::"
        "test_straight_elimination_looks_at_no_board_count",
        "Blacks on odd boards": "games/cup/test_cup_ties.py::"
        "test_most_blacks_on_odd_boards_when_all_is_drawn",
        "replay": "games/cup/test_cup_ties.py::test_a_replay_is_awaited_and_decides",
        "at the start or round by round": "games/cup/test_cups.py::"
        "test_a_cup_of_eleven_through_each_way_to_its_winner",
        "byes": "games/cup/test_drawn_cups.py::test_byes_go_to_the_seeded_and_have_no_match",
        "handicap": "games/cup/test_cups.py::test_a_start_by_the_difference_of_the_totals",
    },
    "extra boards": {
        "counted or not": "games/division_tables/test_table_pages.py::test_extra_boards",
    },
    "time control": {
        "which rating": "games/test_time_control.py::test_pool_of_a_time_control",
        "of a division": f"{HERE}::test_the_time_control_chooses_the_rating",
    },
    "board dates": {
        "its own": "games/match_cards/test_cards.py::test_a_board_of_its_own_day_is_rated_on_it",
    },
    "fixture lists": {
        "Berger tables": "games/fixture_lists/test_pairings.py::test_the_tables_of_the_handbook",
        "mirrored": "games/fixture_lists/test_pairings.py::"
        "test_a_return_leg_is_the_mirror_of_the_first",
        "no three running": "games/fixture_lists/test_pairings.py::"
        "test_nobody_is_three_times_running_at_home_or_away",
        "matches a night": "games/fixture_lists/test_fixture_solver.py::"
        "test_halls_shared_over_divisions",
        "teams of one club": "games/fixture_lists/test_fixture_solver.py::"
        "test_teams_of_one_club_meet_first_and_alternate",
        "pairs": "games/fixture_lists/test_fixture_solver.py::test_two_teams_on_different_nights",
        "days": "games/fixture_lists/test_fixture_solver.py::"
        "test_a_week_in_which_a_team_does_not_play_is_left_out",
        "what contradicts": "games/fixture_lists/test_fixture_solver.py::"
        "test_what_contradicts_is_named_and_nothing_beside_it",
    },
}


@pytest.mark.parametrize("rule", SHOWN)
def test_each_value_is_shown_by_a_test_that_is_there(rule):
    for value, where in SHOWN[rule].items():
        file, name = where.split("::")
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert name in names, (rule, value)


# --- What no other module shows ------------------------------------------------------------


@pytest.fixture
def division():
    return DivisionFactory(board_count=2)


def teams(division, *names):
    return [TeamFactory(division=division, name=name) for name in names]


def played(home, away, *results, **facts):
    match = MatchFactory(division=home.division, home=home, away=away, **facts)
    for number, result in enumerate(results, start=1):
        BoardFactory(match=match, number=number, result=result)
    return match


def rows(division) -> list[tuple]:
    address = reverse("division_detail", args=[division.pk, "json"])
    found = Client().get(address).json()["rows"]
    return [(row["team"], row["match_points"], row["game_points"]) for row in found]


def card(match, user) -> str:
    client = Client()
    client.force_login(user)
    return client.get(reverse("match_card", args=[match.pk])).content.decode()


@pytest.mark.parametrize("boards", [1, 2, 16])
def test_the_card_has_the_boards_of_its_division(cast, boards):
    Division.objects.update(board_count=boards)
    match = MatchFactory(
        division=Division.objects.get(pk=cast.match.division_id),
        home=cast.match.away,
        away=cast.match.home,
        leg=2,
    )
    assert card(match, cast.officer).count('<li class="board') == boards


def test_a_match_has_a_number_of_boards_of_its_own(division):
    ash, birch = teams(division, "Ash A", "Birch A")
    played(ash, birch, 2, 2, 0, board_count=3)
    played(birch, ash, 1, 1)
    assert rows(division) == [("Ash A", 3, 3), ("Birch A", 1, 2)]


@pytest.mark.parametrize(
    ("preset", "won", "drawn", "lost"),
    [
        ("two_one_nil", 2, 1, 0),
        ("one_half_nil", 1, 0.5, 0),
        ("three_one_nil", 3, 1, 0),
        ("four_two_one", 4, 2, 1),
    ],
)
def test_what_a_match_is_worth(division, preset, won, drawn, lost):
    ash, birch, cedar, dogwood = teams(division, "Ash A", "Birch A", "Cedar A", "Dogwood A")
    played(ash, birch, 2, 1)
    played(cedar, dogwood, 2, 0)
    Division.objects.update(**PRESETS[preset].values)
    assert rows(division) == [
        ("Ash A", won, 1.5),
        ("Cedar A", drawn, 1),
        ("Dogwood A", drawn, 1),
        ("Birch A", lost, 0.5),
    ]


def test_the_order_is_the_competition_s_own(division):
    ash, birch, cedar = teams(division, "Ash A", "Birch A", "Cedar A")
    played(ash, birch, 2, 1)
    played(birch, cedar, 2, 2)
    played(cedar, ash, 2, 2)
    orders = {
        ("match_points", "game_points"): ["Birch A", "Cedar A", "Ash A"],
        ("match_points",): ["Ash A", "Birch A", "Cedar A"],
        ("match_points", "game_point_difference"): ["Birch A", "Cedar A", "Ash A"],
    }
    for order, expected in orders.items():
        Division.objects.update(table_order=list(order))
        assert [team for team, _points, _games in rows(division)] == expected


@pytest.mark.parametrize(
    ("rule", "colours"),
    [
        (HomeColour.EVEN, ["black", "white"]),
        (HomeColour.ODD, ["white", "black"]),
        (HomeColour.TOSS, ["unknown", "unknown"]),
        (HomeColour.UNKNOWN, ["unknown", "unknown"]),
    ],
)
def test_the_colours_of_a_card(cast, rule, colours):
    Division.objects.update(home_colour=rule)
    shown = card(cast.match, cast.officer)
    found = [row.split('"')[0] for row in shown.split('data-colour="')[1:]]
    assert found[:2] == colours
    assert ("toss" in shown) == (rule == HomeColour.TOSS)


def test_the_time_control_chooses_the_rating(cast):
    client = Client()
    client.force_login(cast.officer)
    season = cast.match.division.season
    address = reverse("season_new_division", args=[season.league.slug, season.slug])
    found = {}
    for name, minutes, seconds in (
        ("Long", 75, 10),
        ("Short", 25, 5),
        ("Blitz", 5, 3),
        ("Bullet", 1, 1),
    ):
        shown = client.get(address).context["form"]
        typed = {
            name: shown[name].value() for name in shown.fields if shown[name].value() is not None
        }
        typed |= {"name": name, "minutes": minutes, "increment_seconds": seconds}
        typed |= {"preset": "two_one_nil"}
        client.post(address, typed)
        found[name] = Division.objects.get(name=name).rated_event.pool_id
    assert found == {
        "Long": PoolName.STANDARD,
        "Short": PoolName.RAPID,
        "Blitz": PoolName.BLITZ,
        "Bullet": PoolName.BULLET,
    }


@pytest.mark.parametrize(("counts", "noted"), [(True, 1), (False, 0)])
def test_a_game_won_by_default_may_be_an_appearance(counts, noted):
    scene = make_scene(played_before=False, tied_after=1, default_is_appearance=counts)
    season, club, player = scene.match.division.season, scene.match.home.club, scene.home[0]
    higher = TeamFactory(division=DivisionFactory(season=season, rank=0), club=club, name="First")
    won = MatchFactory(division=higher.division, home=higher, played_on=LAST_TIME)
    BoardFactory(match=won, home_player=player, away_player=None, award=Award.HOME_DEFAULT)
    scene.record()
    found = Violation.objects.values_list("rule", "player")
    assert list(found) == [("tied", player.pk)] * noted
