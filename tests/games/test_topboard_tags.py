import pytest
from django.core.paginator import Paginator
from django.template import Context, Template

from games.templatetags import topboard
from tests.html import squash


@pytest.mark.parametrize(
    ("halves", "text", "whole", "half"),
    [
        (0, "0", "0", ""),
        (1, "½", "", "½"),
        (2, "1", "1", ""),
        (24, "12", "12", ""),
        (81, "40½", "40", "½"),
        (-1, "−½", "−", "½"),
        (-3, "−1½", "−1", "½"),
    ],
)
def test_half_points(halves, text, whole, half):
    assert topboard.halves(halves) == text
    assert topboard.whole_part(halves) == whole
    assert topboard.half_part(halves) == half


def test_unknown_is_a_dash_and_never_zero():
    for written in (topboard.halves, topboard.rating, topboard.signed_tenths, topboard.signed):
        assert written(None) == "–"
    assert topboard.change(None) == "–"


@pytest.mark.parametrize(
    ("tenths", "text"),
    [(0, "0.0"), (8, "+0.8"), (-103, "−10.3"), (152, "+15.2"), (-5, "−0.5"), (100, "+10.0")],
)
def test_changes_carry_their_sign(tenths, text):
    assert topboard.signed_tenths(tenths) == text


def test_change_has_a_colour_beside_its_sign():
    assert topboard.change(8) == '<span class="up">+0.8</span>'
    assert topboard.change(-8) == '<span class="down">−0.8</span>'
    assert topboard.change(0) == "0.0"


@pytest.mark.parametrize(
    ("tenths", "text"), [(0, "0"), (17714, "1771"), (17715, "1772"), (17716, "1772"), (-5, "0")]
)
def test_ratings_are_shown_whole_halves_up(tenths, text):
    assert topboard.rating(tenths) == text


@pytest.mark.parametrize(("value", "text"), [(4, "+4"), (-3, "−3"), (0, "0")])
def test_whole_changes(value, text):
    assert topboard.signed(value) == text


@pytest.mark.parametrize(("value", "text"), [(3, "+1½"), (-2, "−1"), (0, "0"), (1, "+½")])
def test_differences_in_points(value, text):
    assert topboard.signed_halves(value) == text


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ashdown A", "Ashdown\N{NO-BREAK SPACE}A"),
        ("Netherby & District II", "Netherby & District\N{NO-BREAK SPACE}II"),
        ("Dublin University", "Dublin University"),
        ("Gonzaga", "Gonzaga"),
        ("<b> A", "<b>\N{NO-BREAK SPACE}A"),
        ("", ""),
    ],
)
def test_letter_is_glued_to_its_team(name, written):
    assert topboard.team_name(name) == written


def test_many_pages_are_elided():
    page = Paginator(range(100), 10).page(5)
    assert list(topboard.elided_pages(page)) == [1, "…", 4, 5, 6, "…", 10]


@pytest.mark.parametrize(
    ("name", "side", "written"),
    [
        ("Kam Wa Tso", "home", 'Kam Wa <span class="nowrap">Tso DISC</span>'),
        ("Kam Wa Tso", "away", '<span class="nowrap">DISC Kam</span> Wa Tso'),
        ("O’Grange", "home", '<span class="nowrap">O’Grange DISC</span>'),
        ("<b> Tso", "away", '<span class="nowrap">DISC &lt;b&gt;</span> Tso'),
    ],
)
def test_disc_is_glued_to_the_word_beside_the_score(name, side, written):
    text = Template("{% load topboard %}{% seat name 'white' side %}").render(
        Context({"name": name, "side": side})
    )
    disc = '<span class="disc white"></span><span class="visually-hidden">White</span>'
    assert squash(text).replace(disc, "DISC").replace("DISC </", "DISC</") == written
