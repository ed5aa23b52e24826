"""The lists of the league office as sortable tables."""

import django_tables2 as tables
from django.db.models import F
from django.utils.formats import time_format
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from ratings.tables import PositionColumn

from .templatetags.topboard import half_part, team_name, whole_part

FIGURE = {"cell": {"class": "n"}}
LATE_FIGURE = {"cell": {"class": "n late"}}


class BoardScoreTable(tables.Table):
    """A division's players with their board scores; rows are `board_scores.Score`."""

    caption = _("Board scores")
    hide_caption = True
    row_header = "name"

    position = PositionColumn(attrs={"cell": {"class": "pos late"}}, orderable=False)
    name = tables.Column(verbose_name=_("Player"), order_by=("sort_name",))
    team = tables.Column(
        verbose_name=_("Team"), order_by=("team__search_name",), attrs={"cell": {"class": "late"}}
    )
    board_numbers = tables.Column(
        verbose_name=_("Boards"), order_by=("first_board", "last_board"), attrs=LATE_FIGURE
    )
    played = tables.Column(verbose_name=_("Played"), initial_sort_descending=True, attrs=FIGURE)
    won = tables.Column(verbose_name=_("Won"), initial_sort_descending=True, attrs=LATE_FIGURE)
    drawn = tables.Column(verbose_name=_("Drawn"), initial_sort_descending=True, attrs=LATE_FIGURE)
    lost = tables.Column(verbose_name=_("Lost"), initial_sort_descending=True, attrs=LATE_FIGURE)
    defaults_won = tables.Column(
        verbose_name=_("By default"), initial_sort_descending=True, attrs=LATE_FIGURE
    )
    halves = tables.Column(
        verbose_name=_("Points"), attrs={"cell": {"class": "n key"}}, initial_sort_descending=True
    )

    class Meta:
        fields = (
            "position",
            "name",
            "team",
            "board_numbers",
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


class ClubTable(tables.Table):
    """Every club with its night, its venue and the number of its members."""

    caption = _("Clubs")
    css_class = "people"
    hide_caption = True
    row_header = "name"

    name = tables.Column(verbose_name=_("Club"), order_by=("search_name", "pk"))
    club_night = tables.Column(
        verbose_name=_("Club night"), default="–", attrs={"cell": {"class": "late"}}
    )
    venue = tables.Column(
        verbose_name=_("Venue"), default="–", orderable=False, attrs={"cell": {"class": "late"}}
    )
    member_count = tables.Column(
        verbose_name=_("Members"), attrs={"cell": {"class": "n"}}, initial_sort_descending=True
    )

    class Meta:
        model = Club
        fields = ("name", "club_night", "venue", "member_count")
        order_by = "name"

    def render_name(self, record):
        return format_html(
            '<a href="{}">{}</a><span class="sub">{}</span>',
            record.get_absolute_url(),
            record.name,
            " · ".join(filter(None, (night(record), first_line(record.venue)))),
        )

    def render_club_night(self, record):
        return night(record)

    def render_venue(self, value):
        return first_line(value)

    def order_club_night(self, clubs, is_descending):
        by_night = F("club_night")
        ordered = by_night.desc(nulls_last=True) if is_descending else by_night.asc(nulls_last=True)
        return clubs.order_by(ordered, "search_name", "pk"), True

    def order_member_count(self, clubs, is_descending):
        return clubs.order_by(
            "-member_count" if is_descending else "member_count", "search_name", "pk"
        ), True


def night(club: Club) -> str:
    """The club night in words, with its time where that is known."""
    day = "" if club.club_night is None else str(club.get_club_night_display())
    time = time_format(club.start_time, "H:i") if club.start_time else ""
    return " ".join(filter(None, (day, time)))


def first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
