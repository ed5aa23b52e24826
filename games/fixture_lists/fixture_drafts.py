"""A draft changed by hand: what clashes now, and what would if a match were moved or turned."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import DraftMatch, FixturePlan, Season

from . import fixture_plans
from .fixture_clashes import Clash, breaks, clashes, monday
from .fixture_plans import DraftChanged, FixturesRefused, draft_of, fixture_of, lock_plan
from .fixture_problem import Problem
from .fixture_words import clash_words


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one match: another day, home and away turned round, a day changed with another.

    `turned` turns the match and its other legs; `other` is the pk of the match whose day it takes
    while that one takes its own.
    """

    day: date | None = None
    turned: bool = False
    other: int | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A clash in words."""

    words: str
    binds: bool


@dataclass(frozen=True)
class DraftPage:
    """A season's draft with what it does not keep; `by_match` holds the words by pk."""

    rows: Sequence[DraftMatch]
    clashes: Sequence[Said]
    by_match: dict[int, list[Said]]
    breaks: int

    @property
    def binding(self) -> list[Said]:
        return [said for said in self.clashes if said.binds]

    @property
    def wishes(self) -> list[Said]:
        return [said for said in self.clashes if not said.binds]

    @property
    def weeks(self) -> list[tuple[date, list[tuple[DraftMatch, list[Said]]]]]:
        """The matches week by week, each with its clashes."""
        by_week: dict[date, list] = defaultdict(list)
        for row in self.rows:
            by_week[monday(row.played_on)].append((row, self.by_match.get(row.pk, [])))
        return sorted(by_week.items())

    @property
    def clubs(self) -> list[tuple[str, list[tuple[DraftMatch, list[Said]]]]]:
        """The matches club by club; one between two clubs stands with both."""
        by_club: dict[tuple, list] = defaultdict(list)
        for row in self.rows:
            for club in {row.home.club, row.away.club}:
                said = self.by_match.get(row.pk, [])
                by_club[club.search_name, club.name].append((row, said))
        return [(name, rows) for (_key, name), rows in sorted(by_club.items())]


def page_of(season: Season, plan: FixturePlan) -> DraftPage:
    """The draft as its page shows it; without clashes where the problem is incomplete by now."""
    rows = draft_of(season)
    try:
        problem = fixture_plans.problem_of(season, plan)
    except FixturesRefused as refused:
        return DraftPage(rows, [Said(str(refused), True)] if rows else [], {}, 0)
    found = clashes(problem, [fixture_of(row) for row in rows])
    pks = {fixture_of(row): row.pk for row in rows}
    by_match: dict[int, list[Said]] = defaultdict(list)
    said = [said_of(clash, problem) for clash in found]
    for clash, words in zip(found, said, strict=True):
        for fixture in clash.fixtures:
            if fixture in pks:
                by_match[pks[fixture]].append(words)
    return DraftPage(rows, said, dict(by_match), breaks(problem, pks))


def said_of(clash: Clash, problem: Problem) -> Said:
    return Said(clash_words(clash, problem), clash.binds)


# Changes ------------------------------------------------------------------------------------


def preview(
    season: Season, plan: FixturePlan, match: DraftMatch, change: Change
) -> tuple[list[Said], list[Said]]:
    """The clashes that a change would bring, and those that it would end.

    Raises `FixturesRefused` for a change that cannot be.
    """
    problem = fixture_plans.problem_of(season, plan)
    rows = draft_of(season)
    before = [fixture_of(row) for row in rows]
    after = [fixture_of(row) for row in _changed(rows, match.pk, change)]
    old = {said_of(clash, problem): None for clash in clashes(problem, before)}
    new = {said_of(clash, problem): None for clash in clashes(problem, after)}
    return [said for said in new if said not in old], [said for said in old if said not in new]


@transaction.atomic
def change_match(*, match: int, change: Change, version: int) -> FixturePlan:
    """Change one match of a draft, whatever it clashes with.

    `version` is the draft's that was seen. Raises `DraftChanged`, `FixturesRefused`, and
    `DraftMatch.DoesNotExist`.
    """
    season = DraftMatch.objects.values_list("division__season", flat=True).get(pk=match)
    plan = lock_plan(season)
    if plan.draft_version != version:
        raise DraftChanged(_("The draft has changed meanwhile: this is how it is now."))
    rows = draft_of(plan.season)
    stored = {row.pk: fixture_of(row) for row in rows}
    changed = [row for row in _changed(rows, match, change) if fixture_of(row) != stored[row.pk]]
    if changed:
        # Two legs of one pair change their keys with each other: out, then in again.
        DraftMatch.objects.filter(pk__in=[row.pk for row in changed]).delete()
        DraftMatch.objects.bulk_create(changed)
        plan.draft_version += 1
        plan.save(update_fields=["draft_version"])
    return plan


def _changed(rows: Iterable[DraftMatch], pk: int, change: Change) -> list[DraftMatch]:
    """Copies of the rows as the change leaves them."""
    copies = {row.pk: _copy(row) for row in rows}
    if pk not in copies:
        raise FixturesRefused(_("The match is no longer in the draft."))
    own = copies[pk]
    if change.day is not None:
        season = own.division.season
        if not season.starts_on <= change.day < season.ends_on:
            raise FixturesRefused(_("The day is outside the season."))
        own.played_on = change.day
    if change.other is not None:
        other = copies.get(change.other)
        if other is None:
            raise FixturesRefused(_("The match is no longer in the draft."))
        _exchange_days(own, other)
    if change.turned:
        pair = {own.home_id, own.away_id}
        for row in copies.values():
            if {row.home_id, row.away_id} == pair:
                _turn(row)
    return list(copies.values())


def _copy(row: DraftMatch) -> DraftMatch:
    return DraftMatch(
        pk=row.pk,
        division=row.division,
        home=row.home,
        away=row.away,
        leg=row.leg,
        round=row.round,
        played_on=row.played_on,
    )


def _exchange_days(one: DraftMatch, other: DraftMatch) -> None:
    """Each is played in the other's week, on the night of its own home side."""
    weeks = monday(one.played_on), monday(other.played_on)
    nights = one.played_on.weekday(), other.played_on.weekday()
    one.played_on = weeks[1] + timedelta(days=nights[0])
    other.played_on = weeks[0] + timedelta(days=nights[1])
    if one.division_id == other.division_id:
        one.round, other.round = other.round, one.round


def _turn(row: DraftMatch) -> None:
    """Home is away; the day is that of the new home side's night, where it was the old one's."""
    night, new_night = row.home.club.club_night, row.away.club.club_night
    if None not in (night, new_night) and row.played_on.weekday() == night:
        row.played_on = monday(row.played_on) + timedelta(days=new_night)
    row.home, row.away = row.away, row.home
