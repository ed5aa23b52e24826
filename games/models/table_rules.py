"""How a division counts and orders its table: the columns of its rules, each with its sentence."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class TieBreak(models.TextChoices):
    MATCH_POINTS = "match_points", _("match points")
    GAME_POINTS = "game_points", _("game points")
    GAME_POINT_DIFFERENCE = "game_point_difference", _("game point difference")
    HEAD_TO_HEAD = "head_to_head", _("the matches between the teams")
    WINS = "wins", _("matches won")
    BOARD_COUNT = "board_count", _("board count of the matches between the teams")
    BOTTOM_BOARD_ELIMINATION = (
        "bottom_board_elimination",
        _("the matches between the teams without their bottom boards"),
    )
    SONNEBORN_BERGER = "sonneborn_berger", _("Sonneborn-Berger")
    BUCHHOLZ = "buchholz", _("Buchholz")
    PLAY_OFF = "play_off", _("a play-off")
    BUCHHOLZ_MATCH_POINTS = (
        "buchholz_match_points",
        _("Buchholz of match points with unplayed rounds by FIDE's rules"),
    )
    BUCHHOLZ_MATCH_POINTS_CUT_1 = (
        "buchholz_match_points_cut_1",
        _("Buchholz of match points without the lowest opponent"),
    )
    BUCHHOLZ_GAME_POINTS_CUT_1 = (
        "buchholz_game_points_cut_1",
        _("Buchholz of game points without the lowest opponent"),
    )
    EMMSB = "emmsb", _("Sonneborn-Berger: opponents' match points by own match points")
    EMMSB_CUT_1 = (
        "emmsb_cut_1",
        _("Sonneborn-Berger: opponents' match points by own match points, without the lowest"),
    )
    EMGSB = "emgsb", _("Sonneborn-Berger: opponents' match points by own game points")
    EGMSB = "egmsb", _("Sonneborn-Berger: opponents' game points by own match points")
    EGGSB = "eggsb", _("Sonneborn-Berger: opponents' game points by own game points")
    SCORE_AND_SCHEDULE = "score_and_schedule", _("score and strength of schedule combined")
    EXTENDED_DIRECT_ENCOUNTER = (
        "extended_direct_encounter",
        _("extended direct encounter: match points, then game points"),
    )


class WithdrawnTeams(models.TextChoices):
    EXPUNGE = "expunge", _("none of their matches counts")
    KEEP = "keep", _("what they played counts, the rest is not played")
    FORFEIT = "forfeit", _("what they played counts, the rest is lost by default")


class UnfinishedGames(models.TextChoices):
    IGNORE_MATCH = "ignore_match", _("the match counts when all its games are finished")
    IGNORE_GAME = "ignore_game", _("the match counts without them")
    DRAWN = "drawn", _("they count as drawn")
    THRESHOLD = "threshold", _("the match counts once a side has more than half its points")


class DefaultedMatches(models.TextChoices):
    FULL = "full", _("the winners score every game")
    NONE = "none", _("neither side scores a game point")
    EXCLUDED = "excluded", _("match points only, left out of every tie-break")


def usual_order():
    """Match points, then game points: how most leagues order a table."""
    return [TieBreak.MATCH_POINTS.value, TieBreak.GAME_POINTS.value]


class TableRuleColumns(models.Model):
    """The rules of a division's table, as columns; points are counted in halves."""

    match_points_win = models.SmallIntegerField(
        _("match points for a win"),
        default=4,
        help_text=_("What a team gets for a match it wins."),
    )
    match_points_draw = models.SmallIntegerField(
        _("match points for a draw"),
        default=2,
        help_text=_("What each team gets for a drawn match."),
    )
    match_points_loss = models.SmallIntegerField(
        _("match points for a loss"),
        default=0,
        help_text=_("What a team gets for a match that it plays and loses."),
    )
    match_points_defaulted = models.SmallIntegerField(
        _("match points for defaulting a match"),
        null=True,
        blank=True,
        help_text=_("What a team gets that does not turn up; blank: what a loss gives."),
    )
    table_order = ArrayField(
        models.CharField(max_length=30, choices=TieBreak.choices),
        verbose_name=_("table order"),
        default=usual_order,
        help_text=_("What decides the order, the first difference first; else a place is shared."),
    )
    withdrawn_teams = models.CharField(
        _("withdrawn teams"),
        max_length=7,
        choices=WithdrawnTeams.choices,
        default=WithdrawnTeams.EXPUNGE,
        help_text=_("What becomes of a withdrawn team's matches; its games stay rated."),
    )
    unfinished_games = models.CharField(
        _("unfinished games"),
        max_length=12,
        choices=UnfinishedGames.choices,
        default=UnfinishedGames.IGNORE_MATCH,
        help_text=_("How the table counts a match of which some games have no result yet."),
    )
    defaulted_matches = models.CharField(
        _("defaulted matches"),
        max_length=8,
        choices=DefaultedMatches.choices,
        default=DefaultedMatches.FULL,
        help_text=_("What the table counts for a match that one side did not turn up for."),
    )
    boards_defaulted_per_penalty = models.SmallIntegerField(
        _("boards defaulted for a penalty"),
        null=True,
        blank=True,
        help_text=_(
            "Each time a team has defaulted this many boards in a season, defaulted matches "
            "apart, it loses the points below; blank: never."
        ),
    )
    default_penalty_match_points = models.SmallIntegerField(
        _("match points a penalty costs"),
        default=0,
        help_text=_("What each such penalty takes off the team's match points."),
    )
    default_penalty_game_points = models.SmallIntegerField(
        _("game points a penalty costs"),
        default=0,
        help_text=_("What each such penalty takes off the team's game points."),
    )
    extra_boards_count = models.BooleanField(
        _("extra boards count"),
        default=False,
        help_text=_(
            "Games beyond the match's boards add to a team's game points, never to the match."
        ),
    )

    class Meta:
        abstract = True


TABLE_RULE_CONSTRAINTS = [
    models.CheckConstraint(
        condition=Q(match_points_win__gte=F("match_points_draw"))
        & Q(match_points_draw__gte=F("match_points_loss")),
        name="games_division_a_win_gives_most",
        violation_error_message=_(
            "A win must give at least what a draw gives, and a draw what a loss gives."
        ),
    ),
    models.CheckConstraint(
        condition=Q(table_order__contained_by=TieBreak.values), name="games_division_order_known"
    ),
    models.CheckConstraint(
        condition=Q(withdrawn_teams__in=WithdrawnTeams.values),
        name="games_division_withdrawn_teams_known",
    ),
    models.CheckConstraint(
        condition=Q(unfinished_games__in=UnfinishedGames.values),
        name="games_division_unfinished_games_known",
    ),
    models.CheckConstraint(
        condition=Q(defaulted_matches__in=DefaultedMatches.values),
        name="games_division_defaulted_matches_known",
    ),
    models.CheckConstraint(
        condition=Q(boards_defaulted_per_penalty__isnull=True)
        | Q(boards_defaulted_per_penalty__gte=1),
        name="games_division_boards_defaulted_positive",
        violation_error_message=_("A penalty needs at least one board; leave it blank for none."),
    ),
    models.CheckConstraint(
        condition=Q(default_penalty_match_points__gte=0, default_penalty_game_points__gte=0),
        name="games_division_default_penalty_takes_off",
        violation_error_message=_("A penalty takes points off: not below 0."),
    ),
]

# The topics of a form of these rules: a title and its columns, in the order they are asked.
TABLE_RULE_TOPICS = (
    (
        _("Match points"),
        (
            "match_points_win",
            "match_points_draw",
            "match_points_loss",
            "match_points_defaulted",
        ),
    ),
    (_("Order of the table"), ("table_order",)),
    (
        _("Matches not played to the end"),
        ("unfinished_games", "defaulted_matches", "withdrawn_teams"),
    ),
    (
        _("Boards defaulted"),
        (
            "boards_defaulted_per_penalty",
            "default_penalty_match_points",
            "default_penalty_game_points",
        ),
    ),
    (_("Extra boards"), ("extra_boards_count",)),
)
