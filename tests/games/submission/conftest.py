"""What the tests of files to and from the rating officer share."""

import pytest
from django.core.management import CommandError, call_command

from tests.factories import (
    BoardFactory,
    ClubFactory,
    LeagueRoleFactory,
    MatchFactory,
    MembershipFactory,
    PlayerFactory,
    SubmittedEventFactory,
)
from tests.games.submission_scene import address


@pytest.fixture
def run(tmp_path, capsys):
    """Run the command on a text; returns its lines, and what it refused."""

    def command(text, *options, name="YY26LGE03.txt"):
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        try:
            call_command("import_ecf_file", str(file), *options)
            error = ""
        except CommandError as refused:
            error = str(refused)
        out, err = capsys.readouterr()
        return out.splitlines(), [*err.splitlines(), *([error] if error else [])]

    return command


@pytest.fixture
def people():
    """Three of the four people of the file by their codes, and the club of the fourth."""
    ClubFactory(name="Sampletown", slug="sampletown")
    return [
        PlayerFactory(surname="Applewood", forenames="Brenda T", ecf_code="900101D"),
        PlayerFactory(surname="O’Quill", forenames="Sheila", ecf_code="900102F"),
        PlayerFactory(surname="McStone", forenames="Duncan J", ecf_code="900103H"),
    ]


@pytest.fixture
def league():
    """Two boards of one match, an officer, and the event by its name."""
    match = MatchFactory(board_count=2)
    for side in (match.home, match.away):
        MembershipFactory.create_batch(2, club=side.club)
    people = [
        [row.player for row in side.club.memberships.order_by("pk")]
        for side in (match.home, match.away)
    ]
    for number in (1, 2):
        BoardFactory(
            match=match,
            number=number,
            home_player=people[0][number - 1],
            away_player=people[1][number - 1],
            result=2,
            home_colour=("white", "unknown")[number - 1],
        )
    match.officer = LeagueRoleFactory(league=match.division.season.league).user
    match.event = SubmittedEventFactory(season=match.division.season)
    return match


@pytest.fixture
def page(client, league):
    """The client of the officer, and the address of the dry run."""
    client.force_login(league.officer)
    client.address = address("season_submission", league, 75, 10)
    return client
