"""When results are due: reminders once a match and stage, points off once, by the calendar."""

import datetime

import pytest
from django.core import mail as outbox
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from games.division_tables import adjustments
from games.match_cards import deadlines
from games.match_cards.result_jobs import chase_results
from games.models import Adjustment, Match, Notice, Season
from tests import factories
from tests.games.card_scene import make_scene
from tests.job_queue import jobs, work

pytestmark = pytest.mark.django_db(transaction=True)


def at(text: str) -> datetime.datetime:
    """An instant by the clock of London."""
    return timezone.make_aware(datetime.datetime.fromisoformat(text))


@pytest.fixture
def scene(settings):
    """The match of Tuesday 24 November, due on Friday."""
    settings.SITE_ADDRESS = "https://league.example"
    return scene_of(result_due_days=3)


def scene_of(**division):
    scene = make_scene(played_before=False, **division)
    for name in ("captain", "secretary"):
        User.objects.filter(pk=getattr(scene, name).pk).update(email=f"{name}@example.org")
        getattr(scene, name).refresh_from_db()
    scene.match.away.captain_email = "away@example.org"
    scene.match.away.save()
    return scene


def sent() -> list[tuple]:
    work("mail")
    found = sorted((mail.to[0], mail.subject) for mail in outbox.outbox)
    outbox.outbox.clear()
    return found


def reminded_on(days: list[str]) -> dict[str, int]:
    """How many reminders go out at noon of each day, where any do."""
    found = {day: deadlines.remind_due(at=at(f"{day}T12:00")) for day in days}
    return {day: count for day, count in found.items() if count}


def days_of(first: str, count: int) -> list[str]:
    start = datetime.date.fromisoformat(first)
    return [(start + datetime.timedelta(days=n)).isoformat() for n in range(count)]


DUE = "The card of Ashdown A v Hartfield A is due on Friday 27 November"
LATE = "The card of Ashdown A v Hartfield A is late"


def test_both_sides_are_reminded_once_before_and_once_after(scene):
    assert deadlines.remind_due(at=at("2026-11-26T08:59")) == 0
    assert deadlines.remind_due(at=at("2026-11-26T09:00")) == 1
    assert deadlines.remind_due(at=at("2026-11-27T23:30")) == 0
    assert sent() == [("away@example.org", DUE), ("captain@example.org", DUE)]
    assert deadlines.remind_due(at=at("2026-11-28T09:30")) == 1
    assert deadlines.remind_due(at=at("2026-11-29T09:30")) == 0
    assert sent() == [("away@example.org", LATE), ("captain@example.org", LATE)]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"result_due_days": None}, []),
        ({"result_due_days": 0}, ["2026-11-25"]),
        ({"result_due_days": 0, "remind_days_before": None}, ["2026-11-25"]),
        ({"result_due_days": 2, "remind_days_before": 0}, ["2026-11-26", "2026-11-27"]),
        ({"result_due_days": 1, "remind_days_before": 1}, ["2026-11-25", "2026-11-26"]),
        ({"result_due_days": 2, "remind_days_before": 9}, ["2026-11-25", "2026-11-27"]),
        ({"result_due_days": 2, "remind_days_after": None}, ["2026-11-25"]),
        ({"result_due_days": 2, "remind_days_after": 5}, ["2026-11-25", "2026-12-01"]),
    ],
)
def test_the_days_of_reminders(rules, expected):
    scene_of(**rules)
    assert list(reminded_on(days_of("2026-11-20", 30))) == expected


@pytest.mark.parametrize(
    ("played_on", "expected"),
    [
        ("2026-10-23", ["2026-10-25", "2026-10-27"]),  # the clock is put back on the 25th
        ("2027-03-26", ["2027-03-28", "2027-03-30"]),  # and on on the 28th
    ],
)
def test_a_day_of_25_hours_is_a_day(scene, played_on, expected):
    Match.objects.filter(pk=scene.match.pk).update(played_on=played_on)
    assert list(reminded_on(days_of(played_on, 10))) == expected


def test_nobody_is_reminded_of_what_does_not_wait(scene):
    match, season = scene.match, scene.match.division.season
    noon = at("2026-11-28T12:00")
    for changes in (
        {"state": "void", "decision": "Fire alarm."},
        {"state": "postponed"},
        {"entered_at": noon},
        {"stated_home": 6, "stated_away": 6},
        {"played_on": None},
    ):
        before = Match.objects.filter(pk=match.pk).values(*changes).get()
        Match.objects.filter(pk=match.pk).update(**changes)
        assert (changes, deadlines.remind_due(at=noon)) == (changes, 0)
        Match.objects.filter(pk=match.pk).update(**before)
    Season.objects.filter(pk=season.pk).update(closed_at=noon)
    assert deadlines.remind_due(at=noon) == 0
    Season.objects.filter(pk=season.pk).update(closed_at=None, published_at=None)
    assert deadlines.remind_due(at=noon) == 0


def test_a_rule_set_in_spring_spares_the_autumn(scene):
    assert reminded_on(days_of("2026-12-12", 60)) == {}
    assert deadlines.penalise_late(at=at("2026-12-20T12:00")) == 0


def test_a_match_put_off_is_reminded_of_its_new_day(scene):
    assert deadlines.remind_due(at=at("2026-11-26T12:00")) == 1
    Match.objects.filter(pk=scene.match.pk).update(played_on="2026-12-08")
    assert list(reminded_on(days_of("2026-11-27", 20))) == ["2026-12-10", "2026-12-12"]


def test_who_wants_no_reminders_gets_none(scene, client):
    client.force_login(scene.captain)
    address = reverse("office_mail")
    assert "checked" in client.get(address).content.decode()
    client.post(address, {})
    assert "checked" not in client.get(address).content.decode()
    deadlines.remind_due(at=at("2026-11-26T12:00"))
    assert sent() == [("away@example.org", DUE)]
    client.post(address, {"reminders": "on"})
    deadlines.remind_due(at=at("2026-11-28T12:00"))
    assert [to for to, _subject in sent()] == ["away@example.org", "captain@example.org"]


def test_a_reminder_is_in_the_language_of_who_gets_it(scene):
    User.objects.filter(pk=scene.captain.pk).update(language="fr")
    deadlines.remind_due(at=at("2026-11-28T12:00"))
    found = dict(sent())
    assert found["away@example.org"] == LATE
    assert "en retard" in found["captain@example.org"]


TEXT = """\
Nobody has entered the card of Ashdown A v Hartfield A, Tuesday 24 November. It was due on Friday \
27 November.

A late result costs points, by the rules of the division.

Either side may enter it.

Enter the card:
https://league.example/matches/{pk}/card/

-- 
You get this mail as you act for one of the two sides. No more reminders:
https://league.example/office/mail/
"""  # noqa: W291


def test_a_reminder_in_full(settings):
    settings.SITE_ADDRESS = "https://league.example"
    scene = scene_of(result_due_days=3, late_game_points=1)
    deadlines.remind_due(at=at("2026-11-28T12:00"))
    work("mail")
    mail = outbox.outbox[0]
    assert mail.body == TEXT.format(pk=scene.match.pk)
    assert (
        f'href="https://league.example/matches/{scene.match.pk}/card/"' in (mail.alternatives[0][0])
    )


# A card that waits for an answer ----------------------------------------------------------------


def asked_on(days: list[str]) -> list[str]:
    """The days of these at noon of which a side is reminded of a card that waits for its word."""
    return [day for day in days if deadlines.remind_to_answer(at=at(f"{day}T12:00"))]


ASKED = "Still to confirm: Ashdown A v Hartfield A, 3½–2½"


def test_the_side_that_is_asked_is_reminded_once(scene):
    scene.record(by=scene.captain, at=at("2026-11-24T23:14"))  # agreed by itself on 1 December
    assert deadlines.remind_to_answer(at=at("2026-11-28T12:00")) == 0
    assert deadlines.remind_to_answer(at=at("2026-11-29T08:59")) == 0
    assert deadlines.remind_to_answer(at=at("2026-11-29T09:00")) == 1
    assert asked_on(days_of("2026-11-29", 9)) == []
    work("mail")
    (mail,) = [each for each in outbox.outbox if each.subject == ASKED]
    assert mail.to == ["away@example.org"]
    assert (
        "If nobody says anything, it is agreed on 1 December." in mail.body
        and f"/matches/{scene.match.pk}/" in mail.body
        and "No more reminders:\nhttps://league.example/office/mail/" in mail.body
    )
    # Corrected, its days count anew; the mail of that is enough.
    scene.record("000000", by=scene.captain, at=at("2026-11-30T12:00"))
    assert asked_on(days_of("2026-11-30", 9)) == []


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"agrees_after_days": None, "final_after_days": None}, []),
        ({"agrees_after_days": 2}, []),
        ({"agrees_after_days": 3}, ["2026-11-25"]),
        ({"agrees_after_days": None, "final_after_days": 5}, ["2026-11-27"]),
        ({"agrees_after_days": 30, "final_after_days": 5}, ["2026-11-27"]),
    ],
)
def test_the_day_on_which_a_side_is_reminded_to_answer(rules, expected):
    scene = scene_of(**rules)
    scene.record(by=scene.captain, at=at("2026-11-24T23:14"))
    assert asked_on(days_of("2026-11-24", 40)) == expected


def test_nobody_is_reminded_of_what_waits_for_no_answer(scene):
    evening, noon = at("2026-11-24T23:14"), at("2026-11-29T12:00")
    scene.record("=1=01 ", by=scene.captain, at=evening)  # not complete
    assert deadlines.remind_to_answer(at=noon) == 0
    scene.record(by=scene.captain, at=evening)
    for changes in (
        {"state": "void", "decision": "Fire alarm."},
        {"agreement": "confirmed", "agreed_at": evening, "agreed_by": scene.secretary},
    ):
        before = Match.objects.filter(pk=scene.match.pk).values(*changes).get()
        Match.objects.filter(pk=scene.match.pk).update(**changes)
        assert (changes, deadlines.remind_to_answer(at=noon)) == (changes, 0)
        Match.objects.filter(pk=scene.match.pk).update(**before)
    Season.objects.filter(pk=scene.match.division.season_id).update(closed_at=noon)
    assert deadlines.remind_to_answer(at=noon) == 0


def test_of_an_officers_card_both_sides_hear_and_who_wants_no_reminders_does_not(scene):
    scene.record(by=scene.officer, at=at("2026-11-24T23:14"))
    work("mail")
    outbox.outbox.clear()
    User.objects.filter(pk=scene.captain.pk).update(wants_reminders=False, language="fr")
    factories.TeamRoleFactory(team=scene.match.home, user__email="second@example.org")
    assert deadlines.remind_to_answer(at=at("2026-11-29T12:00")) == 1
    assert sent() == [("away@example.org", ASKED), ("second@example.org", ASKED)]


# Penalties --------------------------------------------------------------------------------------


def taken() -> list[tuple]:
    columns = ("team__name", "match_points", "game_points", "reason")
    return list(Adjustment.objects.order_by("team__name").values_list(*columns))


REASON = (
    "The result of Ashdown A v Hartfield A, 24 November 2026, was due by 27 November 2026 and"
    " came late."
)


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ("home", [("Ashdown A", -2, -1, REASON)]),
        ("both", [("Ashdown A", -2, -1, REASON), ("Hartfield A", -2, -1, REASON)]),
    ],
)
def test_a_late_result_costs_points_once(side, expected):
    scene = scene_of(result_due_days=3, late_match_points=2, late_game_points=1, late_side=side)
    assert deadlines.penalise_late(at=at("2026-11-27T23:59")) == 0
    assert deadlines.penalise_late(at=at("2026-11-28T00:00")) == len(expected)
    assert deadlines.penalise_late(at=at("2026-11-28T01:00")) == 0
    assert taken() == expected
    # The card comes, and the match is moved: it stays at that.
    scene.record(by=scene.captain, at=at("2026-11-30T20:00"))
    Match.objects.filter(pk=scene.match.pk).update(played_on="2026-11-25")
    assert deadlines.penalise_late(at=at("2026-11-30T21:00")) == 0
    # Taken back by the officer, it does not come again.
    for row in Adjustment.objects.all():
        adjustments.remove_adjustment(
            adjustment=row.pk, by=scene.officer, at=at("2026-12-01T12:00")
        )
    assert deadlines.penalise_late(at=at("2026-12-01T13:00")) == 0
    assert (taken(), Notice.objects.filter(adjustment=None).count()) == ([], len(expected))


def test_a_card_in_time_costs_nothing_however_late_it_is_corrected():
    scene = scene_of(result_due_days=0, late_match_points=2)
    scene.record(by=scene.captain, at=at("2026-11-24T23:59"))
    scene.record("000000", by=scene.captain, at=at("2026-11-28T12:00"))
    assert deadlines.penalise_late(at=at("2026-11-28T13:00")) == 0


def test_a_card_after_midnight_is_late_though_no_job_ran_meanwhile():
    scene = scene_of(result_due_days=0, late_match_points=2)
    scene.record(by=scene.captain, at=at("2026-11-25T00:01"))
    assert deadlines.penalise_late(at=at("2026-11-28T13:00")) == 1


def test_a_division_without_points_takes_none(scene):
    assert deadlines.penalise_late(at=at("2026-11-28T13:00")) == 0


def test_the_job_does_all_three(monkeypatch):
    scene = scene_of(result_due_days=3, late_match_points=2, agrees_after_days=4)
    scene.record(by=scene.captain, at=at("2026-11-24T23:14"))
    factories.MatchFactory(
        division=scene.match.division, home=scene.match.away, away=scene.match.home,
        played_on=scene.match.played_on,
    )  # fmt: skip
    monkeypatch.setattr(timezone, "now", lambda: at("2026-11-28T09:30"))
    chase_results.defer()
    work("office")
    work("mail")
    # At half past, the worker queues one more by the clock.
    assert "succeeded" in [status for _args, status in jobs("results:chase_results")]
    assert scene.reload().agreement == "agreed"
    assert [row[:2] for row in taken()] == [("Hartfield A", -2)]
    assert sorted(Notice.objects.values_list("stage", flat=True)) == ["after", "penalty"]
