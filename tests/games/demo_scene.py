"""Making the demo in tests, and saying all that it holds in words that no key changes."""

import datetime
import io

from django.core.management import call_command

from games.models import Board, Division
from ratings.models import EloRating, Grade, GradeList

TODAY = "2026-11-26"


def make(*options):
    out = io.StringIO()
    call_command("make_demo", *options, stdout=out)
    return out.getvalue().splitlines()


def lists():
    """The grade lists: pool, cutoff, state, the day it came out."""
    return [
        (made.pool_id, made.cutoff, made.state, made.published_at)
        for made in GradeList.objects.order_by("cutoff", "-pool")
    ]


def everything():
    """Each board, rating and grade of the demo, by names and codes."""
    people = ("sort_name", "ecf_code")
    boards = Board.objects.order_by(
        "match__division__rated_event__source", "match__round", "match__number", "number"
    )
    return {
        "divisions": [*Division.objects.order_by("pk").values_list("rated_event__source", "name")],
        "boards": [
            *boards.values_list(
                *("match__division__rated_event__source", "match__home__name"),
                *("match__away__name", "match__played_on", "match__entered_at", "number"),
                *(f"{side}_player__{part}" for side in ("home", "away") for part in people),
                *("home_colour", "result", "award"),
            )
        ],
        "ratings": sorted(
            EloRating.objects.values_list(
                *(f"player__{part}" for part in people), "pool", "rating", "games", "marks"
            ),
            key=str,
        ),
        "grades": sorted(
            Grade.objects.values_list(
                *("grade_list__pool", "grade_list__cutoff", "grade_list__published_at"),
                *(f"player__{part}" for part in people),
                *("numerator", "divisor", "published", "category", "starting_grade"),
            ),
            key=str,
        ),
    }


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)
