"""The grading officer's pages: what is due, publishing, revising, and opening grades."""

import datetime
from datetime import date, timedelta

import pytest
from django.contrib.messages import get_messages
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone

from games.grading_office import grading
from ratings import ecf, lists, revisions
from ratings.models import (
    EloGame,
    Grade,
    GradedGame,
    GradeList,
    GradeRuleSet,
    OpeningRating,
    RatingPool,
)
from tests.factories import MatchFactory, OpeningRatingFactory, PlayerFactory, UserFactory, pool
from tests.games.card_scene import make_scene, queries
from tests.html import Page
from tests.ratings.test_lists import Ledger, noon

pytestmark = pytest.mark.django_db

TODAY = timezone.localdate
OFFICE = "/office/grades/"


@pytest.fixture
def client(client):
    """The grading officer's browser."""
    client.officer = UserFactory(is_grading_officer=True, name="Grace Grader")
    client.force_login(client.officer)
    return client


@pytest.fixture
def last():
    """The cutoff of this half-year: the newest there is."""
    return ecf.half_year_of(TODAY())


def graded(grade, surname, day, forenames="Anna"):
    player = PlayerFactory(surname=surname, forenames=forenames)
    OpeningRatingFactory(player=player, system="grade", value=grade, dated_on=day)
    return player


@pytest.fixture
def books(db, last):
    """Two graded players and a newcomer of few games before the newest cutoff; two of no tie."""
    books = Ledger()
    day, earlier = last - timedelta(days=40), last - timedelta(days=400)
    books.one = graded(150, "Lovell", earlier)
    books.other = graded(130, "Tso", earlier)
    books.newcomer = PlayerFactory(surname="Ibbot", forenames="Guy")
    books.strangers = [PlayerFactory(surname=f"Quill{n}", forenames="Zoë") for n in (1, 2)]
    books.play(books.one, books.other, 2, day, times=9)
    books.play(books.newcomer, books.one, 1, day, times=2)
    books.play(*books.strangers, 1, day)
    return books


def wait_for_ever():
    """Nothing is published by itself, whatever day it is."""
    RatingPool.objects.update(publish_after_days=180)


def address(name, cutoff, rate="standard"):
    return reverse(f"office_{name}", args=[rate, cutoff])


def said(response) -> list[tuple[str, str]]:
    """What the officer is told after what he did: level and sentence."""
    return [(message.level_tag, str(message)) for message in get_messages(response.wsgi_request)]


def publish_by_hand(cutoff):
    return lists.publish(
        pool="standard",
        cutoff=cutoff,
        at=noon(max(cutoff, TODAY())),
        by=None,
        outstanding=grading.count_outstanding,
    )


# --- Who may -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "post"])
def test_others_are_refused_and_the_anonymous_sent_to_the_login(client, books, last, method):
    pages = [
        address("publish", last),
        address("revise", last),
        reverse("office_opening", args=[books.one.pk]),
    ]
    pages += [OFFICE, address("cards", last), address("players", last)] * (method == "get")
    for user in (None, UserFactory(), UserFactory(is_staff=True)):
        client.logout()
        if user:
            client.force_login(user)
        for page in pages:
            response = getattr(client, method)(page)
            if user:
                assert (page, response.status_code) == (page, 403)
            else:
                assert response["Location"] == f"/accounts/login/?next={page}"
    assert not GradeList.objects.exists()
    assert OpeningRating.objects.count() == 2


def test_the_office_in_the_band_leads_a_grading_officer_to_the_lists(client):
    assert ("Office", "/office/") in Page(client.get("/")).links
    assert OFFICE in dict(Page(client.get("/office/")).links).values()
    client.force_login(UserFactory())
    assert OFFICE not in dict(Page(client.get("/office/")).links).values()
    client.logout()
    assert "Office" not in dict(Page(client.get("/")).links)


@pytest.mark.parametrize(
    "page",
    [
        "/office/grades/blitz/2026-07-01/publish/",
        "/office/grades/chess/2026-07-01/revise/",
        "/office/grades/standard/2026-07-02/publish/",
        "/office/grades/standard/2026-13-01/cards/",
        "/office/grades/standard/0001-01-01/cards/",
        "/office/grades/standard/0001-01-01/publish/",
        "/office/grades/rapid/9999-07-01/revise/",
        "/office/grades/standard/2026-07-01/players/",
        "/office/grades/openings/999999/",
        "/office/grades/bullet/rules/",
    ],
)
def test_there_is_no_such_page(client, page):
    assert client.get(page).status_code == 404


# --- The desk ----------------------------------------------------------------------------


def test_before_the_first_game(client):
    page = Page(client.get(OFFICE))
    assert page.headings == ["Grade lists", "Standard", "Rapid"]
    assert "No standard game is known." in page.text and page.tables == []


def test_a_list_to_come(client, last):
    coming = ecf.next_cutoff(last)
    Ledger().play(graded(150, "Lovell", last), graded(150, "Tso", last), 1, TODAY())
    page = Page(client.get(OFFICE))
    out = coming + timedelta(days=14)
    assert f"Next list {coming.day} {coming:%b %Y} to come" in page.text
    assert f"published by itself on {out.day} {out:%B %Y}" in page.text
    assert "Publish now" not in page.text


def test_a_provisional_list(client, books, last):
    wait_for_ever()
    scene = make_scene()
    scene.match.played_on = last - timedelta(days=1)
    scene.match.save()
    lists.publish_due(at=timezone.now(), outstanding=grading.count_outstanding)
    page = Page(client.get(OFFICE))
    assert (
        f"Next list {last.day} {last:%b %Y} provisional Cards outstanding 1 which cards"
        in page.text
    )
    links = dict(page.links)
    assert links["which cards"] == address("cards", last)
    assert links["set opening grades"] == address("players", last)
    assert address("publish", last) in links.values()

    cards = Page(client.get(links["which cards"]))
    assert cards.tables[0][1][0].startswith("Ashdown A – Hartfield A")
    assert scene.match.get_absolute_url() in dict(cards.links).values()

    players = Page(client.get(links["set opening grades"]))
    unanchored, below = players.tables
    assert [row[0] for row in unanchored[1:]] == ["Quill1, Zoë", "Quill2, Zoë"]
    assert [row[:4] for row in below[1:]] == [["Ibbot, Guy", "2", "2", "150"]]


def test_a_list_whose_days_are_over_and_no_worker_came(client, books, last):
    RatingPool.objects.update(publish_after_days=0)
    page = Page(client.get(OFFICE))
    assert f"Next list {last.day} {last:%b %Y} due" in page.text
    assert "the job worker publishes it within the hour, or you do now. Publish now" in page.text


def test_a_list_that_waits_for_an_earlier_one(client, books, last):
    wait_for_ever()
    before = ecf.cutoffs_back(last, 1)
    Ledger("rapid").play(books.one, books.other, 1, before - timedelta(days=3))
    page = Page(client.get(OFFICE))
    assert (
        f"Waits. The rapid list of {before.day} {before:%B %Y} has to be published first."
        in page.text
    )
    response = client.get(address("publish", last))
    assert response["Location"] == OFFICE
    assert said(response) == [
        (
            "error",
            f"The rapid list of {before.day} {before:%B %Y} is still to come,"
            " and lists come in order.",
        )
    ]


def test_published_lists(client, books, last):
    made = publish_by_hand(last)
    made.published_by = client.officer
    made.outstanding = 3
    made.save()
    page = Page(client.get(OFFICE))
    (row,) = page.tables[0][1:]
    today = f"{TODAY().day} {TODAY():%b %Y}"
    assert row == [
        f"{last.day} {last:%B %Y} {today}, Grace Grader · 3 cards outstanding",
        f"{today}, Grace Grader",
        "3",
        "2",
        "–",
        f"Revise {last.day} {last:%B %Y}",
    ]


def test_the_desk_asks_no_more_with_more_of_everything(client, books, last):
    publish_by_hand(last)
    before = queries(lambda: client.get(OFFICE))
    for _ in range(5):
        MatchFactory(played_on=last - timedelta(days=1))
    books.play(PlayerFactory(), books.one, 1, last, times=3)
    assert queries(lambda: client.get(OFFICE)) == before


def test_the_lists_of_people_and_cards_ask_no_more_with_more_rows(client, books, last):
    made = publish_by_hand(last)
    MatchFactory(played_on=last - timedelta(days=1))
    pages = [address("players", last), address("cards", last)]
    before = [queries(lambda page=page: client.get(page)) for page in pages]
    strangers = [PlayerFactory() for _ in range(5)]
    made.unanchored += [player.pk for player in strangers]
    made.save()
    for player in strangers:
        Grade.objects.create(grade_list=made, player=player, grade=90)
        MatchFactory(played_on=last - timedelta(days=1))
    assert [queries(lambda page=page: client.get(page)) for page in pages] == before


def test_all_is_well(client, books, last):
    for player in books.strangers:
        OpeningRatingFactory(player=player, system="grade", value=100, dated_on=date(2020, 1, 1))
    OpeningRatingFactory(player=books.newcomer, system="grade", value=100)
    Grade.objects.all().delete()
    publish_by_hand(last)
    Grade.objects.filter(published=None).delete()
    GradeList.objects.update(unanchored=[])
    assert "Everybody has a grade" in Page(client.get(address("players", last))).headings
    assert "All cards are in" in Page(client.get(address("cards", last))).headings


# --- Publishing --------------------------------------------------------------------------


def test_a_preview_and_the_list(client, books, last):
    page = Page(client.get(address("publish", last)))
    assert page.headings == [f"Publish the standard list of {last.day} {last:%B %Y}?"]
    assert "Grades 2 2 are new Changed 0 this is the first list Below the minimum 1" in page.text
    assert "Without a tie to a grade 2" in page.text
    assert not GradeList.objects.exists()

    response = client.post(address("publish", last))
    assert response["Location"] == OFFICE
    assert said(response) == [
        (
            "success",
            f"The standard list of {last.day} {last:%B %Y} is published, with 2 grades.",
        )
    ]
    made = GradeList.objects.get()
    assert (made.state, made.published_by) == ("published", client.officer)


def test_the_biggest_changes_stand_on_the_preview(client, books, last):
    before = ecf.cutoffs_back(last, 1)
    books.play(books.one, books.other, 0, before - timedelta(days=1), times=9)
    publish_by_hand(before)
    page = Page(client.get(address("publish", last)))
    rows = page.tables[0][1:]
    assert {row[0] for row in rows} == {"Lovell, Anna", "Tso, Anna"}
    assert all(row[3][0] in "+−" for row in rows)


def test_a_second_click_is_told_and_changes_nothing(client, books, last):
    client.post(address("publish", last))
    once = list(GradeList.objects.values())
    for response in (client.post(address("publish", last)), client.get(address("publish", last))):
        assert response["Location"] == OFFICE
    assert list(GradeList.objects.values()) == once
    told = f"The standard list of {last.day} {last:%B %Y} is published already."
    assert ("info", told) in said(response)


def test_cards_outstanding_are_said_before_it_is_published(client, books, last):
    MatchFactory(played_on=last - timedelta(days=1))
    page = Page(client.get(address("publish", last)))
    assert "1 card is outstanding. Their games enter the next list" in page.text


@pytest.mark.parametrize(
    ("back", "sentence"),
    [
        (-1, "is worked out on that day, not before."),
        (1, "they begin with that of"),
    ],
)
def test_what_cannot_be_published_is_said(client, books, last, back, sentence):
    cutoff = ecf.cutoffs_back(last, back)
    for method in (client.get, client.post):
        response = method(address("publish", cutoff))
        assert response["Location"] == OFFICE
        ((level, text),) = said(response)[-1:]
        assert (level, sentence in text) == ("error", True)
    assert not GradeList.objects.exists()


def test_nobody_publishes_what_he_has_not_seen(client, books, last):
    page = client.get(address("publish", last))
    seen = page.context["seen"]
    books.play(books.one, books.other, 1, last - timedelta(days=2))
    response = client.post(address("publish", last), {"seen": seen})
    assert response.status_code == 200
    assert "Games came in or changed while you looked" in Page(response).text
    assert not GradeList.objects.exists()
    client.post(address("publish", last), {"seen": response.context["seen"]})
    assert GradeList.objects.get().state == "published"


# --- Revising ----------------------------------------------------------------------------


@pytest.fixture
def corrected(books, last):
    """Two lists published, and since then the result of a game before the first turned round."""
    before = ecf.cutoffs_back(last, 1)
    day = before - timedelta(days=40)
    books.play(books.one, books.other, 2, day, key="wrong")
    books.play(books.one, books.other, 1, day, times=9)
    publish_by_hand(before)
    publish_by_hand(last)
    books.count += 1
    books.post("wrong", books.one, books.other, 0, day)
    return before


def test_a_revision_is_previewed_and_then_published_with_its_reason(client, corrected, last):
    page = Page(client.get(address("revise", corrected)))
    shown = revisions.preview_revision(pool="standard", cutoff=corrected, at=timezone.now())
    assert page.headings[1:3] == [
        f"Standard, {cutoff.day} {cutoff:%B %Y}" for cutoff in (corrected, last)
    ]
    assert [[(row[1], row[2]) for row in table[1:]] for table in page.tables] == [
        [(str(d.before), str(d.after)) for d in each.differences] for each in shown
    ]
    assert GradeList.objects.count() == 2

    response = client.post(address("revise", corrected), {"reason": "Board 3 was entered wrong"})
    assert response["Location"] == OFFICE
    assert said(response) == [
        (
            "success",
            "Revised: "
            + ", ".join(
                f"The standard list of {cutoff.day} {cutoff:%B %Y}" for cutoff in (corrected, last)
            )
            + ".",
        )
    ]
    made = GradeList.objects.filter(revision=1)
    assert {(row.reason, row.published_by) for row in made} == {
        ("Board 3 was entered wrong", client.officer)
    }
    assert "revised" in dict(Page(client.get(OFFICE)).links)


def test_a_revision_needs_a_reason(client, corrected):
    for reason in ("", "   ", "x" * 301):
        response = client.post(address("revise", corrected), {"reason": reason})
        page = Page(response)
        assert "This field is required." in page.text or "at most 300 characters" in page.text
        assert len(page.tables) == 2
    assert GradeList.objects.count() == 2


def test_a_second_click_on_a_revision_changes_nothing(client, corrected):
    reason = {"reason": "Board 3 was entered wrong"}
    client.post(address("revise", corrected), reason)
    response = client.post(address("revise", corrected), reason)
    assert said(response)[-1] == (
        "success",
        "Nothing differs from what was published: no list was revised.",
    )
    assert GradeList.objects.count() == 4


def test_nothing_to_revise(client, books, last):
    publish_by_hand(last)
    page = Page(client.get(address("revise", last)))
    assert page.headings[1:] == ["Nothing to revise"]


def test_a_list_that_never_came_out_is_not_revised(client, books, last):
    for method in (client.get, client.post):
        response = method(address("revise", last), {"reason": "x"})
        assert said(response)[-1] == (
            "error",
            f"The standard list of {last.day} {last:%B %Y} is not published.",
        )


# --- Rules of the lists ------------------------------------------------------------------

RULES = "/office/grades/standard/rules/"


def test_the_rules_of_lists_are_changed_from_the_next_one_on(client, books, last):
    wait_for_ever()
    before = ecf.cutoffs_back(last, 1)
    books.play(books.one, books.other, 0, before - timedelta(days=1), times=9)
    publish_by_hand(before)
    lists.publish_due(at=timezone.now(), outstanding=grading.count_outstanding)
    page = Page(client.get(RULES))
    assert page.headings == ["How standard lists are made"]
    data = {"grade_rules": "ECF_2015", "publish_after_days": "150", "juniors_start_anew": "on"}
    response = client.post(RULES, data)
    assert response["Location"] == OFFICE
    assert said(response) == [("success", "Standard lists are made so from the next one on.")]
    found = RatingPool.objects.get(pk="standard")
    assert (found.grade_rules, found.publish_after_days, found.juniors_start_anew) == (
        "ECF_2015",
        150,
        True,
    )
    assert list(GradeList.objects.order_by("cutoff").values_list("rules", "state")) == [
        ("BRIEF", "published"),
        ("ECF_2015", "provisional"),
    ]
    assert RatingPool.objects.get(pk="rapid").grade_rules == "BRIEF"
    # A box that is not ticked is not sent, and is off.
    client.post(RULES, {"grade_rules": "BRIEF", "publish_after_days": "0"})
    found.refresh_from_db()
    assert (found.publish_after_days, found.juniors_start_anew) == (0, False)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"grade_rules": "MINE"}, "not one of the available choices"),
        ({"publish_after_days": "-1"}, "greater than or equal to 0"),
        ({"publish_after_days": "151"}, "less than or equal to 150"),
        ({"publish_after_days": ""}, "This field is required."),
    ],
)
def test_rules_that_are_none_are_refused(client, changes, error):
    before = RatingPool.objects.values().get(pk="standard")
    response = client.post(RULES, {"grade_rules": "BRIEF", "publish_after_days": "14"} | changes)
    assert error in Page(response).text
    assert RatingPool.objects.values().get(pk="standard") == before


@pytest.mark.parametrize(
    ("column", "value", "constraint"),
    [
        ("grade_rules", "MINE", "ratings_ratingpool_grade_rules_known"),
        ("publish_after_days", -1, "ratings_ratingpool_days_not_negative"),
    ],
)
def test_the_database_refuses_them_too(db, column, value, constraint):
    with pytest.raises(IntegrityError, match=constraint):
        RatingPool.objects.update(**{column: value})


def test_every_choice_of_rules_is_one_that_lists_are_made_by():
    assert set(GradeRuleSet.values) == set(ecf.PRESETS)


# --- Opening grades ----------------------------------------------------------------------


def form(**changes):
    data = {
        "pool": "standard",
        "grade": "110",
        "dated_on": "2020-01-01",
        "source": "estimate of the officer",
    }
    return data | changes


def test_an_opening_grade_ties_a_group_and_everything_follows(client, books, last):
    wait_for_ever()
    lists.publish_due(at=timezone.now(), outstanding=grading.count_outstanding)
    stranger, friend = books.strangers
    page = reverse("office_opening", args=[stranger.pk])
    assert "Nothing is known of this player from outside." in Page(client.get(page)).text

    day = last - timedelta(days=30)
    response = client.post(page, form(dated_on=day.isoformat()))
    assert response["Location"] == OFFICE
    ((level, sentence),) = said(response)
    assert level == "success"
    assert sentence.startswith("Zoë Quill1 has the opening grade 110. ")
    assert sentence.endswith(" ratings were worked out again.")
    fact = OpeningRating.objects.get(player=stranger)
    assert (fact.pool_id, fact.system, fact.value, fact.dated_on, fact.source) == (
        "standard",
        "grade",
        110,
        day,
        "estimate of the officer",
    )
    made = GradeList.objects.get()
    assert (made.state, made.unanchored) == ("provisional", [])
    assert GradedGame.objects.filter(game__white=stranger, white_grade=110).count() == 1
    assert made.grades.filter(player=friend).exists()
    elo = EloGame.objects.get(game__white=stranger)
    assert elo.white_before == 7.5 * 1100 + 7000


def test_an_opening_grade_takes_the_place_of_the_one_there_is(client, books):
    page = reverse("office_opening", args=[books.one.pk])
    assert "Standard, grade" in Page(client.get(page)).text
    client.post(page, form(grade="0"))
    assert books.one.opening_ratings.values_list("value", "source").get() == (
        0,
        "estimate of the officer",
    )
    client.post(page, form(grade="0"))
    assert books.one.opening_ratings.count() == 1


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"grade": ""}, "This field is required."),
        ({"grade": "strong"}, "Enter a whole number."),
        ({"grade": "441"}, "less than or equal to 440"),
        ({"grade": "-101"}, "greater than or equal to -100"),
        ({"dated_on": ""}, "This field is required."),
        ({"dated_on": "2020-02-30"}, "Enter a valid date."),
        ({"dated_on": "2199-01-01"}, "This day is still to come."),
        ({"dated_on": "0001-01-01"}, "No grade is of before 1900."),
        ({"dated_on": "1899-12-31"}, "No grade is of before 1900."),
        ({"source": ""}, "This field is required."),
        ({"source": "x" * 201}, "at most 200 characters"),
        ({"source": "\x00\u200b"}, "This field is required."),
        ({"pool": "blitz"}, "not one of the available choices"),
    ],
)
def test_an_opening_grade_that_is_none_is_refused_at_its_field(client, books, changes, error):
    page = reverse("office_opening", args=[books.newcomer.pk])
    response = client.post(page, form(**changes))
    assert response.status_code == 200
    assert error in Page(response).text
    assert not OpeningRating.objects.filter(player=books.newcomer).exists()


def test_the_form_is_of_the_rate_of_play_one_comes_from(client, books):
    page = reverse("office_opening", args=[books.newcomer.pk])
    for rate, shown in (("rapid", "rapid"), ("", ""), ("chess", "chess")):
        found = client.get(page, {"pool": rate})
        assert (found.status_code, found.context["form"]["pool"].value()) == (200, shown)


def test_a_rapid_opening_reaches_the_standard_list(client, books, last):
    """At the other rate of play it is what a newcomer starts from."""
    wait_for_ever()
    lists.publish_due(at=timezone.now(), outstanding=grading.count_outstanding)
    day = ecf.cutoffs_back(last, 2)
    client.post(
        reverse("office_opening", args=[books.strangers[0].pk]),
        form(pool="rapid", dated_on=day.isoformat()),
    )
    assert GradeList.objects.get().unanchored == []
    assert OpeningRating.objects.get(player=books.strangers[0]).pool == pool("rapid")


def test_moments_are_those_of_the_clock(client, books, last):
    before = timezone.now()
    client.post(address("publish", last))
    made = GradeList.objects.get()
    assert before <= made.published_at <= timezone.now()
    assert made.published_at - made.computed_at == datetime.timedelta(0)
