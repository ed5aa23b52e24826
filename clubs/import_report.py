"""What an import did or refused, as the lines that its command prints."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from .sheets import Problem


@dataclass(slots=True)
class Report:
    """What a finished import says: sentences in order, and the file's rows by what became of them.

    A row is new if what it is about was added, changed if something stored was made to agree
    with it; a row that said what was stored already is neither.
    """

    notices: list[str] = field(default_factory=list)
    new: int = 0
    changed: int = 0

    def last_line(self) -> str:
        return _("%(new)d new, %(changed)d changed") % {"new": self.new, "changed": self.changed}


class ImportRefused(Exception):
    """The file has rows that cannot be stored, so nothing of it was; `problems` names each."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = sorted(set(problems))
        super().__init__(self.problems)
