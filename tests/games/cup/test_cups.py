"""Cups by their workflows with real cards: drawn, settled in each way, moved on, won."""

import datetime
import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.cup import cup_words, cups
from games.cup.cup_brackets import bracket_of, brackets_of
from games.cup.cups import CupRefused
from games.division_tables import teams
from games.grading_office.verification import ledger_differences
from games.matches import match_decisions
from games.models import CupRound, Division, Match, MatchState, SettledBy, Team, Tie
from games.season_office import entries, seasons
from games.season_office.seasons import SeasonRefused
from ratings.models import RatedGame
from tests import factories
from tests.games.cup_scene import AT, DAY, LOT, NAMES, make_cup

pytestmark = pytest.mark.django_db
ALL_WAYS = [way.value for way in SettledBy]


def words(cup, round=1, number=1) -> str:
    return cup_words.tie_words(cup.tie(round, number))


def winners(cup, round) -> dict[int, str | None]:
    return {
        tie.number: tie.winner and tie.winner.name for tie in cup.bracket.rounds[round - 1].ties
    }


def replayed(cup, tie):
    return cups.order_replay(tie=tie.tie.pk, day=DAY, by=None, at=AT)


def decided(cup, tie, how, *, winner=None, reason="the coin showed heads"):
    winner = tie.home if winner is None else winner
    return cups.decide_tie(
        tie=tie.tie.pk, winner=winner.pk, decided_by=how, reason=reason, by=None, at=AT
    )


# --- From eleven teams to a winner --------------------------------------------------------


def by_replay(cup, tie):
    cup.play(tie, "level")
    replayed(cup, tie)
    cup.play(cup.tie(tie.tie.cup_round.number, tie.number), "score")


def by_toss(cup, tie):
    cup.play(tie, "level")
    if tie.tie.cup_round.division.settling != ["toss"]:
        replayed(cup, tie)
        cup.play(cup.tie(tie.tie.cup_round.number, tie.number), "level")
    decided(cup, tie, "toss")


def by_withdrawal(cup, tie):
    teams.withdraw_team(team=tie.away.pk, withdrawn_on=DAY, at=AT)


ENDINGS = {
    "score": lambda cup, tie: cup.play(tie, "score"),
    "board_count": lambda cup, tie: cup.play(tie, "board_count"),
    "elimination": lambda cup, tie: cup.play(tie, "elimination"),
    "blacks": lambda cup, tie: cup.play(tie, "blacks"),
    "replay": by_replay,
    "toss": by_toss,
    "walk_over": lambda cup, tie: decided(cup, tie, "walk_over", reason="no team came"),
    "award": lambda cup, tie: decided(cup, tie, "award", reason="a wrong player"),
    "withdrawn": by_withdrawal,
}
SAID = {
    "score": "2½–1½",
    "board_count": "2–2; board count 1 to 4, the lower the better",
    "elimination": "2–2; board count 5 to 5, the lower the better; without the last board 1–2",
    "blacks": "2–2; all drawn, Blacks on odd boards 2 to 0",
    "replay": "2–2; in the replay 2½–1½",
    "toss": "2–2; in the replay 2–2; they won the toss: the coin showed heads",
}


def expected(how, tie) -> str:
    """What is said of a tie that ended so."""
    through = tie.away.name if how == "elimination" else tie.home.name
    if how == "walk_over":
        return f"{through} go through by a walk-over: no team came."
    if how == "award":
        return f"{through} go through by decision of the league: a wrong player."
    if how == "withdrawn":
        return f"{through} go through: {tie.away.name} have withdrawn."
    return f"{through} go through: {SAID[how]}."


@pytest.mark.parametrize("mode", ["start", "rounds"])
def test_a_cup_of_eleven_through_each_way_to_its_winner(mode):
    cup = make_cup(11, seeds=4, draw_mode=mode, settling=ALL_WAYS)
    endings = iter([*ENDINGS, "score"])
    met, sizes = [], []
    for round in range(1, 5):
        cup.draw(round, lot=LOT + round)
        sizes.append([tie.away is None for tie in cup.bracket.rounds[-1].ties])
        for tie in cup.played_ties(round):
            how = next(endings)
            ENDINGS[how](cup, tie)
            after = cup.tie(round, tie.number)
            met.append(how)
            assert cup_words.tie_words(after) == expected(how, tie)
            assert after.winner == (tie.away if how == "elimination" else tie.home)
    assert met == [*ENDINGS, "score"]
    assert [(len(each), sum(each)) for each in sizes] == [(8, 5), (4, 0), (2, 0), (1, 0)]
    assert [each.name for each in cup.bracket.rounds] == [
        "Round 1",
        "Quarter-final",
        "Semi-final",
        "Final",
    ]
    final = cup.tie(4)
    assert cup.bracket.champion == final.home
    assert cup_words.cup_state_words(cup.bracket) == f"Won by {final.home.name}"
    counted = sorted(cup.bracket.positions.values())
    assert counted == [1, 2, 3, 3, 5, 5, 5, 5, 9, 9, 9]
    # Every game of every card is rated, whoever went through.
    played = Match.objects.filter(entered_at__isnull=False).count()
    assert RatedGame.objects.count() == 4 * played > 0
    assert list(ledger_differences()) == []
    with pytest.raises(CupRefused, match="The final is drawn already"):
        cup.draw(5)


@pytest.mark.parametrize("way", ["board_count", "elimination", "blacks", "replay", "toss"])
def test_a_whole_cup_of_eleven_by_one_way_alone(way):
    cup = make_cup(11, settling=[way])
    for round in range(1, 5):
        cup.draw(round)
        for tie in cup.played_ties(round):
            ENDINGS[way](cup, tie)
            steps = cup.tie(round, tie.number).stands.steps
            assert steps[0].way == "score" and steps[0].first == steps[0].second == 4
            last = "score" if way in ("replay", "toss") else way
            assert steps[-1].way == last
    assert cup.bracket.champion is not None
    assert len(cup.bracket.ties) == 15


# --- Legs and starts ------------------------------------------------------------------------


def test_two_legs_are_one_score_and_home_changes():
    cup = make_cup(2, boards=2, legs=2, settling=["board_count", "toss"])
    later = DAY + datetime.timedelta(days=7)
    cup.draw(days=[DAY, later])
    tie = cup.tie()
    first, second = tie.matches
    assert (first.home_id, first.away_id) == (second.away_id, second.home_id)
    assert (first.home_id, first.played_on, second.played_on) == (tie.home.pk, DAY, later)
    assert [match.round_label for match in tie.matches] == ["Final, leg 1", "Final, leg 2"]
    assert words(cup) == ""
    cup.record(first, [2, 1])
    assert words(cup) == "1½–½ so far."
    cup.record(second, [1, 2], at=AT + datetime.timedelta(days=7))
    through = "2–2 over two matches; board count 1 to 2, the lower the better"
    assert words(cup) == f"{tie.home.name} go through: {through}."
    assert cup.bracket.champion == tie.home


@pytest.mark.parametrize("issue", ["season", "newest"])
def test_a_start_by_the_difference_of_the_totals(issue):
    rules = {"handicap_points": 200, "limits_list": "elo", "limits_issue": issue}
    cup = make_cup(2, boards=2, ungraded_counts_as=1000, **rules)
    cup.draw()
    tie = cup.tie()
    for player in cup.players[tie.home.pk]:
        factories.OpeningRatingFactory(player_id=player, value=14000)
    cup.record(tie.matches[0], [2, 1])
    assert cup.tie().starts == ((0, 4),)
    score = f"1½–2½ with a start of 2 for {tie.away.name}"
    assert words(cup) == f"{tie.away.name} go through: {score}."
    Division.objects.update(ungraded_counts_as=None)  # no figure is never 0: no start
    cup.division.refresh_from_db()
    assert words(cup) == f"{tie.home.name} go through: 1½–½."


def test_a_rule_changed_is_a_tie_decided_otherwise():
    """Each setting of a level tie, on the same card."""
    cup = make_cup(2, settling=["elimination"])
    cup.draw()
    cup.play(cup.tie(), "board_count")  # 2 1 1 0
    home, away = cup.tie().home, cup.tie().away
    assert cup.tie().winner == home
    found = {}
    for settling in (["board_count"], ["blacks", "toss"], ["replay"], ["toss"], []):
        Division.objects.filter(pk=cup.division.pk).update(settling=settling)
        cup.division.refresh_from_db()
        tie = cup.tie()
        found[tuple(settling)] = (tie.winner, tie.stands.awaits)
    assert found == {
        ("board_count",): (home, None),
        ("blacks", "toss"): (None, "officer"),
        ("replay",): (None, "replay"),
        ("toss",): (None, "officer"),
        (): (None, "officer"),
    }
    assert away != home


# --- The draw -------------------------------------------------------------------------------


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


# --- What the officer decides ---------------------------------------------------------------


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


# --- The season around it -------------------------------------------------------------------


def test_a_season_closes_with_its_cup_and_is_copied_with_it():
    cup = make_cup(4, name="Weald Cup", settling=["toss"], handicap_points=None)
    season = cup.division.season
    top = factories.DivisionFactory(season=season, name="Division 1", rank=2, relegated=1)
    low = factories.DivisionFactory(season=season, name="Division 2", rank=3, promoted=1)
    for division in (top, low):
        for name in ("Ash A", "Birch A"):
            factories.TeamFactory(division=division, name=f"{name} {division.rank}")
    cup.draw()
    with pytest.raises(SeasonRefused, match="2 cards are still to come"):
        seasons.close_season(season=season.pk, at=AT)
    cup.play(cup.tie(1, 1), "score")
    cup.play(cup.tie(1, 2), "level")
    with pytest.raises(SeasonRefused, match="A tie of Weald Cup has no winner yet"):
        seasons.close_season(season=season.pk, at=AT)
    decided(cup, cup.tie(1, 2), "toss")
    cup.draw(2)
    cup.play(cup.tie(2, 1), "score")
    seasons.close_season(season=season.pk, at=AT)
    placed = dict(cup.division.teams.values_list("name", "final_position"))
    final = cup.tie(2, 1)
    others = set(NAMES[:4]) - {final.home.name, final.away.name}
    assert placed == {final.home.name: 1, final.away.name: 2} | dict.fromkeys(others, 3)
    made = seasons.open_season(
        league=season.league,
        label="2027-28",
        starts_on=datetime.date(2027, 7, 1),
        ends_on=datetime.date(2028, 7, 1),
        copy_of=season,
    )
    copied = made.divisions.get(name="Weald Cup")
    assert (copied.kind, copied.settling, copied.legs) == ("cup", ["toss"], 1)
    assert set(copied.teams.values_list("name", flat=True)) == set(NAMES[:4])
    assert not copied.cup_rounds.exists()
    # Promotion steps over the cup.
    down = made.divisions.get(name="Division 2").teams.values_list("name", flat=True)
    assert sorted(down) == ["Birch A 2", "Birch A 3"]


@pytest.mark.parametrize(
    ("row", "changes", "name"),
    [
        (Division, {"kind": "ladder"}, "games_division_kind_known"),
        (Division, {"legs": 3}, "games_division_cup_of_one_or_two_legs"),
        (Division, {"settling": ["penalties"]}, "games_division_settling_known"),
        (Division, {"draw_mode": "never"}, "games_division_draw_mode_known"),
        (Division, {"handicap_points": 0}, "games_division_handicap_positive"),
        (Team, {"seed": 0}, "games_team_seed_positive"),
        (CupRound, {"number": 0}, "games_cupround_number_positive"),
        (Tie, {"reason": "because"}, "games_tie_decided_for_one_of_its_teams"),
        (Tie, {"decided_by": "toss"}, "games_tie_decided_for_one_of_its_teams"),
    ],
)
def test_what_the_database_refuses(row, changes, name):
    factories.TieFactory()
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        row.objects.update(**changes)


def test_a_bracket_asks_no_more_for_more_ties(django_assert_max_num_queries):
    cup = make_cup(2, handicap_points=10)
    cup.draw()
    cup.play(cup.tie(), "score")

    def asked() -> int:
        with CaptureQueriesContext(connection) as captured:
            bracket_of(Division.objects.select_related("season", "rated_event__pool").get())
        return len(captured)

    few = asked()
    bigger = make_cup(11, season=cup.division.season, name="Plate")
    bigger.draw()
    for tie in bigger.played_ties(1):
        bigger.play(tie, "score")
    with CaptureQueriesContext(connection) as captured:
        brackets_of(list(Division.objects.select_related("season", "rated_event__pool")))
    assert len(captured) - 1 == few - 1


@pytest.mark.django_db(transaction=True)
def test_of_two_officers_who_draw_at_once_one_is_told():
    cup = make_cup(4)
    barrier, told = threading.Barrier(2), []

    def draw(lot):
        barrier.wait()
        try:
            cup.draw(lot=lot)
            told.append("drawn")
        except CupRefused as refused:
            told.append(str(refused))
        finally:
            connection.close()

    both = [threading.Thread(target=draw, args=[lot]) for lot in (1, 2)]
    [each.start() for each in both]
    [each.join() for each in both]
    assert sorted(told) == ["Round 1 is not the one to draw: somebody was before.", "drawn"]
    assert (CupRound.objects.count(), Tie.objects.count(), Match.objects.count()) == (1, 2, 2)
