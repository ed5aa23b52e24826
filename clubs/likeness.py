"""Which entries of a registry may be one person, and why: reasons for somebody who decides.

Pure. Nobody is ever merged by what stands here; a name is no proof. Entries are compared within
blocks (surname, words of the name, code, birth date, first name at a club), never all with all.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import combinations

from .names import fold
from .nicknames import called_alike


class Reason(StrEnum):
    """Why two entries may be one person."""

    CODE = "code"  # the same digits with another check letter
    BIRTH = "birth"
    NAME = "name"  # the same in every letter
    FOLDED = "folded"  # but for accents, apostrophes, hyphens or case
    TURNED = "turned"  # surname and forenames the other way round
    INITIAL = "initial"
    SHORTER = "shorter"  # one has more forenames
    NICKNAME = "nickname"
    SPELLING = "spelling"  # the surname differs in one letter
    CLUB = "club"


WEIGHTS = {
    Reason.CODE: 5,
    Reason.BIRTH: 4,
    Reason.NAME: 4,
    Reason.FOLDED: 4,
    Reason.TURNED: 3,
    Reason.INITIAL: 2,
    Reason.SHORTER: 3,
    Reason.NICKNAME: 2,
    Reason.SPELLING: 2,
    Reason.CLUB: 2,
}
# An initial, a nickname or a misspelling says little without a club or a birth date beside it.
ENOUGH = 3
# A surname that so many share says nothing by its initials: then names and clubs alone count.
LARGEST_BLOCK = 400


@dataclass(frozen=True, slots=True)
class Entry:
    """What is compared of a player; `clubs` are the pks of all he was ever a member of."""

    pk: int
    surname: str
    forenames: str
    ecf_code: str | None
    birth_date: date | None
    birth_year: int | None
    clubs: frozenset[int]

    @property
    def first_name(self) -> str:
        return next(iter(fold(self.forenames).split()), "")


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two entries (pks, the smaller first) and why they may be one person."""

    one: int
    other: int
    reasons: tuple[Reason, ...]

    @property
    def weight(self) -> int:
        return sum(WEIGHTS[reason] for reason in self.reasons)


def likenesses(entries: Iterable[Entry]) -> list[Likeness]:
    """The pairs that may be one person, the likeliest first."""
    found: dict[tuple[int, int], Likeness] = {}
    for block in _blocks(entries):
        for one, other in combinations(block, 2):
            if one.pk > other.pk:
                one, other = other, one
            key = (one.pk, other.pk)
            if key not in found:
                likeness = compare(one, other)
                if likeness is not None:
                    found[key] = likeness
    return sorted(found.values(), key=lambda pair: (-pair.weight, pair.one, pair.other))


def compare(one: Entry, other: Entry) -> Likeness | None:
    """The reasons why two entries may be one person; None if they are too few.

    Nobody has two birth dates, or two years of birth.
    """
    if _born_apart(one, other):
        return None
    reasons = [*_of_codes(one, other)]
    names = _of_names(one, other)
    reasons += [names] if names else []
    if one.birth_date and one.birth_date == other.birth_date and (reasons or _alike(one, other)):
        reasons.append(Reason.BIRTH)
    if reasons and one.clubs & other.clubs:
        reasons.append(Reason.CLUB)
    likeness = Likeness(one.pk, other.pk, tuple(reasons))
    return likeness if likeness.weight >= ENOUGH else None


def _blocks(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    blocks: dict[Hashable, list[Entry]] = defaultdict(list)
    for entry in entries:
        surname = fold(entry.surname).replace(" ", "")
        words = sorted(fold(f"{entry.forenames}, {entry.surname}").split())
        blocks["surname", surname].append(entry)
        blocks["words", tuple(words)].append(entry)
        if entry.ecf_code:
            blocks["code", entry.ecf_code[:6]].append(entry)
        if entry.birth_date:
            blocks["birth", entry.birth_date].append(entry)
        if entry.first_name:
            for club in entry.clubs:
                blocks["club", club, entry.first_name, surname[:1]].append(entry)
    for block in blocks.values():
        if 1 < len(block) <= LARGEST_BLOCK:
            yield block


def _of_codes(one: Entry, other: Entry) -> Iterator[Reason]:
    if one.ecf_code and other.ecf_code and one.ecf_code[:6] == other.ecf_code[:6]:
        yield Reason.CODE


def _of_names(one: Entry, other: Entry) -> Reason | None:
    """How the two names are like each other, if they are."""
    if (one.surname, one.forenames) == (other.surname, other.forenames):
        return Reason.NAME
    surnames = [fold(entry.surname).replace(" ", "") for entry in (one, other)]
    forenames = [fold(entry.forenames) for entry in (one, other)]
    if surnames[0] != surnames[1]:
        words = [sorted(fold(f"{e.forenames}, {e.surname}").split()) for e in (one, other)]
        if words[0] == words[1]:
            return Reason.TURNED
        is_spelling = forenames[0] and forenames[0] == forenames[1] and _one_letter(*surnames)
        return Reason.SPELLING if is_spelling else None
    if forenames[0].replace(" ", "") == forenames[1].replace(" ", ""):
        return Reason.FOLDED
    return _of_forenames(one, other)


def _of_forenames(one: Entry, other: Entry) -> Reason | None:
    first, second = one.first_name, other.first_name
    if not first or not second:
        return Reason.INITIAL
    if first == second:
        return Reason.SHORTER if _begins(one, other) or _begins(other, one) else None
    short, long = sorted((first, second), key=len)
    is_initials = len(short) <= 3 and long.startswith(short[0])
    if is_initials and (len(short) == 1 or short == _initials(one, other, short)):
        return Reason.INITIAL
    return Reason.NICKNAME if called_alike(first, second) else None


def _initials(one: Entry, other: Entry, short: str) -> str:
    """The initials of whichever of the two writes his forenames out."""
    full = other if one.first_name == short else one
    return "".join(word[0] for word in fold(full.forenames).split())


def _begins(one: Entry, other: Entry) -> bool:
    """Whether the further forenames of one agree with the other's, as far as he gives them."""
    own, others = fold(one.forenames).split(), fold(other.forenames).split()
    pairs = zip(own, others, strict=False)
    return len(own) <= len(others) and all(
        word == fuller or (len(word) == 1 and fuller.startswith(word)) for word, fuller in pairs
    )


def _alike(one: Entry, other: Entry) -> bool:
    """Whether anything of two names agrees; of people with one birth date that is enough."""
    same_surname = fold(one.surname) == fold(other.surname)
    same_first = one.first_name == other.first_name or called_alike(one.forenames, other.forenames)
    return same_surname or bool(same_first)


def _born_apart(one: Entry, other: Entry) -> bool:
    if one.birth_date and other.birth_date:
        return one.birth_date != other.birth_date
    years = [e.birth_date.year if e.birth_date else e.birth_year for e in (one, other)]
    return None not in years and years[0] != years[1]


def _one_letter(one: str, other: str) -> bool:
    """Whether one letter is another, missing or too many, or two neighbours are exchanged."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < 4:
        return False
    start = next(
        (n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), -1
    )
    if start < 0:
        return True
    rest = (one[start:], other[start:])
    return (
        rest[0][1:] == rest[1][1:]
        or rest[0][1:] == rest[1]
        or rest[0] == rest[1][1:]
        or (rest[0][:2] == rest[1][1::-1] and rest[0][2:] == rest[1][2:])
    )
