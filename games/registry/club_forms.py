"""What a secretary or a league's officer types of a club."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Venue
from games.season_office.office_forms import NameField


class ClubForm(forms.ModelForm):
    """A club: its name, its night and hall, how to get there, whom to ask."""

    name = NameField(label=_("Name of the club"), max_length=100)
    hall = forms.CharField(
        label=_("Hall"),
        max_length=100,
        required=False,
        help_text=_("Clubs that share a hall give it one name. Blank: rooms of the club’s own."),
    )
    match_limit = forms.IntegerField(
        label=_("Matches a night in that hall"),
        min_value=0,
        max_value=99,
        required=False,
        help_text=_("Of all clubs that share it. Blank: any number."),
    )

    class Meta:
        model = Club
        fields = [
            *("name", "club_night", "start_time", "hall", "match_limit", "venue", "access"),
            *("contact_name", "contact_email", "contact_phone", "code"),
        ]
        labels = {
            "venue": _("Address of the venue"),
            "access": _("How to get in"),
            "contact_name": _("Whom to ask"),
            "contact_email": _("E-mail"),
            "contact_phone": _("Phone"),
        }
        help_texts = {
            "access": _("Steps, parking, the bell to ring."),
            "contact_email": _("Only those who are logged in see e-mail and phone."),
        }
        widgets = {
            "venue": forms.Textarea(attrs={"rows": 3}),
            "access": forms.Textarea(attrs={"rows": 2}),
            "start_time": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        }

    def __init__(self, *args, instance: Club | None = None, **kwargs):
        hall = instance and instance.hall
        given = {"hall": hall.name, "match_limit": hall.match_limit} if hall else {}
        super().__init__(*args, instance=instance, **kwargs)
        self.initial |= {"hall": "", "match_limit": None} | given
        self.fields["hall"].widget.attrs["list"] = "halls"

    @property
    def halls(self) -> list[str]:
        """The names of the halls there are, to choose from."""
        return list(Venue.objects.values_list("name", flat=True))

    def clean_hall(self):
        return " ".join(self.cleaned_data["hall"].split())

    def clean_code(self):
        code = self.cleaned_data["code"]
        return code.strip().upper() if code and code.strip() else None

    def clean(self):
        data = super().clean()
        if data.get("match_limit") is not None and not data.get("hall"):
            self.add_error("hall", _("Which hall holds so many? Its name is missing."))
        return data

    def _post_clean(self):
        """The workflow checks and stores; the instance stays as it is."""
