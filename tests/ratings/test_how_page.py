"""How ratings work: each calculator answers from the address, and says what it cannot read."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from ratings import ecf
from ratings.models import OpeningRating, RatedGame
from tests.factories import (
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    RatedGameFactory,
    UserFactory,
)
from tests.html import Page

pytestmark = pytest.mark.django_db

WHOLE = "A whole number from {} to {}."


def ask(client, calculator, **fields):
    """The page with these fields of a calculator in the address."""
    query = {f"{calculator}-{name}": value for name, value in fields.items()}
    response = client.get(reverse("ratings_how", query=query))
    assert response.status_code == 200
    return response


def read(client, calculator, **fields):
    return Page(ask(client, calculator, **fields)).text


def faults(response, calculator):
    """What is said at the fields of a calculator, by field."""
    form = response.context["forms"][calculator]
    shown = response.content.decode()
    for field in form:
        for error in field.errors:
            assert f'id="{field.id_for_label}_error"><li>{error}</li>' in shown
        if field.errors:
            assert f'aria-describedby="{field.id_for_label}_error"' in shown
    return {name: list(errors) for name, errors in form.errors.items()}


def test_the_page_works_examples_without_being_asked(client):
    page = Page(client.get(reverse("ratings_how")))
    assert page.headings[0] == "How ratings work"
    assert page.tables[0] == [
        ["Points behind", "0", "50", "100", "200", "400", "800"],
        ["Per cent", "50", "43", "36", "24", "9", "1"],
    ]
    assert "You may expect 0.2403 of a point, your opponent 0.7597" in page.text
    assert "Choose two players and a result." in page.text


def test_the_bands_say_the_same_on_both_scales(client):
    rows = Page(client.get(reverse("ratings_how"))).tables[1][1:]
    for elo, grade, _words in rows:
        numbers = [int(n) for n in elo.split(" grade ")[0].strip("under +").split("–")]
        grades = [int(n) for n in grade.strip("under +").split("–")]
        assert grades == [ecf.grade_from_rating(number * 10) for number in numbers]
    assert [row[0].split(" grade ")[0] for row in rows][::7] == ["under 800", "2500+"]


def test_without_a_name_the_page_reads_no_rows(client):
    with CaptureQueriesContext(connection) as captured:
        client.get(reverse("ratings_how"))
    assert len(captured) == 0


@pytest.mark.parametrize(
    ("own", "opponent", "words"),
    [
        (1500, 1700, "You may expect 0.2403 of a point, your opponent 0.7597; the ratings are 200"),
        (1700, 1500, "You may expect 0.7597 of a point, your opponent 0.2403"),
        (1500, 1500, "You may expect 0.5000 of a point, your opponent 0.5000; the ratings are 0"),
        (0, 4000, "You may expect 0.0000 of a point, your opponent 1.0000"),
        (1500, 2300, "counted as 400, says 0.08."),
        (2649, 2000, "counted as 400, says 0.92."),
        (2650, 2000, "with the whole difference, as for every player of 2650 or more, says 0.99."),
        (2000, 2700, "counted as 400, says 0.08."),
    ],
)
def test_expected_score(client, own, opponent, words):
    assert words in read(client, "expected", own=own, opponent=opponent)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"own": 1500, "opponent": 1700, "result": "win", "k": 20},
            "20 × (1 − 0.2403) = 15.194, so +15.2, and the rating is 1515.2 after it."
            " The same game with K 10: +7.6, K 20: +15.2, K 40: +30.4.",
        ),
        (
            {"own": 1500, "opponent": 1700, "result": "draw", "k": 20},
            "20 × (½ − 0.2403) = 5.194, so +5.2",
        ),
        (
            {"own": 1500, "opponent": 1700, "result": "loss", "k": 20},
            "20 × (0 − 0.2403) = −4.806, so −4.8, and the rating is 1495.2",
        ),
        (
            {"own": 1613, "opponent": 1609, "result": "loss", "k": 32},
            "so −16.2, and the rating is 1596.8",
        ),
        (
            {"own": 1500, "opponent": 1500, "result": "draw", "k": 20},
            "20 × (½ − 0.5000) = 0.0, so 0.0, and the rating is 1500.0",
        ),
    ],
)
def test_what_a_game_changes(client, fields, words):
    assert words in read(client, "change", **fields)


@pytest.mark.parametrize(
    ("own", "opponent", "result", "words"),
    [
        (160, 140, "win", "You: 190 points Opponent: 110 points"),
        (
            *(160, 100, "win"),
            "You: a 100 counts as 120 against 160; 170 points"
            " Opponent: a 160 counts as 140 against 100; 90 points",
        ),
        (150, 90, "draw", "counts as 110 against 150; 110 points"),
        (150, 200, "loss", "counts as 190 against 150; 140 points"),
        (150, 190, "win", "You: 240 points Opponent: 100 points"),
        (-12, 20, "loss", "You: −30 points Opponent: 38 points"),
    ],
)
def test_an_ecf_game_from_both_sides(client, own, opponent, result, words):
    assert words in read(client, "ecf", own=own, opponent=opponent, result=result)


@pytest.mark.parametrize(
    ("calculator", "value", "words"),
    [
        ("grade", 160, "Grade 160 is an ECF rating of 1900, about 1900 with FIDE."),
        ("grade", 100, "Grade 100 is an ECF rating of 1450, about 1570 with FIDE."),
        ("grade", 143, "Grade 143 is an ECF rating of 1772.5, about 1772.5 with FIDE."),
        ("grade", -2, "Grade −2 is an ECF rating of 685, about 1111 with FIDE."),
        ("rating", 1900, "A rating of 1900 is grade 160, about 1900 with FIDE."),
        ("rating", 1500, "A rating of 1500 is grade 107, about 1600 with FIDE."),
        ("rating", 1750, "A rating of 1750 is grade 140, about 1750 with FIDE."),
    ],
)
def test_from_one_scale_to_the_other(client, calculator, value, words):
    assert words in read(client, calculator, value=value)


@pytest.mark.parametrize("bad", ["", "x", "1.5", "-1", "4001", "1e3", "9" * 5000, "\x00", "½"])
def test_bad_input_is_said_at_its_field(client, bad):
    for calculator, field, least, most in (
        ("expected", "own", 0, 4000),
        ("change", "opponent", 0, 4000),
        ("rating", "value", 0, 4000),
    ):
        response = ask(client, calculator, **{field: bad})
        assert faults(response, calculator) == {field: [WHOLE.format(least, most)]}
        assert response.context["answers"][calculator] is None


def test_other_bad_input(client):
    assert faults(ask(client, "change", k="0", result="x"), "change") == {
        "k": [WHOLE.format(1, 100)],
        "result": ["Win, draw or loss."],
    }
    assert faults(ask(client, "ecf", own="351", opponent="-101", result=""), "ecf") == {
        "own": [WHOLE.format(-100, 350)],
        "opponent": [WHOLE.format(-100, 350)],
        "result": ["Win, draw or loss."],
    }


def test_what_one_calculator_cannot_read_leaves_the_others_alone(client):
    text = read(client, "expected", own="x")
    assert "Two whole ratings give the expected scores." in text
    assert "Grade 160 is an ECF rating of 1900" in text


# --- What a result next week would do to me ----------------------------------------------

NEXT_WEEK = timezone.localdate() + timedelta(days=7)
BEGAN = ecf.half_year_of(NEXT_WEEK)


def graded(surname, grade, day=None, **fields):
    player = PlayerFactory(surname=surname, **fields)
    OpeningRatingFactory(
        player=player,
        system="grade",
        value=grade,
        dated_on=day or BEGAN - timedelta(days=30),
    )
    return player


def closing() -> str:
    day = ecf.next_cutoff(BEGAN)
    return f"1 {day:%B} {day.year}"


def test_a_game_next_week(client):
    """150 beats 200, taken as 190: 240. Ratings 1825 and 2200, both new, so K is 40."""
    graded("Hero", 150), graded("Villain", 200)
    text = read(client, "next", player="hero", opponent="VILLAIN", result="win")
    assert "40 × (1 − 0.1035) = 35.86 · 40: 0 games before it" in text
    assert f"On the grade list of {closing()}: 150 against 200 gives 240 points." in text
    assert "More than 40 away, 200 counts as 190." in text
    # One game and 29 times the opening grade; the public list asks for a game in 12 months.
    assert "Without it there would be no grade; with this game 153.00, so 153." in text


def test_the_games_of_this_half_year_count_already(client):
    hero, villain = graded("Hero", 150), graded("Villain", 150)
    event = RatedEventFactory()
    RatedGameFactory(
        event=event, played_on=BEGAN, white=hero, black=villain, white_halves=2, number=1
    )
    RatedGameFactory(event=event, played_on=BEGAN, white=PlayerFactory(), black=hero, number=2)
    text = read(client, "next", player="hero", opponent="villain", result="loss")
    # So far 200 + 29 x 150 over 30; then 200 + 100 + 28 x 150.
    assert "With the games so far the list would say 151.67, so 152; with this game 150.00" in text
    assert "1 game against a player without a grade is not in it yet." in text


def test_without_a_grade_in_force_the_points_wait_for_the_list(client):
    graded("Hero", 150)
    PlayerFactory(surname="Newcomer")
    text = read(client, "next", player="hero", opponent="newcomer", result="draw")
    assert "Robin Newcomer has no grade in force: a starting grade will be worked out" in text
    text = read(client, "next", player="newcomer", opponent="hero", result="draw")
    assert "Robin Newcomer has no grade in force" in text


def test_the_grade_at_the_other_rate_serves_a_newcomer(client):
    graded("Hero", 150), graded("Villain", 140)
    text = read(client, "next", player="hero", opponent="villain", pool="rapid", result="draw")
    assert "150 against 140 gives 140 points." in text


def test_blitz_has_no_grades(client):
    graded("Hero", 150), graded("Villain", 140)
    text = read(client, "next", player="hero", opponent="villain", pool="blitz", result="draw")
    assert "There are no grades at this rate of play." in text


def test_nothing_is_stored(client):
    graded("Hero", 150), graded("Villain", 140)

    def stored():
        return [model.objects.count() for model in (Player, OpeningRating, RatedGame)]

    before = stored()
    read(client, "next", player="hero", opponent="villain", result="win")
    assert stored() == before


def test_a_name_of_several_is_chosen_once(client):
    graded("Hero", 150)
    first, second = graded("Smith", 140, ecf_code="123456A"), graded("Smith", 120)
    MembershipFactory(player=second, club__name="Ashdown")
    typed = {"player": "hero", "opponent": "smith", "result": "win"}
    response = ask(client, "next", **typed)
    assert faults(response, "next") == {"opponent": ["2 players fit: choose one."]}
    text = Page(response).text
    assert "Smith, Robin 123456A" in text and f"Smith, Robin Ashdown #{second.pk}" in text
    assert f'name="next-opponent_id" value="{second.pk}"' in response.content.decode()
    chosen = read(client, "next", **typed, opponent_id=second.pk)
    assert "150 against 120 gives 170 points." in chosen
    assert "150 against 140" in read(client, "next", **typed | {"opponent": "123456a"})
    for other in ("x", "", "0", str(10**30)):
        response = ask(client, "next", **typed, opponent_id=other)
        assert faults(response, "next") == {"opponent": ["2 players fit: choose one."]}
    assert first.pk != second.pk


def test_a_whole_name_comes_before_a_part(client):
    graded("Hero", 150), graded("Smith", 140), graded("Smithson", 120)
    text = read(client, "next", player="hero", opponent="smith robin", result="draw")
    assert "150 against 140 gives 140 points." in text


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({"player": "hero"}, {"opponent": ["A name, or part of it, or an ECF code."]}),
        ({"player": "hero", "opponent": "hero"}, {"opponent": ["Nobody plays himself."]}),
        ({"player": "hero", "opponent": "nobody"}, {"opponent": ["Nobody of this name or code."]}),
        ({"player": "hero", "opponent": "\x00"}, None),
        ({"player": "hero", "opponent": "%_'\"<b>"}, None),
        ({"player": "hero", "opponent": "x" * 300}, None),
        (
            {"player": "hero", "opponent": "villain", "pool": "chess", "result": "x"},
            {"pool": ["One of the rates of play."], "result": ["Win, draw or loss."]},
        ),
        (
            {"player": "hero", "opponent": "robin"},
            {"opponent": ["More than 12 fit: choose one, or type more of the name."]},
        ),
    ],
)
def test_what_cannot_be_read_is_said_at_its_field(client, typed, expected):
    for name in ("Hero", "Villain", *(f"Other{number}" for number in range(12))):
        graded(name, 150)
    found = faults(ask(client, "next", **typed), "next")
    assert list(found) == ["opponent"] if expected is None else found == expected


def test_the_public_finds_no_hidden_junior(client):
    graded("Hero", 150)
    young = timezone.localdate().replace(day=1) - timedelta(days=12 * 365)
    graded("Youngster", 100, birth_date=young)
    typed = {"player": "hero", "opponent": "youngster", "result": "win"}
    assert faults(ask(client, "next", **typed), "next") == {
        "opponent": ["Nobody of this name or code."]
    }
    client.force_login(UserFactory())
    assert "Robin Youngster" in read(client, "next", **typed)


def test_more_games_ask_no_more_of_the_database(client):
    hero, villain = graded("Hero", 150), graded("Villain", 150)
    event = RatedEventFactory()
    RatedGameFactory(event=event, played_on=BEGAN, white=hero, black=villain)

    def queries():
        with CaptureQueriesContext(connection) as captured:
            read(client, "next", player="hero", opponent="villain", result="win")
        return len(captured)

    few = queries()
    for _ in range(12):
        RatedGameFactory(event=event, played_on=BEGAN, white=graded("Rival", 140), black=hero)
    assert queries() == few


def test_it_is_read_and_never_written(client):
    assert client.post(reverse("ratings_how")).status_code == 405
