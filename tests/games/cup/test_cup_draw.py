"""The draw: everybody once, byes to the seeded, clubs apart, the same from the same number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cup.cup_draw import (
    Entrant,
    bracket_size,
    draw_bracket,
    draw_round,
    next_pair,
    seed_lines,
)


def teams(count, *, seeds=0, clubs=None) -> list[Entrant]:
    return [
        Entrant(n, f"Team {n}", (clubs or {}).get(n, n), n if n <= seeds else None)
        for n in range(1, count + 1)
    ]


def ids(pairs) -> list[tuple[int, int | None]]:
    return [(one.id, two.id if two else None) for one, two in pairs]


def byes(pairs) -> set[int]:
    return {one for one, two in ids(pairs) if two is None}


@pytest.mark.parametrize(
    ("count", "size"), [(2, 2), (3, 4), (4, 4), (5, 8), (8, 8), (9, 16), (11, 16), (16, 16)]
)
def test_a_bracket_holds_its_teams(count, size):
    assert bracket_size(count) == size


def test_the_lines_of_the_seeds():
    assert seed_lines(2) == [1, 2]
    assert seed_lines(4) == [1, 4, 3, 2]
    assert seed_lines(8) == [1, 8, 5, 4, 3, 6, 7, 2]
    for size in (16, 32, 64):
        lines = seed_lines(size)
        assert sorted(lines) == list(range(1, size + 1))
        assert all(one + two == size + 1 for one, two in zip(lines[::2], lines[1::2], strict=True))


def test_eleven_teams_have_five_byes_and_the_seeded_get_them_first():
    for draw in (
        draw_bracket(teams(11, seeds=4), 2026, clubs_apart=True),
        draw_round(teams(11, seeds=4), 2026, 1, clubs_apart=True),
    ):
        assert len(draw) == 8
        assert len(byes(draw)) == 5
        assert byes(draw) >= {1, 2, 3, 4}


def test_the_first_two_seeds_stand_in_different_halves():
    draw = ids(draw_bracket(teams(16, seeds=4), 5, clubs_apart=False))
    place = {team: n for n, pair in enumerate(draw) for team in pair}
    assert {place[1] // 4, place[2] // 4} == {0, 1}
    assert sorted(place[seed] // 2 for seed in (1, 2, 3, 4)) == [0, 1, 2, 3]


def test_seeded_teams_do_not_meet_in_a_round_drawn_for_itself():
    for number in range(30):
        for one, two in ids(draw_round(teams(16, seeds=8), number, 2, clubs_apart=False)):
            assert (one <= 8) != (two <= 8)


def test_teams_of_one_club_meet_as_late_as_can_be():
    clubs = {1: 90, 2: 90, 3: 91, 4: 91}
    for number in range(20):
        draw = ids(draw_bracket(teams(8, clubs=clubs), number, clubs_apart=True))
        place = {team: n for n, pair in enumerate(draw) for team in pair}
        assert place[1] // 2 != place[2] // 2
        assert place[3] // 2 != place[4] // 2
        for pair in ids(draw_round(teams(8, clubs=clubs), number, 1, clubs_apart=True)):
            assert set(pair) not in ({1, 2}, {3, 4})
    met = [
        ids(draw_bracket(teams(8, clubs=clubs), number, clubs_apart=False)) for number in range(40)
    ]
    assert any({1, 2} == set(pair) for draw in met for pair in draw)


def test_a_cup_of_one_club_is_drawn_all_the_same():
    clubs = dict.fromkeys(range(1, 6), 7)
    assert len(draw_bracket(teams(5, clubs=clubs), 1, clubs_apart=True)) == 4


def test_one_team_is_no_cup():
    for draw in (
        lambda: draw_bracket(teams(1), 1, clubs_apart=True),
        lambda: draw_round(teams(1), 1, 1, clubs_apart=True),
    ):
        with pytest.raises(ValueError, match="two teams"):
            draw()


def test_home_is_drawn_too():
    one, two = teams(2)
    homes = {next_pair(one, two, number, 2, 1)[0].id for number in range(20)}
    assert homes == {1, 2}


def test_a_draw_can_be_worked_out_again():
    """The order of two lots by hand: the hash of `number:attempt:name`."""
    draw = draw_bracket(teams(2), 7, clubs_apart=False)
    assert ids(draw) in ([(1, 2)], [(2, 1)])
    assert ids(draw) == ids(draw_bracket(list(reversed(teams(2))), 7, clubs_apart=False))


@given(
    st.integers(2, 40),
    st.integers(0, 8),
    st.integers(0, 10**6),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_everybody_is_drawn_once_whatever_the_order_of_entry(count, seeds, number, apart, random):
    entrants = teams(count, seeds=min(seeds, count), clubs={n: n // 2 for n in range(count + 1)})
    shuffled = random.sample(entrants, count)
    for draw in (
        lambda who: draw_bracket(who, number, clubs_apart=apart),
        lambda who: draw_round(who, number, 1, clubs_apart=apart),
    ):
        pairs = draw(entrants)
        drawn = [team for pair in ids(pairs) for team in pair if team is not None]
        assert sorted(drawn) == list(range(1, count + 1))
        assert len(pairs) == bracket_size(count) // 2
        assert draw(shuffled) == pairs
