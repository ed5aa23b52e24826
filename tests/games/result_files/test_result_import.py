"""A season's results from a league site's file: its matches, its teams, its people."""

import datetime

import pytest
from django.utils import timezone

from clubs.models import Player
from games.grading_office.verification import verify
from games.models import Board, League, Match, Season, Team
from ratings.models import RatedGame
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory
from tests.games.result_file_scene import HEADER, line_up, small

pytestmark = pytest.mark.django_db


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
