"""The history in words: what was done, and who did it in which role."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from clubs.changes import Deed
from clubs.models import ClubRoleEvent, User
from games.models import Agreement, LeagueRoleEvent, Match, TeamRoleEvent

from .row_names import Names
from .row_words import change_words


@dataclass(frozen=True, slots=True)
class Told:
    """A deed as a page tells it: when, what in sentences, who, and why."""

    deed: Deed
    lines: list[str]
    who: str
    why: str

    @property
    def at(self) -> datetime:
        return self.deed.at

    @property
    def after_dispute(self) -> bool:
        """Whether a disputed card was changed, so that it waits to be confirmed anew."""
        return any(
            change.model is Match
            and change.before is not None
            and change.after is not None
            and change.before.agreement == Agreement.DISPUTED
            and change.after.agreement == Agreement.ENTERED
            for change in self.deed.changes
        )


def tell(deeds: Iterable[Deed], teams=(), clubs=(), leagues=()) -> list[Told]:
    """The deeds in words; accounts with a role for one of these teams, clubs and leagues then.

    A fixed number of queries, whatever was done.
    """
    deeds = list(deeds)
    names = Names(deeds)
    roles = _roles_then({deed.user for deed in deeds} - {None}, teams, clubs, leagues)
    told = []
    for deed in deeds:
        lines = [line for change in deed.changes for line in change_words(change, names)]
        if lines:
            why = "" if deed.is_import else deed.why
            told.append(Told(deed, lines, _who(deed, names, roles), why))
    return told


# --- Who ---------------------------------------------------------------------------------


def _who(deed: Deed, names: Names, roles: Mapping[int, list[tuple]]) -> str:
    in_admin = "/admin/" in deed.url
    if deed.user is None:
        if deed.is_import:
            return _("an import of %s") % deed.why
        return _("no account: a command, a job or the database itself")
    user = names.rows[User].get(deed.user)
    if user is None:
        who = _("an account that is no more")
    else:
        held = [
            role
            for role, since, until in roles.get(deed.user, ())
            if since <= deed.at and (until is None or deed.at <= until)
        ]
        who = f"{held[0]} ({user})" if held else str(user)
    if deed.is_import:
        return _("an import of %(file)s by %(who)s") % {"file": deed.why, "who": who}
    return _("%s in the admin") % who if in_admin else who


def _roles_then(users: set[int], teams, clubs, leagues) -> dict[int, list[tuple]]:
    """By account: the role in words, since when, until when; captains first, officers last."""
    found: dict[int, list[tuple]] = defaultdict(list)
    kinds = (
        (TeamRoleEvent, "team", teams, _("the captain of %s")),
        (ClubRoleEvent, "club", clubs, _("the %s secretary")),
        (LeagueRoleEvent, "league", leagues, _("the officer of %s")),
    )
    for model, column, rows, words in kinds:
        by_pk = {row.pk: row for row in rows}
        if not by_pk or not users:
            continue
        history = model.objects.filter(user__in=users, **{f"{column}__in": by_pk})
        begun: dict[int, tuple] = {}
        for event in history.order_by("pgh_id"):
            role = words % by_pk[getattr(event, f"{column}_id")]
            if event.pgh_obj_id in begun:
                begun.pop(event.pgh_obj_id)[1][2] = event.pgh_created_at
            if event.pgh_label != "delete":
                held = [role, event.pgh_created_at, None]
                found[event.user_id].append(held)
                begun[event.pgh_obj_id] = (event.user_id, held)
    return found
