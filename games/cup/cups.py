"""A cup from its draw to its winner: what its officer decides, and nothing that the boards say.

A tie's matches are ordinary ones with ordinary cards: they belong to it by their round and their
two teams. Who goes on is read from the boards (`cup_brackets`); stored are the draw, the matches
it makes and the officer's decisions.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.dates import date_format
from games.fixture_lists import fixtures
from games.matches import match_decisions
from games.models import (
    Board,
    CupRound,
    Division,
    Match,
    MatchState,
    Season,
    Team,
    Tie,
    TieDecision,
    Violation,
)
from games.season_office.entries import lock_division, touch

from . import cup_draw
from .cup_brackets import Bracket, DrawnTie, Round, active_teams, bracket_of
from .cup_words import round_name


class CupRefused(Exception):
    """What was asked of a cup cannot be done; the message says why."""


@transaction.atomic
def seed_teams(*, division: int, seeds: Mapping[int, int | None], at: datetime) -> None:
    """Give teams of a cup, by pk, their place among the seeded ones, 1 the strongest, or None.

    Raises `CupRefused` once the cup is drawn, and where a place is given twice.
    """
    cup = _lock_cup(division)
    _refuse_drawn(cup)
    teams = list(cup.teams.order_by("pk"))
    for team in teams:
        team.seed = seeds.get(team.pk, team.seed)
    places = [team.seed for team in teams if team.seed is not None]
    for place in places:
        if places.count(place) > 1:
            raise CupRefused(_("Two teams have the place %d among the seeded.") % place)
    Team.objects.bulk_update(teams, ["seed"])
    touch(cup, at)


@transaction.atomic
def draw_round(
    *,
    division: int,
    round: int,
    lot: int,
    days: Sequence[date | None],
    by,
    at: datetime,
) -> Bracket:
    """Draw this round of a cup and arrange its matches, one on each of `days` (one for each leg).

    The first is drawn from the number `lot`, and so is each later one where the cup is drawn
    round by round; in a bracket the winners of neighbouring ties meet, as soon as both are known,
    and a round may so be made in several steps. Who meets whom is the same whenever it is worked
    out from the same teams and number. Raises `CupRefused` while there is nothing to draw.
    """
    with pghistory.context(user=getattr(by, "pk", None)):
        cup = _lock_cup(division)
        for day in days:
            refuse_day_outside(cup.season, day)
        if len(days) != cup.legs:
            raise CupRefused(_("Each of the %d matches of a tie has its day, or none.") % cup.legs)
        if round == 1 and not cup.cup_rounds.exists():
            fixtures.number_teams(cup)
        bracket = bracket_of(cup)
        pairs = _pairs(bracket, round, lot)
        _store_round(bracket, round, lot, pairs, days, by, at)
        touch(cup, at)
        return bracket_of(cup)


@transaction.atomic
def undo_draw(*, division: int, round: int, by, at: datetime) -> None:
    """Take back the last round of a cup with its matches, as long as no card of it is entered.

    Raises `CupRefused` where one is, where the officer has decided a tie of it, and for a round
    that is not the last.
    """
    with pghistory.context(user=getattr(by, "pk", None)):
        cup = _lock_cup(division)
        bracket = bracket_of(cup)
        last = bracket.last
        if last is None or last.number != round:
            raise CupRefused(_("This is not the last round that was drawn: somebody was before."))
        matches = [match.pk for tie in last.ties for match in tie.matches]
        _refuse_begun(last, matches)
        Match.objects.filter(pk__in=matches).delete()
        last.drawn.delete()
        touch(cup, at)


@transaction.atomic
def swap_sides(*, tie: int, by, at: datetime) -> Tie:
    """Let the other side of a tie be at home; its only match has no card yet."""
    with pghistory.context(user=getattr(by, "pk", None)):
        _bracket, drawn = _lock_tie(tie)
        if len(drawn.matches) != 1 or drawn.has_card or drawn.winner is not None:
            raise CupRefused(_("Sides change only before the one match of a tie has a card."))
        stored, (match,) = drawn.tie, drawn.matches
        home, away = drawn.away, drawn.home
        stored.home, stored.away = home, away
        stored.save(update_fields=["home", "away"])
        match.home, match.away = home, away
        match.number = fixtures.number_of(home.order_number, away.order_number, match.leg)
        match.version += 1
        match.save(update_fields=["home", "away", "number", "version"])
        touch(match.division, at)
        return stored


@transaction.atomic
def order_replay(*, tie: int, day: date | None, by, at: datetime) -> Match:
    """Arrange one more match of a tie that is not decided, at the other side's venue.

    It takes the place of one that was declared void, too. Raises `CupRefused` while a match of
    the tie is still to be played.
    """
    with pghistory.context(user=getattr(by, "pk", None)):
        bracket, drawn = _lock_tie(tie)
        if drawn.away is None or drawn.winner is not None:
            raise CupRefused(_("The tie is decided: nothing is replayed."))
        if drawn.pending:
            raise CupRefused(_("%s is still to be played.") % drawn.pending[0])
        cup = bracket.division
        refuse_day_outside(cup.season, day)
        valid = [match for match in drawn.matches if match.state != MatchState.VOID]
        last = (valid or drawn.matches)[-1]
        home, away = (last.away, last.home) if valid else (last.home, last.away)
        name = drawn.tie.cup_round.name
        label = _("%(round)s, replay") % {"round": name} if len(valid) >= cup.legs else name
        match = _add_match(drawn.tie, home, away, label, day)
        touch(cup, at)
        return match


@transaction.atomic
def decide_tie(
    *,
    tie: int,
    winner: int,
    decided_by: str,
    reason: str,
    by,
    at: datetime,
    address: str = "",
) -> Tie:
    """Let the team `winner` go through by a toss, a walk-over or a decision of the league.

    What of the tie was still to be played is void. Raises `CupRefused` for a team of no side, a
    decision without its reason, a toss before the boards leave the tie to it, a walk-over after a
    card, and once the next round is made.
    """
    with pghistory.context(user=getattr(by, "pk", None), why=reason):
        bracket, drawn = _lock_tie(tie)
        _refuse_gone_on(bracket, drawn)
        if drawn.away is None or winner not in (drawn.home.pk, drawn.away.pk):
            raise CupRefused(_("One of the two sides goes through."))
        if decided_by == TieDecision.TOSS:
            if not drawn.stands.steps or drawn.stands.winner or drawn.pending:
                raise CupRefused(_("There is no toss before the tie is played and level."))
        elif not reason.strip():
            raise CupRefused(_("A decision needs its reason in words."))
        if decided_by == TieDecision.WALK_OVER and any(m.boards_decided for m in drawn.matches):
            raise CupRefused(_("A card has been entered: that is no walk-over."))
        stored = drawn.tie
        stored.winner = bracket.teams[winner]
        stored.decided_by, stored.reason = decided_by, reason.strip()
        stored.save(update_fields=["winner", "decided_by", "reason"])
        for match in drawn.pending:
            match_decisions.void(
                match=match.pk, reason=void_reason(stored), by=by, at=at, address=address
            )
        touch(_fresh(bracket), at)
        return stored


@transaction.atomic
def withdraw_decision(*, tie: int, by, at: datetime, address: str = "") -> Tie:
    """Take a decision on a tie back: the boards tell its winner, its matches are to be played."""
    with pghistory.context(user=getattr(by, "pk", None)):
        bracket, drawn = _lock_tie(tie)
        stored = drawn.tie
        if stored.decided_by is None:
            return stored
        _refuse_gone_on(bracket, drawn)
        voided = [
            match
            for match in drawn.matches
            if match.state == MatchState.VOID and match.decision == void_reason(stored)
        ]
        stored.winner = stored.decided_by = None
        stored.reason = ""
        stored.save(update_fields=["winner", "decided_by", "reason"])
        for match in voided:
            match_decisions.reinstate(match=match.pk, by=by, at=at, address=address)
        touch(_fresh(bracket), at)
        return stored


def void_reason(tie: Tie) -> str:
    """Why a match of a decided tie is not played."""
    label = TieDecision(tie.decided_by).label
    words = _("The tie is decided by %(what)s.") % {"what": label}
    return f"{words} {tie.reason}".strip()[:300]


def refuse_day_outside(season: Season, day: date | None) -> None:
    """Raise `CupRefused` for a day that is not of the season."""
    if day is not None and not season.starts_on <= day < season.ends_on:
        raise CupRefused(
            _("%(day)s is outside the season, which runs from %(first)s to %(last)s.")
            % {
                "day": date_format(day, "j F Y"),
                "first": date_format(season.starts_on, "j F Y"),
                "last": date_format(season.last_day, "j F Y"),
            }
        )


# Who meets whom ---------------------------------------------------------------------------------


def _pairs(bracket: Bracket, round: int, lot: int) -> list[tuple[int, cup_draw.Pair]]:
    """The ties to be made of this round, each with its place; raises `CupRefused`."""
    cup, last = bracket.division, bracket.last
    if last is None:
        _refuse_other_round(round, 1)
        teams = active_teams(cup)
        if len(teams) < 2:
            raise CupRefused(_("A cup needs two teams."))
        entrants = [_entrant(team) for team in teams]
        if bracket.is_bracket:
            pairs = cup_draw.draw_bracket(entrants, lot, clubs_apart=cup.clubs_apart)
        else:
            pairs = cup_draw.draw_round(entrants, lot, 1, clubs_apart=cup.clubs_apart)
        return list(enumerate(pairs, 1))
    if bracket.is_bracket:
        return _neighbours(bracket, round)
    _refuse_other_round(round, last.number + 1)
    if len(last.ties) == 1:
        raise CupRefused(_("The final is drawn already."))
    if not last.is_decided:
        raise CupRefused(_("The ties of %s are not all decided.") % last.name)
    entrants = [_entrant(tie.winner) for tie in last.ties]
    pairs = cup_draw.draw_round(entrants, lot, round, clubs_apart=cup.clubs_apart)
    return list(enumerate(pairs, 1))


def _neighbours(bracket: Bracket, round: int) -> list[tuple[int, cup_draw.Pair]]:
    """The ties of a bracket's round whose two teams are known, and which are not made yet."""
    _refuse_other_round(round, *range(2, len(bracket.rounds) + 2))
    if round > len(bracket.lines):
        raise CupRefused(_("The final is drawn already."))
    lot = bracket.rounds[0].drawn.lot
    pairs = [
        (place, cup_draw.next_pair(_entrant(one), _entrant(two), lot, round, place))
        for place, one, two in bracket.known_pairs(round)
    ]
    if not pairs:
        raise CupRefused(_("No two neighbouring ties are decided that have not moved on yet."))
    return pairs


def _store_round(
    bracket: Bracket,
    round: int,
    lot: int,
    pairs: Sequence[tuple[int, cup_draw.Pair]],
    days: Sequence[date | None],
    by,
    at: datetime,
) -> None:
    cup = bracket.division
    if bracket.is_bracket and bracket.rounds:
        lot, ties = bracket.rounds[0].drawn.lot, bracket.lines[round - 1]
    else:
        ties = len(pairs)
    facts = {"name": round_name(ties, round), "lot": lot, "drawn_at": at, "drawn_by": by}
    drawn, _made = CupRound.objects.get_or_create(division=cup, number=round, defaults=facts)
    for place, (home, away) in pairs:
        teams = bracket.teams
        tie = Tie.objects.create(
            cup_round=drawn, number=place, home=teams[home.id], away=away and teams[away.id]
        )
        if away is not None:
            _add_matches(cup, tie, days)


def _add_matches(cup: Division, tie: Tie, days: Sequence[date | None]) -> None:
    name = tie.cup_round.name
    for leg, day in enumerate(days, 1):
        label = name if cup.legs == 1 else _("%(round)s, leg %(leg)d") % {"round": name, "leg": leg}
        home, away = (tie.home, tie.away) if leg % 2 else (tie.away, tie.home)
        _add_match(tie, home, away, label, day)


def _add_match(tie: Tie, home: Team, away: Team, label: str, day: date | None) -> Match:
    home.division = tie.cup_round.division
    return fixtures.add_match(
        home=home,
        away=away,
        round=tie.cup_round.number,
        round_label=label[:40],
        played_on=day,
    )


def _entrant(team: Team) -> cup_draw.Entrant:
    return cup_draw.Entrant(team.pk, team.name, team.club_id, team.seed)


# Locks and refusals -----------------------------------------------------------------------------


def _lock_cup(pk: int) -> Division:
    cup = lock_division(pk)
    if not cup.is_cup:
        raise CupRefused(_("%s is no cup.") % cup)
    return cup


def _lock_tie(pk: int) -> tuple[Bracket, DrawnTie]:
    """The tie as it stands, its cup's row locked; raises `CupRefused` if its draw is undone."""
    gone = CupRefused(_("The tie is there no more: its draw was taken back."))
    cup = Tie.objects.filter(pk=pk).values_list("cup_round__division", flat=True).first()
    if cup is None:
        raise gone
    bracket = bracket_of(lock_division(cup))
    drawn = next((tie for tie in bracket.ties if tie.tie.pk == pk), None)
    if drawn is None:
        raise gone
    return bracket, drawn


def _fresh(bracket: Bracket) -> Division:
    """The cup's row as decisions on its matches have left it, still locked."""
    bracket.division.refresh_from_db(fields=["version", "changed_at"])
    return bracket.division


def _refuse_drawn(cup: Division) -> None:
    if cup.cup_rounds.exists():
        raise CupRefused(_("%s is drawn: take the draw back first.") % cup)


def _refuse_other_round(round: int, *expected: int) -> None:
    if round not in expected:
        raise CupRefused(_("Round %d is not the one to draw: somebody was before.") % round)


def _refuse_begun(last: Round, matches: Sequence[int]) -> None:
    """Raise `CupRefused` where a card, be it a line-up, or a decision hangs on the round."""
    decided = any(tie.has_card or tie.tie.decided_by for tie in last.ties)
    kept = any(rows.objects.filter(match__in=matches).exists() for rows in (Board, Violation))
    if decided or kept:
        raise CupRefused(
            _("%s has begun: a card is entered or a tie decided, so the draw stays.") % last.name
        )


def _refuse_gone_on(bracket: Bracket, drawn: DrawnTie) -> None:
    """Raise `CupRefused` where the tie's winner, as it stands, has moved on."""
    if drawn.winner is None:
        return
    for after in bracket.rounds[drawn.tie.cup_round.number :]:
        for tie in after.ties:
            if drawn.winner.pk in (tie.home.pk, tie.away and tie.away.pk):
                raise CupRefused(
                    _("%(team)s stand in %(round)s already: take that draw back first.")
                    % {"team": drawn.winner, "round": after.name}
                )
