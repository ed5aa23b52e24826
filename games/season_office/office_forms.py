"""What a league's officer types: leagues, seasons, divisions with their rules, teams."""

from dataclasses import dataclass

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.forms import ReasonField
from clubs.models import Club
from clubs.names import fold, tidy_name
from clubs.sheets import plain_text, refusal
from games.division_tables.rule_presets import PRESETS
from games.models import (
    AGREEMENT_RULE_TOPICS,
    CARD_RULE_TOPICS,
    TABLE_RULE_TOPICS,
    Division,
    League,
    Season,
    Team,
    TieBreak,
    usual_order,
)
from games.result_files.reading import read_score
from games.templatetags.topboard import halves
from games.time_control import pool_for

from . import leagues

DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class NameField(forms.CharField):
    """A name as people may write it: something to fold, no control characters."""

    def clean(self, value):
        text = super().clean(value)
        if not text:
            return text
        try:
            text = plain_text(text, length=self.max_length)
        except ValueError as error:
            raise forms.ValidationError(refusal(error)) from error
        if not fold(text):
            raise forms.ValidationError(_("Letters or figures are needed."))
        return text


class PersonNameField(NameField):
    """A name of a person, which holds no pictures."""

    def clean(self, value):
        text = super().clean(value)
        try:
            return tidy_name(text)
        except ValueError as error:
            raise forms.ValidationError(refusal(error)) from error


class LeagueForm(forms.Form):
    """A new league."""

    name = NameField(label=gettext_lazy("Name of the league"), max_length=100)


class NewSeasonForm(forms.Form):
    """A new season, empty or as an older one ended."""

    label = NameField(
        label=gettext_lazy("Season"),
        max_length=40,
        help_text=gettext_lazy("As everybody calls it: 2027–28."),
    )
    starts_on = forms.DateField(
        label=gettext_lazy("First day"),
        required=False,
        widget=DAY,
        help_text=gettext_lazy("Blank: 1 July of the year in the label."),
    )
    last_day = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        widget=DAY,
        help_text=gettext_lazy("Blank: 30 June of the year after."),
    )
    copy_of = forms.ModelChoiceField(
        label=gettext_lazy("Begin with"),
        queryset=Season.objects.none(),
        required=False,
        empty_label=gettext_lazy("nothing: an empty season"),
        help_text=gettext_lazy(
            "A copy has the divisions, their rules and teams of the older season; its tables "
            "say who is promoted and relegated."
        ),
    )

    def __init__(self, *args, league: League, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["copy_of"].queryset = league.seasons.select_related("league")
        self.fields["copy_of"].label_from_instance = lambda season: season.label

    def clean(self):
        data = super().clean()
        by_label = leagues.dates_of_label(data.get("label") or "")
        if data.get("starts_on") is None and "starts_on" not in self.errors:
            if by_label is None:
                self.add_error("starts_on", _("The label names no two years: a day is needed."))
            else:
                data["starts_on"] = by_label[0]
        data["ends_on"] = _day_after(data.pop("last_day", None))
        if data["ends_on"] is None and "last_day" not in self.errors:
            if by_label is None:
                self.add_error("last_day", _("The label names no two years: a day is needed."))
            else:
                data["ends_on"] = by_label[1]
        return data


class SeasonForm(forms.ModelForm):
    """What the officer says of a season; its last day is inside it."""

    label = NameField(label=gettext_lazy("Season"), max_length=40)
    last_day = forms.DateField(label=gettext_lazy("Last day"), widget=DAY)

    class Meta:
        model = Season
        fields = [
            *("label", "starts_on", "last_day", "entries_close_on"),
            *("registration_deadline", "one_club_a_player"),
        ]
        widgets = dict.fromkeys(["starts_on", "entries_close_on", "registration_deadline"], DAY)

    def __init__(self, *args, instance: Season, **kwargs):
        initial = {"last_day": instance.last_day}
        super().__init__(*args, instance=instance, initial=initial, **kwargs)

    def clean(self):
        data = super().clean()
        data["ends_on"] = _day_after(data.pop("last_day", None))
        return data

    def _post_clean(self):
        """The workflow checks and stores; the instance stays as it is."""


class TableOrderWidget(forms.MultiWidget):
    """Several selects, one below the other: what decides first, second and so on."""

    def __init__(self, length: int, choices):
        names = [_("Place %d in the order") % place for place in range(1, length + 1)]
        super().__init__([forms.Select({"aria-label": name}, choices) for name in names])

    def decompress(self, value):
        return list(value or [])


class TableOrderField(forms.MultiValueField):
    """An ordered list of tie-breaks, each once; blanks between them are left out."""

    LENGTH = 6
    CHOICES = TieBreak

    def __init__(self, **kwargs):
        choices = [("", "–"), *self.CHOICES.choices]
        fields = [forms.ChoiceField(choices=choices, required=False) for _n in range(self.LENGTH)]
        widget = TableOrderWidget(self.LENGTH, choices)
        super().__init__(fields, widget=widget, require_all_fields=False, **kwargs)

    def compress(self, data_list):
        chosen = [value for value in data_list if value]
        for value in chosen:
            if chosen.count(value) > 1:
                label = self.CHOICES(value).label
                raise forms.ValidationError(_("“%s” stands in the order twice.") % label)
        return chosen


class PointsField(forms.CharField):
    """Points as people write them, 2, 1½ or 0.5, kept as whole half-points."""

    widget = forms.TextInput(attrs={"size": 4, "autocomplete": "off"})

    @classmethod
    def of_column(cls, column: str) -> "PointsField":
        """The field of a column of `Division`."""
        field = Division._meta.get_field(column)
        return cls(
            label=capfirst(field.verbose_name),
            help_text=field.help_text,
            required=not field.null,
            initial=None if field.null else field.default,
        )

    def prepare_value(self, value):
        return halves(value) if isinstance(value, int) else value

    def to_python(self, value):
        text = super().to_python(value)
        if text == self.empty_value:
            return None
        try:
            return read_score(text)
        except ValueError as error:
            raise forms.ValidationError(_("Points are whole or half: 2, 1½ or 0.5.")) from error


POINTS = (
    *("match_points_win", "match_points_draw", "match_points_loss", "match_points_defaulted"),
    *("default_penalty_match_points", "default_penalty_game_points"),
    *("late_match_points", "late_game_points"),
)


@dataclass(frozen=True, slots=True)
class RuleTopic:
    """Rules that are asked together; `unusual` names those that are not as in a new division."""

    title: str
    fields: list[forms.BoundField]
    unusual: list[str]
    is_open: bool


RULE_TOPICS = (*TABLE_RULE_TOPICS, *CARD_RULE_TOPICS, *AGREEMENT_RULE_TOPICS)
UNUSUAL = frozenset(name for _title, names in RULE_TOPICS for name in names)


HOW_IT_IS_PLAYED = (
    gettext_lazy("How it is played"),
    ("name", "board_count", "minutes", "increment_seconds", "home_colour"),
)


class RulesForm(forms.ModelForm):
    """A division of whatever kind: how it is played, and its rules topic by topic."""

    TOPICS = ()
    ASKED_FIRST = 3  # topics that stand open; the rest are as usual until somebody opens them

    @property
    def topics(self) -> list["RuleTopic"]:
        """The rules topic by topic, as the page shows them; one with an error stands open."""
        together = bool(self.is_bound and self.non_field_errors())
        return [
            RuleTopic(
                title,
                [self[name] for name in names],
                [self[name].label for name in names if name in UNUSUAL and self._is_unusual(name)],
                place < self.ASKED_FIRST or together or any(name in self.errors for name in names),
            )
            for place, (title, names) in enumerate(self.TOPICS)
        ]

    def _is_unusual(self, name: str) -> bool:
        """Whether a rule is stored that a new division would not have."""
        return getattr(self.instance, name) != Division._meta.get_field(name).get_default()

    def clean(self):
        data = super().clean()
        minutes, seconds = data.get("minutes"), data.get("increment_seconds")
        if minutes is not None and seconds is not None:
            try:
                pool_for(minutes, seconds)
            except ValueError:
                self.add_error("minutes", _("A game needs some time."))
        return data


class DivisionForm(RulesForm):
    """A division: its name, how it is played, and the rules of its table by topic."""

    name = NameField(label=gettext_lazy("Name of the division"), max_length=100)
    preset = forms.ChoiceField(
        label=gettext_lazy("A usual scheme"),
        required=False,
        help_text=gettext_lazy("Chosen, it takes the place of what it names in the rules below."),
    )
    table_order = TableOrderField(
        label=gettext_lazy("Table order"), initial=usual_order, required=False
    )

    class Meta:
        model = Division
        fields = [
            *HOW_IT_IS_PLAYED[1],
            *("promoted", "relegated"),
            *(name for _title, names in RULE_TOPICS for name in names),
        ]

    TOPICS = (
        HOW_IT_IS_PLAYED,
        (gettext_lazy("Up and down"), ("promoted", "relegated")),
        (gettext_lazy("The table at one stroke"), ("preset",)),
        *RULE_TOPICS,
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["preset"].choices = [
            ("", gettext_lazy("as below")),
            *((key, preset.label) for key, preset in PRESETS.items()),
        ]
        self.fields["table_order"].help_text = Division._meta.get_field("table_order").help_text
        for column in POINTS:
            self.fields[column] = PointsField.of_column(column)

    def clean(self):
        data = super().clean()
        preset = PRESETS.get(data.pop("preset", ""))
        if preset:
            data |= preset.values
        if "table_order" not in self.errors and not data.get("table_order"):
            self.add_error("table_order", _("Something has to decide the order."))
        for name in ("promoted", "relegated"):
            if (data.get(name) or 0) < 0:
                self.add_error(name, _("Not below 0."))
        return data


class TeamForm(forms.Form):
    """A team: its name, its club, whom to ask."""

    name = NameField(label=gettext_lazy("Name of the team"), max_length=100)
    club = forms.ModelChoiceField(label=gettext_lazy("Club"), queryset=Club.objects.none())
    captain_name = forms.CharField(label=gettext_lazy("Captain"), max_length=100, required=False)
    captain_email = forms.EmailField(label=gettext_lazy("Captain’s e-mail"), required=False)
    captain_phone = forms.CharField(
        label=gettext_lazy("Captain’s phone"), max_length=40, required=False
    )

    def __init__(self, *args, clubs, team: Team | None = None, club: Club | None = None, **kwargs):
        if team is not None:
            kwargs["initial"] = {name: getattr(team, name) for name in self.base_fields}
        elif club is not None:
            kwargs["initial"] = {"club": club}
        super().__init__(*args, **kwargs)
        self.fields["club"].queryset = clubs


class MoveTeamForm(forms.Form):
    """Another division of the same season for a team."""

    division = forms.ModelChoiceField(
        label=gettext_lazy("Division"), queryset=Division.objects.none()
    )

    def __init__(self, *args, team: Team, **kwargs):
        super().__init__(*args, initial={"division": team.division_id}, **kwargs)
        divisions = team.division.season.divisions
        self.fields["division"].queryset = divisions.filter(kind=team.division.kind)


class DecisionForm(forms.Form):
    """What the officer makes of a violation: points off and a reason, both only where asked."""

    match_points = PointsField(label=gettext_lazy("Match points off"), required=False)
    game_points = PointsField(label=gettext_lazy("Game points off"), required=False)
    note = ReasonField(label=gettext_lazy("Reason"), max_length=300, required=False)

    def clean(self):
        data = super().clean()
        for name in ("match_points", "game_points"):
            data[name] = data.get(name) or 0
        return data


class CaptainsMailForm(forms.Form):
    """A mail to every captain of a season."""

    subject = forms.CharField(label=gettext_lazy("Subject"), max_length=150)
    text = forms.CharField(
        label=gettext_lazy("Text"), max_length=10_000, widget=forms.Textarea(attrs={"rows": 12})
    )


def _day_after(day):
    """The end of a period whose last day is `day`, or None."""
    return None if day is None else leagues.day_after(day)
