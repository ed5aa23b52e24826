"""Histories in words: every kind of change, and who made it in which role."""

import datetime

import pghistory
import pytest
from django.db import transaction
from django.urls import reverse

from clubs.changes import Change
from clubs.models import Club, Membership, Player
from games.division_tables import adjustments, teams
from games.history.histories import of_club, of_list, of_match, of_player, of_season
from games.history.row_names import Names
from games.history.row_words import change_words
from games.matches.match_decisions import postpone
from games.models import Board, Match, Team, TeamEvent, Violation
from games.registry.people import merge_players
from games.result_files.result_matching import history_of_import
from games.season_office import registrations
from ratings.models import GradeList
from tests.factories import (
    AdjustmentFactory,
    ClubRoleFactory,
    GradeListFactory,
    LeagueRoleFactory,
    MembershipFactory,
    PlayerFactory,
    TeamRoleFactory,
    UserFactory,
    ViolationFactory,
)
from tests.games.card_scene import AT, TODAY, make_scene
from tests.games.history_scene import DAY, card, said, save, secretary_of

# Each deed is a transaction of its own, as it is outside the tests: its time tells it apart.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scene():
    return make_scene(boards=2)


def names(scene) -> list[str]:
    return [str(player) for player in (*scene.home[:2], *scene.away[:2])]


def test_a_correction_is_told_as_people_say_it(scene):
    club = scene.match.home.club
    by = secretary_of(club)
    rival = TeamRoleFactory(team=scene.match.away, user__name="Bo Example").user
    save(scene, [1, 2], by=rival)
    save(scene, [2, 2], by=by, why="after a dispute")
    newest, first, *_older = of_match(card(scene.match), scene.officer)
    home, second, away, other = names(scene)
    assert (newest.who, newest.lines, newest.why) == (
        f"the {club} secretary (Ann Example)",
        ["board 1 corrected from ½–½ to 1–0"],
        "after a dispute",
    )
    assert (first.who, first.lines) == (
        f"the captain of {scene.match.away} (Bo Example)",
        [
            f"board 1 entered: {home} – {away}, ½–½",
            f"board 2 entered: {second} – {other}, 1–0",
        ],
    )


def test_a_role_that_was_withdrawn_since_is_still_the_one_he_had(scene):
    role = TeamRoleFactory(team=scene.match.home, user__name="Cy Example")
    save(scene, [1, 2], by=role.user)
    role.delete()
    assert (
        of_match(card(scene.match), scene.officer)[0].who
        == f"the captain of {scene.match.home} (Cy Example)"
    )


def test_every_way_to_write_a_board_is_told(scene):
    save(scene, [1, 2])
    match, user = scene.match, UserFactory(name="Di Example")
    board = match.boards.get(number=1)
    with pghistory.context(user=user.pk):
        board.result = 0
        Board.objects.bulk_update([board], ["result"])
    with pghistory.context(user=user.pk, url="/admin/games/board/1/change/"):
        Board.objects.filter(pk=board.pk).update(result=2)
    with history_of_import(by=user, source="results.csv"):
        Board.objects.filter(pk=board.pk).update(result=1)
    with pghistory.context(user=user.pk):
        Board.objects.filter(pk=board.pk).delete()
    home, _, away, _ = names(scene)
    assert said(of_match(card(match), scene.officer))[:4] == [
        ("Di Example", [f"board 1 removed: {home} – {away}, ½–½"], ""),
        ("an import of results.csv by Di Example", ["board 1 corrected from 1–0 to ½–½"], ""),
        ("Di Example in the admin", ["board 1 corrected from 0–1 to 1–0"], ""),
        ("Di Example", ["board 1 corrected from ½–½ to 0–1"], ""),
    ]


def test_an_edit_on_a_page_of_the_admin_is_told(client, scene):
    chief = UserFactory(is_staff=True, is_superuser=True, name="Ed Example")
    client.force_login(chief)
    adjustment = AdjustmentFactory(team=scene.match.home)
    url = reverse("admin:games_adjustment_change", args=[adjustment.pk])
    form = {"match_points": -4, "game_points": 0, "reason": "twice", "decided_on": "2026-10-07"}
    assert client.post(url, form).status_code == 302
    newest = of_season(scene.match.division.season)[0]
    assert newest.who == "Ed Example in the admin"
    assert newest.lines == [
        f"Points of {scene.match.home}: −2 match points, twice: {what}"
        for what in (
            "match points, in halves changed from −1 to −2",
            "reason changed from an ineligible player on board 4 to twice",
            "decided on changed from 6 October 2026 to 7 October 2026",
        )
    ]


def test_players_and_colours_and_the_match_itself_are_told(scene):
    save(scene, [1, 2])
    match, officer = scene.match, LeagueRoleFactory(league=scene.match.division.season.league).user
    third, first = scene.home[2], scene.home[0]
    with transaction.atomic(), pghistory.context(user=officer.pk):
        Board.objects.filter(match=match, number=1).update(
            home_player=third, home_colour="white", played_on=TODAY
        )
        Match.objects.filter(pk=match.pk).update(round_label="Final", version=9)
    newest = of_match(card(match), scene.officer)[0]
    day = f"{TODAY.day} {TODAY:%B %Y}"
    assert newest.lines == [
        "the match: name of the round set to Final",
        f"board 1, home player changed from {first} to {third}",
        "board 1, colour of the home side changed from Black to White",
        f"board 1, own date set to {day}",
    ]
    assert newest.who == f"the officer of {match.division.season.league} ({officer})"


def test_a_postponement_and_a_violation_are_told(scene):
    officer = UserFactory(name="Flo Example")
    day = scene.match.played_on + DAY
    postpone(match=scene.match.pk, day=day, by=officer, at=AT, why="snow")
    with pghistory.context(user=officer.pk):
        row = ViolationFactory(match=scene.match, team=scene.match.home)
    with pghistory.context(user=officer.pk):
        Violation.objects.filter(pk=row.pk).update(
            decision="accepted", note="a slip", decided_at=AT
        )
    told = said(of_match(card(scene.match), scene.officer))
    rule = f"Against a rule: registration, {scene.match.home}, board 1"
    assert told[1:3] == [
        ("Flo Example", [f"{rule}: entered"], ""),
        (
            "Flo Example",
            [
                "the match: date changed from "
                f"{scene.match.played_on.day} {scene.match.played_on:%B %Y}"
                f" to {day.day} {day:%B %Y}"
            ],
            "snow",
        ),
    ]
    assert told[0][1][:2] == [f"{rule}: decision set to let pass", f"{rule}: note set to a slip"]


def test_a_person_s_history_tells_facts_clubs_and_merges_but_no_birth_date():
    by = UserFactory(name="Gil Example", is_grading_officer=True)
    club = MembershipFactory().club
    with pghistory.context(user=by.pk):
        player = PlayerFactory(surname="Rook", forenames="Ada")
    with pghistory.context(user=by.pk):
        member = MembershipFactory(club=club, player=player)
    with pghistory.context(user=by.pk):
        Membership.objects.filter(pk=member.pk).update(ends_on=TODAY)
    with pghistory.context(user=by.pk):
        Player.objects.filter(pk=player.pk).update(
            birth_date=datetime.date(1990, 5, 17), title="FM"
        )
    twin = PlayerFactory(surname="Rook", forenames="A")
    merge_players(keep=player.pk, drop=twin.pk, by=by, at=AT)
    told = said(of_player(player))
    day = f"{TODAY.day} {TODAY:%B %Y}"
    assert told == [
        ("Gil Example", ["A Rook merged into Ada Rook"], "merged with A Rook"),
        ("Gil Example", ["Ada Rook: title set to FM", "Ada Rook: date of birth changed"], ""),
        ("Gil Example", [f"Membership of Ada Rook at {club}: to set to {day}"], ""),
        ("Gil Example", [f"Membership of Ada Rook at {club}: entered"], ""),
        ("Gil Example", ["Ada Rook: entered"], ""),
    ]


def test_a_season_tells_who_withdrew_a_team_and_how_a_play_off_ended(scene):
    season, team = scene.match.division.season, scene.match.home
    other = scene.match.away
    officer = LeagueRoleFactory(league=season.league, user__name="Hal Example").user
    with pghistory.context(user=officer.pk):
        teams.withdraw_team(team=team.pk, withdrawn_on=TODAY, at=AT)
        teams.reinstate_team(team=team.pk, at=AT)
        for order in ([other.pk, team.pk], []):
            teams.decide_play_off(division=team.division_id, teams=order, played_on=TODAY, at=AT)
    who = f"the officer of {season.league} (Hal Example)"
    day = "24 November 2026"
    told = [each for each in said(of_season(season)) if each[0] == who]
    assert [(who, sorted(lines), why) for who, lines, why in told] == [
        (who, sorted(f"Play-off of {each} taken back" for each in (team, other)), ""),
        (
            who,
            sorted(
                [
                    f"{other} number 1 of the play-off on {day}",
                    f"{team} number 2 of the play-off on {day}",
                ]
            ),
            "",
        ),
        (who, [f"{team} plays on after all"], ""),
        (who, [f"{team} withdrawn on {day}"], ""),
    ]


def test_another_day_of_a_withdrawal_or_a_play_off_is_told(scene):
    season, team = scene.match.division.season, scene.match.home
    teams.withdraw_team(team=team.pk, withdrawn_on=TODAY, at=AT)
    order = [scene.match.away.pk, team.pk]
    teams.decide_play_off(division=team.division_id, teams=order, played_on=TODAY, at=AT)
    Team.objects.filter(pk=team.pk).update(withdrawn_on=TODAY + DAY)
    Team.objects.filter(pk=team.pk).update(play_off_on=TODAY + 2 * DAY)
    moved = "changed from 24 November 2026 to"
    assert [lines for _who, lines, _why in said(of_season(season))][:2] == [
        [f"{team}: day of the play-off {moved} 26 November 2026"],
        [f"{team}: withdrawn on {moved} 25 November 2026"],
    ]


def test_what_a_team_was_before_its_history_began_is_not_known_and_what_it_is_told(scene):
    team = scene.match.home
    teams.withdraw_team(team=team.pk, withdrawn_on=TODAY, at=AT)
    event = TeamEvent.objects.filter(pgh_obj=team.pk).latest("pgh_id")
    change = Change(Team, team.pk, before=None, after=event, is_new=False)
    assert change_words(change, Names([])) == [f"{team} withdrawn on 24 November 2026"]
    event.state, event.withdrawn_on = "active", None
    assert change_words(change, Names([])) == [f"{team} changed"]


def test_a_season_tells_points_registrations_and_roles(scene):
    season, team = scene.match.division.season, scene.match.home
    officer = UserFactory(name="Hal Example")
    with pghistory.context(user=officer.pk):
        role = LeagueRoleFactory(league=season.league, user=officer)
    row = adjustments.add_adjustment(
        team=team.pk,
        match_points=-2,
        game_points=0,
        reason="late",
        decided_on=TODAY,
        by=officer,
        at=AT,
    )
    adjustments.remove_adjustment(adjustment=row.pk, by=officer, at=AT)
    player = PlayerFactory(surname="Rook", forenames="Ada")
    registrations.register(
        season=season.pk, club=team.club, players=[player.pk], as_officer=True, by=officer, at=AT
    )
    with pghistory.context(user=officer.pk):
        captain = TeamRoleFactory(team=team, user__name="Ida Example")
    with pghistory.context(user=officer.pk):
        captain.delete()
    who = f"the officer of {season.league} (Hal Example)"
    points = f"Points of {team}: −1 match points, late"
    found = {(who_, line, why) for who_, lines, why in said(of_season(season)) for line in lines}
    assert {
        (who, f"{points}: entered", ""),
        (who, f"{points}: removed", ""),
        (who, f"Registration of Ada Rook for {team.club}, {season}: entered", ""),
        (who, f"Ida Example as captain of {team}: entered", ""),
        (who, f"Ida Example as captain of {team}: removed", ""),
        (who, f"{role.user} as officer of {season.league}: entered", ""),
    } <= found


def test_a_club_and_a_list_have_their_histories():
    by = UserFactory(name="Jo Example")
    with pghistory.context(user=by.pk):
        club = Club.objects.create(name="Ashdown", slug="ashdown")
    with pghistory.context(user=by.pk):
        Club.objects.filter(pk=club.pk).update(venue="The King’s Head")
    with pghistory.context(user=by.pk):
        ClubRoleFactory(club=club, user=by)
    assert said(of_club(club)) == [
        ("the Ashdown secretary (Jo Example)", ["Jo Example as secretary of Ashdown: entered"], ""),
        ("Jo Example", ["Ashdown: venue set to The King’s Head"], ""),
        ("Jo Example", ["Ashdown: entered"], ""),
    ]
    cutoff = datetime.date(2026, 7, 1)
    with pghistory.context(user=by.pk):
        row = GradeListFactory(cutoff=cutoff)
    with pghistory.context(user=by.pk, why="board 3 was entered wrong"):
        GradeList.objects.filter(pk=row.pk).update(state="published", published_at=AT)
    newest, first = said(of_list("standard", cutoff))
    assert newest[1][0] == (
        "Grade list of 1 July 2026: state changed from provisional to published"
    )
    assert (newest[0], newest[2]) == ("Jo Example", "board 3 was entered wrong")
    assert first == ("Jo Example", ["Grade list of 1 July 2026: entered"], "")


def test_a_history_takes_the_same_queries_however_long(
    client, scene, django_assert_max_num_queries
):
    by = secretary_of(scene.match.home.club)
    client.force_login(by)
    url = reverse("match_history", args=[scene.match.pk])

    def queries() -> int:
        with django_assert_max_num_queries(40) as counted:
            assert client.get(url).status_code == 200
        return len(counted)

    save(scene, [1, 2], by=by)
    before = queries()
    for results in ([0, 0], [1, 1], [2, 2], [0, 1]):
        save(scene, results, by=UserFactory())
    assert queries() == before
