"""What two entries of one person say of him: taken over, in conflict, and put back.

The kept entry's word stands; where it says nothing, the other's is taken, and where both say
something else, somebody has to choose. So he has where the other entry alone says that the name
of somebody who may be a junior is shown. A code that was not taken stays with the dropped entry
and leads from there to the kept one.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext_lazy as _

from clubs.juniors import is_known_adult
from clubs.models import Player

KEPT, DROPPED = "kept", "dropped"


@dataclass(frozen=True, slots=True)
class Fact:
    """Columns of a player that go together; those of a unique fact are never two players'."""

    name: str
    label: str
    columns: tuple[str, ...]
    unique: bool = False

    def of(self, player: Player) -> tuple:
        """What the player's entry says, None for each column that says nothing."""
        values = (getattr(player, column) for column in self.columns)
        return tuple(None if value == "" else value for value in values)

    def shown(self, player: Player) -> str:
        """The same in words."""
        if self.name == "name_consent":
            return str({None: _("not asked"), True: _("yes")}.get(player.name_consent, _("no")))
        if self.name == "gender":
            return player.get_gender_display() or ""
        return str(next((value for value in self.of(player) if value is not None), ""))


FACTS = (
    Fact("ecf_code", _("ECF code"), ("ecf_code",), unique=True),
    Fact(
        "membership_number",
        _("membership number"),
        ("membership_number", "membership_expires_on"),
        unique=True,
    ),
    Fact("fide_id", _("FIDE number"), ("fide_id",), unique=True),
    Fact("birth_date", _("date of birth"), ("birth_date", "birth_year")),
    Fact("gender", _("gender"), ("gender",)),
    Fact("name_consent", _("name may be shown"), ("name_consent",)),
    Fact("title", _("title"), ("title",)),
    Fact("federation", _("federation"), ("federation",)),
)
BY_NAME = {fact.name: fact for fact in FACTS}


def conflicting(kept: Player, dropped: Player, today: date) -> Iterator[Fact]:
    """The facts of which somebody has to choose between the two entries."""
    return (fact for fact in FACTS if _is_better(fact, kept, dropped, today) is None)


def carried(kept: Player, dropped: Player, today: date) -> Iterator[Fact]:
    """The facts that the kept entry lacks and takes over from the other, without a choice."""
    return (fact for fact in FACTS if _is_better(fact, kept, dropped, today))


def take(kept: Player, dropped: Player, choices: Mapping[str, str], today: date) -> dict[str, dict]:
    """Give the kept entry what it lacks or what was chosen; both are locked, and stored here.

    Returns what both said before of each fact that was taken, for `put_back`.
    """
    taken = {}
    for fact in FACTS:
        is_better = _is_better(fact, kept, dropped, today)
        if is_better or (is_better is None and choices.get(fact.name) == DROPPED):
            taken[fact.name] = {KEPT: _stored(fact.of(kept)), DROPPED: _stored(fact.of(dropped))}
    facts = [BY_NAME[name] for name in taken]
    _free(facts, kept, dropped)
    for fact in facts:
        own, others = fact.of(kept), fact.of(dropped)
        _set(fact, kept, others)
        if fact.unique:
            _set(fact, dropped, own)
    _save(facts, dropped)
    _save(facts, kept)
    return taken


def put_back(kept: Player, dropped: Player, taken: Mapping[str, dict]) -> set[str]:
    """Undo `take`: what the kept entry still says so goes back; both are locked, stored here.

    A fact that was corrected meanwhile stays. Returns the names of the facts that went back.
    """
    returned = {
        name for name, said in taken.items() if _stored(BY_NAME[name].of(kept)) == said[DROPPED]
    }
    facts = [BY_NAME[name] for name in taken]
    _free([BY_NAME[name] for name in returned], kept, dropped)
    for fact in facts:
        said = taken[fact.name]
        if fact.name in returned:
            _set(fact, kept, _read(fact, said[KEPT]))
            _set(fact, dropped, _read(fact, said[DROPPED]))
        elif fact.unique and fact.of(dropped)[0] is not None and fact.of(kept)[0] is not None:
            _set(fact, dropped, (None,) * len(fact.columns))
    _save(facts, kept)
    _save(facts, dropped)
    return returned


def _is_better(fact: Fact, kept: Player, dropped: Player, today: date) -> bool | None:
    """Whether the dropped entry says more; None where it is to be chosen which one counts."""
    shows = fact.name == "name_consent" and kept.name_consent is None and dropped.name_consent
    if shows and may_be_junior((kept, dropped), today):
        return None
    return _compared(fact, kept, dropped)


def may_be_junior(entries: Iterable[Player], today: date) -> bool:
    """Whether one person of these entries is not known to be 18 on `today`."""
    births = [(each.birth_date, each.birth_year) for each in entries]
    known = [birth for birth in births if birth != (None, None)]
    return not known or not all(is_known_adult(*birth, today) for birth in known)


def _compared(fact: Fact, kept: Player, dropped: Player) -> bool | None:
    """Whether the dropped entry says more; None where the two contradict each other."""
    own, others = fact.of(kept), fact.of(dropped)
    if others[0] == own[0] and (others[0] is not None or len(own) == 1):
        return False
    if fact.name == "birth_date":
        return _compared_births(own, others)
    if others[0] is None:
        return False
    return True if own[0] is None else None


def _compared_births(own: tuple, others: tuple) -> bool | None:
    """The same of birth date and year, where a year alone agrees with a date in it."""
    (day, year), (other_day, other_year) = own, others
    year = day.year if day else year
    other_year = other_day.year if other_day else other_year
    if other_year is None:
        return False
    if year is None:
        return True
    if year != other_year or (day and other_day):
        return None
    return other_day is not None


def _free(facts: Iterable[Fact], *players: Player) -> None:
    """Let nobody have the unique columns of these facts, so that they can be exchanged."""
    columns = [column for fact in facts if fact.unique for column in fact.columns]
    if columns:
        pks = [player.pk for player in players]
        Player.objects.filter(pk__in=pks).update(**dict.fromkeys(columns))


def _set(fact: Fact, player: Player, values: tuple) -> None:
    for column, value in zip(fact.columns, values, strict=True):
        is_text = column in ("title", "federation")
        setattr(player, column, "" if value is None and is_text else value)


def _save(facts: Iterable[Fact], player: Player) -> None:
    columns = [column for fact in facts for column in fact.columns]
    if columns:
        player.save(update_fields=columns)


def _stored(values: tuple) -> list:
    """The values as JSON holds them."""
    return [value.isoformat() if isinstance(value, date) else value for value in values]


def _read(fact: Fact, values: list) -> tuple:
    """The values that JSON held."""
    return tuple(
        Player._meta.get_field(column).to_python(value)
        for column, value in zip(fact.columns, values, strict=True)
    )
