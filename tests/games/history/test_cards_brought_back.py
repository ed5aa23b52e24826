"""Cards brought back from their histories: what comes, what stays, who may."""

import pytest
from django.urls import reverse

from games.grading_office.verification import verify
from games.history.histories import of_match
from games.match_cards.card_return import CannotReturn, bring_back, card_at
from games.match_cards.cards import given, record_card
from games.models import Board, BoardEvent, Match
from tests.factories import BoardFactory
from tests.games.card_scene import AT, TODAY, make_scene
from tests.games.history_scene import DAY, boards, card, save, secretary_of

# Each deed is a transaction of its own, as it is outside the tests: its time tells it apart.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scene():
    return make_scene(boards=2)


def test_a_card_is_brought_back_with_its_ratings(scene):
    by = secretary_of(scene.match.home.club)
    save(scene, [1, 2])
    before = list(Board.objects.order_by("match", "number").values_list("result", "home_player"))
    moment = BoardEvent.objects.latest("pgh_id").pgh_id
    save(scene, [0, 0])
    assert [entry.result for entry in card_at(scene.match.pk, moment)] == [1, 2]
    match = Match.objects.get(pk=scene.match.pk)
    for reason in ("", "  "):
        with pytest.raises(CannotReturn, match="Say why"):
            bring_back(
                match=match.pk, moment=moment, version=match.version, reason=reason, by=by, at=AT
            )
    bring_back(
        match=match.pk, moment=moment, version=match.version, reason="wrong card", by=by, at=AT
    )
    after = Board.objects.order_by("match", "number").values_list("result", "home_player")
    assert list(after) == before
    assert of_match(card(match), scene.officer)[0].why == "wrong card"
    assert not list(verify())


def test_a_card_brought_back_has_its_day_and_as_many_boards_as_it_had(scene):
    by = secretary_of(scene.match.home.club)
    save(scene, [1, 2])
    moment = BoardEvent.objects.latest("pgh_id").pgh_id
    match = Match.objects.get(pk=scene.match.pk)
    shorter = {"boards": boards(scene, [1]), "board_count": 1, "played_on": TODAY - DAY}
    record_card(match=match.pk, version=match.version, by=by, at=AT, **shorter)
    match.refresh_from_db()
    assert (match.board_count, match.played_on) == (1, TODAY - DAY)
    again = {"moment": moment, "version": match.version, "reason": "both were played"}
    bring_back(match=match.pk, by=by, at=AT, **again)
    match = Match.objects.with_score().get(pk=match.pk)
    assert (match.board_count, match.boards_decided, match.played_on) == (2, 2, TODAY)


def test_points_the_league_gave_come_and_go_with_its_officer_alone(client, scene):
    by, officer = secretary_of(scene.match.home.club), scene.officer
    save(scene, [1, 2])
    moment = BoardEvent.objects.latest("pgh_id").pgh_id
    match = Match.objects.get(pk=scene.match.pk)
    first, second = boards(scene, [1, 2])
    awarded = [given(first, 0, 2, "ineligible"), second]
    record_card(match=match.pk, boards=awarded, version=match.version, by=officer, at=AT)
    url = reverse("card_return", args=[match.pk, moment])
    match.refresh_from_db()
    typed = {"version": match.version, "reason": "mine was right"}
    client.force_login(by)
    assert "The league decides the points of this board." in client.post(url, typed).text
    assert match.boards.get(number=1).award == "given"
    client.force_login(officer)
    assert client.post(url, typed).status_code == 302
    assert match.boards.get(number=1).award is None


def test_the_page_of_a_card_brought_back(client, scene):
    by = secretary_of(scene.match.home.club)
    client.force_login(by)
    save(scene, [1, 2])
    moment = BoardEvent.objects.latest("pgh_id").pgh_id
    save(scene, [0, 0])
    history = reverse("match_history", args=[scene.match.pk])
    url = reverse("card_return", args=[scene.match.pk, moment])
    assert f'href="{url}"' in client.get(history).content.decode()
    version = client.get(url).context["form"]["version"].value()
    refused = client.post(url, {"version": version, "reason": ""})
    assert refused.context["form"].errors == {"reason": ["This field is required."]}
    stale = client.post(url, {"version": version - 1, "reason": "wrong card"})
    assert "Somebody saved the card meanwhile" in stale.content.decode()
    assert client.post(url, {"version": version, "reason": "wrong card"}).url == history
    assert [board.result for board in scene.match.boards.order_by("number")] == [1, 2]
    other = BoardFactory()
    foreign = other.events.get().pgh_id
    for number in (foreign, 2**31 - 1, 2**62):
        assert client.get(reverse("card_return", args=[scene.match.pk, number])).status_code == 404


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ({"agreement": "confirmed", "agreed_at": AT}, "Both sides have agreed on this card."),
        ({"state": "void", "decision": "no board was set up"}, "no board was set up"),
    ],
)
def test_who_cannot_bring_a_card_back_is_not_offered_it_and_is_told_why(
    client, scene, column, said
):
    by = secretary_of(scene.match.home.club)
    save(scene, [1, 2])
    moment = BoardEvent.objects.latest("pgh_id").pgh_id
    save(scene, [0, 0])
    Match.objects.filter(pk=scene.match.pk).update(**column)
    history = reverse("match_history", args=[scene.match.pk])
    url = reverse("card_return", args=[scene.match.pk, moment])
    typed = {"version": scene.match.version, "reason": "wrong card"}
    client.force_login(by)
    assert url not in client.get(history).text
    for response in (client.get(url), client.post(url, typed)):
        assert response.status_code == 403 and said in response.text
    assert [board.result for board in scene.match.boards.order_by("number")] == [0, 0]
    client.force_login(scene.officer)
    assert (url in client.get(history).text) == ("agreement" in column)
