"""Cards against their division's rules: warned of, refused or noted, and decided by the officer."""

import datetime
from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from games.match_cards import violations
from games.match_cards.cards import CardRefused
from games.match_cards.violations import DecisionRefused
from games.models import Adjustment, Board, Division, Match, Violation
from ratings.models import RatedGame
from tests import factories
from tests.games.card_scene import AT, LAST_TIME, TODAY, make_scene, play_before

pytestmark = pytest.mark.django_db


def rule(scene, **columns) -> None:
    Division.objects.filter(pk=scene.match.division_id).update(**columns)


def broken() -> list[tuple[str, str, int]]:
    rows = Violation.objects.order_by("team__name", "board", "rule")
    return list(rows.values_list("team__name", "rule", "board"))


def sentences(scene) -> list[str]:
    rows = list(Violation.objects.order_by("team__name", "board", "rule"))
    names = violations.names_for(rows)
    return [violations.words_of(row, names) for row in rows]


def swapped(scene):
    """Home's first two boards the wrong way round: 162 above 168."""
    entries = scene.entries()
    entries[0], entries[1] = (
        replace(entries[0], home=entries[1].home),
        replace(entries[1], home=entries[0].home),
    )
    return entries


# --- Each rule on a card -----------------------------------------------------------------


def test_the_board_order_is_noted_with_the_figures_of_the_day(scene):
    rule(scene, board_order_tolerance=5)
    scene.record(boards=swapped(scene))
    assert sentences(scene) == [
        "Maureen T Lovell (168) is 6 above Ronald J McVale (162) on board 1; the league allows 5."
    ]
    rule(scene, board_order_tolerance=6)
    scene.record(boards=swapped(scene)[:5] + [replace(swapped(scene)[5], result=0)])
    assert broken() == []


def test_a_board_marked_as_an_exception_may_stand_out_of_order(scene):
    rule(scene, board_order_tolerance=0)
    entries = swapped(scene)
    entries[1] = replace(entries[1], home_exception="substitute")
    scene.record(boards=entries)
    assert broken() == []
    assert Board.objects.get(match=scene.match, number=2).home_exception == "substitute"


def test_a_rule_may_refuse_the_card(scene):
    rule(scene, board_order_tolerance=0, order_is_strict=True)
    with pytest.raises(CardRefused) as refused:
        scene.record(boards=swapped(scene), by=scene.captain)
    (problem,) = refused.value.problems[2]
    assert str(problem) == (
        "Against the rule: board order. Maureen T Lovell (168) is 6 above Ronald J McVale (162) on"
        " board 1; the league allows 0."
    )
    assert (broken(), Board.objects.filter(match=scene.match).count()) == ([], 0)


def test_live_elo_may_be_the_list(scene):
    rule(scene, board_order_tolerance=0, order_list="elo")
    scene.record(boards=swapped(scene))
    assert broken() == [("Ashdown A", "board_order", 2)]


def outside_list(published_on, variant, values, publisher="ECF"):
    found = factories.GradeListFactory(
        publisher=publisher,
        variant=variant,
        system="elo",
        state="imported",
        published_on=published_on,
        cutoff=published_on,
        rules="",
    )
    for player, value in values.items():
        found.grades.create(player=player, published=value, grade=value)


@pytest.mark.parametrize(
    ("which", "issue", "limit", "over"),
    [
        ("ecf", "newest", 1800, True),
        ("ecf", "newest", 1801, False),
        ("ecf_revised", "newest", 1799, True),
        ("ecf_revised", "newest", 1850, False),
        ("ecf", "season", 1699, True),
        ("ecf", "season", 1700, False),
        ("fide", "newest", 1, False),
    ],
)
def test_a_federations_list_by_its_publication_date(scene, which, issue, limit, over):
    player = scene.home[0]
    season = scene.match.division.season
    outside_list(season.starts_on, "original", {player: 1700})
    outside_list(TODAY, "original", {player: 1801})
    outside_list(TODAY, "revised", {player: 1800})
    outside_list(TODAY + datetime.timedelta(days=1), "original", {player: 9999})
    rule(scene, player_limit=limit, limits_list=which, limits_issue=issue)
    scene.record()
    assert (("Ashdown A", "player_limit", 1) in broken()) == over


def test_team_limits(scene):
    rule(scene, team_total_limit=927, limits_issue="newest")
    scene.record()
    assert sentences(scene) == [
        "Ashdown A come to 928 together; the league allows 927.",
        "Hartfield A come to 934 together; the league allows 927.",
    ]
    rule(scene, team_total_limit=None, team_average_limit=155)
    scene.record("=1=011")
    assert sentences(scene) == [
        "Hartfield A come to 934 with 6 players; the league allows 155 on average."
    ]


def test_registration_on_the_day_of_the_match(scene):
    rule(scene, registration_required=True)
    for player in scene.home[:6]:
        factories.RegistrationFactory(
            season=scene.match.division.season,
            club=scene.match.home.club,
            player=player,
            starts_on=TODAY,
        )
    for player in scene.away[:6]:
        factories.RegistrationFactory(
            season=scene.match.division.season,
            club=scene.match.away.club,
            player=player,
            starts_on=TODAY if player != scene.away[3] else TODAY + datetime.timedelta(days=1),
        )
    scene.record()
    assert sentences(scene) == ["John Tolbert Sr is not registered for the club on this day."]


def test_games_for_a_higher_team_tie_a_player_to_it(scene):
    below = make_scene(name="below", played_before=False)
    lower = below.match.division
    lower.season = scene.match.division.season
    lower.rank = 2
    lower.slug = "division-2"
    lower.save()
    below.match.home.club = scene.match.home.club
    below.match.home.save()
    entries = below.entries()
    entries[0] = replace(entries[0], home=scene.home[0].pk)
    Division.objects.filter(pk=lower.pk).update(tied_after=2)
    below.record(boards=entries)
    assert broken() == []
    scene.record()
    below.record(boards=[*entries[:5], replace(entries[5], result=0)])
    assert sentences(scene) == [
        "Maureen T Lovell has played 2 games for higher teams; the league ties a player to them"
        " from 2 on."
    ]


def test_members_only_after_some_games(scene):
    rule(scene, members_only_after=1)
    for player in (*scene.home, *scene.away):
        if player != scene.home[2]:
            player.membership_number = f"M{player.pk}"
            player.save()
    scene.record()
    assert sentences(scene) == [
        "Zoë de la Marre plays game 2 of the season and is no member of the federation;"
        " the league allows 1."
    ]


def test_nominated_players_of_a_higher_team(scene):
    rule(scene, nominated_stay_up=True)
    higher = factories.DivisionFactory(season=scene.match.division.season, rank=0)
    team = factories.TeamFactory(division=higher, club=scene.match.home.club, name="Ashdown First")
    for player, of in ((scene.home[0], team), (scene.home[1], scene.match.home)):
        factories.RegistrationFactory(
            season=scene.match.division.season,
            club=scene.match.home.club,
            player=player,
            team=of,
            nominated_rank=1,
        )
    scene.record()
    assert sentences(scene) == ["Maureen T Lovell is nominated for a higher team."]


def test_a_line_up_without_results_is_not_noted(scene):
    rule(scene, board_order_tolerance=0)
    entries = [replace(entry, result=None) for entry in swapped(scene)]
    scene.record(boards=entries)
    assert broken() == []


# --- The officer decides -----------------------------------------------------------------


@pytest.fixture
def noted(scene):
    rule(scene, board_order_tolerance=0)
    scene.record(boards=swapped(scene))
    return scene, Violation.objects.get()


def decide(client, scene, row, **typed):
    client.force_login(scene.officer)
    return client.post(reverse("violation_decide", args=[row.pk]), typed, follow=True)


def test_one_click_lets_it_pass_for_good(client, noted):
    scene, row = noted
    decide(client, scene, row, step="pass", note="a slip")
    row.refresh_from_db()
    assert (row.decision, row.note, row.decided_by) == ("accepted", "a slip", scene.officer)
    scene.record(boards=[*swapped(scene)[:5], replace(swapped(scene)[5], result=0)])
    assert list(Violation.objects.values_list("decision", flat=True)) == ["accepted"]
    again = decide(client, scene, row, step="penalty", match_points="1", note="x")
    assert "It was decided already." in again.content.decode()
    assert Adjustment.objects.count() == 0


def test_points_off_stand_under_the_table_with_the_reason(client, noted):
    scene, row = noted
    decide(
        client, scene, row, step="penalty", match_points="½", game_points="", note="out of order"
    )
    adjustment = Adjustment.objects.get()
    assert (adjustment.team, adjustment.match_points, adjustment.game_points) == (
        scene.match.home,
        -1,
        0,
    )
    row.refresh_from_db()
    assert (row.decision, row.adjustment) == ("penalty", adjustment)
    table = client.get(scene.match.division.get_absolute_url()).content.decode()
    assert "out of order" in table


def test_an_awarded_board_stays_rated_as_played(client, noted):
    scene, row = noted
    rated = list(RatedGame.objects.order_by("pk").values_list("pk", "white_halves"))
    decide(client, scene, row, step="award", note="out of order")
    board = Board.objects.get(match=scene.match, number=2)
    assert (board.result, board.award, board.home_halves, board.away_halves) == (2, "given", 0, 2)
    assert board.award_reason == "out of order"
    assert list(RatedGame.objects.order_by("pk").values_list("pk", "white_halves")) == rated


def test_a_board_is_awarded_though_the_rule_refuses_cards_by_now(client, noted):
    scene, row = noted
    rule(scene, order_is_strict=True)
    decide(client, scene, row, step="award", note="out of order")
    row.refresh_from_db()
    assert (row.decision, Board.objects.get(match=scene.match, number=2).award) == (
        "award",
        "given",
    )


def test_a_board_is_awarded_though_the_rule_no_longer_holds(client, noted):
    scene, row = noted
    rule(scene, board_order_tolerance=100)
    decide(client, scene, row, step="award", note="out of order")
    row.refresh_from_db()
    assert (row.decision, Board.objects.get(match=scene.match, number=2).award) == (
        "award",
        "given",
    )


def test_no_board_of_a_void_match_is_awarded(client, noted):
    scene, row = noted
    Match.objects.filter(pk=scene.match.pk).update(state="void", decision="A fire.")
    answer = decide(client, scene, row, step="award", note="out of order")
    assert "The match is void. A fire." in answer.content.decode()
    row.refresh_from_db()
    assert (row.decision, Board.objects.get(match=scene.match, number=2).award) == ("", None)


def test_a_violation_that_a_card_took_away_meanwhile_is_not_decided(noted):
    scene, row = noted
    scene.record()
    for decision in (violations.let_pass, violations.award):
        with pytest.raises(DecisionRefused, match="keeps the rule now"):
            decision(violation=row.pk, note="x", by=scene.officer, at=AT)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"step": "penalty", "match_points": "0", "note": "x"}, "puts points on or takes some off"),
        ({"step": "penalty", "match_points": "1", "note": " "}, "needs its reason"),
        ({"step": "penalty", "match_points": "two", "note": "x"}, "Points are whole or half"),
        ({"step": "award", "note": ""}, "An award needs its reason"),
    ],
)
def test_what_a_decision_is_refused_for(client, noted, typed, sentence):
    scene, row = noted
    assert sentence in decide(client, scene, row, **typed).content.decode()
    row.refresh_from_db()
    assert (row.decision, Adjustment.objects.count()) == ("", 0)


def test_a_teams_total_awards_no_board(scene):
    rule(scene, team_total_limit=1, limits_issue="newest")
    scene.record()
    row = Violation.objects.filter(team=scene.match.home).get()
    with pytest.raises(DecisionRefused, match="no game on that board"):
        violations.award(violation=row.pk, note="x", by=scene.officer, at=AT)


def test_the_page_lists_the_undecided_first(client, noted):
    scene, row = noted
    client.force_login(scene.officer)
    season = scene.match.division.season
    address = reverse("season_violations", args=[season.league.slug, season.slug])
    html = client.get(address).content.decode()
    assert "Maureen T Lovell (168) is 6 above Ronald J McVale (162) on board 1" in html
    assert (
        "1 to decide"
        in client.get(
            reverse("season_office", args=[season.league.slug, season.slug])
        ).content.decode()
    )
    decide(client, scene, row, step="pass")
    html = client.get(address).content.decode()
    assert "Let pass" in html and 'name="step"' not in html


def test_a_decision_has_its_moment(noted):
    _scene, row = noted
    check = pytest.raises(IntegrityError, match="games_violation_decided_at_some_time")
    with check, transaction.atomic():
        Violation.objects.filter(pk=row.pk).update(decision="accepted")


def test_the_card_warns_before_it_is_saved(client, scene):
    rule(scene, registration_required=True, team_total_limit=900, eligibility_is_strict=True)
    client.force_login(scene.captain)
    html = client.get(scene.url).content.decode()
    assert "Check the team’s total." in html
    assert "Ronald J McVale is not registered for the club on this day. A card so is refused." in (
        " ".join(html.replace("</b>", "").split())
    )
    answer = client.post(scene.url, scene.form("=1=01="))
    assert "Against the rule: registration." in answer.content.decode()
    assert Board.objects.filter(match=scene.match).count() == 0


def test_games_for_his_own_team_tie_nobody(scene):
    rule(scene, tied_after=1)
    play_before(scene.match.home, scene.home[:6], LAST_TIME)
    scene.record()
    assert broken() == []
