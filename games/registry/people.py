"""Two entries that are one person: merged, with all that each has, and taken apart again."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime

import pghistory
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import registry
from clubs.constraints import check_now
from clubs.models import Membership, Player, PlayerState, User
from games.match_cards.cards import PLAYER_CONSTRAINTS, lock_matches
from games.match_cards.posting import key_of
from games.models import (
    Board,
    Division,
    Match,
    PlayerMerge,
    Registration,
    SheetSeat,
    Violation,
)
from games.season_office.seasons import lock_seasons
from games.tasks import recompute_later
from ratings import people
from ratings.lists import GRADED_POOLS
from ratings.models import OpeningRating, OutsidePlayer, RatingPool

from . import person_facts
from .joined_periods import (
    join_periods,
    leave_out_what_is_gone,
    part_periods,
    row_of,
    seasons_of,
    values_of,
)
from .merge_checks import (
    Conflict,
    conflicts_of,
    opening_choice,
    reason_not_to_undo,
    reasons_against,
    undecided,
)
from .person_facts import DROPPED

SIDES = ("home", "away")
TRIES = 5
# Rows that only say who it was. What was submitted to a rating officer stays as it was sent.
NAMING = {"violations": Violation, "outside names": OutsidePlayer, "sheet seats": SheetSeat}


class MergeRefused(Exception):
    """The two cannot be one person; `reasons` are the sentences that say why."""

    def __init__(self, reasons: list[str]):
        super().__init__(reasons)
        self.reasons = reasons


class MergeUndecided(Exception):
    """The two entries contradict each other; `conflicts` are what has to be chosen first."""

    def __init__(self, conflicts: list[Conflict]):
        super().__init__(conflicts)
        self.conflicts = conflicts


class CannotUndo(Exception):
    """The merge cannot be undone any more; the sentence says why."""


class _SatDownMeanwhile(Exception):
    """The dropped player was put on the card of a match that is not locked."""


@transaction.atomic
def merge_players(
    *, keep: int, drop: int, by, at: datetime, choices: Mapping[str, str] | None = None
) -> PlayerMerge:
    """Merge the player `drop` into `keep`, both pks: all that he has goes there, and is remembered.

    Boards, memberships, registrations, account, codes and facts, rated games, openings and
    grades; both are rated again. He stays as an entry that leads to the kept one. `choices` says
    `kept` or `dropped` for each name of a `Conflict`.

    Raises `MergeRefused` where they met or sit on one card, `MergeUndecided` while a conflict is
    not chosen, `Player.DoesNotExist`.
    """
    choices = dict(choices or {})
    pools = lock_for_merge(keep, drop)
    kept, dropped = lock_two(keep, drop)
    reasons = reasons_against(kept, dropped)
    if reasons:
        raise MergeRefused(reasons)
    today = timezone.localdate(at)
    open_conflicts = undecided(conflicts_of(kept, dropped, today), choices)
    if open_conflicts:
        raise MergeUndecided(open_conflicts)
    why = _("merged with %(player)s") % {"player": dropped}
    with pghistory.context(user=getattr(by, "pk", None), why=why):
        seats = seats_of(drop)
        moved = {
            "state": [kept.state, dropped.state],
            "seats": seats,
            "shared sheets": _leave_shared_sheets(drop, keep),
            "accounts": _join_accounts(keep, drop, choices),
            "memberships": join_periods(Membership, keep, drop),
            "registrations": join_periods(Registration, keep, drop),
            "named": {name: _rename(model, drop, keep) for name, model in NAMING.items()},
            "facts": person_facts.take(kept, dropped, choices, today),
        }
        boards = _reseat(seats, leaves=drop, comes=keep, at=at)
        moved["ledger"], written = people.join_ledgers(
            pools=pools,
            kept=keep,
            dropped=drop,
            boards=set(map(key_of, boards)),
            preferred=_preferred_openings(choices),
            reopened="birth_date" in moved["facts"],
        )
        _mark_merged(kept, dropped)
        _recompute_lists()
        merge = PlayerMerge.objects.create(
            kept=kept,
            dropped=dropped,
            merged_at=at,
            merged_by=by,
            games=len(moved["ledger"]["games"]) + _count_rated(boards),
            moved=moved,
        )
    merge.ratings_written = written
    return merge


@transaction.atomic
def undo_merge(*, merge: int, by, at: datetime) -> PlayerMerge:
    """Take a merge apart again: what moved and is still there goes back, and both are rated again.

    Cards of other matches that were entered for the kept player since stay his, and so does
    what was corrected since. A nominated board or a board of a line-up that somebody else was
    given since stays his, and what leads to a row that is gone is left out. Raises `CannotUndo`,
    `PlayerMerge.DoesNotExist`.
    """
    pools = lock_for_undo(merge)
    stored = PlayerMerge.objects.select_for_update(no_key=True).get(pk=merge)
    stored.kept, stored.dropped = lock_two(stored.kept_id, stored.dropped_id)
    reason = reason_not_to_undo(stored)
    if reason is not None:
        raise CannotUndo(reason)
    why = _("merge with %(player)s undone") % {"player": stored.dropped}
    with pghistory.context(user=getattr(by, "pk", None), why=why):
        stored.ratings_written = _take_apart(stored, pools, at)
        _recompute_lists()
        stored.undone_at, stored.undone_by = at, by
        stored.save(update_fields=["undone_at", "undone_by"])
    return stored


# --- Locks -------------------------------------------------------------------------------


def lock_for_merge(keep: int, drop: int) -> list[RatingPool]:
    """All that a merge writes locked, in the house's order; returns the pools, which come last.

    Raises `Player.DoesNotExist`.
    """
    for _attempt in range(TRIES):
        try:
            with transaction.atomic():
                registry.lock_for_import()
                locked = _matches_naming(drop)
                lock_matches(locked)
                lock_two(keep, drop)
                if not locked.issuperset(_matches_naming(drop)):
                    raise _SatDownMeanwhile
                return people.lock_pools()
        except _SatDownMeanwhile:
            continue
    raise MergeRefused([_("Cards with this player are being saved just now. Try again.")])


def lock_for_undo(merge: int) -> list[RatingPool]:
    """All that taking a merge apart writes locked; returns the pools."""
    registry.lock_for_import()
    stored = PlayerMerge.objects.get(pk=merge)
    moved = stored.moved
    if "registrations" in moved:
        lock_seasons(seasons_of(moved["registrations"]))
    sheets = moved.get("named", {}).get("sheet seats", [])
    left = {row["match_id"] for row in moved.get("shared sheets", [])}
    lock_matches(_matches_of(moved.get("seats", {})) | _matches_of_sheets(pk__in=sheets) | left)
    lock_two(stored.kept_id, stored.dropped_id)
    return people.lock_pools()


def lock_two(one: int, other: int) -> tuple[Player, Player]:
    """The two players, their rows locked; raises `Player.DoesNotExist`."""
    found = registry.lock_people([one, other])
    for pk in (one, other):
        if pk not in found:
            raise Player.DoesNotExist(pk)
    return found[one], found[other]


# --- Undone -------------------------------------------------------------------------------


def _take_apart(merge: PlayerMerge, pools: list[RatingPool], at: datetime) -> int:
    kept, dropped, moved = merge.kept, merge.dropped, merge.moved
    was, dropped.state = moved["state"]
    dropped.merged_into = None
    dropped.save(update_fields=["state", "merged_into"])
    confirmed = (was, dropped.state) == (PlayerState.PENDING, PlayerState.ACTIVE)
    if confirmed and kept.state == PlayerState.ACTIVE:  # else it was changed since
        kept.state = was
        kept.save(update_fields=["state"])
    returned = person_facts.put_back(kept, dropped, moved["facts"])
    part_periods(Membership, kept.pk, dropped.pk, moved["memberships"])
    part_periods(Registration, kept.pk, dropped.pk, moved["registrations"])
    _part_accounts(kept.pk, dropped.pk, moved["accounts"])
    for name, model in NAMING.items():
        rows = model.objects.filter(pk__in=moved["named"].get(name, []), player=kept)
        rows.update(player=dropped)
    _return_to_shared_sheets(moved.get("shared sheets", []))
    boards = _reseat(moved["seats"], leaves=kept.pk, comes=dropped.pk, at=at)
    return people.part_ledgers(
        pools=pools,
        kept=kept.pk,
        dropped=dropped.pk,
        boards=set(map(key_of, boards)),
        moved=moved["ledger"],
        reopened="birth_date" in returned,
    )


# --- Boards ------------------------------------------------------------------------------


def seats_of(player: int) -> dict[str, list[int]]:
    """The pks of the matches in which the player sits, by side; he sits once in a match."""
    return {
        side: list(
            Board.objects.filter(**{f"{side}_player": player})
            .order_by("match")
            .values_list("match", flat=True)
        )
        for side in SIDES
    }


def _matches_of(seats: Mapping[str, Iterable[int]]) -> set[int]:
    return {match for matches in seats.values() for match in matches}


def _matches_naming(player: int) -> set[int]:
    """The matches on whose card or in whose line-ups saved beforehand the player sits."""
    return _matches_of(seats_of(player)) | _matches_of_sheets(player=player)


def _matches_of_sheets(**which) -> set[int]:
    return set(SheetSeat.objects.filter(**which).values_list("match", flat=True))


def _reseat(
    seats: Mapping[str, Iterable[int]], *, leaves: int, comes: int, at: datetime
) -> list[int]:
    """Seat one player where the other sits in these matches; returns the pks of the boards.

    Their cards and tables are new ones: whoever has an old one open is told when he saves.
    """
    reseated = []
    for side in SIDES:
        rows = Board.objects.filter(match__in=seats.get(side, []), **{f"{side}_player": leaves})
        pks = list(rows.values_list("pk", flat=True))
        Board.objects.filter(pk__in=pks).update(**{f"{side}_player": comes})
        reseated += pks
    check_now(*PLAYER_CONSTRAINTS)
    matches = Match.objects.filter(boards__in=reseated)
    pks = set(matches.values_list("pk", flat=True))
    Division.objects.filter(matches__in=pks).update(version=F("version") + 1, changed_at=at)
    Match.objects.filter(pk__in=pks).update(version=F("version") + 1)
    return reseated


def _count_rated(boards: Iterable[int]) -> int:
    return Board.objects.filter(pk__in=boards).rateable().count()


# --- What else he has --------------------------------------------------------------------


def _rename(model, drop: int, keep: int) -> list[int]:
    """Let the rows of a model that name one player name the other; returns their pks."""
    rows = model.objects.filter(player=drop)
    pks = list(rows.order_by("pk").values_list("pk", flat=True))
    model.objects.filter(pk__in=pks).update(player=keep)
    return pks


def _leave_shared_sheets(drop: int, keep: int) -> list[dict]:
    """Take the one out of line-ups in which both sit, which nobody will play any more.

    Returns the rows as JSON holds them.
    """
    shared = SheetSeat.objects.filter(player=keep, match=OuterRef("match"), team=OuterRef("team"))
    seats = SheetSeat.objects.filter(Exists(shared), player=drop).order_by("pk")
    left = [values_of(row) for row in seats]
    seats.delete()
    return left


def _return_to_shared_sheets(left: list[dict]) -> None:
    """Seat him again where the board is free and the match is still there."""
    matches = set(
        Match.objects.filter(pk__in=[row["match_id"] for row in left]).values_list("pk", flat=True)
    )
    back = [row_of(SheetSeat, row) for row in left if row["match_id"] in matches]
    for row in back:
        leave_out_what_is_gone(row)
    SheetSeat.objects.bulk_create(back, ignore_conflicts=True)


def _mark_merged(kept: Player, dropped: Player) -> None:
    """The dropped player leads to the kept one, who is confirmed if either was."""
    if dropped.state == PlayerState.ACTIVE and kept.state == PlayerState.PENDING:
        kept.state = PlayerState.ACTIVE
        kept.save(update_fields=["state"])
    dropped.state, dropped.merged_into = PlayerState.MERGED, kept
    dropped.save(update_fields=["state", "merged_into"])


def _join_accounts(keep: int, drop: int, choices: Mapping[str, str]) -> dict[str, int | None]:
    """Link the dropped player's account to the kept one, who may have one; returns both pks.

    Nothing is returned, and nothing done, where the kept player's own stays.
    """
    accounts = dict(User.objects.filter(player__in=[keep, drop]).values_list("player", "pk"))
    own, other = accounts.get(keep), accounts.get(drop)
    if other is None or (own is not None and choices.get("account") != DROPPED):
        return {}
    _link({own: drop, other: keep})
    return {"kept": own, "dropped": other}


def _part_accounts(keep: int, drop: int, accounts: Mapping[str, int | None]) -> None:
    """Link the accounts as they were, those that still are as the merge linked them."""
    if not accounts:
        return
    here = dict(User.objects.filter(player__in=[keep, drop]).values_list("pk", "player"))
    own, other = accounts["kept"], accounts["dropped"]
    if here.get(other) == keep:
        _link({other: drop} | ({own: keep} if here.get(own) == drop else {}))


def _link(players: Mapping[int | None, int]) -> None:
    """Link these accounts to these players, whom each may have only one of."""
    players = {account: player for account, player in players.items() if account is not None}
    User.objects.filter(pk__in=players).update(player=None)
    for account, player in players.items():
        User.objects.filter(pk=account).update(player=player)


def _preferred_openings(choices: Mapping[str, str]) -> set[tuple[str, str]]:
    """The pools and systems of which the dropped player's opening was chosen."""
    keys = set(OpeningRating.objects.values_list("pool", "system").distinct())
    return {key for key in keys if choices.get(opening_choice(*key)) == DROPPED}


def _recompute_lists() -> None:
    """Work every provisional list out again, by jobs: games, openings and grades moved."""
    for pool in sorted(GRADED_POOLS):
        recompute_later(pool=pool, since=date.min)
