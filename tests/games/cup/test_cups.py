"""Cups by their workflows with real cards: from the draw to the winner, and the season around."""

import datetime
import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.cup import cup_words
from games.cup.cup_brackets import bracket_of, brackets_of
from games.cup.cups import CupRefused
from games.division_tables import teams
from games.grading_office.verification import ledger_differences
from games.models import CupRound, Division, Match, SettledBy, Team, Tie
from games.season_office import seasons
from games.season_office.seasons import SeasonRefused
from ratings.models import RatedGame
from tests import factories
from tests.games.cup_scene import AT, DAY, LOT, NAMES, decided, make_cup, replayed, words

pytestmark = pytest.mark.django_db
ALL_WAYS = [way.value for way in SettledBy]


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
