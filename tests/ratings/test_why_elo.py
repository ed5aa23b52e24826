"""Why an Elo is what it is: every number of its page, worked out here by hand."""

from datetime import date

import pytest
from django.urls import reverse

from ratings.models import RatingPool
from tests.factories import PlayerFactory
from tests.ratings.list_scene import Ledger
from tests.ratings.why_scene import graded, look, rated

pytestmark = pytest.mark.django_db


def test_every_number_of_an_elo(client, books):
    """1500 beats 1700 with K 40: 40 x (1 - 0.2403) = 30.388; then K 20 for the established."""
    hero, far = PlayerFactory(surname="Hero"), rated(17000, "Far")
    books.play(hero, far, 2, date(2026, 10, 6))
    books.play(far, hero, 1, date(2026, 10, 13))
    page = look(client, reverse("elo_why", args=[hero.pk]))
    assert page.headings[0] == "Why is my Elo 1539?"
    assert page.tables[0] == [
        ["Opening rating nothing was known from outside: everybody opens so", "1500.0"],
        ["2 games", "+38.8"],
        ["Rating", "1538.8"],
        ["To the nearest whole, halves up", "1539?"],
    ]
    assert page.tables[1] == [
        [
            *("Date", "Opponent", "Theirs", "Mine", "Expected", "Result", "K"),
            *("K × (score − expected)", "Change", "Elo after"),
        ],
        [
            "13 Oct 2026",
            "Robin Far 13 Oct 2026 · Drew 1530 v 1685 · 1 game before it 40 × (½ − 0.2906) = 8.376",
            *("1685", "1530", "0.2906", "Drew", "40: 1 game before it"),
            *("40 × (½ − 0.2906) = 8.376", "+8.4", "1539"),
        ],
        [
            "6 Oct 2026",
            "Robin Far 6 Oct 2026 · Won 1500 v 1700 · 0 games before it 40 × (1 − 0.2403) = 30.388",
            *("1700", "1500", "0.2403", "Won", "40: 0 games before it"),
            *("40 × (1 − 0.2403) = 30.388", "+30.4", "1530"),
        ],
    ]
    other = look(client, reverse("elo_why", args=[far.pk]))
    assert other.tables[0][0][0] == (
        "Opening rating brought from elsewhere; counts as 30 games; a list, 1 July 2026"
    )
    assert [row[6:] for row in other.tables[1][1:]] == [
        ["20: established opening", "20 × (½ − 0.7094) = −4.188", "−4.2", "1681"],
        ["20: established opening", "20 × (0 − 0.7597) = −15.194", "−15.2", "1685"],
    ]


def test_each_reason_of_a_k(client, books):
    rival = rated(24000, "Master")
    junior = PlayerFactory(surname="Junior", birth_date=date(2009, 5, 1), name_consent=True)
    grown = graded(120, "Grown")
    books.play(rival, junior, 2, date(2026, 10, 1), times=31)
    books.play(grown, rival, 0, date(2026, 10, 2), times=31)

    def reasons(player):
        rows = client.get(reverse("elo_why", args=[player.pk, "json"])).json()["games"]
        return [(row["k"], row["k_reason"]) for row in (rows[0], rows[-1])]

    assert reasons(rival) == [(10, "high")] * 2
    assert reasons(junior) == [(40, "junior")] * 2
    assert reasons(grown) == [(20, "games"), (40, "new")]
    page = look(client, reverse("elo_why", args=[grown.pk]))
    assert page.tables[0][0] == [
        "Opening rating 7.5 × the standard opening grade 120, plus 700;"
        " set by the officer, 1 July 2025",
        "1600.0",
    ]


def test_an_elo_opens_from_another_pool_and_ends_at_the_floor(client, db):
    RatingPool.objects.filter(pk="rapid").update(floor=6000)
    weak, rival = graded(-13, "Weak"), graded(0, "Rival")
    books = Ledger("rapid")
    books.play(weak, rival, 0, date(2026, 10, 1))
    page = look(client, reverse("elo_why", args=[weak.pk], query={"pool": "rapid"}))
    assert page.headings[0] == "Why is my rapid Elo 600?"
    assert "7.5 × the standard opening grade −13, plus 700" in page.text
    assert page.tables[1][1][-3:] == [
        *("40 × (0 − 0.3639) = −14.556 · held by the floor", "−2.5", "600"),
    ]


def test_fifty_games_a_page(client, books):
    one, other = rated(15000, "One"), rated(15000, "Other")
    books.play(one, other, 1, date(2026, 10, 1), times=51)
    address = reverse("elo_why", args=[one.pk])
    assert len(look(client, address).tables[1]) == 51
    assert len(look(client, f"{address}?page=2").tables[1]) == 2
    assert len(look(client, f"{address}?page=99").tables[1]) == 2
    answer = client.get(reverse("elo_why", args=[one.pk, "json"])).json()
    assert len(answer["games"]) == 51
    assert (answer["opening"]["rating"], answer["changes"], answer["rating"]) == (1500, 0, 1500)


def test_an_elo_below_nought_has_a_minus_sign(client, books):
    """An opening grade of −100 is a rating of −50; a draw with a 1000 is half of K 40 more."""
    weak = graded(-100, "Weak")
    books.play(weak, graded(40, "Rival"), 1, date(2025, 10, 1))
    page = look(client, reverse("elo_why", args=[weak.pk]))
    assert page.headings[0] == "Why is my Elo −30?"
    assert page.tables[0][-1] == ["To the nearest whole, halves up", "−30?"]
    assert page.tables[1][1][3] == "−50"
    assert "-50" not in page.text and "-30" not in page.text
    query = {"next-player": "weak", "next-opponent": "rival", "next-pool": "standard"}
    told = look(client, reverse("ratings_how", query={**query, "next-result": "draw"}))
    assert "−30" in told.text and "-30" not in told.text


def test_without_a_game_there_is_no_elo_to_explain(client, db):
    player = PlayerFactory()
    page = look(client, reverse("elo_why", args=[player.pk], query={"pool": "blitz"}))
    assert page.headings == ["Why have I no Elo?", "No rated game yet"]
    answer = client.get(reverse("elo_why", args=[player.pk, "json"])).json()
    assert (answer["elo"], answer["games"]) == (None, [])
