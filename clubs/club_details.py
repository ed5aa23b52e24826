"""What a club says of itself: its name, where and when it meets, and whom to ask."""

import pghistory
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from . import registry
from .models import Club, Venue
from .names import fold


class ClubRefused(Exception):
    """A club's details cannot be stored; `column` names the one, the message says why."""

    def __init__(self, column: str, words: str):
        super().__init__(words)
        self.column = column


@transaction.atomic
def add_club(*, name: str, by, **details) -> Club:
    """A new club of this name; `details` as `change_club` takes them. Raises `ClubRefused`."""
    club = Club(name=name, slug=registry.free_slug(Club, name))
    return _store(club, by, name=name, **details)


@transaction.atomic
def change_club(*, club: int, by, **details) -> Club:
    """Store a club's columns as given, its address stays; raises `ClubRefused`.

    `hall` is the name of its hall, blank for rooms of its own, and `match_limit` how many matches
    fit there, None for any number: it is that of a hall which is new or was the club's already,
    for the limit of another hall is not this club's to say.
    """
    stored = Club.objects.select_for_update(no_key=True, of=("self",)).get(pk=club)
    return _store(stored, by, **details)


def _store(club: Club, by, *, hall: str = "", match_limit: int | None = None, **columns) -> Club:
    for column, value in columns.items():
        setattr(club, column, value)
    _refuse_what_is_taken(club)
    with pghistory.context(user=getattr(by, "pk", None)):
        club.hall = _hall(hall, match_limit, club.hall_id) if hall else None
        try:
            with transaction.atomic():
                club.save()
        except IntegrityError as error:  # taken since it was looked at
            words = _("Another club was given this name or code a moment ago.")
            raise ClubRefused("name", words) from error
    return club


def _hall(name: str, match_limit: int | None, before: int | None) -> Venue:
    hall, made = Venue.objects.select_for_update().get_or_create(
        name=name, defaults={"match_limit": match_limit}
    )
    if not made and hall.pk == before and hall.match_limit != match_limit:
        hall.match_limit = match_limit
        hall.save(update_fields=["match_limit"])
    return hall


def _refuse_what_is_taken(club: Club) -> None:
    others = Club.objects.exclude(pk=club.pk)
    if others.filter(search_name=fold(club.name)).exists():
        raise ClubRefused("name", _("There is a club called %s already.") % club.name)
    if club.code is not None and others.filter(code=club.code).exists():
        raise ClubRefused("code", _("Another club has the code %s.") % club.code)
