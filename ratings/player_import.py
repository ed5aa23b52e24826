"""Importing a list of players: people, clubs and memberships, and what opens their ratings."""

from collections.abc import Callable, Iterable
from datetime import date

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from clubs import registry
from clubs.directory import Directory, Found, TwoCandidates
from clubs.import_report import ImportRefused, Report
from clubs.sheets import Problem, ignored_columns

from . import people
from .models import OpeningRating, PoolName, System
from .player_file import Entry, Opening, read_players

Openings = dict[tuple[int, str], OpeningRating]


def import_players(
    *,
    content: bytes,
    source: str,
    pool: str,
    as_of: date,
    by,
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Report:
    """Store the players of a CSV file and what opens their ratings in `pool`, all or nothing.

    A player has one opening rating and one opening grade for a pool: the first that was
    imported, dated `as_of`. Elo follows at once in every pool where it counts. `source` is the
    file's name. Raises `ImportRefused` with every row that cannot be stored.
    """
    sheet, entries = read_players(content)
    if pool not in PoolName.values:
        sheet.problems.append(Problem(0, "", "", _("there is no pool %s") % pool))
    if sheet.problems:
        raise ImportRefused(sheet.problems)
    with transaction.atomic(), pghistory.context(user=getattr(by, "pk", None), why=source):
        registry.lock_for_import()
        directory = Directory.load(codes=[entry.code for entry in entries if entry.code])
        found = _find_people(directory, entries, progress)
        directory.save()
        pools = people.lock_pools()
        stored = _openings_of(found.values(), pool)
        new = _new_openings(found, stored, pool, as_of, source)
        OpeningRating.objects.bulk_create(new.values())
        written = people.rate_again(pools=pools, players=sorted({pk for pk, _system in new}))
    return Report(
        notices=[
            *([ignored_columns(sheet.ignored)] if sheet.ignored else []),
            *directory.notices(),
            *([_("Rated again: %d rows of games and ratings.") % written] if written else []),
        ],
        new=sum(who.new for who in found.values()),
        changed=_count_changed(found, new),
    )


def _find_people(
    directory: Directory, entries: list[Entry], progress: Callable[[str, int, int], None]
) -> dict[Entry, Found]:
    """Who each entry is, those with a code first; raises `ImportRefused`."""
    clubs = {entry.club: directory.club(entry.club) for entry in entries if entry.club}
    directory.load_members(clubs.values())
    found, problems = {}, []
    for entry in sorted(entries, key=lambda entry: entry.code is None):
        progress(_("Finding players"), len(found), len(entries))
        try:
            found[entry] = directory.person(
                name=entry.name, code=entry.code, club=clubs.get(entry.club)
            )
        except TwoCandidates as error:
            problems.append(entry.row.problem("name", str(error)))
    if problems:
        raise ImportRefused(problems)
    return found


def _openings_of(found: Iterable[Found], pool: str) -> Openings:
    rows = OpeningRating.objects.filter(pool=pool, player__in={who.player.pk for who in found})
    return {(row.player_id, row.system): row for row in rows}


def _new_openings(
    found: dict[Entry, Found], stored: Openings, pool: str, as_of: date, source: str
) -> Openings:
    """The facts that are not stored yet; raises `ImportRefused` where another value is.

    A grade that is only the rating converted gives way to a grade that somebody stated.
    """
    new: Openings = {}
    problems = []
    in_order = sorted(
        ((opening, entry) for entry in found for opening in entry.openings()),
        key=lambda pair: (pair[0].derived, pair[1].row.number),
    )
    for opening, entry in in_order:
        key = (found[entry].player.pk, opening.system)
        known = stored.get(key) or new.get(key)
        if known is None:
            new[key] = OpeningRating(
                player_id=key[0],
                pool_id=pool,
                system=opening.system,
                value=opening.value,
                provisional=bool(entry.provisional),
                dated_on=as_of,
                source=source,
            )
        elif not opening.derived and not _agrees(opening, entry, known):
            problems.append(entry.row.problem(opening.column, _other_opening(known)))
    if problems:
        raise ImportRefused(problems)
    return new


def _agrees(opening: Opening, entry: Entry, known: OpeningRating) -> bool:
    return opening.value == known.value and entry.provisional in (None, known.provisional)


def _other_opening(known: OpeningRating) -> str:
    """What was expected: the opening there is already."""
    value = known.value // 10 if known.system == System.ELO else known.value
    return _("expected %(value)s%(mark)s: his opening %(system)s of %(day)s, from %(source)s") % {
        "value": value,
        "mark": _(", provisional") if known.provisional else "",
        "system": known.get_system_display(),
        "day": known.dated_on,
        "source": known.source,
    }


def _count_changed(found: dict[Entry, Found], new: Openings) -> int:
    """The rows that added a fact, a code or a membership to somebody who was there before."""
    there_before = [who for who in found.values() if not who.new]
    made_here = {who.player.pk for who in found.values() if who.new}
    facts = {pk for pk, _system in new} - made_here
    return sum(who.changed or who.player.pk in facts for who in there_before)
