"""What stands against two players being one person, and what somebody has to choose first."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.dates import date_format
from clubs.models import Player, PlayerState, User
from games.models import Board, Match, PlayerMerge, SheetSeat
from ratings.models import OpeningRating, System
from ratings.people import games_between

from .person_facts import DROPPED, FACTS, KEPT, Fact, carried, conflicting


@dataclass(frozen=True, slots=True)
class Conflict:
    """Something of which the two entries say two things; `name` is the field of the choice.

    `preset` is what is chosen until somebody chooses otherwise, blank for nothing.
    """

    name: str
    label: str
    kept: str
    dropped: str
    preset: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """A fact of the two entries as both say it; one that is carried goes to the kept entry."""

    label: str
    kept: str
    dropped: str
    is_carried: bool


def reasons_against(keep: Player, drop: Player) -> list[str]:
    """Why the two cannot be one person, in sentences; none if nothing stands against it."""
    if keep.pk == drop.pk:
        return [_("Both are the same entry already.")]
    merged = [player for player in (keep, drop) if player.state == PlayerState.MERGED]
    if merged:
        words = {"player": merged[0], "kept": merged[0].merged_into}
        return [_("%(player)s was merged into %(kept)s already.") % words]
    if PlayerState.ERASED in (keep.state, drop.state):
        return [_("One of the two was erased: nothing is known of him any more.")]
    return [*_of_games(keep, drop), *_of_cards(keep, drop), *_of_sheets(keep, drop)]


def _of_games(keep: Player, drop: Player) -> Iterator[str]:
    for game in games_between(keep.pk, drop.pk):
        yield _("They played each other on %(day)s in %(event)s: nobody plays himself.") % {
            "day": _day(game.played_on),
            "event": game.event.name,
        }


def _of_cards(keep: Player, drop: Player) -> Iterator[str]:
    pair = [keep.pk, drop.pk]
    boards = Board.objects.filter(Q(home_player__in=pair) | Q(away_player__in=pair))
    seats: dict[int, dict[int, Board]] = defaultdict(dict)
    for board in boards.select_related("match__home", "match__away").order_by("match", "number"):
        for player in (board.home_player_id, board.away_player_id):
            if player in pair:
                seats[board.match_id][player] = board
    for by_player in seats.values():
        if len(by_player) < 2:
            continue
        match = by_player[keep.pk].match
        numbers = sorted({board.number for board in by_player.values()})
        if len(numbers) == 1:
            seated = _("board %s") % numbers[0]
        else:
            seated = _("boards %(one)d and %(other)d") % {"one": numbers[0], "other": numbers[-1]}
        words = _dated(match) | {"boards": seated}
        yield _("Both are on the card of %(match)s%(day)s, on %(boards)s.") % words


def _of_sheets(keep: Player, drop: Player) -> Iterator[str]:
    """While a line-up is still to be played; after that the card alone says who was there."""
    ahead = Match.objects.not_off().filter(entered_at__isnull=True, stated_home__isnull=True)
    both = (
        SheetSeat.objects.filter(player__in=[keep.pk, drop.pk], match__in=ahead)
        .order_by()
        .values("match", "team")
        .annotate(seats=Count("pk"))
        .filter(seats=2)
    )
    matches = Match.objects.filter(pk__in=both.values("match"))
    for match in matches.select_related("home", "away").order_by("pk"):
        yield _("Both are in one line-up for %(match)s%(day)s.") % _dated(match)


def _dated(match: Match) -> dict:
    """The match with its day, if it has one, for a sentence."""
    day = "" if match.played_on is None else f", {_day(match.played_on)}"
    return {"match": match, "day": day}


def conflicts_of(keep: Player, drop: Player, today: date) -> list[Conflict]:
    """What has to be chosen: facts, openings and accounts of which both have another.

    A name is not shown unless somebody chooses that it is.
    """
    return [
        *(
            Conflict(
                fact.name,
                capfirst(str(fact.label)),
                fact.shown(keep),
                fact.shown(drop),
                _preset(fact, keep),
            )
            for fact in conflicting(keep, drop, today)
        ),
        *_of_openings(keep, drop),
        *_of_accounts(keep, drop),
    ]


def _preset(fact: Fact, keep: Player) -> str:
    if fact.name != "name_consent":
        return ""
    return DROPPED if keep.name_consent else KEPT


def facts_known(keep: Player, drop: Player, today: date) -> list[Known]:
    """What is known of both, private facts and accounts too, and what of it is carried over."""
    taken = set(carried(keep, drop, today))
    rows = [
        Known(capfirst(str(fact.label)), fact.shown(keep), fact.shown(drop), fact in taken)
        for fact in FACTS
        if any(value is not None for value in (*fact.of(keep), *fact.of(drop)))
    ]
    own, other = (_account(each) for each in (keep, drop))
    if own or other:
        rows.append(Known(_("Account"), own, other, is_carried=not own))
    return rows


def _account(player: Player) -> str:
    return User.objects.filter(player=player).values_list("email", flat=True).first() or ""


def undecided(conflicts: list[Conflict], choices: dict[str, str]) -> list[Conflict]:
    """Those of the conflicts for which neither side was chosen."""
    return [found for found in conflicts if choices.get(found.name) not in (KEPT, DROPPED)]


def opening_choice(pool: str, system: str) -> str:
    """The name of the choice between two openings."""
    return f"opening-{pool}-{system}"


def _of_openings(keep: Player, drop: Player) -> Iterator[Conflict]:
    rows: dict[tuple[str, str], dict[int, OpeningRating]] = defaultdict(dict)
    found = OpeningRating.objects.filter(player__in=[keep, drop]).select_related("pool")
    for row in found.order_by("pool", "system"):
        rows[row.pool_id, row.system][row.player_id] = row
    for (pool, system), by_player in rows.items():
        if len(by_player) == 2:
            own, other = by_player[keep.pk], by_player[drop.pk]
            if (own.value, own.provisional) != (other.value, other.provisional):
                words = {"pool": own.pool, "system": own.get_system_display()}
                label = _("Opening %(system)s, %(pool)s") % words
                yield Conflict(opening_choice(pool, system), label, _opening(own), _opening(other))


def _opening(row: OpeningRating) -> str:
    value = row.value // 10 if row.system == System.ELO else row.value
    return _("%(value)d%(mark)s, %(day)s, %(source)s") % {
        "value": value,
        "mark": "?" if row.provisional else "",
        "day": _day(row.dated_on),
        "source": row.source,
    }


def _of_accounts(keep: Player, drop: Player) -> Iterator[Conflict]:
    accounts = {user.player_id: user for user in User.objects.filter(player__in=[keep, drop])}
    if len(accounts) == 2:
        yield Conflict("account", _("Account"), accounts[keep.pk].email, accounts[drop.pk].email)


def reason_not_to_undo(merge: PlayerMerge) -> str | None:
    """Why a merge cannot be undone (any more), in a sentence; None if it can."""
    if merge.undone_at is not None:
        return _("This merge was undone already.")
    if merge.dropped.merged_into_id != merge.kept_id or not merge.moved:
        return _("What moved is not known any more.")
    since = PlayerMerge.objects.filter(undone_at__isnull=True, pk__gt=merge.pk)
    later = since.filter(Q(dropped=merge.kept) | Q(kept=merge.kept)).order_by("-pk").first()
    if later is not None:
        words = {"dropped": later.dropped, "kept": later.kept}
        return _("%(dropped)s was merged into %(kept)s later: undo that first.") % words
    return None


def _day(day: date) -> str:
    return date_format(day, "j F Y")
