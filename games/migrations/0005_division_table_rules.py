import django.contrib.postgres.fields
from django.db import migrations, models

import games.models.table_rules


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0006_say_what_is_wrong"),
        ("games", "0004_seasons_closed_and_registrations"),
        ("ratings", "0006_keep_what_each_game_of_a_list_was"),
    ]

    operations = [
        migrations.AddField(
            model_name="division",
            name="boards_defaulted_per_penalty",
            field=models.SmallIntegerField(
                blank=True,
                help_text="Each time a team has defaulted this many boards in a season, defaulted matches apart, it loses the points below; blank: never.",
                null=True,
                verbose_name="boards defaulted for a penalty",
            ),
        ),
        migrations.AddField(
            model_name="division",
            name="default_penalty_game_points",
            field=models.SmallIntegerField(
                default=0,
                help_text="What each such penalty takes off the team's game points.",
                verbose_name="game points a penalty costs, in halves",
            ),
        ),
        migrations.AddField(
            model_name="division",
            name="default_penalty_match_points",
            field=models.SmallIntegerField(
                default=0,
                help_text="What each such penalty takes off the team's match points.",
                verbose_name="match points a penalty costs, in halves",
            ),
        ),
        migrations.AddField(
            model_name="division",
            name="defaulted_matches",
            field=models.CharField(
                choices=[
                    ("full", "the winners score every game"),
                    ("none", "neither side scores a game point"),
                    ("excluded", "match points only, left out of every tie-break"),
                ],
                default="full",
                help_text="What the table counts for a match that one side did not turn up for.",
                max_length=8,
                verbose_name="defaulted matches",
            ),
        ),
        migrations.AddField(
            model_name="division",
            name="extra_boards_count",
            field=models.BooleanField(
                default=False,
                help_text="Games beyond the match's boards add to a team's game points, never to the match.",
                verbose_name="extra boards count",
            ),
        ),
        migrations.AddField(
            model_name="division",
            name="match_points_defaulted",
            field=models.SmallIntegerField(
                blank=True,
                help_text="What a team gets that does not turn up; blank: what a loss gives.",
                null=True,
                verbose_name="match points for defaulting a match, in halves",
            ),
        ),
        migrations.AddField(
            model_name="division",
            name="unfinished_games",
            field=models.CharField(
                choices=[
                    ("ignore_match", "the match counts when all its games are finished"),
                    ("ignore_game", "the match counts without them"),
                    ("drawn", "they count as drawn"),
                    ("threshold", "the match counts once a side has more than half its points"),
                ],
                default="ignore_match",
                help_text="How the table counts a match of which some games have no result yet.",
                max_length=12,
                verbose_name="unfinished games",
            ),
        ),
        migrations.AddField(
            model_name="division",
            name="withdrawn_teams",
            field=models.CharField(
                choices=[
                    ("expunge", "none of their matches counts"),
                    ("keep", "what they played counts, the rest is not played"),
                    ("forfeit", "what they played counts, the rest is lost by default"),
                ],
                default="expunge",
                help_text="What becomes of a withdrawn team's matches; its games stay rated.",
                max_length=7,
                verbose_name="withdrawn teams",
            ),
        ),
        migrations.AddField(
            model_name="team",
            name="play_off_on",
            field=models.DateField(blank=True, null=True, verbose_name="day of the play-off"),
        ),
        migrations.AddField(
            model_name="team",
            name="play_off_place",
            field=models.SmallIntegerField(
                blank=True, null=True, verbose_name="place in the play-off"
            ),
        ),
        migrations.AddField(
            model_name="team",
            name="withdrawn_on",
            field=models.DateField(blank=True, null=True, verbose_name="withdrawn on"),
        ),
        migrations.AlterField(
            model_name="division",
            name="match_points_draw",
            field=models.SmallIntegerField(
                default=2,
                help_text="What each team gets for a drawn match: 2 halves are 1 point.",
                verbose_name="match points for a draw, in halves",
            ),
        ),
        migrations.AlterField(
            model_name="division",
            name="match_points_loss",
            field=models.SmallIntegerField(
                default=0,
                help_text="What a team gets for a match that it plays and loses.",
                verbose_name="match points for a loss, in halves",
            ),
        ),
        migrations.AlterField(
            model_name="division",
            name="match_points_win",
            field=models.SmallIntegerField(
                default=4,
                help_text="What a team gets for a match it wins: 4 halves are 2 points.",
                verbose_name="match points for a win, in halves",
            ),
        ),
        migrations.AlterField(
            model_name="division",
            name="table_order",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("match_points", "match points"),
                        ("game_points", "game points"),
                        ("game_point_difference", "game point difference"),
                        ("head_to_head", "the matches between the teams"),
                        ("wins", "matches won"),
                        ("board_count", "board count of the matches between the teams"),
                        (
                            "bottom_board_elimination",
                            "the matches between the teams without their bottom boards",
                        ),
                        ("sonneborn_berger", "Sonneborn-Berger"),
                        ("buchholz", "Buchholz"),
                        ("play_off", "a play-off"),
                        (
                            "buchholz_match_points",
                            "Buchholz of match points with unplayed rounds by FIDE's rules",
                        ),
                        (
                            "buchholz_match_points_cut_1",
                            "Buchholz of match points without the lowest opponent",
                        ),
                        (
                            "buchholz_game_points_cut_1",
                            "Buchholz of game points without the lowest opponent",
                        ),
                        ("emmsb", "Sonneborn-Berger: opponents' match points by own match points"),
                        (
                            "emmsb_cut_1",
                            "Sonneborn-Berger: opponents' match points by own match points, without the lowest",
                        ),
                        ("emgsb", "Sonneborn-Berger: opponents' match points by own game points"),
                        ("egmsb", "Sonneborn-Berger: opponents' game points by own match points"),
                        ("eggsb", "Sonneborn-Berger: opponents' game points by own game points"),
                        ("score_and_schedule", "score and strength of schedule combined"),
                        (
                            "extended_direct_encounter",
                            "extended direct encounter: match points, then game points",
                        ),
                    ],
                    max_length=30,
                ),
                default=games.models.table_rules.usual_order,
                help_text="What decides the order, the first difference first; else a place is shared.",
                size=None,
                verbose_name="table order",
            ),
        ),
        migrations.AddConstraint(
            model_name="division",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("match_points_win__gte", models.F("match_points_draw")),
                    ("match_points_draw__gte", models.F("match_points_loss")),
                ),
                name="games_division_a_win_gives_most",
                violation_error_message="A win must give at least what a draw gives, and a draw what a loss gives.",
            ),
        ),
        migrations.AddConstraint(
            model_name="division",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "table_order__contained_by",
                        [
                            "match_points",
                            "game_points",
                            "game_point_difference",
                            "head_to_head",
                            "wins",
                            "board_count",
                            "bottom_board_elimination",
                            "sonneborn_berger",
                            "buchholz",
                            "play_off",
                            "buchholz_match_points",
                            "buchholz_match_points_cut_1",
                            "buchholz_game_points_cut_1",
                            "emmsb",
                            "emmsb_cut_1",
                            "emgsb",
                            "egmsb",
                            "eggsb",
                            "score_and_schedule",
                            "extended_direct_encounter",
                        ],
                    )
                ),
                name="games_division_order_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="division",
            constraint=models.CheckConstraint(
                condition=models.Q(("withdrawn_teams__in", ["expunge", "keep", "forfeit"])),
                name="games_division_withdrawn_teams_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="division",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("unfinished_games__in", ["ignore_match", "ignore_game", "drawn", "threshold"])
                ),
                name="games_division_unfinished_games_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="division",
            constraint=models.CheckConstraint(
                condition=models.Q(("defaulted_matches__in", ["full", "none", "excluded"])),
                name="games_division_defaulted_matches_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="division",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("boards_defaulted_per_penalty__isnull", True),
                    ("boards_defaulted_per_penalty__gte", 1),
                    _connector="OR",
                ),
                name="games_division_boards_defaulted_positive",
                violation_error_message="A penalty needs at least one board; leave it blank for none.",
            ),
        ),
        migrations.AddConstraint(
            model_name="division",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("default_penalty_game_points__gte", 0),
                    ("default_penalty_match_points__gte", 0),
                ),
                name="games_division_default_penalty_takes_off",
                violation_error_message="A penalty takes points off: not below 0.",
            ),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("play_off_on__isnull", True), ("play_off_place__isnull", True)),
                    models.Q(("play_off_on__isnull", False), ("play_off_place__gte", 1)),
                    _connector="OR",
                ),
                name="games_team_play_off_place_with_its_day",
            ),
        ),
    ]
