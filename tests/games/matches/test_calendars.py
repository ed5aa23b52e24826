"""Fixtures as calendars, parsed back by a reader of the format."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from clubs.models import Club
from games.matches import match_decisions
from games.models import Match, Season, Team
from tests.factories import BoardFactory, MatchFactory, PlayerFactory, RegistrationFactory

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
SUMMER, WINTER = date(2027, 5, 4), date(2026, 11, 24)


@pytest.fixture
def match(db) -> Match:
    found = MatchFactory(played_on=WINTER, home__name="O’Brien’s, Żółw; A", away__name="Lewes A")
    Club.objects.filter(pk=found.home.club_id).update(venue="The King's Head\nHigh Street, Lewes")
    return found


def address(match: Match) -> str:
    return f"/teams/{match.home_id}.ics"


def events(client, url: str) -> list:
    answer = client.get(url)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    lines = answer.content.split(b"\r\n")
    assert b"\n" not in answer.content.replace(b"\r\n", b"")
    assert max(map(len, lines)) <= 75
    return list(Calendar.from_ical(answer.content).walk("VEVENT"))


def told(event) -> tuple:
    return str(event["UID"]), int(event["SEQUENCE"]), str(event["STATUS"]), event["DTSTART"].dt


def test_a_match_day_without_a_start_time_is_a_date(client, match):
    (event,) = events(client, address(match))
    assert told(event) == (f"match-{match.pk}@localhost", 1, "CONFIRMED", WINTER)
    assert event["DTEND"].dt == WINTER + timedelta(days=1)
    assert str(event["SUMMARY"]) == "O’Brien’s, Żółw; A v Lewes A"
    assert str(event["LOCATION"]) == "The King's Head, High Street, Lewes"
    assert str(event["URL"]) == f"http://testserver/matches/{match.pk}/"
    assert match.division.name in str(event["DESCRIPTION"])


@pytest.mark.parametrize(("day", "hours"), [(WINTER, 0), (SUMMER, 1)])
def test_a_start_time_is_that_of_london_in_summer_and_winter(client, match, day, hours):
    Club.objects.filter(pk=match.home.club_id).update(start_time=time(19, 30))
    Match.objects.update(played_on=day)
    (event,) = events(client, address(match))
    begins, ends = event["DTSTART"].dt, event["DTEND"].dt
    assert begins == datetime.combine(day, time(19, 30), tzinfo=ZoneInfo("Europe/London"))
    assert begins.utcoffset() == timedelta(hours=hours)
    assert ends - begins == timedelta(minutes=2 * 85)
    raw = client.get(address(match)).content
    assert b"DTSTART;TZID=Europe/London:" in raw and b"BEGIN:VTIMEZONE" in raw


def test_each_change_raises_the_sequence_and_keeps_the_uid(client, match):
    first = told(*events(client, address(match)))
    match_decisions.postpone(match=match.pk, day=SUMMER, by=None, at=AT)
    moved = told(*events(client, address(match)))
    assert (moved[0], moved[2], moved[3]) == (first[0], "CONFIRMED", SUMMER)
    match_decisions.postpone(match=match.pk, day=None, by=None, at=AT)
    postponed = told(*events(client, address(match)))
    assert (postponed[0], postponed[2], postponed[3]) == (first[0], "CANCELLED", SUMMER)
    match_decisions.postpone(match=match.pk, day=WINTER, by=None, at=AT)
    again = told(*events(client, address(match)))
    assert (again[2], again[3]) == ("CONFIRMED", WINTER)
    match_decisions.void(match=match.pk, reason="flood", by=None, at=AT)
    void = told(*events(client, address(match)))
    assert (void[0], void[2]) == (first[0], "CANCELLED")
    Club.objects.filter(pk=match.home.club_id).update(start_time=time(19))
    last = told(*events(client, address(match)))
    found = [each[1] for each in (first, moved, postponed, again, void, last)]
    assert found == sorted(set(found))


def test_a_match_that_never_had_a_day_is_in_no_calendar(client):
    match = MatchFactory(played_on=None)
    assert events(client, address(match)) == []


def test_an_awarded_or_given_up_match_is_cancelled_unless_it_was_played(client, match):
    award = {"match": match.pk, "home": 0, "away": 12, "reason": "x", "by": None, "at": AT}
    match_decisions.award(**award)
    assert told(*events(client, address(match)))[2] == "CANCELLED"
    Match.objects.update(entered_at=AT)
    assert told(*events(client, address(match)))[2] == "CONFIRMED"
    match_decisions.reinstate(match=match.pk, by=None, at=AT)
    Match.objects.update(entered_at=None)
    Team.objects.filter(pk=match.away_id).update(state="withdrawn")
    assert told(*events(client, address(match)))[2] == "CANCELLED"


def test_whose_matches_stand_in_which_calendar(client, match):
    other = MatchFactory(division=match.division)
    player, registered = PlayerFactory(), PlayerFactory()
    BoardFactory(match=match, number=1, home_player=player, result=2)
    RegistrationFactory(
        season=match.division.season, club=other.home.club, team=other.home, player=registered
    )
    found = {
        url: {str(event["UID"]).split("@")[0] for event in events(client, url)}
        for url in (
            f"/teams/{match.away_id}.ics",
            f"/clubs/{match.home.club.slug}.ics",
            f"/divisions/{match.division_id}.ics",
            f"/players/{player.pk}.ics",
            f"/players/{registered.pk}.ics",
            f"/players/{PlayerFactory().pk}.ics",
        )
    }
    own, another = f"match-{match.pk}", f"match-{other.pk}"
    assert list(found.values()) == [{own}, {own}, {own, another}, {own}, {another}, set()]


def test_what_is_not_public_stands_in_none(client, match):
    player = PlayerFactory()
    BoardFactory(match=match, number=1, home_player=player, result=2)
    Season.objects.update(published_at=None)
    assert events(client, f"/clubs/{match.home.club.slug}.ics") == []
    assert events(client, f"/players/{player.pk}.ics") == []
    for url in (address(match), f"/divisions/{match.division_id}.ics"):
        assert client.get(url).status_code == 404


def test_the_name_of_a_junior_is_not_told(client, match):
    junior = PlayerFactory(surname="Zugzwang", birth_year=date.today().year - 12)
    BoardFactory(match=match, number=1, home_player=junior, result=2)
    answer = client.get(f"/players/{junior.pk}.ics")
    assert b"Zugzwang" not in answer.content and "zugzwang" not in str(answer.headers)
    assert len(events(client, f"/players/{junior.pk}.ics")) == 1


def test_an_unchanged_calendar_is_not_sent_again(client, match):
    first = client.get(address(match))
    again = client.get(address(match), headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    Match.objects.update(played_on=SUMMER)
    assert client.get(address(match), headers={"if-none-match": first["ETag"]}).status_code == 200


def test_more_matches_ask_no_more_queries(client, match, django_assert_num_queries):
    url = f"/divisions/{match.division_id}.ics"
    MatchFactory(division=match.division, played_on=None)
    with django_assert_num_queries(99, exact=False) as asked:
        client.get(url)
    for _ in range(4):
        MatchFactory(division=match.division)
    MatchFactory(division=match.division, played_on=None)
    with django_assert_num_queries(len(asked)):
        client.get(url)


def test_pages_lead_to_the_calendars(client, match):
    for page, url in (
        (f"/teams/{match.home_id}/", address(match)),
        (f"/clubs/{match.home.club.slug}/", f"/clubs/{match.home.club.slug}.ics"),
        (f"/divisions/{match.division_id}/fixtures/", f"/divisions/{match.division_id}.ics"),
    ):
        text = client.get(page).content.decode()
        assert f'href="webcal://testserver{url}"' in text and f'href="{url}"' in text
