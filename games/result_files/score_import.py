"""Importing matches known only by their scores: they count in the table and are never rated."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from clubs import registry
from clubs.directory import Directory
from clubs.import_report import ImportRefused, Report
from clubs.names import fold
from clubs.sheets import Problem, ignored_columns, read_sheet
from games.fixture_lists import fixtures
from games.models import Board, Division, Match, MatchEvent
from games.season_office.leagues import dates_of_label
from games.templatetags.topboard import halves

from .result_matching import MARK, history_of_import
from .result_places import Places
from .score_file import COLUMNS, OPTIONAL_COLUMNS, ScoreRow, read_scores

WRITTEN = ("stated_home", "stated_away", "board_count", "version", "entered_at")


def import_match_scores(
    *,
    content: bytes,
    source: str,
    league: str,
    rules: Mapping[str, object],
    by,
    at: datetime,
    dry_run: bool = False,
) -> Report:
    """Store the match scores of a CSV file in their seasons and divisions, all or nothing.

    `league` is a name; what there is not is made, a season public at once. `rules` are columns
    of `Division` that every division of the file gets. The nth row of a pairing at home is its
    leg n. Raises `ImportRefused` with every row that cannot be stored.
    """
    sheet = read_sheet(content, required=COLUMNS, optional=OPTIONAL_COLUMNS)
    scores, problems = read_scores(sheet.rows)
    if sheet.problems or problems:
        raise ImportRefused([*sheet.problems, *problems])
    report = Report()
    if dry_run:
        report.notices.append(_("Dry run: nothing is stored."))
    if sheet.ignored:
        report.notices.append(ignored_columns(sheet.ignored))
    with transaction.atomic():
        registry.lock_for_import()
        with history_of_import(by=by, source=source):
            for label, rows in _by_season(scores).items():
                _import_season(league, label, rows, rules, at, report)
        if dry_run:
            transaction.set_rollback(True)
    report.notices += [
        _("Row %(row)d: the note “%(note)s” is not kept.")
        % {"row": score.row.number, "note": score.note}
        for score in scores
        if score.note
    ]
    return report


def _by_season(scores: Iterable[ScoreRow]) -> dict[str, list[ScoreRow]]:
    found: dict[str, list[ScoreRow]] = {}
    labels: dict[str, str] = {}
    for score in scores:
        label = labels.setdefault(fold(score.season), score.season)
        found.setdefault(label, []).append(score)
    return found


def _import_season(
    league: str,
    label: str,
    rows: list[ScoreRow],
    rules: Mapping[str, object],
    at: datetime,
    report: Report,
) -> None:
    try:
        places = Places.find(league, label, [])
    except ImportRefused:
        if dates_of_label(label) is not None:
            raise
        new = _("expected a label like 1996-97, the season is new")
        raise ImportRefused([rows[0].row.problem("season", new)]) from None
    directory = Directory.load(codes=[])
    places.find_clubs(rows, directory)
    directory.save()
    old = set(places.divisions)
    places.add_season(rows, at, **rules)
    places.add_teams(rows)
    touched = {places.divisions[key] for key in _change_rules(places, rows, rules, old)}
    comparison = _Comparison(places)
    for score, leg in _with_legs(rows):
        comparison.compare(score, leg)
    if comparison.problems:
        raise ImportRefused(comparison.problems)
    comparison.write(at)
    pks = {division.pk for division in touched | comparison.divisions}
    Division.objects.filter(pk__in=pks).update(version=F("version") + 1, changed_at=at)
    report.notices += [*places.notices, *directory.notices(), *comparison.notices]
    report.new += len(comparison.new)
    report.changed += len(comparison.changed) + len(touched)


def _change_rules(
    places: Places, rows: Iterable[ScoreRow], rules: Mapping[str, object], old: set[str]
) -> list[str]:
    """Give the divisions that were there already the rules asked for; returns those changed."""
    changed = []
    for key in sorted({fold(row.division) for row in rows} & old):
        division = places.divisions[key]
        other = {name: value for name, value in rules.items() if getattr(division, name) != value}
        if other:
            for name, value in other.items():
                setattr(division, name, value)
            division.save(update_fields=list(other))
            places.notices.append(_("%s: the rules of its table are changed.") % division)
            changed.append(key)
    return changed


def _with_legs(rows: Iterable[ScoreRow]) -> Iterator[tuple[ScoreRow, int]]:
    """Each match with the number of times its home team has received its away team so far."""
    legs: dict[tuple[str, str, str], int] = defaultdict(int)
    for row in rows:
        legs[row.pairing] += 1
        yield row, legs[row.pairing]


class _Comparison:
    """Compares scores with the stored matches of a season, locked; notes what to write."""

    def __init__(self, places: Places):
        self.places = places
        pks = [division.pk for division in places.divisions.values()]
        matches = Match.objects.filter(division__in=pks).order_by("pk")
        self.stored = {
            (match.home_id, match.away_id, match.leg): match
            for match in matches.select_for_update(no_key=True)
        }
        found = [match.pk for match in self.stored.values()]
        boards = Board.objects.filter(match__in=found).exclude(home_halves=None)
        self.with_boards = set(boards.values_list("match", flat=True))
        self.imported = _imported_scores(found)
        self.new: list[Match] = []
        self.changed: list[Match] = []
        self.notices: list[str] = []
        self.problems: list[Problem] = []

    @property
    def divisions(self) -> set[Division]:
        return {match.division for match in [*self.new, *self.changed]}

    def compare(self, score: ScoreRow, leg: int) -> None:
        division, home, away = score.pairing
        teams = [self.places.teams[division, name] for name in (home, away)]
        said = (score.home_halves, score.away_halves)
        match = self.stored.get((teams[0].pk, teams[1].pk, leg))
        if leg > fixtures.MOST_LEGS:
            most = _("expected at most %d meetings of these teams at home")
            self.problems.append(score.row.problem("home", most % fixtures.MOST_LEGS))
        elif match is None:
            match = fixtures.new_match(home=teams[0], away=teams[1], leg=leg)
            self._state(match, score)
            self.new.append(match)
        elif said != (match.stated_home, match.stated_away):
            match.division = teams[0].division
            if self._may_change(match):
                self._state(match, score)
                self.changed.append(match)
            else:
                self.notices.append(
                    _("Row %(row)d: %(match)s is kept as it stands; the file says %(said)s.")
                    % {
                        "row": score.row.number,
                        "match": score,
                        "said": " - ".join(map(halves, said)),
                    }
                )

    def _may_change(self, match: Match) -> bool:
        """Whether nobody but an import of scores has said how the match ended."""
        if match.pk in self.with_boards or match.is_decided:
            return False
        now = (match.stated_home, match.stated_away)
        return now == (None, None) or self.imported.get(match.pk) == now

    def _state(self, match: Match, score: ScoreRow) -> None:
        match.stated_home, match.stated_away = score.home_halves, score.away_halves
        match.board_count = score.board_count
        match.version += 1

    def write(self, at: datetime) -> None:
        for match in [*self.new, *self.changed]:
            if match.entered_at is None:
                match.entered_at = at
        Match.objects.bulk_create(self.new)
        Match.objects.bulk_update(self.changed, WRITTEN)


def _imported_scores(matches: Iterable[int]) -> dict[int, tuple[int | None, int | None]]:
    """The score that the last import wrote of each match."""
    events = MatchEvent.objects.filter(pgh_obj__in=matches, pgh_context__contains={MARK: True})
    last = events.order_by("pgh_obj_id", "-pgh_id").distinct("pgh_obj_id")
    return {event.pgh_obj_id: (event.stated_home, event.stated_away) for event in last}
