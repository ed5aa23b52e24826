"""What the officer of a cup types: its rules, seeds, draws and decisions."""

import secrets

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.forms import ReasonField
from games.models import (
    CARD_RULE_TOPICS,
    CUP_RULE_TOPICS,
    Division,
    SettledBy,
    Team,
    TieDecision,
    usual_ways,
)
from games.season_office.office_forms import (
    DAY,
    HOW_IT_IS_PLAYED,
    NameField,
    RulesForm,
    TableOrderField,
)

from .cup_brackets import DrawnTie
from .cup_words import WAY_SENTENCES

MOST_LOTS = 1_000_000


class SettlingField(TableOrderField):
    """The ways to settle a level tie, each once; blanks between them are left out."""

    LENGTH = len(SettledBy)
    CHOICES = SettledBy


class CupForm(RulesForm):
    """A cup: its name, how it is played, how it is drawn and its ties are settled."""

    name = NameField(label=gettext_lazy("Name of the cup"), max_length=100)
    legs = forms.TypedChoiceField(
        label=gettext_lazy("Matches of a tie"),
        coerce=int,
        choices=[(1, gettext_lazy("one")), (2, gettext_lazy("two, at home and away"))],
        initial=1,
    )
    settling = SettlingField(
        label=gettext_lazy("A level tie is settled by"), initial=usual_ways, required=False
    )

    class Meta:
        model = Division
        fields = [
            *HOW_IT_IS_PLAYED[1],
            *(name for _title, names in (*CUP_RULE_TOPICS, *CARD_RULE_TOPICS) for name in names),
        ]

    TOPICS = (
        HOW_IT_IS_PLAYED,
        *CUP_RULE_TOPICS,
        *CARD_RULE_TOPICS,
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        said = [Division._meta.get_field("settling").help_text, *WAY_SENTENCES.values()]
        self.fields["settling"].help_text = " ".join(map(str, said))


class SeedsForm(forms.Form):
    """A number for each seeded team of a cup, 1 the strongest; the others have none."""

    def __init__(self, *args, teams: list[Team], **kwargs):
        super().__init__(*args, **kwargs)
        self.teams = teams
        for team in teams:
            self.fields[f"team_{team.pk}"] = forms.IntegerField(
                label=team.name,
                required=False,
                min_value=1,
                max_value=999,
                initial=team.seed,
                widget=forms.NumberInput(attrs={"class": "short"}),
            )

    def seeds(self) -> dict[int, int | None]:
        """The seed of each team by its pk."""
        return {team.pk: self.cleaned_data[f"team_{team.pk}"] for team in self.teams}


class DrawForm(forms.Form):
    """The next round: the day of each match of a tie, and the number that the draw follows."""

    number = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=32_000)

    def __init__(self, *args, legs: int, has_lot: bool, **kwargs):
        super().__init__(*args, **kwargs)
        names = (
            [_("Day of the matches")] if legs == 1 else [_("Day at home"), _("Day of the return")]
        )
        for leg, name in enumerate(names, 1):
            self.fields[f"day_{leg}"] = forms.DateField(
                label=name,
                required=False,
                widget=DAY,
                help_text=_("Blank: no date yet.") if leg == 1 else "",
            )
        self.legs = legs
        if has_lot:
            self.fields["lot"] = forms.IntegerField(
                label=_("Number of the draw"),
                min_value=0,
                max_value=MOST_LOTS - 1,
                initial=lambda: secrets.randbelow(MOST_LOTS),
                help_text=_(
                    "The draw follows from it and from the names of the teams, so it can be "
                    "worked out again; take one that witnesses have seen, or leave this."
                ),
            )

    def days(self):
        """The day of each leg, None where it is not fixed."""
        return [self.cleaned_data[f"day_{leg}"] for leg in range(1, self.legs + 1)]


class TieForm(forms.Form):
    """What the officer decides of a tie: who goes through, by what, and why."""

    winner = forms.TypedChoiceField(label=gettext_lazy("Who goes through"), coerce=int)
    decided_by = forms.ChoiceField(label=gettext_lazy("By"), choices=TieDecision.choices)
    reason = ReasonField(
        label=gettext_lazy("Reason"),
        max_length=240,
        required=False,
        help_text=gettext_lazy("Everybody reads it in the bracket. A toss needs none."),
    )

    def __init__(self, *args, tie: DrawnTie, **kwargs):
        super().__init__(*args, **kwargs)
        sides = [team for team in (tie.home, tie.away) if team is not None]
        self.fields["winner"].choices = [(team.pk, team.name) for team in sides]


class ReplayForm(forms.Form):
    """The day of a replay."""

    day = forms.DateField(
        label=gettext_lazy("Day"),
        required=False,
        widget=DAY,
        help_text=gettext_lazy("Blank: no date yet."),
    )
