"""Whatever is corrected, in whatever order: the stored ratings are a rebuild's, row for row.

Every step goes the way it goes in a league: cards by `record_card`, facts from outside by the
rating office, two players merged by the league office. After each random sequence the ledger equals
the boards and every rating a rebuild; then every step is taken back, and every number with it.
"""

import os
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from clubs.models import Player
from games.grading_office.verification import ledger_differences
from games.match_cards.card_entries import entry_of
from games.match_cards.cards import BoardEntry
from games.models import Match
from ratings import people, rebuilding
from ratings.models import EloGame, EloRating, OpeningRating, RatedGame, RatingPool
from tests.ratings.random_league import (
    EVERYBODY,
    FIRST_DAY,
    POOLS,
    League,
    Office,
    cards,
    facts,
    first_cards,
    make_league,
    save_card,
    steps,
)

# Three hundred, or more for a night, by environment; the suite has ten minutes for all.
SEQUENCES = int(os.environ.get("TOPBOARD_RANDOM_CORRECTIONS", "100"))
RANDOM = settings(
    max_examples=SEQUENCES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

ELO_COLUMNS = [
    f"elo__{side}_{column}"
    for side in ("white", "black")
    for column in ("before", "change", "k", "games", "marks")
]
PLACE = ("played_on", "event__key", "round", "board", "number")


def numbers(names: dict[int, object] | None = None) -> dict[str, list]:
    """Every number there is, players as `names` calls them; nothing of how rows are stored."""

    def called(rows, *people):
        return sorted(
            tuple(
                names.get(value, value) if names and place in people else value
                for place, value in enumerate(row)
            )
            for row in rows
        )

    players = Player.objects.values_list("pk", "state", "merged_into", "birth_date")
    return {
        "games": called(
            RatedGame.objects.values_list("white", "black", *PLACE, "white_halves", *ELO_COLUMNS),
            *(0, 1),
        ),
        "ratings": called(
            EloRating.objects.values_list(
                "player", "pool", "rating", "games", "marks", "established"
            ),
            0,
        ),
        "openings": called(
            OpeningRating.objects.values_list("player", "pool", "system", "value", "provisional"), 0
        ),
        "people": sorted(called(players, 0, 2), key=repr),
    }


def assert_equals_a_rebuild() -> None:
    assert list(ledger_differences()) == []
    for rated in RatingPool.objects.filter(pk__in=POOLS):
        found = rebuilding.check(rated)
        assert (found.rows, found.ratings) == ([], [])


class RandomCorrections(TestCase):
    """Each example begins with the same league, and leaves nothing behind."""

    @classmethod
    def setUpTestData(cls):
        cls.league = make_league()
        office = Office(cls.league)
        for step in first_cards():
            assert office.correct_card(*step)
        cls.before = numbers()
        assert EloGame.objects.count() == 48

    @RANDOM
    @given(st.lists(steps, min_size=1, max_size=6))
    def test_corrections_equal_a_rebuild_and_taken_back_return_every_number(self, sequence):
        office = Office(self.league)
        for step in sequence:
            office.take(step)
        assert_equals_a_rebuild()
        if office.returns:
            office.go_back()
            assert numbers() == self.before


class OtherOrders(TestCase):
    """What happened, not when it was entered nor under which number, makes a rating."""

    @settings(RANDOM, max_examples=max(SEQUENCES // 20, 10))
    @given(
        st.lists(st.one_of(cards, facts), min_size=4, max_size=8),
        st.permutations(EVERYBODY),
        st.randoms(use_true_random=False),
    )
    def test_other_numbers_of_people_and_other_orders_of_entry_change_nothing(
        self, sequence, order, choose
    ):
        with rolled_back():
            league = make_league()
            office = Office(league)
            for step in [*first_cards(), *sequence]:
                office.take(step)
            expected = numbers(labels(league))
            facts_now = known_facts(league)
            entered = cards_now(league)
        again = make_league(order)
        choose.shuffle(facts_now)
        choose.shuffle(entered)
        for enter in choose.sample([*facts_now, *entered], len(facts_now) + len(entered)):
            enter(again)
        assert numbers(labels(again)) == expected


@contextmanager
def rolled_back():
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def labels(league: League) -> dict[int, object]:
    """What each player's pk stands for, the strangers by their names."""
    named = {pk: f"player {number}" for number, pk in enumerate(league.people)}
    strangers = Player.objects.exclude(pk__in=named).values_list("pk", "surname")
    return dict(strangers) | named


def known_facts(league: League) -> list[Callable[[League], object]]:
    """Ways to enter every birth date and opening there is into another league."""
    found = []
    for number, pk in enumerate(league.people):
        birth = Player.objects.values_list("birth_date", flat=True).get(pk=pk)
        found.append(partial(enter_birth, number=number, birth_date=birth))
        for name in POOLS:
            for system in ("elo", "grade"):
                row = OpeningRating.objects.filter(player=pk, pool=name, system=system).first()
                found.append(
                    partial(
                        enter_opening,
                        number=number,
                        pool=name,
                        system=system,
                        value=None if row is None else row.value,
                        provisional=row is not None and row.provisional,
                    )
                )
    return found


def enter_birth(league: League, number: int, birth_date) -> None:
    people.correct_birth_date(player=league.people[number], birth_date=birth_date, by=None)


def enter_opening(league: League, number: int, **said) -> None:
    said |= {"player": league.people[number], "dated_on": FIRST_DAY, "source": "test"}
    people.correct_opening(**said, by=None)


def cards_now(league: League) -> list[Callable[[League], object]]:
    """Ways to enter every card there is into another league."""
    numbers_of = {pk: number for number, pk in enumerate(league.people)}
    found = []
    for place, pk in enumerate(league.matches):
        match = Match.objects.get(pk=pk)
        boards = [entry_of(board) for board in match.boards.order_by("number")]
        seated = [
            replace(board, home=numbers_of[board.home], away=numbers_of[board.away])
            for board in boards
        ]
        found.append(partial(enter_card, place=place, boards=seated, day=match.played_on))
    return found


def enter_card(league: League, place: int, boards: list[BoardEntry], day) -> None:
    match = Match.objects.get(pk=league.matches[place])
    boards = [
        replace(board, home=league.people[board.home], away=league.people[board.away])
        for board in boards
    ]
    save_card(match, boards, day)
