"""Proving that results and ratings agree: the ledger equals the boards, the ratings a rebuild."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _

from games.match_cards.posting import games_of
from games.models import Board, Division
from ratings import checking
from ratings.ledger import Played
from ratings.models import RatedGame, RatingPool

Progress = Callable[[str, int, int], None]


def verify(
    progress: Progress = lambda what, done, total: None,
    note: Callable[[str], None] = lambda sentence: None,
) -> list[str]:
    """A sentence for every difference, none if all is right; one view of the database is read.

    The ratings of a stale pool wait for a job: they are no difference, and `note` is told so.
    """
    with checking.snapshot():
        found = list(ledger_differences(progress))
        pools = RatingPool.objects.order_by("pk")
        for number, pool in enumerate(pools):
            progress(_("Rebuilding ratings"), number, len(pools))
            if pool.stale_from is None:
                found += checking.check(pool)
            else:
                note(checking.stale_words(pool))
    return found


def ledger_differences(progress: Progress = lambda what, done, total: None) -> Iterator[str]:
    """Where the ledger does not hold exactly the rateable boards, field by field."""
    divisions = Division.objects.select_related("rated_event").order_by("pk")
    total = divisions.count()
    for number, division in enumerate(divisions):
        progress(_("Comparing divisions"), number, total)
        stored = RatedGame.objects.filter(event=division.rated_event)
        yield from _differences(
            {game.source_key: game for game in games_of(division)},
            {row[0]: Played(*row) for row in stored.values_list(*Played._fields)},
        )
    astray = RatedGame.objects.filter(event__division=None, source_key__startswith="board:")
    for key, event in astray.order_by("pk").values_list("source_key", "event__name"):
        yield _("%(board)s: in the ledger under %(event)s, which is no division") % {
            "board": _board_words(key),
            "event": event,
        }


def _differences(wanted: dict[str, Played], stored: dict[str, Played]) -> Iterator[str]:
    for key in sorted(wanted.keys() | stored.keys(), key=lambda key: (len(key), key)):
        board, row = wanted.get(key), stored.get(key)
        if board == row:
            continue
        if row is None:
            what = _("to be rated, and not in the ledger")
        elif board is None:
            what = _("in the ledger, and not to be rated")
        else:
            what = "; ".join(
                _("%(name)s is %(board)s, the ledger has %(row)s")
                % {"name": name, "board": one, "row": other}
                for name, one, other in zip(Played._fields, board, row, strict=True)
                if one != other
            )
        yield f"{_board_words(key)}: {what}"


def _board_words(key: str) -> str:
    """The board of a ledger key in words, or the key itself if there is none."""
    pk = key.removeprefix("board:")
    board = (
        Board.objects.select_related("match__home", "match__away").filter(pk=pk).first()
        if pk.isdecimal()
        else None
    )
    return key if board is None else f"{key} ({board})"
