"""A results file of one of our own events beside what was sent: where the two differ."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.names import fold
from games.models import Submission, SubmittedEvent
from ratings.ecf_results_entries import PlayerEntry, ResultsFile
from ratings.ecf_results_file import read_results_file

OUTCOMES = {2: "1-0", 1: "1/2-1/2", 0: "0-1"}
COLOURS = {1: "white", 2: "black", 0: "unknown"}


class Meeting(NamedTuple):
    """Which game it is: who sat where, on what day and board, the how many-eth so."""

    first: str
    second: str
    played_on: date
    board: int
    nth: int

    def __str__(self):
        words = {"first": self.first, "second": self.second, "day": self.played_on}
        return _("%(first)s v %(second)s, %(day)s, board %(board)d") % {
            **words,
            "board": self.board,
        }


class Said(NamedTuple):
    """What a file says of a game: the first side's half-points and colour."""

    halves: int
    white: int

    def __str__(self):
        return f"{OUTCOMES[self.halves]} ({COLOURS[self.white]})"


def compare_with_sent(found: ResultsFile, event: SubmittedEvent, today: date) -> list[str]:
    """A sentence for what the file is compared with, and one for each difference.

    It is compared with the submission of its own index, or with the last one.
    """
    submissions = event.submissions.all()
    sent = submissions.filter(index=found.event.index).first() or submissions.first()
    if sent is None:
        sentence = _("%s is an event of our own, of which nothing was sent yet; nothing is stored.")
        return [sentence % event.code]
    return [
        _compared_words(found, sent),
        *(_differences(found, _read(sent, today)) or [_("Equal.")]),
    ]


def _compared_words(found: ResultsFile, sent: Submission) -> str:
    words = {"code": found.event.code, "file": sent.file_name, "index": found.event.index}
    if sent.index == found.event.index:
        sentence = _("%(code)s is an event of our own: compared with %(file)s, nothing is stored.")
    else:
        sentence = _(
            "%(code)s is an event of our own, and index %(index)d was never sent from here:"
            " compared with %(file)s, nothing is stored."
        )
    return sentence % words


def _read(sent: Submission, today: date) -> ResultsFile:
    return read_results_file(sent.text.encode(), today)


def _differences(found: ResultsFile, sent: ResultsFile) -> list[str]:
    here, there = _games(sent), _games(found)
    lines = list(_head_differences(found, sent))
    for meeting in sorted(there.keys() - here.keys()):
        lines.append(
            _("In the file, never sent: %(game)s, %(said)s.")
            % {"game": meeting, "said": there[meeting]}
        )
    for meeting in sorted(here.keys() - there.keys()):
        lines.append(
            _("Sent, not in the file: %(game)s, %(said)s.")
            % {"game": meeting, "said": here[meeting]}
        )
    for meeting in sorted(here.keys() & there.keys()):
        if here[meeting] != there[meeting]:
            words = {"game": meeting, "sent": here[meeting], "file": there[meeting]}
            lines.append(_("%(game)s: sent as %(sent)s, the file says %(file)s.") % words)
    return lines


def _head_differences(found: ResultsFile, sent: ResultsFile) -> Iterator[str]:
    for name in ("name", "starts_on", "ends_on", "minutes", "increment_seconds"):
        ours, theirs = getattr(sent.event, name), getattr(found.event, name)
        if ours != theirs:
            words = {"name": name.replace("_", " "), "sent": ours, "file": theirs}
            yield _("Event, %(name)s: sent as %(sent)s, the file says %(file)s.") % words


def _games(file: ResultsFile) -> dict[Meeting, Said]:
    games: dict[Meeting, Said] = {}
    times: Counter[tuple] = Counter()
    for game in file.games:
        first, second = (_called(file.players[pin]) for pin in (game.first, game.second))
        sides = (first, second, game.played_on, game.board)
        times[sides] += 1
        games[Meeting(*sides, times[sides])] = Said(game.halves, game.white)
    return games


def _called(entry: PlayerEntry) -> str:
    """A person by code, else by name: PINs are another file's own."""
    return entry.code or fold(entry.listed_name)
