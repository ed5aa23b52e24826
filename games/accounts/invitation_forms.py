"""What is typed around an invitation: whom it goes to, and who accepts it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.forms import CODE_INPUT
from clubs.sheets import plain_text, refusal


def name_typed(text: str) -> str:
    """A person's name, tidied; raises ValidationError for a formula or control characters."""
    try:
        return plain_text(text, length=100)
    except ValueError as error:
        raise forms.ValidationError(refusal(error)) from None


class InvitationForm(forms.Form):
    """Whom an invitation is for; either may be left out, since the link can be copied."""

    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        required=False,
        help_text=_("So that you know later whose link it was."),
    )
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("We mail the link. Without an address you copy it into a message yourself."),
    )

    def clean_name(self):
        return name_typed(self.cleaned_data["name"])

    def clean_email(self):
        return self.cleaned_data["email"].lower()


class AcceptForm(forms.Form):
    """Who accepts without being logged in: an address that is his, and his name."""

    email = forms.EmailField(
        label=_("E-mail address"),
        widget=forms.EmailInput(attrs={"autocomplete": "email", "inputmode": "email"}),
        help_text=_("We send a code to it. If you have an account, take its address."),
    )
    name = forms.CharField(
        label=_("Your name"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def clean_name(self):
        return name_typed(self.cleaned_data["name"])

    def clean_email(self):
        return self.cleaned_data["email"].lower()


class CodeForm(forms.Form):
    """The code that came by mail."""

    code = forms.CharField(label=_("Code"), max_length=20, widget=forms.TextInput(attrs=CODE_INPUT))
