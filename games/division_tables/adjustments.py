"""Points put on or taken off a team by the officer's decision; the table follows at once."""

from datetime import date, datetime

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Adjustment, Team
from games.season_office.entries import lock_division, touch


class AdjustmentRefused(Exception):
    """A decision that changes nothing or gives no reason."""


@transaction.atomic
def add_adjustment(
    *,
    team: int,
    match_points: int,
    game_points: int,
    reason: str,
    decided_on: date,
    by,
    at: datetime,
) -> Adjustment:
    """A new decision on a team's points, in halves, negative ones taken off.

    Raises `AdjustmentRefused` without points or without a reason.
    """
    division = lock_division(_division_of(team))
    stored = Adjustment(team_id=team)
    _decide(stored, match_points, game_points, reason, decided_on, by)
    touch(division, at)
    return stored


@transaction.atomic
def change_adjustment(
    *,
    adjustment: int,
    match_points: int,
    game_points: int,
    reason: str,
    decided_on: date,
    by,
    at: datetime,
) -> Adjustment:
    """Another word on a decision; its team stays. Raises `AdjustmentRefused`."""
    stored, division = _locked(adjustment)
    _decide(stored, match_points, game_points, reason, decided_on, by)
    touch(division, at)
    return stored


@transaction.atomic
def remove_adjustment(*, adjustment: int, by, at: datetime) -> None:
    """Take a decision back; its history stays. Raises `AdjustmentRefused`."""
    stored, division = _locked(adjustment)
    with pghistory.context(user=by.pk if by else None):
        stored.delete()
    touch(division, at)


def _locked(adjustment: int):
    """The decision and its division, locked in this order; refused if it is taken back already."""
    team = Adjustment.objects.filter(pk=adjustment).values_list("team", flat=True).first()
    if team is not None:
        division = lock_division(_division_of(team))
        stored = Adjustment.objects.select_for_update().filter(pk=adjustment).first()
        if stored is not None:
            return stored, division
    raise AdjustmentRefused(_("The decision has been taken back already."))


def _division_of(team: int) -> int:
    return Team.objects.values_list("division", flat=True).get(pk=team)


def _decide(
    stored: Adjustment, match_points: int, game_points: int, reason: str, decided_on: date, by
) -> None:
    if not match_points and not game_points:
        raise AdjustmentRefused(_("A decision puts points on or takes some off."))
    if not reason.strip():
        raise AdjustmentRefused(_("A decision needs its reason: it stands under the table."))
    stored.match_points, stored.game_points = match_points, game_points
    stored.reason, stored.decided_on = reason.strip(), decided_on
    with pghistory.context(user=by.pk if by else None):
        stored.save()
