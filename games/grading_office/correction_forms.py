"""What a grading officer types to correct a fact that ratings follow from."""

from datetime import date

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.forms import ReasonField, SearchField
from clubs.models import Player
from ratings.corrections import GameFacts
from ratings.lists import GRADED_POOLS
from ratings.models import OpeningRating, PoolName, RatedGame, System
from ratings.player_choice import FindsPlayers
from ratings.player_file import GRADES, RATINGS

from .grade_forms import EARLIEST_OPENING

EARLIEST = date(1850, 1, 1)
RESULTS = ((2, _("1–0, White won")), (1, _("½–½, a draw")), (0, _("0–1, Black won")))


class DayField(forms.DateField):
    """A day that has come, on the calendar of the browser."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.earliest, self.latest = EARLIEST, date.max

    def clean(self, value):
        day = super().clean(value)
        if day is not None and day > self.latest:
            raise forms.ValidationError(_("This day is still to come."))
        if day is not None and day < self.earliest:
            raise forms.ValidationError(
                _("Not before the year %(year)d.") % {"year": self.earliest.year}
            )
        return day


class FindForm(forms.Form):
    """The search of the corrections: a player."""

    q = SearchField(label=_("Player, by name or ECF code"), max_length=200)


class GameForm(FindsPlayers, forms.Form):
    """Another result, day or player of a rated game, or its removal; and why."""

    white_halves = forms.TypedChoiceField(label=_("Result"), choices=RESULTS, coerce=int)
    played_on = DayField(label=_("Played on"))
    white = SearchField(label=_("Another player with White"), max_length=200)
    black = SearchField(label=_("Another player with Black"), max_length=200)
    remove = forms.BooleanField(required=False)
    reason = ReasonField(
        label=_("Reason"),
        max_length=300,
        help_text=_("Kept with what the game was before."),
    )

    def __init__(self, data=None, *, game: RatedGame, on_card: bool, reader, today: date):
        initial = {"white_halves": game.white_halves, "played_on": game.played_on}
        super().__init__(data, initial=initial)
        self.game, self.reader, self.today = game, reader, today
        self.fields["played_on"].latest = today
        for side in ("white", "black"):
            stays = _("Name or ECF code; left empty it stays %(player)s.")
            self.fields[side].help_text = stays % {"player": getattr(game, side)}
        self.fields["remove"].label = _("Take the game out of the ledger")
        if on_card:
            self.fields["remove"].label = _("Take the result off the board")
            stay = _("Its players stay, and the match waits for a result.")
            self.fields["remove"].help_text = stay

    def clean_white(self) -> Player:
        return self._or_same("white")

    def clean_black(self) -> Player:
        return self._or_same("black")

    def clean(self):
        cleaned = super().clean()
        white, black = cleaned.get("white"), cleaned.get("black")
        if white is not None and white == black:
            self.add_error("black", _("Nobody plays himself."))
        return cleaned

    def facts(self) -> GameFacts | None:
        """What the game shall be; None for its removal."""
        typed = self.cleaned_data
        if typed["remove"]:
            return None
        return GameFacts(
            typed["played_on"], typed["white"].pk, typed["black"].pk, typed["white_halves"]
        )

    def chosen(self) -> list[tuple[str, int]]:
        """The players who were chosen among several, by the name of their hidden field."""
        if not self.is_bound:
            return []
        return [
            (f"{side}_id", player.pk)
            for side in ("white", "black")
            if isinstance(player := self.cleaned_data.get(side), Player) and self.data.get(side)
        ]

    def _or_same(self, side: str) -> Player:
        if not self.cleaned_data[side].strip():
            return getattr(self.game, side)
        return self.one_of(side)


class BirthDateForm(forms.Form):
    """A player's birth date, or none."""

    birth_date = DayField(
        label=_("Birth date"),
        required=False,
        help_text=_("Private. Left empty it is not known; the year stays as it is."),
    )

    def __init__(self, data=None, *, player: Player, today: date):
        super().__init__(data, initial={"birth_date": player.birth_date})
        self.fields["birth_date"].latest = today


class OpeningForm(forms.Form):
    """What opens a player's rating in one pool: a rating or a grade from outside, or none."""

    pool = forms.ChoiceField(label=_("Rate of play"), choices=PoolName.choices)
    system = forms.ChoiceField(
        label=_("What it is"),
        choices=[(System.ELO, _("a rating (four digits)")), (System.GRADE, _("a grade"))],
    )
    value = forms.IntegerField(
        label=_("Value"), required=False, widget=forms.NumberInput(attrs={"inputmode": "numeric"})
    )
    provisional = forms.BooleanField(
        label=_("Provisional: the first 30 games here count K 40"), required=False
    )
    dated_on = DayField(label=_("Date"), required=False)
    source = ReasonField(
        label=_("Where from"),
        max_length=200,
        required=False,
        help_text=_("For example: FIDE list of July 2019."),
    )
    remove = forms.BooleanField(label=_("Take it away"), required=False)

    def __init__(self, data=None, *, today: date, known: OpeningRating | None = None, **kwargs):
        super().__init__(data, initial=_as_typed(known) if known else None, **kwargs)
        self.fields["dated_on"].earliest, self.fields["dated_on"].latest = EARLIEST_OPENING, today

    def clean(self):
        cleaned = super().clean()
        if cleaned.get("remove"):
            return cleaned
        for name in ("dated_on", "source"):
            if not cleaned.get(name) and name not in self.errors:
                self.add_error(name, _("This is needed, unless it is taken away."))
        is_grade = cleaned.get("system") == System.GRADE
        if is_grade and cleaned.get("pool") not in GRADED_POOLS:
            self.add_error("system", _("There are grades at the standard and rapid rates alone."))
        least_to_most = GRADES if is_grade else RATINGS
        value = cleaned.get("value")
        if "value" not in self.errors and (value is None or value not in least_to_most):
            self.add_error(
                "value",
                _("A whole number from %(least)d to %(most)d.")
                % {"least": least_to_most[0], "most": least_to_most[-1]},
            )
        return cleaned

    def fact(self) -> dict:
        """As `ratings.people.correct_opening` takes it."""
        typed = self.cleaned_data
        value = typed["value"]
        if typed["remove"]:
            value = None
        elif typed["system"] == System.ELO:
            value *= 10
        return {
            "pool": typed["pool"],
            "system": typed["system"],
            "value": value,
            "provisional": typed["provisional"],
            "dated_on": typed["dated_on"],
            "source": typed["source"],
        }


def _as_typed(known: OpeningRating) -> dict:
    return {
        "pool": known.pool_id,
        "system": known.system,
        "value": known.value // 10 if known.system == System.ELO else known.value,
        "provisional": known.provisional,
        "dated_on": known.dated_on,
        "source": known.source,
    }
