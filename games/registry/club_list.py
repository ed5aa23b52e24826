"""A club's list of members as a file: looked at row by row, then stored, all of it or nothing."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from clubs import registry
from clubs.changes import IMPORTED
from clubs.directory import Directory, Found, TwoCandidates
from clubs.import_report import ImportRefused
from clubs.likeness import Entry
from clubs.models import Club, Membership
from clubs.names import PersonName, is_ecf_code, split_name
from clubs.sheets import Problem, Row, ignored_columns, plain_text, read_sheet, refusal

from .duplicates import Alike, like_these

REQUIRED, OPTIONAL = ("name",), ("code",)
MOST_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the file: who it is, what becomes of him, and who else he may be."""

    number: int
    name: str
    what: str
    alike: list[Alike] = field(default_factory=list)


@dataclass(slots=True)
class ClubList:
    """What a file did, or would do: its rows, how many are new or changed, what was ignored."""

    lines: list[Line] = field(default_factory=list)
    new: int = 0
    changed: int = 0
    notices: list[str] = field(default_factory=list)


class _OnlyLooked(Exception):
    """Ends the transaction of a preview."""


def import_club_list(
    *, club: Club, content: bytes, source: str, on: date, store: bool, by
) -> ClubList:
    """The members of a club by a CSV file with the columns `name` and, maybe, `code`.

    Who is found by code, or by name among the club's people ever, is a member from `on` unless he
    is one; the others are new players. Nobody leaves the club by a list. Without `store` nothing
    is kept. Raises `ImportRefused` with each row that cannot be stored.
    """
    rows, notices = _read(content)
    result = ClubList(notices=notices)
    try:
        with transaction.atomic():
            context = {"user": getattr(by, "pk", None), "why": source, IMPORTED: True}
            with pghistory.context(**context):
                _store(club, rows, on, result)
            if not store:
                raise _OnlyLooked
    except _OnlyLooked:
        pass
    return result


def _read(content: bytes) -> tuple[list[tuple[Row, PersonName, str | None]], list[str]]:
    sheet = read_sheet(content, required=REQUIRED, optional=OPTIONAL)
    problems, rows, seen = list(sheet.problems), [], {}
    if len(sheet.rows) > MOST_ROWS:
        problems.append(Problem(0, "", "", _("a club’s list has at most %d rows") % MOST_ROWS))
    for row in sheet.rows[:MOST_ROWS]:
        try:
            name = split_name(plain_text(row["name"], length=100))
            if not name.surname:
                raise ValueError(_("expected a name"))
        except ValueError as error:
            problems.append(row.problem("name", refusal(error)))
            continue
        code = row["code"].upper() or None
        if code is not None and not is_ecf_code(code):
            expected = _("expected six digits and a letter (A–L, no I), or nothing")
            problems.append(row.problem("code", expected))
            continue
        key = code or (name.surname.casefold(), name.forenames.casefold())
        if key in seen:
            sentence = _("the same person as in row %d") % seen[key]
            problems.append(row.problem("name", sentence))
            continue
        seen[key] = row.number
        rows.append((row, name, code))
    if problems:
        raise ImportRefused(problems)
    return rows, [ignored_columns(sheet.ignored)] if sheet.ignored else []


def _store(club: Club, rows, on: date, result: ClubList) -> None:
    registry.lock_for_import()
    directory = Directory.load(codes=[code for _row, _name, code in rows if code])
    home = directory.club(club.name)
    directory.load_members([home])
    found: list[tuple[Row, PersonName, str | None, Found]] = []
    problems = []
    for row, name, code in sorted(rows, key=lambda each: each[2] is None):
        try:
            who = directory.person(name=name, code=code, club=home)
        except TwoCandidates as error:
            problems.append(row.problem("name", refusal(error)))
        else:
            found.append((row, name, code, who))
    if problems:
        raise ImportRefused(problems)
    alike = _alike(found, club)
    here = Membership.objects.on(on).filter(club=club)
    members = set(here.values_list("player", flat=True))
    directory.save(starts_on=on)
    registry.join_club([who.player for *_row, who in found], club.pk, on)
    elsewhere = _elsewhere(found, club, on)
    for row, _name, _code, who in sorted(found, key=lambda each: each[0].number):
        is_member = who.player.pk in members
        result.new += who.new
        result.changed += not who.new and (who.changed or not is_member)
        what = _what(who, is_member, elsewhere.get(who.player.pk, []))
        result.lines.append(
            Line(row.number, who.player.listed_name, what, alike.get(row.number, []))
        )


def _alike(found, club: Club) -> dict[int, list[Alike]]:
    """Who in the registry may be each of the new ones, by the number of the row."""
    new = {
        row.number: Entry(0, name.surname, name.forenames, code, None, None, frozenset([club.pk]))
        for row, name, code, who in found
        if who.new
    }
    return dict(zip(new, like_these(new.values()), strict=True))


def _elsewhere(found, club: Club, on: date) -> dict[int, list[str]]:
    """The other clubs that these people are members of that day, by the pk of each."""
    people = [who.player.pk for *_row, who in found]
    rows = Membership.objects.on(on).filter(player__in=people).exclude(club=club)
    names = defaultdict(list)
    for player, name in rows.order_by("club__search_name").values_list("player", "club__name"):
        names[player].append(name)
    return names


def _what(who: Found, is_member: bool, elsewhere: list[str]) -> str:
    if who.new:
        return _("a new player")
    if is_member:
        return _("a member; the code is added") if who.changed else _("a member already")
    if elsewhere:
        return _("joins the club, and stays at %s as well") % ", ".join(elsewhere)
    return _("joins the club")
