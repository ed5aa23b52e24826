"""Two officers decide at the same moment: one of them is told, and every decision counts."""

import contextlib
import datetime
import threading

import pytest
from django.db import connection

from games.division_tables.adjustments import AdjustmentRefused, add_adjustment, remove_adjustment
from games.division_tables.league_tables import table_of
from games.division_tables.teams import TeamRefused, decide_play_off, withdraw_team
from games.match_cards import violations
from games.models import Adjustment, Division, Team, Violation
from tests.factories import TeamFactory, UserFactory
from tests.games.card_scene import make_scene
from tests.games.match_cards.test_card_races import together
from tests.games.match_cards.test_violations import swapped

pytestmark = pytest.mark.django_db(transaction=True)

AT = datetime.datetime(2026, 12, 1, 20, 0, tzinfo=datetime.UTC)
DAY = datetime.date(2026, 11, 30)


def decide(team, by):
    facts = {"match_points": -2, "game_points": 0, "reason": "a late card", "decided_on": DAY}
    return add_adjustment(team=team.pk, by=by, at=AT, **facts)


def test_a_team_is_withdrawn_once():
    team = TeamFactory()
    done = together(*[lambda: withdraw_team(team=team.pk, withdrawn_on=DAY, at=AT)] * 2)
    assert sorted(type(each) for each in done if isinstance(each, Exception)) == [TeamRefused]
    assert Division.objects.get().version == 1


def test_two_decisions_on_one_team_both_count():
    team, by = TeamFactory(), UserFactory()
    done = together(*[lambda: decide(team, by)] * 2)
    assert not [each for each in done if isinstance(each, Exception)]
    division = Division.objects.get()
    assert (division.version, table_of(division).rows[0].match_points) == (2, -4)


def test_a_decision_is_taken_back_once():
    team, by = TeamFactory(), UserFactory()
    pk = decide(team, by).pk
    done = together(*[lambda: remove_adjustment(adjustment=pk, by=by, at=AT)] * 2)
    assert [type(each) for each in done if isinstance(each, Exception)] == [AdjustmentRefused]
    assert (Adjustment.objects.count(), Division.objects.get().version) == (0, 2)


def test_of_two_words_on_a_play_off_one_holds_as_a_whole():
    ash = TeamFactory()
    birch = TeamFactory(division=ash.division)
    facts = {"division": ash.division_id, "played_on": DAY, "at": AT}
    orders = [[ash.pk, birch.pk], [birch.pk, ash.pk]]
    done = together(
        *[lambda order=order: decide_play_off(teams=order, **facts) for order in orders]
    )
    assert not [each for each in done if isinstance(each, Exception)]
    found = Team.objects.order_by("play_off_place").values_list("play_off_place", "pk")
    assert [place for place, _pk in found] == [1, 2]
    assert [pk for _place, pk in found] in orders


def test_a_penalty_and_a_card_do_not_wait_for_each_other():
    scene = make_scene(played_before=False, board_order_tolerance=0)
    scene.record(boards=swapped(scene), by=scene.captain)
    points = {"match_points": 2, "game_points": 0, "note": "x", "on": DAY}
    row, met = Violation.objects.get(), threading.Barrier(2, timeout=1)

    def penalise():
        return violations.penalise(violation=row.pk, by=scene.officer, at=AT, **points)

    def save():
        return scene.record(by=scene.captain)

    done = together(
        pausing(penalise, 'FROM "games_division"', met),
        pausing(save, 'DELETE FROM "games_violation"', met),
    )
    raised = [type(each) for each in done if isinstance(each, Exception)]
    # Whoever came first: the penalty stands, or the card took away what it would have been for.
    decisions = list(Violation.objects.values_list("decision", flat=True))
    found = (raised, decisions, Adjustment.objects.count())
    assert found in [([], ["penalty"], 1), ([violations.DecisionRefused], [], 0)]


def pausing(call, before: str, met: threading.Barrier):
    """The call, which waits a while for the other before its first statement with `before`."""

    def wait(execute, sql, params, many, context):
        if before in sql and not waited:
            waited.append(True)
            with contextlib.suppress(threading.BrokenBarrierError):
                met.wait()
        return execute(sql, params, many, context)

    waited: list[bool] = []

    def run():
        with connection.execute_wrapper(wait):
            return call()

    return run
