"""Matches as the lines of a list."""

import datetime

import pytest

from games.matches import result_lists
from games.models import Match
from tests.factories import BoardFactory, MatchFactory

TODAY = datetime.date(2026, 11, 24)
DAY = datetime.timedelta(days=1)


@pytest.mark.django_db
def test_a_match_to_come_keeps_its_day_though_a_board_is_played():
    whens = {}
    for day in (TODAY - DAY, TODAY, TODAY + DAY, None):
        match = MatchFactory(played_on=day, round=0, board_count=2)
        BoardFactory(match=match, number=1, result=1, played_on=TODAY - DAY)
        [match] = Match.objects.with_score().with_names().filter(pk=match.pk)
        for groups in (
            result_lists.by_month([match], TODAY),
            result_lists.by_round([match], TODAY),
        ):
            [(_heading, [line])] = groups
            whens.setdefault(day, set()).add(line.when)
    assert whens == {
        TODAY - DAY: {"unfinished"},
        TODAY: {"unfinished"},
        TODAY + DAY: {"Wed 25"},
        None: {"unfinished"},
    }
