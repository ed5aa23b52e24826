"""The benchmarks' nation: the same every time, shaped as it says, and measured at a small size."""

import re
from collections import Counter
from itertools import groupby

import pytest

from clubs.models import Player
from ratings.models import EloGame, RatedGame
from tests.benchmarks import growth, ratings
from tests.benchmarks.nation import BOARDS, REGIONS, generate


def test_the_same_arguments_give_the_same_nation():
    nation = generate(games=3000, players=600)
    assert nation == generate(games=3000, players=600)
    assert nation != generate(games=3000, players=600, seed=2)
    assert len(nation.games) == 3000


def test_four_in_five_games_are_of_leagues_inside_a_region_six_boards_a_match():
    nation = generate(games=40_000, players=6000)
    matches = Counter()
    boards = Counter()
    places = set()
    for _key, event, day, round_, board, number, white, black, _halves in nation.games:
        boards[nation.events[event].split("/")[0]] += 1
        places.add((event, day, round_, board, number))
        assert white != black
        if nation.events[event].startswith("league"):
            matches[event, day, number] += 1
    assert len(places) == len(nation.games)
    assert 0.7 < boards["league"] / len(nation.games) < 0.82  # whole matches, the fewer games
    assert set(matches.values()) == {BOARDS}
    assert {name.split("/")[2] for name in nation.events if name.startswith("league")} == {
        str(region) for region in range(REGIONS)
    }


def test_a_quarter_are_draws_a_few_play_most_and_careers_begin_and_end():
    nation = generate(games=40_000, players=6000)
    results = Counter(game[-1] for game in nation.games)
    assert results[1] / len(nation.games) == pytest.approx(0.27, abs=0.02)
    years = {}
    for game in nation.games:
        for player in game[6:8]:
            years.setdefault(player, Counter())[(game[2].year, game[2].month > 8)] += 1
    games = sorted((sum(counted.values()) for counted in years.values()), reverse=True)
    assert sum(games[: len(games) // 10]) > 0.25 * sum(games)
    newcomers = [player for player, counted in years.items() if min(counted) > (2018, True)]
    gone = [player for player, counted in years.items() if max(counted) < (2024, False)]
    assert len(newcomers) > 100
    assert len(gone) > 100


@pytest.mark.django_db(transaction=True)
def test_the_table_of_a_small_nation_is_filled_and_the_database_left_empty(capsys):
    ratings.measure(900, 150, 1, 2, grades=False, memory=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("900 games, 150 players")
    said = [re.split("[;:,]", line)[0] for line in lines[3:] if not line.startswith(" ")]
    assert said == [
        "replay in memory with history",
        "full rebuild",
        "full rebuild",
        "nothing differs",
        *["a result corrected"] * len(ratings.CORRECTED),
        "a six-board card posted and rated",
        "the whole request of such a card",
    ]
    assert not Player.objects.exists()
    assert not RatedGame.objects.exists()
    assert not EloGame.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_grows_is_measured_at_two_sizes(capsys, settings):
    settings.ALLOWED_HOSTS = ["*"]
    growth.measure(((300, 60), (900, 120)), times=1)
    table = [list(lines) for _, lines in groupby(capsys.readouterr().out.splitlines(), bool)][-1]
    assert len(table) == 1 + len(growth.works(60, 1))
    assert not Player.objects.exists()
