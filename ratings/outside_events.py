"""Games of elsewhere: a results file of another league or a congress, rated here like any other."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from clubs import registry
from clubs.import_report import ImportRefused, Report
from clubs.sheets import Problem

from . import ledger, live
from .ecf_results_blocks import LineProblem
from .ecf_results_entries import EventEntry, GameEntry, ResultsFile
from .models import GameCorrection, OutsideEvent, RatedEvent, RatedGame, RatingPool
from .outside_people import People, Undecided, find_people, store_people


class PeopleUndecided(ImportRefused):
    """Some people of the file are unknown here, and nobody has said who they are."""

    def __init__(self, undecided: list[Undecided]):
        self.undecided = undecided
        super().__init__(who.problem(LineProblem) for who in undecided)


@dataclass(slots=True)
class Stored:
    """What a file did: its report, and by pool the day of the first game it touched."""

    report: Report
    since: dict[str, date] = field(default_factory=dict)


@transaction.atomic
def store_event(
    *,
    found: ResultsFile,
    pool: str,
    source: str,
    by,
    at: datetime,
    choices: Mapping[int, str] | None = None,
    create_players: bool = False,
) -> Stored:
    """Make the ledger hold the games of a file that was read without problems, all or nothing.

    A file of a higher index replaces that of a lower one of the same event; the same again changes
    nothing. Games that an officer corrected by hand stay as he left them. `source` is the file's
    name, `by` the account or None. Raises `PeopleUndecided` and `ImportRefused`.
    """
    registry.lock_for_import()
    entry = found.event
    event = OutsideEvent.objects.select_for_update(no_key=True).filter(code=entry.code).first()
    report = Report(notices=list(found.notices))
    if event is not None and _is_read_already(event, found):
        sentence = _("%(code)s with index %(index)d was read on %(day)s; nothing is new.")
        words = {"code": event.code, "index": event.index, "day": event.read_at.date()}
        report.notices.append(sentence % words)
        return Stored(report)
    people = find_people(
        found=found,
        event=event,
        choices=choices or {},
        create=create_players,
        make_problem=LineProblem,
    )
    if people.problems:
        raise ImportRefused(people.problems)
    if people.undecided:
        raise PeopleUndecided(people.undecided)
    _require_two_people(found, people)
    report.notices += people.notices
    with pghistory.context(user=getattr(by, "pk", None), why=source):
        pools = _lock_pools(event, pool)
        before = event.rated_event if event else None
        rated_event = _rated_event(entry, pool)
        event = _store_details(event, found, rated_event, source, by, at)
        store_people(people, event)
    return _post(found, people, rated_event, before, pools, report)


def _is_read_already(event: OutsideEvent, found: ResultsFile) -> bool:
    """Whether this very file was read; raises `ImportRefused` where another one stands above it."""
    index = found.event.index
    if index > event.index:
        return False
    if index == event.index and found.digest == event.digest:
        return True
    if index == event.index:
        sentence = _("index %d was read with other content; a correction needs a higher one")
    else:
        sentence = _("index %d was read already; a lower one is out of date")
    problem = LineProblem(found.event.line, "SUBMISSION INDEX", str(index), sentence % event.index)
    raise ImportRefused([problem])


def _require_two_people(found: ResultsFile, people: People) -> None:
    problems: list[Problem] = [
        LineProblem(game.line, "PIN2", str(game.second), _("both sides are one player here"))
        for game in found.games
        if people.by_pin[game.first] is people.by_pin[game.second]
        or (people.by_pin[game.first].pk or 0) == people.by_pin[game.second].pk
    ]
    if problems:
        raise ImportRefused(problems)


def _lock_pools(event: OutsideEvent | None, pool: str) -> dict[str, RatingPool]:
    """The pool of the file's time control, and that of the event so far, locked by name."""
    names = {pool} if event is None else {pool, event.rated_event.pool_id}
    return {name: ledger.lock_pool(name) for name in sorted(names)}


def _rated_event(entry: EventEntry, pool: str) -> RatedEvent:
    """The event of the ledger for this code and rate of play, made if there is none."""
    source = f"ecf/{entry.code}/{pool}"
    event = RatedEvent.objects.filter(source=source).first()
    if event is None:
        return ledger.open_event(
            source=source, name=entry.name, pool=pool, first_day=entry.starts_on
        )
    event.name, event.first_day = entry.name, entry.starts_on
    event.save(update_fields=["name", "first_day"])
    return event


def _store_details(
    event: OutsideEvent | None,
    found: ResultsFile,
    rated_event: RatedEvent,
    source: str,
    by,
    at: datetime,
) -> OutsideEvent:
    entry = found.event
    event = event or OutsideEvent(code=entry.code)
    event.index = entry.index
    event.name = entry.name
    event.rated_event = rated_event
    event.starts_on, event.ends_on = entry.starts_on, entry.ends_on
    event.minutes, event.increment_seconds = entry.minutes, entry.increment_seconds
    event.digest = found.digest
    event.file_name = source[:200]
    event.read_at, event.read_by = at, by
    event.save()
    return event


def _post(
    found: ResultsFile,
    people: People,
    event: RatedEvent,
    before: RatedEvent | None,
    pools: dict[str, RatingPool],
    report: Report,
) -> Stored:
    """Make the ledger of the event equal to the file, and rate what that touches."""
    stored = Stored(report)
    events = {each.pk: each for each in (event, before) if each is not None}.values()
    for each in sorted(events, key=lambda each: each.pool_id):
        games = _games(found, people, event) if each.pk == event.pk else {}
        rows = each.games.values_list(*ledger.Played._fields)
        known = {row[0]: ledger.Played(*row) for row in rows}
        by_hand = _corrected_by_hand(each, games, report)
        report.new += len(games.keys() - known.keys() - by_hand)
        report.changed += len(known.keys() - games.keys() - by_hand) + sum(
            _differ(known[key], games[key]) for key in (known.keys() & games.keys()) - by_hand
        )
        touched = ledger.post(
            event=each,
            keys=known.keys() - by_hand,
            games=[game for key, game in games.items() if key not in by_hand],
        )
        if touched.since is not None:
            stored.since[each.pool_id] = touched.since.played_on
        live.update(pool=pools[each.pool_id], touched=touched)
    return stored


def _corrected_by_hand(
    event: RatedEvent, games: Mapping[str, ledger.Played], report: Report
) -> set[str]:
    """The keys of games that an officer corrected; each is named, for the file may say more."""
    keys = set(GameCorrection.objects.filter(event=event).values_list("source_key", flat=True))
    rows = RatedGame.objects.filter(source_key__in=keys).select_related("white", "black")
    stored = {game.source_key: game for game in rows}
    for key in sorted(keys & (games.keys() | stored.keys())):
        if key in stored:
            report.notices.append(_("%s: corrected by hand, and kept so.") % stored[key])
        else:
            report.notices.append(_("Taken out by hand, and not stored again: %s.") % key)
    return keys


def _differ(stored: ledger.Played, game: ledger.Played) -> bool:
    """Whether a game says something else; its place in the file alone is no change."""
    return stored._replace(number=0) != game._replace(number=0)


def _games(found: ResultsFile, people: People, event: RatedEvent) -> dict[str, ledger.Played]:
    """The games of the file as the ledger keeps them, by key.

    A game is known by its two players and its day, whatever its place in the file, so that a file
    with one game more touches one row.
    """
    games: dict[str, ledger.Played] = {}
    times: Counter[tuple[int, int, date]] = Counter()
    for entry in found.games:
        first, second = people.by_pin[entry.first].pk, people.by_pin[entry.second].pk
        meeting = (min(first, second), max(first, second), entry.played_on)
        times[meeting] += 1
        key = f"{event.source}/{meeting[0]}-{meeting[1]}/{entry.played_on}/{times[meeting]}"
        games[key] = _played(key, entry, first, second)
    return games


def _played(key: str, entry: GameEntry, first: int, second: int) -> ledger.Played:
    """A game with its row as number in source; of unknown colours the first-named has White."""
    is_white = entry.white != 2
    return ledger.Played(
        source_key=key,
        played_on=entry.played_on,
        round=entry.round,
        board=entry.board,
        number=entry.number,
        white_id=first if is_white else second,
        black_id=second if is_white else first,
        white_halves=entry.halves if is_white else 2 - entry.halves,
        colours_known=entry.white != 0,
    )
