"""What narrows a list of ratings."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.forms import ClubField, SearchField

from .models import PoolName


class LiveListForm(forms.Form):
    """The filters of the live Elo list, all of them in the address."""

    q = SearchField(label=_("Name or ECF code"))
    club = ClubField()
    pool = forms.ChoiceField(label=_("Rate of play"), choices=PoolName.choices, required=False)

    def clean_pool(self):
        return PoolName(self.cleaned_data["pool"] or PoolName.STANDARD)
