"""Forms about a match: another day, and what the officer decides."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.forms import ReasonField
from games.fixture_lists.fixture_forms import day_input
from games.models import DefaultedBy, Match
from games.result_files.reading import read_score


class NewDayForm(forms.Form):
    """Another day for a match, or none yet."""

    day = forms.DateField(
        label=_("New date"),
        required=False,
        widget=day_input(),
        help_text=_("Blank: postponed without a new date yet."),
    )
    reason = ReasonField(label=_("Reason"), max_length=300, required=False)


class DisputeForm(forms.Form):
    """A word on a card: the version it is about, and with a dispute its reason."""

    version = forms.IntegerField(required=False)
    reason = ReasonField(max_length=300, required=False)


class ReasonForm(forms.Form):
    """The reason of a decision."""

    reason = ReasonField(label=_("Reason"), max_length=300)


class AwardForm(ReasonForm):
    """The score that a match is awarded with."""

    home = forms.CharField(max_length=6)
    away = forms.CharField(max_length=6)
    defaulted_by = forms.ChoiceField(
        label=_("Not turned up"),
        required=False,
        help_text=_("If that is why: the division’s rules for defaulted matches hold then."),
    )
    field_order = ["home", "away", "defaulted_by", "reason"]

    def __init__(self, *args, match: Match, **kwargs):
        super().__init__(*args, **kwargs)
        self.match = match
        self.fields["home"].label = _("Points of %s") % match.home
        self.fields["away"].label = _("Points of %s") % match.away
        self.fields["defaulted_by"].choices = [
            ("", _("nobody: another reason")),
            (DefaultedBy.HOME, match.home.name),
            (DefaultedBy.AWAY, match.away.name),
            (DefaultedBy.BOTH, _("both sides")),
        ]

    def clean_home(self):
        return self._halves("home")

    def clean_away(self):
        return self._halves("away")

    def clean_defaulted_by(self):
        return self.cleaned_data["defaulted_by"] or None

    def _halves(self, side: str) -> int:
        try:
            return read_score(self.cleaned_data[side])
        except ValueError:
            raise ValidationError(_("Points like 4, 2½ or 2.5.")) from None
