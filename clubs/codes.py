"""What the federation knows a person by: name, code and membership, put right by an officer."""

from datetime import date

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from . import registry
from .models import Player


class CodeTaken(Exception):
    """Another player has this code or number; `field` is the column's name."""

    def __init__(self, field: str, player: Player):
        self.field = field
        super().__init__(_("%s has it.") % player.listed_name)


@transaction.atomic
def correct_codes(
    *,
    player: int,
    surname: str,
    forenames: str,
    ecf_code: str | None,
    membership_number: str | None,
    membership_expires_on: date | None,
    club: int | None,
    member_from: date,
    by,
) -> Player:
    """Store what an officer says of the player with this pk, and return him.

    With `club` he becomes a member of it from `member_from` on, unless he is one that day. Raises
    `CodeTaken` where another player has the code or the membership number.
    """
    registry.lock_for_import()  # so that no import gives somebody the same code meanwhile
    person = Player.objects.select_for_update(no_key=True).get(pk=player)
    person.surname, person.forenames = surname, forenames
    person.ecf_code = ecf_code
    person.membership_number = membership_number
    person.membership_expires_on = membership_expires_on
    for field in ("ecf_code", "membership_number"):
        value = getattr(person, field)
        if value is not None:
            other = Player.objects.filter(**{field: value}).exclude(pk=player).first()
            if other is not None:
                raise CodeTaken(field, other)
    with pghistory.context(user=getattr(by, "pk", None)):
        person.save(
            update_fields=[
                *("surname", "forenames", "ecf_code"),
                *("membership_number", "membership_expires_on"),
            ]
        )
        if club is not None:
            registry.join_club([person], club, member_from)
    return person
