"""Grade lists as sortable tables."""

import django_tables2 as tables
from django.db import models
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from clubs import access

from .models import Grade
from .tables import PeopleTable, club_names

MINUS = "\N{MINUS SIGN}"


class GradeTable(PeopleTable):
    """One grade list; its cutoff says who was a member of which club.

    `document` is the query that leads to this list and no other of its cutoff; `beside` heads
    the grades of the other rate of play.
    """

    caption = _("Grades")
    strength = "published"

    published = tables.Column(
        verbose_name=_("Grade"),
        attrs={"cell": {"class": "n key plain-link"}},
        initial_sort_descending=True,
    )
    category = tables.Column(
        verbose_name=format_html('<abbr title="{}">{}</abbr>', _("Category"), _("Cat.")),
        attrs={"cell": {"class": "mid"}},
    )
    change = tables.Column(
        verbose_name=pgettext_lazy("of a figure", "Change"),
        attrs={"cell": {"class": "n"}},
        initial_sort_descending=True,
        empty_values=(),
    )
    games = tables.Column(
        verbose_name=_("Games"),
        accessor="recent",
        attrs={"cell": {"class": "n late"}},
        initial_sort_descending=True,
    )
    beside = tables.Column(attrs={"cell": {"class": "n late"}}, initial_sort_descending=True)
    code = tables.Column(
        verbose_name=_("ECF code"),
        accessor="player",
        attrs={"cell": {"class": "n late quiet"}},
    )

    class Meta:
        model = Grade
        fields = (
            *("position", "player", "club", "published", "category", "change", "games"),
            *("beside", "code"),
        )
        sequence = fields
        order_by = "-published"
        empty_text = _("Nobody is here.")
        default = "–"

    def __init__(self, data, *, grade_list, document, beside, **kwargs):
        self.grade_list, self.document = grade_list, document
        super().__init__(data, **kwargs)
        self.columns["beside"].column.verbose_name = beside

    def beside_name(self, player):
        return with_junior(self.reader, player, self.today)

    def render_published(self, record):
        """The grade, leading to how it came about."""
        return format_html(
            '<a href="{}{}">{}</a>',
            reverse("grade_why", args=[record.player_id, self.grade_list.cutoff]),
            self.document,
            record.published,
        )

    def render_change(self, record):
        return change_cell(record.change)

    def order_club(self, grades, is_descending):
        return grades.by_club(self.grade_list.cutoff, *self.eyes, is_descending), True

    def order_published(self, grades, is_descending):
        return grades.by_grade(*self.eyes, is_descending), True

    def order_category(self, grades, is_descending):
        return grades.by("category", *self.eyes, is_descending, models.CharField), True

    def order_change(self, grades, is_descending):
        return grades.by("change", *self.eyes, is_descending), True

    def order_games(self, grades, is_descending):
        return grades.by("recent", *self.eyes, is_descending), True

    def order_beside(self, grades, is_descending):
        return grades.by("beside", *self.eyes, is_descending), True

    def order_code(self, grades, is_descending):
        return grades.by_code(*self.eyes, is_descending), True


class ComparisonTable(PeopleTable):
    """Two lists side by side; `day` says who was a member of which club."""

    caption = _("Grades on two lists")
    strength = "after"

    position = None
    player = tables.Column(verbose_name=_("Player"), accessor="pk")
    club = tables.Column(
        verbose_name=_("Club"), accessor="pk", attrs={"cell": {"class": "late plain-link"}}
    )
    before = tables.Column(attrs={"cell": {"class": "n"}}, initial_sort_descending=True)
    after = tables.Column(attrs={"cell": {"class": "n key"}}, initial_sort_descending=True)
    change = tables.Column(
        verbose_name=pgettext_lazy("of a figure", "Change"),
        attrs={"cell": {"class": "n"}},
        initial_sort_descending=True,
        empty_values=(),
    )
    code = tables.Column(
        verbose_name=_("ECF code"),
        accessor="pk",
        attrs={"cell": {"class": "n late quiet"}},
    )

    class Meta:
        fields = ("player", "club", "before", "after", "change", "code")
        sequence = fields
        order_by = "-after"
        empty_text = _("Nobody is here.")
        default = "–"

    def __init__(self, data, *, day, heads, **kwargs):
        self.day = day
        super().__init__(data, positions={}, **kwargs)
        for name, head in zip(("before", "after"), heads, strict=True):
            self.columns[name].column.verbose_name = head

    def player_of(self, record):
        return record

    def beside_name(self, player):
        return with_junior(self.reader, player, self.today)

    def render_change(self, record):
        return "–" if record.after is None else change_cell(record.change)

    def order_club(self, people, is_descending):
        return people.by_club(self.day, *self.eyes, is_descending), True

    def order_before(self, people, is_descending):
        return people.by("before", *self.eyes, is_descending), True

    def order_after(self, people, is_descending):
        return people.by("after", *self.eyes, is_descending), True

    def order_change(self, people, is_descending):
        return people.by("change", *self.eyes, is_descending), True

    def order_code(self, people, is_descending):
        return people.by_code(*self.eyes, is_descending), True


def with_junior(reader, player, today) -> tuple:
    """The clubs under a name on a phone; beside it "junior" on a desk, on a phone after them."""
    clubs = club_names(player)
    if not shows_as_junior(reader, player, today):
        return "", clubs
    word = _("junior")
    mark = format_html(' <small class="muted word">{}</small>', word)
    return mark, f"{clubs}, {word}" if clubs else word


def shows_as_junior(reader, player, today) -> bool:
    """Whether the word "junior" stands beside the name; a hidden name says it itself.

    It is told of today, on old lists too: of an earlier day it would date a grown-up's birth.
    """
    hidden = player.is_hidden(today) and not access.may_see_names(reader)
    return player.is_known_under_18(today) and not hidden


def change_cell(change):
    """A change of grade with its sign and colour; `new` where there was no grade before."""
    if change is None:
        return format_html('<span class="muted">{}</span>', _("new"))
    if not change:
        return "0"
    sign, colour = ("+", "up") if change > 0 else (MINUS, "down")
    return format_html('<span class="{}">{}{}</span>', colour, sign, abs(change))
