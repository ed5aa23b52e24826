"""Making the demo: the same each time, half-way on any day, and only where one develops."""

import datetime

import pytest
from django.core.management import CommandError
from django.db import transaction
from django.utils import timezone

from clubs.models import Player, User
from games.grading_office.verification import verify
from games.models import League, Match, Season
from ratings.models import Grade, GradeList, ListState
from tests.factories import LeagueFactory
from tests.games.demo_scene import TODAY, day, everything, make

pytestmark = pytest.mark.django_db


def test_twice_on_one_day_is_twice_the_same():
    with transaction.atomic():
        assert make("--today", TODAY) == ["Made the Weald & Downs Chess League."]
        once = everything()
        transaction.set_rollback(True)
    assert not Player.objects.exists()
    make("--today", TODAY)
    assert everything() == once
    assert {name: len(rows) for name, rows in once.items()} == {
        "divisions": 12,
        "boards": 2470,
        "ratings": 221,
        "grades": 860,
    }


# Published: the cutoffs of standard and rapid; provisional: the cutoff that is not two weeks old.
DAYS = {
    "2026-07-01": (["2024-07-01", "2025-01-01", "2025-07-01", "2026-01-01"], "2026-07-01"),
    "2027-01-15": (
        ["2025-01-01", "2025-07-01", "2026-01-01", "2026-07-01", "2027-01-01"],
        None,
    ),
    "2028-02-29": (
        ["2026-01-01", "2026-07-01", "2027-01-01", "2027-07-01", "2028-01-01"],
        None,
    ),
}


@pytest.mark.parametrize("today", DAYS)
def test_on_any_day_its_seasons_are_apart_and_its_lists_are_out(today):
    make("--today", today)
    for league in League.objects.all():
        seasons = league.seasons.order_by("starts_on")
        assert len({season.slug for season in seasons}) == 3
        # One ends on the day on which the next begins, as `ends_on` is no day of the season.
        assert [season.ends_on for season in seasons[:2]] == [
            season.starts_on for season in seasons[1:]
        ]
        assert {season.starts_on.day for season in seasons} == {seasons[2].ends_on.day} == {1}
    for season in Season.objects.all():
        days = Match.objects.filter(division__season=season, played_on__isnull=False)
        assert not days.exclude(
            played_on__gte=season.starts_on, played_on__lt=season.ends_on
        ).exists()
    assert not Match.objects.filter(entered_at__gt=_midnight_after(day(today))).exists()
    published, provisional = DAYS[today]
    for pool in ("standard", "rapid"):
        lists = GradeList.objects.filter(pool=pool).order_by("cutoff")
        out = [made for made in lists if made.state == ListState.PUBLISHED]
        assert [str(made.cutoff) for made in out] == published
        for made in out:
            comes_out = made.cutoff + datetime.timedelta(days=14)
            assert timezone.localdate(made.published_at) == comes_out
        waiting = [str(made.cutoff) for made in lists if made.state == ListState.PROVISIONAL]
        assert waiting == ([provisional] if provisional else [])
        for made in lists:
            assert Grade.objects.published().filter(grade_list=made).count() > 10
    assert verify() == []


def _midnight_after(today: datetime.date) -> datetime.datetime:
    tomorrow = today + datetime.timedelta(days=1)
    return timezone.make_aware(datetime.datetime.combine(tomorrow, datetime.time()))


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
