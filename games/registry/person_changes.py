"""The registry's people put right: added, changed, confirmed, retired, and moved between clubs."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import pghistory
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from clubs import registry
from clubs.models import Club, Membership, Player, PlayerState
from games.accounts.leavers import withdraw_roles
from games.models import Registration, Season
from games.season_office import registrations
from games.season_office.seasons import lock_seasons

from .duplicates import Alike, like_new

UNIQUE = ("ecf_code", "membership_number", "fide_id")
FACTS = (
    *("surname", "forenames", "ecf_code", "membership_number", "membership_expires_on"),
    *("fide_id", "title", "federation", "gender", "birth_year", "name_consent"),
)


class PersonRefused(Exception):
    """A person cannot be stored so; `column` names the field, None for none, the text says why."""

    def __init__(self, column: str | None, words: str):
        super().__init__(words)
        self.column = column


class PeopleAlike(Exception):
    """There are people in the registry who may be him; `alike` are they, with the reasons."""

    def __init__(self, alike: list[Alike]):
        super().__init__(alike)
        self.alike = alike


@dataclass(frozen=True, slots=True)
class Moved:
    """What a transfer did: the registrations that ended and what became of the new ones."""

    ended: list[Registration]
    registered: list[registrations.Registered]


@transaction.atomic
def add_person(
    *, club: Club | None, starts_on: date, sure: bool, known: str = "", by, **facts: Any
) -> Player:
    """A new player with these `FACTS`, a member of the club from a day on.

    `sure` says that whoever adds him has seen who is like him; `known` is the pk of one of them
    whom he is: that one joins the club, and nothing else of him is changed. Raises `PeopleAlike`
    without either where somebody is, and `PersonRefused` for a code that another has.
    """
    registry.lock_for_import()  # two at once see each other's
    alike = like_new(
        surname=facts["surname"],
        forenames=facts["forenames"],
        ecf_code=facts.get("ecf_code"),
        birth_year=facts.get("birth_year"),
        club=club.pk if club else None,
    )
    with pghistory.context(user=getattr(by, "pk", None)):
        if known:
            found = [each.player.pk for each in alike if str(each.player.pk) == known]
            if not found or club is None:
                raise PeopleAlike(alike)
            player = _locked(found[0])
            registry.join_club([player], club.pk, starts_on)
            return player
        if alike and not sure:
            raise PeopleAlike(alike)
        player = Player(**facts)
        _store(player)
        if club is not None:
            Membership.objects.create(club=club, player=player, starts_on=starts_on)
    return player


@transaction.atomic
def change_person(*, player: int, by, **facts: Any) -> Player:
    """Store those of a player's `FACTS` that somebody changed; the others stay as they are now.

    His birth date is corrected elsewhere, for it re-rates. Raises `PersonRefused`, also for one
    who was merged or erased.
    """
    registry.lock_for_import()
    person = _locked(player)
    if person.birth_date is not None:
        facts["birth_year"] = person.birth_date.year
    for name, value in facts.items():
        setattr(person, name, value)
    with pghistory.context(user=getattr(by, "pk", None)):
        _store(person)
    return person


@transaction.atomic
def set_state(*, player: int, state: str, by) -> Player:
    """Confirm a pending player, let one retire, or bring him back; nothing of him is deleted.

    Who retires stands on no new card and is a member until an officer ends that.
    """
    person = _locked(player)
    if state not in (PlayerState.ACTIVE, PlayerState.RETIRED):
        raise PersonRefused(None, _("That is no state of a player."))
    if person.state != state:
        person.state = state
        with pghistory.context(user=getattr(by, "pk", None)):
            person.save(update_fields=["state"])
    return person


@transaction.atomic
def transfer(
    *,
    player: int,
    leaves: int | None,
    joins: int | None,
    on: date,
    as_officer: Callable[[Season], bool],
    by,
    at: datetime,
) -> Moved:
    """Let a player leave a club, join one, or both, from the day `on`.

    His membership of the one he leaves ends before that day, with the club's registrations, and on
    it his roles there. In each open season in which he was registered for it he is registered for
    the new one where that has a team, by the season's rules: after the deadline that waits for
    the officer, unless `as_officer` says that the account is he. Raises `PersonRefused`.
    """
    if leaves == joins:
        raise PersonRefused("joins", _("That is the club he leaves."))
    moved = Moved([], [])
    with pghistory.context(user=getattr(by, "pk", None)):
        seasons = _open_seasons(player, leaves) if leaves is not None else []
        person = _locked(player)
        if leaves is not None:
            moved.ended.extend(_leave(player, leaves, on, seasons, by, at))
        if joins is not None:
            club = Club.objects.get(pk=joins)
            registry.join_club([person], club.pk, on)
            moved.registered.extend(
                registrations.register(
                    season=season.pk,
                    club=club,
                    players=[player],
                    as_officer=as_officer(season),
                    by=by,
                    at=at,
                    on=on,
                )
                for season in seasons
                if on < season.ends_on and club.teams.filter(division__season=season).exists()
            )
    return moved


# --- What they share ---------------------------------------------------------------------


def _locked(player: int) -> Player:
    """The player, his row locked; refused if he was merged or erased, for nothing is his then."""
    person = registry.lock_people([player]).get(player)
    if person is None:
        raise Player.DoesNotExist(player)
    if person.state == PlayerState.MERGED:
        raise PersonRefused(None, _("This entry leads to %s.") % person.merged_into)
    if person.state == PlayerState.ERASED:
        raise PersonRefused(None, _("This person was erased."))
    return person


def _store(person: Player) -> None:
    others = Player.objects.exclude(pk=person.pk)
    for column in UNIQUE:
        value = getattr(person, column)
        other = None if value is None else others.filter(**{column: value}).first()
        if other is not None:
            raise PersonRefused(column, _("%s has it.") % other.listed_name)
    try:
        with transaction.atomic():
            person.save()
    except IntegrityError as error:  # by a page that does not wait for this one
        raise PersonRefused(None, _("Somebody was given this code a moment ago.")) from error


def _open_seasons(player: int, club: int) -> list[Season]:
    """The seasons, locked, in which he is registered for the club and which are not closed."""
    rows = Registration.objects.filter(player=player, club=club).open()
    seasons = Season.objects.filter(registrations__in=rows, closed_at=None).order_by("pk")
    pks = list(seasons.values_list("pk", flat=True).distinct())
    return lock_seasons(pks)


def _leave(
    player: int, club: int, on: date, seasons: list[Season], by, at: datetime
) -> list[Registration]:
    rows = Membership.objects.filter(player=player, club=club).select_for_update(no_key=True)
    held = [row for row in rows if row.ends_on is None or row.ends_on > on]
    if not held:
        raise PersonRefused("leaves", _("He is no member of that club then."))
    for row in held:
        if row.starts_on is not None and row.starts_on >= on:
            row.delete()
        else:
            row.ends_on = on
            row.save(update_fields=["ends_on"])
    ended = list(Registration.objects.filter(player=player, club=club, season__in=seasons).open())
    for registration in ended:
        registrations.end(registration=registration.pk, on=on, by=by)
    withdraw_roles(player=player, club=club, on=on, by=by, at=at)
    return ended
