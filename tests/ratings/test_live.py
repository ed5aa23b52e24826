"""Corrections: whatever happens to the ledger, the stored ratings equal a rebuild."""

import datetime
import random

import pytest
from django.db import transaction
from django.utils import timezone

from ratings import ledger, live, rebuilding
from ratings.ledger import Played
from ratings.models import EloGame, EloRating, RatedGame, RatingPool
from tests.factories import OpeningRatingFactory, PlayerFactory, RatedEventFactory, pool

pytestmark = pytest.mark.django_db

OCTOBER = datetime.date(2025, 10, 6)


def record(event, *games, keys=()):
    """Post games and rate them, as a card does; returns the number of rows written."""
    with transaction.atomic():
        locked = ledger.lock_pool(event.pool_id)
        touched = ledger.post(event=event, keys=keys, games=games)
        return live.update(pool=locked, touched=touched)


def game(key, day, white, black, halves, *, board=1, number=1):
    return Played(
        source_key=key,
        played_on=day,
        round=0,
        board=board,
        number=number,
        white_id=white.pk,
        black_id=black.pk,
        white_halves=halves,
        colours_known=True,
    )


def stored():
    """Every stored number, by the key of its game and by player."""
    return (
        sorted(EloGame.objects.values_list("game__source_key", *ELO_FIELDS)),
        sorted(EloRating.objects.values_list("player", "pool", "rating", "games", "marks")),
    )


ELO_FIELDS = [
    f"{side}_{column}"
    for side in ("white", "black")
    for column in ("before", "change", "k", "games", "marks")
]


def season(event, players, *, weeks=26, seed=1):
    """A season of random games, three a week, posted one card at a time; returns the games."""
    choose = random.Random(seed)
    games = []
    for week in range(weeks):
        people = choose.sample(players, 6)
        card = [
            game(
                f"w{week}b{board}",
                OCTOBER + datetime.timedelta(days=7 * week),
                people[2 * board],
                people[2 * board + 1],
                choose.choice([0, 1, 2]),
                board=board + 1,
                number=week,
            )
            for board in range(3)
        ]
        record(event, *card)
        games += card
    return games


def assert_equals_rebuild(name="standard"):
    found = rebuilding.check(RatingPool.objects.get(pk=name))
    assert (found.games, found.rows, found.ratings) == (RatedGame.objects.count(), [], [])


@pytest.fixture
def players(db):
    people = [PlayerFactory(surname=f"Player {n}") for n in range(12)]
    for n, person in enumerate(people[:8]):
        OpeningRatingFactory(player=person, value=14000 + 900 * n)
    people[3].birth_date = datetime.date(2010, 3, 1)
    people[3].save()
    return people


@pytest.fixture
def event(db):
    return RatedEventFactory()


def test_cards_entered_in_order_equal_a_rebuild(event, players):
    season(event, players)
    assert_equals_rebuild()


def test_a_result_of_october_corrected_in_april_moves_every_later_game_that_differs(event, players):
    games = season(event, players)
    first = games[0]
    before = stored()
    corrected = first._replace(
        white_halves=2 - first.white_halves if first.white_halves != 1 else 2
    )
    written = record(event, corrected)
    assert_equals_rebuild()
    after = stored()
    differing = len(set(after[0]) - set(before[0])) + len(set(after[1]) - set(before[1]))
    assert written == differing > 2
    record(event, first)
    assert stored() == before


def test_a_board_deleted_shifts_the_count_of_games_and_comes_back(event, players):
    games = season(event, players)
    before = stored()
    record(event, keys=[games[4].source_key])
    assert_equals_rebuild()
    assert RatedGame.objects.count() == len(games) - 1
    record(event, games[4])
    assert stored() == before


@pytest.mark.parametrize("days", [-200, -3, 3, 40, 400])
def test_a_game_on_another_day_is_rated_in_its_new_place(event, players, days):
    games = season(event, players)
    before = stored()
    moved = games[30]._replace(played_on=games[30].played_on + datetime.timedelta(days=days))
    record(event, moved)
    assert_equals_rebuild()
    record(event, games[30])
    assert stored() == before


def test_another_player_on_a_board_takes_the_game_with_him(event, players):
    games = season(event, players)
    stranger = PlayerFactory()
    record(event, games[10]._replace(white_id=stranger.pk))
    assert_equals_rebuild()
    assert EloRating.objects.get(player=stranger).games == 1


def test_the_only_game_of_a_player_taken_away_leaves_him_without_a_rating(event, players):
    one, other = players[0], players[1]
    record(event, game("only", OCTOBER, one, other, 2))
    record(event, keys=["only"])
    assert not EloRating.objects.exists()
    assert_equals_rebuild()


def test_two_games_touched_at_once_on_different_days(event, players):
    games = season(event, players)
    early, late = games[3], games[60]
    record(
        event,
        early._replace(white_halves=(early.white_halves + 1) % 3),
        keys=[late.source_key],
    )
    assert_equals_rebuild()


def test_a_player_touched_twice_is_not_let_go_between_the_two(event, players):
    one, other, third = players[0], players[1], players[2]
    days = [OCTOBER + datetime.timedelta(days=n) for n in range(4)]
    early = game("early", days[0], one, other, 2, number=1)
    late = game("late", days[2], one, third, 0)
    record(event, early)
    record(event, game("between", days[1], one, third, 1))
    record(event, late)
    record(event, game("after", days[3], one, other, 1))
    record(event, early._replace(number=2), keys=["late"])
    assert_equals_rebuild()


def test_a_game_posted_again_unchanged_writes_nothing(event, players):
    games = season(event, players)
    assert record(event, *games[:3]) == 0


def test_the_order_of_entry_changes_nothing(event, players):
    games = season(event, players)
    expected = stored()
    record(event, keys=[played.source_key for played in games])
    assert not EloGame.objects.exists()
    for played in random.Random(5).sample(games, len(games)):
        record(event, played)
    assert stored() == expected
    assert_equals_rebuild()


def test_random_corrections_always_equal_a_rebuild(event, players):
    choose = random.Random(20)
    games = {played.source_key: played for played in season(event, players)}
    for step in range(60):
        key = choose.choice(sorted(games))
        old = games[key]
        kind = choose.choice(["result", "delete", "date", "insert", "player"])
        if kind == "result":
            games[key] = old._replace(white_halves=choose.choice([0, 1, 2]))
        elif kind == "date":
            games[key] = old._replace(
                played_on=OCTOBER + datetime.timedelta(days=choose.randrange(300)),
                number=500 + step,
            )
        elif kind == "player":
            other = choose.choice([p for p in players if p.pk != old.black_id])
            games[key] = old._replace(white_id=other.pk)
        elif kind == "insert":
            key = f"extra{step}"
            white, black = choose.sample(players, 2)
            day = OCTOBER + datetime.timedelta(days=choose.randrange(300))
            games[key] = game(key, day, white, black, 2, number=1000 + step)
        else:
            del games[key]
        record(event, *([games[key]] if key in games else []), keys=[key])
        assert_equals_rebuild()


def test_standard_rapid_blitz_and_bullet_are_four_ratings(players):
    standard, rapid = RatedEventFactory(), RatedEventFactory(pool=pool("rapid"))
    record(standard, game("a", OCTOBER, players[0], players[1], 2))
    before = stored()[1]
    record(rapid, game("b", OCTOBER, players[0], players[1], 2))
    after = stored()[1]
    assert [row for row in after if row[1] == "standard"] == before
    assert {row[0] for row in after if row[1] == "rapid"} == {players[0].pk, players[1].pk}


def test_a_rebuild_repairs_rows_that_were_damaged(event, players):
    season(event, players)
    expected = stored()
    EloGame.objects.filter(game__source_key__startswith="w3").update(white_change=999)
    EloGame.objects.filter(game__source_key__startswith="w5").delete()
    EloRating.objects.filter(player=players[0]).update(rating=1)
    EloRating.objects.filter(player=players[1]).delete()
    found = rebuilding.rebuild("standard")
    assert len(found.rows) == 6
    assert {pk for pk, _ in found.ratings} == {players[0].pk, players[1].pk}
    assert stored() == expected
    assert not rebuilding.rebuild("standard")


def test_both_sides_are_rated_from_the_ratings_before_the_game(event, players):
    one, other = PlayerFactory(), PlayerFactory()
    OpeningRatingFactory(player=one, value=15000)
    OpeningRatingFactory(player=other, value=17000)
    record(event, game("g", OCTOBER, one, other, 2))
    row = EloGame.objects.get()
    assert (row.white_change, row.black_change) == (152, -152)
    assert set(EloRating.objects.values_list("player", "rating")) == {
        (one.pk, 15152),
        (other.pk, 16848),
    }


def test_k_falls_at_the_thirtieth_game_and_a_deletion_moves_it(event):
    newcomer = PlayerFactory()
    rivals = [PlayerFactory() for _ in range(31)]
    games = [
        game(f"g{n}", OCTOBER + datetime.timedelta(days=n), newcomer, rivals[n], 1, number=n)
        for n in range(31)
    ]
    for played in games:
        record(event, played)
    ks = list(EloGame.objects.order_by("game__played_on").values_list("white_k", flat=True))
    assert ks == [40] * 30 + [20]
    record(event, keys=["g0"])
    assert set(EloGame.objects.values_list("white_k", flat=True)) == {40}
    assert_equals_rebuild()


def test_posting_and_rating_a_card_of_six_boards_takes_four_statements(
    event, players, django_assert_num_queries, monkeypatch
):
    """The ledger, its order checked, what the players had before, and all that is stored of it."""
    season(event, players)
    evening = datetime.datetime(2026, 8, 2, 22, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: evening)
    card = [
        game(f"new{n}", evening.date(), players[2 * n], players[2 * n + 1], 1, board=n)
        for n in range(6)
    ]
    corrected = [card[0]._replace(white_halves=2), *card[1:5]]
    with transaction.atomic():
        pool = ledger.lock_pool(event.pool_id)
        keys = [played.source_key for played in card]
        for games, statements in ((card, 4), (card, 1), (corrected, 4), ([], 4)):
            with django_assert_num_queries(statements):
                touched = ledger.post(event=event, keys=keys, games=games)
                live.update(pool=pool, touched=touched)
            assert_equals_rebuild()
