"""The registry of players and clubs: adding people, and who belongs where."""

from collections.abc import Iterable
from datetime import date

from django.db import connection, transaction
from django.db.models import F
from django.utils.text import slugify

from .models import Club, Membership, Player, PlayerState


@transaction.atomic
def add_pending(*, surname: str, forenames: str, club: int, on: date) -> Player:
    """A player whom a card named and the registry did not know, a member of the club from `on`.

    He is rated at once and waits for an officer to confirm or merge him.
    """
    player = Player.objects.create(surname=surname, forenames=forenames, state=PlayerState.PENDING)
    Membership.objects.create(club_id=club, player=player, starts_on=on)
    return player


def find_pending(*, surname: str, forenames: str, club: int) -> Player | None:
    """The pending player of this name at this club, if there is one."""
    return (
        Player.objects.named(surname, forenames)
        .filter(state=PlayerState.PENDING, memberships__club=club)
        .order_by("pk")
        .first()
    )


def hold_people(players: Iterable[int]) -> dict[int, Player]:
    """Those of these players who are there, by pk; nobody is merged away while a card names him.

    The rows of pending ones are locked, for a card may take one out of the registry; then those of
    the others are held, which other cards may do too. Both in the order of their pks; in the order
    of locks they stand after the match and before the pool.
    """
    rows = Player.objects.raw(
        "WITH named AS (SELECT unnest(%(players)s::bigint[]) AS id), pending AS ("
        " SELECT p.* FROM clubs_player p WHERE p.id IN (SELECT id FROM named)"
        " AND p.state = %(pending)s ORDER BY p.id FOR NO KEY UPDATE OF p), others AS ("
        " SELECT p.* FROM clubs_player p WHERE p.id IN (SELECT id FROM named)"
        " AND p.state <> %(pending)s ORDER BY p.id FOR SHARE OF p)"
        " SELECT * FROM pending UNION ALL SELECT * FROM others",
        {"players": list(players), "pending": PlayerState.PENDING.value},
    )
    return {player.pk: player for player in rows}


def lock_people(players: Iterable[int]) -> dict[int, Player]:
    """These players by pk, their rows locked: those who are pending first, as cards do."""
    rows = Player.objects.filter(pk__in=players).order_by("pk").select_for_update(no_key=True)
    pending = rows.filter(state=PlayerState.PENDING)
    found = {player.pk: player for player in pending}
    return found | {player.pk: player for player in rows.exclude(pk__in=found)}


def drop_pending(players: Iterable[int]) -> None:
    """Take these pending players out of the registry, with their memberships.

    They are locked, and the caller knows that no game or grade names them. One whom an account is
    linked to stays. The history keeps the deletion.
    """
    gone = Player.objects.filter(pk__in=players, state=PlayerState.PENDING, user__isnull=True)
    gone = list(gone.values_list("pk", flat=True))
    Membership.objects.filter(player__in=gone).delete()
    Player.objects.filter(pk__in=gone).delete()


def join_club(people: Iterable[Player], club: int, starts_on: date) -> None:
    """Make them members from this day on, beside the times at the club that each has already."""
    times: dict[int, list[Membership]] = {person.pk: [] for person in people}
    held = Membership.objects.filter(player__in=times, club=club)
    for time in held.order_by(F("starts_on").asc(nulls_first=True)):
        times[time.player_id].append(time)
    new = {player: _time_beside(own, starts_on) for player, own in times.items()}
    Membership.objects.bulk_create(
        [
            Membership(player_id=player, club_id=club, starts_on=time[0], ends_on=time[1])
            for player, time in new.items()
            if time is not None
        ]
    )


def _time_beside(times: list[Membership], starts_on: date) -> tuple[date, date | None] | None:
    """From when until when somebody with these times, by their days, joins; None if he is in."""
    for time in times:
        begun = time.starts_on is None or time.starts_on <= starts_on
        if begun and time.ends_on is None:
            return None
        if begun and time.ends_on > starts_on:
            starts_on = time.ends_on
    later = [time.starts_on for time in times if time.starts_on and time.starts_on > starts_on]
    return starts_on, min(later, default=None)


def lock_clubs(clubs: Iterable[int]) -> None:
    """Lock these clubs' rows, in the order of their pks.

    Who looks for a new player's name at a club and adds him if he is not there does both under
    this lock; else two at once add him twice. It comes before any pool's.
    """
    rows = Club.objects.filter(pk__in=clubs).order_by("pk").select_for_update(no_key=True)
    list(rows.values_list("pk"))


def free_slug(model, name: str) -> str:
    """An address made of `name` that no row of `model` has yet."""
    root = slugify(name)[:80] or "x"
    slug, nth = root, 1
    while model.objects.filter(slug=slug).exists():
        nth += 1
        slug = f"{root}-{nth}"
    return slug


def lock_for_import() -> None:
    """Let one import at a time add people and clubs; the next waits until this one is stored."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('topboard import', 0))")
