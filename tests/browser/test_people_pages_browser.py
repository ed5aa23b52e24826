"""What a browser shows of people's pages: nothing spills, axe finds nothing."""

import datetime

import pytest

from ratings import rebuilding
from tests.browser.looking import faults_at
from tests.factories import (
    ClubFactory,
    MatchFactory,
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    RatedGameFactory,
    TeamFactory,
    pool,
)

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "Wolfeschlegelsteinhausenbergerdorff"


@pytest.fixture
def addresses():
    """A club with long names, a player with sixty games at two rates of play, a team to play."""
    club = ClubFactory(
        name="Netherby & District Working Men’s Institute",
        slug="netherby",
        venue="The Village Hall\n12 High Street",
        club_night=1,
        contact_phone="01234 567890",
    )
    player = PlayerFactory(surname=LONG, forenames="Beatrice Anne", ecf_code="178853L")
    MembershipFactory(club=club, player=player)
    OpeningRatingFactory(player=player, system="grade", value=143)
    congress = RatedEventFactory(name="Bexhill and Hastings Midsummer Congress, Open")
    rapid = RatedEventFactory(name="Rapidplay", pool=pool("rapid"))
    for number in range(60):
        RatedGameFactory(
            event=congress if number < 55 else rapid,
            white=player,
            black=PlayerFactory(surname=f"Ogilvy-Carr{number}"),
            white_halves=number % 3,
            played_on=datetime.date(2026, 1, 1) + datetime.timedelta(days=number),
        )
    rebuilding.rebuild("standard")
    rebuilding.rebuild("rapid")
    team = TeamFactory(club=club, captain_email="captain@example.org")
    MatchFactory(division=team.division, home=team)
    return [
        *("/clubs/", "/clubs/?q=zzz", "/clubs/netherby/", f"/teams/{team.pk}/"),
        *(f"/players/{player.pk}/", f"/players/{player.pk}/?page=2"),
        *("/ratings/", "/ratings/?sort=club&page=2", "/ratings/?q=zzz", "/ratings/?q=%00"),
        *("/search/", "/search/?q=zzz", "/search/?q=ogilvy", "/search/?q=e"),
    ]


def test_pages_of_people_are_whole_and_accessible(browse, addresses):
    assert browse(lambda page: faults_at(page, addresses)) == {}
