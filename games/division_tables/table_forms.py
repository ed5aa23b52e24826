"""What a reader may ask of a table."""

from django import forms
from django.utils.translation import gettext_lazy as _


class DayForm(forms.Form):
    """The day on which the table is wanted; blank is today."""

    on = forms.DateField(
        label=_("As it stood on"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
        error_messages={"invalid": _("Not a day: write it as 2026-11-24.")},
    )
