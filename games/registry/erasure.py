"""A person erased: what is known of him goes, history included, and his games stay.

He becomes a "Former player" without a code, an account or a past of other names. Points, tables
and ratings are what they were: where games were rated by a junior's K, the year of birth stays,
as 1 January of it, for a rebuild asks nothing else of a birth date.
"""

import json
import re
from collections.abc import Collection
from datetime import date, datetime
from typing import NamedTuple

import pghistory
import pgtrigger
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models, transaction
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Left
from django.utils import timezone
from django.utils.translation import gettext as _
from pghistory.models import Event

from clubs import registry
from clubs.access import is_grading_officer
from clubs.models import Club, Membership, Player, PlayerEvent, PlayerState, User, UserEvent
from clubs.names import search_key, sort_key
from games.access import may_give
from games.accounts import roles
from games.match_cards.cards import lock_matches
from games.models import (
    Adjustment,
    Board,
    Division,
    Invitation,
    Match,
    PlayerMerge,
    Rearrangement,
    Registration,
    SheetSeat,
    Submission,
    Team,
    Tie,
    Violation,
)
from ratings.elo import plays_as_junior
from ratings.models import GameCorrection, GradeList, OutsidePlayer, RatedGame

from .traces import FORMER, Traces, entries_of, traces_of

ERASED_WHY = "erased"
TRIES = 5
Place = tuple[int, ...]  # the pks of a division and, where it is of one, a match
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


class Sentence(NamedTuple):
    """A column in which somebody may have written his name; whose division and match it is of.

    One that `is_json` holds text whose letters beyond ASCII are written as JSON escapes them.
    """

    model: type[models.Model]
    column: str
    division: str = ""
    match: str = ""
    is_json: bool = False


SENTENCES = (
    Sentence(Board, "award_reason", "match__division", "match"),
    Sentence(Match, "decision", "division", "pk"),
    Sentence(Match, "dispute", "division", "pk"),
    Sentence(Adjustment, "reason", "team__division"),
    Sentence(Tie, "reason", "cup_round__division"),
    Sentence(Violation, "note", "match__division", "match"),
    Sentence(Rearrangement, "reason", "match__division", "match"),
    Sentence(SheetSeat, "name", "match__division", "match"),
    Sentence(GameCorrection, "reason"),
    Sentence(GradeList, "reason"),
    Sentence(LogEntry, "object_repr"),
    Sentence(LogEntry, "change_message", is_json=True),
)
# Whom to ask, and whom a role was offered to.
CONTACT = ("name", "email", "phone")
CONTACTS = ((Team, "captain_"), (Club, "contact_"), (Invitation, ""))


class CannotErase(Exception):
    """The person cannot be erased as things are; the sentence says why."""


class _NamedMeanwhile(Exception):
    """Somebody wrote of him where nothing is locked, or called him something else."""


@transaction.atomic
def erase_person(*, player: int, by, at: datetime) -> Player:
    """Erase the person with this pk for good: names, facts, account and roles, history too.

    Entries that were merged into him go the same way. His memberships and registrations end. It
    cannot be undone; the history says who did it, and nothing of the person. Once more changes
    nothing. Raises `CannotErase`, `Player.DoesNotExist`.
    """
    traces, people, named = _lock(player)
    person = people.get(player)
    if person is None:
        raise Player.DoesNotExist(player)
    if person.state == PlayerState.ERASED:
        return person
    reason = reason_not_to_erase(person, by)
    if reason is not None:
        raise CannotErase(reason)
    birth = birth_to_keep(person)
    with pghistory.context(user=getattr(by, "pk", None), why=ERASED_WHY):
        _end_times(player, timezone.localdate(at))
        for pk in traces.entries:
            Player.objects.filter(pk=pk).update(**BLANK)
        person = Player.objects.get(pk=player)
        person.state = PlayerState.ERASED
        if birth is not None:
            person.birth_date, person.birth_year = birth, birth.year
        person.save()
        merges = Q(kept__in=traces.entries) | Q(dropped__in=traces.entries)
        PlayerMerge.objects.filter(merges).update(moved={})
        OutsidePlayer.objects.filter(player__in=traces.entries).delete()
        for model, prefix in CONTACTS:
            _forget_contact(model, prefix, traces)
        User.objects.filter(pk__in=traces.accounts).delete()
    _forget_in_history(traces, birth)
    _forget_in_files(traces.entries)
    _forget_in_log(traces)
    Division.objects.filter(pk__in=named).raise_versions()
    return person


def reason_not_to_erase(person: Player, by) -> str | None:
    """Why this account cannot erase the person, in a sentence; None if it can.

    With his accounts go their roles: a league keeps an officer unless a superuser says otherwise,
    and only the grading officer takes from somebody the roles that he does not give.
    """
    if person.state == PlayerState.MERGED:
        return _("This entry leads to %s: erase that one.") % person.merged_into
    accounts = User.objects.filter(player__in=entries_of(person.pk))
    if accounts.filter(is_superuser=True).exists():
        return _("His account may do everything here: another has to take that over first.")
    alone = roles.leagues_without(accounts).first()
    if alone is not None and not getattr(by, "is_superuser", False):
        return roles.needs_an_officer(alone)
    if by is None or is_grading_officer(by):
        return None
    for post in roles.posts_of(accounts):
        if not may_give(by, post.role, post.subject):
            words = _("He is %s, which you cannot take from him: ask the grading officer.")
            return words % post
    return None


def birth_to_keep(person: Player) -> date | None:
    """1 January of his year of birth where a game of his was rated by a junior's K."""
    if person.birth_date is None:
        return None
    games = RatedGame.objects.filter(Q(white=person) | Q(black=person))
    first = games.order_by("played_on").values_list("played_on", flat=True).first()
    if first is None or not plays_as_junior(person.birth_date, first):
        return None
    return date(person.birth_date.year, 1, 1)


# --- Locks -------------------------------------------------------------------------------


def _lock(player: int) -> tuple[Traces, dict[int, Player], set[int]]:
    """All that an erasure writes locked, in the house's order; nobody is merged meanwhile.

    Returns his traces, the rows of his entries by pk, and the divisions of which a sentence says
    his name.
    """
    for _attempt in range(TRIES):
        try:
            with transaction.atomic():
                registry.lock_for_import()
                traces = traces_of(player)
                roles.lock_leagues(traces.accounts)
                named = _places_naming(traces)
                places = named | _places_entered(traces)
                matches = {place[1] for place in places if len(place) > 1}
                lock_matches(matches, {division for division, *_match in places})
                registry.lock_clubs(Club.objects.filter(_is_contact(Club, "contact_", traces)))
                people = registry.lock_people(traces.entries)
                if (traces_of(player), _places_naming(traces)) != (traces, named):
                    raise _NamedMeanwhile
                return traces, people, {division for division, *_match in named}
        except _NamedMeanwhile:
            continue
    raise CannotErase(_("Somebody is writing of this person just now. Try again."))


def _places_naming(traces: Traces) -> set[Place]:
    """Of which division and match a sentence says his name."""
    found: set[Place] = set()
    for each in SENTENCES:
        paths = [path for path in (each.division, each.match) if path]
        if paths:
            found.update(_holding(each.model, each, traces).values_list(*paths))
    return found


def _places_entered(traces: Traces) -> set[Place]:
    """Of which matches his account said something: that it did goes with the account."""
    by = Q(entered_by__in=traces.accounts) | Q(agreed_by__in=traces.accounts)
    matches = Match.objects.filter(by | Q(disputed_by__in=traces.accounts))
    return set(matches.values_list("division", "pk"))


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


def _forget_contact(table: type[models.Model], prefix: str, traces: Traces) -> None:
    """Take him away where he is whom to ask, his name, address and phone together."""
    columns = [prefix + what for what in CONTACT if _has(table, prefix + what)]
    if columns:
        rows = table._default_manager.filter(_is_contact(table, prefix, traces))
        rows.update(**dict.fromkeys(columns, ""))


def _is_contact(table: type[models.Model], prefix: str, traces: Traces) -> Q:
    found = Q(pk__in=[])
    for what, texts in (("name", traces.names), ("email", traces.addresses)):
        if _has(table, prefix + what):
            for text in texts:
                found |= Q(**{f"{prefix}{what}__iexact": text})
    if _has(table, "used_by"):
        found |= Q(used_by__in=traces.accounts)
    return found


def _has(table: type[models.Model], column: str) -> bool:
    return column in {field.name for field in table._meta.concrete_fields}


def _forget_in_history(traces: Traces, birth: date | None) -> None:
    """Blank every event of his rows, and his name in what events and decisions say."""
    with pgtrigger.ignore():  # what keeps events from being changed, for here they have to be
        PlayerEvent.objects.filter(pgh_obj__in=traces.entries).update(**BLANK)
        if birth is not None:
            newest = PlayerEvent.objects.filter(pgh_obj=traces.entries[0], state=PlayerState.ERASED)
            newest.update(birth_date=birth, birth_year=birth.year)
        UserEvent.objects.filter(pgh_obj__in=traces.accounts).update(email="", player=None)
        for model, prefix in CONTACTS:
            for table in _events_of(model):
                _forget_contact(table, prefix, traces)
        for each in SENTENCES:
            for table in (each.model, *_events_of(each.model)):
                _forget_in_sentences(table, each, traces)
        for model in apps.get_models():
            if issubclass(model, Event):
                _forget_in_contexts(model, traces)


def _events_of(model: type[models.Model]) -> list[type[models.Model]]:
    """The table of a model's history, if it has one."""
    return [model._meta.get_field("events").related_model] if hasattr(model, "events") else []


def _forget_in_sentences(table: type[models.Model], each: Sentence, traces: Traces) -> None:
    pattern = Value(_pattern(traces, is_json=each.is_json))
    without = Func(F(each.column), pattern, Value(FORMER), Value("g"), function="regexp_replace")
    most = table._meta.get_field(each.column).max_length
    rows = _holding(table, each, traces)
    rows.update(**{each.column: Left(without, most) if most else without})


def _holding(table: type[models.Model], each: Sentence, traces: Traces) -> models.QuerySet:
    """The rows that say his name in this column."""
    rows = table._default_manager.all()
    if not traces.said:
        return rows.none()
    return rows.filter(**{f"{each.column}__regex": _pattern(traces, is_json=each.is_json)})


def _pattern(traces: Traces, *, is_json: bool = False) -> str:
    """What a sentence may call him, as PostgreSQL looks for it: no part of a longer word."""
    said, before, after = traces.said, r"(?<!\w)", r"(?!\w)"
    if is_json:  # escaped stand dashes and quotes, U+2000 to U+20FF, new lines, and letters
        said = dict.fromkeys((*said, *(json.dumps(text)[1:-1] for text in said)))
        before = rf"(?:{before}|(?<=\\u20[0-9a-f]{{2}}|\\[nrt]))"
        after = r"(?!\w|\\u(?!20)[0-9a-f]{4})"
    return rf"{before}(?:{'|'.join(map(re.escape, said))}){after}"


def _forget_in_contexts(model: type[models.Model], traces: Traces) -> None:
    """The reason that an event was given, as of a merge with him."""
    if not traces.said:
        return
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET pgh_context = jsonb_set(pgh_context, '{{why}}',"
            " to_jsonb(regexp_replace(pgh_context ->> 'why', %s, %s, 'g')))"
            " WHERE pgh_context ->> 'why' ~ %s",
            [_pattern(traces), FORMER, _pattern(traces)],
        )


def _forget_in_files(entries: Collection[int]) -> None:
    """His line in the files that were sent to a rating officer."""
    for pk in entries:
        start = f"#PIN={pk}#"
        for row in Submission.objects.filter(text__contains=start):
            lines = [
                f"#PIN={pk}#NAME={FORMER}" if line.startswith(start) else line
                for line in row.text.split("\r\n")
            ]
            Submission.objects.filter(pk=row.pk).update(text="\r\n".join(lines))


def _forget_in_log(traces: Traces) -> None:
    """What the admin's log calls his rows, and what was changed in them."""
    for model, pks in ((Player, traces.entries), (User, traces.accounts)):
        log = LogEntry.objects.filter(
            content_type=ContentType.objects.get_for_model(model), object_id__in=map(str, pks)
        )
        log.update(object_repr=FORMER, change_message="")
