"""A board in words: its result, its default, who sat there."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from clubs.dates import date_format
from games.match_cards.card_entries import BoardEntry, NewPlayer
from games.models import Award, Board, Match, Unfinished
from games.templatetags.topboard import halves

PLAYED = {2: "1–0", 1: "½–½", 0: "0–1"}


def award_words(award: str | None, home: str, away: str) -> str:
    """What the league awards, in words: `Hartfield A lost by default`; nothing without an award."""
    return {
        Award.HOME_DEFAULT: _("%(team)s lost by default") % {"team": away},
        Award.AWAY_DEFAULT: _("%(team)s lost by default") % {"team": home},
        Award.DOUBLE_DEFAULT: _("both lost by default"),
    }.get(award, "")


def default_words(home: str, away: str) -> dict[str, str]:
    """What each default means, the winner first, in the order of the card's menu."""
    words = _("%(winner)s win, %(loser)s’s player did not come")
    return {
        Award.HOME_DEFAULT.value: words % {"winner": home, "loser": away},
        Award.AWAY_DEFAULT.value: words % {"winner": away, "loser": home},
        Award.DOUBLE_DEFAULT.value: _("Neither came"),
    }


def given_words(entry) -> str:
    """Points given by a decision, with the reason; `entry` is a board or an entry of one."""
    if entry.award != Award.GIVEN:
        return ""
    score = f"{halves(entry.award_home)}–{halves(entry.award_away)}"
    return _("%(score)s by decision of the league: %(reason)s") % {
        "score": score,
        "reason": entry.award_reason,
    }


def unfinished_words(board: Board) -> str:
    """That a game was not finished, and when it goes on, for a list; blank for any other."""
    if not board.unfinished:
        return ""
    label = Unfinished(board.unfinished).label
    if board.played_on is None:
        return str(label)
    words = {"unfinished": label, "day": date_format(board.played_on)}
    return _("%(unfinished)s, to be played on %(day)s") % words


def entry_words(entry: BoardEntry | None, match: Match, names: Mapping[int, str]) -> str:
    """A board of a card in one line: `Ronald J McVale 1–0 Siobhan O’Grange`."""
    if entry is None:
        return _("no game")
    home, away = (_who(who, names) for who in (entry.home, entry.away))
    by_award = award_words(entry.award, match.home.name, match.away.name)
    if by_award:
        return f"{home} – {away}, {by_award}"
    if entry.unfinished:
        return f"{home} {_('v')} {away}, {Unfinished(entry.unfinished).label}"
    if entry.award == Award.GIVEN:
        return f"{home} {_('v')} {away}, {given_words(entry)}"
    between = _("v") if entry.result is None else PLAYED[entry.result]
    return f"{home} {between} {away}"


def _who(who: int | NewPlayer | None, names: Mapping[int, str]) -> str:
    if who is None:
        return _("nobody")
    return str(who) if isinstance(who, NewPlayer) else names.get(who, _("somebody unknown"))
