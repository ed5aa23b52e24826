"""Lists of players: people and clubs found or made, opening ratings kept, Elo following them."""

import datetime
import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from clubs.models import Club, Membership, Player
from ratings import ledger, live, rebuilding
from ratings.models import EloRating, OpeningRating
from ratings.people import correct_birth_date, correct_opening
from ratings.player_file import grade_of
from tests.factories import (
    ClubFactory,
    MembershipFactory,
    PlayerFactory,
    RatedEventFactory,
    pool,
)

pytestmark = pytest.mark.django_db

DATA = Path(__file__).parent / "data"
DAY = datetime.date(2010, 9, 1)


@pytest.fixture
def run(tmp_path):
    """Import a text and return the lines of the report, or with `refused` those of the error."""

    def run(content, *options, refused=False):
        path = tmp_path / "players.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        out, err = io.StringIO(), io.StringIO()
        arguments = ["import_players", str(path), "--as-of", "2010-09-01", *options]
        if refused:
            with pytest.raises(CommandError) as error:
                call_command(*arguments, stdout=out, stderr=err)
            assert out.getvalue() == "0 new, 0 changed\n"
            return [*err.getvalue().splitlines(), str(error.value)]
        call_command(*arguments, stdout=out, stderr=err)
        assert err.getvalue() == ""
        return out.getvalue().splitlines()

    return run


def people():
    return sorted(
        (member.player.listed_name, member.club.name, member.player.ecf_code)
        for member in Membership.objects.select_related("player", "club")
    )


def openings():
    rows = OpeningRating.objects.order_by("player__sort_name", "system")
    return [(o.player.surname, o.pool_id, o.system, o.value, o.provisional) for o in rows]


# --- The rules ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rating", "grade"),
    [(700, 0), (703, 0), (704, 1), (715, 2), (1759, 141), (1600, 120), (2500, 240), (600, -13)],
)
def test_a_rating_is_a_grade_by_whole_numbers(rating, grade):
    assert grade_of(rating) == grade


def test_a_half_grade_goes_up():
    # (711.25 - 700) / 7.5 is 1.5; the only whole ratings near it are 711 and 712.
    assert [grade_of(711), grade_of(712)] == [1, 2]
    assert grade_of(1600 + 30) - grade_of(1600) == 4


def test_what_has_no_letter_is_no_player(run):
    assert run("name,club\n1-0,Ashdown\n", refused=True) == [
        'row 2, name "1-0": expected a name; a surname needs a letter',
        "Nothing was stored: 1 row or cell is wrong.",
    ]


def test_a_rating_opens_elo_and_grade_and_blanks_are_nothing(run):
    lines = run(
        "name,club,code,grade,rating,provisional\n"
        '"Lovell, Maureen T",Ashdown,900101D,,1759,\n'
        '"McVale, Ronald J",Ashdown,,160,1900,yes\n'
        '"Tso, Kam Wa",Hartfield,,131,,\n'
        '"Ibbot, D E F",Hartfield,,,,\n'
    )
    assert people() == [
        ("Ibbot, D E F", "Hartfield", None),
        ("Lovell, Maureen T", "Ashdown", "900101D"),
        ("McVale, Ronald J", "Ashdown", None),
        ("Tso, Kam Wa", "Hartfield", None),
    ]
    assert openings() == [
        ("Lovell", "standard", "elo", 17590, False),
        ("Lovell", "standard", "grade", 141, False),
        ("McVale", "standard", "elo", 19000, True),
        ("McVale", "standard", "grade", 160, True),
        ("Tso", "standard", "grade", 131, False),
    ]
    assert set(OpeningRating.objects.values_list("dated_on", "source")) == {(DAY, "players.csv")}
    assert lines == [
        "New club: Ashdown",
        "New club: Hartfield",
        "New player: Lovell, Maureen T (Ashdown)",
        "New player: McVale, Ronald J (Ashdown)",
        "New player: Ibbot, D E F (Hartfield)",
        "New player: Tso, Kam Wa (Hartfield)",
        "4 new, 0 changed",
    ]


def test_a_player_is_found_by_code_then_by_name_within_the_club(run):
    ashdown = ClubFactory(name="Ashdown")
    coded = PlayerFactory(surname="Lovell", forenames="Maureen", ecf_code="900101D")
    named = PlayerFactory(surname="Müllner", forenames="Jürgen")
    namesake = PlayerFactory(surname="Müllner", forenames="Jürgen")
    for player, club in ((coded, ashdown), (named, ashdown), (namesake, ClubFactory())):
        MembershipFactory(player=player, club=club)
    lines = run(
        "name,club,code,rating\n"
        '"Harte, Maureen",ASHDOWN,900101d,1500\n'
        '"MULLNER, JURGEN",Ashdown,900102F,1600\n'
        '"Müllner, Jürgen",Kingsmead,,1700\n'
    )
    assert lines == [
        "New club: Kingsmead",
        "New player: Müllner, Jürgen (Kingsmead)",
        "Code added: 900102F Müllner, Jürgen",
        "Another name: 900101D is Lovell, Maureen in the registry, the file says Harte, Maureen",
        "1 new, 2 changed",
    ]
    named.refresh_from_db()
    assert named.ecf_code == "900102F"
    rated = OpeningRating.objects.filter(system="elo").order_by("value")
    assert [row.player_id for row in rated][:2] == [coded.pk, named.pk]
    assert Player.objects.count() == 4


def test_a_member_of_two_clubs_is_one_person_by_his_code(run):
    text = "name,club,code\nLovell,Ashdown,900101D\nLovell,Hartfield,900101D\n"
    assert run(text)[-1] == "1 new, 1 changed"
    assert people() == [("Lovell", "Ashdown", "900101D"), ("Lovell", "Hartfield", "900101D")]
    assert run(text) == ["0 new, 0 changed"]


def test_the_order_of_rows_decides_nothing(run):
    run('name,club,code\n"Smith, John",Ashdown,\n"Smith, John",Ashdown,900101D\n')
    assert people() == [("Smith, John", "Ashdown", "900101D")]


def test_a_player_without_a_club_needs_a_code(run):
    assert run("name,club,code\nLovell,,900101D\n")[-1] == "1 new, 0 changed"
    assert run("name,club,code\nLovell,,900101D\n")[-1] == "0 new, 0 changed"
    assert run("name,club,code\nMcVale,,\n", refused=True) == [
        'row 2, club "": expected a club, or else a code',
        "Nothing was stored: 1 row or cell is wrong.",
    ]


def test_a_doubtful_check_letter_is_a_warning(run):
    assert run("name,club,code\nLovell,Ashdown,900101E\n")[-2:] == [
        "Doubtful code: 900101E of Lovell, its letter does not fit its digits",
        "1 new, 0 changed",
    ]


# --- The second run ----------------------------------------------------------------------


def test_a_real_list_twice(run):
    content = (DATA / "armstrong_2010_11_players.csv").read_bytes()
    first = run(content)
    assert first[0] == 'Columns ignored: "team", "published_points", "games".'
    assert first[-1] == "160 new, 0 changed"
    assert (Player.objects.count(), Club.objects.count()) == (160, 11)
    assert OpeningRating.objects.filter(system="elo").count() == 156
    assert OpeningRating.objects.filter(system="grade").count() == 156
    stored = [*OpeningRating.objects.order_by("pk").values()]
    assert run(content, "--as-of", "2011-01-01") == [first[0], "0 new, 0 changed"]
    assert [*OpeningRating.objects.order_by("pk").values()] == stored


def test_another_value_later_names_both_and_stores_nothing(run):
    run("name,club,rating,provisional\nLovell,Ashdown,1759,no\nTso,Ashdown,1500,yes\n")
    stored = openings()
    lines = run(
        "name,club,grade,rating,provisional\n"
        "Lovell,Ashdown,150,1800,no\n"
        "Tso,Ashdown,,1500,no\n"
        "New,Ashdown,,1500,no\n",
        refused=True,
    )
    assert lines == [
        'row 2, grade "150": expected 141: his opening grade of 2010-09-01, from players.csv',
        'row 2, rating "1800": expected 1759: his opening rating of 2010-09-01, from players.csv',
        'row 3, rating "1500": expected 1500, provisional: his opening rating of 2010-09-01,'
        " from players.csv",
        "Nothing was stored: 3 rows or cells are wrong.",
    ]
    assert openings() == stored
    assert Player.objects.count() == 2


def test_two_values_in_one_file_are_refused_too(run):
    lines = run("name,club,rating\nLovell,Ashdown,1759\nLovell,Ashdown,1760\n", refused=True)
    assert lines[0] == (
        'row 3, rating "1760": expected 1759: his opening rating of 2010-09-01, from players.csv'
    )


def test_a_converted_rating_gives_way_to_a_stated_grade(run):
    run("name,club,grade\nLovell,Ashdown,150\n")
    assert run("name,club,rating\nLovell,Ashdown,1759\n")[-1] == "0 new, 1 changed"
    assert openings() == [
        ("Lovell", "standard", "elo", 17590, False),
        ("Lovell", "standard", "grade", 150, False),
    ]


def test_each_pool_has_openings_of_its_own(run):
    run("name,club,rating\nLovell,Ashdown,1759\n")
    assert run("name,club,rating\nLovell,Ashdown,1650\n", "--pool", "rapid")[-1] == (
        "0 new, 1 changed"
    )
    assert {row[1:4] for row in openings()} == {
        ("standard", "elo", 17590),
        ("standard", "grade", 141),
        ("rapid", "elo", 16500),
        ("rapid", "grade", 127),
    }


# --- Damaged files -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("Lovell,Ashdown,,,0,", 'rating "0": expected a whole number from 1 to 4000, or blank'),
        ("Lovell,Ashdown,,,17.5,", 'rating "17.5": expected a whole number from 1 to 4000'),
        ("Lovell,Ashdown,,,1_7,", 'rating "1_7": expected a whole number from 1 to 4000'),
        ("Lovell,Ashdown,,x,,", 'grade "x": expected a whole number from -100 to 440, or blank'),
        ("Lovell,Ashdown,,,1500,maybe", 'provisional "maybe": expected yes or no'),
        ("Lovell,Ashdown,12345,,,", 'code "12345": expected six digits and a letter'),
        ("Lovell,Ashdown,900101I,,,", 'code "900101I": expected six digits and a letter'),
        (",Ashdown,,,,", 'name "": expected a player\'s name'),
        ("Default,Ashdown,,,,", 'name "Default": expected a player\'s name'),
        ("=A1,Ashdown,,,,", 'name "=A1": expected text, not a spreadsheet\'s formula'),
        ("Lovell,=A1,,,,", 'club "=A1": expected text, not a spreadsheet\'s formula'),
        ("Lovell,!!,,,,", 'club "!!": expected a name with a letter'),
        ("Lo\x00vell,Ashdown,,,,", 'name "Lo\\u0000vell": a name may not hold the character'),
        ("L" * 101 + ",Ashdown,,,,", "expected at most 100 characters"),
    ],
)
def test_a_bad_cell_is_named_and_the_other_rows_are_not_stored(run, row, problem):
    lines = run(
        f"name,club,code,grade,rating,provisional\nMcVale,Ashdown,,,1500,\n{row}\n", refused=True
    )
    assert lines[0].startswith("row 3, ")
    assert problem in lines[0]
    assert lines[1:] == ["Nothing was stored: 1 row or cell is wrong."]
    assert (Player.objects.count(), Club.objects.count(), OpeningRating.objects.count()) == (
        0,
        0,
        0,
    )


def test_every_bad_row_is_named(run):
    bad = "".join(f"P{n},Ashdown,0\n" for n in range(50))
    lines = run("name,club,rating\n" + bad, refused=True)
    assert [line.split(",")[0] for line in lines[:50]] == [f"row {n}" for n in range(2, 52)]


def test_two_candidates_are_an_error_that_names_them(run):
    club = ClubFactory(name="Ashdown")
    one, other = (PlayerFactory(surname="Smith", forenames="John") for _n in range(2))
    for player in (one, other):
        MembershipFactory(player=player, club=club)
    assert run('name,club\n"Smith, John",Ashdown\n', refused=True)[0] == (
        f'row 2, name "Smith, John": 2 players of this club have this name (#{one.pk},'
        f" #{other.pk}); expected the ECF code of one of them"
    )


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_players", str(tmp_path / "none.csv"), stdout=io.StringIO())


# --- Elo follows -------------------------------------------------------------------------


@pytest.fixture
def played():
    """Two members of Ashdown with a game in each of two pools, rated."""
    club = ClubFactory(name="Ashdown")
    white = PlayerFactory(surname="Lovell", forenames="")
    black = PlayerFactory(surname="McVale", forenames="")
    for player in (white, black):
        MembershipFactory(player=player, club=club)
    for name in ("rapid", "standard"):
        event = RatedEventFactory(pool=pool(name))
        game = ledger.Played(
            f"test:{name}", datetime.date(2010, 10, 1), 1, 1, 1, white.pk, black.pk, 2, True
        )
        touched = ledger.post(event=event, keys=[], games=[game])
        live.update(pool=ledger.lock_pool(name), touched=touched)
    return white, black


def ratings():
    rows = EloRating.objects.order_by("pool", "player__sort_name")
    return [(row.pool_id, row.player.surname, row.rating, row.established) for row in rows]


def same_as_a_rebuild():
    return not any(
        rebuilding.check(pool(name)) for name in ("standard", "rapid", "blitz", "bullet")
    )


def test_an_opening_rates_again_in_every_pool_where_it_counts(run, played):
    assert ratings() == [
        ("rapid", "Lovell", 15200, False),
        ("rapid", "McVale", 14800, False),
        ("standard", "Lovell", 15200, False),
        ("standard", "McVale", 14800, False),
    ]
    lines = run("name,club,rating\nLovell,Ashdown,1700\n")
    assert lines == ["Rated again: 6 rows of games and ratings.", "0 new, 1 changed"]
    assert ratings() == [
        ("rapid", "Lovell", 17096, False),
        ("rapid", "McVale", 14904, False),
        ("standard", "Lovell", 17048, True),
        ("standard", "McVale", 14904, False),
    ]
    assert same_as_a_rebuild()


def test_a_corrected_opening_rates_again(run, played):
    run("name,club,rating\nLovell,Ashdown,1700\n")
    correct_opening(
        player=played[0].pk,
        pool="standard",
        system="elo",
        value=None,
        dated_on=DAY,
        source="test",
        by=None,
    )
    # His opening grade is left, 133: 7.5 x 133 + 700 is 1697.5, and provisional.
    assert ratings() == [
        ("rapid", "Lovell", 17072, False),
        ("rapid", "McVale", 14903, False),
        ("standard", "Lovell", 17072, False),
        ("standard", "McVale", 14903, False),
    ]
    assert same_as_a_rebuild()
    assert not OpeningRating.objects.filter(system="elo").exists()


def test_a_corrected_birth_date_rates_again(run, played):
    run("name,club,rating\nLovell,Ashdown,1700\n")
    assert ratings()[2] == ("standard", "Lovell", 17048, True)
    correct_birth_date(player=played[0].pk, birth_date=datetime.date(1995, 3, 1), by=None)
    assert ratings()[2] == ("standard", "Lovell", 17096, True)
    assert same_as_a_rebuild()
    played[0].refresh_from_db()
    assert (played[0].birth_date, played[0].birth_year) == (datetime.date(1995, 3, 1), 1995)
