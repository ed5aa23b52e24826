"""`verify_ledger` and `rebuild_ratings`: every difference named, and only a rebuild writes."""

import datetime
import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from games.grading_office.verification import verify
from games.match_cards.posting import post_divisions
from games.models import Board, Match
from ratings import checking
from ratings.models import EloGame, EloRating, RatedEvent, RatedGame
from tests.factories import BoardFactory, DivisionFactory, MatchFactory, PlayerFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    """A match of two rated boards: 1-0 and a draw."""
    match = MatchFactory(division=DivisionFactory(name="Division 1"), number=7)
    match.home.name, match.away.name = "Ashdown A", "Hartfield A"
    match.home.save()
    match.away.save()
    for number, result in ((1, 2), (2, 1)):
        BoardFactory(
            match=match,
            number=number,
            result=result,
            home_player=PlayerFactory(surname=f"Home{number}", forenames=""),
            away_player=PlayerFactory(surname=f"Away{number}", forenames=""),
        )
    with transaction.atomic():
        post_divisions([match.division])
    return match


def run(command, *options):
    """The lines of a command, and its error if it ended with one."""
    out = io.StringIO()
    try:
        call_command(command, *options, stdout=out, stderr=io.StringIO())
    except CommandError as error:
        return [*out.getvalue().splitlines(), str(error)]
    return out.getvalue().splitlines()


def stored():
    return [*EloGame.objects.order_by("pk").values()], [*EloRating.objects.order_by("pk").values()]


def name_of(number):
    board = Board.objects.get(number=number)
    return f"board:{board.pk} (Ashdown A v Hartfield A, board {number})"


def test_all_is_right(match):
    assert run("verify_ledger") == ["The ledger equals the boards, the ratings a rebuild."]
    assert run("rebuild_ratings", "--check") == [
        "standard ...",
        "standard: 2 games, 0 rows differ",
        "rapid ...",
        "rapid: 0 games, 0 rows differ",
        "blitz ...",
        "blitz: 0 games, 0 rows differ",
        "bullet ...",
        "bullet: 0 games, 0 rows differ",
    ]


def test_a_board_changed_behind_the_ledgers_back_is_named_field_by_field(match):
    Board.objects.filter(number=1).update(result=0)
    Match.objects.update(round=5)
    assert run("verify_ledger") == [
        f"{name_of(1)}: round is 5, the ledger has 1; white_halves is 0, the ledger has 2",
        f"{name_of(2)}: round is 5, the ledger has 1",
        "2 differences.",
    ]


def test_a_game_that_is_missing_and_one_too_many(match):
    Board.objects.filter(number=1).update(result=None, award="home_default")
    lost = RatedGame.objects.get(board=2)
    EloGame.objects.filter(pk=lost.pk).delete()
    lost.delete()
    assert verify()[:2] == [
        f"{name_of(1)}: in the ledger, and not to be rated",
        f"{name_of(2)}: to be rated, and not in the ledger",
    ]


def test_a_game_of_a_board_that_is_gone_and_one_under_another_event(match):
    astray = RatedEvent.objects.create(
        name="Congress", source="congress", key=1, pool=match.division.rated_event.pool
    )
    game = RatedGame.objects.get(board=1)
    RatedGame.objects.filter(pk=game.pk).update(event=astray)
    game = RatedGame.objects.get(board=2)
    RatedGame.objects.filter(pk=game.pk).update(source_key="board:999999999")
    found = verify()
    assert sorted(found[:3]) == sorted(
        [
            f"{name_of(1)}: to be rated, and not in the ledger",
            f"{name_of(2)}: to be rated, and not in the ledger",
            "board:999999999: in the ledger, and not to be rated",
        ]
    )
    assert found[3] == f"{name_of(1)}: in the ledger under Congress, which is no division"


def spoil():
    """Change a game's row and a rating by hand, and take another game's row away."""
    one, two = RatedGame.objects.order_by("board")
    EloGame.objects.filter(pk=one.pk).update(white_change=999, white_k=20)
    EloGame.objects.filter(pk=two.pk).delete()
    EloRating.objects.filter(player=one.black).update(rating=1, games=3)
    EloRating.objects.filter(player=two.white).delete()
    return [
        f"Standard, game {one.pk}, Home1 v Away1, 2026-11-24:"
        " white_change stored 999, rebuilt 200; white_k stored 20, rebuilt 40",
        f"Standard, game {two.pk}, Home2 v Away2, 2026-11-24: not rated",
        f"Standard, player {one.black_id}, Away1:"
        " rating stored 1, rebuilt 14800; games stored 3, rebuilt 1",
        f"Standard, player {two.white_id}, Home2: no rating stored",
    ]


def test_a_stored_rating_that_no_rebuild_gives_is_named(match):
    right = stored()
    differences = sorted(spoil())
    spoiled = stored()
    assert sorted(run("verify_ledger")) == sorted([*differences, "4 differences."])
    lines = run("rebuild_ratings", "--check", "--pool", "standard")
    assert lines[0] == "standard ..."
    assert sorted(lines[1:5]) == differences
    assert lines[5:] == [
        "standard: 2 games, 4 rows differ",
        "Ratings differ from a rebuild: standard.",
    ]
    assert stored() == spoiled
    lines = run("rebuild_ratings", "--pool", "standard")
    assert lines[0] == "standard ..."
    assert sorted(lines[1:5]) == differences
    assert lines[5:] == ["standard: 2 games, 4 rows written"]
    assert stored()[0] == right[0]
    assert [row["rating"] for row in stored()[1]] != [row["rating"] for row in spoiled[1]]
    assert run("verify_ledger") == ["The ledger equals the boards, the ratings a rebuild."]


def test_a_rating_without_a_game_is_named_and_goes(match):
    stranger = PlayerFactory(surname="Stranger", forenames="")
    EloRating.objects.create(
        player=stranger,
        pool=match.division.rated_event.pool,
        rating=20000,
        games=1,
        marks=0,
        established=False,
    )
    assert verify() == [f"Standard, player {stranger.pk}, Stranger: a rating stored, and no game"]
    run("rebuild_ratings")
    assert not EloRating.objects.filter(player=stranger).exists()


def test_a_check_names_the_first_twenty(match):
    players = [PlayerFactory() for _n in range(25)]
    EloRating.objects.bulk_create(
        EloRating(player=player, pool_id="standard", rating=1, games=1, marks=0, established=False)
        for player in players
    )
    lines = run("rebuild_ratings", "--check", "--pool", "standard")
    assert len(lines) == 1 + 20 + 3
    assert lines[-3:] == [
        "and 5 more",
        "standard: 2 games, 25 rows differ",
        "Ratings differ from a rebuild: standard.",
    ]


@pytest.mark.django_db(transaction=True)
def test_a_check_reads_one_state_and_cannot_write(match):
    with checking.snapshot(), connection.cursor() as cursor:
        cursor.execute("SHOW transaction_isolation")
        assert cursor.fetchone() == ("repeatable read",)
        cursor.execute("SHOW transaction_read_only")
        assert cursor.fetchone() == ("on",)
    assert verify() == []


def test_a_stale_pool_is_named_and_its_old_ratings_are_no_difference(match, settings):
    settings.MOST_GAMES_RATED_AT_ONCE = 0
    Match.objects.update(played_on=datetime.date(2025, 11, 24))
    Board.objects.filter(number=1).update(result=0)
    with transaction.atomic():
        post_divisions([match.division])
    assert run("verify_ledger") == [
        "Standard: ratings from 2025-11-24 on are being worked out again by a job"
        " (waiting for a job worker), and were not compared.",
        "The ledger equals the boards; the ratings of the other pools equal a rebuild.",
    ]
    run("rebuild_ratings", "--pool", "standard")
    assert run("verify_ledger") == ["The ledger equals the boards, the ratings a rebuild."]
