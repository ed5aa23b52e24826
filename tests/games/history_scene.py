"""A card saved again and again, and what its history tells of it."""

import datetime

from games.match_cards.card_entries import BoardEntry
from games.match_cards.cards import record_card
from games.models import Match
from tests.factories import ClubRoleFactory
from tests.games.card_scene import AT

DAY = datetime.timedelta(days=1)


def save(scene, results, by=None, why=""):
    """The card of the scene with these results, as `by` saves it."""
    match = Match.objects.get(pk=scene.match.pk)
    return record_card(
        match=match.pk,
        boards=boards(scene, results),
        version=match.version,
        by=by,
        at=AT,
        why=why,
    )


def boards(scene, results) -> list[BoardEntry]:
    return [
        BoardEntry(number, home.pk, away.pk, "white" if number % 2 == 0 else "black", result)
        for number, (home, away, result) in enumerate(
            zip(scene.home, scene.away, results, strict=False), 1
        )
    ]


def said(told) -> list[tuple[str, list[str], str]]:
    """Who, what and why of each deed, the newest first."""
    return [(each.who, each.lines, each.why) for each in told]


def card(match) -> Match:
    return Match.objects.for_card().get(pk=match.pk)


def secretary_of(club):
    return ClubRoleFactory(club=club, user__name="Ann Example").user
