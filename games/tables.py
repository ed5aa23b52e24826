"""The lists of the league office as sortable tables."""

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from .templatetags.topboard import half_part, team_name, whole_part

FIGURE = {"cell": {"class": "n"}}
LATE_FIGURE = {"cell": {"class": "n late"}}


class BoardScoreTable(tables.Table):
    """A division's players with their board scores; rows are `board_scores.Score`."""

    caption = _("Board scores")
    hide_caption = True
    row_header = "name"

    position = tables.Column(
        verbose_name=_("Place"), attrs={"cell": {"class": "pos late"}}, orderable=False
    )
    name = tables.Column(verbose_name=_("Player"), order_by=("player.sort_name",))
    team = tables.Column(
        verbose_name=_("Team"), order_by=("team.search_name",), attrs={"cell": {"class": "late"}}
    )
    boards = tables.Column(
        verbose_name=_("Boards"), order_by=("first_board", "last_board"), attrs=LATE_FIGURE
    )
    played = tables.Column(verbose_name=_("Played"), attrs=FIGURE)
    won = tables.Column(verbose_name=_("Won"), attrs=LATE_FIGURE)
    drawn = tables.Column(verbose_name=_("Drawn"), attrs=LATE_FIGURE)
    lost = tables.Column(verbose_name=_("Lost"), attrs=LATE_FIGURE)
    defaults_won = tables.Column(verbose_name=_("By default"), attrs=LATE_FIGURE)
    halves = tables.Column(verbose_name=_("Points"), attrs={"cell": {"class": "n key"}})

    class Meta:
        fields = (
            "position",
            "name",
            "team",
            "boards",
            "played",
            "won",
            "drawn",
            "lost",
            "defaults_won",
            "halves",
        )
        empty_text = _("Nobody has played yet. Scores stand here after the first match.")

    def render_position(self, record):
        return format_html('{}<span class="h">{}</span>', record.position, "=" * record.shared)

    def render_name(self, record):
        return format_html(
            '<a href="{}">{}</a><span class="sub">{}</span>',
            record.player.get_absolute_url(),
            record.name,
            team_name(record.team.name),
        )

    def render_team(self, record):
        return format_html(
            '<a href="{}">{}</a>', record.team.get_absolute_url(), team_name(record.team.name)
        )

    def render_halves(self, value):
        return format_html('{}<span class="h">{}</span>', whole_part(value), half_part(value))
