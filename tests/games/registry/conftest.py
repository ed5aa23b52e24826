"""What the tests of public pages share: two clubs, a match of theirs; a player of many games."""

import copy

import pytest

from games.match_cards.card_entries import BoardEntry
from tests.factories import ClubFactory, DivisionFactory, MatchFactory, TeamFactory
from tests.games.people_scene import enter, member
from tests.games.player_scene import make_scene


@pytest.fixture
def hartfield():
    return ClubFactory(
        name="Hartfield",
        slug="hartfield",
        venue="The Village Hall\n12 High Street",
        access="Step-free",
        club_night=1,
        start_time="19:30",
        contact_name="Ann Other",
        contact_phone="01234 567890",
        contact_email="ann@example.org",
    )


@pytest.fixture
def ashdown():
    return ClubFactory(name="Ashdown", slug="ashdown")


@pytest.fixture
def people(hartfield, ashdown):
    return {
        "quill": member(hartfield, "Quill", 17000, ecf_code="178853L"),
        "lune": member(hartfield, "Lune", 16000),
        "wragge": member(ashdown, "Wragge", 17000),
        "yeadon": member(ashdown, "Yeadon", 15000),
    }


@pytest.fixture
def match(hartfield, ashdown, people):
    """Hartfield A 1½-½ Ashdown A on two boards, the second won by default."""
    division = DivisionFactory(name="Division 1", board_count=2, season__league__name="Weald")
    match = MatchFactory(
        division=division,
        home=TeamFactory(
            division=division,
            club=hartfield,
            name="Hartfield A",
            captain_name="Ken Captain",
            captain_phone="07700 900123",
            captain_email="ken@example.org",
        ),
        away=TeamFactory(division=division, club=ashdown, name="Ashdown A"),
    )
    MatchFactory(division=division, home=match.away, away=match.home, played_on=None, round=2)
    enter(
        match,
        BoardEntry(1, people["quill"].pk, people["wragge"].pk, "black", 1),
        BoardEntry(2, people["lune"].pk, None, "white", None, "home_default"),
    )
    return match


@pytest.fixture(scope="module")
def scene_of_module(rows_of_module):
    return make_scene()


@pytest.fixture
def scene(scene_of_module, db):
    return copy.deepcopy(scene_of_module)
