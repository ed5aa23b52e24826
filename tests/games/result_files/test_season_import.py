"""A real season from a file of results: all its numbers, once, whatever its form."""

import csv
import datetime
import io
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.urls import reverse

from clubs.models import Player
from games.grading_office.verification import verify
from games.models import Board, Division, Match, Season
from ratings.models import EloGame, EloRating, RatedGame
from tests.games.result_file_scene import ARMSTRONG, DATA, PLAYERS, counts, rows_of

pytestmark = pytest.mark.django_db

PDL = (DATA / "pdl_tabular_results.csv").read_text(encoding="utf-8")

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
