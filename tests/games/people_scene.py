"""Members of clubs and the games they play, for the pages of clubs, teams and players."""

import csv
import io
from datetime import UTC, date, datetime, timedelta

from games.match_cards.cards import record_card
from ratings import rebuilding
from tests.factories import (
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    RatedGameFactory,
)

AT = datetime(2026, 11, 24, 23, 14, tzinfo=UTC)


def rows_of(client, address):
    return client.get(address).json()["rows"]


def csv_rows(client, address):
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


def member(club, surname, rating=None, **facts):
    person = PlayerFactory(surname=surname, **facts)
    MembershipFactory(club=club, player=person)
    if rating:
        OpeningRatingFactory(player=person, value=rating)
    return person


def enter(match, *boards):
    record_card(match=match.pk, boards=boards, version=match.version, by=None, at=AT)
    match.refresh_from_db()


def play(player, others, event=None):
    """A draw of `player` with each of the others, a day apart, with White every other day."""
    event = event or RatedEventFactory(name="Kingsmead Congress")
    for number, other in enumerate(others):
        white, black = (player, other) if number % 2 else (other, player)
        RatedGameFactory(
            event=event,
            white=white,
            black=black,
            white_halves=1,
            played_on=date(2026, 1, 1) + timedelta(days=number),
        )
    rebuilding.rebuild(event.pool_id)
