"""A player whom a typed name or ECF code means; where several fit, one is chosen."""

from datetime import date

from django import forms
from django.db.models import QuerySet
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.access import may_see_names
from clubs.models import Player
from clubs.names import fold

OFFERED = 12
"""So many people are offered when a name fits several."""


class FindsPlayers:
    """A form in which people are typed; `reader` is the account, or the public, on `today`.

    `choices` are pairs of a field and those who fit, after validation. What was chosen comes back
    as the field's name with `_id`; of the public nobody is found whose name is hidden.
    """

    reader: object
    today: date

    @cached_property
    def choices(self) -> list[tuple[forms.BoundField, list[Player]]]:
        return []

    def one_of(self, name: str) -> Player:
        """The one player whom the words of a field mean; raises ValidationError else."""
        text = self.cleaned_data[name]
        if not text.strip():
            raise forms.ValidationError(_("A name, or part of it, or an ECF code."))
        found = list(self.players().found(text).order_by("sort_name", "pk")[: OFFERED + 1])
        words = sorted(fold(text).split())
        exact = [player for player in found if sorted(player.search_name.split()) == words]
        chosen = self.data.get(f"{self.add_prefix(name)}_id", "")
        for fitting in (found, exact, [p for p in found if str(p.pk) == chosen]):
            if len(fitting) == 1:
                return fitting[0]
        if not found:
            raise forms.ValidationError(_("Nobody of this name or code."))
        self.choices.append((self[name], found[:OFFERED]))
        if len(found) > OFFERED:
            raise forms.ValidationError(
                _("More than %(number)s fit: choose one, or type more of the name.")
                % {"number": OFFERED}
            )
        raise forms.ValidationError(
            ngettext("%(n)s player fits.", "%(n)s players fit: choose one.", len(found))
            % {"n": len(found)}
        )

    def players(self) -> QuerySet[Player]:
        """Those among whom is searched, with their clubs."""
        players = Player.objects.standing()
        if not may_see_names(self.reader):
            players = players.with_public_names(self.today)
        return players.with_clubs(self.today)
