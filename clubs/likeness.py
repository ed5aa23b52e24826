"""Which entries of a registry may be one person, and why: reasons for somebody who decides.

Pure. Nobody is ever merged by what stands here; a name is no proof. Entries are compared within
blocks (surname, words of the name, code, birth date, first name at a club), never all with all.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
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
    NICKNAME = "nickname"  # or the beginning of a forename
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


@dataclass(frozen=True)
class Entry:
    """What is compared of a player; `clubs` are the pks of all he was ever a member of."""

    pk: int
    surname: str
    forenames: str
    ecf_code: str | None
    birth_date: date | None
    birth_year: int | None
    clubs: frozenset[int]

    # Each is compared with many others.
    @cached_property
    def family(self) -> str:
        """The folded surname without spaces."""
        return fold(self.surname).replace(" ", "")

    @cached_property
    def given(self) -> tuple[str, ...]:
        """The folded forenames."""
        return tuple(fold(self.forenames).split())

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All folded words of the name, in the order of the alphabet."""
        return tuple(sorted((*self.given, *fold(self.surname).split())))

    @property
    def first_name(self) -> str:
        return self.given[0] if self.given else ""

    @property
    def year(self) -> int | None:
        """The year of birth, from either column."""
        return self.birth_date.year if self.birth_date else self.birth_year


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
        blocks["surname", entry.family].append(entry)
        blocks["words", entry.words].append(entry)
        if entry.ecf_code:
            blocks["code", entry.ecf_code[:6]].append(entry)
        if entry.birth_date:
            blocks["birth", entry.birth_date].append(entry)
        if entry.first_name:
            for club in entry.clubs:
                blocks["club", club, entry.first_name, entry.family[:1]].append(entry)
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
    if one.family != other.family:
        if one.words == other.words:
            return Reason.TURNED
        is_spelling = one.given and one.given == other.given
        return Reason.SPELLING if is_spelling and _one_letter(one.family, other.family) else None
    if "".join(one.given) == "".join(other.given):
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
    is_cut = len(short) >= 3 and long.startswith(short)
    return Reason.NICKNAME if is_cut or called_alike(first, second) else None


def _initials(one: Entry, other: Entry, short: str) -> str:
    """The initials of whichever of the two writes his forenames out."""
    full = other if one.first_name == short else one
    return "".join(word[0] for word in full.given)


def _begins(one: Entry, other: Entry) -> bool:
    """Whether the further forenames of one agree with the other's, as far as he gives them."""
    pairs = zip(one.given, other.given, strict=False)
    return len(one.given) <= len(other.given) and all(
        word == fuller or (len(word) == 1 and fuller.startswith(word)) for word, fuller in pairs
    )


def _alike(one: Entry, other: Entry) -> bool:
    """Whether anything of two names agrees; of people with one birth date that is enough."""
    if one.family == other.family or one.first_name == other.first_name:
        return True
    return called_alike(one.first_name, other.first_name)


def _born_apart(one: Entry, other: Entry) -> bool:
    if one.birth_date and other.birth_date:
        return one.birth_date != other.birth_date
    return None not in (one.year, other.year) and one.year != other.year


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
