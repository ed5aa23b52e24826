"""Match scores without boards: printed tables from a file, stored once, never over a card."""

import csv
import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from games.division_tables.adjustments import add_adjustment
from games.division_tables.league_tables import table_of
from games.models import Board, Division, League, Match, Season, Team
from ratings.models import RatedGame
from tests.factories import BoardFactory, UserFactory

pytestmark = pytest.mark.django_db

DATA = Path(__file__).parents[1] / "data"
HEADER = "season,division,boards,home,away,home_score,away_score,note\n"
TWO = (
    HEADER
    + "1996-97,Division 2,5,Ashdown A,Hartfield A,3,2,\n"
    + "1996-97,Division 2,5,Hartfield A,Ashdown A,1½,3.5,\n"
)


def rows(name, **chosen):
    with open(DATA / name, encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    return [row for row in found if all(row[key] == value for key, value in chosen.items())]


@pytest.fixture
def run(tmp_path):
    """Import a text and return the lines of the report, or with `refused` those of the error."""

    def run(content, *options, league="City Chess League", refused=False):
        path = tmp_path / "scores.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        out, err = io.StringIO(), io.StringIO()
        arguments = ["import_match_scores", str(path), "--league", league, *options]
        if refused:
            before = stored()
            with pytest.raises(CommandError) as error:
                call_command(*arguments, stdout=out, stderr=err)
            assert stored() == before
            return [*err.getvalue().splitlines(), str(error.value)]
        call_command(*arguments, stdout=out, stderr=err)
        assert err.getvalue() == ""
        return out.getvalue().splitlines()

    return run


def stored():
    matches = Match.objects.order_by("pk").values_list("home__name", "stated_home", "stated_away")
    return League.objects.count(), Season.objects.count(), Team.objects.count(), list(matches)


def london(season):
    boards = {"1932-33": 9, "1996-97": 5}[season]
    lines = [
        ",".join(
            (
                *(season, "Division 2", str(boards), row["home"], row["away"]),
                *(row["home_score"], row["away_score"], ""),
            )
        )
        for row in rows("london_matches.csv", season=season)
    ]
    return HEADER + "\n".join(lines)


@pytest.mark.parametrize("season", ["1932-33", "1996-97"])
def test_a_printed_table_of_matches_without_dates(run, season):
    options = ("--match-points", "1,0.5,0", "--order", "match_points,game_points")
    assert (
        run(london(season), *options)[-1]
        == {
            "1932-33": "30 new, 0 changed",
            "1996-97": "20 new, 0 changed",
        }[season]
    )
    division = Division.objects.get()
    printed = rows("london_tables.csv", season=season)
    for row in printed:
        if row["penalty"] != "0":
            add_adjustment(
                team=division.teams.get(name=row["team"]).pk,
                match_points=-int(2 * float(row["penalty"])),
                game_points=0,
                reason="boards defaulted",
                decided_on="1997-05-01",
                by=UserFactory(),
                at=timezone.now(),
            )
    found = table_of(Division.objects.get())
    assert [
        (
            *(row.position, row.name, row.played, row.won, row.drawn, row.lost),
            *(row.game_points / 2, row.match_points / 2),
        )
        for row in found.rows
    ] == [
        (
            *(int(row["position"]), row["team"]),
            *(int(row[name]) for name in ("played", "won", "drawn", "lost")),
            *(float(row["game_points"]), float(row["points"])),
        )
        for row in printed
    ]
    assert (Board.objects.count(), RatedGame.objects.count()) == (0, 0)


def test_a_season_of_462_matches(run):
    lines = [
        f"1963-64,First Division,16,{row['home']},{row['away']},"
        f"{row['home_goals']},{row['away_goals']},"
        for row in rows("football_matches.csv")
    ]
    options = ("--match-points", "3,1,0", "--order")
    order = "match_points,game_point_difference,game_points"
    assert run(HEADER + "\n".join(lines), *options, order)[-1] == "462 new, 0 changed"
    assert [
        (row.position, row.name, row.match_points // 2)
        for row in table_of(Division.objects.get()).rows
    ] == [
        (int(row["position"]), row["team"], int(row["points"]))
        for row in rows("football_table.csv")
    ]


def test_the_same_file_twice_and_a_dry_run_store_nothing(run):
    dry = run(TWO, "--dry-run")
    assert (dry[0], dry[-1]) == ("Dry run: nothing is stored.", "2 new, 0 changed")
    assert stored() == (0, 0, 0, [])
    assert run(TWO)[-1] == "2 new, 0 changed"
    first = stored()
    assert run(TWO) == ["0 new, 0 changed"]
    assert stored() == first == (1, 1, 2, [("Ashdown A", 6, 4), ("Hartfield A", 3, 7)])


def test_a_corrected_score_is_changed_and_moves_the_division(run):
    run(TWO)
    version = Division.objects.get().version
    corrected = TWO.replace("3,2,", "2,3,")
    assert run(corrected) == ["0 new, 1 changed"]
    assert Division.objects.get().version == version + 1
    assert run(corrected) == ["0 new, 0 changed"]


def test_the_nth_meeting_at_home_is_its_own_leg(run):
    again = TWO + "1996-97,Division 2,5,Ashdown A,Hartfield A,2½,2½,\n"
    assert run(again)[-1] == "3 new, 0 changed"
    legs = Match.objects.filter(home__name="Ashdown A").values_list("leg", "stated_home")
    assert sorted(legs) == [(1, 6), (2, 5)]
    [row, _other] = table_of(Division.objects.get()).rows
    assert (row.name, row.played, row.match_points, row.game_points) == ("Ashdown A", 3, 10, 18)


def test_a_score_that_somebody_set_by_hand_is_kept(run):
    run(TWO)
    Match.objects.filter(home__name="Ashdown A").update(stated_home=5, stated_away=5)
    assert run(TWO.replace("3,2,", "4,1,")) == [
        "Row 2: Ashdown A v Hartfield A is kept as it stands; the file says 4 - 1.",
        "0 new, 0 changed",
    ]
    assert stored()[3] == [("Ashdown A", 5, 5), ("Hartfield A", 3, 7)]


def test_a_match_that_has_a_card_is_kept(run):
    run(TWO)
    match = Match.objects.get(home__name="Ashdown A")
    Match.objects.filter(pk=match.pk).update(stated_home=None, stated_away=None)
    BoardFactory(match=match, number=1, result=2)
    kept = "Row 2: Ashdown A v Hartfield A is kept as it stands; the file says 3 - 2."
    assert run(TWO) == [kept, "0 new, 0 changed"]


def test_rules_asked_for_reach_a_division_that_is_there(run):
    run(TWO)
    lines = run(TWO, "--match-points", "4,2,1,0", "--order", "match_points,wins")
    assert lines == ["Division 2: the rules of its table are changed.", "0 new, 1 changed"]
    division = Division.objects.get()
    assert (division.match_points_win, division.match_points_draw) == (8, 4)
    assert (division.match_points_loss, division.match_points_defaulted) == (2, 0)
    assert division.table_order == ["match_points", "wins"]
    assert run(TWO, "--match-points", "4,2,1,0") == ["0 new, 0 changed"]


def test_several_seasons_in_one_file(run):
    both = TWO + "1997/98,Division 2,5,Ashdown A,Hartfield A,1,4,cup night\n"
    lines = run(both)
    assert lines[-2:] == ["Row 4: the note “cup night” is not kept.", "3 new, 0 changed"]
    assert sorted(Season.objects.values_list("label", flat=True)) == ["1996-97", "1997/98"]
    assert all(Season.objects.values_list("published_at", flat=True))


def test_every_wrong_cell_is_named_and_nothing_is_stored(run):
    bad = HEADER + (
        "1996-97,Division 2,17,Ashdown A,Hartfield A,3,2,\n"
        "1996-97,Division 2,5,Ashdown A,ashdown a,3,2,\n"
        "1996-97,Division 2,5,Ashdown A,Hartfield A,3,2½,\n"
        "1996-97,,5,Ashdown A,Hartfield A,three,2,\n"
        "1996-97,Division 2,5,Hartfield A,Ashdown A,1,4,\n"
    )
    assert run(bad, refused=True) == [
        'row 2, boards "17": expected a number from 1 to 16',
        'row 3, away "ashdown a": expected another team than at home',
        'row 4, away_score "2½": expected at most 5 points together with home_score 3',
        'row 5, division "": expected a name',
        'row 5, home_score "three": expected points like 3½, 3.5 or 3',
        "Nothing was stored: 5 rows or cells are wrong.",
    ]


def test_a_season_without_years_is_refused(run):
    lines = run(TWO.replace("1996-97", "Spring"), refused=True)
    assert lines[0] == 'row 2, season "Spring": expected a label like 1996-97, the season is new'


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--match-points", "2,1", "expected win,draw,loss as in 2,1,0"),
        ("--match-points", "2,x,0", "'x' is not a score: expected one like 3½, 3.5 or 3"),
        ("--match-points", "0,1,2", "expected a win to give most, a loss least"),
        ("--order", "match_points,luck", "luck is none of: match_points, game_points"),
        ("--order", "wins,wins", "expected each name once"),
    ],
)
def test_options_that_make_no_sense(run, option, value, words):
    [line] = run(TWO, option, value, refused=True)
    assert words in line
