"""The names of what the rows of a history lead to."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from clubs.changes import Deed, columns_of
from clubs.models import User
from games.models import Adjustment, Match, Season
from ratings.models import GradeList

NOTHING = "–"


class Names:
    """The names of all that the deeds' rows lead to; one query for each kind."""

    FETCHED = {
        Match: ("home", "away"),
        Season: ("league",),
        Adjustment: ("team",),
        GradeList: ("pool",),
    }

    def __init__(self, deeds: Iterable[Deed]):
        wanted: dict[type[models.Model], set] = defaultdict(set)
        for deed in deeds:
            if deed.user is not None:
                wanted[User].add(deed.user)
            for change in deed.changes:
                for row in filter(None, (change.before, change.after)):
                    for column in columns_of(row):
                        if column.is_relation:
                            wanted[column.related_model].add(getattr(row, column.attname))
        self.rows: dict[type[models.Model], Mapping[Any, models.Model]] = {}
        for model, pks in wanted.items():
            rows = model._default_manager.select_related(*self.FETCHED.get(model, ()))
            if not self.FETCHED.get(model):
                rows = model._default_manager.all()
            self.rows[model] = rows.in_bulk([pk for pk in pks if pk is not None])

    def of(self, model: type[models.Model], pk) -> str:
        """The row in words; what is no longer there has no name."""
        if pk is None:
            return NOTHING
        row = self.rows.get(model, {}).get(pk)
        return _("somebody or something that is no more") if row is None else str(row)
