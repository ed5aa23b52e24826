"""A cup as its pages and files show it: rounds as columns of ties, a team's run, rows of a file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from clubs.twins import points
from games.matches.result_lists import day_words, span_words
from games.models import Division, Match, Team

from .cup_brackets import Bracket, DrawnTie, Round, brackets_of
from .cup_words import cup_progress_words, round_name, rules_sentences, tie_words


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a tie: its name and page, half-points match by match; no page: not known yet.

    `seed` is its place among the seeded teams, None for the others.
    """

    name: str
    address: str
    scores: tuple[int, ...]
    won: bool
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One tie: two sides (a bye has one), its matches by page, day and name, and what is said.

    `pk` is None while the tie is not made.
    """

    number: int
    sides: tuple[Side, ...]
    matches: tuple[tuple[str, str, str], ...]
    words: str
    pk: int | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A round: its name, its days in words, its ties from the top down."""

    number: int
    name: str
    when: str
    lines: tuple[Line, ...]


def columns_of(bracket: Bracket, today: date) -> list[Column]:
    """The rounds that are drawn, and of a bracket those to come."""
    columns = [_drawn_column(bracket, each, today) for each in bracket.rounds]
    if bracket.is_bracket and columns:
        for number in range(len(columns) + 1, len(bracket.lines) + 1):
            lines = [
                _line_to_come(bracket, number, n + 1) for n in range(bracket.lines[number - 1])
            ]
            name = round_name(bracket.lines[number - 1], number)
            columns.append(Column(number, name, "", tuple(lines)))
    return columns


def cups_in_short(
    cups: Sequence[Division], today: date
) -> list[tuple[Division, str, Column | None]]:
    """Each cup with how far it is and the ties of its last round."""
    brackets = brackets_of(cups)
    found = []
    for cup in cups:
        bracket = brackets[cup.pk]
        column = _drawn_column(bracket, bracket.last, today) if bracket.last else None
        found.append((cup, cup_progress_words(bracket), column))
    return found


def run_of(bracket: Bracket, team: Team) -> list[tuple[str, str]]:
    """A team's way through the cup: each round with what is said of its tie."""
    found = []
    for each, tie in bracket.run_of(team):
        said = tie_words(tie)
        if tie.away is not None:
            versus = _("%(home)s v %(away)s.") % {"home": tie.home.name, "away": tie.away.name}
            said = f"{versus} {said}".strip()
        found.append((each.name, said))
    return found


def _drawn_column(bracket: Bracket, each: Round, today: date) -> Column:
    lines = {tie.number: _line(tie, today) for tie in each.ties}
    if bracket.is_bracket:
        for number in range(1, bracket.lines[each.number - 1] + 1):
            if number not in lines:
                lines[number] = _line_to_come(bracket, each.number, number)
    days = sorted(m.played_on for tie in each.ties for m in tie.matches if m.played_on)
    when = span_words(days[0], days[-1], today) if days else ""
    return Column(each.number, each.name, when, tuple(lines[n] for n in sorted(lines)))


def _line(tie: DrawnTie, today: date) -> Line:
    sides = [_side(tie, tie.home)]
    if tie.away is not None:
        sides.append(_side(tie, tie.away))
    matches = tuple(
        (match.get_absolute_url(), _when(match, today), str(match)) for match in tie.matches
    )
    return Line(tie.number, tuple(sides), matches, tie_words(tie), tie.tie.pk)


def _side(tie: DrawnTie, team: Team) -> Side:
    scores = tuple(
        match.home_points if match.home_id == team.pk else match.away_points
        for match in tie.matches
        if match.home_points is not None
    )
    won = tie.winner is not None and tie.winner.pk == team.pk
    return Side(team.name, team.get_absolute_url(), scores, won, team.seed)


def _line_to_come(bracket: Bracket, round: int, number: int) -> Line:
    """A tie that is not made yet, its sides as far as they are known."""
    feeders = [_feeder(bracket, round - 1, 2 * number - 1), _feeder(bracket, round - 1, 2 * number)]
    return Line(number, tuple(feeders), (), "")


def _feeder(bracket: Bracket, round: int, number: int) -> Side:
    ties = bracket.rounds[round - 1].ties if round <= len(bracket.rounds) else ()
    tie = next((each for each in ties if each.number == number), None)
    if tie is None:
        name = round_name(bracket.lines[round - 1], round)
        words = _("winner of %(round)s, tie %(number)s") % {"round": name, "number": number}
        return Side(words, "", (), False)
    if tie.winner is not None:
        return Side(tie.winner.name, tie.winner.get_absolute_url(), (), False)
    words = _("%(home)s or %(away)s") % {"home": tie.home.name, "away": tie.away.name}
    return Side(words, "", (), False)


def _when(match: Match, today: date) -> str:
    return day_words(match.played_on, today, weekday=False) if match.played_on else _("no date yet")


# Files ------------------------------------------------------------------------------------------

TIE_COLUMNS = (
    *("round", "round_name", "tie", "home", "away", "bye", "home_points", "away_points"),
    *("winner", "decided_by", "words", "date", "url"),
)


def cup_head(bracket: Bracket) -> dict:
    """What the JSON file says of the cup as a whole."""
    division = bracket.division
    return {
        "kind": division.kind,
        "winner": bracket.champion and bracket.champion.name,
        "draw_mode": division.draw_mode,
        "settling": list(division.settling),
        "notes": rules_sentences(bracket),
        "updated_at": division.changed_at,
    }


def tie_rows(bracket: Bracket) -> Iterable[dict]:
    """A row for each tie; its points are those of all its legs, its matches stand in JSON alone."""
    for each in bracket.rounds:
        for tie in each.ties:
            score = tie.stands.steps[0] if tie.stands.steps else None
            first = tie.matches[0] if tie.matches else None
            yield {
                "round": each.number,
                "round_name": each.name,
                "tie": tie.number,
                "home": tie.home.name,
                "away": tie.away and tie.away.name,
                "bye": tie.away is None,
                "home_points": score and points(score.first),
                "away_points": score and points(score.second),
                "winner": tie.winner and tie.winner.name,
                "decided_by": str(tie.stands.steps[-1].way) if tie.by == "boards" else tie.by,
                "words": tie_words(tie),
                "date": first and first.played_on,
                "url": first and first.get_absolute_url(),
                "matches": [_match_row(match) for match in tie.matches],
            }


def _match_row(match: Match) -> dict:
    return {
        "home": match.home.name,
        "away": match.away.name,
        "home_points": points(match.home_points),
        "away_points": points(match.away_points),
        "round_label": match.round_label,
        "date": match.played_on,
        "state": match.state,
        "url": match.get_absolute_url(),
    }


def team_head(bracket: Bracket, team: Team) -> dict:
    """What a team's file says of a cup, which gives it no place in a table."""
    nothing = dict.fromkeys(("position", "shared", "match_points", "game_points"))
    ties = [{"round_name": name, "words": words} for name, words in run_of(bracket, team)]
    return nothing | {"ties": ties}
