"""What an officer decides on a division during the season: points, withdrawals, play-offs."""

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.forms import ReasonField
from games.models import Division, Team, TeamState
from games.season_office.office_forms import DAY, PointsField

MOST_POINTS = 100
PLAY_OFF_TEAMS = 4


class DayField(forms.DateField):
    """A day, today unless another is typed."""

    def __init__(self, **kwargs):
        super().__init__(widget=DAY, initial=timezone.localdate, **kwargs)


class TeamChoice(forms.ModelChoiceField):
    """One of the teams that the form is given."""

    def __init__(self, **kwargs):
        super().__init__(queryset=Team.objects.none(), **kwargs)

    def label_from_instance(self, obj):
        return obj.name


class AdjustmentForm(forms.Form):
    """Points put on or taken off, with the reason that stands under the table."""

    TAKEN_OFF, PUT_ON = "off", "on"

    team = TeamChoice(label=gettext_lazy("Team"))
    way = forms.ChoiceField(
        label=gettext_lazy("The points are"),
        choices=[(TAKEN_OFF, gettext_lazy("taken off")), (PUT_ON, gettext_lazy("put on"))],
    )
    match_points = PointsField(label=gettext_lazy("Match points"), initial=2, required=False)
    game_points = PointsField(label=gettext_lazy("Game points"), initial=0, required=False)
    reason = ReasonField(
        label=gettext_lazy("Reason"),
        max_length=300,
        help_text=gettext_lazy("As it follows “for”: an ineligible player on board 4."),
    )
    decided_on = DayField(label=gettext_lazy("Decided on"))

    def __init__(self, *args, division: Division, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["team"].queryset = division.teams.order_by("search_name")

    def clean(self):
        data = super().clean()
        sign = 1 if data.pop("way", None) == self.PUT_ON else -1
        for name in ("match_points", "game_points"):
            halves = data.get(name) or 0
            if halves > 2 * MOST_POINTS:
                self.add_error(name, _("At most %d points at once.") % MOST_POINTS)
            data[name] = sign * halves
        return data


class WithdrawalForm(forms.Form):
    """A team leaves the division."""

    team = TeamChoice(label=gettext_lazy("Team"))
    withdrawn_on = DayField(label=gettext_lazy("Withdrawn on"))

    def __init__(self, *args, division: Division, **kwargs):
        super().__init__(*args, **kwargs)
        teams = division.teams.filter(state=TeamState.ACTIVE)
        self.fields["team"].queryset = teams.order_by("search_name")


class PlayOffForm(forms.Form):
    """How a play-off ended, the winner first."""

    played_on = DayField(label=gettext_lazy("Played on"))

    def __init__(self, *args, division: Division, **kwargs):
        super().__init__(*args, **kwargs)
        labels = (_("Winner"), _("Second"), _("Third"), _("Fourth"))
        teams = division.teams.filter(state=TeamState.ACTIVE).order_by("search_name")
        for place, label in enumerate(labels, start=1):
            field = TeamChoice(label=label, required=place < 3)
            field.queryset = teams
            self.fields[f"place_{place}"] = field
        self.order_fields([*(f"place_{n}" for n in range(1, PLAY_OFF_TEAMS + 1)), "played_on"])

    @property
    def teams(self) -> list[int]:
        """The teams in the order in which they finished."""
        names = (f"place_{n}" for n in range(1, PLAY_OFF_TEAMS + 1))
        return [self.cleaned_data[name].pk for name in names if self.cleaned_data[name]]
