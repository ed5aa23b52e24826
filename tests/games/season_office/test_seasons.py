"""Seasons as the league's officer plans, publishes, closes and copies them."""

from datetime import UTC, date, datetime

import pytest

from games.fixture_lists.fixtures import add_match, add_teams
from games.models import Division, League, LeagueRole, Match, Season, Team, TeamState
from games.season_office import entries, leagues, seasons
from games.season_office.seasons import SeasonRefused
from tests.factories import (
    BoardFactory,
    ClubFactory,
    LeagueFactory,
    MatchFactory,
    RatedGameFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
AT = datetime(2026, 8, 1, 12, tzinfo=UTC)
DAYS = {"starts_on": date(2026, 7, 1), "ends_on": date(2027, 7, 1)}
NEXT = {"starts_on": date(2027, 7, 1), "ends_on": date(2028, 7, 1)}


def test_a_new_league_is_run_by_its_officer():
    officer = UserFactory()
    league = seasons.make_league(name="Weald League", officer=officer, by=officer)
    assert (league.slug, [r.user for r in LeagueRole.objects.filter(league=league)]) == (
        "weald-league",
        [officer],
    )
    with pytest.raises(SeasonRefused, match="There is a league called WEALD LEAGUE already"):
        seasons.make_league(name="WEALD LEAGUE", officer=officer, by=officer)
    assert League.objects.count() == 1


def played_season(scores: dict[str, list[tuple[str, str, int]]]) -> Season:
    """A published season; each division's matches by stated score, the home side's half-points."""
    season = seasons.open_season(league=LeagueFactory(), label="2026-27", **DAYS)
    for name, matches in scores.items():
        division = entries.add_division(
            season=season.pk, name=name, board_count=4, promoted=1, relegated=1
        )
        names = sorted({team for home, away, _halves in matches for team in (home, away)})
        teams = {
            team.name: team
            for team in add_teams(
                division=division, teams=[(name, ClubFactory(name=name)) for name in names]
            )
        }
        for home, away, halves in matches:
            add_match(
                home=teams[home],
                away=teams[away],
                played_on=date(2026, 10, 6),
                stated_home=halves,
                stated_away=8 - halves,
            )
    seasons.publish_season(season=season.pk, at=AT)
    return season


TWO_DIVISIONS = {
    "First": [("Ash", "Birch", 5), ("Birch", "Cedar", 5), ("Ash", "Cedar", 6)],
    "Second": [("Dale", "Elm", 6), ("Elm", "Fir", 5), ("Dale", "Fir", 7)],
}


def names_of(season: Season) -> dict[str, list[str]]:
    return {
        division.name: sorted(division.teams.values_list("name", flat=True))
        for division in season.divisions.all()
    }


def test_a_closed_season_keeps_the_final_positions_and_is_copied_with_promotion():
    old = played_season(TWO_DIVISIONS)
    Team.objects.filter(name="Ash").update(captain_name="Ann Ash", captain_email="a@example.org")
    Division.objects.filter(name="First").update(minutes=60, match_points_win=6)
    seasons.close_season(season=old.pk, at=AT)
    assert dict(Team.objects.values_list("name", "final_position")) == {
        **{"Ash": 1, "Birch": 2, "Cedar": 3},
        **{"Dale": 1, "Elm": 2, "Fir": 3},
    }
    new = seasons.open_season(league=old.league, label="2027-28", copy_of=old, **NEXT)
    assert names_of(new) == {"First": ["Ash", "Birch", "Dale"], "Second": ["Cedar", "Elm", "Fir"]}
    first = new.divisions.get(name="First")
    assert (first.minutes, first.match_points_win, first.board_count) == (60, 6, 4)
    assert (first.promoted, first.relegated, first.rank) == (1, 1, 1)
    assert first.rated_event.source == f"{old.league.slug}/2027-28/first"
    ash = first.teams.get(name="Ash")
    assert (ash.captain_name, ash.captain_email, ash.final_position) == (
        "Ann Ash",
        "a@example.org",
        None,
    )
    assert (new.copied_from, new.published_at, new.closed_at) == (old, None, None)


def test_a_withdrawn_team_is_neither_placed_nor_copied():
    old = played_season(TWO_DIVISIONS)
    Team.objects.filter(name="Ash").update(state=TeamState.WITHDRAWN)
    seasons.close_season(season=old.pk, at=AT)
    assert Team.objects.get(name="Ash").final_position is None
    new = seasons.open_season(league=old.league, label="2027-28", copy_of=old, **NEXT)
    assert names_of(new) == {"First": ["Birch", "Dale"], "Second": ["Cedar", "Elm", "Fir"]}


def test_a_season_with_a_card_to_come_is_not_closed():
    season = played_season(TWO_DIVISIONS)
    ash, birch = Team.objects.get(name="Ash"), Team.objects.get(name="Birch")
    add_match(home=birch, away=ash, played_on=date(2026, 11, 3))
    with pytest.raises(SeasonRefused, match="1 card is still to come"):
        seasons.close_season(season=season.pk, at=AT)
    season.refresh_from_db()
    assert season.closed_at is None


def test_publishing_numbers_the_teams_by_the_alphabet_and_their_matches_with_them():
    season = seasons.open_season(league=LeagueFactory(), label="2026-27", **DAYS)
    division = entries.add_division(season=season.pk, name="One", board_count=4)
    club = ClubFactory()
    cedar, birch, ash = (
        entries.enter_team(division=division.pk, name=name, club=club)
        for name in ("Cedar", "Birch", "Ash")
    )
    match = add_match(home=cedar, away=ash)
    other = add_match(home=ash, away=cedar)
    seasons.publish_season(season=season.pk, at=AT)
    assert list(division.teams.order_by("order_number").values_list("name", "order_number")) == [
        ("Ash", 1),
        ("Birch", 2),
        ("Cedar", 3),
    ]
    numbers = dict(Match.objects.values_list("pk", "number"))
    assert numbers == {match.pk: 3 * 50_000 + 50 + 1, other.pk: 50_000 + 3 * 50 + 1}


def test_a_season_without_teams_is_not_published_and_one_with_cards_not_hidden():
    season = seasons.open_season(league=LeagueFactory(), label="2026-27", **DAYS)
    with pytest.raises(SeasonRefused, match="without teams"):
        seasons.publish_season(season=season.pk, at=AT)
    division = entries.add_division(season=season.pk, name="One", board_count=4)
    club = ClubFactory()
    teams = [
        entries.enter_team(division=division.pk, name=name, club=club) for name in ("Ash", "Birch")
    ]
    published = seasons.publish_season(season=season.pk, at=AT)
    assert published.published_at == AT
    assert seasons.hide_season(season=season.pk).published_at is None
    seasons.publish_season(season=season.pk, at=AT)
    match = MatchFactory(division=division, home=teams[0], away=teams[1])
    BoardFactory(match=match, number=1, result=2)
    with pytest.raises(SeasonRefused, match="Cards have been entered"):
        seasons.hide_season(season=season.pk)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"label": "2025/26"}, "There is a season called 2025/26 already"),
        ({"ends_on": DAYS["starts_on"]}, "A season ends after it starts"),
        ({"starts_on": date(2026, 11, 1)}, "Ash v Birch is on 6 October 2026, outside these days"),
    ],
)
def test_what_a_change_of_a_season_is_refused_for(changes, sentence):
    season = played_season({"First": [("Ash", "Birch", 5)]})
    leagues.add_season(
        league=season.league,
        label="2025-26",
        starts_on=date(2025, 7, 1),
        ends_on=date(2026, 7, 1),
    )
    said = {
        "label": "2026-27",
        **DAYS,
        "registration_deadline": None,
        "entries_close_on": None,
        "one_club_a_player": True,
    }
    with pytest.raises(SeasonRefused, match=sentence):
        seasons.change_season(season=season.pk, **said | changes)
    season.refresh_from_db()
    assert (season.label, season.starts_on, season.ends_on) == ("2026-27", *DAYS.values())


# --- Divisions and teams -----------------------------------------------------------------


@pytest.fixture
def planned():
    season = seasons.open_season(league=LeagueFactory(), label="2026-27", **DAYS)
    return season, [
        entries.add_division(season=season.pk, name=name, board_count=6)
        for name in ("One", "Two", "Three")
    ]


def test_divisions_change_places(planned):
    season, (_one, _two, three) = planned
    entries.move_division(division=three.pk, up=True)
    assert [d.name for d in season.divisions.order_by("rank")] == ["One", "Three", "Two"]
    entries.move_division(division=three.pk, up=True)
    entries.move_division(division=three.pk, up=True)
    assert list(season.divisions.order_by("rank").values_list("name", "rank")) == [
        ("Three", 1),
        ("One", 2),
        ("Two", 3),
    ]


def test_the_boards_of_a_division_reach_only_matches_without_a_card(planned):
    _season, (one, *_) = planned
    club = ClubFactory()
    ash, birch = (
        entries.enter_team(division=one.pk, name=name, club=club) for name in ("Ash", "Birch")
    )
    to_come = add_match(home=ash, away=birch)
    entered = add_match(home=birch, away=ash)
    BoardFactory(match=entered, number=1, result=2)
    entries.change_division(division=one.pk, name="Premier", board_count=8, at=AT)
    assert dict(Match.objects.values_list("pk", "board_count")) == {to_come.pk: 8, entered.pk: 6}
    one.refresh_from_db()
    assert (one.name, one.version, one.changed_at) == ("Premier", 3, AT)
    assert one.rated_event.name.endswith("2026-27, Premier")


def test_a_time_control_may_change_its_rating_until_games_are_rated(planned):
    _season, (one, two, _three) = planned
    changed = entries.change_division(
        division=one.pk, name="One", minutes=20, increment_seconds=5, at=AT
    )
    assert changed.rated_event.pool_id == "rapid"
    RatedGameFactory(event=two.rated_event)
    with pytest.raises(SeasonRefused, match="Games have been rated as Standard"):
        entries.change_division(division=two.pk, name="Two", minutes=20, at=AT)
    two.refresh_from_db()
    assert (two.minutes, two.rated_event.pool_id) == (75, "standard")


def test_names_are_taken_once(planned):
    season, (one, two, _three) = planned
    club = ClubFactory()
    entries.enter_team(division=one.pk, name="Ash A", club=club)
    other = entries.enter_team(division=two.pk, name="Ash A", club=club)
    with pytest.raises(SeasonRefused, match="One has a team called ash a already"):
        entries.enter_team(division=one.pk, name="ash a", club=club)
    with pytest.raises(SeasonRefused, match="One has a team called Ash A already"):
        entries.move_team(team=other.pk, division=one.pk, at=AT)
    with pytest.raises(SeasonRefused, match="The season has a division called TWO already"):
        entries.change_division(division=one.pk, name="TWO", at=AT)
    with pytest.raises(SeasonRefused, match="The season has a division called two already"):
        entries.add_division(season=season.pk, name="two", board_count=4)
    assert Team.objects.count() == 2


def test_a_team_moves_until_it_has_matches(planned):
    _season, (one, two, _three) = planned
    club = ClubFactory()
    ash, birch = (
        entries.enter_team(division=one.pk, name=name, club=club) for name in ("Ash", "Birch")
    )
    moved = entries.move_team(team=ash.pk, division=two.pk, at=AT)
    assert (moved.division, moved.order_number) == (two, 1)
    entries.move_team(team=ash.pk, division=one.pk, at=AT)
    ash.refresh_from_db()
    add_match(home=ash, away=birch)
    for refused in (
        lambda: entries.move_team(team=ash.pk, division=two.pk, at=AT),
        lambda: entries.remove_team(team=birch.pk, at=AT),
    ):
        with pytest.raises(SeasonRefused, match="has matches: withdraw it instead"):
            refused()
    with pytest.raises(SeasonRefused, match="One has matches and stays"):
        entries.remove_division(division=one.pk)
    entries.remove_division(division=two.pk)
    assert list(Division.objects.values_list("name", flat=True)) == ["One", "Three"]


def test_a_team_without_matches_is_taken_out(planned):
    _season, (one, *_) = planned
    ash = entries.enter_team(
        division=one.pk, name="Ash", club=ClubFactory(), captain_name="Ann Ash"
    )
    assert Team.objects.get().captain_name == "Ann Ash"
    entries.remove_team(team=ash.pk, at=AT)
    one.refresh_from_db()
    assert (Team.objects.count(), one.version) == (0, 2)
