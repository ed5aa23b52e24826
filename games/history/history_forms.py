"""What is typed to bring a card back."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.forms import ReasonField


class ReturnForm(forms.Form):
    """Why a card is to say again what it said before; the version that was seen goes along."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)
    reason = ReasonField(
        label=_("Why"),
        max_length=200,
        help_text=_("It stands in the history, for both sides to read."),
    )
