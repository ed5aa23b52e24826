"""What is typed: what a form is bound to, and fields that several pages have."""

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

from .models import Club
from .names import visible

# Of a field for a code: a phone shows its digits, and offers the code that has just come.
CODE_INPUT = {
    "inputmode": "numeric",
    "autocomplete": "one-time-code",
    "maxlength": 20,
    "autofocus": True,
    "class": "code",
}


def sent(request: HttpRequest) -> QueryDict | None:
    """What a form is bound to: nothing until it was sent."""
    return request.POST if request.method == "POST" else None


class SearchField(forms.CharField):
    """Words to search for; a NUL byte is a blank like any other, and no length is an error."""

    def __init__(self, **kwargs):
        super().__init__(required=False, **kwargs)
        self.widget.attrs["autocomplete"] = "off"

    def to_python(self, value):
        return super().to_python((value or "").replace("\x00", " "))


class ReasonField(forms.CharField):
    """Why something is done, in words that others read: what is invisible is as good as empty."""

    def to_python(self, value):
        return visible(super().to_python(value))


class ClubField(forms.ModelChoiceField):
    """One club, or all; the address says its slug."""

    def __init__(self, **kwargs):
        super().__init__(
            Club.objects.order_by("search_name"),
            required=False,
            to_field_name="slug",
            empty_label=_("All clubs"),
            label=_("Club"),
            **kwargs,
        )


class ClubListForm(forms.Form):
    """The search of the list of clubs."""

    q = SearchField(label=_("Name of the club"))
