"""The columns of a division's rules: each explained, known to the arithmetic, and held by name."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from games.division_tables import table_policies, tie_breaks
from games.division_tables.rule_presets import PRESETS
from games.division_tables.table_facts import rules_of
from games.models import (
    TABLE_RULE_TOPICS,
    DefaultedMatches,
    Division,
    TieBreak,
    UnfinishedGames,
    WithdrawnTeams,
)
from games.models.table_rules import TableRuleColumns
from tests.factories import DivisionFactory, TeamFactory

pytestmark = pytest.mark.django_db

COLUMNS = [field.name for field in TableRuleColumns._meta.local_fields]


def test_what_the_arithmetic_knows_can_be_chosen_and_nothing_else():
    assert set(TieBreak.values) == set(tie_breaks.CRITERIA)
    assert set(WithdrawnTeams.values) == set(table_policies.WITHDRAWN)
    assert set(UnfinishedGames.values) == set(table_policies.UNFINISHED)
    assert set(DefaultedMatches.values) == set(table_policies.DEFAULTED)


def test_every_rule_is_asked_once_and_explained_in_one_sentence():
    asked = [name for _title, names in TABLE_RULE_TOPICS for name in names]
    assert sorted(asked) == sorted(COLUMNS)
    for name in COLUMNS:
        sentence = str(Division._meta.get_field(name).help_text)
        assert sentence.endswith("."), name
        assert sentence.count(". ") == 0, name


def test_the_usual_rules_of_the_columns_are_those_of_the_arithmetic():
    assert rules_of(Division()) == table_policies.TableRules()


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_names_known_columns_and_possible_rules(name):
    values = PRESETS[name].values
    assert set(values) <= set(COLUMNS)
    Division(**values).validate_constraints(exclude={*_columns_but(values)})
    tie_breaks.levels({}, [], values["table_order"])


def _columns_but(values):
    return {field.name for field in Division._meta.fields} - set(COLUMNS) - set(values)


@pytest.mark.parametrize(
    ("columns", "constraint"),
    [
        ({"match_points_win": 1}, "games_division_a_win_gives_most"),
        ({"match_points_loss": 3}, "games_division_a_win_gives_most"),
        ({"table_order": ["luck"]}, "games_division_order_known"),
        ({"withdrawn_teams": "forget"}, "games_division_withdrawn_teams_known"),
        ({"unfinished_games": "adjourn"}, "games_division_unfinished_games_known"),
        ({"defaulted_matches": "half"}, "games_division_defaulted_matches_known"),
        ({"boards_defaulted_per_penalty": 0}, "games_division_boards_defaulted_positive"),
        ({"default_penalty_match_points": -1}, "games_division_default_penalty_takes_off"),
        ({"default_penalty_game_points": -1}, "games_division_default_penalty_takes_off"),
    ],
)
def test_the_database_holds_the_rules(columns, constraint):
    division = DivisionFactory()
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Division.objects.filter(pk=division.pk).update(**columns)
    assert rules_of(Division.objects.get()) == rules_of(division)


def test_a_place_in_a_play_off_has_its_day():
    team = TeamFactory()
    for columns in ({"play_off_place": 1}, {"play_off_on": "2026-11-24"}, {"play_off_place": 0}):
        with (
            pytest.raises(IntegrityError, match="games_team_play_off_place_with_its_day"),
            transaction.atomic(),
        ):
            type(team).objects.filter(pk=team.pk).update(**columns)


def test_rules_that_cannot_be_are_said_in_words():
    rules = Division(match_points_win=1, default_penalty_game_points=-1)
    with pytest.raises(ValidationError) as refused:
        rules.validate_constraints(exclude=_columns_but({}))
    assert sorted(refused.value.messages) == [
        "A penalty takes points off: not below 0.",
        "A win must give at least what a draw gives, and a draw what a loss gives.",
    ]
