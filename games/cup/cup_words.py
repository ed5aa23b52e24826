"""What is said of a cup: how a tie was won, what it waits for, where the cup stands."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.dates import date_format
from clubs.templatetags.wording import colon
from games.division_tables.table_words import number_word
from games.models import Match, SettledBy, TieDecision
from games.templatetags.topboard import halves

from . import cup_ties
from .cup_brackets import BYE, WITHDRAWN, Bracket, DrawnTie, bracket_of

# What the ways to settle a level tie mean; a replay and a toss say it themselves.
WAY_SENTENCES = {
    SettledBy.BOARD_COUNT: gettext_lazy(
        "Board count: the numbers of the boards won are added up, and the lower sum wins."
    ),
    SettledBy.ELIMINATION: gettext_lazy(
        "Elimination: the last board is left out, then the last two, and so on, until one side "
        "leads."
    ),
    SettledBy.BLACKS: gettext_lazy(
        "Blacks on odd boards: where every game is drawn, whoever had Black more often on boards "
        "1, 3, 5 and so on wins."
    ),
}


def round_name(ties: int, number: int) -> str:
    """What a round of so many ties, byes among them, is called."""
    names = {1: _("Final"), 2: _("Semi-final"), 4: _("Quarter-final")}
    return names.get(ties) or _("Round %(number)s") % {"number": number}


def tie_words(drawn: DrawnTie) -> str:
    """`Ashdown A go through: 3–3; board count 7 to 8, the lower the better.`; "" before a match."""
    played = steps_words(drawn)
    if drawn.winner is None:
        return _waiting_words(drawn, played)
    team = drawn.winner.name
    if drawn.by == BYE:
        return _("%(team)s have a bye.") % {"team": team}
    if drawn.by == WITHDRAWN:
        words = _("%(team)s go through: %(other)s have withdrawn.")
        return words % {"team": team, "other": drawn.loser.name}
    if drawn.by == TieDecision.TOSS:
        words = _("%(team)s go through: %(steps)s; they won the toss")
        said = words % {"team": team, "steps": played}
        return _ended(f"{said}{colon()}{drawn.tie.reason}" if drawn.tie.reason else said)
    if drawn.by == TieDecision.WALK_OVER:
        words = _("%(team)s go through by a walk-over: %(reason)s")
        return _ended(words % {"team": team, "reason": drawn.tie.reason})
    if drawn.by == TieDecision.AWARD:
        words = _("%(team)s go through by decision of the league: %(reason)s")
        return _ended(words % {"team": team, "reason": drawn.tie.reason})
    return _("%(team)s go through: %(steps)s.") % {"team": team, "steps": played}


def tie_words_of(match: Match) -> str:
    """What is said of the tie that a match of a cup belongs to; "" for none."""
    tie = bracket_of(match.division).tie_of(match)
    return tie_words(tie) if tie else ""


def _waiting_words(drawn: DrawnTie, played: str) -> str:
    if drawn.stands.awaits == cup_ties.REPLAY:
        return _("%(steps)s: a replay is to be played.") % {"steps": played}
    if drawn.stands.awaits == cup_ties.OFFICER:
        words = _("%(steps)s: the toss is to decide, or the league’s officer.")
        return words % {"steps": played}
    if not played:
        return ""
    return _("%(steps)s so far.") % {"steps": played}


def steps_words(drawn: DrawnTie) -> str:
    """Each comparison in words and figures, those of the home side first."""
    return "; ".join(_step_words(step, drawn) for step in drawn.stands.steps)


def _step_words(step: cup_ties.Step, drawn: DrawnTie) -> str:
    if step.way == cup_ties.BOARD_COUNT:
        words = _("board count %(first)s to %(second)s, the lower the better")
        return words % {"first": step.first, "second": step.second}
    if step.way == cup_ties.BLACKS:
        words = _("all drawn, Blacks on odd boards %(first)s to %(second)s")
        return words % {"first": step.first, "second": step.second}
    score = f"{halves(step.first)}–{halves(step.second)}"
    if step.way == cup_ties.ELIMINATION:
        return ngettext(
            "without the last board %(score)s",
            "without the last %(count)s boards %(score)s",
            step.left_out,
        ) % {"score": score, "count": number_word(step.left_out)}
    return _score_words(step, drawn, score)


def _score_words(step: cup_ties.Step, drawn: DrawnTie, score: str) -> str:
    legs = drawn.tie.cup_round.division.legs
    own = drawn.starts[legs - 1 + step.replay :][:1] if step.replay else drawn.starts[:legs]
    start = [sum(side) for side in zip(*own, strict=True)] or [0, 0]
    if step.replay:
        score = _("in the replay %(score)s") % {"score": score}
    elif legs > 1 and len(drawn.starts) >= legs:
        score = _("%(score)s over two matches") % {"score": score}
    if start[0] == start[1]:
        return score
    team = drawn.home if start[0] > start[1] else drawn.away
    words = _("%(score)s with a start of %(start)s for %(team)s")
    points = {"start": halves(abs(start[0] - start[1])), "team": team.name}
    return words % {"score": score, **points}


def cup_state_words(bracket: Bracket) -> str:
    """A cup in three words: who has won it, which round it is in."""
    if bracket.champion is not None:
        return _("Won by %(team)s") % {"team": bracket.champion.name}
    return bracket.last.name if bracket.last else _("Not drawn yet")


def cup_progress_words(bracket: Bracket) -> str:
    """How far the cup is: `Semi-final, 1 of 2 ties decided`."""
    if bracket.champion is not None:
        return _("Won by %(team)s") % {"team": bracket.champion.name}
    if bracket.last is None:
        return _("Not drawn yet")
    done, every = sum(t.winner is not None for t in bracket.last.ties), len(bracket.last.ties)
    words = ngettext(
        "%(round)s, %(done)s of %(every)s tie decided",
        "%(round)s, %(done)s of %(every)s ties decided",
        every,
    )
    return words % {"round": bracket.last.name, "done": done, "every": every}


def rules_sentences(bracket: Bracket) -> list[str]:
    """How the cup is drawn and its ties are settled, in sentences."""
    division = bracket.division
    said = [
        _("A level tie is settled by the first of these that decides: %(ways)s.")
        % {"ways": ", ".join(str(SettledBy(way).label) for way in division.settling)}
        if division.settling
        else _("What becomes of a level tie the league’s officer decides.")
    ]
    said += [str(WAY_SENTENCES[way]) for way in division.settling if way in WAY_SENTENCES]
    if division.handicap_points is not None:
        said.append(
            ngettext(
                "A team starts with half a game point for each %(count)s point by which its total "
                "is the lower.",
                "A team starts with half a game point for each %(count)s points by which its total "
                "is the lower.",
                division.handicap_points,
            )
            % {"count": division.handicap_points}
        )
    said += lot_sentences(bracket)
    return said


def lot_sentences(bracket: Bracket) -> Iterable[str]:
    """From which number each draw follows: anybody can work it out again."""
    for each in bracket.rounds[:1] if bracket.is_bracket else bracket.rounds:
        yield _("%(round)s was drawn on %(day)s with the number %(lot)s.") % {
            "round": each.name,
            "day": date_format(each.drawn.drawn_at, "j F Y"),
            "lot": each.drawn.lot,
        }


def _ended(text: str) -> str:
    text = text.rstrip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
