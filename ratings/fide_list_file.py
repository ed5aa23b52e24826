"""Reading FIDE's list: fixed columns whose places stand in the header line, a million rows."""

import codecs
import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from django.utils.translation import gettext as _

from clubs.sheets import Problem

from .models import PoolName, System
from .outside_rows import ListKey, OutsideFile, OutsideRow, OutsideValue
from .player_file import RATINGS

# The list of all three ratings names them; a list of one is headed by its month, as OCT26.
RATING_HEADS = {
    "srtng": PoolName.STANDARD.value,
    "rrtng": PoolName.RAPID.value,
    "brtng": PoolName.BLITZ.value,
}
# With the sentence that the rest was not read it is as many lines as a command prints.
MOST_PROBLEMS = 49

_MONTH = re.compile(r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[0-9]{2}", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,9}")


class Places(NamedTuple):
    """Where the columns stand: the slices of number and name, and of each rating."""

    number: slice
    name: slice
    ratings: list[tuple[str, slice, ListKey]]


def read_fide_list(file: BinaryIO, pool: str) -> OutsideFile:
    """The lists and rows of a text file of fixed columns, read line by line.

    A list of one rating does not say which it is: it is taken for that of `pool`. A rating of 0
    is none. Reading ends after `MOST_PROBLEMS`.
    """
    number, header = 0, ""
    for number, line in enumerate(file, 1):  # noqa: B007  (the number is used below)
        header = text_of(line.removeprefix(codecs.BOM_UTF8))
        if header.strip():
            break
    places = places_of(header, pool)
    if places is None:
        sentence = _(
            "expected FIDE's header line, with ID Number, Name, and SRtng or a month such as OCT26"
        )
        return OutsideFile(problems=[Problem(max(number, 1), "", "", sentence)])
    found = OutsideFile(lists=[key for _head, _place, key in places.ratings])
    found.rows = _rows(file, number, places, found.problems)
    if _MONTH.fullmatch(places.ratings[0][0]):
        words = {"head": places.ratings[0][0], "pool": PoolName(pool).label.lower()}
        sentence = _("One rating, headed %(head)s: taken for %(pool)s, or say --pool.")
        found.notices.append(sentence % words)
    return found


def text_of(line: bytes) -> str:
    """A line's characters: UTF-8, or Latin-1 where it is not; columns are cut after decoding."""
    line = line.rstrip(b"\r\n")
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def places_of(header: str, pool: str) -> Places | None:
    """The places of the columns by their heads; None if it is no header of FIDE's."""
    heads = [(match.group(), match.start()) for match in re.finditer(r"\S+", header)]
    if not heads or not heads[0][0].lower().startswith("id"):
        return None
    ends = [*(start for _head, start in heads[1:]), None]
    columns = [(head, slice(start, end)) for (head, start), end in zip(heads, ends, strict=True)]
    name = next((place for head, place in columns if head.lower() == "name"), None)
    ratings = [
        (head, place, ListKey(RATING_HEADS[head.lower()], "", System.ELO.value))
        for head, place in columns
        if head.lower() in RATING_HEADS
    ] or [
        (head, place, ListKey(pool, "", System.ELO.value))
        for head, place in columns
        if _MONTH.fullmatch(head)
    ][:1]
    if name is None or not ratings:
        return None
    return Places(slice(columns[0][1].start, name.start), name, ratings)


def _rows(
    file: BinaryIO, header: int, places: Places, problems: list[Problem]
) -> Iterator[OutsideRow]:
    for number, line in enumerate(file, header + 1):
        text = text_of(line)
        if not text.strip():
            continue
        row = _row(number, text, places, problems)
        if row is not None:
            yield row
        elif len(problems) >= MOST_PROBLEMS:
            problems.append(Problem(number + 1, "", "", _("and so on; the rest was not read")))
            return


def _row(number: int, text: str, places: Places, problems: list[Problem]) -> OutsideRow | None:
    """What a line says, or None if something in it is wrong."""
    fide_id = text[places.number].strip()
    wrong = []
    if not _NUMBER.fullmatch(fide_id) or not int(fide_id):
        wrong.append(Problem(number, "ID Number", fide_id, _("expected digits")))
    values = []
    for head, place, key in places.ratings:
        value = text[place].strip()
        if not value or value == "0":
            continue
        if _NUMBER.fullmatch(value) and int(value) in RATINGS:
            values.append(OutsideValue(key, int(value)))
        else:
            expected = _("expected a whole number up to %d, or 0 for none") % RATINGS[-1]
            wrong.append(Problem(number, head, value, expected))
    problems += wrong
    if wrong:
        return None
    return OutsideRow(number, None, int(fide_id), text[places.name].strip(), tuple(values))
