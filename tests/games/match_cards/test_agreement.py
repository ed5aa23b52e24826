"""What both sides say of a card: guards, days, ratings, mails, and two of them at once."""

import datetime
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core import mail as outbox
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from clubs.models import User
from games.grading_office.verification import verify
from games.history import histories
from games.match_cards import agreement, card_mail
from games.match_cards.agreement import (
    AlreadyConfirmed,
    AlreadyDisputed,
    AlreadyFinal,
    CardIncomplete,
    NotAsked,
    NothingEntered,
    NothingToReopen,
    ReasonMissing,
)
from games.match_cards.card_agreement import agrees_on, final_on
from games.match_cards.cards import CardAlreadyConfirmed, CardChanged
from games.models import Board, Division, Match
from games.registry.people import merge_players
from games.season_office import entries
from ratings import rebuilding
from ratings.models import EloRating, RatedGame
from tests import factories
from tests.games.card_scene import AT, make_scene
from tests.job_queue import jobs, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]

DAY = datetime.timedelta(days=1)
WRONG = "Board 3 was a draw."


@pytest.fixture
def scene(db):
    return make_scene()


def entered(scene, **more):
    """The captain of Ashdown A enters the whole card."""
    scene.record(by=scene.captain, **more)
    return {"match": scene.match.pk, "version": scene.reload().version}


def say(what, scene, who, at=AT, **more):
    version = {} if what in ("settle", "reopen") else {"version": scene.reload().version}
    facts = {"match": scene.match.pk, "by": who, "at": at} | version | more
    return getattr(agreement, what)(**facts)


def state(scene) -> tuple:
    match = scene.reload()
    return match.agreement, match.entered_side, match.agreed_by, match.dispute


# Who says what ------------------------------------------------------------------------------------


def test_a_card_is_entered_by_one_side_and_confirmed_by_the_other(scene):
    entered(scene)
    assert state(scene) == ("entered", "home", None, "")
    say("confirm", scene, scene.secretary, at=AT + DAY)
    assert state(scene) == ("confirmed", "home", scene.secretary, "")
    assert scene.reload().agreed_at == AT + DAY
    again = say("confirm", scene, scene.secretary, at=AT + 2 * DAY)
    assert again.agreed_at == AT + DAY


def test_a_dispute_is_corrected_and_the_other_side_answers_anew(scene):
    entered(scene)
    say("dispute", scene, scene.secretary, reason=f"  {WRONG} ")
    assert state(scene) == ("disputed", "home", None, WRONG)
    assert scene.reload().disputed_by == scene.secretary
    scene.record("=1=01=", by=scene.captain)  # as it was: nothing is said
    assert state(scene)[0] == "disputed"
    scene.record("=1101=", by=scene.secretary)  # who disputes may correct it himself
    assert state(scene) == ("entered", "away", None, "")
    with pytest.raises(NotAsked):
        say("confirm", scene, scene.secretary)
    say("confirm", scene, scene.captain)
    assert state(scene)[:3] == ("confirmed", "away", scene.captain)


def test_who_disputed_a_card_may_take_that_back_by_confirming_it(scene):
    entered(scene)
    say("dispute", scene, scene.secretary, reason=WRONG)
    say("confirm", scene, scene.secretary)
    assert state(scene) == ("confirmed", "home", scene.secretary, "")


@pytest.mark.parametrize("closed_by", ["confirm", "settle"])
def test_a_closed_card_is_the_officers_alone(scene, closed_by):
    entered(scene)
    say(closed_by, scene, scene.secretary if closed_by == "confirm" else scene.officer)
    before = list(Board.objects.filter(match=scene.match).values())
    for who in (scene.captain, scene.secretary):
        with pytest.raises(CardAlreadyConfirmed) as refused:
            scene.record("000000", by=who)
        assert [str(each) for each in refused.value.problems[0]] == [
            "Both sides have agreed on this card."
            " Only the league’s officer can change it now: ask him."
        ]
        scene.record("=1=01=", by=who)  # saved twice, it changes nothing and is not refused
    assert list(Board.objects.filter(match=scene.match).values()) == before
    for who in (scene.captain, scene.secretary):
        with pytest.raises(AlreadyConfirmed):
            say("dispute", scene, who, reason=WRONG)
    scene.record("000000", by=scene.officer)
    assert state(scene) == ("settled", "", scene.officer, "")


def test_an_officers_card_of_neither_side_is_answered_by_either(scene):
    scene.record(by=scene.officer)
    assert state(scene) == ("entered", "", None, "")
    say("confirm", scene, scene.captain)
    assert state(scene) == ("confirmed", "", scene.captain, "")


def test_the_officer_settles_a_dispute_by_his_card(scene):
    entered(scene)
    say("dispute", scene, scene.secretary, reason=WRONG)
    scene.record("=1101=", by=scene.officer)
    assert state(scene) == ("settled", "", scene.officer, "")


def test_the_officer_settles_and_opens_again(scene):
    entered(scene)
    say("dispute", scene, scene.secretary, reason=WRONG)
    say("settle", scene, scene.officer, why="The score sheet says so.")
    assert state(scene) == ("settled", "home", scene.officer, "")
    say("reopen", scene, scene.officer, at=AT + DAY)
    assert state(scene) == ("entered", "home", None, "")
    with pytest.raises(NothingToReopen):
        say("reopen", scene, scene.officer)
    scene.record("000000", by=scene.captain)


def test_an_officer_who_is_a_captain_too_settles_nothing_by_entering(scene):
    factories.LeagueRoleFactory(user=scene.captain, league=scene.match.division.season.league)
    entered(scene)
    say("confirm", scene, scene.secretary)
    scene.record("000000", by=User.objects.get(pk=scene.captain.pk))
    assert state(scene) == ("entered", "home", None, "")


def test_an_import_asks_nobody(scene):
    scene.record(by=None)
    assert state(scene) == ("", "", None, "")
    with pytest.raises(NothingEntered):
        say("confirm", scene, scene.secretary)
    assert jobs("tell_of_card") == []


def test_what_each_word_is_refused_for(scene):
    with pytest.raises(NothingEntered):
        say("confirm", scene, scene.secretary)
    scene.record("=1=01 ", by=scene.captain)
    with pytest.raises(CardIncomplete):
        say("confirm", scene, scene.secretary)
    with pytest.raises(CardIncomplete):
        say("settle", scene, scene.officer)
    scene.record(by=scene.captain)
    for who in (scene.captain, scene.outsider, scene.officer):
        with pytest.raises(NotAsked):
            say("confirm", scene, who)
        with pytest.raises(NotAsked):
            say("dispute", scene, who, reason=WRONG)
    with pytest.raises(ReasonMissing):
        say("dispute", scene, scene.secretary, reason="   ")
    with pytest.raises(CardChanged):
        say("confirm", scene, scene.secretary, version=1)
    say("dispute", scene, scene.secretary, reason=WRONG)
    with pytest.raises(AlreadyDisputed):
        say("dispute", scene, scene.secretary, reason="Board 4 too.")
    Match.objects.filter(pk=scene.match.pk).update(state="void", decision="Fire alarm.")
    with pytest.raises(NothingEntered):
        say("settle", scene, scene.officer)


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"agreement": "perhaps"}, "games_match_agreement_known"),
        ({"agreement": "disputed"}, "games_match_disputed_with_reason"),
        ({"dispute": WRONG}, "games_match_disputed_with_reason"),
        ({"agreement": "confirmed"}, "games_match_agreed_at_some_time"),
        ({"agreed_at": AT}, "games_match_agreed_at_some_time"),
        ({"entered_side": "both"}, "games_match_entered_side_known"),
    ],
)
def test_what_the_database_refuses(scene, values, name):
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        Match.objects.filter(pk=scene.match.pk).update(**values)


# Days -------------------------------------------------------------------------------------------


def at(text: str) -> datetime.datetime:
    """An instant by the clock of London."""
    return timezone.make_aware(datetime.datetime.fromisoformat(text))


@pytest.mark.parametrize(
    ("entered_at", "agrees", "final", "expected"),
    [
        # Half an hour after midnight in summer time it is still yesterday in UTC.
        ("2026-10-25T00:30", 1, 2, ("2026-10-26", "2026-10-27")),
        ("2026-10-24T23:30", 1, 7, ("2026-10-25", "2026-10-31")),
        ("2027-03-27T23:59", 1, 1, ("2027-03-28", "2027-03-28")),
        ("2026-11-24T23:14", 0, 0, ("2026-11-24", "2026-11-24")),
        ("2026-11-24T23:14", None, 28, ("2026-12-22", "2026-12-22")),
        ("2026-11-24T23:14", 30, 5, ("2026-11-29", "2026-11-29")),
        ("2026-11-24T23:14", 3, None, ("2026-11-27", None)),
        ("2026-11-24T23:14", None, None, (None, None)),
    ],
)
def test_days_are_counted_by_the_calendar_of_the_league(entered_at, agrees, final, expected):
    division = Division(agrees_after_days=agrees, final_after_days=final)
    match = Match(division=division, entered_at=at(entered_at))
    found = tuple(day and day.isoformat() for day in (agrees_on(match), final_on(match)))
    assert found == expected


def test_a_card_is_agreed_by_itself_and_then_final():
    scene = make_scene(agrees_after_days=7, final_after_days=28)
    entered(scene)
    assert agreement.agree_due(at=at("2026-11-30T23:59")) == 0
    assert agreement.agree_due(at=at("2026-12-01T00:00")) == 1
    assert agreement.agree_due(at=at("2026-12-01T01:00")) == 0
    assert state(scene) == ("agreed", "home", None, "")
    with pytest.raises(AlreadyFinal):
        say("dispute", scene, scene.secretary, reason=WRONG, at=at("2026-12-22T00:00"))
    with pytest.raises(CardAlreadyConfirmed):
        scene.record("000000", by=scene.captain, at=at("2026-12-22T00:00"))
    say("dispute", scene, scene.secretary, reason=WRONG, at=at("2026-12-21T23:59"))
    # A dispute waits for an answer, however long.
    assert agreement.agree_due(at=at("2027-05-01T12:00")) == 0
    scene.record("000000", by=scene.captain, at=at("2027-05-01T12:00"))
    assert state(scene)[0] == "entered"


def test_an_incomplete_card_is_never_agreed_by_itself():
    scene = make_scene(agrees_after_days=0, final_after_days=0)
    scene.record("=1=01 ", by=scene.captain)
    assert agreement.agree_due(at=AT + 400 * DAY) == 0
    assert state(scene)[0] == "entered"
    scene.record(by=scene.captain, at=AT + 60 * DAY)
    assert state(scene)[0] == "agreed"


# Rated when agreed --------------------------------------------------------------------------------


def ratings() -> list:
    return list(
        EloRating.objects.order_by("player", "pool").values_list(
            "player", "pool", "rating", "games"
        )
    )


def rated(scene) -> int:
    return RatedGame.objects.filter(event=scene.match.division.rated_event).count() - 12


def prove(scene) -> None:
    assert verify() == []
    stored = ratings()
    rebuilding.rebuild("standard")
    assert ratings() == stored


def test_games_are_rated_when_they_are_agreed_if_the_division_says_so():
    scene = make_scene(rated_when_agreed=True)
    found = [rated(scene)]
    entered(scene)
    found.append(rated(scene))
    say("dispute", scene, scene.secretary, reason=WRONG)
    found.append(rated(scene))
    say("confirm", scene, scene.secretary)
    found.append(rated(scene))
    prove(scene)
    say("reopen", scene, scene.officer)
    found.append(rated(scene))
    prove(scene)
    agreement.agree_due(at=AT + 7 * DAY)
    found.append(rated(scene))
    say("dispute", scene, scene.secretary, reason=WRONG, at=AT + 8 * DAY)
    found.append(rated(scene))
    scene.record("=1101=", by=scene.officer)
    found.append(rated(scene))
    assert found == [0, 0, 0, 6, 0, 6, 0, 6]
    prove(scene)


def test_what_nobody_was_asked_about_is_rated_in_any_case():
    scene = make_scene(rated_when_agreed=True)
    scene.record(by=None)
    assert rated(scene) == 6


def test_changing_the_rule_rates_the_division_anew(scene):
    entered(scene)
    division = scene.match.division
    facts = {"division": division.pk, "name": division.name, "at": AT}
    before = ratings()
    entries.change_division(rated_when_agreed=True, **facts)
    assert rated(scene) == 0
    prove(scene)
    entries.change_division(rated_when_agreed=False, **facts)
    assert (rated(scene), ratings()) == (6, before)


# At once ------------------------------------------------------------------------------------------


def both(*calls) -> list:
    """Run the calls at once, each in a thread of its own; what each returned or raised."""
    barrier = Barrier(len(calls))

    def run(call):
        barrier.wait()
        try:
            return call()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.mark.parametrize("turn", range(4))
def test_one_confirms_while_the_other_changes(turn):
    scene = make_scene(rated_when_agreed=True)
    facts = entered(scene)
    confirmed, changed = both(
        lambda: agreement.confirm(by=scene.secretary, at=AT, **facts),
        lambda: scene.record("111111", by=scene.captain, version=facts["version"]),
    )
    results = set(Board.objects.filter(match=scene.match).values_list("result", flat=True))
    if isinstance(changed, CardAlreadyConfirmed):
        assert (state(scene)[0], results, rated(scene)) == ("confirmed", {0, 1, 2}, 6)
    else:
        assert isinstance(confirmed, CardChanged)
        assert (state(scene)[0], results, rated(scene)) == ("entered", {2}, 0)
    assert verify() == []


@pytest.mark.parametrize("turn", range(3))
def test_two_of_one_side_confirm_and_dispute_at_once(scene, turn):
    other = factories.TeamRoleFactory(team=scene.match.away).user
    facts = entered(scene)
    both(
        lambda: agreement.confirm(by=scene.secretary, at=AT, **facts),
        lambda: agreement.dispute(by=other, at=AT, reason=WRONG, **facts),
    )
    assert state(scene)[0] == "confirmed"


# Mails --------------------------------------------------------------------------------------------


def sent() -> list[tuple]:
    """Who got what, and the mails themselves are gone then."""
    work("mail")
    found = [(mail.to[0], mail.subject) for mail in outbox.outbox]
    outbox.outbox.clear()
    return sorted(found)


def people(scene) -> None:
    for name in ("captain", "secretary", "officer"):
        User.objects.filter(pk=getattr(scene, name).pk).update(
            email=f"{name}@example.org", name=name.capitalize()
        )
        getattr(scene, name).refresh_from_db()
    factories.TeamRoleFactory(team=scene.match.away, user__email="away@example.org")
    scene.match.away.captain_email = "Away@example.org"
    scene.match.away.save()


def test_each_event_is_one_mail_to_whom_it_concerns(scene):
    people(scene)
    match = "Ashdown A v Hartfield A"
    entered(scene)
    assert sent() == [("away@example.org", f"Result to confirm: {match}, 3½–2½")]
    scene.record(by=scene.captain)
    assert sent() == []
    say("dispute", scene, User.objects.get(email="away@example.org"), reason=WRONG)
    assert sent() == [
        ("captain@example.org", f"Disputed: {match}, 3½–2½"),
        ("officer@example.org", f"Disputed: {match}, 3½–2½"),
    ]
    scene.record("=1101=", by=scene.captain)
    assert sent() == [
        ("away@example.org", f"Corrected: {match}, 4–2"),
        ("officer@example.org", f"Corrected: {match}, 4–2"),
    ]
    say("confirm", scene, User.objects.get(email="away@example.org"))
    assert sent() == [("captain@example.org", f"Confirmed: {match}, 4–2")]
    say("reopen", scene, scene.officer)
    say("settle", scene, scene.officer)  # before the worker came: one mail, of what stands now
    assert sent() == [
        ("away@example.org", f"Settled: {match}, 4–2"),
        ("captain@example.org", f"Settled: {match}, 4–2"),
    ]


def test_of_a_word_that_confirms_hears_only_who_waited_for_it(scene):
    people(scene)
    away = User.objects.get(email="away@example.org")
    entered(scene)
    sent()
    say("confirm", scene, away)
    assert sent() == []
    say("reopen", scene, scene.officer)
    say("dispute", scene, away, reason=WRONG)
    sent()
    say("confirm", scene, away)
    words = "Confirmed: Ashdown A v Hartfield A, 3½–2½"
    assert sent() == [("captain@example.org", words), ("officer@example.org", words)]


def test_the_history_tells_the_reason_of_a_dispute_once(scene):
    entered(scene)
    say("dispute", scene, scene.secretary, reason=WRONG)
    told = histories.of_match(Match.objects.for_card().get(pk=scene.match.pk), scene.officer)[0]
    assert (told.lines, told.why) == (
        ["the result: disputed", f"reason of the dispute: {WRONG}"],
        "",
    )


def test_an_officer_reads_that_a_dispute_is_answered(scene):
    people(scene)
    entered(scene)
    say("dispute", scene, User.objects.get(email="away@example.org"), reason=WRONG)
    sent()
    scene.record("=1101=", by=scene.captain)
    work("mail")
    texts = {mail.to[0]: mail.body for mail in outbox.outbox}
    assert "It was disputed until then." in texts["officer@example.org"]
    assert "Please confirm it" in texts["away@example.org"]
    assert "Please confirm it" not in texts["officer@example.org"]


@pytest.mark.parametrize(
    ("then", "told"),
    [
        (["confirm"], ["Corrected"]),
        (["correct"], ["Corrected"]),
        (["dispute"], ["Disputed"]),
    ],
)
def test_an_officer_reads_of_an_answer_though_more_was_said_before_the_worker_came(
    scene, then, told
):
    people(scene)
    away = User.objects.get(email="away@example.org")
    entered(scene)
    say("dispute", scene, away, reason=WRONG)
    sent()
    scene.record("=1101=", by=scene.captain)
    for what in then:
        if what == "correct":
            scene.record("=110==", by=scene.captain)
        else:
            say(what, scene, away, **({"reason": WRONG} if what == "dispute" else {}))
    found = [subject.split(":")[0] for to, subject in sent() if to == "officer@example.org"]
    assert found == told


def test_another_officer_reads_that_a_dispute_was_opened_and_settled_at_once(scene):
    people(scene)
    league = scene.match.division.season.league
    factories.LeagueRoleFactory(league=league, user__email="second@example.org")
    entered(scene)
    say("dispute", scene, User.objects.get(email="away@example.org"), reason=WRONG)
    sent()
    say("reopen", scene, scene.officer)
    say("settle", scene, scene.officer)
    told = {to: subject.split(":")[0] for to, subject in sent()}
    assert told == {
        "away@example.org": "Settled",
        "captain@example.org": "Settled",
        "second@example.org": "Opened again",
    }


def test_a_captain_without_an_account_is_led_to_what_he_can_read_and_told_how_to_answer(scene):
    people(scene)
    scene.match.away.captain_email = "nobody@example.org"
    scene.match.away.save()
    entered(scene)
    work("mail")
    links = {mail.to[0]: mail.body.split("To the card:\n")[1].split()[0] for mail in outbox.outbox}
    page = f"/matches/{scene.match.pk}/"
    assert {to: link.partition("/matches")[2] for to, link in links.items()} == {
        "away@example.org": page.removeprefix("/matches") + "agreement/",
        "nobody@example.org": page.removeprefix("/matches"),
    }
    said = {mail.to[0]: " ".join(mail.body.split()) for mail in outbox.outbox}
    assert "Please confirm it" in said["away@example.org"]
    assert "Please confirm it" not in said["nobody@example.org"]
    assert "or the league’s officer can invite you. If nobody" in said["nobody@example.org"]


def test_the_day_on_which_it_is_agreed_is_written_as_french_is(scene):
    people(scene)
    User.objects.filter(email="away@example.org").update(language="fr")
    entered(scene)
    work("mail")
    assert "1er décembre" in outbox.outbox[0].body


def test_a_worker_that_died_tells_nothing_twice(scene):
    people(scene)
    entered(scene)
    ((args, _status),) = jobs("tell_of_card")
    card_mail.tell_of_card(**args)
    card_mail.tell_of_card(**args)
    work("mail")
    (first,) = outbox.outbox
    card_mail.tell_of_card(**args)  # it had died after the mail had gone
    work("mail")
    assert {mail.extra_headers["Message-ID"] for mail in outbox.outbox} == {
        first.extra_headers["Message-ID"]
    }


def test_a_merge_of_players_takes_no_mail_away(scene):
    people(scene)
    entered(scene)
    keep = factories.PlayerFactory(surname="Lovelace", forenames="Maureen")
    merge_players(keep=keep.pk, drop=scene.home[0].pk, by=None, at=AT)
    work("mail")
    (mail,) = outbox.outbox
    assert mail.to == ["away@example.org"]
    assert "Maureen Lovelace" in mail.body


def test_a_card_whose_match_went_meanwhile_is_told_to_nobody(scene):
    people(scene)
    entered(scene)
    Board.objects.filter(match=scene.match).delete()
    scene.match.delete()
    work("mail")
    assert [status for _args, status in jobs("tell_of_card")] == ["succeeded"]
    assert outbox.outbox == []


def test_nothing_is_mailed_of_what_was_rolled_back(scene):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        entered(scene)
        1 / 0  # noqa: B018
    assert jobs("tell_of_card") == []


ENTERED_TEXT = """\
Captain has entered the card of Ashdown A v Hartfield A: 3½–2½.

Please confirm it, or dispute it and say why. If nobody says anything, it is agreed on 1 December.

1. Maureen T Lovell ½–½ Pieter van der Lune
2. Ronald J McVale 1–0 Siobhan O’Grange
3. Zoë de la Marre ½–½ Jürgen Müllner
4. Guy Harte-Wynne 0–1 John Tolbert Sr
5. Kam Wa Tso 1–0 Tolemi Belavonti Marsudan
6. D E F Ibbot ½–½ Łucja Żabrek

To the card:
https://league.example/matches/{pk}/agreement/

-- 
You get this mail as you act for one of the two sides, or for the league.
"""  # noqa: W291


def test_the_mail_of_a_card_in_full(scene, settings):
    settings.SITE_ADDRESS = "https://league.example"
    people(scene)
    entered(scene)
    work("mail")
    (mail,) = outbox.outbox
    assert mail.body == ENTERED_TEXT.format(pk=scene.match.pk)
    ((html, kind),) = mail.alternatives
    assert kind == "text/html"
    assert f'href="https://league.example/matches/{scene.match.pk}/agreement/"' in html
    assert "Łucja Żabrek" in html
    assert "<script" not in html


def test_each_reads_the_mail_of_a_card_in_his_language(scene):
    people(scene)
    captain = factories.UserFactory(email="french@example.org", language="fr")
    factories.TeamRoleFactory(team=scene.match.away, user=captain)
    entered(scene)
    work("mail")
    told = {mail.to[0]: (mail.subject, mail.alternatives[0][0]) for mail in outbox.outbox}
    assert sorted(told) == ["away@example.org", "french@example.org"]
    english, french = told["away@example.org"], told["french@example.org"]
    assert english[0].startswith("Result to confirm: ") and '<html lang="en-gb">' in english[1]
    assert french[0].startswith("Résultat à confirmer") and '<html lang="fr">' in french[1]


def test_a_reason_with_marks_of_html_is_a_reason(scene):
    people(scene)
    entered(scene)
    say("dispute", scene, scene.secretary, reason="<b>O’Grange & 'Müllner'</b>")
    work("mail")
    mail = outbox.outbox[-1]
    assert "“<b>O’Grange & 'Müllner'</b>”" in mail.body
    assert "&lt;b&gt;O’Grange &amp; &#x27;Müllner&#x27;&lt;/b&gt;" in mail.alternatives[0][0]
