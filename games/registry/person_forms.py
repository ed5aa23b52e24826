"""What an officer or a secretary types of a person in the registry."""

import base64

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, Gender, Player
from clubs.names import is_ecf_code
from games.season_office.office_forms import DAY, NameField, PersonNameField

from .person_changes import FACTS

LARGEST_LIST = 256 * 1024
OLDEST = 1900
YES_NO = {"true": True, "false": False}


class PersonForm(forms.Form):
    """The facts of a person: names, codes, what is private, and whether the name may be shown.

    A page of a stored `player` says which facts it showed, so that only those are changed that
    somebody changed on it.
    """

    surname = PersonNameField(label=gettext_lazy("Surname"), max_length=100)
    forenames = PersonNameField(label=gettext_lazy("Forenames"), max_length=100, required=False)
    ecf_code = forms.CharField(
        label=gettext_lazy("ECF code"),
        max_length=20,
        required=False,
        help_text=gettext_lazy("Six digits and a letter, like 123456A."),
    )
    fide_id = forms.IntegerField(
        label=gettext_lazy("FIDE number"), required=False, min_value=1, max_value=999_999_999
    )
    membership_number = NameField(
        label=gettext_lazy("Membership number"), max_length=12, required=False
    )
    membership_expires_on = forms.DateField(
        label=gettext_lazy("Membership expires on"), required=False, widget=DAY
    )
    title = NameField(label=gettext_lazy("Title"), max_length=4, required=False)
    federation = NameField(
        label=gettext_lazy("Federation"),
        max_length=3,
        required=False,
        help_text=gettext_lazy("Three letters, like ENG."),
    )
    gender = forms.ChoiceField(
        label=gettext_lazy("Gender"),
        required=False,
        choices=[("", "–"), *Gender.choices],
    )
    birth_year = forms.IntegerField(
        label=gettext_lazy("Year of birth"),
        required=False,
        min_value=OLDEST,
        help_text=gettext_lazy("Never shown to the public."),
    )
    name_consent = forms.ChoiceField(
        label=gettext_lazy("May the name be shown?"),
        required=False,
        choices=[
            ("", gettext_lazy("not asked")),
            ("true", gettext_lazy("yes")),
            ("false", gettext_lazy("no")),
        ],
        help_text=gettext_lazy(
            "Of players under 18 the public reads “Junior player” until somebody said yes."
        ),
    )

    def __init__(self, *args, player: Player | None = None, **kwargs):
        if player is not None:
            kwargs["initial"] = {name: getattr(player, name) for name in FACTS} | {
                "name_consent": {True: "true", False: "false"}.get(player.name_consent, "")
            }
        super().__init__(*args, **kwargs)
        if player is None:
            return
        for field in self.fields.values():
            field.show_hidden_initial = True
        if player.birth_date is not None:
            self.fields["birth_year"].disabled = True
            self.fields["birth_year"].help_text = _("The date of birth is known.")

    def clean_ecf_code(self):
        code = self.cleaned_data["ecf_code"].strip().upper()
        if code and not is_ecf_code(code):
            raise forms.ValidationError(
                _("An ECF code is six digits and a letter (A–L, no I), like 123456A.")
            )
        return code or None

    def clean_membership_number(self):
        return self.cleaned_data["membership_number"] or None

    def clean_gender(self):
        return self.cleaned_data["gender"] or None

    def clean_federation(self):
        return self.cleaned_data["federation"].upper()

    def clean_title(self):
        return self.cleaned_data["title"].upper()

    def clean_name_consent(self):
        return YES_NO.get(self.cleaned_data["name_consent"])

    def clean_birth_year(self):
        year = self.cleaned_data["birth_year"]
        if year is not None and year > timezone.localdate().year:
            raise forms.ValidationError(_("That year is still to come."))
        return year

    def facts(self) -> dict:
        """What was typed, by column; the form is valid."""
        return {name: self.cleaned_data[name] for name in FACTS}

    def changes(self) -> dict:
        """Those of the facts that are not as the page showed them."""
        changed = set(self.changed_data)
        return {name: value for name, value in self.facts().items() if name in changed}


class NewPersonForm(PersonForm):
    """A new person, and the club he joins."""

    club = forms.ModelChoiceField(
        label=gettext_lazy("Club"), queryset=Club.objects.none(), required=False
    )
    starts_on = forms.DateField(label=gettext_lazy("Member from"), required=False, widget=DAY)

    field_order = ["surname", "forenames", "club", "starts_on", "ecf_code"]

    def __init__(self, *args, clubs, club_is_needed: bool, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["club"].queryset = clubs
        self.fields["club"].required = club_is_needed

    def clean_starts_on(self):
        return self.cleaned_data["starts_on"] or timezone.localdate()


class TransferForm(forms.Form):
    """From which of these `clubs` to which, and from when on."""

    leaves = forms.ModelChoiceField(
        label=gettext_lazy("Leaves"),
        queryset=Club.objects.none(),
        required=False,
        empty_label=gettext_lazy("no club"),
    )
    joins = forms.ModelChoiceField(
        label=gettext_lazy("Joins"),
        queryset=Club.objects.none(),
        required=False,
        empty_label=gettext_lazy("no club"),
        help_text=gettext_lazy(
            "Here stand the clubs that you look after. Another club takes him in itself: whoever"
            " looks after it types his name at “Add a player” and chooses him there."
        ),
    )
    on = forms.DateField(label=gettext_lazy("From"), widget=DAY)

    def __init__(self, *args, player: Player, clubs, **kwargs):
        super().__init__(*args, **kwargs)
        members = player.memberships.filter(ends_on=None).values("club")
        self.fields["leaves"].queryset = clubs.filter(pk__in=members)
        self.fields["joins"].queryset = clubs

    @property
    def clubs(self) -> dict[str, int | None]:
        """The pks of the club he leaves and of the one he joins; the form is valid."""
        chosen = ((name, self.cleaned_data[name]) for name in ("leaves", "joins"))
        return {name: club and club.pk for name, club in chosen}

    def clean(self):
        data = super().clean()
        if not self.errors and data["leaves"] is None and data["joins"] is None:
            raise forms.ValidationError(_("Choose the club he leaves, the one he joins, or both."))
        return data


class EraseForm(forms.Form):
    """Two confirmations: the name written out, and that nothing brings it back."""

    name = forms.CharField(label=gettext_lazy("His name, written out"), max_length=210)
    sure = forms.BooleanField(
        label=gettext_lazy("I know that nothing brings it back"),
        error_messages={"required": gettext_lazy("Tick it: nothing brings it back.")},
    )

    def __init__(self, *args, player: Player, **kwargs):
        super().__init__(*args, **kwargs)
        self.player = player
        self.fields["name"].widget.attrs["autocomplete"] = "off"

    def clean_name(self):
        name = " ".join(self.cleaned_data["name"].split())
        if name != str(self.player):
            raise forms.ValidationError(_("Write the name as it stands above."))
        return name


class ClubFileForm(forms.Form):
    """A club's list as a CSV file, or the same once more as it was looked at: `content`."""

    file = forms.FileField(label=gettext_lazy("CSV file"), required=False)
    text = forms.CharField(required=False, widget=forms.HiddenInput)

    content = b""

    def clean(self):
        data = super().clean()
        if not self.errors:
            try:
                self.content = self._read(data["file"], data["text"])
            except forms.ValidationError as error:
                self.add_error("file", error)
        return data

    @property
    def seen(self) -> str:
        """The file as the next page sends it back."""
        return base64.b64encode(self.content).decode()

    def _read(self, file, text: str) -> bytes:
        if file is None and not text:
            raise forms.ValidationError(_("Choose a file."))
        if file is None:
            try:
                return base64.b64decode(text, validate=True)
            except ValueError as error:
                raise forms.ValidationError(_("Choose the file once more.")) from error
        if file.size > LARGEST_LIST:
            words = _("The file is larger than %d KB: a club’s list is not.")
            raise forms.ValidationError(words % (LARGEST_LIST // 1024))
        return file.read()
