"""Pools, rated games, what they did to both ratings, and facts from outside."""

import hashlib
from typing import NamedTuple

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Player

from ..elo import displayed, is_provisional
from ..querysets import (
    EloRatingQuerySet,
    RatedEventQuerySet,
    RatedGameQuerySet,
    RatingPoolQuerySet,
)


class PoolName(models.TextChoices):
    STANDARD = "standard", _("Standard")
    RAPID = "rapid", _("Rapid")
    BLITZ = "blitz", _("Blitz")
    BULLET = "bullet", _("Bullet")


class RuleSet(models.TextChoices):
    CLUB = "CLUB", _("Elo after every game")


class GradeRuleSet(models.TextChoices):
    """The ways of making grade lists (`ratings.ecf.PRESETS`)."""

    BRIEF = "BRIEF", _("all games of the year, older ones to reach 30")
    ECF_2012 = "ECF_2012", _("the 30 newest games (2012 to 2014)")
    ECF_2015 = "ECF_2015", _("whole half-years (2015 to 2020)")


class StalePhase(models.TextChoices):
    """How far the job is that works the ratings of a stale pool out again."""

    WAITING = "waiting", _("waiting for a job worker")
    READING = "reading", _("reading the games")
    COMPUTING = "computing", _("rating the games")
    WRITING = "writing", _("storing what differs")


STALE_SHARES = {
    StalePhase.WAITING: (0, 0),
    StalePhase.READING: (5, 25),
    StalePhase.COMPUTING: (30, 50),
    StalePhase.WRITING: (80, 20),
}
"""Where each phase begins in the whole, and how much of it it is, in per cent."""


class System(models.TextChoices):
    ELO = "elo", _("rating")
    GRADE = "grade", _("grade")


class RatingPool(models.Model):
    """One of the four ratings, by how fast the game is; its row is the lock of its ledger."""

    name = models.CharField(max_length=8, primary_key=True, choices=PoolName.choices)
    rules = models.CharField(max_length=10, choices=RuleSet.choices, default=RuleSet.CLUB)
    first_rating = models.IntegerField(
        _("opening rating without any fact, in tenths"), default=15000
    )
    floor = models.IntegerField(_("floor, in tenths"), null=True, blank=True)
    grade_rules = models.CharField(
        _("rules of the grade lists"),
        max_length=10,
        choices=GradeRuleSet.choices,
        default=GradeRuleSet.BRIEF,
    )
    juniors_start_anew = models.BooleanField(
        _("juniors are treated as ungraded in each list"), default=False
    )
    publish_after_days = models.SmallIntegerField(
        _("days from the cutoff until a list is published"), default=14
    )
    ledger_version = models.BigIntegerField(default=0)
    stale_from = models.DateField(
        _("ratings from this day on wait for a job"), null=True, blank=True, editable=False
    )
    stale_phase = models.CharField(
        max_length=9, choices=StalePhase.choices, blank=True, default="", editable=False
    )
    stale_share = models.SmallIntegerField(_("per cent of the phase"), default=0, editable=False)

    objects = RatingPoolQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(name__in=PoolName.values), name="ratings_ratingpool_is_known"
            ),
            models.CheckConstraint(
                condition=(
                    Q(stale_from__isnull=True, stale_phase="")
                    | Q(stale_from__isnull=False, stale_phase__in=StalePhase.values)
                ),
                name="ratings_ratingpool_stale_in_a_phase",
            ),
            models.CheckConstraint(
                condition=Q(stale_share__gte=0, stale_share__lte=100),
                name="ratings_ratingpool_share_is_per_cent",
            ),
            models.CheckConstraint(
                condition=Q(grade_rules__in=GradeRuleSet.values),
                name="ratings_ratingpool_grade_rules_known",
            ),
            models.CheckConstraint(
                condition=Q(publish_after_days__gte=0),
                name="ratings_ratingpool_days_not_negative",
            ),
        ]

    def __str__(self):
        return self.get_name_display()

    @property
    def stale_progress(self) -> int:
        """How far the job of a stale pool is, in per cent; most of its time goes into rating."""
        begins, lasts = STALE_SHARES[self.stale_phase]
        return begins + lasts * self.stale_share // 100


class RatedEvent(models.Model):
    """Where rated games come from: a division, or a file of a congress."""

    name = models.CharField(max_length=200)
    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="events")
    first_day = models.DateField(null=True, blank=True)
    source = models.CharField(max_length=250, unique=True)
    key = models.BigIntegerField(unique=True, editable=False)

    objects = RatedEventQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(key__gte=0), name="ratings_ratedevent_key_positive"),
        ]

    def __str__(self):
        return self.name

    @staticmethod
    def key_of(source: str) -> int:
        """63 bits of the SHA-256 of the source text: orders events, whenever they were entered.

        rules/elo.md section 1, order of play; fixed when the event is made.
        """
        return int.from_bytes(hashlib.sha256(source.encode()).digest()[:8]) >> 1


class PlayerGame(NamedTuple):
    """A rated game as one of its players sees it; ratings and changes are in tenths.

    `colour` is "white", "black" or "" where it is not known; ratings are None before the game
    is rated.
    """

    game: "RatedGame"
    colour: str
    opponent: Player
    halves: int
    before: int | None
    change: int | None
    opponent_before: int | None

    @property
    def after(self) -> int | None:
        return None if self.before is None else self.before + self.change


class RatedGame(models.Model):
    """A game of the ledger: who played whom, when, and the result as played.

    Ordered by day, event key, round, board, number in source (rules/elo.md section 1).
    """

    event = models.ForeignKey(RatedEvent, models.PROTECT, related_name="games")
    played_on = models.DateField()
    round = models.IntegerField(default=0)
    board = models.IntegerField(default=0)
    number = models.IntegerField(default=0)
    white = models.ForeignKey(Player, models.PROTECT, related_name="games_with_white")
    black = models.ForeignKey(Player, models.PROTECT, related_name="games_with_black")
    white_halves = models.SmallIntegerField()
    colours_known = models.BooleanField(default=True)
    source_key = models.CharField(max_length=100, unique=True)

    objects = RatedGameQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["played_on", "event"], name="ratings_ratedgame_by_day"),
            models.Index(fields=["white", "played_on"], name="ratings_ratedgame_by_white"),
            models.Index(fields=["black", "played_on"], name="ratings_ratedgame_by_black"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(white_halves__in=[0, 1, 2]), name="ratings_ratedgame_result_known"
            ),
            models.CheckConstraint(
                condition=~Q(white=F("black")), name="ratings_ratedgame_two_people"
            ),
            models.UniqueConstraint(
                fields=["event", "played_on", "round", "board", "number"],
                name="ratings_ratedgame_total_order",
                deferrable=models.Deferrable.DEFERRED,
            ),
        ]

    def __str__(self):
        players = {"home": self.white, "away": self.black, "day": self.played_on}
        return gettext("%(home)s v %(away)s, %(day)s") % players

    def seen_by(self, player: Player) -> PlayerGame:
        """The game from this player's side; he played it."""
        is_white = player.pk == self.white_id
        own, other = ("white", "black") if is_white else ("black", "white")
        elo = getattr(self, "elo", None)
        return PlayerGame(
            game=self,
            colour=own if self.colours_known else "",
            opponent=getattr(self, other),
            halves=self.white_halves if is_white else 2 - self.white_halves,
            before=getattr(elo, f"{own}_before", None),
            change=getattr(elo, f"{own}_change", None),
            opponent_before=getattr(elo, f"{other}_before", None),
        )


class EloGame(models.Model):
    """What one rated game did to both ratings; all of it is worked out, none of it typed.

    Each side's whole state before the game stands here (rating in tenths, games, marks reached:
    0, 1 for 2300, 2 for 2400), so that a correction starts from any game without reading back.
    """

    game = models.OneToOneField(RatedGame, models.CASCADE, primary_key=True, related_name="elo")
    white_before = models.IntegerField()
    white_change = models.IntegerField()
    white_k = models.SmallIntegerField()
    white_games = models.IntegerField()
    white_marks = models.SmallIntegerField()
    black_before = models.IntegerField()
    black_change = models.IntegerField()
    black_k = models.SmallIntegerField()
    black_games = models.IntegerField()
    black_marks = models.SmallIntegerField()

    def __str__(self):
        return f"{self.game_id}: {self.white_change} {self.black_change}"


class EloRating(models.Model):
    """A player's rating now, in one pool: tenths, games, marks reached, opening established."""

    player = models.ForeignKey(Player, models.PROTECT, related_name="elo_ratings")
    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="elo_ratings")
    rating = models.IntegerField()
    games = models.IntegerField()
    marks = models.SmallIntegerField()
    established = models.BooleanField()

    objects = EloRatingQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["pool", "-rating", "player"], name="ratings_elorating_by_rating"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["player", "pool"], name="ratings_elorating_once"),
            models.CheckConstraint(condition=Q(games__gt=0), name="ratings_elorating_has_games"),
        ]

    def __str__(self):
        return f"{self.player}: {self.rating}"

    @property
    def shown(self) -> int:
        """The rating in whole points, as people see it."""
        return displayed(self.rating)

    @property
    def provisional(self) -> bool:
        """Whether a `?` stands behind it: fewer than 30 games and no established opening."""
        return is_provisional(self.games, self.established)


class OpeningRating(models.Model):
    """A grade or rating from outside: a fact, fixed at entry.

    `value` is in tenths of a point for a rating and a whole number for a grade.
    """

    player = models.ForeignKey(Player, models.PROTECT, related_name="opening_ratings")
    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="opening_ratings")
    system = models.CharField(max_length=5, choices=System.choices)
    value = models.IntegerField()
    provisional = models.BooleanField(default=False)
    dated_on = models.DateField()
    source = models.CharField(max_length=200)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "pool", "system"], name="ratings_openingrating_once"
            ),
            models.CheckConstraint(
                condition=Q(system__in=System.values), name="ratings_openingrating_system_known"
            ),
            models.CheckConstraint(
                condition=Q(system=System.GRADE) | Q(value__gt=0),
                name="ratings_openingrating_rating_positive",
            ),
        ]

    def __str__(self):
        return f"{self.player}: {self.system} {self.value}"
