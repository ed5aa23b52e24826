"""What anybody reads on a page is there in French, whole, and says the same."""

import re

import pytest
from django.utils import translation
from django.utils.translation import ngettext

from clubs.models import Player, PlayerState
from games.models import DraftMatch, Team, TeamState, Tie
from ratings.models import RatedGame
from tests import words

PLACE = re.compile(r"%\(\w+\)[a-z]|%[a-z](?![a-z])|\{\w+\}|<[^>]+>")
FRENCH = [message for message in words.french() if message.id and any(words.strings(message))]


def ids(message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def places(text: str) -> list[str]:
    """What is filled in and the tags round it, in no order: another language has another."""
    return sorted(PLACE.findall(text))


def test_nothing_on_a_page_lacks_its_french():
    found = words.missing(words.up_to_date())
    assert [(message.locations[0][0], message.id) for message in found] == []


def test_no_french_is_a_guess():
    assert [message.id for message in words.french() if message.id and message.fuzzy] == []


def test_what_is_filled_in_is_the_same():
    odd = {}
    for message in FRENCH:
        said = words.strings(message)
        for one, other in zip(ids(message), said, strict=True):
            if places(one) != places(other):
                odd[one] = other
    assert odd == {}


def test_a_line_begins_and_ends_as_in_english():
    """Blanks at the ends are part of a sentence that a template goes on with.

    A no-break space is none of them: French sets it before a colon.
    """

    def ends(text):
        return re.match(r"[ \n]*", text)[0], re.search(r"[ \n]*$", text)[0]

    assert {
        one: other
        for message in FRENCH
        for one, other in zip(ids(message), words.strings(message), strict=True)
        if ends(one) != ends(other)
    } == {}


def test_french_is_set_as_french_is():
    """A no-break space before : ; ! ? and inside quotes, and never a typewriter's apostrophe."""
    tags = re.compile(r"<[^>]*>")
    bad = re.compile(r"\w'\w| [:;!](?!\w)|\w\?|« | »")
    said = [tags.sub("", text) for message in FRENCH for text in words.strings(message)]
    assert [text for text in said if bad.search(text)] == []


def test_the_compiled_words_are_those_of_the_source():
    assert words.MO.read_bytes() == words.compiled(words.french())


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 partie"), (1, "1 partie"), (2, "2 parties"), (1000000, "1000000")]
)
def test_nought_is_singular_in_french(count, said):
    with translation.override("fr"):
        words_of = ngettext("%(number)s game", "%(number)s games", count) % {"number": count}
    assert words_of.startswith(said)
    assert words_of.endswith("s") == (count > 1)


def test_two_who_meet_meet_in_french_too():
    with translation.override("fr"):
        teams = {"home": Team(pk=1, name="Ashdown A"), "away": Team(pk=2, name="Hartfield A")}
        assert str(DraftMatch(**teams)) == str(Tie(**teams)) == "Ashdown A contre Hartfield A"
        game = RatedGame(white=Player(surname="Lovell"), black=Player(surname="McVale"))
        assert str(game).startswith("Lovell contre McVale, ")


def test_a_player_is_a_man_and_a_team_a_woman():
    with translation.override("fr"):
        assert (PlayerState.ACTIVE.label, TeamState.ACTIVE.label) == ("actif", "active")
