"""Games of the ledger corrected by hand: those that no card stands for, each with its reason.

What a file of elsewhere said is corrected here, and stays so: a later file of the same event
passes over games that have a `GameCorrection`.
"""

from dataclasses import dataclass
from datetime import date, datetime

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import registry
from clubs.models import Player

from . import live
from .ledger import Played, Touched, lock_pool, post
from .models import GameCorrection, RatedEvent, RatedGame, RatingPool


class CannotCorrect(Exception):
    """The correction breaks a rule; the sentence says which, `field` which of the facts."""

    def __init__(self, sentence: str, field: str | None = None):
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What an officer may correct of a game; players are pks, the result is White's half-points."""

    played_on: date
    white: int
    black: int
    white_halves: int


def facts_of(game: RatedGame | Played) -> GameFacts:
    """The game as it is stored."""
    return GameFacts(game.played_on, game.white_id, game.black_id, game.white_halves)


def require_possible(facts: GameFacts, at: datetime) -> None:
    """Raises `CannotCorrect` for a game of a day to come, or of somebody against himself."""
    if facts.played_on > timezone.localdate(at):
        raise CannotCorrect(_("This day is still to come."), "played_on")
    if facts.white == facts.black:
        raise CannotCorrect(_("Nobody plays himself."), "black")


def lock_game(game: int, facts: GameFacts | None) -> tuple[RatedGame, RatingPool]:
    """The game of this pk and its pool, locked; the people before and after are held.

    They stand before the pool in the order of locks. Raises `CannotCorrect` where the game is gone.
    """
    seated = RatedGame.objects.filter(pk=game).values_list("white", "black", "event__pool").first()
    if seated is None:
        raise CannotCorrect(_("The game is no longer there."))
    people = {*seated[:2], *((facts.white, facts.black) if facts else ())}
    registry.hold_people(people)
    pool = lock_pool(seated[2])
    stored = RatedGame.objects.select_related("event").filter(pk=game).first()
    if stored is None:
        raise CannotCorrect(_("The game is no longer there."))
    return stored, pool


@transaction.atomic
def correct_game(*, game: int, facts: GameFacts | None, reason: str, by, at: datetime) -> int:
    """Store these facts of a game that no card stands for, or with None delete it; rate it again.

    The reason is kept with what the game was and is. Returns the number of stored rating rows
    that were written. Raises `CannotCorrect`.
    """
    stored, pool = lock_game(game, facts)
    old = Played(*(getattr(stored, name) for name in Played._fields))
    if facts is not None:
        require_possible(facts, at)
        _require_in_registry(facts)
    new = None
    if facts is not None:
        new = old._replace(
            played_on=facts.played_on,
            white_id=facts.white,
            black_id=facts.black,
            white_halves=facts.white_halves,
        )
    if new == old:
        return 0
    touched = _post(stored.event, old.source_key, new)
    GameCorrection.objects.create(
        event=stored.event,
        source_key=old.source_key,
        before=_written(old),
        after=None if new is None else _written(new),
        reason=reason,
        corrected_at=at,
        corrected_by=by,
    )
    return live.update(pool=pool, touched=touched)


def _post(event: RatedEvent, key: str, game: Played | None) -> Touched:
    try:
        with transaction.atomic():
            return post(event=event, keys=[key], games=[game] if game else [])
    except IntegrityError as error:
        if "ratings_ratedgame_total_order" not in str(error):
            raise
        sentence = _("Another game of the event stands at this place on this day.")
        raise CannotCorrect(sentence, "played_on") from error


def _require_in_registry(facts: GameFacts) -> None:
    people = Player.objects.filter(pk__in=[facts.white, facts.black]).standing()
    there = set(people.values_list("pk", flat=True))
    for field in ("white", "black"):
        if getattr(facts, field) not in there:
            raise CannotCorrect(_("This player is another entry now."), field)


def _written(game: Played) -> dict:
    return game._asdict() | {"played_on": game.played_on.isoformat()}
