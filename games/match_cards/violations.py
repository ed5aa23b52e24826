"""What stored cards have against their divisions' rules, and how the officer decides it."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Player
from games.division_tables import adjustments
from games.models import Decision, Match, Season, Violation

from . import cards
from .card_entries import entry_of
from .rule_words import rule_words


class DecisionRefused(Exception):
    """What the officer wants to decide cannot be done; the message says why."""


def words_of(violation: Violation, names: Mapping[int, str]) -> str:
    """The violation in a sentence; `names` holds the players' by pk, as the reader may see them."""
    if violation.player_id is None:
        name = violation.team.name if violation.board == 0 else _("A new player")
    else:
        name = names[violation.player_id]
    other = violation.figures.get("above_player")
    return rule_words(
        violation.rule, violation.figures, name, names.get(other, _("somebody")) if other else ""
    )


def of_season(season: Season) -> list[Violation]:
    """Every violation of a season: the undecided first, then by day."""
    rows = Violation.objects.filter(match__division__season=season).select_related(
        *("match__division__season__league", "match__home", "match__away", "team", "player"),
        *("adjustment", "decided_by"),
    )
    return sorted(
        rows,
        key=lambda row: (
            bool(row.decision),
            row.match.played_on or date.max,
            row.match_id,
            row.team_id,
            row.board,
        ),
    )


def names_for(violations: Iterable[Violation]) -> dict[int, str]:
    """The names that the violations' sentences need, for the officer, by pk."""
    violations = list(violations)
    wanted = {row.player_id for row in violations}
    wanted |= {row.figures.get("above_player") for row in violations}
    people = Player.objects.in_bulk([pk for pk in wanted if pk is not None])
    return {pk: str(person) for pk, person in people.items()}


@transaction.atomic
def let_pass(*, violation: int, note: str, by, at: datetime) -> Violation:
    """The officer lets the card stand as it is; `note` may say why."""
    _match, stored = _open(violation)
    return _decide(stored, Decision.ACCEPTED, note, by, at)


@transaction.atomic
def penalise(
    *, violation: int, match_points: int, game_points: int, note: str, by, at: datetime, on: date
) -> Violation:
    """Take points (halves, above 0) off the team for it; the table says why in `note`.

    Raises `DecisionRefused` without points or without a reason.
    """
    _match, stored = _open(violation)
    if match_points < 0 or game_points < 0:
        raise DecisionRefused(_("Points off are above 0."))
    try:
        stored.adjustment = adjustments.add_adjustment(
            team=stored.team_id,
            match_points=-match_points,
            game_points=-game_points,
            reason=note,
            decided_on=on,
            by=by,
            at=at,
        )
    except adjustments.AdjustmentRefused as refused:
        raise DecisionRefused(str(refused)) from refused
    return _decide(stored, Decision.PENALTY, note, by, at)


@transaction.atomic
def award(*, violation: int, note: str, by, at: datetime) -> Violation:
    """Give the board to the other side; the game as played stays rated.

    The card is saved with whatever else it has against the rules: it stands already. Raises
    `DecisionRefused` for a violation of the whole team, a board that is gone or not played,
    without a reason, and with what the card would refuse.
    """
    match, stored = _open(violation)
    board = match.boards.filter(number=stored.board).first()
    if board is None or board.result is None:
        raise DecisionRefused(_("There is no game on that board to award."))
    if not note.strip():
        raise DecisionRefused(_("An award needs its reason: it stands on the card."))
    # Decided first: a violation that is not goes with the next card that keeps the rule.
    _decide(stored, Decision.AWARD, note, by, at)
    home_won = stored.team_id == match.away_id
    entries = [entry_of(each) for each in match.boards.order_by("number")]
    try:
        cards.record_card(
            match=match.pk,
            boards=[
                cards.given(entry, 2 if home_won else 0, 0 if home_won else 2, note.strip())
                if entry.number == board.number
                else entry
                for entry in entries
            ],
            version=match.version,
            by=by,
            at=at,
            why=note,
            is_strict=False,
        )
    except cards.CardRefused as refused:
        found = [str(problem) for problems in refused.problems.values() for problem in problems]
        raise DecisionRefused(" ".join(found)) from refused
    return stored


def _open(violation: int) -> tuple[Match, Violation]:
    """Its match and the violation, locked in this order.

    Raises `DecisionRefused` if it was decided before, or went with a card saved meanwhile.
    """
    pk = Violation.objects.filter(pk=violation).values_list("match", flat=True).first()
    match = None if pk is None else cards.lock_match(pk)
    stored = Violation.objects.select_for_update().filter(pk=violation).first()
    if match is None or stored is None:
        raise DecisionRefused(_("The card was changed meanwhile, and keeps the rule now."))
    if stored.decision:
        raise DecisionRefused(_("It was decided already."))
    return match, stored


def _decide(stored: Violation, decision: str, note: str, by, at: datetime) -> Violation:
    stored.decision, stored.note = decision, note.strip()
    stored.decided_by, stored.decided_at = by, at
    with pghistory.context(user=getattr(by, "pk", None)):
        stored.save()
    return stored
