"""Ratings as sortable lists."""

import django_tables2 as tables
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from clubs import access

from .models import EloRating
from .templatetags.figures import plain


class PositionColumn(tables.Column):
    """A position in a list; its head is only heard."""

    @property
    def header(self):
        return format_html('<span class="visually-hidden">{}</span>', _("Position"))


class PeopleTable(tables.Table):
    """A list of players with a figure each; `reader` is the account that looks at it on `today`.

    `eyes` are what an order by name has to know: the day, and whether the reader sees every name.
    `positions` give each figure's place in the whole list. On a phone the clubs stand under the
    name. Subclasses name the column of the figure in `strength`.
    """

    css_class = "people"
    hide_caption = True
    row_header = "player"
    strength: str

    position = PositionColumn(
        accessor="player", attrs={"cell": {"class": "pos late"}}, orderable=False
    )
    player = tables.Column(verbose_name=_("Player"))
    club = tables.Column(
        verbose_name=_("Club"), accessor="player", attrs={"cell": {"class": "late plain-link"}}
    )
    code = tables.Column(
        verbose_name=_("ECF code"),
        accessor="player",
        attrs={"cell": {"class": "n late quiet"}},
        orderable=False,
    )

    def __init__(self, data, *, positions, reader, today, **kwargs):
        self.positions, self.reader, self.today = positions, reader, today
        self.eyes = today, access.may_see_names(reader)
        super().__init__(data, **kwargs)

    def render_position(self, record):
        position, shared = self.positions[getattr(record, self.strength)]
        return format_html('{}<span class="h">{}</span>', position, "=" if shared else "")

    def player_of(self, record):
        """The player whom a row is about."""
        return record.player

    def render_player(self, record):
        player = self.player_of(record)
        return format_html(
            '<a href="{}">{}</a>{}<span class="sub">{}</span>',
            player.get_absolute_url(),
            access.listed_name_for(self.reader, player, self.today),
            *self.beside_name(player),
        )

    def beside_name(self, player):
        """What stands in small beside the name on a desk, and under it on a phone."""
        return "", club_names(player)

    def render_club(self, record):
        return format_html_join(
            ", ",
            '<a href="{}">{}</a>',
            (
                (membership.club.get_absolute_url(), membership.club.name)
                for membership in self.player_of(record).current_memberships
            ),
        )

    def render_code(self, record):
        return access.code_for(self.reader, self.player_of(record), self.today) or "–"

    def order_player(self, rows, is_descending):
        return rows.by_name(*self.eyes, is_descending), True

    def order_club(self, rows, is_descending):
        return rows.by_club(self.today, *self.eyes, is_descending), True


class LiveEloTable(PeopleTable):
    """The live Elo list of one pool."""

    caption = _("Live Elo")
    strength = "shown"

    rating = tables.Column(
        verbose_name=_("Elo"),
        attrs={"cell": {"class": "n key rated"}},
        initial_sort_descending=True,
    )
    games = tables.Column(
        verbose_name=_("Games"), attrs={"cell": {"class": "n"}}, initial_sort_descending=True
    )

    class Meta:
        model = EloRating
        fields = ("position", "player", "club", "rating", "games", "code")
        sequence = fields
        order_by = "-rating"
        empty_text = _("Nobody is here.")

    def render_rating(self, record):
        mark = (
            format_html('<abbr title="{}">?</abbr>', _("provisional")) if record.provisional else ""
        )
        return format_html('{}<span class="q">{}</span>', plain(record.shown), mark)

    def order_rating(self, ratings, is_descending):
        return ratings.by_rating(*self.eyes, is_descending), True

    def order_games(self, ratings, is_descending):
        return ratings.by_games(*self.eyes, is_descending), True


def club_names(player) -> str:
    """The player's clubs of `PlayerQuerySet.with_clubs()` in words."""
    return ", ".join(membership.club.name for membership in player.current_memberships)
