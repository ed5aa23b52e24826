"""A match as its page and its files show it: boards with what each game changed, in words."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.dates import date_format
from clubs.models import Player, PlayerState
from games.match_cards.card_entries import awaited_numbers
from games.match_cards.posting import key_of
from games.match_cards.violations import names_for, words_of
from games.models import DEFAULTS, Award, Board, Colour, Match, MatchState, Violation
from ratings.models import RatedGame

from .match_words import given_words, unfinished_words

LOST_BY_DEFAULT = {
    Award.HOME_DEFAULT: ("away",),
    Award.AWAY_DEFAULT: ("home",),
    Award.DOUBLE_DEFAULT: ("home", "away"),
}


@dataclass(frozen=True, slots=True)
class Half:
    """One side of a board; ratings are in tenths, None where the game is not rated."""

    player: Player | None
    colour: str
    halves: int | None
    won: bool
    lost_by_default: bool
    before: int | None = None
    change: int | None = None

    @property
    def after(self) -> int | None:
        return None if self.before is None else self.before + self.change


@dataclass(frozen=True, slots=True)
class Line:
    """One board; `board` is None where the match waits for it and nothing is known yet."""

    number: int
    home: Half
    away: Half
    board: Board | None = None

    @property
    def is_decided(self) -> bool:
        return self.home.halves is not None


NOBODY = Half(None, Colour.UNKNOWN, None, False, False)


class MatchPage:
    """A match of `MatchQuerySet.for_page()`, its boards, and what is to be said of them."""

    def __init__(self, match: Match, *, line_up_is_secret: bool = False):
        """With `line_up_is_secret` a line-up that was saved before any result is not told."""
        self.match = match
        boards = match.boards.select_related("home_player", "away_player").order_by("number")
        secret = line_up_is_secret and match.entered_at is None
        self.boards = [] if secret else list(boards)

    @cached_property
    def lines(self) -> list[Line]:
        """The boards by number, with those that the match still waits for once it has any."""
        rated = self._rated()
        lines = [self._line(board, rated.get(key_of(board.pk))) for board in self.boards]
        if self.boards:
            awaited = awaited_numbers(self.boards, self.match.board_count)
            lines += [Line(number, NOBODY, NOBODY) for number in awaited]
        return sorted(lines, key=lambda line: line.number)

    def _rated(self) -> dict[str, RatedGame]:
        keys = [key_of(board.pk) for board in self.boards]
        games = RatedGame.objects.filter(source_key__in=keys).select_related("elo")
        return {game.source_key: game for game in games}

    def _line(self, board: Board, game: RatedGame | None) -> Line:
        return Line(board.number, _half(board, "home", game), _half(board, "away", game), board)

    # Score and state -------------------------------------------------------------------------

    @property
    def has_results(self) -> bool:
        """Whether any board has points, be it only for the players."""
        return any(board.home_halves is not None for board in self.boards)

    @property
    def is_unfinished(self) -> bool:
        """Whether some boards have points, but not as many as the match has."""
        return self.match.home_points is None and self.has_results

    @property
    def is_line_up(self) -> bool:
        """Whether it is only known who sits where."""
        return self.score is None and bool(self.boards)

    @property
    def is_played(self) -> bool:
        """Whether nothing of the score is still to come."""
        return self.match.home_points is not None

    @property
    def score(self) -> tuple[int, int] | None:
        """The score as the table counts it, or so far; None before anything is known."""
        if self.match.home_points is not None:
            return self.match.home_points, self.match.away_points
        return (self.match.boards_home, self.match.boards_away) if self.has_results else None

    @property
    def waiting_words(self) -> str:
        """Which boards have no result: `Boards 5 and 6 have no result yet.`"""
        numbers = [str(line.number) for line in self.lines if not line.is_decided]
        if not numbers:
            return ""
        *first, last = numbers
        joined = _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last}
        return ngettext(
            "Board %(boards)s has no result yet.",
            "Boards %(boards)s have no result yet.",
            len(numbers),
        ) % {"boards": joined if first else last}

    @property
    def boards_disagree(self) -> bool:
        """Whether a stated score stands beside boards that add up to another one."""
        stated = (self.match.stated_home, self.match.stated_away)
        boards = (self.match.boards_home, self.match.boards_away)
        return bool(self.boards) and stated[0] is not None and stated != boards

    @property
    def when_words(self) -> str:
        """The day in words, or that there is none."""
        if self.match.played_on:
            return date_format(self.match.played_on, "l j F Y")
        return _("postponed") if self.match.state == MatchState.POSTPONED else _("no date yet")

    # Colours, awards, new people -------------------------------------------------------------

    @property
    def colour_words(self) -> str:
        """Which boards the home side has White on, if they follow a rule."""
        known = [line for line in self.lines if line.home.colour != Colour.UNKNOWN]
        white_on_odd = {
            (line.home.colour == Colour.WHITE) == bool(line.number % 2) for line in known
        }
        if white_on_odd == {True}:
            return _("the home side has White on odd boards")
        return _("the home side has Black on odd boards") if white_on_odd == {False} else ""

    @property
    def has_colours(self) -> bool:
        return any(line.home.colour != Colour.UNKNOWN for line in self.lines)

    @property
    def has_changes(self) -> bool:
        """Whether a game of it changed a rating."""
        return any(line.home.before is not None for line in self.lines)

    @property
    def decisions(self) -> list[tuple[int, str]]:
        """The boards scored otherwise than they were played, or not finished, in words."""
        found = []
        for board in self.boards:
            if given_words(board):
                found.append((board.number, given_words(board)))
            if board.unfinished:
                found.append((board.number, unfinished_words(board)))
            if not board.counts_for_match:
                found.append((board.number, _("rated, but not counted for the match.")))
        return found

    @property
    def new_players(self) -> list[Player]:
        """Those whom the card brought to the registry and no officer has confirmed yet."""
        players = (half.player for line in self.lines for half in (line.home, line.away))
        return [player for player in players if player and player.state == PlayerState.PENDING]

    def violations(self) -> list[tuple[Violation, str]]:
        """What the saved card has against the league's rules, each with its sentence."""
        rows = list(self.match.violations.select_related("team"))
        names = names_for(rows)
        return [(row, words_of(row, names)) for row in rows]


def _half(board: Board, side: str, game: RatedGame | None) -> Half:
    halves = getattr(board, f"{side}_halves")
    other = board.away_halves if side == "home" else board.home_halves
    colour = board.home_colour
    if side == "away" and colour != Colour.UNKNOWN:
        colour = Colour.BLACK if colour == Colour.WHITE else Colour.WHITE
    player = getattr(board, f"{side}_player")
    before = change = None
    if game is not None and hasattr(game, "elo"):
        prefix = "white" if player and game.white_id == player.pk else "black"
        before = getattr(game.elo, f"{prefix}_before")
        change = getattr(game.elo, f"{prefix}_change")
    return Half(
        player=player,
        colour=colour if player else Colour.UNKNOWN,
        halves=halves,
        won=halves is not None and halves > other,
        lost_by_default=board.award in DEFAULTS and side in LOST_BY_DEFAULT[board.award],
        before=before,
        change=change,
    )
