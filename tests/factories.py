"""Rows for tests: valid by default, no randomness."""

import datetime

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory, Password

from clubs.models import Club, ClubRole, Membership, Player, User
from games.models import (
    Adjustment,
    Board,
    Break,
    Colour,
    CupRound,
    Division,
    DraftMatch,
    Invitation,
    League,
    LeagueRole,
    Match,
    PlayerMerge,
    Rearrangement,
    Registration,
    Season,
    SheetSeat,
    Submission,
    SubmittedEvent,
    Team,
    TeamRole,
    Tie,
    Violation,
)
from games.models.invitations import digest_of
from ratings.models import GradeList, OpeningRating, OutsideEvent, RatedEvent, RatedGame, RatingPool

PASSWORD = "correct-horse-battery"


class UserFactory(DjangoModelFactory):
    class Meta:
        model = User

    email = factory.Sequence(lambda n: f"person{n}@example.org")
    name = factory.Sequence(lambda n: f"Person {n}")
    password = Password(PASSWORD)


class ClubFactory(DjangoModelFactory):
    class Meta:
        model = Club

    name = factory.Sequence(lambda n: f"Club {n}")
    slug = factory.Sequence(lambda n: f"club-{n}")


class PlayerFactory(DjangoModelFactory):
    class Meta:
        model = Player

    surname = factory.Sequence(lambda n: f"Player{n:05d}")
    forenames = "Robin"


def many_players(rows, club=None) -> list[Player]:
    """Players with these fields, made in one statement; members of the club, if one is given."""
    players = [PlayerFactory.build(**row) for row in rows]
    for player in players:
        player.fold_names()
    Player.objects.bulk_create(players)
    if club:
        Membership.objects.bulk_create(
            MembershipFactory.build(club=club, player=player) for player in players
        )
    return players


class MembershipFactory(DjangoModelFactory):
    class Meta:
        model = Membership

    club = factory.SubFactory(ClubFactory)
    player = factory.SubFactory(PlayerFactory)


class ClubRoleFactory(DjangoModelFactory):
    class Meta:
        model = ClubRole

    user = factory.SubFactory(UserFactory)
    club = factory.SubFactory(ClubFactory)


def pool(name="standard"):
    """The pool of this name; migrations make all four."""
    return RatingPool.objects.get_or_create(name=name)[0]


class RatedEventFactory(DjangoModelFactory):
    class Meta:
        model = RatedEvent

    name = factory.Sequence(lambda n: f"Event {n}")
    source = factory.Sequence(lambda n: f"event/{n}")
    key = factory.LazyAttribute(lambda event: RatedEvent.key_of(event.source))
    pool = factory.LazyFunction(pool)


class RatedGameFactory(DjangoModelFactory):
    class Meta:
        model = RatedGame

    event = factory.SubFactory(RatedEventFactory)
    played_on = datetime.date(2026, 10, 6)
    number = factory.Sequence(lambda n: n)
    white = factory.SubFactory(PlayerFactory)
    black = factory.SubFactory(PlayerFactory)
    white_halves = 1
    source_key = factory.Sequence(lambda n: f"test:{n}")


class OpeningRatingFactory(DjangoModelFactory):
    class Meta:
        model = OpeningRating

    player = factory.SubFactory(PlayerFactory)
    pool = factory.LazyFunction(pool)
    system = "elo"
    value = 16000
    dated_on = datetime.date(2026, 7, 1)
    source = "test"


class GradeListFactory(DjangoModelFactory):
    class Meta:
        model = GradeList

    pool = factory.LazyFunction(pool)
    cutoff = factory.Sequence(lambda n: datetime.date(2000 + n % 500, 1, 1))
    state = "provisional"
    rules = "BRIEF"


class LeagueFactory(DjangoModelFactory):
    class Meta:
        model = League

    name = factory.Sequence(lambda n: f"League {n}")
    slug = factory.Sequence(lambda n: f"league-{n}")


class SeasonFactory(DjangoModelFactory):
    class Meta:
        model = Season

    league = factory.SubFactory(LeagueFactory)
    label = "2026-27"
    slug = "2026-27"
    starts_on = datetime.date(2026, 7, 1)
    ends_on = datetime.date(2027, 7, 1)
    published_at = datetime.datetime(2026, 8, 1, 12, tzinfo=datetime.UTC)


class DivisionFactory(DjangoModelFactory):
    class Meta:
        model = Division

    season = factory.SubFactory(SeasonFactory)
    name = factory.Sequence(lambda n: f"Division {n}")
    slug = factory.Sequence(lambda n: f"some-division-{n}")
    rated_event = factory.SubFactory(RatedEventFactory)


class TeamFactory(DjangoModelFactory):
    class Meta:
        model = Team

    division = factory.SubFactory(DivisionFactory)
    club = factory.SubFactory(ClubFactory)
    name = factory.LazyAttribute(lambda team: f"{team.club.name} A")
    order_number = factory.Sequence(lambda n: n % 30000 + 1)


class TeamRoleFactory(DjangoModelFactory):
    class Meta:
        model = TeamRole

    user = factory.SubFactory(UserFactory)
    team = factory.SubFactory(TeamFactory)


class LeagueRoleFactory(DjangoModelFactory):
    class Meta:
        model = LeagueRole

    user = factory.SubFactory(UserFactory)
    league = factory.SubFactory(LeagueFactory)


class MatchFactory(DjangoModelFactory):
    class Meta:
        model = Match

    division = factory.SubFactory(DivisionFactory)
    home = factory.SubFactory(TeamFactory, division=factory.SelfAttribute("..division"))
    away = factory.SubFactory(TeamFactory, division=factory.SelfAttribute("..division"))
    number = factory.Sequence(lambda n: n)
    round = 1
    played_on = datetime.date(2026, 11, 24)
    board_count = factory.SelfAttribute("division.board_count")


class BoardFactory(DjangoModelFactory):
    class Meta:
        model = Board

    match = factory.SubFactory(MatchFactory)
    number = factory.Sequence(lambda n: n % 16 + 1)
    home_player = factory.SubFactory(PlayerFactory)
    away_player = factory.SubFactory(PlayerFactory)
    home_colour = Colour.WHITE


class RegistrationFactory(DjangoModelFactory):
    class Meta:
        model = Registration

    season = factory.SubFactory(SeasonFactory)
    club = factory.SubFactory(ClubFactory)
    player = factory.SubFactory(PlayerFactory)
    starts_on = datetime.date(2026, 7, 1)
    registered_at = datetime.datetime(2026, 7, 1, 12, tzinfo=datetime.UTC)
    approved_at = datetime.datetime(2026, 7, 1, 12, tzinfo=datetime.UTC)


class SubmittedEventFactory(DjangoModelFactory):
    class Meta:
        model = SubmittedEvent
        django_get_or_create = ("season", "minutes", "increment_seconds")

    season = factory.SubFactory(SeasonFactory)
    minutes = 75
    increment_seconds = 10
    code = factory.Sequence(lambda n: f"ZZ{n}LGE")
    name = "Exampleshire League 2026-27"
    results_officer = "A N Example"
    results_officer_address = "results@league.example"
    treasurer = "B Sample"
    treasurer_address = "1 Sample Street\nExampletown"


class SubmissionFactory(DjangoModelFactory):
    class Meta:
        model = Submission
        django_get_or_create = ("event", "index")

    event = factory.SubFactory(SubmittedEventFactory)
    index = 1
    text = "#FINISH\r\n"
    sent_at = datetime.datetime(2026, 12, 1, 12, tzinfo=datetime.UTC)


class OutsideEventFactory(DjangoModelFactory):
    class Meta:
        model = OutsideEvent

    code = factory.Sequence(lambda n: f"YY{n}CNG")
    index = 1
    name = "Sample Congress"
    rated_event = factory.SubFactory(RatedEventFactory)
    starts_on = datetime.date(2026, 9, 5)
    ends_on = datetime.date(2026, 9, 6)
    minutes = 75
    increment_seconds = 10
    read_at = datetime.datetime(2026, 9, 8, 12, tzinfo=datetime.UTC)


class ViolationFactory(DjangoModelFactory):
    class Meta:
        model = Violation

    match = factory.SubFactory(MatchFactory)
    team = factory.SelfAttribute("match.home")
    rule = "not_registered"
    board = 1
    player = factory.SubFactory(PlayerFactory)
    found_at = datetime.datetime(2026, 11, 24, 23, tzinfo=datetime.UTC)


class SheetSeatFactory(DjangoModelFactory):
    class Meta:
        model = SheetSeat

    match = factory.SubFactory(MatchFactory)
    team = factory.SelfAttribute("match.home")
    number = 1
    player = factory.SubFactory(PlayerFactory)
    saved_at = datetime.datetime(2026, 11, 24, 18, tzinfo=datetime.UTC)


class AdjustmentFactory(DjangoModelFactory):
    class Meta:
        model = Adjustment

    team = factory.SubFactory(TeamFactory)
    match_points = -2
    reason = "an ineligible player on board 4"
    decided_on = datetime.date(2026, 10, 6)


class CupRoundFactory(DjangoModelFactory):
    class Meta:
        model = CupRound

    division = factory.SubFactory(DivisionFactory, kind="cup", legs=1)
    number = 1
    name = "Final"
    lot = 7
    drawn_at = datetime.datetime(2026, 9, 1, 12, tzinfo=datetime.UTC)


class TieFactory(DjangoModelFactory):
    """A tie without its matches."""

    class Meta:
        model = Tie

    cup_round = factory.SubFactory(CupRoundFactory)
    number = factory.Sequence(lambda n: n % 30000 + 1)
    home = factory.SubFactory(TeamFactory, division=factory.SelfAttribute("..cup_round.division"))
    away = factory.SubFactory(TeamFactory, division=factory.SelfAttribute("..cup_round.division"))


class BreakFactory(DjangoModelFactory):
    class Meta:
        model = Break

    season = factory.SubFactory(SeasonFactory)
    name = "Christmas"
    first_day = datetime.date(2026, 12, 21)
    last_day = datetime.date(2027, 1, 3)


class DraftMatchFactory(DjangoModelFactory):
    class Meta:
        model = DraftMatch

    division = factory.SubFactory(DivisionFactory)
    home = factory.SubFactory(TeamFactory, division=factory.SelfAttribute("..division"))
    away = factory.SubFactory(TeamFactory, division=factory.SelfAttribute("..division"))
    round = 1
    played_on = datetime.date(2026, 11, 24)


class RearrangementFactory(DjangoModelFactory):
    class Meta:
        model = Rearrangement

    match = factory.SubFactory(MatchFactory)
    team = factory.SelfAttribute("match.home")
    asked_at = datetime.datetime(2026, 11, 1, 12, tzinfo=datetime.UTC)
    asked_by = factory.SubFactory(UserFactory)


class PlayerMergeFactory(DjangoModelFactory):
    """A merge of nothing: what two workflows do, without them."""

    class Meta:
        model = PlayerMerge

    kept = factory.SubFactory(PlayerFactory)
    dropped = factory.SubFactory(
        PlayerFactory, state="merged", merged_into=factory.SelfAttribute("..kept")
    )
    merged_at = datetime.datetime(2026, 11, 1, 12, tzinfo=datetime.UTC)


class InvitationFactory(DjangoModelFactory):
    """A captain's, made by a superuser, open since yesterday."""

    class Meta:
        model = Invitation

    role = "captain"
    team = factory.SubFactory(TeamFactory)
    invited_by = factory.SubFactory(UserFactory, is_superuser=True)
    invited_at = factory.LazyFunction(lambda: timezone.now() - datetime.timedelta(days=1))

    @factory.lazy_attribute
    def nonce(self):
        return f"nonce of {self.invited_at}"

    @factory.lazy_attribute
    def digest(self):
        return digest_of(Invitation(nonce=self.nonce).token)

    @factory.lazy_attribute
    def expires_at(self):
        return self.invited_at + datetime.timedelta(days=14)
