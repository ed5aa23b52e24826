"""What the officer decides of a tie: its ground, a walk-over, a toss, a replay, and back."""

import pytest

from games.cup import cups
from games.cup.cups import CupRefused
from games.matches import match_decisions
from games.models import Match, MatchState
from tests import factories
from tests.games.cup_scene import AT, decided, make_cup, replayed, words

pytestmark = pytest.mark.django_db


def test_the_other_side_is_at_home():
    cup = make_cup(2)
    cup.draw()
    before = cup.tie()
    cups.swap_sides(tie=before.tie.pk, by=None, at=AT)
    after = cup.tie()
    assert (after.home, after.away) == (before.away, before.home)
    assert (after.matches[0].home_id, after.matches[0].leg) == (before.away.pk, 1)
    assert after.matches[0].number != before.matches[0].number
    cup.play(after, "score")
    with pytest.raises(CupRefused, match="Sides change only before"):
        cups.swap_sides(tie=before.tie.pk, by=None, at=AT)


def test_a_walk_over_voids_the_match_and_comes_back():
    cup = make_cup(2)
    cup.draw()
    tie = cup.tie()
    with pytest.raises(CupRefused, match="needs its reason"):
        decided(cup, tie, "walk_over", reason=" ")
    decided(cup, tie, "walk_over", reason="snow", winner=tie.away)
    match = Match.objects.get()
    assert (match.state, match.decision) == (
        MatchState.VOID,
        "The tie is decided by a walk-over. snow",
    )
    assert words(cup) == f"{tie.away.name} go through by a walk-over: snow."
    cups.withdraw_decision(tie=tie.tie.pk, by=None, at=AT)
    match.refresh_from_db()
    assert (match.state, match.decision, cup.tie().winner) == (MatchState.ARRANGED, "", None)
    cup.play(cup.tie(), "score")
    with pytest.raises(CupRefused, match="that is no walk-over"):
        decided(cup, cup.tie(), "walk_over", reason="late")


def test_a_toss_waits_for_a_level_tie():
    cup = make_cup(2, settling=["toss"])
    cup.draw()
    with pytest.raises(CupRefused, match="no toss before"):
        decided(cup, cup.tie(), "toss", reason="")
    cup.play(cup.tie(), "score")
    with pytest.raises(CupRefused, match="no toss before"):
        decided(cup, cup.tie(), "toss", reason="")
    with pytest.raises(CupRefused, match="One of the two sides"):
        decided(cup, cup.tie(), "award", winner=factories.TeamFactory(), reason="why")


def test_a_replay_is_no_more_than_one_at_a_time():
    cup = make_cup(2, settling=["replay"])
    cup.draw()
    with pytest.raises(CupRefused, match="is still to be played"):
        replayed(cup, cup.tie())
    cup.play(cup.tie(), "level")
    assert words(cup) == "2–2: a replay is to be played."
    replayed(cup, cup.tie())
    assert words(cup) == "2–2 so far."
    cup.play(cup.tie(), "score")
    with pytest.raises(CupRefused, match="The tie is decided"):
        replayed(cup, cup.tie())


def test_a_tie_whose_draw_is_undone_is_refused_in_words():
    cup = make_cup(2)
    cup.draw()
    tie = cup.tie()
    cups.undo_draw(division=cup.division.pk, round=1, by=None, at=AT)
    with pytest.raises(CupRefused, match="The tie is there no more"):
        decided(cup, tie, "award", reason="late")


def test_a_void_match_is_played_anew_at_the_same_venue():
    cup = make_cup(2)
    cup.draw()
    first = Match.objects.get()
    match_decisions.void(match=first.pk, reason="a wrong hall", by=None, at=AT)
    again = replayed(cup, cup.tie())
    assert (again.home_id, again.round_label, again.leg) == (first.home_id, "Final", 2)
    cup.play(cup.tie(), "score")
    assert cup.tie().winner == cup.tie().home


def test_an_awarded_match_decides_its_tie():
    cup = make_cup(2)
    cup.draw()
    tie = cup.tie()
    match_decisions.award(match=tie.matches[0].pk, home=0, away=8, reason="no show", by=None, at=AT)
    assert words(cup) == f"{tie.away.name} go through: 0–4."


def test_a_corrected_card_moves_its_tie_and_the_bracket_says_so():
    cup = make_cup(4)
    cup.draw()
    for number in (1, 2):
        cup.play(cup.tie(1, number), "score")
    cup.draw(2)
    assert cup.bracket.doubts == []
    tie = cup.tie(1, 1)
    cup.record(tie.matches[0], [0, 0, 1, 0])
    assert cup.tie(1, 1).winner == tie.away
    assert [(each.tie, team) for each, team in cup.bracket.doubts] == [
        (cup.tie(2, 1).tie, tie.home)
    ]
    cups.undo_draw(division=cup.division.pk, round=2, by=None, at=AT)
    cup.draw(2)
    assert cup.bracket.doubts == []


def test_a_decision_stays_once_its_winner_has_moved_on():
    cup = make_cup(4)
    cup.draw()
    for number in (1, 2):
        decided(cup, cup.tie(1, number), "walk_over", reason="snow")
    cup.draw(2)
    tie = cup.tie(1, 1)
    with pytest.raises(CupRefused, match="stand in Final already"):
        cups.withdraw_decision(tie=tie.tie.pk, by=None, at=AT)
    with pytest.raises(CupRefused, match="stand in Final already"):
        decided(cup, tie, "award", winner=tie.away, reason="no")
