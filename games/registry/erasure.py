"""A person erased: what is known of him goes, history included, and his games stay.

He becomes a "Former player" without a code, an account or a past of other names. Points, tables
and ratings are what they were: where games were rated by a junior's K, the year of birth stays,
as 1 January of it, for a rebuild asks nothing else of a birth date.
"""

from collections.abc import Collection, Iterable
from datetime import date, datetime

import pghistory
import pgtrigger
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models, transaction
from django.db.models import F, Q, Value
from django.db.models.functions import Replace
from django.utils import timezone
from django.utils.translation import gettext as _
from pghistory.models import Event

from clubs import registry
from clubs.models import Club, Membership, Player, PlayerEvent, PlayerState, User, UserEvent
from clubs.names import search_key, sort_key
from games.models import (
    Adjustment,
    Board,
    Invitation,
    InvitationEvent,
    Match,
    PlayerMerge,
    Rearrangement,
    Registration,
    Submission,
    Team,
    Violation,
)
from ratings.elo import plays_as_junior
from ratings.models import GameCorrection, OutsidePlayer, RatedGame

FORMER = "Former player"
ERASED_WHY = "erased"
# What an entry says of a person; none of it stays but the year of a junior's birth.
BLANK = {
    "surname": FORMER,
    "forenames": "",
    "sort_name": sort_key(FORMER),
    "search_name": search_key(FORMER),
    "ecf_code": None,
    "membership_number": None,
    "membership_expires_on": None,
    "fide_id": None,
    "title": "",
    "federation": "",
    "gender": None,
    "birth_year": None,
    "birth_date": None,
    "name_consent": None,
}
# Where somebody may have written his name in a sentence.
SENTENCES = (
    (Board, "award_reason"),
    (Match, "decision"),
    (Match, "dispute"),
    (Adjustment, "reason"),
    (Violation, "note"),
    (Rearrangement, "reason"),
    (GameCorrection, "reason"),
)


class CannotErase(Exception):
    """The person cannot be erased as things are; the sentence says why."""


@transaction.atomic
def erase_person(*, player: int, by, at: datetime) -> Player:
    """Erase the person with this pk for good: names, facts, account and roles, history too.

    Entries that were merged into him go the same way. His memberships and registrations end. It
    cannot be undone; the history says who did it, and nothing of the person. Once more changes
    nothing. Raises `CannotErase`, `Player.DoesNotExist`.
    """
    registry.lock_for_import()  # nobody is merged meanwhile
    entries = entries_of(player)
    people = registry.lock_people(entries)
    person = people.get(player)
    if person is None:
        raise Player.DoesNotExist(player)
    if person.state == PlayerState.ERASED:
        return person
    reason = reason_not_to_erase(person)
    if reason is not None:
        raise CannotErase(reason)
    account = User.objects.filter(player=player).first()
    said = {name for each in people.values() for name in spellings(each)}
    said |= spellings_of_account(account)
    today = timezone.localdate(at)
    birth = birth_to_keep(person)
    with pghistory.context(user=getattr(by, "pk", None), why=ERASED_WHY):
        _end_times(player, today)
        for pk in entries:
            Player.objects.filter(pk=pk).update(**BLANK)
        person = Player.objects.get(pk=player)
        person.state = PlayerState.ERASED
        if birth is not None:
            person.birth_date, person.birth_year = birth, birth.year
        person.save()
        PlayerMerge.objects.filter(Q(kept__in=entries) | Q(dropped__in=entries)).update(moved={})
        OutsidePlayer.objects.filter(player__in=entries).delete()
        _forget_contacts(people.values(), account)
        if account is not None:
            User.objects.filter(pk=account.pk).delete()  # the instance still says who it was
    _forget_in_history(entries, account, said, birth)
    _forget_in_files(entries)
    return person


def reason_not_to_erase(person: Player) -> str | None:
    """Why the person cannot be erased, in a sentence; None if he can."""
    if person.state == PlayerState.MERGED:
        return _("This entry leads to %s: erase that one.") % person.merged_into
    account = User.objects.filter(player=person).first()
    if account is not None and account.is_superuser:
        return _("His account may do everything here: another has to take that over first.")
    return None


def entries_of(player: int) -> list[int]:
    """The pks of the person's entry and of all that were merged into it, however often."""
    found = [player]
    for pk in found:
        found += Player.objects.filter(merged_into=pk).order_by("pk").values_list("pk", flat=True)
    return found


def birth_to_keep(person: Player) -> date | None:
    """1 January of his year of birth where a game of his was rated by a junior's K."""
    if person.birth_date is None:
        return None
    games = RatedGame.objects.filter(Q(white=person) | Q(black=person))
    first = games.order_by("played_on").values_list("played_on", flat=True).first()
    if first is None or not plays_as_junior(person.birth_date, first):
        return None
    return date(person.birth_date.year, 1, 1)


def spellings(person: Player) -> set[str]:
    """The ways in which a sentence may write his name."""
    return {str(person), person.listed_name} if person.forenames else set()


def spellings_of_account(account: User | None) -> set[str]:
    """What a sentence may call his account; a single word may be anybody."""
    if account is None:
        return set()
    return {text for text in (account.email, account.name) if "@" in text or " " in text}


# --- What goes ---------------------------------------------------------------------------


def _end_times(player: int, today: date) -> None:
    """Let his memberships and registrations end; those still to begin go altogether."""
    for model in (Membership, Registration):
        rows = model.objects.filter(player=player)
        rows.filter(starts_on__gte=today).delete()
        open_ones = rows.filter(Q(ends_on=None) | Q(ends_on__gt=today))
        if model is Registration:
            open_ones.update(ends_on=today, nominated_rank=None)
        else:
            open_ones.update(ends_on=today)


def _forget_contacts(people: Iterable[Player], account: User | None) -> None:
    """Take him away as captain and contact where his name or address stands."""
    names = {text.lower() for each in people for text in (str(each), each.listed_name)}
    addresses = set() if account is None else {account.email}
    if account is not None and account.name:
        names.add(account.name.lower())
    for model, prefix in ((Team, "captain"), (Club, "contact")):
        named = Q()
        for name in names:
            named |= Q(**{f"{prefix}_name__iexact": name})
        for address in addresses:
            named |= Q(**{f"{prefix}_email__iexact": address})
        blank = {f"{prefix}_{what}": "" for what in ("name", "email", "phone")}
        model.objects.filter(named).update(**blank)
    if addresses:
        Invitation.objects.filter(email__in=addresses).update(email="", name="")
        Invitation.objects.filter(used_by=account).update(email="", name="")


def _forget_in_history(
    entries: Collection[int], account: User | None, said: Collection[str], birth: date | None
) -> None:
    """Blank every event of his rows, and his name in what events and decisions say."""
    with pgtrigger.ignore():  # what keeps events from being changed, for here they have to be
        PlayerEvent.objects.filter(pgh_obj__in=entries).update(**BLANK)
        if birth is not None:
            newest = PlayerEvent.objects.filter(pgh_obj=entries[0], state=PlayerState.ERASED)
            newest.update(birth_date=birth, birth_year=birth.year)
        if account is not None:
            UserEvent.objects.filter(pgh_obj=account.pk).update(email="", player=None)
            _blank_contacts(account)
        for text in sorted(said, key=len, reverse=True):
            _forget_in_sentences(text)
            for model in apps.get_models():
                if issubclass(model, Event):
                    _forget_in_contexts(model, text)


def _blank_contacts(account: User) -> None:
    """The events of contacts that are no longer there."""
    club_event = Club._meta.get_field("events").related_model
    mine = Q(contact_email__iexact=account.email)
    if account.name:
        mine |= Q(contact_name__iexact=account.name)
    blank = {"contact_name": "", "contact_email": "", "contact_phone": ""}
    club_event.objects.filter(mine).update(**blank)
    invited = Q(email__iexact=account.email) | Q(used_by=account.pk)
    InvitationEvent.objects.filter(invited).update(email="", name="")


def _forget_in_sentences(text: str) -> None:
    for model, column in SENTENCES:
        tables: list[type[models.Model]] = [model]
        if hasattr(model, "events"):
            tables.append(model._meta.get_field("events").related_model)
        for table in tables:
            holding = table._default_manager.filter(**{f"{column}__contains": text})
            holding.update(**{column: Replace(F(column), Value(text), Value(FORMER))})


def _forget_in_contexts(model: type[models.Model], text: str) -> None:
    """The reason that an event was given, as of a merge with him."""
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET pgh_context = jsonb_set(pgh_context, '{{why}}',"
            " to_jsonb(replace(pgh_context ->> 'why', %s, %s)))"
            " WHERE position(%s in pgh_context ->> 'why') > 0",
            [text, FORMER, text],
        )


def _forget_in_files(entries: Collection[int]) -> None:
    """His line in the files that were sent to a rating officer, and his name in the admin's log."""
    for pk in entries:
        start = f"#PIN={pk}#"
        for row in Submission.objects.filter(text__contains=start):
            lines = [
                f"#PIN={pk}#NAME={FORMER}" if line.startswith(start) else line
                for line in row.text.split("\r\n")
            ]
            Submission.objects.filter(pk=row.pk).update(text="\r\n".join(lines))
    log = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Player), object_id__in=map(str, entries)
    )
    log.update(object_repr=FORMER, change_message="")
