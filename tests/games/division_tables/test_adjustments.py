"""Decisions on a team's points: the table and its version follow, the history says who."""

import datetime

import pytest
from django.urls import reverse

from games.division_tables.adjustments import (
    AdjustmentRefused,
    add_adjustment,
    change_adjustment,
    remove_adjustment,
)
from games.division_tables.league_tables import table_of
from games.models import Adjustment, AdjustmentEvent, Division
from tests.factories import AdjustmentFactory, TeamFactory, UserFactory

pytestmark = pytest.mark.django_db

AT = datetime.datetime(2026, 10, 7, 20, 0, tzinfo=datetime.UTC)
DAY = datetime.date(2026, 10, 6)


def decided(team, by, **facts):
    usual = {"match_points": -2, "game_points": 0, "reason": "a late card", "decided_on": DAY}
    return add_adjustment(team=team.pk, by=by, at=AT, **(usual | facts))


def state():
    division = Division.objects.get()
    row = table_of(division).rows[0]
    return division.version, division.changed_at, row.match_points, row.game_points


def test_each_step_moves_the_table_and_its_version():
    team, by = TeamFactory(), UserFactory()
    adjustment = decided(team, by)
    assert state() == (1, AT, -2, 0)
    facts = {"match_points": 0, "game_points": 3, "reason": "an appeal", "decided_on": DAY}
    change_adjustment(adjustment=adjustment.pk, by=by, at=AT, **facts)
    assert state() == (2, AT, 0, 3)
    remove_adjustment(adjustment=adjustment.pk, by=by, at=AT)
    assert state() == (3, AT, 0, 0)
    events = AdjustmentEvent.objects.order_by("pgh_id")
    assert [(event.pgh_label, event.pgh_context["user"]) for event in events] == [
        ("insert", by.pk),
        ("update", by.pk),
        ("delete", by.pk),
    ]


@pytest.mark.parametrize("facts", [{"match_points": 0}, {"reason": " "}])
def test_a_decision_without_points_or_reason_is_refused(facts):
    team = TeamFactory()
    with pytest.raises(AdjustmentRefused):
        decided(team, UserFactory(), **facts)
    assert (Adjustment.objects.count(), Division.objects.get().version) == (0, 0)


def test_a_decision_taken_back_cannot_be_taken_back_or_changed_again():
    team, by = TeamFactory(), UserFactory()
    adjustment = decided(team, by)
    remove_adjustment(adjustment=adjustment.pk, by=by, at=AT)
    with pytest.raises(AdjustmentRefused, match="has been taken back already"):
        remove_adjustment(adjustment=adjustment.pk, by=by, at=AT)
    facts = {"match_points": 0, "game_points": 3, "reason": "an appeal", "decided_on": DAY}
    with pytest.raises(AdjustmentRefused, match="has been taken back already"):
        change_adjustment(adjustment=adjustment.pk, by=by, at=AT, **facts)
    assert Division.objects.get().version == 2


@pytest.fixture
def office(client):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


def typed(team, **cells):
    usual = {"match_points": -2, "game_points": 0, "reason": "a late card"}
    return usual | {"team": team.pk, "decided_on": "2026-10-06"} | cells


def test_the_admin_adds_changes_and_removes_by_the_workflow(office):
    team = TeamFactory()
    office.post(reverse("admin:games_adjustment_add"), typed(team))
    adjustment = Adjustment.objects.get()
    assert (adjustment.team, adjustment.match_points, adjustment.reason) == (
        team,
        -2,
        "a late card",
    )
    assert Division.objects.get().version == 1
    page = reverse("admin:games_adjustment_change", args=[adjustment.pk])
    office.post(page, typed(team, match_points=-4))
    assert (Adjustment.objects.get().match_points, Division.objects.get().version) == (-4, 2)
    office.post(reverse("admin:games_adjustment_delete", args=[adjustment.pk]), {"post": "yes"})
    assert (Adjustment.objects.count(), Division.objects.get().version) == (0, 3)


def test_the_admin_removes_several_at_once(office):
    team = TeamFactory()
    rows = [AdjustmentFactory(team=team) for _ in range(2)]
    data = {"action": "delete_selected", "post": "yes", "_selected_action": [r.pk for r in rows]}
    office.post(reverse("admin:games_adjustment_changelist"), data)
    assert (Adjustment.objects.count(), Division.objects.get().version) == (0, 2)


def test_the_admin_says_what_a_decision_of_no_points_lacks(office):
    team = TeamFactory()
    answer = office.post(reverse("admin:games_adjustment_add"), typed(team, match_points=0))
    assert answer.status_code == 200
    assert Adjustment.objects.count() == 0
