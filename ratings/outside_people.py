"""Who the people of a results file are here: by code, by an earlier decision, or as a person says.

A name alone never decides. Whoever no code finds is somebody's choice: one of the players here,
or a new one.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from clubs.models import Club, Membership, Player, PlayerState
from clubs.names import fold, is_ecf_code, search_key
from clubs.sheets import Problem, read_sheet, shown
from clubs.twins import cell

from .ecf_results_entries import PlayerEntry, ResultsFile
from .models import OutsideEvent, OutsidePlayer

NEW = "new"
CHOICE_COLUMNS = ("PIN", "Code", "Name", "Club", "Here", "Choice")
MOST_CANDIDATES = 5

_NUMBER = re.compile(r"#?([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Undecided:
    """Somebody of the file whom no code finds here, and those here who have his name."""

    entry: PlayerEntry
    candidates: tuple[Player, ...]

    @property
    def code_words(self) -> str:
        return self.entry.code or _("no code")

    def candidate_words(self) -> str:
        """Those of this name, each by what a choice calls him."""
        return _named(self.candidates)

    def problem(self, make: type[Problem]) -> Problem:
        """The line of the report that asks for a decision."""
        here = self.candidate_words()
        words = _("%(code)s, unknown here; choose a player here, or new") % {
            "code": self.code_words
        }
        if here:
            words += ". " + _("The same name here: %s") % here
        return make(self.entry.line, f"PIN {self.entry.pin}", self.entry.listed_name, words)


@dataclass(slots=True)
class Choices:
    """What somebody decided, by PIN: a player's code, his `#number` here, or `new`."""

    by_pin: dict[int, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class People:
    """Who is who, by PIN; `made` are not stored yet, `decided` not found by a code alone."""

    by_pin: dict[int, Player] = field(default_factory=dict)
    undecided: list[Undecided] = field(default_factory=list)
    made: list[tuple[PlayerEntry, Player]] = field(default_factory=list)
    decided: list[tuple[PlayerEntry, Player]] = field(default_factory=list)
    coded: list[Player] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def read_choices(content: bytes, found: ResultsFile) -> Choices:
    """The choices of a CSV file with the columns PIN and Choice; a blank choice is none.

    A name beside a PIN has to be that of the results file, so that a list of another file, or of
    another index with other PINs, decides nothing.
    """
    sheet = read_sheet(content, required=("PIN", "Choice"), optional=CHOICE_COLUMNS[1:5])
    choices = Choices(problems=list(sheet.problems))
    for row in sheet.rows:
        pin = row["PIN"]
        known = found.players.get(int(pin)) if pin.isdecimal() and len(pin) < 10 else None
        choice = row["Choice"].strip()
        if known is None:
            choices.problems.append(row.problem("PIN", _("expected a PIN of the results file")))
        elif row["Name"] and fold(row["Name"].lstrip("'")) != fold(known.listed_name):
            expected = _("the results file calls this PIN %s") % shown(known.listed_name)
            choices.problems.append(row.problem("Name", expected))
        elif choice:
            choices.by_pin[known.pin] = choice
    return choices


def choices_file(undecided: Iterable[Undecided]) -> str:
    """The CSV file in which somebody fills in the column Choice."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(CHOICE_COLUMNS)
    for who in undecided:
        entry = who.entry
        row = (entry.pin, entry.code, entry.listed_name, entry.club, who.candidate_words(), "")
        writer.writerow([cell(value) for value in row])
    return out.getvalue()


def find_people(
    *,
    found: ResultsFile,
    event: OutsideEvent | None,
    choices: Mapping[int, str],
    create: bool,
    make_problem: type[Problem],
) -> People:
    """Who each person of the file is here; with `create` the unknown are made, unless somebody
    here has the name. Nothing is stored: see `store_people`.
    """
    finder = _Finder(found, event, make_problem)
    for entry in found.players.values():
        finder.find(entry, choices.get(entry.pin), create)
    return finder.people


def store_people(people: People, event: OutsideEvent) -> None:
    """Store new players, their memberships, added codes, and what was decided for the next file."""
    clubs = {club.search_name: club for club in Club.objects.all()}
    codes = {club.code: club for club in clubs.values() if club.code is not None}
    Player.objects.bulk_create([player for _entry, player in people.made])
    Player.objects.bulk_update(people.coded, ["ecf_code"])
    memberships = []
    for entry, player in people.made:
        club = codes.get(entry.club_code) or clubs.get(fold(entry.club))
        if club is not None:
            memberships.append(Membership(club=club, player=player, starts_on=event.starts_on))
    Membership.objects.bulk_create(memberships)
    for entry, player in people.decided:
        key = dict(zip(("code", "search_name", "club"), remembered_as(entry), strict=True))
        OutsidePlayer.objects.update_or_create(event=event, **key, defaults={"player": player})


def remembered_as(entry: PlayerEntry) -> tuple[str | None, str, str]:
    """How a decision about somebody is found again in the next file of his event."""
    return entry.code, search_key(*entry.name), fold(entry.club)[:100]


class _Finder:
    """Finds the people of one file, with everybody here whom it may mean loaded at once."""

    def __init__(self, found: ResultsFile, event: OutsideEvent | None, make_problem: type[Problem]):
        entries = found.players.values()
        self.people = People()
        self.make_problem = make_problem
        self.by_code = {
            player.ecf_code: _kept(player)
            for player in _with_kept().filter(ecf_code__in=[e.code for e in entries if e.code])
        }
        self.by_fide_id = {
            player.fide_id: _kept(player)
            for player in _with_kept().filter(fide_id__in=[e.fide_id for e in entries if e.fide_id])
        }
        self.by_name: dict[str, list[Player]] = {}
        names = {search_key(*entry.name) for entry in entries}
        here = Player.objects.filter(search_name__in=names).exclude(state=PlayerState.MERGED)
        for player in here.order_by("pk"):
            self.by_name.setdefault(player.search_name, []).append(player)
        self.as_written = Counter(remembered_as(entry) for entry in entries)
        rows = event.players.select_related("player__merged_into") if event else ()
        self.remembered = {(row.code, row.search_name, row.club): _kept(row.player) for row in rows}

    def find(self, entry: PlayerEntry, choice: str | None, create: bool) -> None:
        player = self.by_code.get(entry.code) or self.by_number(entry)
        if player is not None:
            self.take(entry, player)
            return
        memory = remembered_as(entry)
        if choice is None and self.as_written[memory] == 1 and memory in self.remembered:
            self.take(entry, self.remembered[memory])
            return
        candidates = tuple(self.candidates(entry)[:MOST_CANDIDATES])
        if choice is None and not (create and not candidates):
            self.people.undecided.append(Undecided(entry, candidates))
            return
        if choice is None or choice.lower() == NEW:
            player = self.make(entry)
        else:
            player = self.chosen(entry, choice)
        if player is not None:
            self.take(entry, player)
            if player.ecf_code != entry.code or entry.code is None:
                self.decide(entry, player)

    def candidates(self, entry: PlayerEntry) -> list[Player]:
        """Those of this name who may be meant: two codes are two people."""
        same_name = self.by_name.get(search_key(*entry.name), [])
        return [who for who in same_name if None in (entry.code, who.ecf_code)]

    def by_number(self, entry: PlayerEntry) -> Player | None:
        """By FIDE number, unless his code here is another than the file's."""
        player = self.by_fide_id.get(entry.fide_id)
        if player is None or (entry.code is not None and player.ecf_code is not None):
            return None
        self.add_code(entry, player)
        return player

    def take(self, entry: PlayerEntry, player: Player) -> None:
        self.people.by_pin[entry.pin] = player
        if player.search_name != search_key(*entry.name):
            words = {"line": entry.line, "name": entry.listed_name, "here": player.listed_name}
            sentence = _("Line %(line)d: %(name)s is %(here)s here.")
            self.people.notices.append(sentence % words)

    def decide(self, entry: PlayerEntry, player: Player) -> None:
        if self.as_written[remembered_as(entry)] == 1:
            self.people.decided.append((entry, player))

    def make(self, entry: PlayerEntry) -> Player:
        """A new player as the file has him; without a code he waits for an officer."""
        player = Player(
            surname=entry.name.surname,
            forenames=entry.name.forenames,
            ecf_code=entry.code,
            fide_id=None if entry.fide_id in self.by_fide_id else entry.fide_id,
            gender=entry.gender,
            birth_date=entry.born_on,
            birth_year=entry.born_on.year if entry.born_on else None,
            state=PlayerState.ACTIVE if entry.code else PlayerState.PENDING,
        )
        player.fold_names()
        self.people.made.append((entry, player))
        if entry.code is not None:
            self.by_code[entry.code] = player
        if player.fide_id is not None:
            self.by_fide_id[player.fide_id] = player
        sentence = _("New player: %(player)s (%(club)s)")
        words = {"player": entry.listed_name, "club": entry.club or _("no club")}
        self.people.notices.append(sentence % words)
        if others := self.by_name.get(player.search_name):
            self.people.notices.append(_("  The same name here: %s") % _named(others))
        return player

    def chosen(self, entry: PlayerEntry, choice: str) -> Player | None:
        """The player whom a choice names, with the file's code if he had none."""
        number = _NUMBER.fullmatch(choice)
        if number is not None:
            player = _with_kept().filter(pk=number[1]).first()
        elif is_ecf_code(choice.upper()):
            player = _with_kept().filter(ecf_code=choice.upper()).first()
        else:
            player = None
        if player is None:
            expected = _("expected a code of a player here, his #number here, or new")
            self.people.problems.append(
                self.make_problem(entry.line, f"PIN {entry.pin}", choice, expected)
            )
            return None
        player = _kept(player)
        self.add_code(entry, player)
        return player

    def add_code(self, entry: PlayerEntry, player: Player) -> None:
        if entry.code is None or entry.code in self.by_code:
            return
        if player.ecf_code is None:
            player.ecf_code = entry.code
            self.by_code[entry.code] = player
            self.people.coded.append(player)
            sentence = _("Code added: %(code)s %(player)s")
        else:
            sentence = _("Another code: the file says %(code)s of %(player)s; kept as it is here.")
        words = {"code": entry.code, "player": player.listed_name}
        self.people.notices.append(sentence % words)


def _with_kept():
    return Player.objects.select_related("merged_into")


def _kept(player: Player) -> Player:
    """The player himself, or whom he was merged into."""
    while player.merged_into is not None:
        player = player.merged_into
    return player


def _named(players: Iterable[Player]) -> str:
    return ", ".join(f"{_called(player)} {player.listed_name}" for player in players)


def _called(player: Player) -> str:
    return player.ecf_code or f"#{player.pk}"
