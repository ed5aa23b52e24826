"""The demo league: the same each time, half-way on any day, and only where one develops."""

import datetime
import io

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count, F
from django.urls import reverse
from django.utils import timezone

from clubs.access import is_grading_officer, is_secretary
from clubs.models import Club, Player, User
from games.access import is_officer, may_enter_card
from games.demo_accounts import PASSWORD
from games.models import Adjustment, Board, Division, League, Match, MatchState, Season
from games.verification import verify
from ratings.models import EloRating, OpeningRating
from tests.factories import LeagueFactory

pytestmark = pytest.mark.django_db

TODAY = "2026-11-26"


def make(*options):
    out = io.StringIO()
    call_command("make_demo", *options, stdout=out)
    return out.getvalue().splitlines()


def tables(client):
    """Team and match points of both seasons' tables, the older first."""
    pages = [
        client.get(reverse("division_detail", args=[division.pk, "json"])).json()["rows"]
        for division in Division.objects.order_by("season__starts_on")
    ]
    return [[(row["team"], row["played"], row["match_points"]) for row in rows] for rows in pages]


FINISHED = [
    ("Wellow Bridge A", 14, 20),
    ("Hartfield A", 14, 20),
    ("Netherby & District A", 14, 18),
    ("Ashdown A", 14, 16),
    ("St Wulfric’s A", 14, 12),
    ("Castle Hedley A", 14, 12),
    ("Kingsmead B", 14, 8),
    ("Long Marden A", 14, 6),
]
HALF_WAY = [
    ("Ashdown A", 6, 9),
    ("Wellow Bridge A", 6, 8),
    ("Castle Hedley A", 5, 8),
    ("Netherby & District A", 6, 6),
    ("Kingsmead B", 5, 4),
    ("St Wulfric’s A", 5, 4),
    ("Hartfield A", 6, 3),
    ("Long Marden A", 5, 1),
]


def test_the_tables_are_the_same_each_time(client):
    assert make("--today", TODAY) == ["Made the Weald & Downs Chess League."]
    assert tables(client) == [FINISHED, HALF_WAY]
    assert [*Season.objects.order_by("starts_on").values_list("label", flat=True)] == [
        "2025-26",
        "2026-27",
    ]
    assert Player.objects.count() == 73
    assert verify() == []


@pytest.mark.parametrize("today", ["2026-12-31", "2027-07-01", "2028-02-29", "2026-11-30"])
def test_any_day_of_any_week_gives_them(client, today):
    make("--today", today)
    assert tables(client) == [FINISHED, HALF_WAY]
    seasons = Season.objects.order_by("starts_on")
    assert seasons[0].slug != seasons[1].slug
    for season in seasons:
        days = Match.objects.filter(division__season=season, played_on__isnull=False)
        assert not days.exclude(
            played_on__gte=season.starts_on, played_on__lt=season.ends_on
        ).exists()


def test_this_weeks_cards_wait(client):
    make("--today", TODAY)
    current = Match.objects.filter(division=Division.objects.latest("season__starts_on"))
    today = datetime.date.fromisoformat(TODAY)
    waiting = current.filter(round=7)
    assert waiting.count() == 4
    for match in waiting:
        assert today - datetime.timedelta(days=7) < match.played_on <= today
        assert match.played_on.weekday() == match.home.club.club_night
        assert (match.entered_at, match.boards.count()) == (None, 0)
    assert current.filter(round__gt=7, played_on__gt=today, entered_at=None).count() == 28
    assert current.filter(round__lt=7, entered_at__isnull=False).count() == 23
    postponed = current.get(state=MatchState.POSTPONED)
    assert (str(postponed), postponed.played_on) == ("Castle Hedley A v Kingsmead B", None)


def test_a_card_a_default_and_a_deduction_to_look_at():
    make("--today", TODAY)
    incomplete = Match.objects.with_score().get(
        boards_decided__gt=0, boards_decided__lt=F("board_count")
    )
    assert str(incomplete) == "St Wulfric’s A v Long Marden A"
    assert Board.objects.filter(award="home_default", away_player=None).count() == 6
    deduction = Adjustment.objects.get()
    assert (str(deduction), deduction.match_points) == (
        "Kingsmead B: an ineligible player on board 4",
        -2,
    )


def test_the_match_of_the_pictures():
    make("--today", TODAY)
    match = Match.objects.get(
        home__name="Ashdown A", away__name="Hartfield A", round=6, played_on__year=2026
    )
    assert match.entered_by.email == "captain@demo.example"
    assert timezone.localtime(match.entered_at).strftime("%H:%M") == "23:14"
    boards = match.boards.order_by("number").select_related("home_player", "away_player")
    assert [(str(b.home_player), b.home_halves, str(b.away_player)) for b in boards] == [
        ("Maureen T Lovell", 1, "Pieter van der Lune"),
        ("Ronald J McVale", 2, "Siobhan O’Grange"),
        ("Zoë de la Marre", 1, "Jürgen Müllner"),
        ("Guy Harte-Wynne", 0, "John Tolbert Sr"),
        ("Kam Wa Tso", 2, "Tolemi Belavonti Marsudan"),
        ("D E F Ibbot", 1, "Łucja Żabrek"),
    ]


def test_people_come_with_ratings_grades_or_nothing():
    make("--today", TODAY)
    by_system = OpeningRating.objects.values_list("system").annotate(n=Count("pk"))
    assert dict(by_system) == {"elo": 58, "grade": 68}
    new = Player.objects.get(surname="Bramhope")
    assert (new.ecf_code, new.opening_ratings.count()) == (None, 0)
    assert EloRating.objects.filter(player__surname="Ogilvy-Carr").exists()
    priya = Player.objects.get(surname="Nuttall")
    assert (priya.birth_year, priya.name_consent) == (2012, None)


def test_the_accounts_may_what_they_say():
    make("--today", TODAY)
    lines = make("--logins")
    assert [line.split()[:2] for line in lines[1:]] == [
        [f"{name}@demo.example", PASSWORD]
        for name in ("officer", "secretary", "captain", "grading", "outsider")
    ]
    users = {user.email.split("@")[0]: user for user in User.objects.all()}
    league = League.objects.get()
    match = Match.objects.get(home__name="Ashdown A", round=7, played_on__year=2026)
    assert {name for name, user in users.items() if is_officer(user, league)} == {"officer"}
    assert {name for name, user in users.items() if may_enter_card(user, match)} == {
        "officer",
        "secretary",
        "captain",
    }
    assert {name for name, user in users.items() if is_grading_officer(user)} == {"grading"}
    assert is_secretary(users["outsider"], Club.objects.get(name="Wellow Bridge"))
    assert all(user.check_password(PASSWORD) for user in users.values())


def test_logins_are_those_that_still_work():
    assert make("--logins") == []
    make("--today", TODAY)
    user = User.objects.get(email="captain@demo.example")
    user.set_password("another-one-of-mine")
    user.save()
    assert "captain@demo.example" not in "".join(make("--logins"))


def test_an_empty_database_gets_it_and_another_is_left_alone():
    LeagueFactory()
    assert make("--if-empty") == []
    assert not Player.objects.exists()
    League.objects.all().delete()
    assert make("--if-empty") == ["Made the Weald & Downs Chess League."]
    assert make("--if-empty") == []
    with pytest.raises(CommandError, match="The demo league is there already"):
        make()


@pytest.mark.parametrize("options", [[], ["--if-empty"], ["--logins"]])
def test_known_passwords_never_reach_production(settings, options):
    settings.DEV = False
    with pytest.raises(CommandError, match="only where TOPBOARD_DEV=1 is set"):
        make(*options)
    assert not User.objects.exists()


def test_its_pages_open(client):
    make("--today", TODAY)
    for division in Division.objects.select_related("season__league"):
        assert client.get(division.get_absolute_url()).status_code == 200
        assert client.get(division.season.get_absolute_url()).status_code == 200
    for match in Match.objects.filter(round__in=[5, 6, 7]):
        assert client.get(match.get_absolute_url()).status_code == 200
