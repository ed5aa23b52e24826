"""Importing a season's results: people, teams, matches, boards, tables and Elo, or nothing."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import registry
from clubs.constraints import check_now
from clubs.directory import Directory, Found, TwoCandidates
from clubs.import_report import ImportRefused, Report
from clubs.names import fold
from clubs.sheets import ignored_columns, read_sheet
from games.fixture_lists.fixtures import MOST_LEGS
from games.match_cards.cards import PLAYER_CONSTRAINTS, WRITTEN_FIELDS
from games.match_cards.posting import post_divisions
from games.models import Board, Division, Match

from .meetings import Meeting, meetings_of
from .result_comparison import SIDES, Comparison, own_dates
from .result_file import COLUMNS, OPTIONAL_COLUMNS, ResultRow, read_results
from .result_matching import Matched, Stored, history_of_import
from .result_places import Places

Progress = Callable[[str, int, int], None]
MATCH_FIELDS = [
    *("played_on", "round", "round_label", "board_count", "stated_home", "stated_away"),
    *("state", "version", "entered_at"),
]


def import_results(
    *,
    content: bytes,
    source: str,
    league: str,
    season: str,
    by,
    at: datetime,
    dry_run: bool = False,
    progress: Progress = lambda what, done, total: None,
) -> Report:
    """Store the results of a league site's CSV file in a season, all or nothing.

    `league` is a name, `season` a label; what there is not is made. With `dry_run` the report
    says what would be stored and nothing is. `source` is the file's name, `by` the account or
    None. Nothing was played after the day of `at`. Raises `ImportRefused` with every row that
    cannot be stored.
    """
    sheet = read_sheet(content, required=COLUMNS, optional=OPTIONAL_COLUMNS)
    if sheet.problems:
        raise ImportRefused(sheet.problems)
    report = Report()
    if dry_run:
        report.notices.append(_("Dry run: nothing is stored."))
    if sheet.ignored:
        report.notices.append(ignored_columns(sheet.ignored))
    with transaction.atomic():
        registry.lock_for_import()
        places = Places.find(league, season, sheet.rows)
        today = timezone.localdate(at)
        days = (places.starts_on, places.ends_on, today)
        rows, problems, notices = read_results(sheet.rows, *days)
        meetings, contradictions = meetings_of(rows, places.board_counts)
        if problems or contradictions:
            raise ImportRefused([*problems, *contradictions])
        with history_of_import(by=by, source=source):
            directory, players = _find_people(rows, places, progress)
            directory.save()
            places.add_season(meetings, at)
            places.add_teams(rows)
            comparison, matched = _compare(meetings, places, players, today, progress)
            touched = _write(matched, at)
        progress(_("Rating"), 0, len(rows))
        written = post_divisions(touched)
        if dry_run:
            transaction.set_rollback(True)
    report.notices += [*places.notices, *directory.notices(), *notices]
    report.notices += [line for meeting in meetings for line in own_dates(meeting)]
    report.notices += comparison.notices
    if written:
        report.notices.append(_("Rated: %d rows of games and ratings.") % written)
    report.new, report.changed = comparison.new_rows, comparison.changed_rows
    return report


def _find_people(
    rows: list[ResultRow], places: Places, progress: Progress
) -> tuple[Directory, dict[tuple[ResultRow, str], Found]]:
    """Who sits on each side of each row, those with a code first; raises `ImportRefused`."""
    seats = [
        (row, side, person, team)
        for row in rows
        for side, person, team in zip(
            SIDES, (row.home_player, row.away_player), (row.home, row.away), strict=True
        )
        if person is not None
    ]
    directory = Directory.load(codes=[seat[2].code for seat in seats if seat[2].code])
    places.find_clubs(rows, directory)
    directory.load_members(places.clubs.values())
    players, problems = {}, []
    for row, side, person, team in sorted(seats, key=lambda seat: seat[2].code is None):
        progress(_("Finding players"), len(players), len(seats))
        club = places.clubs[fold(row.division), fold(team)]
        try:
            found = directory.person(name=person.name, code=person.code, club=club)
            players[row, side] = found
        except TwoCandidates as error:
            problems.append(row.row.problem(side, str(error)))
    if problems:
        raise ImportRefused(problems)
    return directory, players


def _compare(
    meetings: list[Meeting],
    places: Places,
    players: dict[tuple[ResultRow, str], Found],
    today: date,
    progress: Progress,
) -> tuple[Comparison, list[Matched]]:
    """Each meeting with its match and what has to be written; raises `ImportRefused`."""
    stored = Stored([division.pk for division in places.divisions.values()])
    comparison = Comparison(stored, players, today)
    matched = []
    for one in _pairs(meetings, places, stored):
        progress(_("Comparing matches"), len(matched), len(meetings))
        comparison.compare(one)
        matched.append(one)
        if one.match.leg > MOST_LEGS:
            sentence = _("expected at most %d meetings of these teams at home")
            problem = one.meeting.first.row.problem("HomeTeam", sentence % MOST_LEGS)
            comparison.problems.append(problem)
    if comparison.problems:
        raise ImportRefused(comparison.problems)
    return comparison, matched


def _pairs(meetings: Iterable[Meeting], places: Places, stored: Stored) -> Iterator[Matched]:
    pairings: dict[tuple[str, str, str], list[Meeting]] = defaultdict(list)
    for meeting in meetings:
        first = meeting.first
        pairings[fold(first.division), fold(first.home), fold(first.away)].append(meeting)
    for (division, home, away), own in pairings.items():
        yield from stored.pair(own, places.teams[division, home], places.teams[division, away])


def _write(matched: list[Matched], at: datetime) -> list[Division]:
    """Store the matches and boards that are new or changed; returns their divisions."""
    touched = [one for one in matched if one.is_touched]
    for one in touched:
        one.match.version += 1
        if one.match.entered_at is None and not one.meeting.is_blank:
            one.match.entered_at = at
    Match.objects.bulk_create([one.match for one in touched if one.is_new])
    Match.objects.bulk_update([one.match for one in touched if not one.is_new], MATCH_FIELDS)
    new_boards = [board for one in touched for board in one.new_boards]
    for board in new_boards:
        # The match had no pk when the board was made.
        board.match_id = board.match.pk
    Board.objects.bulk_create(new_boards)
    changed_boards = [board for one in touched for board in one.changed_boards]
    Board.objects.bulk_update(changed_boards, WRITTEN_FIELDS)
    check_now(*PLAYER_CONSTRAINTS)
    divisions = {one.match.division_id: one.match.division for one in touched}
    Division.objects.filter(pk__in=divisions).update(version=F("version") + 1, changed_at=at)
    return list(divisions.values())
