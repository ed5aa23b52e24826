"""Who may stand in the registry twice: reasons that a person weighs, and never more than that."""

from datetime import date

import pytest

from clubs.likeness import Entry, Likeness, Reason, compare, likenesses
from clubs.nicknames import called_alike


def entry(pk, surname, forenames="", code=None, birth=None, year=None, clubs=()):
    return Entry(pk, surname, forenames, code, birth, year, frozenset(clubs))


def reasons(one, other) -> list[str]:
    found = compare(one, other)
    return [str(reason) for reason in found.reasons] if found else []


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (("Müller", "Élodie"), ("MULLER", "ELODIE"), ["folded"]),
        (("O'Brien", "Ann"), ("O’Brien", "Ann"), ["folded"]),
        (("Harte-Wynne", "Guy"), ("Harte Wynne", "Guy"), ["folded"]),
        (("Smith", "John"), ("Smith", "John"), ["name"]),
        (("John", "Smith"), ("Smith", "John"), ["turned"]),
        (("Smith", "John A"), ("Smith", "John"), ["shorter"]),
        (("Smith", "John Albert"), ("Smith", "John A"), ["shorter"]),
        (("Smith", "John"), ("Smith", "Jane"), []),
        (("Smith", "John B"), ("Smith", "John A"), []),
        # These say too little without a club or a birth date.
        (("Smith", "J"), ("Smith", "John"), []),
        (("Smith", "Bill"), ("Smith", "William"), []),
        (("Smyth", "John"), ("Smith", "John"), []),
    ],
)
def test_names_alone(one, other, why):
    assert reasons(entry(1, *one), entry(2, *other)) == why


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (("Smith", "J"), ("Smith", "John"), ["initial", "club"]),
        (("Ibbot", "DEF"), ("Ibbot", "David Edward Frank"), ["initial", "club"]),
        (("Smith", ""), ("Smith", "John"), ["initial", "club"]),
        (("Smith", "Bill"), ("Smith", "William"), ["nickname", "club"]),
        (("McVale", "Ron"), ("Mcvale", "Ronald J"), ["nickname", "club"]),
        (("Garvey", "Des"), ("Garvey", "Desmond"), ["nickname", "club"]),
        (("Smith", "Rosa"), ("Smith", "Rosalind P"), ["nickname", "club"]),
        (("Smith", "Jo"), ("Smith", "John"), []),
        (("Lovel", "Maureen"), ("Lovell", "Maureen"), ["spelling", "club"]),
        (("Lovlel", "Maureen"), ("Lovell", "Maureen"), ["spelling", "club"]),
        (("Smith", "John"), ("Smith", "Peter"), []),
        (("Tso", "Kam"), ("Tsu", "Kam"), []),  # of three letters one is much
    ],
)
def test_names_at_one_club(one, other, why):
    assert reasons(entry(1, *one, clubs=[7]), entry(2, *other, clubs=[7, 8])) == why


def test_codes_and_birth_dates():
    day = date(1960, 2, 2)
    coded = entry(1, "Smith", "John", code="177810K")
    assert reasons(coded, entry(2, "Jones", "Ann", code="177810A")) == ["code"]
    assert reasons(coded, entry(2, "Smith", "Peter", code="177811K")) == []
    born = entry(1, "Smith", "John", birth=day)
    assert reasons(born, entry(2, "Jones", "John", birth=day)) == ["birth"]
    assert reasons(born, entry(2, "Smith", "Jack", birth=day)) == ["nickname", "birth"]
    assert reasons(born, entry(2, "Jones", "Ann", birth=day)) == []


def test_nobody_is_born_twice():
    one = entry(1, "Smith", "John", birth=date(1960, 2, 2))
    assert reasons(one, entry(2, "Smith", "John", birth=date(1960, 2, 3))) == []
    assert reasons(one, entry(2, "Smith", "John", year=1961)) == []
    assert reasons(one, entry(2, "Smith", "John", year=1960)) == ["name"]


def test_the_likeliest_pairs_come_first_each_once():
    people = [
        entry(4, "Smith", "John", clubs=[1]),
        entry(2, "Smith", "John", clubs=[1]),
        entry(3, "Smith", "J", clubs=[1]),
        entry(1, "Jones", "Ann", clubs=[1]),
    ]
    assert likenesses(people) == [
        Likeness(2, 4, (Reason.NAME, Reason.CLUB)),
        Likeness(2, 3, (Reason.INITIAL, Reason.CLUB)),
        Likeness(3, 4, (Reason.INITIAL, Reason.CLUB)),
    ]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("bill", "william", True),
        ("billy", "willy", True),
        ("kate", "catherine", True),
        ("des", "desmond", True),
        ("prue", "prudence", True),
        ("john", "john", False),  # that is the same name
        ("john", "peter", False),
        ("", "john", False),
    ],
)
def test_nicknames(one, other, alike):
    assert called_alike(one, other) is alike
