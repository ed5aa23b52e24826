"""Last time's line-ups, the players to choose from, and the colours of a match."""

import datetime

import pytest

from clubs.models import Player, PlayerState
from games.match_cards.line_ups import home_colour, line_ups_of
from games.models import Match
from tests import factories
from tests.games.card_scene import TODAY, make_scene, people, play_before


@pytest.mark.parametrize(
    ("rule", "toss", "first", "second"),
    [
        ("even", None, "black", "white"),
        ("even", True, "black", "white"),
        ("odd", None, "white", "black"),
        ("odd", False, "white", "black"),
        ("toss", None, "unknown", "unknown"),
        ("toss", True, "white", "black"),
        ("toss", False, "black", "white"),
        ("unknown", True, "unknown", "unknown"),
    ],
)
def test_colours(rule, toss, first, second):
    colours = [home_colour(rule, board, toss) for board in range(1, 17)]
    assert colours == [first, second] * 8


def loaded(scene):
    match = Match.objects.for_card().get(pk=scene.match.pk)
    return line_ups_of(match, TODAY)


def test_last_time_by_board_whichever_side_it_was(scene):
    team = scene.match.home
    visitors = scene.home[2:8]
    match = factories.MatchFactory(
        division=team.division, away=team, played_on=datetime.date(2026, 11, 20)
    )
    for number, player in enumerate(visitors, 1):
        factories.BoardFactory(match=match, number=number, away_player=player, result=1)
    side = loaded(scene).home
    assert side.last_time == {number: player.pk for number, player in enumerate(visitors, 1)}
    assert set(side.recent) == {player.pk for player in scene.home}
    assert side.club == []


def test_a_match_with_one_result_gives_its_whole_line_up_and_one_without_gives_none(scene):
    team = scene.match.home
    for day, result in ((20, 1), (22, None)):
        match = factories.MatchFactory(
            division=team.division, home=team, played_on=datetime.date(2026, 11, day)
        )
        line_up = scene.home[2:8] if result else scene.home[::-1][:6]
        for number, player in enumerate(line_up, 1):
            factories.BoardFactory(
                match=match,
                number=number,
                home_player=player,
                result=result if number == 3 else None,
            )
    side = loaded(scene).home
    assert side.last_time == {number: pk.pk for number, pk in enumerate(scene.home[2:8], 1)}
    assert set(side.recent) == {player.pk for player in scene.home}


def test_a_team_that_has_not_played_has_no_last_time(db):
    scene = make_scene(name="-new", played_before=False)
    side = loaded(scene).home
    assert (side.last_time, side.recent) == ({}, [])
    assert side.club == [player.pk for player in sorted(scene.home, key=grade_of)]


def grade_of(player) -> int:
    return -player.opening_ratings.get().value


def test_ten_at_most_and_those_who_played_last(scene):
    club = scene.match.home.club
    earlier = people(club, [(f"Early{number}", "Robin", 50 + number) for number in range(6)])
    play_before(scene.match.home, earlier, datetime.date(2026, 11, 3))
    side = loaded(scene).home
    assert len(side.recent) == 10
    assert set(side.recent) == {p.pk for p in [*scene.home[:6], *earlier[:4]]}
    assert side.club[:2] == [scene.home[6].pk, scene.home[7].pk]


def test_board_order_is_by_grade_then_elo_and_the_unknown_come_last(scene):
    club = scene.match.home.club
    rows = people(club, [("Ab", "A", 147), ("Bc", "B", 147)])
    factories.OpeningRatingFactory(player=rows[1], value=20000)
    nobody_measured = factories.PlayerFactory(surname="Aa")
    only_elo = factories.PlayerFactory(surname="Zz")
    factories.OpeningRatingFactory(player=only_elo, value=25000)
    zero = people(club, [("Zero", "Z", 0)])[0]
    for player in (nobody_measured, only_elo):
        factories.MembershipFactory(club=club, player=player)
    side = loaded(scene).home
    ravenscroft, szabo = scene.home[6], scene.home[7]
    expected = [only_elo, rows[1], rows[0], ravenscroft, szabo, zero, nobody_measured]
    assert side.club == [player.pk for player in expected]


def test_members_of_the_day_who_have_not_retired(scene):
    club = scene.match.home.club
    gone, coming, retired = (factories.PlayerFactory() for _ in range(3))
    factories.MembershipFactory(club=club, player=gone, ends_on=TODAY)
    factories.MembershipFactory(
        club=club, player=coming, starts_on=TODAY + datetime.timedelta(days=1)
    )
    factories.MembershipFactory(club=club, player=retired)
    Player.objects.filter(pk__in=[retired.pk, scene.home[0].pk]).update(state=PlayerState.RETIRED)
    side = loaded(scene).home
    assert side.club == [scene.home[6].pk, scene.home[7].pk]
    assert 1 not in side.last_time and scene.home[0].pk not in side.recent


def test_teams_of_one_club_keep_their_own_last_time(scene):
    second = factories.TeamFactory(
        division=scene.match.division, club=scene.match.home.club, name="Ashdown B"
    )
    play_before(second, scene.home[6:8], datetime.date(2026, 11, 20))
    side = loaded(scene).home
    assert side.last_time == {number: p.pk for number, p in enumerate(scene.home[:6], 1)}
