"""Teams withdraw, come back, and win play-offs; the division's rule says what it means."""

import datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from games.division_tables.league_tables import table_of
from games.division_tables.teams import TeamRefused, decide_play_off, reinstate_team, withdraw_team
from games.models import Division, Match, Team, TieBreak, WithdrawnTeams
from tests.factories import DivisionFactory, MatchFactory, TeamFactory
from tests.html import Page

pytestmark = pytest.mark.django_db

AT = datetime.datetime(2026, 12, 1, 20, 0, tzinfo=datetime.UTC)
DAY = datetime.date(2026, 11, 30)


@pytest.fixture
def division():
    return DivisionFactory()


@pytest.fixture
def teams(division):
    """Ash beat Birch and Cedar; Birch and Cedar, and the return matches, are to come."""
    names = ("Ash A", "Birch A", "Cedar A")
    ash, birch, cedar = (TeamFactory(division=division, name=name) for name in names)
    MatchFactory(division=division, home=ash, away=birch, stated_home=8, stated_away=4)
    MatchFactory(division=division, home=ash, away=cedar, stated_home=7, stated_away=5)
    MatchFactory(division=division, home=birch, away=cedar)
    MatchFactory(division=division, home=birch, away=ash)
    return ash, birch, cedar


def figures(division):
    table = table_of(Division.objects.get(pk=division.pk))
    return [
        (row.name, row.played, row.awarded, row.match_points, row.game_points) for row in table.rows
    ]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (
            WithdrawnTeams.EXPUNGE,
            [("Ash A", 1, 0, 4, 7), ("Cedar A", 1, 0, 0, 5), ("Birch A", 0, 0, 0, 0)],
        ),
        (
            WithdrawnTeams.KEEP,
            [("Ash A", 2, 0, 8, 15), ("Cedar A", 1, 0, 0, 5), ("Birch A", 1, 0, 0, 4)],
        ),
        (
            WithdrawnTeams.FORFEIT,
            [("Ash A", 2, 1, 12, 27), ("Cedar A", 1, 1, 4, 17), ("Birch A", 1, 2, 0, 4)],
        ),
    ],
)
def test_a_team_withdraws_under_each_policy_and_comes_back(division, teams, policy, expected):
    Division.objects.update(withdrawn_teams=policy)
    before = figures(division)
    withdrawn = withdraw_team(team=teams[1].pk, withdrawn_on=DAY, at=AT)
    assert (withdrawn.state, withdrawn.withdrawn_on) == ("withdrawn", DAY)
    assert figures(division) == expected
    assert Division.objects.get().version == 1
    assert table_of(Division.objects.get()).pending == []
    reinstate_team(team=teams[1].pk, at=AT)
    assert (figures(division), Division.objects.get().version) == (before, 2)


def test_no_page_waits_for_the_matches_of_a_team_that_has_gone(client, division, teams):
    ash, birch, cedar = teams
    Match.objects.filter(home=birch).update(played_on=timezone.localdate())
    to_play = f"/matches/{Match.objects.get(home=birch, away=cedar).pk}/"
    pages = ["/", cedar.get_absolute_url(), birch.get_absolute_url()]
    pages += [reverse("division_fixtures", args=[division.pk])]

    def addresses(page):
        return [address for _text, address in Page(client.get(page)).links]

    assert [to_play in addresses(page) for page in pages] == [True] * 4
    withdraw_team(team=birch.pk, withdrawn_on=DAY, at=AT)
    assert [to_play in addresses(page) for page in pages] == [False] * 4


def test_the_table_of_a_day_before_the_withdrawal_knows_nothing_of_it(division, teams):
    withdraw_team(team=teams[1].pk, withdrawn_on=DAY, at=AT)
    table = table_of(Division.objects.get(), datetime.date(2026, 11, 29))
    assert not any(row.withdrawn for row in table.rows)


def test_what_cannot_be_withdrawn(division, teams):
    with pytest.raises(TeamRefused, match="2026-12-02 is still to come"):
        withdraw_team(team=teams[0].pk, withdrawn_on=datetime.date(2026, 12, 2), at=AT)
    with pytest.raises(TeamRefused, match="Ash A has not withdrawn"):
        reinstate_team(team=teams[0].pk, at=AT)
    withdraw_team(team=teams[0].pk, withdrawn_on=DAY, at=AT)
    with pytest.raises(TeamRefused, match="Ash A has withdrawn already"):
        withdraw_team(team=teams[0].pk, withdrawn_on=DAY, at=AT)
    assert Division.objects.get().version == 1


def test_a_play_off_separates_level_teams_and_can_be_taken_back(division):
    order = [TieBreak.MATCH_POINTS, TieBreak.PLAY_OFF]
    Division.objects.update(table_order=order)
    ash, birch = (TeamFactory(division=division, name=name) for name in ("Ash A", "Birch A"))
    MatchFactory(division=division, home=ash, away=birch, stated_home=6, stated_away=6)
    assert [row.position for row in table_of(Division.objects.get()).rows] == [1, 1]
    facts = {"division": division.pk, "played_on": DAY, "at": AT}
    decide_play_off(teams=[birch.pk, ash.pk], **facts)
    table = table_of(Division.objects.get())
    assert [(row.position, row.name) for row in table.rows] == [(1, "Birch A"), (2, "Ash A")]
    assert table.notes == [("a", "Birch A are ahead of Ash A by a play-off.")]
    earlier = table_of(Division.objects.get(), datetime.date(2026, 11, 29))
    assert [row.position for row in earlier.rows] == [1, 1]
    decide_play_off(teams=[], **facts)
    assert set(Team.objects.values_list("play_off_place", "play_off_on")) == {(None, None)}
    assert Division.objects.get().version == 2


def test_a_play_off_of_one_team_or_of_strangers_is_refused(division, teams):
    stranger = TeamFactory()
    facts = {"division": division.pk, "played_on": DAY, "at": AT}
    for pks in ([teams[0].pk], [teams[0].pk, teams[0].pk], [teams[0].pk, stranger.pk]):
        with pytest.raises(TeamRefused):
            decide_play_off(teams=pks, **facts)
    late = facts | {"played_on": datetime.date(2026, 12, 2)}
    with pytest.raises(TeamRefused, match="still to come"):
        decide_play_off(teams=[teams[0].pk, teams[1].pk], **late)
    assert not Team.objects.exclude(play_off_place=None).exists()
