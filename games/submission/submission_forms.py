"""What an officer types before a file goes to the rating officer."""

import re

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, Player
from clubs.names import ecf_code_ok, fold, is_ecf_code, tidy
from clubs.sheets import refusal
from games.season_office.office_forms import DAY, NameField, PersonNameField

_EVENT_CODE = re.compile(r"[A-Z0-9]{1,20}")
_MEMBERSHIP = re.compile(r"[A-Z]{0,3}[0-9]{1,9}")


class AddressField(forms.CharField):
    """Lines of an address: what is written, without blank lines and control characters."""

    widget = forms.Textarea(attrs={"rows": 3})

    def clean(self, value):
        text = super().clean(value)
        try:
            lines = [tidy(line) for line in text.splitlines()]
        except ValueError as error:
            raise forms.ValidationError(refusal(error)) from error
        return "\n".join(line for line in lines if line)


class EventForm(forms.Form):
    """What an event is called at the rating officer's, and who answers for it."""

    code = forms.CharField(
        label=gettext_lazy("Event code"),
        max_length=20,
        help_text=gettext_lazy(
            "As the rating officer gave it, like ZZ26LGE. It names the file, and stays once one"
            " was sent."
        ),
    )
    name = NameField(label=gettext_lazy("Name of the event"), max_length=100)
    results_officer = NameField(label=gettext_lazy("Results officer"), max_length=100)
    results_officer_address = AddressField(
        label=gettext_lazy("Address of the results officer"),
        max_length=500,
        help_text=gettext_lazy("Post or e-mail, a line a line."),
    )
    treasurer = NameField(
        label=gettext_lazy("Treasurer"),
        max_length=100,
        help_text=gettext_lazy("Who gets the bill for the games."),
    )
    treasurer_address = AddressField(label=gettext_lazy("Address of the treasurer"), max_length=500)

    def clean_code(self):
        code = self.cleaned_data["code"].upper()
        if not _EVENT_CODE.fullmatch(code):
            raise forms.ValidationError(_("An event code is letters and digits, like ZZ26LGE."))
        return code


class PlayerCodesForm(forms.Form):
    """What the federation knows a player by; `club` is asked only of one who has none."""

    surname = PersonNameField(label=gettext_lazy("Surname"), max_length=100)
    forenames = PersonNameField(label=gettext_lazy("Forenames"), max_length=100, required=False)
    ecf_code = forms.CharField(
        label=gettext_lazy("ECF code"),
        max_length=7,
        required=False,
        help_text=gettext_lazy("Six digits and a letter, like 900101D."),
    )
    keep_code = forms.BooleanField(
        label=gettext_lazy("The letter is right all the same"), required=False
    )
    membership_number = forms.CharField(
        label=gettext_lazy("Membership number"), max_length=12, required=False
    )
    membership_expires_on = forms.DateField(
        label=gettext_lazy("Membership expires on"), required=False, widget=DAY
    )
    club = forms.ModelChoiceField(
        Club.objects.order_by("search_name"), label=gettext_lazy("Club"), required=False
    )

    def __init__(self, *args, player: Player, has_club: bool, **kwargs):
        super().__init__(*args, **kwargs)
        self.player = player
        if has_club:
            del self.fields["club"]

    def clean_surname(self):
        surname = self.cleaned_data["surname"]
        if not any(letter.isalpha() for letter in fold(surname)):
            raise forms.ValidationError(_("A surname needs a letter."))
        return surname

    def clean_membership_number(self):
        number = "".join(self.cleaned_data["membership_number"].split()).upper()
        if number and not _MEMBERSHIP.fullmatch(number):
            raise forms.ValidationError(_("A membership number is digits, like ME012345."))
        return number or None

    def clean(self):
        code = (self.cleaned_data.get("ecf_code") or "").strip().upper() or None
        self.cleaned_data["ecf_code"] = code
        if code is not None and not is_ecf_code(code):
            words = _("An ECF code is six digits and a letter (A–L, no I), like 123456A.")
            self.add_error("ecf_code", words)
        elif (
            code not in (None, self.player.ecf_code)
            and not ecf_code_ok(code)
            and not self.cleaned_data.get("keep_code")
        ):
            sentence = _("The letter does not fit the digits. If it is right, tick the box.")
            self.add_error("ecf_code", sentence)
        return self.cleaned_data
