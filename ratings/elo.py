"""Elo ratings: expected scores, changes, K and opening ratings, as pure integer arithmetic.

Nothing here knows Django or a database, so the same numbers come out on any machine and
each can be checked by hand. Units: ratings that people read are whole points, ratings that
are stored are tenths of a point, scores are half-points (0 loss, 1 draw, 2 win).

Two sets of rules, which never mix: `CLUB` rates after every game and rounds each change to
the tenth; `FIDE_2024` rates a period at once and rounds only the sum.
"""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from typing import NamedTuple

from ratings.fide_tables import expected_percent_by_difference

POOLS = ("standard", "rapid", "blitz", "bullet")

# The two systems in which somebody outside may have measured a player before he came.
ELO = "elo"
GRADE = "grade"

JUNIOR_UNTIL_AGE = 18


def _expected_by_formula(units: int) -> tuple[int, ...]:
    """Return E = 1 / (1 + 10^(-d/400)) for d = 0, 1, ... in 1/`units`, rounded half up.

    It is the expected score of the higher rated side; the table ends where that is 1.
    Computed in decimals, for a float power may differ in its last bit between machines.
    """
    table = []
    with localcontext() as context:
        context.prec = 40
        step = Decimal(10) ** (Decimal(-1) / 400)
        power = Decimal(1)
        while not table or table[-1] < units:
            table.append(int(units / (1 + power) + Decimal("0.5")))
            power *= step
    return tuple(table)


@dataclass(frozen=True, slots=True)
class Rules:
    """One way of rating, complete.

    `expected` holds the higher rated side's expected score by difference of whole-point
    ratings, in 1/`units`; its last entry holds for every greater difference. The lower side
    gets `units` minus that.
    """

    name: str
    units: int
    expected: tuple[int, ...] = field(repr=False)
    # True: each change is rounded to the tenth. False: exact, rounded once a period.
    after_every_game: bool
    # A greater difference counts as this one, but not for a player of `uncapped_from` or more.
    difference_cap: int | None = None
    uncapped_from: int | None = None
    # The most that n games x K may come to in one period.
    period_limit: int | None = None
    k: int = 20
    k_new: int = 40
    k_junior: int = 40
    k_high: int = 10
    high_mark: int = 2400
    junior_mark: int = 2300
    full_games: int = 30
    default_opening: int = 1500
    # Whole points below which no rating falls; None is no floor.
    floor: int | None = None


CLUB = Rules(
    name="CLUB", units=10_000, expected=_expected_by_formula(10_000), after_every_game=True
)

# Handbook B.02 as of 1 March 2024, with the 2650 exception of 1 October 2025 (standard play).
FIDE_2024 = Rules(
    name="FIDE_2024",
    units=100,
    expected=expected_percent_by_difference(),
    after_every_game=False,
    difference_cap=400,
    uncapped_from=2650,
    period_limit=700,
)


class OpeningFact(NamedTuple):
    """What somebody outside said of a player: an Elo in tenths, or a grade in whole points."""

    value: int
    provisional: bool = False


class Opening(NamedTuple):
    """The rating a player starts from in a pool, in tenths; established stands for 30 games."""

    tenths: int
    established: bool


class PlayerState(NamedTuple):
    """All that a player's next game in a pool depends on.

    `rating` is in tenths, `games` counts those rated in this pool, `marks` is 2 if the
    displayed rating ever reached 2400, else 1 if it ever reached 2300, else 0 (the opening
    rating included), `established` says that the opening rating was.
    """

    rating: int
    games: int
    marks: int
    established: bool


class RatedSides(NamedTuple):
    """One game's effect: both changes in tenths, both K, both states after it."""

    white_change: int
    white_k: int
    black_change: int
    black_k: int
    white: PlayerState
    black: PlayerState


# --- Expected score and change -----------------------------------------------------------


def expected_score(own: int, opponent: int, rules: Rules) -> Decimal:
    """Return the score expected against `opponent`, from 0 to 1.

    Both ratings are whole points. Four decimals under `CLUB`, two under `FIDE_2024`. Raises
    ValueError for a rating that is not a whole number.
    """
    _require_rating(own)
    _require_rating(opponent)
    return Decimal(_expected_units(own, opponent, rules)) / rules.units


def change(own: int, opponent: int, halves: int, k: int, rules: Rules) -> Decimal:
    """Return K x (score - expected score) in points.

    Ratings are whole points before the game, `halves` is the score in half-points. Under
    `CLUB` it is rounded to the tenth, halves away from zero; under `FIDE_2024` it is exact.
    Raises ValueError for anything but whole ratings, 0, 1 or 2 half-points and a K above 0.
    """
    _require_game(own, opponent, halves)
    _require_k(k)
    exact = _change_units(own, opponent, halves, k, rules)
    if rules.after_every_game:
        return Decimal(_rounded(exact, rules.units // 10)) / 10
    return Decimal(exact) / rules.units


def change_tenths(own: int, opponent: int, halves: int, k: int) -> int:
    """Return the `CLUB` change in tenths of a point.

    The same number as `change`, for bulk work: the arguments are not checked.
    """
    return _rounded(_change_units(own, opponent, halves, k, CLUB), 1000)


def period_change(own: int, games: Iterable[tuple[int, int]], k: int, rules: Rules) -> int:
    """Return the whole-point change over a period, all games from the rating at its start.

    `games` are pairs of opponent's rating and half-points; `k` is the one really used (see
    `period_k`). Summed exactly and rounded once, halves away from zero: -2.5 gives -3.
    Raises ValueError as `change` does. Source: Handbook B.02, 8.3.4.
    """
    _require_k(k)
    total = 0
    for opponent, halves in games:
        _require_game(own, opponent, halves)
        total += _change_units(own, opponent, halves, k, rules)
    return _rounded(total, rules.units)


def period_k(k: int, games: int, rules: Rules) -> int:
    """Return the K for a period of so many games: reduced until games x K is within the limit.

    Source: Handbook B.02, 8.3.3 (700 games x K).
    """
    _require_k(k)
    if games < 0:
        raise ValueError(f"a number of games is 0 or more, not {games!r}")
    if rules.period_limit is None or games * k <= rules.period_limit:
        return k
    return rules.period_limit // games


def displayed(tenths: int) -> int:
    """Return a stored rating as the whole points people see, halves up (1596.5 is 1597)."""
    return (tenths + 5) // 10


def _expected_units(own: int, opponent: int, rules: Rules) -> int:
    difference = own - opponent
    distance = abs(difference)
    cap = rules.difference_cap
    if cap is not None and distance > cap and not _is_uncapped(own, rules):
        distance = cap
    table = rules.expected
    higher = table[distance] if distance < len(table) else table[-1]
    return higher if difference >= 0 else rules.units - higher


def _is_uncapped(own: int, rules: Rules) -> bool:
    """Judged on the player whose change is computed, never on his opponent."""
    return rules.uncapped_from is not None and own >= rules.uncapped_from


def _change_units(own: int, opponent: int, halves: int, k: int, rules: Rules) -> int:
    """The exact change in 1/units of a point."""
    return k * (halves * rules.units // 2 - _expected_units(own, opponent, rules))


def _rounded(value: int, unit: int) -> int:
    """Whole units in a value, halves away from zero; Python's round() goes to the even one."""
    whole = (2 * abs(value) + unit) // (2 * unit)
    return whole if value >= 0 else -whole


# --- K -----------------------------------------------------------------------------------


def plays_as_junior(birth_date: datetime.date | None, played_on: datetime.date) -> bool:
    """Tell whether a game falls before the end of the year of the player's 18th birthday.

    Without a birth date nobody is taken for a junior.
    """
    return birth_date is not None and played_on.year <= birth_date.year + JUNIOR_UNTIL_AGE


def k_factor(
    *, marks: int, games: int, established: bool, under_18: bool, rules: Rules = CLUB
) -> int:
    """Return a player's K for his next game, judged before it.

    `marks` and `established` as in `PlayerState`; `games` are the earlier ones in this pool;
    `under_18` comes from `plays_as_junior`. The first that fits: 10 once 2400 was reached;
    40 for a junior who never reached 2300; 40 with fewer than 30 games, an established
    opening rating counting as 30; else 20.
    """
    if marks >= 2:
        return rules.k_high
    if under_18 and marks == 0:
        return rules.k_junior
    if is_provisional(games, established, rules):
        return rules.k_new
    return rules.k


def marks_reached(tenths: int, rules: Rules) -> int:
    """Return the marks a rating in tenths reaches as displayed: 2 for 2400, 1 for 2300, else 0."""
    shown = displayed(tenths)
    return (shown >= rules.junior_mark) + (shown >= rules.high_mark)


def is_provisional(games: int, established: bool, rules: Rules = CLUB) -> bool:
    """Tell whether a rating rests on fewer than 30 games and no established opening (`?`)."""
    return not established and games < rules.full_games


# --- Opening ratings ---------------------------------------------------------------------


def opening_tenths(
    facts: Mapping[tuple[str, str], OpeningFact],
    pool: str,
    *,
    pools: Sequence[str] = POOLS,
    rules: Rules = CLUB,
) -> Opening:
    """Return the rating a player opens with in `pool`: the first there is of these.

    1. his Elo imported for this pool, established unless the import called it provisional;
    2. 7.5 x his opening grade for this pool + 700;
    3. the same two ways in the other pools, in the order of `pools`;
    4. the rules' default (1500).

    `facts` maps (pool, `ELO` or `GRADE`) to what is known from outside, and nothing computed
    here may enter it. All but the first are provisional.
    """
    source = opening_source(facts, pool, pools=pools)
    if source is None:
        return Opening(rules.default_opening * 10, False)
    fact = facts[source]
    if source == (pool, ELO):
        return Opening(fact.value, not fact.provisional)
    return Opening(fact.value * 75 + 7000 if source[1] == GRADE else fact.value, False)


def opening_source(
    facts: Mapping[tuple[str, str], OpeningFact], pool: str, *, pools: Sequence[str] = POOLS
) -> tuple[str, str] | None:
    """Return the key of the fact that opens a rating: own pool first, Elo first; None if none."""
    order = (pool, *(other for other in pools if other != pool))
    keys = ((source, system) for source in order for system in (ELO, GRADE))
    return next((key for key in keys if key in facts), None)


# --- The replay --------------------------------------------------------------------------


def opening_state(opening: Opening, rules: Rules = CLUB) -> PlayerState:
    """Return the state of a player before his first game in a pool, lifted to the floor."""
    rating = _floored(opening.tenths, rules)
    return PlayerState(rating, 0, marks_reached(rating, rules), opening.established)


def rate_game(
    white: PlayerState,
    black: PlayerState,
    halves_for_white: int,
    white_under_18: bool,
    black_under_18: bool,
    rules: Rules = CLUB,
) -> RatedSides:
    """Return both changes, both K and both states after one game, all from the states before.

    A change is what the stored rating moves by, so at the floor it may be less than K x
    (score - expected). Raises ValueError for rules that rate by period, and for a score
    that is not 0, 1 or 2 half-points.
    """
    if not rules.after_every_game:
        raise ValueError(f"{rules.name} rates a whole period at once, not a single game")
    if halves_for_white not in (0, 1, 2):
        raise ValueError(_bad_halves(halves_for_white))
    shown_white, shown_black = displayed(white.rating), displayed(black.rating)
    white_k = _k_of(white, white_under_18, rules)
    black_k = _k_of(black, black_under_18, rules)
    new_white = _after(white, shown_white, shown_black, halves_for_white, white_k, rules)
    new_black = _after(black, shown_black, shown_white, 2 - halves_for_white, black_k, rules)
    return RatedSides(
        new_white.rating - white.rating,
        white_k,
        new_black.rating - black.rating,
        black_k,
        new_white,
        new_black,
    )


def _k_of(state: PlayerState, under_18: bool, rules: Rules) -> int:
    return k_factor(
        marks=state.marks,
        games=state.games,
        established=state.established,
        under_18=under_18,
        rules=rules,
    )


def _after(
    state: PlayerState, own: int, opponent: int, halves: int, k: int, rules: Rules
) -> PlayerState:
    exact = _change_units(own, opponent, halves, k, rules)
    rating = _floored(state.rating + _rounded(exact, rules.units // 10), rules)
    marks = max(state.marks, marks_reached(rating, rules))
    return PlayerState(rating, state.games + 1, marks, state.established)


def _floored(tenths: int, rules: Rules) -> int:
    return tenths if rules.floor is None else max(tenths, rules.floor * 10)


# --- What is refused ---------------------------------------------------------------------


def _require_game(own: int, opponent: int, halves: int) -> None:
    _require_rating(own)
    _require_rating(opponent)
    if not _is_whole(halves) or halves not in (0, 1, 2):
        raise ValueError(_bad_halves(halves))


def _require_rating(rating: int) -> None:
    """A missing rating is None and is refused, never taken for 0."""
    if not _is_whole(rating):
        raise ValueError(f"a rating is a whole number of points, not {rating!r}")


def _require_k(k: int) -> None:
    """K 0 in a published list means unknown; taken for a number it would rate nothing."""
    if not _is_whole(k) or k < 1:
        raise ValueError(f"K is a whole number above 0, not {k!r}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _bad_halves(halves: object) -> str:
    return f"a score is 0, 1 or 2 half-points, not {halves!r}"
