"""Teams of a division, matches with a score alone, and the division's pages."""

from django.urls import reverse

from tests.factories import MatchFactory, TeamFactory

PAGES = [
    "division_detail",
    "division_results",
    "division_fixtures",
    "division_crosstable",
    "division_players",
]


def team(division, name):
    return TeamFactory(division=division, name=name)


def played(home, away, home_points, away_points, **kwargs):
    """A match with a stated score in points."""
    return MatchFactory(
        division=home.division,
        home=home,
        away=away,
        stated_home=int(2 * home_points),
        stated_away=int(2 * away_points),
        **kwargs,
    )


def get(client, name, division, *args):
    return client.get(reverse(name, args=[division.pk, *args]))


def address(team):
    return reverse("team_detail", args=[team.pk])
