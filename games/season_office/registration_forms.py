"""What a secretary types about his club's players."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import Registration, Team


class RegistrationForm(forms.Form):
    """Players of those that were offered."""

    players = forms.TypedMultipleChoiceField(
        label=_("Players"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Tick at least one player.")},
    )

    def __init__(self, *args, candidates, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["players"].choices = [(player.pk, player.listed_name) for player in candidates]


class NominationForm(forms.Form):
    """The team a player is tied to, and his board among its nominated players."""

    team = forms.ModelChoiceField(
        label=_("Team"), queryset=Team.objects.none(), required=False, empty_label=_("any")
    )
    rank = forms.IntegerField(
        label=_("Nominated board"),
        required=False,
        min_value=1,
        max_value=40,
        help_text=_("Nominated players of a team may not play below it."),
    )

    def __init__(self, *args, registration: Registration, **kwargs):
        initial = {"team": registration.team_id, "rank": registration.nominated_rank}
        super().__init__(*args, initial=initial, **kwargs)
        self.fields["team"].queryset = Team.objects.filter(
            club=registration.club_id, division__season=registration.season_id
        )

    def clean_team(self):
        team = self.cleaned_data["team"]
        return None if team is None else team.pk
