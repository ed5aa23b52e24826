"""The workflow of a card: what it stores, refuses, and hands to the ratings."""

import datetime
from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction

from clubs.models import Membership, Player, PlayerEvent, PlayerState
from games.match_cards import cards, posting
from games.match_cards.card_checks import Problem
from games.match_cards.card_entries import BoardEntry, NewPlayer
from games.match_cards.cards import CardChanged, CardRefused, record_card
from games.models import Board, Match, MatchState, Season
from ratings import rebuilding
from ratings.models import EloGame, EloRating, RatedGame
from tests import factories
from tests.games.card_scene import AT, make_scene, queries

pytestmark = pytest.mark.django_db

PLAYED = "=1=01="


def boards_of(scene) -> list[BoardEntry]:
    return [cards.entry_of(board) for board in scene.match.boards.order_by("number")]


def ledger_of(scene) -> list[tuple]:
    """The match's games in the ledger: day, board, White, Black, White's half-points."""
    keys = [posting.key_of(board.pk) for board in scene.match.boards.all()]
    games = RatedGame.objects.filter(source_key__in=keys).in_order_of_play()
    return list(games.values_list("played_on", "board", "white", "black", "white_halves"))


def ratings_are_a_rebuild() -> bool:
    return not rebuilding.check(factories.pool())


# --- What is stored ----------------------------------------------------------------------


def test_a_card_brings_boards_ledger_and_ratings_at_once(scene):
    recorded = scene.record(PLAYED, by=scene.captain)
    assert recorded.changed and recorded.ratings_written == 6 + 12
    assert boards_of(scene) == scene.entries(PLAYED)
    day = scene.match.played_on
    assert ledger_of(scene) == [
        (day, 1, scene.away[0].pk, scene.home[0].pk, 1),
        (day, 2, scene.home[1].pk, scene.away[1].pk, 2),
        (day, 3, scene.away[2].pk, scene.home[2].pk, 1),
        (day, 4, scene.home[3].pk, scene.away[3].pk, 0),
        (day, 5, scene.away[4].pk, scene.home[4].pk, 0),
        (day, 6, scene.home[5].pk, scene.away[5].pk, 1),
    ]
    assert ratings_are_a_rebuild()
    match = scene.reload()
    assert (match.version, match.entered_at, match.entered_by) == (1, AT, scene.captain)
    match.division.refresh_from_db()
    assert match.division.changed_at == AT


def test_home_and_away_keep_their_results_whoever_has_white(scene):
    for colour in ("white", "black", "unknown"):
        entries = [replace(entry, home_colour=colour) for entry in scene.entries("1=0   ")]
        scene.record(boards=entries)
        by_board = {board: row for _day, board, *row in ledger_of(scene)}
        for number, halves in ((1, 2), (2, 1), (3, 0)):
            white, black, white_halves = by_board[number]
            home, away = scene.home[number - 1].pk, scene.away[number - 1].pk
            assert (white, black) == ((away, home) if colour == "black" else (home, away))
            assert white_halves == (2 - halves if colour == "black" else halves)
        points = scene.match.boards.filter(number__lte=3).order_by("number")
        assert list(points.values_list("home_halves", "away_halves")) == [(2, 0), (1, 1), (0, 2)]
    known = RatedGame.objects.filter(white=scene.home[0], black=scene.away[0])
    assert [game.colours_known for game in known] == [False]


def test_boards_are_written_in_place(scene):
    scene.record(PLAYED)
    before = dict(scene.match.boards.values_list("number", "pk"))
    games = set(RatedGame.objects.values_list("pk", "source_key"))
    scene.record("111111")
    assert dict(scene.match.boards.values_list("number", "pk")) == before
    assert set(RatedGame.objects.values_list("pk", "source_key")) == games
    assert ratings_are_a_rebuild()


def test_a_board_taken_off_the_card_takes_its_game_with_it(scene):
    scene.record(PLAYED)
    scene.record(boards=scene.entries(PLAYED)[:-2])
    assert len(ledger_of(scene)) == scene.match.boards.count() == 4
    assert RatedGame.objects.count() == 12 + 4 == EloGame.objects.count()
    assert ratings_are_a_rebuild()


def test_a_default_is_never_rated_and_scores(scene):
    entries = scene.entries(PLAYED)
    entries[5] = replace(entries[5], away=None, result=None, award="home_default")
    entries[4] = replace(entries[4], result=None, award="double_default")
    scene.record(boards=entries)
    assert len(ledger_of(scene)) == 4
    points = scene.match.boards.order_by("number").values_list("home_halves", "away_halves")
    assert list(points) == [(1, 1), (2, 0), (1, 1), (0, 2), (0, 0), (2, 0)]


def test_a_default_that_becomes_a_game_is_rated_and_back_again(scene):
    entries = scene.entries(PLAYED)
    default = replace(entries[5], away=None, result=None, award="home_default")
    scene.record(boards=[*entries[:5], default])
    scene.record(PLAYED)
    assert len(ledger_of(scene)) == 6 and ratings_are_a_rebuild()
    scene.record(boards=[*entries[:5], default])
    assert len(ledger_of(scene)) == 5 and ratings_are_a_rebuild()


def test_a_postponed_match_takes_the_day_it_was_played(scene):
    Match.objects.filter(pk=scene.match.pk).update(played_on=None, state=MatchState.POSTPONED)
    scene.record(PLAYED)
    assert ledger_of(scene) == []
    day = datetime.date(2027, 1, 12)
    scene.record(PLAYED, played_on=day, at=AT.replace(2027, 1, 12))
    match = scene.reload()
    assert (match.played_on, match.state) == (day, MatchState.ARRANGED)
    assert [row[0] for row in ledger_of(scene)] == [day] * 6
    assert ratings_are_a_rebuild()


def test_a_board_of_its_own_day_is_rated_on_it(scene):
    entries = scene.entries(PLAYED)
    entries[0] = replace(entries[0], played_on=datetime.date(2026, 11, 20))
    scene.record(boards=entries)
    assert ledger_of(scene)[0][0] == datetime.date(2026, 11, 20)
    assert ratings_are_a_rebuild()


def test_a_stated_score_goes_when_the_boards_come(scene):
    Match.objects.filter(pk=scene.match.pk).update(stated_home=8, stated_away=4)
    scene.record(PLAYED)
    assert (scene.reload().stated_home, scene.reload().stated_away) == (None, None)


def test_both_versions_rise_and_the_history_says_who(scene):
    division = scene.match.division
    division.refresh_from_db()
    before = division.version
    scene.record(PLAYED, by=scene.captain, why="from the telephone")
    division.refresh_from_db()
    assert (scene.reload().version, division.version) == (1, before + 1)
    for board in scene.match.boards.all():
        [event] = board.events.all()
        assert event.pgh_label == "insert"
        assert event.pgh_context == {"user": scene.captain.pk, "why": "from the telephone"}


# --- Once is enough ----------------------------------------------------------------------


def test_the_same_card_again_changes_nothing_whatever_its_version(scene):
    scene.record(PLAYED)
    before = [list(model.objects.order_by("pk").values()) for model in (Board, Match, EloRating)]
    for version in (0, 1, 7, -1):
        recorded = scene.record(PLAYED, version=version)
        assert not recorded.changed
        assert recorded.boards == list(scene.match.boards.order_by("number"))
    after = [list(model.objects.order_by("pk").values()) for model in (Board, Match, EloRating)]
    assert after == before


def test_a_card_without_anything_changes_nothing(scene):
    assert not scene.record(boards=[]).changed
    assert (scene.reload().version, scene.reload().entered_at) == (0, None)


def test_a_line_up_is_kept_once_and_the_match_is_still_to_come(scene):
    for _click in range(2):
        scene.record("      ", version=0, by=scene.captain)
    match = scene.reload()
    assert boards_of(scene) == scene.entries("      ")
    assert (match.version, match.entered_at, match.entered_by) == (1, None, scene.captain)
    Season.objects.update(published_at=AT)
    assert list(Match.objects.next_matches(match.played_on, 9)) == [match]
    scene.record("=     ")
    assert scene.reload().entered_at == AT
    assert list(Match.objects.next_matches(match.played_on, 9)) == []
    scene.record("      ")
    assert scene.reload().entered_at is None


def test_the_order_of_the_boards_sent_does_not_matter(scene):
    scene.record(PLAYED)
    assert not scene.record(boards=scene.entries(PLAYED)[::-1]).changed


# --- New people --------------------------------------------------------------------------


def newcomer(scene, surname="Newman", forenames="Zebedee"):
    entries = scene.entries(PLAYED)
    new = NewPlayer(surname, forenames, scene.match.away.club_id)
    entries[5] = replace(entries[5], away=new)
    return entries


def test_a_new_player_is_pending_a_member_and_rated(scene):
    recorded = scene.record(boards=newcomer(scene))
    [player] = recorded.new_players
    assert (player.surname, player.state) == ("Newman", PlayerState.PENDING)
    [membership] = player.memberships.all()
    assert (membership.club, membership.starts_on) == (
        scene.match.away.club,
        scene.match.played_on,
    )
    assert EloRating.objects.get(player=player).games == 1
    assert ratings_are_a_rebuild()


@pytest.mark.parametrize("spelt", ["Newman", "NEWMAN", "Néwman"])
def test_a_card_with_a_new_player_sent_twice_makes_one(scene, spelt):
    scene.record(boards=newcomer(scene))
    recorded = scene.record(boards=newcomer(scene, spelt), version=0)
    assert not recorded.changed
    assert Player.objects.filter(state=PlayerState.PENDING).count() == 1


def test_a_new_player_who_was_refused_leaves_nothing(scene):
    entries = newcomer(scene)
    entries[0] = replace(entries[0], home=entries[1].home)
    with pytest.raises(CardRefused):
        scene.record(boards=entries)
    assert not Player.objects.filter(state=PlayerState.PENDING).exists()


def test_a_new_name_twice_on_a_card_is_one_person_twice(scene):
    entries = newcomer(scene)
    entries[4] = replace(entries[4], away=NewPlayer("NEWMAN", "zebedee", scene.match.away.club_id))
    with pytest.raises(CardRefused) as refused:
        scene.record(boards=entries)
    assert [str(problem) for problem in refused.value.problems[6]] == [
        "Twice on this card. Zebedee Newman is on board 5 as well. Choose who played board 6."
    ]


def registry_of(name="Zebedee Newman") -> list[Player]:
    return [player for player in Player.objects.all() if str(player) == name]


def test_a_name_that_is_put_right_leaves_no_player_of_the_wrong_one(scene):
    [wrong] = scene.record(boards=newcomer(scene)).new_players
    [right] = scene.record(boards=newcomer(scene, "Newnham"), by=scene.captain).new_players
    assert list(Player.objects.filter(state=PlayerState.PENDING)) == [right]
    assert not Membership.objects.filter(player=wrong.pk).exists()
    assert boards_of(scene)[5].away == right.pk and ratings_are_a_rebuild()
    events = PlayerEvent.objects.filter(pgh_obj_id=wrong.pk).order_by("pgh_id")
    assert [event.pgh_label for event in events] == ["insert", "delete"]
    assert events.last().pgh_context["user"] == scene.captain.pk


def test_a_new_player_who_leaves_a_card_stays_where_he_is_named(scene):
    [elsewhere] = scene.record(boards=newcomer(scene)).new_players
    factories.BoardFactory(away_player=elsewhere, result=None)
    scene.record(PLAYED)
    assert registry_of() == [elsewhere]


def test_a_new_player_named_by_a_decided_violation_stays(scene):
    [wrong] = scene.record(boards=newcomer(scene)).new_players
    decided = {"decision": "accepted", "decided_at": AT, "board": 6}
    match = scene.match
    factories.ViolationFactory(match=match, team=match.away, player=wrong, **decided)
    scene.record(PLAYED)
    assert registry_of() == [wrong]


def test_a_new_player_into_whom_somebody_was_merged_stays(scene):
    [new] = scene.record(boards=newcomer(scene)).new_players
    factories.PlayerFactory(surname="Newmann", state=PlayerState.MERGED, merged_into=new)
    scene.record(PLAYED)
    assert registry_of() == [new]


@pytest.mark.parametrize("fact", ["confirmed", "opening", "account"])
def test_a_player_somebody_has_looked_after_stays(scene, fact):
    [player] = scene.record(boards=newcomer(scene)).new_players
    if fact == "confirmed":
        Player.objects.filter(pk=player.pk).update(state=PlayerState.ACTIVE)
    elif fact == "opening":
        factories.OpeningRatingFactory(player=player)
    else:
        factories.UserFactory(player=player)
    scene.record(PLAYED)
    assert registry_of() == [player]


def test_a_new_player_who_moves_to_another_board_stays(scene):
    [player] = scene.record(boards=newcomer(scene)).new_players
    entries = scene.entries(PLAYED)
    entries[0] = replace(entries[0], away=player.pk)
    scene.record(boards=entries)
    assert registry_of() == [player] and boards_of(scene)[0].away == player.pk


# --- What is refused ---------------------------------------------------------------------


def refusal(scene, **changed) -> dict[int, list[Problem]]:
    """What is said against the card whose board 6 is changed so."""
    entries = scene.entries(PLAYED)
    entries[5] = replace(entries[5], **changed)
    with pytest.raises(CardRefused) as refused:
        scene.record(boards=entries)
    assert boards_of(scene) == [] and scene.reload().version == 0
    return refused.value.problems


def test_a_player_twice_is_refused_at_the_second_board(scene):
    assert refusal(scene, home=scene.home[1].pk) == {
        6: [
            Problem(
                "Twice on this card.",
                "Ronald J McVale is on board 2 as well. Choose who played board 6.",
                "home",
            )
        ]
    }


def test_a_player_on_both_sides_is_refused(scene):
    assert [p.side for p in refusal(scene, away=scene.home[1].pk)[6]] == ["away"]
    assert [p.finding for p in refusal(scene, away=scene.home[5].pk)[6]] == ["On both sides."]


def test_a_result_without_a_player_and_a_default_nobody_won_are_refused(scene):
    assert [p.side for p in refusal(scene, home=None, away=None)[6]] == ["home", "away"]
    won = {"home": None, "result": None, "award": "home_default"}
    assert [p.finding for p in refusal(scene, **won)[6]] == ["Who won by default?"]


def test_a_player_who_is_not_there_is_refused(scene):
    assert [p.finding for p in refusal(scene, away=10**9)[6]] == ["Not in the registry any more."]


@pytest.mark.parametrize("number", [0, -1, 17, 5])
def test_a_board_that_cannot_be_is_refused(scene, number):
    assert "No such board." in [p.finding for p in refusal(scene, number=number)[number]]


def test_a_card_of_an_older_version_is_shown_what_is_stored(scene):
    scene.record(PLAYED, by=scene.secretary)
    with pytest.raises(CardChanged) as changed:
        scene.record("111111", version=0)
    assert changed.value.match.entered_by == scene.secretary
    assert [board.result for board in changed.value.boards] == [1, 2, 1, 0, 2, 1]
    assert boards_of(scene) == scene.entries(PLAYED)


def test_no_such_match(scene):
    with pytest.raises(Match.DoesNotExist):
        record_card(match=10**9, boards=[], version=0, by=None, at=AT)


@pytest.mark.parametrize("day", [datetime.date(2026, 11, 25), datetime.date(2027, 11, 24)])
def test_a_result_of_a_day_to_come_is_refused(scene, day):
    for facts in ({"result": 2}, {"award": "home_default"}):
        entries = scene.entries("      ")
        entries[5] = replace(entries[5], **facts)
        with pytest.raises(CardRefused) as refused:
            scene.record(boards=entries, played_on=day)
        said = {25: "25 November", 24: "24 November 2027"}[day.day]
        assert refused.value.problems == {
            0: [Problem(f"This match is on {said}.", "If it was played already, enter its day.")]
        }
    assert (boards_of(scene), scene.reload().version) == ([], 0)
    recorded = scene.record("      ", played_on=day)
    assert recorded.changed and boards_of(scene) == scene.entries("      ")


def test_a_board_of_a_day_to_come_has_no_result(scene):
    entries = scene.entries(PLAYED)
    entries[5] = replace(entries[5], played_on=datetime.date(2026, 12, 4))
    with pytest.raises(CardRefused) as refused:
        scene.record(boards=entries)
    assert refused.value.problems == {
        6: [Problem("This board is on 4 December.", "It has no result before that day.")]
    }
    entries[5] = replace(entries[5], result=None)
    assert scene.record(boards=entries).changed


def test_a_game_played_before_the_day_of_its_match_counts(scene):
    entries = [replace(one, played_on=datetime.date(2026, 11, 23)) for one in scene.entries(PLAYED)]
    scene.record(boards=entries, played_on=datetime.date(2026, 12, 4))
    assert {day for day, *_rest in ledger_of(scene)} == {datetime.date(2026, 11, 23)}


def test_today_is_the_day_it_is_here(scene):
    """At half past eleven at night in UTC it is tomorrow already in British summer."""
    day = datetime.date(2026, 7, 2)
    late = datetime.datetime(2026, 7, 1, 23, 30, tzinfo=datetime.UTC)
    assert scene.record(PLAYED, played_on=day, at=late).changed


# --- What the database refuses by itself -------------------------------------------------


@pytest.mark.parametrize(
    ("constraint", "changes"),
    [
        ("games_board_two_people", {"home_player": 0, "away_player": 0}),
        ("games_board_home_player_once", {"home_player": 1}),
        ("games_board_away_player_once", {"away_player": 1}),
        ("games_board_one_per_number", {"number": 1}),
        ("games_board_number_positive", {"number": 0}),
        ("games_board_result_known", {"result": 3}),
        ("games_board_award_known", {"award": "bye", "result": None}),
        ("games_board_default_not_played", {"award": "home_default", "result": 2}),
        ("games_board_award_points_with_reason", {"award": "given", "award_home": 1}),
        ("games_board_award_points_with_reason", {"award_home": 1, "award_away": 1}),
    ],
)
def test_constraints_hold_behind_the_form(scene, constraint, changes):
    scene.record(PLAYED)
    people = {"home_player": scene.home, "away_player": scene.away}
    if changes.keys() == people.keys():
        people["away_player"] = scene.home
    changes = {
        name: people[name][value] if name in people and value is not None else value
        for name, value in changes.items()
    }
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Board.objects.filter(match=scene.match, number=3).update(**changes)
        transaction.get_connection().check_constraints()


def test_two_players_swap_although_the_database_knows_each_once(scene):
    scene.record(PLAYED)
    entries = scene.entries(PLAYED)
    swapped = [
        replace(entries[0], home=entries[1].home),
        replace(entries[1], home=entries[0].home),
        *entries[2:],
    ]
    scene.record(boards=swapped)
    assert boards_of(scene) == swapped and ratings_are_a_rebuild()


def test_a_card_asks_the_database_as_often_for_sixteen_boards_as_for_two(client):
    counts = []
    for size in (2, 16):
        scene = make_scene(boards=size, played_before=False, name=f"-{size}")
        for team in (scene.home, scene.away):
            team += [factories.PlayerFactory() for _ in range(size - len(team))]
        counts.append(
            (
                queries(lambda s=scene, n=size: s.record("1" * n, version=0)),
                queries(lambda s=scene, n=size: s.record("0" * n, version=1)),
                queries(lambda s=scene, n=size: s.record("0" * n, version=1)),
            )
        )
    assert counts[0] == counts[1]
