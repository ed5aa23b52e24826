"""What was played in a county: matches, boards, decisions, the ledger and the grade lists."""

import random
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice

AT_ONCE = 1000
DRAWS = 0.28


def evening(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 22, 14, tzinfo=UTC)


def add_cards(today: date, divisions, strengths, squads, choose: random.Random) -> None:
    """Every match of every season, and the boards of those that are over."""
    from games.models import Board, Match

    matches = [
        match
        for division, year, teams in divisions
        for match in _fixtures(division, year, teams, today, choose)
    ]
    first = _reserve(Match, len(matches))
    matches = [(first + number, *match) for number, match in enumerate(matches)]
    _copy(
        Match,
        ("id", "division_id", "home_id", "away_id", "leg", "number", "round", "played_on")
        + ("board_count", "version", "entered_at"),
        (match[:-2] for match in matches),
    )
    columns = ("match_id", "number", "home_player_id", "away_player_id", "home_colour", "result")
    _copy(Board, (*columns, "award"), _boards_of(matches, strengths, squads, choose))


def _fixtures(division, year, teams, today: date, choose: random.Random) -> Iterator[tuple]:
    """The matches of a division without their pk: as they are stored, then both sides' squads."""
    from games.fixture_lists.fixtures import number_of
    from games.fixture_lists.pairings import fixture_rounds

    rounds = fixture_rounds(len(teams), division.legs)
    step = 250 // len(rounds)
    for number, pairs in enumerate(rounds):
        leg = 1
        for home, away in pairs:
            home, away = teams[home - 1], teams[away - 1]
            day = year.starts_on + timedelta(days=10 + step * number)
            day += timedelta(days=home.club.club_night - day.weekday())
            is_late = day > today - timedelta(days=30) and choose.random() < 0.05
            entered = None if is_late or day >= today else evening(day)
            sides = [(team.club.name, division.rank - 1) for team in (home, away)]
            yield (
                *(division.pk, home.pk, away.pk, leg),
                *(number_of(home.order_number, away.order_number, leg), number + 1, day),
                *(division.board_count, int(entered is not None), entered, *sides),
            )


def _boards_of(matches, strengths, squads, choose: random.Random) -> Iterator[tuple]:
    """The boards of the matches entered: home has White on the even ones, one in 60 defaults."""
    for pk, *_match, boards, _version, entered, home, away in matches:
        if entered is None:
            continue
        sides = [_seats(squads[club][tier], boards, choose) for club, tier in (home, away)]
        for number, (ours, theirs) in enumerate(zip(*sides, strict=True), 1):
            colour = "black" if number % 2 else "white"
            if choose.random() < 1 / 60:
                yield pk, number, ours, None, colour, None, "home_default"
            else:
                result = _result(strengths[ours] - strengths[theirs], choose)
                yield pk, number, ours, theirs, colour, result, None


def _seats(squad: list[int], boards: int, choose: random.Random) -> list[int]:
    """Who plays, in the squad's order: the stronger more often."""
    order = sorted(range(len(squad)), key=lambda seat: choose.random() * (5 + seat))
    return [squad[seat] for seat in sorted(order[:boards])]


def _result(difference: int, choose: random.Random) -> int:
    """The home side's half-points, as the difference of strength lets expect."""
    expected = 1 / (1 + 10 ** (-difference / 400))
    draw = min(DRAWS, 2 * expected, 2 - 2 * expected)
    thrown = choose.random()
    return 2 if thrown < expected - draw / 2 else 1 if thrown < expected + draw / 2 else 0


def add_decisions(today: date, began: date) -> None:
    """Where each closed season ended; in the running one points off, and a team withdrawn."""
    from games.division_tables.league_tables import tables_of
    from games.models import Adjustment, Division, Registration, Season, Team

    for season in Season.objects.filter(closed_at__isnull=False):
        placed = []
        for table in tables_of(list(season.divisions.all())).values():
            for row in table.rows:
                row.team.final_position = row.position
                placed.append(row.team)
        Team.objects.bulk_update(placed, ["final_position"])
    running = Division.objects.filter(season__closed_at=None).order_by("pk")
    for number, division in enumerate(running):
        team = division.teams.order_by("-pk").first()
        if number % 4 == 0:
            Adjustment.objects.create(
                team=team,
                match_points=-1,
                reason="Boards out of order",
                decided_on=today - timedelta(days=20),
            )
        if number % 20 == 1:
            team.state, team.withdrawn_on = "withdrawn", today - timedelta(days=40)
            team.save()
    Registration.objects.bulk_create(
        Registration(
            season_id=season,
            club_id=club,
            player_id=player,
            starts_on=began,
            registered_at=evening(began),
            approved_at=evening(began),
        )
        for season, club, player in Season.objects.filter(closed_at=None)
        .values_list("pk", "divisions__teams__club", "divisions__teams__club__memberships__player")
        .distinct()
    )


def fill_ledger(divisions) -> None:
    """Every rateable board as the ledger keeps it; nothing is rated yet.

    A division's are read before they are written: nothing else may be asked within a COPY.
    """
    from games.match_cards.posting import games_of
    from ratings.ledger import Played
    from ratings.models import RatedGame

    for division, _year, _teams in divisions:
        games = [(division.rated_event_id, *game) for game in games_of(division)]
        _copy(RatedGame, ("event_id", *Played._fields), games)


def add_grade_lists(count: int, today: date) -> None:
    """The newest lists of both pools, after an empty one that lets them begin there."""
    from ratings import ecf, lists
    from ratings.models import GradeList

    cutoffs = [ecf.half_year_of(today)]
    while len(cutoffs) <= count:
        cutoffs.append(ecf.half_year_of(cutoffs[-1] - timedelta(days=1)))
    for pool in lists.GRADED_POOLS:
        at = evening(cutoffs[-1])
        GradeList.objects.create(
            pool_id=pool, cutoff=cutoffs[-1], state="published", rules="BRIEF", published_at=at
        )
    lists.publish_due(at=evening(today + timedelta(days=15)), outstanding=lambda *_: 0)


# --- Storing -----------------------------------------------------------------------------


def _reserve(model, count: int) -> int:
    """The first of so many pks that nobody else will get."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [model._meta.db_table])
        (sequence,) = cursor.fetchone()
        cursor.execute("SELECT nextval(%s)", [sequence])
        (first,) = cursor.fetchone()
        cursor.execute("SELECT setval(%s, %s)", [sequence, first + count])
    return first


def _copy(model, columns: tuple[str, ...], rows: Iterable[tuple]) -> None:
    """Add rows of these columns; every other column has its field's default.

    A few at a time: the time that a statement spends on the triggers of its rows grows with the
    square of their number, where they write history beside deferred keys.
    """
    from ratings.bulk_copy import copy_rows

    others = [
        field
        for field in model._meta.concrete_fields
        if not (field.column in columns or field.primary_key or field.generated)
    ]
    rest = tuple(field.get_default() for field in others)
    names = (*columns, *(field.column for field in others))
    rows = iter(rows)
    while some := list(islice(rows, AT_ONCE)):
        copy_rows(model._meta.db_table, names, (_worded(row + rest) for row in some))


def _worded(row: tuple) -> tuple:
    """The row with its yes and no as words: `copy_rows` would take them for 1 and 0."""
    return tuple(str(value) if type(value) is bool else value for value in row)
