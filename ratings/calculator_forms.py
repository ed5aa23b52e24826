"""What is typed into the calculators; all of it is in the address, so that a link shares it."""

from datetime import date, timedelta

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from clubs.forms import SearchField
from clubs.models import Player

from . import calculators
from .models import PoolName, RatingPool
from .outlook import outlook
from .player_choice import FindsPlayers

NEXT_WEEK = timedelta(days=7)

RESULTS = (("win", _("Win")), ("draw", _("Draw")), ("loss", _("Loss")))
HALVES = {"win": 2, "draw": 1, "loss": 0}


class WholeField(forms.IntegerField):
    """A whole number between two; one message says which."""

    widget = forms.TextInput

    def __init__(self, *, least: int, most: int, **kwargs):
        said = _("A whole number from %(least)s to %(most)s.") % {"least": least, "most": most}
        messages = dict.fromkeys(("required", "invalid", "min_value", "max_value"), said)
        super().__init__(min_value=least, max_value=most, error_messages=messages, **kwargs)

    def widget_attrs(self, widget):
        return {"inputmode": "numeric", "autocomplete": "off", "size": 6}


class RatingField(WholeField):
    """A rating in whole points."""

    def __init__(self, **kwargs):
        super().__init__(least=0, most=4000, **kwargs)


class GradeField(WholeField):
    """A grade; the true value of a weak one may be negative."""

    def __init__(self, **kwargs):
        super().__init__(least=-100, most=350, **kwargs)

    def widget_attrs(self, widget):
        return {"autocomplete": "off", "size": 6}


class ResultField(forms.ChoiceField):
    """A result from the own side, cleaned to half-points."""

    def __init__(self, **kwargs):
        messages = dict.fromkeys(("required", "invalid_choice"), _("Win, draw or loss."))
        super().__init__(label=_("Result"), choices=RESULTS, error_messages=messages, **kwargs)

    def clean(self, value):
        return HALVES[super().clean(value)]


class Calculator(forms.Form):
    """A form of GET that works an example until somebody types; `name` is also its anchor.

    What the address leaves out is as in the example.
    """

    name: str
    title: str
    example: dict[str, str]
    wide: tuple[str, ...] = ()
    choices: list[tuple[forms.BoundField, list[Player]]] = []
    works_example = True

    def __init__(self, address):
        typed = {key: value for key, value in address.items() if key.startswith(f"{self.name}-")}
        example = {f"{self.name}-{key}": value for key, value in self.example.items()}
        data = {**example, **typed} if typed or self.works_example else None
        super().__init__(data, prefix=self.name, initial=self.example)

    def work_out(self):
        """The answer to what was typed, None while something is wrong with it."""
        return self.answer(**self.cleaned_data) if self.is_valid() else None

    def answer(self, **cleaned):
        raise NotImplementedError


class ExpectedForm(Calculator):
    """Two ratings."""

    name = "expected"
    title = _("Expected score")
    example = {"own": "1500", "opponent": "1700"}

    own = RatingField(label=_("Your rating"))
    opponent = RatingField(label=_("Opponent’s rating"))

    def answer(self, own, opponent):
        return calculators.expected(own, opponent)


class ChangeForm(Calculator):
    """A game between two ratings, and a K."""

    name = "change"
    title = _("What a game changes")
    example = {"own": "1500", "opponent": "1700", "result": "win", "k": "20"}

    own = RatingField(label=_("Your rating"))
    opponent = RatingField(label=_("Opponent’s rating"))
    result = ResultField()
    k = WholeField(label=_("K"), least=1, most=100)

    def answer(self, own, opponent, result, k):
        return calculators.changed(own, opponent, result, k)


class EcfGameForm(Calculator):
    """A game between two grades."""

    name = "ecf"
    title = _("A game between two grades")
    example = {"own": "160", "opponent": "100", "result": "win"}

    own = GradeField(label=_("Your grade"))
    opponent = GradeField(label=_("Opponent’s grade"))
    result = ResultField()

    def answer(self, own, opponent, result):
        return calculators.both_sides(own, opponent, result)


class GradeScaleForm(Calculator):
    """A grade to be read as a rating."""

    name = "grade"
    title = _("A grade as a rating")
    example = {"value": "160"}

    value = GradeField(label=_("Grade"))

    def answer(self, value):
        return calculators.from_grade(value)


class RatingScaleForm(Calculator):
    """A four-digit ECF rating to be read as a grade."""

    name = "rating"
    title = _("A rating as a grade")
    example = {"value": "1900"}

    value = RatingField(label=_("ECF rating"))

    def answer(self, value):
        return calculators.from_rating(value)


class NextGameForm(FindsPlayers, Calculator):
    """Two players, a rate of play and a result; where a name fits several, one is chosen.

    The public finds nobody whose name is hidden.
    """

    name = "next"
    title = _("What a result next week would do to me")
    wide = ("player", "opponent")
    works_example = False
    example = {"pool": PoolName.STANDARD, "result": "win"}

    player = SearchField(label=_("You (name or ECF code)"))
    opponent = SearchField(label=_("Opponent (name or ECF code)"))
    pool = forms.ChoiceField(
        label=_("Rate of play"),
        choices=PoolName.choices,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), _("One of the rates of play.")
        ),
    )
    result = ResultField()

    def __init__(self, address, *, reader, today: date):
        super().__init__(address)
        self.reader, self.today = reader, today

    def answer(self, player, opponent, pool, result):
        return outlook(
            player=player,
            opponent=opponent,
            pool=RatingPool.objects.get(pk=pool),
            halves=result,
            played_on=self.today + NEXT_WEEK,
        )

    def clean_player(self):
        return self.one_of("player")

    def clean_opponent(self):
        return self.one_of("opponent")

    def clean(self):
        cleaned = super().clean()
        player, opponent = cleaned.get("player"), cleaned.get("opponent")
        if player is not None and player == opponent:
            self.add_error("opponent", _now("Nobody plays himself."))
        return cleaned
