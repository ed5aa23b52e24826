"""A season's results from a league site's file: stored whole, once, and never over a card."""

import csv
import datetime
import io
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from games.grading_office.verification import verify
from games.match_cards import cards
from games.match_cards.card_entries import BoardEntry, entry_of
from games.models import Board, Division, League, Match, Season, Team
from ratings.models import EloGame, EloRating, RatedGame
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db

DATA = Path(__file__).parents[1] / "data"
ARMSTRONG = (DATA / "armstrong_2010_11_results.csv").read_text(encoding="utf-8")
PDL = (DATA / "pdl_tabular_results.csv").read_text(encoding="utf-8")
PLAYERS = DATA.parents[1] / "ratings" / "data" / "armstrong_2010_11_players.csv"
HEADER = ARMSTRONG.splitlines()[0]

# The published table: team, match points at 2/1/0, game points.
TABLE = [
    ("Kilkenny", 19, 62),
    ("Gonzaga", 18, 60.5),
    ("Rathmines A", 16, 50.5),
    ("Bray / Greystones", 15, 49),
    ("Elm Mount", 14, 47.5),
    ("St Benildus", 12, 43),
    ("Phibsboro", 10, 47),
    ("Dublin University", 9, 33.5),
    ("Dublin", 6, 39.5),
    ("Rathmines B", 6, 33),
    ("Malahide", 6, 32),
    ("Dun Laoghaire", 1, 30.5),
]


@pytest.fixture
def run(tmp_path):
    """Import a text and return the lines of the report, or with `refused` those of the error."""

    def run(content, *options, league="Leinster", season="2010-11", refused=False):
        path = tmp_path / "results.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        out, err = io.StringIO(), io.StringIO()
        arguments = ["import_results", str(path), "--league", league, "--season", season, *options]
        if refused:
            before = counts()
            with pytest.raises(CommandError) as error:
                call_command(*arguments, stdout=out, stderr=err)
            assert out.getvalue() == "0 new, 0 changed\n"
            assert counts() == before
            return [*err.getvalue().splitlines(), str(error.value)]
        call_command(*arguments, stdout=out, stderr=err)
        assert err.getvalue() == ""
        return out.getvalue().splitlines()

    return run


def counts():
    """The number of rows of every table there is."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        found = {}
        for name in names:
            cursor.execute(f'SELECT count(*) FROM "{name}"')
            found[name] = cursor.fetchone()[0]
    return found


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def text_of(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, HEADER.split(","))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def altered(row_number, text=ARMSTRONG, **cells):
    """The file with other cells in one row, numbered as a spreadsheet does."""
    rows = rows_of(text)
    rows[row_number - 2].update(cells)
    return text_of(rows)


def small(*rows, **usual):
    """A file of a few boards, each given as a dict of what is unusual about it."""
    cells = {
        "Section": "Division 1",
        "Date": "2010-10-05",
        "Round": "1",
        "HomeTeam": "Ashdown A",
        "AwayTeam": "Hartfield A",
        "Result": "1-0",
        "HPColour": "White",
        **usual,
    }
    return text_of(
        [
            {
                **dict.fromkeys(HEADER.split(","), ""),
                **cells,
                "HomePlayer": f"Home, Nr{number}",
                "AwayPlayer": f"Away, Nr{number}",
                "Board": number,
                **row,
            }
            for number, row in enumerate(rows, 1)
        ]
    )


def line_up(match=None):
    match = match or Match.objects.get()
    return [
        (
            board.number,
            board.home_player and board.home_player.listed_name,
            board.result if board.award is None else board.award,
            board.away_player and board.away_player.listed_name,
        )
        for board in match.boards.order_by("number").select_related("home_player", "away_player")
    ]


# --- A real season -----------------------------------------------------------------------


def test_the_armstrong_season_gives_the_published_table(run, client):
    assert run(ARMSTRONG)[-1] == "528 new, 0 changed"
    division = Division.objects.get()
    assert (division.board_count, division.teams.count(), division.matches.count()) == (8, 12, 66)
    rows = client.get(reverse("division_detail", args=[division.pk, "json"])).json()["rows"]
    assert [(row["team"], row["match_points"], row["game_points"]) for row in rows] == TABLE
    assert {row["played"] for row in rows} == {11}


def test_every_player_has_the_published_points(run):
    run(ARMSTRONG)
    points = {}
    for board in Board.objects.select_related("home_player", "away_player", "match__home__club"):
        for player, halves, team in (
            (board.home_player, board.home_halves, board.match.home),
            (board.away_player, board.away_halves, board.match.away),
        ):
            if player is not None:
                key = (player.listed_name, team.name)
                games, sum_ = points.get(key, (0, 0))
                points[key] = (games + 1, sum_ + halves)
    with open(PLAYERS, encoding="utf-8") as file:
        published = {
            (row["name"], row["team"]): (
                int(row["games"]),
                int(2 * Decimal(row["published_points"])),
            )
            for row in csv.DictReader(file)
        }
    assert len(published) == 160
    assert points == published


def test_defaults_score_and_are_not_rated(run):
    run(ARMSTRONG)
    assert Board.objects.filter(award__isnull=False).count() == 6
    assert Board.objects.filter(award__isnull=False, home_player=None).count() == 3
    assert RatedGame.objects.count() == EloGame.objects.count() == 522
    assert verify() == []


@pytest.mark.parametrize("order", ["players first", "results first"])
def test_openings_count_whichever_file_comes_first(run, order):
    steps = [
        lambda: call_command(
            "import_players", PLAYERS, "--as-of", "2010-09-01", stdout=io.StringIO()
        ),
        lambda: run(ARMSTRONG),
    ]
    for step in steps if order == "players first" else steps[::-1]:
        step()
    assert verify() == []
    assert Player.objects.count() == 160
    # Who never had another game than by default has no rating.
    assert EloRating.objects.count() == len(
        {*RatedGame.objects.values_list("white", flat=True)}
        | {*RatedGame.objects.values_list("black", flat=True)}
    )
    top = EloRating.objects.order_by("-rating").first()
    assert (top.player.listed_name, top.rating) == TOP


TOP = ("Smyth, Oisín", 25098)


def test_a_second_import_changes_nothing(run):
    run(ARMSTRONG)
    before = counts()
    versions = [*Match.objects.order_by("pk").values_list("pk", "version", "entered_at")]
    assert run(ARMSTRONG) == ["0 new, 0 changed"]
    assert counts() == before
    assert [*Match.objects.order_by("pk").values_list("pk", "version", "entered_at")] == versions


def test_a_dry_run_says_what_would_be_and_stores_nothing(run):
    before = counts()
    dry = run(ARMSTRONG, "--dry-run")
    assert counts() == before
    assert dry[0] == "Dry run: nothing is stored."
    assert dry[1:4] == [
        "New league: Leinster",
        "New season: 2010-11, from 2010-07-01 to 2011-06-30",
        "New division: Armstrong Cup, 8 boards, 75 minutes + 10 s",
    ]
    assert "New team: Rathmines A of the club Rathmines, Armstrong Cup" in dry
    assert "New team: Dublin University of the club Dublin University, Armstrong Cup" in dry
    assert dry == ["Dry run: nothing is stored.", *run(ARMSTRONG)]


def test_the_pdl_file_reads_without_loss(run):
    lines = run(PDL, league="Portsmouth", season="2019/20")
    assert lines[-1] == "22 new, 0 changed"
    boards = Board.objects.select_related(
        "match__division", "match__home", "match__away", "home_player", "away_player"
    ).order_by("pk")
    tokens = {2: "1-0", 1: "draw", 0: "0-1"}
    stored = {
        (
            board.match.division.name,
            board.match.played_on.isoformat(),
            str(board.match.round),
            board.match.home.name,
            f"{board.home_player.ecf_code} {board.home_player.listed_name}",
            tokens[board.result],
            f"{board.away_player.ecf_code} {board.away_player.listed_name}",
            board.match.away.name,
            str(board.number),
            board.get_home_colour_display(),
        )
        for board in boards
    }
    months = {"Oct": "10", "Dec": "12", "Jan": "01"}
    expected = set()
    for row in rows_of(PDL):
        day, month, year = row["Date"].split()
        expected.add(
            (
                row["Section"],
                f"{year}-{months[month]}-{int(day):02d}",
                row["Round"],
                row["HomeTeam"],
                row["HomePlayer"].replace("936703C,", "936703C"),
                row["Result"],
                row["AwayPlayer"].replace("936703C,", "936703C"),
                row["AwayTeam"],
                row["Board"],
                row["HPColour"],
            )
        )
    assert stored == expected
    # The pair that meets twice in round 1 is two matches, each its team's first at home.
    cosham = Match.objects.filter(division__name="Division Three").order_by("played_on")
    assert [(str(match), match.leg, match.round) for match in cosham] == [
        ("Chichester C v Cosham C", 1, 1),
        ("Cosham C v Chichester C", 1, 1),
    ]
    assert {*Division.objects.values_list("name", "board_count", "home_colour")} == {
        ("Division One", 6, "even"),
        ("Division Three", 5, "odd"),
    }
    assert run(PDL, league="portsmouth", season="2019-20") == ["0 new, 0 changed"]


def test_a_season_made_by_an_import_is_public_at_once(run, client):
    run(ARMSTRONG)
    season = Season.objects.get()
    assert season.published_at is not None
    assert (season.slug, season.starts_on, season.ends_on) == (
        "2010-11",
        datetime.date(2010, 7, 1),
        datetime.date(2011, 7, 1),
    )
    assert client.get(season.get_absolute_url()).status_code == 200


@pytest.mark.parametrize(
    ("encoding", "mark"), [("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("cp1252", b"")]
)
def test_encodings(run, encoding, mark):
    content = mark + ARMSTRONG.encode(encoding)
    assert run(content)[-1] == "528 new, 0 changed"
    assert Player.objects.filter(surname="Lacey", forenames="Sinéad").exists()


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators(run, separator):
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(csv.reader(io.StringIO(ARMSTRONG)))
    assert run(out.getvalue())[-1] == "528 new, 0 changed"
    assert run(ARMSTRONG) == ["0 new, 0 changed"]


# --- Ten damaged variants ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        pytest.param(
            altered(5, Result="2-0"),
            ['row 5, Result "2-0": is not a result: expected 1-0, 0-1, draw or 1-0 def'],
            id="a token that is no result",
        ),
        pytest.param(
            altered(216, Result="0 - 0"),
            ['row 216, Result "0 - 0": may be unplayed, void or a double default: say which'],
            id="an ambiguous token",
        ),
        pytest.param(
            altered(10, Date="2011-09-13"),
            [
                'row 10, Date "2011-09-13": 2011-09-13 is outside the season;'
                " expected a day from 2010-07-01 to 2011-06-30"
            ],
            id="a date outside the season",
        ),
        pytest.param(
            altered(10, Date="31/02/2011"),
            [
                'row 10, Date "31/02/2011": is not a date: no day 31 in month 2;'
                " expected a day from 2010-07-01 to 2011-06-30"
            ],
            id="a day that is none",
        ),
        pytest.param(
            altered(3, Board="1"),
            ['row 3, Board "1": expected each board once in a match; row 2 has it as well'],
            id="a board twice",
        ),
        pytest.param(
            altered(3, HomePlayer="Mooney, Gavin"),
            [
                'row 3, HomePlayer "Mooney, Gavin": expected each player once in a match;'
                " board 1 has the same"
            ],
            id="a player twice",
        ),
        pytest.param(
            altered(4, HTScore="3"),
            ['row 4, HTScore "3": expected 2 as in the rest of this match'],
            id="a score unlike the other rows'",
        ),
        pytest.param(
            altered(4, HomePlayer='=HYPERLINK("http://x")', AwayTeam="Bray / Greystones"),
            [
                'row 4, AwayTeam "Bray / Greystones": expected another team than the home team',
                'row 4, HomePlayer "=HYPERLINK("http://x")": expected text,'
                " not a spreadsheet's formula",
            ],
            id="a formula, and a team against itself",
        ),
        pytest.param(
            ARMSTRONG.replace("HomePlayer", "Heimspieler"),
            [
                "row 1: expected a column for each of Section, Date, HomeTeam, HomePlayer, Result,"
                " AwayPlayer, AwayTeam, Board; missing: HomePlayer"
            ],
            id="a column missing",
        ),
        pytest.param(
            ARMSTRONG.replace('"Coakley, Una"', '"Coakley, Una', 1),
            ["row 3: not CSV: ',' expected after '\"'"],
            id="a quote not closed",
        ),
        pytest.param(
            ARMSTRONG.encode().replace("Róisín".encode(), b"R\xf3is\xedn", 1),
            ["row 5 holds a byte that is not UTF-8, and other letters are; save it again"],
            id="two encodings",
        ),
        pytest.param(
            altered(2, Board="17", HPColour="Green", Round="=1+1", HTScore="x"),
            [
                'row 2, Board "17": expected a number from 1 to 16',
                'row 2, HPColour "Green": expected White, Black or blank',
                'row 2, HTScore "x": is not a score: expected one like 3½, 3.5 or 3',
                'row 2, Round "=1+1": expected text, not a spreadsheet\'s formula',
            ],
            id="four cells of one row",
        ),
    ],
)
def test_a_damaged_file_is_reported_and_nothing_is_stored(run, content, lines):
    assert run(content, refused=True)[:-1] == lines


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "the file is empty"),
        (HEADER, "the file has no rows below its header"),
        ("Section\nDivision 1\n", "missing: Date, HomeTeam, HomePlayer, Result, AwayPlayer"),
        (",".join(f"c{n}" for n in range(300)) + "\n", "missing: Section, Date, HomeTeam"),
        (ARMSTRONG.encode("utf-16"), "the file is UTF-16 or UTF-32; save it as UTF-8"),
        (ARMSTRONG.encode("utf-16-le"), "the file is UTF-16 or UTF-32; save it as UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00\x81", "row 3 holds the byte 0x81, neither UTF-8"),
        (b"PK\x03\x04" + bytes(range(32, 127)) * 20, "row 1: expected a column for each of"),
    ],
)
def test_a_file_that_is_something_else(run, content, line):
    assert line in run(content, refused=True)[0]


def test_a_file_of_fifty_megabytes_is_refused_unread(run):
    assert run(b"x" * 50 * 1024 * 1024, refused=True)[-1].endswith(
        "results.csv is larger than 8 MB; split it, for example by season or division"
    )


def test_every_bad_row_is_named(run):
    rows = rows_of(ARMSTRONG)
    for row in rows[100:200]:
        row["Result"] = "?"
    lines = run(text_of(rows), "--verbosity", "2", refused=True)
    assert [line.split(",")[0] for line in lines[:-1]] == [f"row {n}" for n in range(102, 202)]
    assert lines[-1] == "Nothing was stored: 100 rows or cells are wrong."
    assert run(text_of(rows), refused=True) == [
        *lines[:50],
        "and 50 more; --verbosity 2 prints all of them",
        lines[-1],
    ]


def test_one_bad_row_later_leaves_an_earlier_import_as_it_was(run):
    run(ARMSTRONG)
    assert run(altered(300, Result="?"), refused=True)[0].startswith("row 300, Result")
    assert run(ARMSTRONG) == ["0 new, 0 changed"]


# --- Totals ------------------------------------------------------------------------------


def test_a_total_that_disagrees_is_reported_and_kept_as_stated(run, client):
    rows = rows_of(ARMSTRONG)
    for row in rows[:8]:
        row["HTScore"] = "1.5"
    lines = run(text_of(rows))
    assert lines[-3:] == [
        "Bray / Greystones v Phibsboro, 2010-09-13: the file states 1½ - 6,"
        " its boards come to 2 - 6; kept as stated.",
        "Rated: 682 rows of games and ratings.",
        "528 new, 0 changed",
    ]
    match = Match.objects.get(home__name="Bray / Greystones", away__name="Phibsboro")
    assert (match.stated_home, match.stated_away, match.board_count) == (3, 12, 8)
    assert Match.objects.exclude(stated_home=None).count() == 1
    table = client.get(reverse("division_detail", args=[match.division_id, "json"])).json()
    points = {row["team"]: row["game_points"] for row in table["rows"]}
    assert points["Bray / Greystones"] == 48.5
    assert run(text_of(rows))[-1] == "0 new, 0 changed"
    # Put right in the file, it is put right here.
    assert run(ARMSTRONG) == ["0 new, 8 changed"]
    match.refresh_from_db()
    assert (match.stated_home, match.stated_away) == (None, None)


def test_more_points_than_boards_are_refused(run):
    content = small({}, {}, HTScore="2.5", ATScore="0")
    assert run(content, refused=True)[0] == (
        'row 2, HTScore "2.5": expected at most 2 points together with ATScore 0'
    )


def test_a_row_that_is_missing_leaves_the_score_as_stated(run):
    lines = ARMSTRONG.splitlines(keepends=True)
    report = run("".join(lines[:8] + lines[9:]))
    assert (
        "Bray / Greystones v Phibsboro, 2010-09-13: the file states 2 - 6,"
        " its boards come to 2 - 5; kept as stated."
    ) in report
    match = Match.objects.get(home__name="Bray / Greystones", away__name="Phibsboro")
    assert (match.stated_home, match.stated_away, match.board_count) == (4, 12, 8)
    # The row comes in later.
    assert run(ARMSTRONG)[-1] == "1 new, 7 changed"
    match.refresh_from_db()
    assert (match.stated_home, match.boards.count()) == (None, 8)
    assert verify() == []


def test_fewer_boards_that_agree_with_their_score_are_the_match(run):
    run(small({}, {}, {}, {}))
    short = small({}, {}, AwayTeam="Kingsmead B", HTScore="2", ATScore="0")
    run(short)
    assert [match.board_count for match in Match.objects.order_by("pk")] == [4, 2]


def test_part_of_a_stored_match_changes_nothing(run):
    scored = {"HTScore": "1", "ATScore": "1"}
    whole, part = small({}, {"Result": "0-1"}, **scored), small({}, **scored)
    blank = small({"HomePlayer": "", "AwayPlayer": "", "Result": ""}, **scored)
    # Another match of more boards, for the division's number of them.
    run(small({}, {}, {}, HomeTeam="Kingsmead B"))
    run(whole)
    before = [*Match.objects.order_by("pk").values()]
    missing = "Ashdown A v Hartfield A, 2010-10-05: the file has no row for board"
    assert run(part) == [f"{missing} 2; kept as stored.", "0 new, 0 changed"]
    assert run(blank)[-1] == "0 new, 0 changed"
    assert run(whole) == ["0 new, 0 changed"]
    assert [*Match.objects.order_by("pk").values()] == before


def test_a_score_is_judged_by_all_boards_there_are(run):
    run(small({}, {"Result": "0-1"}, HTScore="1", ATScore="1"))
    assert (
        "Ashdown A v Hartfield A, 2010-10-05: the file states 1 - 0,"
        " its boards come to 1 - 1; kept as stated."
    ) in run(small({}, HTScore="1", ATScore="0"))
    match = Match.objects.get()
    assert (match.stated_home, match.stated_away, match.board_count) == (2, 0, 2)


def test_a_score_without_any_board_is_kept(run):
    blank = {"HomePlayer": "", "AwayPlayer": "", "Result": ""}
    run(small(blank, blank, HTScore="1½", ATScore="½"))
    match = Match.objects.get()
    assert (match.stated_home, match.stated_away, match.boards.count()) == (3, 1, 0)


# --- Matches -----------------------------------------------------------------------------


def test_a_pairing_twice_at_the_same_ground_is_two_legs(run):
    one = small({}, {}, Date="2010-10-05", Round="1")
    two = small({}, {}, Date="2011-03-05", Round="8").split("\n", 1)[1]
    assert run(one + two)[-1] == "4 new, 0 changed"
    stored = [*Match.objects.order_by("leg").values_list("leg", "round", "played_on", "number")]
    assert stored == [
        (1, 1, datetime.date(2010, 10, 5), 50101),
        (2, 8, datetime.date(2011, 3, 5), 50102),
    ]
    assert run(two and HEADER + "\n" + two) == ["0 new, 0 changed"]
    assert run(one + two) == ["0 new, 0 changed"]


def test_a_match_that_comes_later_in_another_file_is_another_leg(run):
    run(small({}, Date="2011-03-05", Round="8"))
    run(small({}, Date="2010-10-05", Round="1"))
    assert [*Match.objects.order_by("leg").values_list("leg", "round")] == [(1, 8), (2, 1)]


def test_a_new_date_for_a_round_moves_the_match(run):
    run(small({}, {}))
    assert run(small({}, {}, Date="12 Oct 2010"))[-1] == "0 new, 2 changed"
    assert Match.objects.get().played_on == datetime.date(2010, 10, 12)
    assert {*RatedGame.objects.values_list("played_on", flat=True)} == {datetime.date(2010, 10, 12)}
    assert verify() == []


def test_a_board_with_a_date_of_its_own(run):
    lines = run(small({}, {"Date": "12/10/10"}, {}))
    assert (
        "Row 3: board 2 of Ashdown A v Hartfield A, 2010-10-05 has a date of its own, 2010-10-12."
    ) in lines
    assert [*Board.objects.order_by("number").values_list("played_on", flat=True)] == [
        None,
        datetime.date(2010, 10, 12),
        None,
    ]
    assert Match.objects.count() == 1


def test_a_slip_in_the_round_is_named(run):
    assert run(small({}, {"Round": "2"}, {}), refused=True)[0] == (
        'row 3, Round "2": expected 1 as in the rest of this match'
    )


def test_a_round_may_be_a_name(run):
    run(small({}, Round="Semi-final"))
    assert (Match.objects.get().round, Match.objects.get().round_label) == (0, "Semi-final")
    assert run(small({}, Round="Semi-final")) == ["0 new, 0 changed"]


def test_a_match_without_a_date_is_stored_and_not_rated(run):
    run(small({}, {}, Date=""))
    assert Match.objects.get().played_on is None
    assert not RatedGame.objects.exists()
    assert run(small({}, {}))[-1] == "0 new, 2 changed"
    assert RatedGame.objects.count() == 2


def test_a_fixture_becomes_a_match_with_a_card(run):
    blank = {"HomePlayer": "", "AwayPlayer": "", "Result": ""}
    run(small(blank, blank, Date="2010-12-01"))
    match = Match.objects.get()
    assert (match.entered_at, match.boards.count()) == (None, 0)
    assert run(small({}, {}))[-1] == "2 new, 0 changed"
    match.refresh_from_db()
    assert match.entered_at is not None
    assert match.played_on == datetime.date(2010, 10, 5)


# --- Teams and seasons -------------------------------------------------------------------


def test_the_club_of_a_team(run):
    whole = ClubFactory(name="Kensington W")
    stem = ClubFactory(name="ASHDOWN")
    run(small({}, HomeTeam="Ashdown II", AwayTeam="Kensington W"))
    assert {team.name: team.club for team in Team.objects.all()} == {
        "Ashdown II": stem,
        "Kensington W": whole,
    }


def test_teams_are_numbered_by_the_alphabet_and_later_ones_behind(run):
    run(small({}, HomeTeam="Wellow A", AwayTeam="Ashdown A"))
    run(small({}, HomeTeam="Castle A", AwayTeam="Baron A"))
    assert [*Team.objects.order_by("order_number").values_list("name", "order_number")] == [
        ("Ashdown A", 1),
        ("Wellow A", 2),
        ("Baron A", 3),
        ("Castle A", 4),
    ]


@pytest.mark.parametrize(
    ("label", "starts_on"),
    [("2010/11", 2010), ("2010-2011", 2010), ("Season 2010–11", 2010), ("Spring", 2010)],
)
def test_the_days_of_a_season(run, label, starts_on):
    run(small({}), season=label)
    assert Season.objects.get().starts_on == datetime.date(starts_on, 7, 1)


def test_a_season_that_nothing_tells(run):
    assert run(small({}, Date="5 Oct"), season="Spring", refused=True)[0] == (
        "--season: the year is neither in the label nor in a date of the file;"
        " expected a label like 2010-11"
    )


def test_a_date_without_a_year_takes_that_of_the_season(run):
    run(small({}, Date="5 Feb"))
    assert Match.objects.get().played_on == datetime.date(2011, 2, 5)


def test_a_day_to_come_has_no_result(run, monkeypatch):
    at = datetime.datetime(2010, 10, 5, 12, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)
    fixture = {"HomePlayer": "", "AwayPlayer": "", "Result": ""}
    later = {"Date": "2010-10-06", "HomeTeam": "Kingsmead B"}
    expected = "2010-10-06 is still to come; expected no result yet"
    content = small({}, later, {**later, **fixture, "HTScore": "3", "ATScore": "1"})
    assert run(content, refused=True) == [
        f'row 3, Date "2010-10-06": {expected}',
        f'row 4, Date "2010-10-06": {expected}',
        "Nothing was stored: 2 rows or cells are wrong.",
    ]
    content = small({}, {**later, **fixture, "HTScore": "0", "ATScore": "0"})
    assert run(content)[-1] == "2 new, 0 changed"
    assert [match.entered_at for match in Match.objects.order_by("pk")] == [at, None]
    assert RatedGame.objects.count() == 1
    # A row without a date is played on the day that is stored.
    assert run(small({"Date": "", "HomeTeam": "Kingsmead B"}), refused=True)[0] == (
        f'row 2, Date "": {expected}'
    )


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "=1", "a\x00b"])
def test_a_league_needs_a_name(run, name):
    assert run(small({}), league=name, refused=True)[0].startswith("--league: ")
    assert not League.objects.exists()


# --- People ------------------------------------------------------------------------------


def test_nobody_is_never_a_player(run):
    run(
        small(
            {"HomePlayer": "", "Result": "0-1 def"},
            {"AwayPlayer": "Default"},
            {"AwayPlayer": "Bye", "Result": "1-0"},
            {"AwayPlayer": "A.N. Other", "Result": "0-1"},
            {"HomePlayer": "New Player", "Result": "draw"},
            {"HomePlayer": "", "AwayPlayer": "", "Result": "dd"},
            {"HomePlayer": "", "AwayPlayer": "", "Result": ""},
        )
    )
    assert line_up() == [
        (1, None, "away_default", "Away, Nr1"),
        (2, "Home, Nr2", "home_default", None),
        (3, "Home, Nr3", "home_default", None),
        (4, "Home, Nr4", 0, None),
        (5, None, 1, "Away, Nr5"),
        (6, None, "double_default", None),
        (7, None, None, None),
    ]
    assert not RatedGame.objects.exists()


def test_a_draw_against_an_empty_chair_is_refused(run):
    assert run(small({"AwayPlayer": "", "Result": "draw"}), refused=True)[0] == (
        'row 2, Result "draw": expected a default, such as 1-0 def, for nobody is named'
    )


def test_a_player_is_found_within_the_club_only(run):
    ashdown = ClubFactory(name="Ashdown")
    member = PlayerFactory(surname="Home", forenames="Nr1")
    MembershipFactory(player=member, club=ashdown)
    elsewhere = PlayerFactory(surname="Away", forenames="Nr1")
    MembershipFactory(player=elsewhere)
    lines = run(small({"HomePlayer": "HOME, NR1"}))
    assert [line for line in lines if line.startswith("New player")] == [
        "New player: Away, Nr1 (Hartfield)"
    ]
    board = Board.objects.get()
    assert board.home_player == member
    assert board.away_player != elsewhere


def test_two_candidates_are_an_error_row(run):
    ashdown = ClubFactory(name="Ashdown")
    twins = [PlayerFactory(surname="Home", forenames="Nr1") for _n in range(2)]
    for twin in twins:
        MembershipFactory(player=twin, club=ashdown)
    pks = ", ".join(f"#{twin.pk}" for twin in twins)
    assert run(small({}), refused=True)[0] == (
        f'row 2, HomePlayer "Home, Nr1": 2 players of this club have this name ({pks});'
        " expected the ECF code of one of them"
    )
    Player.objects.filter(pk=twins[1].pk).update(ecf_code="900101D")
    run(small({"HomePlayer": "900101D Home, Nr1"}))
    assert Board.objects.get().home_player == twins[1]


def test_a_person_on_both_sides_is_refused(run):
    names = {"HomePlayer": "900101D Lovell, Maureen", "AwayPlayer": "900101D Lovell, Maureen"}
    assert run(small(names), refused=True)[0] == (
        'row 2, AwayPlayer "900101D Lovell, Maureen": expected each player once in a match;'
        " board 1 has the same"
    )


@pytest.mark.parametrize("cell", ["1-0", "0", "12345", "½-½", "0, Ann", "Ann 2"])
def test_what_has_no_letter_is_no_player(run, cell):
    assert run(small({"HomePlayer": cell}), refused=True)[0] == (
        f'row 2, HomePlayer "{cell}": expected a name; a surname needs a letter'
    )


def test_names_of_every_shape_come_back(run):
    names = ["O'Grange, Siobhan", "van der Lune, Pieter", "Żabrek, Łucja", "King's Head, <b>"]
    run(small(*({"HomePlayer": name} for name in names)))
    assert [row[1] for row in line_up()] == names
    assert run(small(*({"HomePlayer": name.upper()} for name in names))) == ["0 new, 0 changed"]


# --- What somebody changed since ---------------------------------------------------------


@pytest.fixture
def match(run):
    """A match of three boards, imported: 3-0."""
    run(small({}, {}, {}))
    return Match.objects.get()


def by_hand(match, **facts):
    """Save the match's card as a person; `facts` change it: `board_2={"result": 0}`."""
    match.refresh_from_db()
    entries = [entry_of(board) for board in match.boards.order_by("number")]
    entries = [
        replace(entry, **facts.pop(f"board_{entry.number}", {}))
        for entry in entries
        if facts.get(f"board_{entry.number}", {}) is not None
    ]
    facts = {name: value for name, value in facts.items() if not name.startswith("board_")}
    cards.record_card(
        match=match.pk,
        boards=entries,
        version=match.version,
        by=UserFactory(),
        at=datetime.datetime(2010, 10, 9, 22, tzinfo=datetime.UTC),
        **facts,
    )


KEPT = "Row 3: board 2 of Ashdown A v Hartfield A, 2010-10-05 was changed by hand and is kept."


def test_a_board_corrected_by_hand_is_reported_and_kept(run, match):
    by_hand(match, board_2={"result": 0})
    before = counts()
    assert run(small({}, {}, {})) == [KEPT, "0 new, 0 changed"]
    assert counts() == before
    assert [row[2] for row in line_up()] == [2, 0, 2]


def test_the_other_boards_of_that_match_are_still_the_files(run, match):
    by_hand(match, board_2={"result": 0})
    assert run(small({}, {}, {"Result": "draw"})) == [
        KEPT,
        "Rated: 3 rows of games and ratings.",
        "0 new, 1 changed",
    ]
    assert [row[2] for row in line_up()] == [2, 0, 1]
    assert verify() == []


def test_what_nobody_touched_follows_the_file(run, match):
    assert run(small({}, {"Result": "0-1"}, {}))[-1] == "0 new, 1 changed"
    assert [row[2] for row in line_up()] == [2, 0, 2]
    assert [board.pk for board in match.boards.all()] == [
        *Board.objects.order_by("number").values_list("pk", flat=True)
    ]
    assert verify() == []


def test_a_board_changed_by_hand_and_back_is_the_files_again(run, match):
    by_hand(match, board_2={"result": 0})
    by_hand(match, board_2={"result": 2})
    assert run(small({}, {"Result": "draw"}, {}))[-1] == "0 new, 1 changed"


def test_a_hand_without_a_card_counts_too(run, match):
    Board.objects.filter(number=2).update(result=1)
    assert run(small({}, {}, {})) == [KEPT, "0 new, 0 changed"]


def test_a_board_taken_off_by_hand_does_not_come_back(run, match):
    by_hand(match, board_2=None)
    assert run(small({}, {}, {})) == [KEPT, "0 new, 0 changed"]
    assert [row[0] for row in line_up()] == [1, 3]


def test_a_date_changed_by_hand_is_kept(run, match):
    by_hand(match, played_on=datetime.date(2010, 10, 7))
    assert run(small({}, {}, {})) == [
        "Ashdown A v Hartfield A, 2010-10-05, date: 2010-10-07 by hand is kept,"
        " the file says 2010-10-05.",
        "0 new, 0 changed",
    ]


def test_a_card_saved_by_hand_is_not_stated_otherwise(run, match):
    by_hand(match, board_2={"result": 0})
    lines = run(small({}, {}, {}, HTScore="2½", ATScore="½"))
    assert lines == [
        "Ashdown A v Hartfield A, 2010-10-05: the file states 2½ - ½,"
        " its boards come to 3 - 0; kept as stated.",
        "Ashdown A v Hartfield A, 2010-10-05, stated score, home, in halves: none by hand is"
        " kept, the file says 2½.",
        "Ashdown A v Hartfield A, 2010-10-05, stated score, away, in halves: none by hand is"
        " kept, the file says ½.",
        KEPT,
        "0 new, 0 changed",
    ]


def test_a_player_whom_a_hand_put_on_another_board_is_refused(run, match):
    first, second = (board.home_player_id for board in match.boards.order_by("number")[:2])
    by_hand(match, board_1={"home": second}, board_2={"home": first})
    assert run(small({}, {}, {"HomePlayer": "Home, Nr1"}), refused=True)[0] == (
        'row 4, HomePlayer "Home, Nr1": expected each player once in a match; board 2 has the same'
    )


def test_a_card_entered_before_any_import_is_kept(run):
    run(small({"HomePlayer": "", "AwayPlayer": "", "Result": ""}))
    match = Match.objects.get()
    cards.record_card(
        match=match.pk,
        boards=[
            BoardEntry(1, PlayerFactory().pk, PlayerFactory().pk, home_colour="white", result=0)
        ],
        version=match.version,
        by=UserFactory(),
        at=datetime.datetime(2010, 10, 5, 22, tzinfo=datetime.UTC),
    )
    assert run(small({}))[-2:] == [KEPT.replace("3: board 2", "2: board 1"), "0 new, 0 changed"]
    assert [row[2] for row in line_up()] == [0]


def test_a_row_the_file_lost_stays(run, match):
    assert run(small({}, {})) == [
        "Ashdown A v Hartfield A, 2010-10-05: the file has no row for board 3; kept as stored.",
        "0 new, 0 changed",
    ]
    assert Board.objects.count() == 3
