"""What narrows a list of ratings or grades."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.dates import date_format
from clubs.forms import ClubField, SearchField

from .ecf import PRESETS
from .lists import GRADED_POOLS
from .models import PoolName

NO_CATEGORY = "none"
CATEGORIES = sorted({each.letter for rules in PRESETS.values() for each in rules.categories})


class LiveListForm(forms.Form):
    """The filters of the live Elo list, all of them in the address."""

    q = SearchField(label=_("Name or ECF code"))
    club = ClubField()
    pool = forms.ChoiceField(label=_("Rate of play"), choices=PoolName.choices, required=False)

    def clean_pool(self):
        return PoolName(self.cleaned_data["pool"] or PoolName.STANDARD)


class GradePoolField(forms.ChoiceField):
    """One of the two rates of play that have grades; standard unless the address says so."""

    def __init__(self, **kwargs):
        choices = [(pool.value, pool.label) for pool in GRADED_POOLS]
        super().__init__(label=_("Rate of play"), choices=choices, required=False, **kwargs)

    def clean(self, value):
        return PoolName(super().clean(value) or PoolName.STANDARD)


class GradeListForm(forms.Form):
    """The filters of a grade list, all of them in the address.

    `revision` is no filter: it says which of the list's documents to read.
    """

    q = SearchField(label=_("Name or ECF code"))
    club = ClubField()
    category = forms.ChoiceField(
        label=_("Category"),
        choices=[
            ("", _("All")),
            *((letter, letter) for letter in CATEGORIES),
            (NO_CATEGORY, _("None")),
        ],
        required=False,
    )
    pool = GradePoolField()
    juniors = forms.BooleanField(label=_("Juniors only"), required=False)
    changed = forms.BooleanField(label=_("Changed"), required=False)
    revision = forms.IntegerField(
        label=_("Revision"), widget=forms.HiddenInput, min_value=0, max_value=9999, required=False
    )

    def offer(self, grade_list) -> None:
        """Offer what this list can hold: the categories of its rules."""
        rules = PRESETS.get(grade_list.rules)
        if rules is not None:
            known = {each.letter for each in rules.categories} | {"", NO_CATEGORY}
            field = self.fields["category"]
            field.choices = [choice for choice in field.choices if choice[0] in known]


class ComparisonForm(forms.Form):
    """Which two lists of a pool to lay side by side, and whose rows.

    Without an answer it is the newest list and the one before it; `lists` holds the pool's lists
    by their cutoffs, the newest first.
    """

    q = SearchField(label=_("Name or ECF code"))
    pool = GradePoolField()
    club = ClubField()

    def __init__(self, data, lists):
        self.lists = {grade_list.cutoff.isoformat(): grade_list for grade_list in lists}
        days = list(self.lists)
        data = data.copy()
        for name, day in zip(("to", "from"), days, strict=False):
            if not data.get(name):
                data[name] = day
        super().__init__(data)
        choices = [(day, date_format(made.cutoff, "j M Y")) for day, made in self.lists.items()]
        for name, label in (("from", _("From")), ("to", _("To"))):
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False)
        self.order_fields(["q", "from", "to", "pool", "club"])

    def chosen(self, name: str):
        """The list of `from` or `to`; None where the pool has no such list."""
        return self.lists.get(self.cleaned_data.get(name))


class RisersForm(forms.Form):
    """Whose rows of the biggest risers."""

    q = SearchField(label=_("Name or ECF code"))
    pool = GradePoolField()
    club = ClubField()
