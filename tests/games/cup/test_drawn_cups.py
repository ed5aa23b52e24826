"""A cup is drawn: by a number, with seeds and byes, all at once or round by round."""

import datetime

import pytest

from games.cup import cup_words, cups
from games.cup.cups import CupRefused
from games.division_tables import teams
from games.models import CupRound, Match, Tie
from games.season_office import entries
from games.season_office.seasons import SeasonRefused
from tests import factories
from tests.games.cup_scene import AT, DAY, NAMES, make_cup, replayed

pytestmark = pytest.mark.django_db


def winners(cup, round) -> dict[int, str | None]:
    return {
        tie.number: tie.winner and tie.winner.name for tie in cup.bracket.rounds[round - 1].ties
    }


def pairs(cup, round=1):
    return [
        (tie.home.name, tie.away and tie.away.name) for tie in cup.bracket.rounds[round - 1].ties
    ]


def test_the_same_number_draws_the_same_cup_again():
    cup = make_cup(11, seeds=2)
    cup.draw(lot=5)
    first = pairs(cup)
    cups.undo_draw(division=cup.division.pk, round=1, by=None, at=AT)
    assert (Match.objects.count(), Tie.objects.count(), CupRound.objects.count()) == (0, 0, 0)
    cup.draw(lot=6)
    other = pairs(cup)
    cups.undo_draw(division=cup.division.pk, round=1, by=None, at=AT)
    cup.draw(lot=5)
    assert pairs(cup) == first != other


def test_byes_go_to_the_seeded_and_have_no_match():
    cup = make_cup(5, seeds=3)
    cup.draw()
    assert {home for home, away in pairs(cup) if away is None} == set(NAMES[:3])
    assert Match.objects.count() == 1
    bye = next(tie for tie in cup.bracket.ties if tie.away is None)
    assert cup_words.tie_words(bye) == f"{bye.home.name} have a bye."


def test_teams_of_one_club_are_kept_apart_if_it_is_wished():
    clubs = {NAMES[0]: "one", NAMES[1]: "one"}
    for lot in range(8):
        cup = make_cup(4, clubs=clubs, clubs_apart=True)
        cup.draw(lot=lot)
        assert all(tie.home.club != tie.away.club for tie in cup.bracket.ties)


def test_winners_of_a_bracket_move_on_as_soon_as_two_are_known():
    cup = make_cup(8)
    cup.draw()
    with pytest.raises(CupRefused, match="No two neighbouring ties"):
        cup.draw(2)
    for number in (3, 4):
        cup.play(cup.tie(1, number), "score")
    cup.draw(2)
    assert [tie.number for tie in cup.bracket.rounds[1].ties] == [2]
    assert cup.bracket.champion is None
    for number in (1, 2):
        cup.play(cup.tie(1, number), "score")
    cup.draw(2)
    moved = {team for pair in pairs(cup, 2) for team in pair}
    assert moved == set(winners(cup, 1).values())
    assert [tie.tie.cup_round.name for tie in cup.bracket.rounds[1].ties] == ["Semi-final"] * 2


def test_round_by_round_waits_for_every_tie():
    cup = make_cup(4, draw_mode="rounds")
    cup.draw()
    cup.play(cup.tie(1, 1), "score")
    with pytest.raises(CupRefused, match="The ties of Semi-final are not all decided"):
        cup.draw(2)
    with pytest.raises(CupRefused, match="Round 3 is not the one to draw"):
        cup.draw(3)


def test_the_match_says_which_round_it_is_of():
    cup = make_cup(2, settling=["replay"])
    cup.draw(days=[None])
    match = Match.objects.get()
    assert (match.round, match.round_label, match.played_on) == (1, "Final", None)
    cup.record(match, [1, 1, 1, 1], day=DAY)
    again = replayed(cup, cup.tie())
    assert (again.round_label, again.home_id, again.leg) == ("Final, replay", match.away_id, 1)


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"days": [datetime.date(2025, 1, 1)]}, "1 January 2025 is outside the season"),
        ({"days": []}, "Each of the 1 matches of a tie has its day"),
        ({"round": 2}, "Round 2 is not the one to draw"),
    ],
)
def test_what_a_draw_is_refused_for(facts, sentence):
    cup = make_cup(4)
    with pytest.raises(CupRefused, match=sentence):
        cup.draw(**facts)
    assert not CupRound.objects.exists()


def test_a_cup_of_one_team_and_a_league_are_not_drawn():
    with pytest.raises(CupRefused, match="A cup needs two teams"):
        make_cup(1).draw()
    with pytest.raises(CupRefused, match="is no cup"):
        make_cup(4, kind="league").draw()


def test_a_withdrawn_team_is_not_drawn():
    cup = make_cup(3)
    teams.withdraw_team(team=cup.teams[0].pk, withdrawn_on=DAY, at=AT)
    cup.draw()
    assert len(cup.bracket.ties) == 1


def test_an_undone_draw_waits_for_cards_and_line_ups():
    cup = make_cup(4)
    cup.draw()
    with pytest.raises(CupRefused, match="This is not the last round"):
        cups.undo_draw(division=cup.division.pk, round=2, by=None, at=AT)
    cup.record(cup.tie(1, 1).matches[0], [None, None, None, None])
    with pytest.raises(CupRefused, match="Semi-final has begun"):
        cups.undo_draw(division=cup.division.pk, round=1, by=None, at=AT)
    assert Match.objects.count() == 2


def test_a_draw_stays_while_a_finding_on_its_cards_does():
    cup = make_cup(2)
    cup.draw()
    factories.ViolationFactory(match=Match.objects.get())
    with pytest.raises(CupRefused, match="Final has begun"):
        cups.undo_draw(division=cup.division.pk, round=1, by=None, at=AT)


def test_seeds_are_given_before_the_draw_and_each_once():
    cup = make_cup(4)
    one, two, *_rest = cup.teams
    given = {one.pk: 2, two.pk: 1}
    cups.seed_teams(division=cup.division.pk, seeds=given, at=AT)
    cups.seed_teams(division=cup.division.pk, seeds={one.pk: 1, two.pk: 2}, at=AT)
    assert list(cup.division.teams.values_list("seed", flat=True)) == [1, 2, None, None]
    with pytest.raises(CupRefused, match="Two teams have the place 1"):
        cups.seed_teams(division=cup.division.pk, seeds={two.pk: 1}, at=AT)
    cup.draw()
    with pytest.raises(CupRefused, match="is drawn: take the draw back first"):
        cups.seed_teams(division=cup.division.pk, seeds={one.pk: None}, at=AT)


def test_a_drawn_cup_keeps_its_teams():
    cup = make_cup(3)
    cup.draw()
    bye = next(tie.home for tie in cup.bracket.ties if tie.away is None)
    other = factories.DivisionFactory(season=cup.division.season)
    for refused in (
        lambda: entries.enter_team(division=cup.division.pk, name="New A", club=bye.club),
        lambda: entries.remove_team(team=bye.pk, at=AT),
        lambda: entries.move_team(team=bye.pk, division=other.pk, at=AT),
        lambda: entries.remove_division(division=cup.division.pk),
    ):
        with pytest.raises(SeasonRefused):
            refused()
    assert cup.division.teams.count() == 3
