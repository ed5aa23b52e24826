"""What an officer chooses where two entries of one person contradict each other."""

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext_lazy as _

from .merge_checks import Conflict
from .person_facts import DROPPED, KEPT


class MergeForm(forms.Form):
    """One choice for each conflict, none of them made beforehand but that a name is not shown."""

    def __init__(self, data=None, *, conflicts: Sequence[Conflict]):
        super().__init__(data)
        self.conflicts = conflicts
        for conflict in conflicts:
            self.fields[conflict.name] = forms.ChoiceField(
                label=conflict.label,
                initial=conflict.preset,
                choices=[(KEPT, conflict.kept), (DROPPED, conflict.dropped)],
                widget=forms.RadioSelect,
                error_messages={"required": _("Choose which of the two is right.")},
            )

    @property
    def choices(self) -> dict[str, str]:
        """The side that was chosen for each conflict; the form is valid."""
        return dict(self.cleaned_data)
