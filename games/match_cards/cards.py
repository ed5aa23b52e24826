"""The match card: the one path on which a result comes in, and with it the ratings."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

import pghistory
from django.db import connection, transaction
from django.db.models import PROTECT, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import registry
from clubs.constraints import check_now
from clubs.models import Membership, Player, PlayerState
from games.access import is_officer
from games.models import Agreement, Award, Board, CardRule, Division, Match, MatchState
from ratings import ledger

from . import card_agreement, card_mail, posting, team_checks
from .card_checks import Problem, Problems, find_problems, problems_of_awards
from .card_entries import BoardEntry, NewPlayer, entry_of, seated_in
from .team_rules import Finding

PLAYER_CONSTRAINTS = ("games_board_home_player_once", "games_board_away_player_once")


class CardRefused(Exception):
    """The card breaks a rule; `problems` holds what is wrong by board number, 0 for the day."""

    def __init__(self, problems: Problems):
        super().__init__(problems)
        self.problems = problems


class CardAlreadyConfirmed(CardRefused):
    """Both sides have agreed on the card, or its time is over: only an officer changes it."""

    def __init__(self):
        finding = _("Both sides have agreed on this card.")
        advice = _("Only the league’s officer can change it now: ask him.")
        super().__init__({0: [Problem(finding, advice)]})


class CardChanged(Exception):
    """Somebody else saved the card meanwhile; `match` and `boards` are what is stored now."""

    def __init__(self, match: Match, boards: list[Board]):
        super().__init__(match.pk)
        self.match = match
        self.boards = boards


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a saved card did; `changed` is False where it said what was stored already."""

    match: Match
    boards: list[Board]
    changed: bool
    ratings_written: int = 0
    new_players: list[Player] = field(default_factory=list)


def record_card(
    *,
    match: int,
    boards: Sequence[BoardEntry],
    version: int,
    by,
    at: datetime,
    played_on: date | None = None,
    board_count: int | None = None,
    why: str = "",
    is_strict: bool = True,
) -> Recorded:
    """Store the card of the match with this pk, and with it table, ledger and Elo, or nothing.

    `version` is the one the typist saw. `played_on` and `board_count`, if given, become the
    match's. A card that says exactly what is stored changes nothing, whatever its version: a
    double click, a reload and the back button are harmless. `by` is the account, None for an
    import.

    A result or an award of a day after that of `at` is refused; a line-up is not. So is what the
    division refuses of a line-up: not to an import, and with `is_strict` off it is only noted.
    What the league gives for a board only its officer or an import changes.

    The other side gets a mail, both of them for an officer's card; nobody for an import.

    Raises `CardRefused` with sentences by board, `CardAlreadyConfirmed` to all but an officer,
    `CardChanged` when somebody saved meanwhile.
    """
    with transaction.atomic():
        stored = lock_match(match)
        old = list(stored.boards.order_by("number"))
        played_on = stored.played_on if played_on is None else played_on
        board_count = stored.board_count if board_count is None else board_count
        lock_clubs_of_new_players(boards)
        boards = [_with_known_people(entry) for entry in boards]
        if says_the_same(stored, old, boards, played_on, board_count):
            return Recorded(stored, old, changed=False)
        today = timezone.localdate(at)
        _refuse_unless_open(stored, old, version, by, today)
        day = today if played_on is None else played_on
        pending, found = _checked(
            stored, old, boards, played_on=played_on, today=today, by=by, is_strict=is_strict
        )
        new_players: list[Player] = []
        # The history asks who did it; the ledger has no history.
        with pghistory.context(user=getattr(by, "pk", None), why=why):
            rows = [_board(stored, entry, new_players, day) for entry in boards]
            gone = _write_boards(stored, old, rows)
            decided = any(row.result is not None or row.award is not None for row in rows)
            stored.board_count = board_count
            answers = stored.agreement == Agreement.DISPUTED
            told = card_agreement.note_saved(stored, rows, decided=decided, by=by, at=at)
            if clears_stated_score(stored, rows):
                stored.stated_home = stored.stated_away = None
            _touch(stored, played_on, board_count, by, at, decided)
            if decided and team_checks.has_rules(stored.division):
                team_checks.keep_findings(stored, found, team_checks.sittings_of(rows), at)
            written = posting.rate(stored, {*gone, *(row.pk for row in rows)}, today)
            check_now(*PLAYER_CONSTRAINTS, ledger.TOTAL_ORDER)
            _drop_replaced((_seated(old) & pending) - _seated(rows))
            if told:
                card_mail.tell_later(stored, told, by=by, answers=answers)
        return Recorded(stored, rows, True, written, new_players)


def _refuse_unless_open(match: Match, old: Sequence[Board], version: int, by, today: date) -> None:
    """Raise what stands against any change of the card by `by`, who saw it in `version`."""
    if by is not None and not card_agreement.may_change(by, match, today):
        raise CardAlreadyConfirmed
    if version != match.version:
        raise CardChanged(match, list(old))
    if match.state == MatchState.VOID:
        raise CardRefused({0: [Problem(_("The match is void."), match.decision)]})


def _checked(
    match: Match,
    old: Sequence[Board],
    boards: Sequence[BoardEntry],
    *,
    played_on: date | None,
    today: date,
    by,
    is_strict: bool,
) -> tuple[set[int], dict[str, list[Finding]]]:
    """Who of those on the card, old or new, is pending, and what it breaks of the rules, by side.

    All of them are held. Raises `CardRefused`.
    """
    people = registry.hold_people({*_seated(old), *seated_in(boards)})
    problems = find_problems(boards, people, played_on=played_on, today=today)
    awards = problems_of_awards(old, boards) if by is not None else {}
    if awards and not is_officer(by, match.division.season.league_id):
        problems = awards | problems
    if problems:
        raise CardRefused(problems)
    day = today if played_on is None else played_on
    sittings = team_checks.sittings_in(boards)
    found = team_checks.findings_of(match, sittings, day=day, today=today)
    if by is not None and is_strict:
        _refuse_by_rules(match, boards, found)
    return {pk for pk, who in people.items() if who.state == PlayerState.PENDING}, found


def _refuse_by_rules(
    match: Match, boards: Sequence[BoardEntry], found: Mapping[str, Sequence[Finding]]
) -> None:
    """Raise `CardRefused` for what the division refuses rather than notes."""
    problems: Problems = {}
    names = team_checks.names_on(boards) if any(found.values()) else {}
    for side, each in found.items():
        for finding in each:
            if team_checks.refuses(match.division, finding):
                words = team_checks.words_of(finding, getattr(match, side), names[side])
                label = CardRule(finding.rule).label
                problem = Problem(_("Against the rule: %s.") % label, words, side)
                problems.setdefault(finding.board, []).append(problem)
    if problems:
        raise CardRefused(problems)


def lock_match(pk: int) -> Match:
    """The match, its division's row and its own locked, in this order.

    Raises `Match.DoesNotExist`.
    """
    # PostgreSQL locks the rows in the order in which `of` names them, each as it is by then.
    return (
        Match.objects.select_related("division__rated_event", "home", "away")
        .select_for_update(no_key=True, of=("division", "self"))
        .get(pk=pk)
    )


def lock_matches(matches: Collection[int], divisions: Collection[int] = ()) -> None:
    """Lock these matches after their divisions and those of `divisions`, in the order of pks."""
    of_matches = Match.objects.filter(pk__in=matches).values("division")
    for rows in (
        Division.objects.filter(Q(pk__in=of_matches) | Q(pk__in=divisions)),
        Match.objects.filter(pk__in=matches),
    ):
        list(rows.order_by("pk").select_for_update(no_key=True).values_list("pk"))


def lock_clubs_of_new_players(boards: Iterable[BoardEntry]) -> None:
    """Let no other card, of whatever division, make the same new player of a club meanwhile.

    In the order of locks the clubs stand after the match and before the pool.
    """
    people = (who for entry in boards for who in (entry.home, entry.away))
    clubs = {who.club_id for who in people if isinstance(who, NewPlayer)}
    if clubs:
        registry.lock_clubs(clubs)


def given(entry: BoardEntry, home: int, away: int, reason: str) -> BoardEntry:
    """The entry with so many half-points awarded; the game as played stays."""
    return replace(entry, award=Award.GIVEN, award_home=home, award_away=away, award_reason=reason)


def says_the_same(
    match: Match,
    old: Sequence[Board],
    boards: Sequence[BoardEntry],
    played_on: date | None,
    board_count: int,
) -> bool:
    """Whether the card holds exactly what is stored, so that saving it would change nothing."""
    if clears_stated_score(match, old):
        return False
    if (played_on, board_count) != (match.played_on, match.board_count):
        return False
    return [entry_of(board) for board in old] == sorted(boards, key=lambda entry: entry.number)


def clears_stated_score(match: Match, boards: Sequence[Board]) -> bool:
    """Whether the score that was stated goes: these boards are all that the match has.

    Until then it stands, a score that was sent first; what an officer gave stands anyhow.
    """
    if match.stated_home is None or match.state == MatchState.AWARDED:
        return False
    return card_agreement.is_complete(match, boards)


def _board(match: Match, entry: BoardEntry, new_players: list[Player], day: date) -> Board:
    return Board(
        match=match,
        number=entry.number,
        home_player_id=_player(entry.home, new_players, day),
        away_player_id=_player(entry.away, new_players, day),
        home_colour=entry.home_colour,
        result=entry.result,
        award=entry.award,
        award_home=entry.award_home,
        award_away=entry.award_away,
        award_reason=entry.award_reason,
        played_on=entry.played_on,
        counts_for_match=entry.counts_for_match,
        home_exception=entry.home_exception,
        away_exception=entry.away_exception,
        unfinished=entry.unfinished,
    )


def _with_known_people(entry: BoardEntry) -> BoardEntry:
    """The entry with each new player replaced by the pending one an earlier save made of him."""
    return replace(entry, home=_known(entry.home), away=_known(entry.away))


def _known(who: int | NewPlayer | None) -> int | NewPlayer | None:
    if not isinstance(who, NewPlayer):
        return who
    pending = registry.find_pending(surname=who.surname, forenames=who.forenames, club=who.club_id)
    return pending.pk if pending else who


def _player(who: int | NewPlayer | None, new_players: list[Player], day: date) -> int | None:
    if not isinstance(who, NewPlayer):
        return who
    player = registry.add_pending(
        surname=who.surname, forenames=who.forenames, club=who.club_id, on=day
    )
    new_players.append(player)
    return player.pk


def _seated(boards: Iterable[Board]) -> set[int]:
    sides = (pk for board in boards for pk in (board.home_player_id, board.away_player_id))
    return {pk for pk in sides if pk is not None}


def _drop_replaced(leavers: set[int]) -> None:
    """Take out of the registry who was pending, left this card, and is named nowhere else.

    Most often a name that was spelt wrong and put right. The ledger is posted.
    """
    if not leavers:
        return
    named = {f"{name}__isnull": True for name in _named_by()}
    nowhere = Player.objects.filter(pk__in=leavers, **named)
    registry.drop_pending(list(nowhere.values_list("pk", flat=True)))


def _named_by() -> list[str]:
    """What keeps a player in the registry: all that the database would not let go without him.

    A membership alone goes with him.
    """
    naming = (each for each in Player._meta.related_objects if each.on_delete is PROTECT)
    return [each.name for each in naming if each.related_model is not Membership]


def _write_boards(match: Match, old: Sequence[Board], rows: Sequence[Board]) -> list[int]:
    """Write the boards in place by number; returns the pks of those that are no longer there.

    A board's pk is its ledger key, so a row is never deleted and made again. The caller checks
    `PLAYER_CONSTRAINTS`.
    """
    by_number = {board.number: board for board in old}
    changed, new = [], []
    for row in rows:
        before = by_number.pop(row.number, None)
        if before is None:
            new.append(row)
        elif entry_of(before) != entry_of(row):
            row.pk = before.pk
            changed.append(row)
        else:
            row.pk = before.pk
    gone = [board.pk for board in by_number.values()]
    if gone:
        Board.objects.filter(pk__in=gone).delete()
    if changed:
        Board.objects.bulk_update(changed, WRITTEN_FIELDS)
    if new:
        Board.objects.bulk_create(new)
    return gone


WRITTEN_FIELDS = [
    "home_player",
    "away_player",
    "home_colour",
    "result",
    "award",
    "award_home",
    "award_away",
    "award_reason",
    "played_on",
    "counts_for_match",
    "home_exception",
    "away_exception",
    "unfinished",
]


def _touch(
    match: Match, played_on: date | None, board_count: int, by, at: datetime, decided: bool
) -> None:
    """Raise both versions, note who saved it and when.

    A card without any result, `decided` says, is a line-up and not entered.
    """
    match.version += 1
    match.played_on = played_on
    match.board_count = board_count
    if played_on is not None and match.state == MatchState.POSTPONED:
        match.state = MatchState.ARRANGED.value
    match.entered_at = at if decided else None
    match.entered_by = by
    values = {name: getattr(match, name) for name in ("id", "division_id", *TOUCHED)}
    with connection.cursor() as cursor:
        cursor.execute(TOUCH, values | {"at": at})


TOUCHED = (
    *("version", "played_on", "board_count", "state"),
    *("stated_home", "stated_away", "entered_at", "entered_by_id"),
    *("agreement", "entered_side", "first_entered_at", "agreed_at", "agreed_by_id"),
    *("dispute", "disputed_at", "disputed_by_id"),
)
# One statement for both rows: the fewer a card asks, the more cards an evening.
TOUCH = (
    "WITH of_division AS (UPDATE games_division SET version = version + 1, changed_at = %(at)s"
    " WHERE id = %(division_id)s) UPDATE games_match SET "
    + ", ".join(f"{name} = %({name})s" for name in TOUCHED)
    + " WHERE id = %(id)s"
)
