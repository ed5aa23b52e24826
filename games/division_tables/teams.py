"""What becomes of a team during a season: it withdraws, comes back, wins a play-off."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Team, TeamState
from games.season_office.entries import lock_division, touch


class TeamRefused(Exception):
    """What was asked of a team cannot be done; the message says why."""


@transaction.atomic
def withdraw_team(*, team: int, withdrawn_on: date, at: datetime) -> Team:
    """Take a team out of its division; what becomes of its matches is the division's rule.

    Its games stay rated, for they were played. Raises `TeamRefused` if it has withdrawn, and
    for a day that is still to come.
    """
    stored, division = _locked(team)
    if stored.state == TeamState.WITHDRAWN:
        raise TeamRefused(_("%s has withdrawn already.") % stored)
    if withdrawn_on > timezone.localdate(at):
        raise TeamRefused(_("%s is still to come.") % withdrawn_on)
    stored.state, stored.withdrawn_on = TeamState.WITHDRAWN, withdrawn_on
    stored.save(update_fields=["state", "withdrawn_on"])
    touch(division, at)
    return stored


@transaction.atomic
def reinstate_team(*, team: int, at: datetime) -> Team:
    """Let a withdrawn team play on: all its matches count again. Raises `TeamRefused`."""
    stored, division = _locked(team)
    if stored.state != TeamState.WITHDRAWN:
        raise TeamRefused(_("%s has not withdrawn.") % stored)
    stored.state, stored.withdrawn_on = TeamState.ACTIVE, None
    stored.save(update_fields=["state", "withdrawn_on"])
    touch(division, at)
    return stored


@transaction.atomic
def decide_play_off(
    *, division: int, teams: Sequence[int], played_on: date, at: datetime
) -> list[Team]:
    """Keep how a play-off ended, the winner first; what an earlier one said of them is replaced.

    It separates teams that are level by what stands before the play-off in the table's order.
    No teams takes every play-off of the division back. Raises `TeamRefused` for one team alone,
    a team named twice or of another division, and a day that is still to come.
    """
    stored = lock_division(division)
    rows = {row.pk: row for row in stored.teams.select_for_update(no_key=True).order_by("pk")}
    if len(teams) == 1 or len(set(teams)) < len(teams):
        raise TeamRefused(_("A play-off is between two teams or more, each named once."))
    if set(teams) - set(rows):
        raise TeamRefused(_("A play-off is between teams of one division."))
    if played_on > timezone.localdate(at):
        raise TeamRefused(_("%s is still to come.") % played_on)
    places = {pk: place for place, pk in enumerate(teams, start=1)}
    changed = [row for pk, row in rows.items() if pk in places or not teams]
    for row in changed:
        row.play_off_place = places.get(row.pk)
        row.play_off_on = played_on if row.pk in places else None
    Team.objects.bulk_update(changed, ["play_off_place", "play_off_on"])
    touch(stored, at)
    return [rows[pk] for pk in teams]


def _locked(team: int):
    """The team and its division, both locked in the order of locks."""
    division = lock_division(Team.objects.values_list("division", flat=True).get(pk=team))
    return division.teams.select_for_update(no_key=True).get(pk=team), division
