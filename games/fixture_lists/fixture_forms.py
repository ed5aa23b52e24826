"""Forms of a season's fixtures: weeks, rules, halls, days and pairs to avoid, a changed match."""

from datetime import date, timedelta

from django import forms
from django.core.exceptions import ValidationError
from django.forms import modelformset_factory
from django.utils.translation import gettext_lazy as _

from clubs.dates import date_format
from clubs.models import Club, Venue
from games.models import (
    AvoidDate,
    AvoidPair,
    Break,
    DraftMatch,
    FixturePlan,
    RuleForce,
    Season,
    Team,
)

from .fixture_clashes import monday
from .fixture_drafts import Change


def day_input() -> forms.DateInput:
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


def mondays_of(season: Season) -> list[date]:
    """The Monday of each week of a season, the first and the last as far as they lie in it."""
    first = monday(season.starts_on)
    weeks = (season.ends_on - first).days // 7 + 1
    every = (first + timedelta(weeks=week) for week in range(weeks))
    return [day for day in every if day >= season.starts_on and day < season.ends_on]


class WeeksForm(forms.Form):
    """Which weeks of a season are match weeks."""

    weeks = forms.MultipleChoiceField(
        label=_("Match weeks"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args, season: Season, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["weeks"].choices = [
            (day.isoformat(), date_format(day, "j M Y")) for day in mondays_of(season)
        ]

    def clean_weeks(self):
        return [date.fromisoformat(day) for day in self.cleaned_data["weeks"]]


class FillWeeksForm(forms.Form):
    """Every so many weeks from a first one on, as many as wanted."""

    first = forms.DateField(label=_("First week: that of the"), widget=day_input())
    every = forms.IntegerField(label=_("One week in"), min_value=1, max_value=8, initial=1)
    count = forms.IntegerField(label=_("Weeks"), min_value=1, max_value=60, initial=18)

    def __init__(self, *args, season: Season, **kwargs):
        super().__init__(*args, **kwargs)
        self.season = season

    def weeks(self) -> list[date]:
        """The Mondays, weeks wholly in a break left out, within the season."""
        closed = [(row.first_day, row.last_day) for row in self.season.breaks.all()]
        found: list[date] = []
        day, data = monday(self.cleaned_data["first"]), self.cleaned_data
        while len(found) < data["count"] and day < self.season.ends_on:
            last = day + timedelta(days=6)
            in_break = any(first <= day and last <= until for first, until in closed)
            if day >= self.season.starts_on and not in_break:
                found.append(day)
            day += timedelta(weeks=data["every"])
        return found


class PlanForm(forms.ModelForm):
    """The rules of a fixture list, and how often the teams of each division meet."""

    class Meta:
        model = FixturePlan
        fields = [
            "weekday",
            "club_teams_early",
            "club_teams_alternate",
            "no_three_running",
            "few_breaks",
            "seconds",
        ]

    def __init__(self, *args, divisions, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["few_breaks"].choices = [
            choice for choice in RuleForce.choices if choice[0] != RuleForce.MUST
        ]
        self.fields["seconds"].min_value, self.fields["seconds"].max_value = 1, 600
        self.fields["seconds"].widget.attrs |= {"min": 1, "max": 600}
        self.divisions = divisions
        for division in divisions:
            self.fields[f"legs_{division.pk}"] = forms.IntegerField(
                label=_("%s: meetings of two teams") % division.name,
                min_value=1,
                max_value=8,
                initial=division.legs,
            )

    def clean_seconds(self):
        seconds = self.cleaned_data["seconds"]
        if not 1 <= seconds <= 600:
            raise ValidationError(_("From 1 second to 600."))
        return seconds

    def columns(self) -> dict:
        return {name: self.cleaned_data[name] for name in self.Meta.fields}

    def legs(self) -> dict[int, int]:
        return {d.pk: self.cleaned_data[f"legs_{d.pk}"] for d in self.divisions}


class OfDays(forms.ModelForm):
    """Days from a first to a last one; a single day needs only the first."""

    first_day = forms.DateField(label=_("From"), widget=day_input())
    last_day = forms.DateField(
        label=_("Until and including"),
        widget=day_input(),
        required=False,
        help_text=_("Blank: that one day."),
    )

    def __init__(self, *args, season: Season, **kwargs):
        super().__init__(*args, **kwargs)
        self.instance.season = season
        self.season = season

    def clean(self):
        data = super().clean()
        if data.get("first_day") and not data.get("last_day") and "last_day" not in self.errors:
            data["last_day"] = data["first_day"]
        first, last = data.get("first_day"), data.get("last_day")
        if first and last and first > last:
            self.add_error("last_day", _("This is before the first day."))
        return data


class BreakForm(OfDays):
    class Meta:
        model = Break
        fields = ["name", "first_day", "last_day"]


class AvoidDateForm(OfDays):
    class Meta:
        model = AvoidDate
        fields = ["club", "team", "first_day", "last_day", "home_only", "force"]

    def __init__(self, *args, season: Season, **kwargs):
        super().__init__(*args, season=season, **kwargs)
        teams = teams_of(season)
        self.fields["club"].queryset = Club.objects.filter(teams__in=teams).distinct()
        self.fields["team"].queryset, self.fields["team"].label = teams, _("Team")

    def clean(self):
        data = super().clean()
        if not self.errors and bool(data.get("club")) == bool(data.get("team")):
            raise ValidationError(_("Choose a club or a team: one of the two."))
        return data


class AvoidPairForm(forms.ModelForm):
    class Meta:
        model = AvoidPair
        fields = ["first", "second", "home_only", "force"]

    def __init__(self, *args, season: Season, **kwargs):
        super().__init__(*args, **kwargs)
        self.instance.season = season
        teams = teams_of(season)
        self.fields["first"].queryset = self.fields["second"].queryset = teams
        self.fields["first"].label, self.fields["second"].label = _("Team"), _("and team")

    def clean(self):
        data = super().clean()
        first, second = data.get("first"), data.get("second")
        if first and first == second:
            self.add_error("second", _("These are not two teams."))
        elif first and second:
            stored = AvoidPair.objects.filter(season=self.instance.season)
            if stored.filter(first__in=[first, second], second__in=[first, second]).exists():
                self.add_error("second", _("This pair is listed already."))
        return data


ROW_FORMS = {"breaks": BreakForm, "days": AvoidDateForm, "pairs": AvoidPairForm}
ROWS = {"breaks": Break, "days": AvoidDate, "pairs": AvoidPair}


def teams_of(season: Season):
    """The teams of a season as a choice, by name."""
    return Team.objects.filter(division__season=season).order_by("search_name", "pk")


class ClubNightForm(forms.ModelForm):
    """A club's night and hall; a hall's name that is new makes the hall."""

    hall_name = forms.CharField(label=_("Hall"), max_length=100, required=False)

    class Meta:
        model = Club
        fields = ["club_night"]

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self.instance.hall is not None:
            self.initial["hall_name"] = self.instance.hall.name
        self.fields["hall_name"].widget.attrs["list"] = "halls"

    def clean_hall_name(self):
        return " ".join(self.cleaned_data["hall_name"].split())


ClubNights = modelformset_factory(Club, form=ClubNightForm, extra=0)
Halls = modelformset_factory(Venue, fields=["match_limit"], extra=0)


class DraftMatchForm(forms.Form):
    """What to change of one match of a draft."""

    day = forms.DateField(label=_("Day"), widget=day_input(), required=False)
    turned = forms.BooleanField(
        label=_("Turn it round"),
        required=False,
        help_text=_("The away side is at home, and the other way round in the return match."),
    )
    other = forms.ModelChoiceField(
        label=_("Change days with"), queryset=DraftMatch.objects.none(), required=False
    )

    def __init__(self, *args, match: DraftMatch, season: Season, **kwargs):
        super().__init__(*args, initial={"day": match.played_on}, **kwargs)
        self.match = match
        others = DraftMatch.objects.filter(division=match.division_id).exclude(pk=match.pk)
        self.fields["other"].queryset = others.select_related("home", "away").order_by(
            "played_on", "pk"
        )
        self.fields["other"].label_from_instance = lambda row: (
            f"{date_format(row.played_on, 'D j M')}, {row}"
        )

    def change(self) -> Change:
        """What was asked; the same day as before is no change."""
        data = self.cleaned_data
        day = data["day"] if data["day"] != self.match.played_on else None
        other = data["other"]
        return Change(day=day, turned=data["turned"], other=other and other.pk)
