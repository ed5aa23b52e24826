"""Who may play for which club in a season: registered by secretaries, late ones by the officer."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

import pghistory
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import LEFT, Club, Player, PlayerState
from games.models import Registration, Season, Team

from .seasons import lock_season


class RegistrationRefused(Exception):
    """What was asked of a registration is against the season's rules; the message says why."""


@dataclass(slots=True)
class Registered:
    """What became of several players: registered, waiting for the officer, and refused with why."""

    done: list[Registration] = field(default_factory=list)
    waiting: list[Registration] = field(default_factory=list)
    refused: list[tuple[Player, str]] = field(default_factory=list)


@transaction.atomic
def register(
    *,
    season: int,
    club: Club,
    players: Iterable[int],
    as_officer: bool,
    by,
    at: datetime,
    on: date | None = None,
) -> Registered:
    """Register players (pks) for a club from the day `on`, that of `at` if none is given.

    Only the officer registers from a day that is past, and nobody from one before the end of an
    earlier registration for the club. One who is registered for it already stays so. After the
    season's deadline a registration waits for the officer, unless the officer makes it. `by` is
    the account.
    """
    stored = lock_season(season)
    today = timezone.localdate(at)
    first = today if on is None or (on < today and not as_officer) else on
    late = stored.registration_deadline is not None and today > stored.registration_deadline
    people = Player.objects.filter(pk__in=players).order_by("sort_name", "pk")
    rows = Registration.objects.filter(season=stored, player__in=people)
    held: dict[int, list[Registration]] = defaultdict(list)
    for row in rows.select_related("club"):
        held[row.player_id].append(row)
    result = Registered()
    with pghistory.context(user=getattr(by, "pk", None)):
        for player in people:
            here = [row.ends_on for row in held[player.pk] if row.club_id == club.pk]
            if None in here:
                continue
            starts_on = max(stored.starts_on, first, *here)
            own = [row for row in held[player.pk] if row.ends_on is None or row.ends_on > starts_on]
            why = _why_not(stored, player, own)
            if why:
                result.refused.append((player, why))
                continue
            row = Registration.objects.create(
                season=stored,
                club=club,
                player=player,
                starts_on=starts_on,
                registered_at=at,
                registered_by=by,
                approved_at=None if late and not as_officer else at,
            )
            (result.waiting if row.approved_at is None else result.done).append(row)
    return result


def _why_not(season: Season, player: Player, own: list[Registration]) -> str:
    """Why a player cannot be registered for one more club beside `own`, or nothing."""
    if player.state == PlayerState.MERGED:
        return _("%(player)s is the same person as %(kept)s: choose that name.") % {
            "player": player,
            "kept": player.merged_into,
        }
    if player.state in LEFT:
        return _("%s has retired; an officer can bring him back.") % player
    if own and season.one_club_a_player:
        return _("%(player)s is registered for %(club)s; a transfer ends that first.") % {
            "player": player,
            "club": own[0].club,
        }
    return ""


@transaction.atomic
def nominate(*, registration: int, team: int | None, rank: int | None, by) -> Registration:
    """Tie a registered player to a team of his club, with his place among its nominated players.

    Both may be None. Raises `RegistrationRefused` for a team of another club or season, a place
    without a team, and one that is taken.
    """
    season = Registration.objects.values_list("season", flat=True).get(pk=registration)
    lock_season(season)
    stored = Registration.objects.select_for_update().get(pk=registration)
    if rank is not None and team is None:
        raise RegistrationRefused(_("A nominated board belongs to a team."))
    if team is not None:
        chosen = Team.objects.select_related("division").get(pk=team)
        if chosen.club_id != stored.club_id or chosen.division.season_id != season:
            raise RegistrationRefused(_("%s is not a team of the club in this season.") % chosen)
        taken = Registration.objects.filter(team=team, nominated_rank=rank).open()
        other = None if rank is None else taken.exclude(pk=registration).first()
        if other is not None:
            raise RegistrationRefused(
                _("%(player)s is nominated for board %(rank)d of %(team)s already.")
                % {"player": other.player, "rank": rank, "team": chosen}
            )
    stored.team_id, stored.nominated_rank = team, rank
    with pghistory.context(user=getattr(by, "pk", None)):
        stored.save(update_fields=["team", "nominated_rank"])
    return stored


@transaction.atomic
def end(*, registration: int, on: date, by) -> None:
    """End a registration before the day `on`; one that has not begun by then goes altogether."""
    lock_season(Registration.objects.values_list("season", flat=True).get(pk=registration))
    stored = Registration.objects.select_for_update().get(pk=registration)
    with pghistory.context(user=getattr(by, "pk", None)):
        if on <= stored.starts_on:
            stored.delete()
        elif stored.ends_on is None:
            stored.ends_on = on
            stored.nominated_rank = None
            stored.save(update_fields=["ends_on", "nominated_rank"])


@transaction.atomic
def approve(*, registration: int, by, at: datetime) -> Registration:
    """Let a player play whose registration came after the deadline; twice changes nothing."""
    lock_season(Registration.objects.values_list("season", flat=True).get(pk=registration))
    stored = Registration.objects.select_for_update().get(pk=registration)
    if stored.approved_at is None:
        stored.approved_at = at
        with pghistory.context(user=getattr(by, "pk", None)):
            stored.save(update_fields=["approved_at"])
    return stored


def registered_last_season(season: Season, club: Club) -> list[Player]:
    """Who was registered for the club in the season before and is not in this one, by name."""
    last = (
        Season.objects.filter(league=season.league_id, starts_on__lt=season.starts_on)
        .order_by("-starts_on")
        .first()
    )
    if last is None:
        return []
    held = Registration.objects.filter(season=season).open().values("player")
    before = Registration.objects.filter(season=last, club=club, approved_at__isnull=False).filter(
        Q(ends_on__isnull=True) | Q(ends_on__gte=last.ends_on)
    )
    return list(
        Player.objects.playing().filter(pk__in=before.values("player")).exclude(pk__in=held)
    )
