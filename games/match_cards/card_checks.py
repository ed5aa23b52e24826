"""What cannot be stored of a card, in sentences that stand at the row."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from django.utils.translation import gettext as _

from clubs.models import Player
from clubs.names import search_key
from games.matches.result_lists import day_words
from games.models import Award, Board

from .card_entries import MAX_BOARDS, BoardEntry, NewPlayer

SIDES = ("home", "away")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a board cannot be stored: the finding, then what to do; `side` is whose field it is."""

    finding: str
    advice: str
    side: str | None = None

    def __str__(self):
        return f"{self.finding} {self.advice}".strip()


Problems = dict[int, list[Problem]]


def find_problems(
    boards: Sequence[BoardEntry],
    people: Mapping[int, Player],
    *,
    played_on: date | None,
    today: date,
) -> Problems:
    """What cannot be stored, by board number; 0 is the day of the match, `played_on`.

    The match is locked; `people` are those named who are in the registry, held there.
    """
    merged = {pk: person for pk, person in people.items() if person.merged_into_id is not None}
    names = {pk: str(person) for pk, person in people.items() if pk not in merged}
    problems = problems_of(boards, names, merged)
    for number, found in _to_come(boards, played_on, today).items():
        problems.setdefault(number, []).append(found)
    return problems


def problems_of(
    boards: Sequence[BoardEntry],
    names: Mapping[int, str],
    merged: Mapping[int, Player] = MappingProxyType({}),
) -> Problems:
    """What cannot be stored, by board number; `names` holds every player there is by his pk.

    `merged` are those who were merged into another since the card was opened.
    """
    problems: Problems = {}
    numbers = Counter(entry.number for entry in boards)
    seats: dict[object, int] = {}
    for entry in boards:
        found = [*_of_result(entry), *_of_players(entry, seats, names, merged)]
        if not 1 <= entry.number <= MAX_BOARDS or numbers[entry.number] > 1:
            found.append(Problem(_("No such board."), _("Boards go from 1 to 16, each once.")))
        if found:
            problems.setdefault(entry.number, []).extend(found)
    return problems


def problems_of_awards(old: Iterable[Board], boards: Iterable[BoardEntry]) -> Problems:
    """The boards for which the league would give other points than are stored, in words."""
    given = {board.number: _given(board) for board in old}
    entered = {entry.number: _given(entry) for entry in boards}
    finding = _("The league decides the points of this board.")
    advice = _("Only its officer gives them, changes them or takes them back.")
    return {
        number: [Problem(finding, advice)]
        for number in sorted({*given, *entered})
        if given.get(number) != entered.get(number)
    }


def _given(board: Board | BoardEntry) -> tuple | None:
    if board.award != Award.GIVEN:
        return None
    return board.award_home, board.award_away, board.award_reason


def _to_come(
    boards: Sequence[BoardEntry], played_on: date | None, today: date
) -> dict[int, Problem]:
    """The results and awards of a day after today, by board; 0 is those of the match's own day.

    A line-up may be known before the day, a result may not.
    """
    problems = {}
    for entry in boards:
        day = played_on if entry.played_on is None else entry.played_on
        if (entry.result is None and entry.award is None) or day is None or day <= today:
            continue
        words = {"day": day_words(day, today, weekday=False)}
        if entry.played_on is None:
            finding = _("This match is on %(day)s.") % words
            problems[0] = Problem(finding, _("If it was played already, enter its day."))
        else:
            finding = _("This board is on %(day)s.") % words
            problems[entry.number] = Problem(finding, _("It has no result before that day."))
    return problems


def _of_result(entry: BoardEntry) -> Iterator[Problem]:
    for side, award in (("home", Award.HOME_DEFAULT), ("away", Award.AWAY_DEFAULT)):
        missing = getattr(entry, side) is None
        if missing and entry.award == award:
            yield Problem(_("Who won by default?"), _("Choose the player who was there."), side)
        elif missing and entry.award is None and entry.result is not None:
            yield Problem(
                _("A result without a player."),
                _("Choose who played, or a default in the menu of this board."),
                side,
            )


def _of_players(
    entry: BoardEntry,
    seats: dict[object, int],
    names: Mapping[int, str],
    merged: Mapping[int, Player],
) -> Iterator[Problem]:
    """The problems of whoever sits at this board; notes in `seats` that they do."""
    for side in SIDES:
        who = getattr(entry, side)
        if who is None:
            continue
        if who in merged:
            yield Problem(
                _("Entered twice in the registry."),
                _("%(name)s is the same person as %(kept)s: choose that name.")
                % {"name": merged[who], "kept": merged[who].merged_into},
                side,
            )
            continue
        if isinstance(who, int) and who not in names:
            yield Problem(_("Not in the registry any more."), _("Choose another player."), side)
            continue
        is_new = isinstance(who, NewPlayer)
        person = (who.club_id, search_key(who.surname, who.forenames)) if is_new else who
        name = str(who) if is_new else names[who]
        if person not in seats:
            seats[person] = entry.number
        elif seats[person] == entry.number:
            yield Problem(
                _("On both sides."),
                _("%(name)s cannot play this game alone. Choose the other player.")
                % {"name": name},
                side,
            )
        else:
            yield Problem(
                _("Twice on this card."),
                _("%(name)s is on board %(board)s as well. Choose who played board %(this)s.")
                % {"name": name, "board": seats[person], "this": entry.number},
                side,
            )
