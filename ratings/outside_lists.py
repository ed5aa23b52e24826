"""Lists from outside: a federation's list stored as one of ours, and what opens ratings from it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import BinaryIO

import pghistory
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import registry
from clubs.import_report import ImportRefused, Report
from clubs.models import Player
from clubs.sheets import Problem, shown

from . import ecf, people
from .ecf_list_file import read_ecf_list
from .fide_list_file import read_fide_list
from .models import Grade, GradeList, ListState, OpeningRating, PoolName, System
from .outside_rows import ListKey, OutsideFile, OutsideRow, OutsideValue
from .player_file import grade_of

PUBLISHERS = ("ECF", "FIDE")
EARLIEST = date(1850, 1, 1)
NAMED = 50
PROVISIONAL = "P"
"""The federation's category of a rating that rests on few games."""

Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Matched:
    """The rows whose player is known here, by his pk, and those whose is not."""

    rows: dict[int, OutsideRow] = field(default_factory=dict)
    unmatched: list[str] = field(default_factory=list)
    unmatched_count: int = 0
    notices: list[str] = field(default_factory=list)


def import_grade_list(
    *,
    file: BinaryIO,
    source: str,
    publisher: str,
    published_on: date,
    at: datetime,
    by,
    pool: str | None = None,
    as_openings: bool = False,
    dry_run: bool = False,
    name_all: bool = False,
    progress: Progress = lambda what, done, total: None,
) -> Report:
    """Store the lists of a federation's file, original and revised each its own, all or nothing.

    Players are found by ECF code or FIDE number alone; rows of others are reported, the first
    `NAMED` of them by name, or with `name_all` each. With `pool` only its lists are kept. With
    `as_openings` players who have no opening rating in a pool get the list's value (revised
    before original), and ratings follow at once. `source` is the file's name, `by` the account
    or None. Raises `ImportRefused` with every row that cannot be stored, and for a list of a day
    to come or of before `EARLIEST`.
    """
    _require_day_of_a_list(published_on, at)
    outside = read_list(file, publisher, pool)
    if outside.problems:
        raise ImportRefused(outside.problems)
    with transaction.atomic(), pghistory.context(user=getattr(by, "pk", None), why=source):
        registry.lock_for_import()
        pools = people.lock_pools() if as_openings else []
        matched = _match(outside, name_all, progress)
        if outside.problems:
            raise ImportRefused(outside.problems)
        report = Report(notices=[*outside.notices, *matched.notices])
        if dry_run:
            report.notices.insert(0, _("Dry run: nothing is stored."))
        new, changed = set(), set()
        for key in outside.lists:
            if pool is None or key.pool == pool:
                stored = _store(key, matched, publisher, published_on, at)
                report.notices += stored.sentences
                new |= stored.new
                changed |= stored.changed
        if as_openings:
            opened = _open_ratings(matched, publisher, published_on, pool)
            people.rate_again(pools=pools, players=sorted(opened))
            changed |= opened - new
            report.notices.append(
                ngettext("Opened: %d player.", "Opened: %d players.", len(opened)) % len(opened)
            )
        if dry_run:
            transaction.set_rollback(True)
    report.notices += _unmatched(matched)
    report.new, report.changed = len(new), len(changed - new)
    return report


def _require_day_of_a_list(published_on: date, at: datetime) -> None:
    if published_on > timezone.localdate(at):
        sentence = _("%s is still to come: that is no day of a list")
    elif published_on < EARLIEST:
        sentence = _("%s is before the first lists there were")
    else:
        return
    raise ImportRefused([Problem(0, "", "", sentence % published_on.isoformat())])


def read_list(file: BinaryIO, publisher: str, pool: str | None) -> OutsideFile:
    """The file by its publisher's form; what is wrong with it as a whole stands in `problems`."""
    if publisher == "FIDE":
        outside = read_fide_list(file, pool or PoolName.STANDARD.value)
    else:
        outside = read_ecf_list(file)
    if not outside.problems and pool and all(key.pool != pool for key in outside.lists):
        label = PoolName(pool).label.lower()
        sentence = _("the file holds no %s list") % label
        outside.problems.append(Problem(0, "", "", sentence))
    return outside


# --- Who is who --------------------------------------------------------------------------


def _match(outside: OutsideFile, name_all: bool, progress: Progress) -> Matched:
    kept = Player.objects.kept_for()
    codes = Player.objects.exclude(ecf_code=None).values_list("ecf_code", "pk")
    by_code = {code: kept.get(pk, pk) for code, pk in codes}
    fide_ids = Player.objects.exclude(fide_id=None).values_list("fide_id", "pk")
    by_fide_id = {fide_id: kept.get(pk, pk) for fide_id, pk in fide_ids}
    merged = {code for code, pk in [*codes, *fide_ids] if pk in kept}
    matched = Matched()
    for count, row in enumerate(outside.rows):
        if not count % 1000:
            progress(_("Reading rows"), count, count)
        code, number = by_code.get(row.code), by_fide_id.get(row.fide_id)
        player = number if code is None else code
        if player is None:
            matched.unmatched_count += 1
            if name_all or len(matched.unmatched) < NAMED:
                matched.unmatched.append(_words_of(row))
            continue
        if player in matched.rows and {row.code, row.fide_id} & merged:
            matched.notices.append(
                _("Row %d: of somebody merged, whose row is taken.") % row.number
            )
            continue
        if player in matched.rows:
            outside.problems.append(_twice(row, matched.rows[player]))
            continue
        if number is not None and number != player:
            matched.notices.append(
                _("Row %(row)d: its code and its FIDE number are two players' here; by the code.")
                % {"row": row.number}
            )
        matched.rows[player] = row
    return matched


def _words_of(row: OutsideRow) -> str:
    codes = [str(code) for code in (row.code, row.fide_id) if code is not None]
    return _("row %(row)d: %(who)s") % {
        "row": row.number,
        "who": " ".join([*codes, shown(row.name)]),
    }


def _twice(row: OutsideRow, first: OutsideRow) -> Problem:
    code = row.code or row.fide_id
    sentence = _("%(code)s is the player of row %(row)d; expected each once")
    return Problem(row.number, "", "", sentence % {"code": code, "row": first.number})


def _unmatched(matched: Matched) -> list[str]:
    """The rows whose player is not here, counted and named."""
    count = matched.unmatched_count
    if not count:
        return []
    head = ngettext(
        "%d row is of nobody whose code is known here:",
        "%d rows are of nobody whose code is known here:",
        count,
    )
    more = count - len(matched.unmatched)
    return [
        head % count,
        *(f"  {line}" for line in matched.unmatched),
        *([_("  and %d more; --verbose names all") % more] if more else []),
    ]


# --- Lists -------------------------------------------------------------------------------


@dataclass(slots=True)
class Stored:
    """What storing one list did, by the pk of players."""

    new: set[int] = field(default_factory=set)
    changed: set[int] = field(default_factory=set)
    sentences: list[str] = field(default_factory=list)


def _store(
    key: ListKey, matched: Matched, publisher: str, published_on: date, at: datetime
) -> Stored:
    """Make the stored list say what the file says of the players in it."""
    wanted = {
        player: value
        for player, row in matched.rows.items()
        for value in row.values
        if value.key == key
    }
    grade_list = _list_of(key, publisher, published_on, at, bool(wanted))
    if grade_list is None:
        return Stored()
    rows = {row.player_id: row for row in grade_list.grades.all()}
    done = Stored()
    gone = [pk for pk in rows if pk in matched.rows and pk not in wanted]
    add = [_grade(grade_list, pk, value) for pk, value in wanted.items() if pk not in rows]
    alter = [
        rows[pk]
        for pk, value in wanted.items()
        if pk in rows and _set(rows[pk], value.value, value.category)
    ]
    Grade.objects.filter(grade_list=grade_list, player__in=gone).delete()
    Grade.objects.bulk_create(add)
    Grade.objects.bulk_update(alter, ["grade", "published", "category"], batch_size=1000)
    done.new = {row.player_id for row in add}
    done.changed = {*gone, *(row.player_id for row in alter)}
    done.sentences.append(_sentence(grade_list, len(wanted)))
    kept = len(rows.keys() - matched.rows.keys())
    if kept:
        done.sentences.append(_("  %d stored before stand in this file no more; kept.") % kept)
    return done


def _list_of(
    key: ListKey, publisher: str, published_on: date, at: datetime, make: bool
) -> GradeList | None:
    """The stored list of this publisher and date, locked; made if there is something to store."""
    names = {
        "publisher": publisher,
        "pool_id": key.pool,
        "system": key.system,
        "cutoff": published_on,
        "variant": key.variant,
    }
    found = GradeList.objects.select_for_update(no_key=True).filter(**names).first()
    if found is None and make:
        found = GradeList.objects.create(
            **names, state=ListState.IMPORTED, published_on=published_on, computed_at=at
        )
    return found


def _grade(grade_list: GradeList, player: int, value: OutsideValue) -> Grade:
    row = Grade(grade_list=grade_list, player_id=player)
    _set(row, value.value, value.category)
    return row


def _set(row: Grade, value: int, category: str | None) -> bool:
    """Give the row this value; whether it said something else before."""
    if (row.grade, row.category) == (value, category):
        return False
    row.grade, row.published = value, ecf.published(value)
    row.category = category
    return True


def _sentence(grade_list: GradeList, count: int) -> str:
    words = [grade_list.publisher, PoolName(grade_list.pool_id).label.lower(), grade_list.variant]
    return _("%(list)s: %(count)s of players here") % {
        "list": " ".join(filter(None, words)),
        "count": (
            ngettext("%d grade", "%d grades", count)
            if grade_list.system == System.GRADE
            else ngettext("%d rating", "%d ratings", count)
        )
        % count,
    }


# --- Openings ----------------------------------------------------------------------------


def _open_ratings(
    matched: Matched, publisher: str, published_on: date, pool: str | None
) -> set[int]:
    """Store what opens the ratings of players without any opening in a pool; returns who they are.

    A rating opens the Elo, and converted it is the opening grade, as in an import of players.
    """
    has_one = set(
        OpeningRating.objects.filter(player__in=matched.rows).values_list("player", "pool")
    )
    new = []
    for player, row in matched.rows.items():
        for value in _one_a_pool(row.values):
            key = value.key
            if (player, key.pool) in has_one or (pool is not None and key.pool != pool):
                continue
            words = [publisher, _("list of"), published_on.isoformat(), key.variant]
            for system, amount in _facts(value):
                new.append(
                    OpeningRating(
                        player_id=player,
                        pool_id=key.pool,
                        system=system,
                        value=amount,
                        provisional=value.category == PROVISIONAL,
                        dated_on=published_on,
                        source=" ".join(filter(None, words)),
                    )
                )
    OpeningRating.objects.bulk_create(new)
    return {opening.player_id for opening in new}


def _one_a_pool(values: Iterable[OutsideValue]) -> Iterable[OutsideValue]:
    """The value of each pool that counts: the revised one, else the original."""
    found: dict[str, OutsideValue] = {}
    for value in values:
        if value.key.pool not in found or value.key.variant == "revised":
            found[value.key.pool] = value
    return found.values()


def _facts(value: OutsideValue) -> Iterable[tuple[str, int]]:
    """System and value of each opening fact: tenths for a rating, whole for a grade."""
    if value.key.system == System.GRADE:
        return [(System.GRADE, value.value)]
    return [(System.ELO, value.value * 10), (System.GRADE, grade_of(value.value))]
