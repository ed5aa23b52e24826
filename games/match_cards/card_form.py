"""What is typed on a match card: one form for the card, and a plain formset of its boards."""

from datetime import date, timedelta

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.dates import date_format
from clubs.forms import ReasonField
from clubs.row_numbers import row_number
from games.models import DEFAULTS, Colour, Match, OrderException, Season, Unfinished
from games.season_office.office_forms import PointsField

from .card_checks import SIDES, Problem
from .card_entries import MAX_BOARDS, NewPlayer

NEW = "new"
NO_GAME = "no_game"
RESULTS = {"2": 2, "1": 1, "0": 0}
OUTCOMES = [*RESULTS, *(award.value for award in DEFAULTS), *Unfinished.values, NO_GAME]
NOT_A_DAY = gettext_lazy("That is not a day. Write it as 24/11/2026.")
# How far outside the season a match may have been played: a late start, a match put off.
GRACE = timedelta(days=90)


class NameField(forms.CharField):
    """A name typed for a player, refused in our own words."""

    default_error_messages = {
        "max_length": gettext_lazy("A name has at most 200 letters."),
        "null_characters_not_allowed": gettext_lazy("That is no name: write letters."),
    }


class PlayerChoice(forms.Field):
    """A picker's value: a pk as an int, `NEW`, or None for nobody.

    Anybody in the registry may be chosen, so whether there is such a pk is `record_card`'s check.
    """

    def clean(self, value):
        value = (value or "").strip()
        if value in ("", NEW):
            return value or None
        number = row_number(value)
        if number is None:
            raise forms.ValidationError(_("Choose a player from the list."))
        return number


class BoardForm(forms.Form):
    """One board as typed.

    `card_names.read_names` fills `who` (by side: a pk, a `NewPlayer`, or None), `candidates`
    (by side: the pks that a typed name may mean, each with his clubs in words), `may_be_new` (the
    sides whose name can be a new player's, and is none yet) and `problems`.
    """

    home = PlayerChoice(required=False)
    home_name = NameField(required=False, max_length=200)
    result = forms.ChoiceField(
        required=False, choices=[("", ""), *((outcome, outcome) for outcome in OUTCOMES)]
    )
    away = PlayerChoice(required=False)
    away_name = NameField(required=False, max_length=200)
    home_colour = forms.ChoiceField(required=False, choices=[("", ""), *Colour.choices])
    home_exception = forms.ChoiceField(required=False, choices=[("", ""), *OrderException.choices])
    away_exception = forms.ChoiceField(required=False, choices=[("", ""), *OrderException.choices])

    played_on = forms.DateField(required=False, error_messages={"invalid": NOT_A_DAY})
    award_home = PointsField(required=False)
    award_away = PointsField(required=False)
    award_reason = ReasonField(required=False, max_length=200)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.who: dict[str, int | NewPlayer | None] = dict.fromkeys(SIDES)
        self.candidates: dict[str, dict[int, str]] = {side: {} for side in SIDES}
        self.may_be_new: set[str] = set()
        self.problems: list[Problem] = []

    def value(self, name: str):
        """What the field holds: as read if it could be read, else as typed, else its initial."""
        if self.is_bound and name in self.cleaned_data:
            return self.cleaned_data[name]
        return self[name].value()

    def says(self, name: str) -> bool:
        """Whether the field arrived: one that was not on the page says nothing."""
        return self.add_prefix(name) in self.data

    def asked(self, side: str) -> str:
        """The text of which the page asked who it is; what is chosen beside it is the answer."""
        return self.data.get(self.add_prefix(f"{side}_asked"), "").strip()


def outside_season(day: date, season: Season) -> str:
    """That the day is too far outside the season to be one of its games; blank if it is not."""
    if season.starts_on - GRACE <= day < season.ends_on + GRACE:
        return ""
    return _("%(day)s is not in the season, which runs from %(first)s to %(last)s.") % {
        "day": date_format(day),
        "first": date_format(season.starts_on),
        "last": date_format(season.ends_on - timedelta(days=1)),
    }


BoardFormSet = forms.formset_factory(
    BoardForm, extra=0, max_num=MAX_BOARDS, absolute_max=MAX_BOARDS
)


class PlayedForm(forms.Form):
    """On which day a match was played: within its season, or where it stands already."""

    def __init__(self, *args, match: Match, **kwargs):
        super().__init__(*args, **kwargs)
        self.match = match

    def clean_played_on(self) -> date:
        day = self.cleaned_data["played_on"]
        outside = outside_season(day, self.match.division.season)
        if outside and day != self.match.played_on:
            raise forms.ValidationError(outside)
        return day


class ScoreForm(PlayedForm):
    """The score alone, before the boards."""

    version = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    home = PointsField()
    away = PointsField()
    played_on = forms.DateField(
        label=gettext_lazy("Played on"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": NOT_A_DAY},
    )

    def __init__(self, *args, match: Match, **kwargs):
        initial = {
            "version": match.version,
            "played_on": match.played_on,
            "home": match.stated_home,
            "away": match.stated_away,
        }
        super().__init__(*args, match=match, prefix="score", initial=initial, **kwargs)
        self.fields["home"].label = _("Points of %s") % match.home
        self.fields["away"].label = _("Points of %s") % match.away


class CardForm(PlayedForm):
    """What the card says of the match as a whole."""

    played_on = forms.DateField(
        label=gettext_lazy("Played on"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={
            "required": gettext_lazy("On which day was the match played?"),
            "invalid": NOT_A_DAY,
        },
    )
    toss = forms.ChoiceField(
        label=gettext_lazy("Toss for colours"),
        required=False,
        choices=[
            ("", gettext_lazy("not recorded")),
            ("odd", gettext_lazy("home had White on odd boards")),
            ("even", gettext_lazy("home had White on even boards")),
        ],
        error_messages={"invalid_choice": gettext_lazy("Choose how the toss fell.")},
    )

    def seen_version(self) -> int:
        """The version the typist saw; -1, which no match has, if it did not arrive."""
        text = self.data.get("version", "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1

    def home_white_on_odd(self) -> bool | None:
        """How the toss fell; None is not recorded."""
        toss = self.cleaned_data.get("toss") if self.is_bound else self["toss"].value()
        return {"odd": True, "even": False}.get(toss or "")
