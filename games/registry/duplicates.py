"""Players who may be in the registry twice, for those who may merge them."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.likeness import Entry, Likeness, Reason, compare, likenesses
from clubs.models import Membership, Player, PlayerState
from games.models import Board
from ratings.models import RatedGame

WORDS = {
    Reason.CODE: _("the same code with another check letter"),
    Reason.BIRTH: _("the same date of birth"),
    Reason.NAME: _("the same name"),
    Reason.FOLDED: _("the same name but for accents, apostrophes or hyphens"),
    Reason.TURNED: _("the name turned round"),
    Reason.INITIAL: _("an initial, or no forename, for the other’s"),
    Reason.SHORTER: _("the other one with more forenames"),
    Reason.NICKNAME: _("a short form of the same forename"),
    Reason.SPELLING: _("one letter of the surname is another"),
    Reason.CLUB: _("at the same club"),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players who may be one, with the reasons in words; the one to keep comes first.

    `games` are their rated games. Each comes with `current_memberships`.
    """

    keep: Player
    drop: Player
    keep_games: int
    drop_games: int
    reasons: list[str]


@dataclass(frozen=True, slots=True)
class Alike:
    """Somebody who may be the person that is to be added, and why, in words.

    He comes with `current_memberships`.
    """

    player: Player
    reasons: list[str]


MOST_ALIKE = 10


def like_new(
    *,
    surname: str,
    forenames: str,
    ecf_code: str | None = None,
    birth_year: int | None = None,
    club: int | None = None,
) -> list[Alike]:
    """Who in the registry may be the person of this name, the likeliest first, ten at most."""
    clubs = frozenset() if club is None else frozenset([club])
    return like_these([Entry(0, surname, forenames, ecf_code, None, birth_year, clubs)])[0]


def like_these(new: Collection[Entry]) -> list[list[Alike]]:
    """The same for each of many who are new, in a fixed number of queries; their pks are 0."""
    known = _entries(None) if new else []
    found = [_likest(each, known) for each in new]
    rows = Player.objects.with_clubs(timezone.localdate())
    players = rows.in_bulk({like.other for likes in found for like in likes})
    return [
        [
            Alike(players[like.other], [str(WORDS[reason]) for reason in like.reasons])
            for like in likes
        ]
        for likes in found
    ]


def _likest(new: Entry, known: Iterable[Entry]) -> list[Likeness]:
    found = [like for entry in known if (like := compare(new, entry)) is not None]
    return sorted(found, key=lambda like: (-like.weight, like.other))[:MOST_ALIKE]


def likely_duplicates(players: Collection[int] | None = None) -> list[Likeness]:
    """The pairs of the registry, or of these players alone, that may be one person.

    Pairs who met in a game or sit on one card are none.
    """
    found = likenesses(_entries(players))
    apart = _met({pk for pair in found for pk in (pair.one, pair.other)})
    return [pair for pair in found if frozenset((pair.one, pair.other)) not in apart]


def pairs_of(likely: Iterable[Likeness], today: date) -> list[Pair]:
    """These pairs as a page shows them, in a fixed number of queries."""
    likely = list(likely)
    pks = {pk for pair in likely for pk in (pair.one, pair.other)}
    players = {player.pk: player for player in Player.objects.filter(pk__in=pks).with_clubs(today)}
    games = _count_games(pks)
    made = []
    for pair in likely:
        both = sorted(
            (players[pair.one], players[pair.other]),
            key=lambda player: (player.ecf_code is None, -games[player.pk], player.pk),
        )
        keep, drop = both
        reasons = [str(WORDS[reason]) for reason in pair.reasons]
        made.append(Pair(keep, drop, games[keep.pk], games[drop.pk], reasons))
    return made


def _entries(players: Collection[int] | None) -> list[Entry]:
    clubs: dict[int, set[int]] = defaultdict(set)
    for player, club in Membership.objects.order_by().values_list("player", "club"):
        clubs[player].add(club)
    rows = Player.objects.standing().exclude(state=PlayerState.ERASED).order_by("pk")
    columns = ("pk", "surname", "forenames", "ecf_code", "birth_date", "birth_year")
    return [
        Entry(*row, frozenset(clubs.get(row[0], ())))
        for row in rows.values_list(*columns)
        if players is None or row[0] in players
    ]


def _met(players: Collection[int]) -> set[frozenset[int]]:
    """The pairs of these players who met in a game or sit on one card."""
    pairs = RatedGame.objects.filter(white__in=players, black__in=players).order_by()
    met = {frozenset(pair) for pair in pairs.values_list("white", "black").distinct()}
    cards: dict[int, set[int]] = defaultdict(set)
    for side in ("home_player", "away_player"):
        boards = Board.objects.filter(**{f"{side}__in": players}).order_by()
        for match, player in boards.values_list("match", side):
            cards[match].add(player)
    return met | {
        frozenset((one, other))
        for seated in cards.values()
        for one in seated
        for other in seated
        if one != other
    }


def _count_games(players: Collection[int]) -> dict[int, int]:
    counts = dict.fromkeys(players, 0)
    for colour in ("white", "black"):
        rows = RatedGame.objects.filter(**{f"{colour}__in": players}).order_by()
        for player, number in rows.values_list(colour).annotate(Count("pk")):
            counts[player] += number
    return counts
