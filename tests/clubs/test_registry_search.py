import pytest

from clubs.models import Club, Player
from tests.factories import ClubFactory, PlayerFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [
        PlayerFactory(surname="Smith", forenames="John", ecf_code="177810K"),
        PlayerFactory(surname="O'Brien", forenames="Élodie"),
        PlayerFactory(surname="Ibbot", forenames="D E F"),
        PlayerFactory(surname="Goldsmith", forenames="Ann"),
    ]


@pytest.mark.parametrize(
    ("text", "surnames"),
    [
        ("smith john", ["Smith"]),
        ("John SMITH", ["Smith"]),
        ("smith", ["Goldsmith", "Smith"]),
        ("Smith, J", ["Smith"]),
        ("elodie o’brien", ["O'Brien"]),
        ("O'BRIEN", ["O'Brien"]),
        ("D.E.F. Ibbot", ["Ibbot"]),
        ("177810k", ["Smith"]),
        (" 177810K ", ["Smith"]),
        ("177810", []),
        # A lone letter begins a word: there is no J in front of Goldsmith's names.
        ("j smith", ["Smith"]),
        ("", []),
        ("   ", []),
        ("\x00", []),
        ("?!", []),
        ("%", []),
        ("smi\x00th", ["Goldsmith", "Smith"]),
        ("177810K\x00", ["Smith"]),
        ("x" * 300, []),
        ("\N{HANGUL FILLER}", []),
    ],
)
def test_players_are_found_by_words_in_any_order_or_by_code(people, text, surnames):
    assert [p.surname for p in Player.objects.found(text).order_by("sort_name")] == surnames


def test_a_team_letter_is_a_word_and_not_the_beginning_of_the_club(people):
    ashdown, athletic = ClubFactory(name="Ashdown"), ClubFactory(name="A Ashdown")

    assert set(Club.objects.found("Ashdown A")) == {athletic}
    assert set(Club.objects.found("ashdown")) == {ashdown, athletic}
    assert set(Club.objects.found("a")) == {athletic}
