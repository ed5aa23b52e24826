"""What a grading officer types: a reason for a revision, an opening grade."""

from datetime import date

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.forms import ReasonField
from ratings.lists import GRADED_POOLS
from ratings.models import GradeRuleSet, PoolName
from ratings.player_file import GRADES

EARLIEST_OPENING = date(1900, 1, 1)
LONGEST_WAIT = 150
"""Days a list may wait; the next cutoff is 181 days away at the nearest."""


class RevisionForm(forms.Form):
    """Why a published list is revised; everybody reads it on the list."""

    reason = ReasonField(
        label=_("Reason"),
        max_length=300,
        help_text=_("Stands on the revised list for everybody: what was wrong, and where."),
    )


class ListRulesForm(forms.Form):
    """How the lists of a pool are made, from the next one on."""

    grade_rules = forms.ChoiceField(label=_("Which games count"), choices=GradeRuleSet.choices)
    publish_after_days = forms.IntegerField(
        label=_("Days from the cutoff until a list is published by itself"),
        min_value=0,
        max_value=LONGEST_WAIT,
        help_text=_("0 publishes it at the cutoff."),
    )
    juniors_start_anew = forms.BooleanField(
        label=_("Juniors are treated as ungraded in each list"),
        required=False,
        help_text=_("Those under 18 whose birth date is known."),
    )


class OpeningGradeForm(forms.Form):
    """A grade from outside, with its date up to `today` and where it is from."""

    pool = forms.ChoiceField(
        label=_("Rate of play"), choices=[(name, PoolName(name).label) for name in GRADED_POOLS]
    )
    grade = forms.IntegerField(
        label=_("Grade"),
        min_value=GRADES[0],
        max_value=GRADES[-1],
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    dated_on = forms.DateField(
        label=_("Date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_(
            "It is in force from the half-year that holds this day until the player’s first"
            " published grade, and counts on lists of the 36 months after it."
        ),
    )
    source = ReasonField(
        label=_("Where from"),
        max_length=200,
        help_text=_("For example: ECF list of July 2019, or: estimate of the officer."),
    )

    def __init__(self, *args, today, **kwargs):
        super().__init__(*args, **kwargs)
        self.today = today

    def clean_dated_on(self):
        day = self.cleaned_data["dated_on"]
        if day > self.today:
            raise forms.ValidationError(_("This day is still to come."))
        if day < EARLIEST_OPENING:
            raise forms.ValidationError(_("No grade is of before %s.") % EARLIEST_OPENING.year)
        return day
