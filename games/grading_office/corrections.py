"""Corrections by the grading officer: of a game, on its card or in the ledger, and of a person.

Each is a `ratings.effects.Correction`: tried and shown first, then done if it is still the same.
"""

from dataclasses import replace
from datetime import date, datetime
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import registry
from clubs.models import Player
from games.match_cards.card_entries import BoardEntry, entry_of
from games.match_cards.cards import CardRefused, lock_match, record_card
from games.models import Board, Colour, Match
from games.tasks import recompute_later
from ratings import corrections, ledger, people
from ratings.corrections import CannotCorrect, GameFacts
from ratings.effects import Correction
from ratings.lists import GRADED_POOLS
from ratings.models import OpeningRating, RatedGame, RatingPool, System

BOARD = "board:"


def board_of(game: RatedGame) -> Board | None:
    """The board of a card that the game of the ledger stands for; None for one of elsewhere."""
    pk = game.source_key.removeprefix(BOARD)
    if pk == game.source_key or not pk.isdecimal():
        return None
    return Board.objects.select_related("match__home", "match__away").filter(pk=pk).first()


def of_game(
    *, game: RatedGame, facts: GameFacts | None, reason: str, by, at: datetime
) -> Correction:
    """The correction of a rated game to these facts, or with None its removal.

    A game of a board is corrected on its card, where the removal takes the result away and
    leaves the players; one of elsewhere in the ledger itself.
    """
    board = board_of(game)
    people = (facts.white, facts.black) if facts else ()
    if board is not None:
        return Correction(
            lock=partial(_lock_card, board, facts),
            facts=lambda: (_entries(board.match_id), facts),
            correct=partial(
                correct_board, board=board.pk, facts=facts, reason=reason, by=by, at=at
            ),
            game=game.pk,
            people=people,
        )
    return Correction(
        lock=lambda: [corrections.lock_game(game.pk, facts)[1]],
        facts=lambda: (corrections.facts_of(RatedGame.objects.get(pk=game.pk)), facts),
        correct=partial(correct_game, game=game.pk, facts=facts, reason=reason, by=by, at=at),
        game=game.pk,
        people=people,
    )


def of_birth_date(*, player: int, birth_date: date | None, by) -> Correction:
    """The correction of a player's birth date; None takes it away."""
    return Correction(
        lock=partial(_lock_person, player),
        facts=lambda: (Player.objects.get(pk=player).birth_date, birth_date),
        correct=partial(correct_birth_date, player=player, birth_date=birth_date, by=by),
        game=None,
        people=(player,),
    )


def of_opening(*, player: int, pool: str, system: str, by, **fact) -> Correction:
    """The correction of what opens a player's rating, as `ratings.people.correct_opening`."""
    known = OpeningRating.objects.filter(player=player, pool=pool, system=system)
    return Correction(
        lock=people.lock_pools,
        facts=lambda: (list(known.values_list("value", "provisional")), pool, system, fact),
        correct=partial(correct_opening, player=player, pool=pool, system=system, by=by, **fact),
        game=None,
        people=(player,),
    )


# --- The workflows -----------------------------------------------------------------------


@transaction.atomic
def correct_board(*, board: int, facts: GameFacts | None, reason: str, by, at: datetime) -> int:
    """Save the card of this board with another game on it; None takes the result away.

    Returns the number of stored rating rows that were written. Raises `CannotCorrect` with what
    the card would refuse.
    """
    match = Match.objects.filter(boards=board).values_list("pk", flat=True).first()
    if match is None:
        raise CannotCorrect(_("The game is no longer there."))
    stored = lock_match(match)
    old = {row.pk: entry_of(row) for row in stored.boards.order_by("number")}
    if board not in old:
        raise CannotCorrect(_("The game is no longer there."))
    entry = corrected_entry(stored, old[board], facts)
    if facts is not None:
        corrections.require_possible(facts, at)
    try:
        recorded = record_card(
            match=match,
            boards=[entry if pk == board else each for pk, each in old.items()],
            version=stored.version,
            by=by,
            at=at,
            why=reason,
        )
    except CardRefused as refused:
        found = [str(problem) for problems in refused.problems.values() for problem in problems]
        raise CannotCorrect(" ".join(found)) from refused
    return recorded.ratings_written


def corrected_entry(match: Match, entry: BoardEntry, facts: GameFacts | None) -> BoardEntry:
    """The board with these facts; the day is its own where it is not the match's."""
    if facts is None:
        return replace(entry, result=None)
    home_is_white = entry.home_colour != Colour.BLACK
    white, black = facts.white, facts.black
    return replace(
        entry,
        home=white if home_is_white else black,
        away=black if home_is_white else white,
        result=facts.white_halves if home_is_white else 2 - facts.white_halves,
        played_on=None if facts.played_on == match.played_on else facts.played_on,
    )


@transaction.atomic
def correct_game(*, game: int, facts: GameFacts | None, reason: str, by, at: datetime) -> int:
    """As `ratings.corrections.correct_game`; a provisional grade list follows by its job."""
    days = [facts.played_on] if facts else []
    stored = RatedGame.objects.filter(pk=game).values_list("played_on", "event__pool").first()
    written = corrections.correct_game(game=game, facts=facts, reason=reason, by=by, at=at)
    recompute_later(pool=stored[1], since=min([stored[0], *days]))
    return written


@transaction.atomic
def correct_birth_date(*, player: int, birth_date: date | None, by) -> int:
    """As `ratings.people.correct_birth_date`; provisional grade lists follow by their jobs."""
    written = people.correct_birth_date(player=player, birth_date=birth_date, by=by)
    _recompute_lists()
    return written


@transaction.atomic
def correct_opening(*, player: int, pool: str, system: str, by, **fact) -> int:
    """As `ratings.people.correct_opening`; of a grade, provisional lists follow by their jobs."""
    written = people.correct_opening(player=player, pool=pool, system=system, by=by, **fact)
    if system == System.GRADE:
        _recompute_lists()
    return written


def _recompute_lists() -> None:
    """Both, for what is known of somebody at one rate of play may count at the other."""
    for name in sorted(GRADED_POOLS):
        recompute_later(pool=name, since=date.min)


# --- Locks -------------------------------------------------------------------------------


def _lock_card(board: Board, facts: GameFacts | None) -> list[RatingPool]:
    """The match, everybody on its card before and after, and its pool."""
    match = lock_match(board.match_id)
    seated = {who for entry in _entries(match.pk) for who in (entry.home, entry.away)}
    registry.hold_people({*seated, *((facts.white, facts.black) if facts else ())} - {None})
    return [ledger.lock_pool(match.division.rated_event.pool_id)]


def _entries(match: int) -> list[BoardEntry]:
    return [entry_of(board) for board in Board.objects.filter(match=match).order_by("number")]


def _lock_person(player: int) -> list[RatingPool]:
    registry.lock_people([player])
    return people.lock_pools()
