"""Who asks: the people of one league, and of another, around one match of the first.

`cast` is all of them with the match; `officer`, `secretary`, `captain` and `outsider` are accounts
of it.
"""

import datetime
from dataclasses import dataclass, field

import pytest
from django.conf import settings
from django.test import Client

from clubs.devices import Device
from clubs.models import User
from games.models import Match
from ratings.models import Grade, GradeList
from tests.factories import (
    BoardFactory,
    ClubRoleFactory,
    DivisionFactory,
    LeagueRoleFactory,
    MatchFactory,
    MembershipFactory,
    TeamFactory,
    TeamRoleFactory,
    UserFactory,
    pool,
)

OLDER, NEWEST = datetime.date(2026, 1, 1), datetime.date(2026, 7, 1)


@dataclass(frozen=True)
class Cast:
    """A match of league A, and accounts: each has one right, named after it."""

    match: Match
    officer: User  # of league A
    secretary: User  # of the home side's club
    captain: User  # of the home side
    outsider: User  # the secretary of a third club with a team in the division
    sister: User  # the officer of league B, in whose division the home club plays too
    second: User  # the captain of the home club's second team
    staff: User  # may use the admin
    grader: User  # the grading officer
    chief: User  # a superuser
    sessions: dict[str, str] = field(default_factory=dict)  # the key of each role's

    def account(self, role: str) -> User | None:
        """The account of a role; nobody for `anonymous`."""
        return None if role == "anonymous" else getattr(self, role)

    def browser(self, role: str) -> Client:
        """A browser in which the role is signed in, all its browsers to one session."""
        client = Client()
        if account := self.account(role):
            if not Device.objects.filter(session_key=self.sessions.get(role)).exists():
                client.force_login(account)
                self.sessions[role] = client.session.session_key
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        return client


@pytest.fixture
def cast(db) -> Cast:
    return make_cast()


def make_cast() -> Cast:
    match = MatchFactory(division__name="Division A", board_count=6)
    division, club = match.division, match.home.club
    for side in (match.home, match.away):
        MembershipFactory.create_batch(2, club=side.club)
    third = TeamFactory(division=division)
    sister = DivisionFactory(name="Division B")
    TeamFactory(division=sister, club=club)
    second = TeamFactory(division=division, club=club, name=f"{club.name} B")
    BoardFactory(match=MatchFactory(division=division, home=match.away, away=match.home), number=1)
    publish_grades(club.memberships.first().player)
    return Cast(
        match=match,
        officer=LeagueRoleFactory(league=division.season.league).user,
        secretary=ClubRoleFactory(club=club).user,
        captain=TeamRoleFactory(team=match.home).user,
        outsider=ClubRoleFactory(club=third.club).user,
        sister=LeagueRoleFactory(league=sister.season.league).user,
        second=TeamRoleFactory(team=second).user,
        staff=UserFactory(is_staff=True),
        grader=UserFactory(is_grading_officer=True),
        chief=UserFactory(is_staff=True, is_superuser=True),
    )


def publish_grades(player) -> None:
    """Grades of this player on three lists: an older one, the newest, and its revision."""
    at = datetime.datetime(2026, 7, 15, 12, tzinfo=datetime.UTC)
    for cutoff, revision in ((OLDER, 0), (NEWEST, 0), (NEWEST, 1)):
        made, _ = GradeList.objects.get_or_create(
            pool=pool(),
            cutoff=cutoff,
            revision=revision,
            defaults={"state": "published", "published_at": at, "rules": "BRIEF"},
        )
        Grade.objects.create(
            grade_list=made,
            player=player,
            numerator=4500,
            divisor=30,
            grade=150,
            published=150,
            opening_games=30,
            opening_grade=150,
        )


@pytest.fixture
def officer(cast) -> User:
    return cast.officer


@pytest.fixture
def secretary(cast) -> User:
    return cast.secretary


@pytest.fixture
def captain(cast) -> User:
    return cast.captain


@pytest.fixture
def outsider(cast) -> User:
    return cast.outsider
