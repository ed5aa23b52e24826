"""The officer's decisions page: points, withdrawals and play-offs, each undone as easily."""

import datetime

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone

from games.models import Adjustment, Division, Team
from tests.cast import Cast
from tests.factories import AdjustmentFactory, TeamFactory
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of 25 November 2026."""
    at = datetime.datetime(2026, 11, 25, 20, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)


@pytest.fixture
def division(cast: Cast):
    return cast.match.division


@pytest.fixture
def send(client, cast, division):
    """Send the officer's form `step` and return what the next page says of it."""
    client.force_login(cast.officer)
    address = reverse("division_decisions", args=[division.pk])

    def send(step, **cells):
        answer = client.post(address, {"step": step, **cells})
        if answer.status_code == 302:
            assert answer.url == address
            return [str(message) for message in get_messages(answer.wsgi_request)]
        return answer

    return send


def of_form(step, **cells):
    return {f"{step}-{name}": value for name, value in cells.items()}


def penalty(by, **cells):
    usual = {"team": by.pk, "way": "off", "match_points": "1", "game_points": "½"}
    return of_form(
        "adjust", **(usual | {"reason": "a late card", "decided_on": "2026-11-24"} | cells)
    )


def test_points_are_taken_off_and_given_back(send, division, cast):
    team = cast.match.home
    assert send("adjust", **penalty(team)) == [
        f"{team.name}: 1 match point deducted and ½ game point deducted for a late card, "
        "24 November."
    ]
    stored = Adjustment.objects.get()
    assert (stored.match_points, stored.game_points, stored.team) == (-2, -1, team)
    version = Division.objects.get(pk=division.pk).version
    said = send("remove", adjustment=stored.pk)
    assert said[-1] == f"The decision on {team.name} is taken back."
    assert Adjustment.objects.count() == 0
    assert Division.objects.get(pk=division.pk).version == version + 1


def test_points_are_put_on(send, cast):
    send("adjust", **penalty(cast.match.home, way="on", match_points="", game_points="1.5"))
    stored = Adjustment.objects.get()
    assert (stored.match_points, stored.game_points) == (0, 3)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ({"match_points": "0", "game_points": "0"}, "A decision puts points on or takes some off."),
        ({"match_points": "1¼"}, "Points are whole or half: 2, 1½ or 0.5."),
        ({"match_points": "101"}, "At most 100 points at once."),
        ({"reason": ""}, "This field is required."),
        ({"decided_on": "yesterday"}, "Enter a valid date."),
        ({"team": "987654321"}, "Select a valid choice."),
    ],
)
def test_a_decision_that_cannot_be_is_said_at_its_form(send, cast, cells, words):
    answer = send("adjust", **penalty(cast.match.home, **cells))
    assert answer.status_code == 200
    page = Page(answer)
    assert words in page.text
    if "reason" not in cells:
        assert 'value="a late card"' in answer.content.decode()
    assert Adjustment.objects.count() == 0


def test_a_team_of_a_sister_division_is_no_choice(send):
    answer = send("adjust", **penalty(TeamFactory()))
    assert "Select a valid choice." in Page(answer).text
    foreign = AdjustmentFactory()
    assert send("remove", adjustment=foreign.pk).status_code == 404
    assert Adjustment.objects.get() == foreign


@pytest.mark.parametrize("typed", ["", "x", "²", "9" * 40, "-1"])
def test_what_no_button_sends_is_not_found(send, typed):
    assert send("remove", adjustment=typed).status_code == 404
    assert send("reinstate", team=typed).status_code == 404
    assert send(typed).status_code == 404


def test_a_team_withdraws_and_plays_on(send, client, division, cast):
    team = cast.match.away
    cells = of_form("withdraw", team=team.pk, withdrawn_on="2026-11-20")
    assert send("withdraw", **cells) == [f"{team.name} has withdrawn."]
    assert Team.objects.get(pk=team.pk).withdrawn_on == datetime.date(2026, 11, 20)
    page = Page(client.get(reverse("division_decisions", args=[division.pk])))
    assert f"{team.name}, 20 November 2026" in page.text
    assert send("reinstate", team=team.pk)[-1] == f"{team.name} plays on."
    assert Team.objects.get(pk=team.pk).state == "active"


def test_a_withdrawal_to_come_is_refused_with_what_was_typed(send, cast):
    cells = of_form("withdraw", team=cast.match.away.pk, withdrawn_on="2026-12-24")
    answer = send("withdraw", **cells)
    assert "2026-12-24 is still to come." in Page(answer).text
    assert 'value="2026-12-24"' in answer.content.decode()


def test_a_play_off_is_kept_and_taken_back(send, client, division, cast):
    home, away = cast.match.home, cast.match.away
    cells = of_form("play_off", place_1=away.pk, place_2=home.pk, played_on="2026-11-24")
    assert send("play_off", **cells) == [f"{away.name} have won the play-off."]
    page = Page(client.get(reverse("division_decisions", args=[division.pk])))
    assert f"1. {away.name}, 2. {home.name}" in page.text
    assert send("no_play_off")[-1] == "The play-off is taken back."
    assert not Team.objects.exclude(play_off_place=None).exists()


def test_a_play_off_of_a_team_with_itself_is_refused(send, cast):
    pk = cast.match.home.pk
    cells = of_form("play_off", place_1=pk, place_2=pk, played_on="2026-11-24")
    answer = send("play_off", **cells)
    assert "A play-off is between two teams or more, each named once." in Page(answer).text


def test_a_form_out_of_date_is_answered(send, cast):
    assert send("reinstate", team=cast.match.home.pk) == [
        f"{cast.match.home.name} has not withdrawn."
    ]


def test_the_page_asks_no_more_for_more_decisions(
    client, cast, division, django_assert_num_queries
):
    client.force_login(cast.officer)
    address = reverse("division_decisions", args=[division.pk])
    counts = []
    for _ in range(2):
        with django_assert_num_queries(99, exact=False) as asked:
            client.get(address)
        counts.append(len(asked))
        for _ in range(3):
            AdjustmentFactory(team=TeamFactory(division=division))
    assert counts[0] == counts[1]
