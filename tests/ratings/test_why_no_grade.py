"""Why there is no grade, or none to be shown; and who sees the pages that explain one."""

from datetime import date

import pytest
from django.urls import reverse

from clubs.juniors import HIDDEN_NAME
from tests.factories import PlayerFactory, UserFactory
from tests.ratings.grade_scene import JANUARY, JULY
from tests.ratings.list_scene import NEXT
from tests.ratings.why_scene import far_and, graded, look, queries, why

pytestmark = pytest.mark.django_db


# --- A grade -----------------------------------------------------------------------------


def test_without_enough_games_only_those_concerned_see_the_mean(client, books):
    few, rival = PlayerFactory(surname="Few"), graded(150, "Rival")
    books.play(few, rival, 1, date(2025, 10, 1), times=7)
    books.publish(JANUARY)
    address, twin = why(few, JANUARY), reverse("grade_why", args=[few.pk, JANUARY, "json"])
    public = look(client, address)
    assert public.headings[0] == "Why have I no grade?"
    assert "from 9 games in 36 months on; you have 7, so 2 more would do" in public.text
    assert public.tables[0] == [
        ["7 games, 1 January 2025 to 31 December 2025", ""],
        ["Published", "none"],
    ]
    assert "the player and the grading officer see it" in public.text
    # Seven draws with a 150 are 150 each; their sum, the mean and his starting grade are his own.
    assert public.tables[1][1] == ["July to December 2025", "", "", ""]
    assert public.tables[1][2][2:] == ["150", "opening grade", "Drew", "150"]
    answer = client.get(twin).json()
    games = answer.pop("games")
    assert answer == {
        "name": "Few, Robin",
        "code": None,
        "url": few.get_absolute_url(),
        "pool": "standard",
        "cutoff": "2026-01-01",
        "revision": 0,
        "state": "published",
        "rules": "BRIEF",
        "grade": None,
        "category": None,
        "unanchored": False,
        "lines": [
            {
                "part": "counted",
                "games": 7,
                "from": "2025-01-01",
                "to": "2025-12-31",
                "each": None,
            }
        ],
        "recent": 7,
        "real": 7,
    }
    own = [(game["own_grade"], game["counts_as"], game["points"]) for game in games]
    assert own == [(None, None, 150)] * 7
    for account in (UserFactory(is_grading_officer=True), UserFactory(player=few)):
        client.force_login(account)
        assert look(client, address).tables[0][2:4] == [
            ["Divided by 7", "150.00"],
            ["To the nearest whole, halves up", "150"],
        ]
        assert client.get(twin).json()["mean"] == "150.00"
        assert client.get(twin).json()["games"][0]["own_grade"] == 150
    client.force_login(UserFactory())
    assert look(client, address).tables[0] == public.tables[0]


def test_below_the_minimum_no_game_tells_the_starting_grade(client, books):
    """Two losses to a 150: he starts with 100, and each counts as 140; nobody else is told."""
    few = PlayerFactory(surname="Few")
    books.play(few, graded(150, "Rival"), 0, date(2025, 10, 1), times=2)
    books.publish(JANUARY)
    twin = reverse("grade_why", args=[few.pk, JANUARY, "csv"])
    public = look(client, why(few, JANUARY))
    assert public.tables[1][2][2:] == ["150", "opening grade", "Lost", "90"]
    assert "100" not in public.text
    assert client.get(twin).content.decode().splitlines()[1].split(",")[7:11] == [
        *("opening", "", "", ""),
    ]
    client.force_login(UserFactory(player=few))
    own = look(client, why(few, JANUARY))
    assert own.tables[1][1][0] == "July to December 2025, your starting grade 100"
    assert own.tables[1][2][2] == "150 counts as 140"


def test_an_old_grade_without_a_game_in_the_year_runs_out(client, books):
    one, other = graded(150, "One"), graded(150, "Other")
    books.play(one, other, 1, date(2025, 10, 1), times=9)
    books.publish(JANUARY, JULY, NEXT)
    page = look(client, why(one, NEXT))
    assert page.headings[0] == "Why have I no grade?"
    assert "you have played none since 1 January 2026" in page.text
    assert "One graded game in the last 12 months." in page.text


def test_a_group_without_an_anchor_is_told_so(client, books):
    one, other = PlayerFactory(surname="One"), PlayerFactory(surname="Other")
    books.play(one, other, 2, date(2025, 10, 1))
    books.publish(JANUARY)
    page = look(client, why(one, JANUARY))
    assert page.headings == ["Why have I no grade?", "Games that are not in this list"]
    assert "One game against a graded player is enough to start" in page.text
    assert (
        "1 Oct 2025, Robin Other : Won. Not graded: no tie to a player with a grade." in page.text
    )
    answer = client.get(reverse("grade_why", args=[one.pk, JANUARY, "json"])).json()
    assert (answer["grade"], answer["unanchored"], answer["games"]) == (None, True, [])


def test_a_player_who_did_not_play_is_told_so(client, books, small):
    idle = PlayerFactory(surname="Idle")
    page = look(client, why(idle, JANUARY))
    assert page.headings == ["Why have I no grade?"]
    assert "You have no graded game from 1 January 2023 until 1 January 2026" in page.text


# --- Who and what ------------------------------------------------------------------------


def test_a_junior_without_consent_stays_nameless(client, books, small):
    far, hero = far_and(small)
    young = date.today().replace(year=date.today().year - 12, day=1)
    far.birth_date, far.surname = young, "Youngster"
    far.save()
    for address in (
        why(hero, JANUARY),
        reverse("grade_why", args=[hero.pk, JANUARY, "json"]),
        reverse("elo_why", args=[hero.pk]),
        reverse("elo_why", args=[hero.pk, "csv"]),
        why(far, JANUARY),
        reverse("elo_why", args=[far.pk]),
        reverse("elo_why", args=[far.pk, "json"]),
    ):
        shown = client.get(address).content.decode()
        assert "Youngster" not in shown
        assert str(HIDDEN_NAME) in shown
    client.force_login(UserFactory())
    assert "Youngster" in client.get(why(hero, JANUARY)).content.decode()


def test_what_is_not_there_is_a_404(client, books, small):
    known = reverse("grade_why", args=[small.pk, JANUARY])
    base = f"/players/{small.pk}"
    for address in (
        "/players/999999/grade/2026-01-01/",
        f"/players/{10**30}/grade/2026-01-01/",
        f"/players/{10**30}/elo/",
        "/players/999999/elo/",
        "/players/999999/grade/",
        f"{base}/grade/2026-07-01/",
        f"{base}/grade/2026-02-30/",
        f"{base}/grade/2026-01-02/",
        f"{base}/grade/0000-01-01/",
        f"{base}/grade/?pool=blitz",
        f"{base}/elo/?pool=chess960",
        f"{known}?pool=rapid",
        f"{known}?pool=blitz",
        f"{known}?revision=1",
        f"{known}?revision=-1",
        f"{known}?revision=x",
        f"{known}?revision={'9' * 40}",
        f"{known}?pool=%00",
    ):
        assert (address, client.get(address).status_code) == (address, 404)
    assert client.get(f"{known}?pool=&revision=").status_code == 200
    for address in (known, f"{base}/elo/", f"{base}/grade/"):
        assert (address, client.post(address).status_code) == (address, 405)


def test_more_games_ask_no_more_of_the_database(client, books, small):
    address, elo = why(small, JULY), reverse("elo_why", args=[small.pk])
    rivals = [graded(140 + number, f"Rival{number}") for number in range(12)]
    books.play(small, rivals[0], 1, date(2026, 2, 1), times=9)
    books.publish(JULY)
    books.play(small, rivals[0], 1, date(2026, 2, 8))
    few = queries(client, address), queries(client, elo)
    for rival in rivals:
        books.play(rival, small, 1, date(2026, 3, 1))
    books.revise(JULY)
    for rival in rivals:
        books.play(rival, small, 1, date(2026, 4, 1))
    assert (queries(client, address), queries(client, elo)) == few
