"""What the tests of submissions share: an event's name, sending as one who has looked, findings."""

import datetime

from django.urls import reverse

from games.models import Submission, SubmittedEvent
from games.submission import submissions
from games.submission.submission_contents import TimeControl
from tests.html import Page

AT = datetime.datetime(2026, 11, 26, 12, tzinfo=datetime.UTC)
EVENT = {
    "code": "ZZ26WDL",
    "name": "Weald & Downs Chess League 2026-27",
    "results_officer": "A N Example",
    "results_officer_address": "results@league.example",
    "treasurer": "B Sample",
    "treasurer_address": "1 Sample Street\nExampletown",
}
STANDARD = TimeControl(75, 10)


def send(event) -> Submission:
    """Send the next file as somebody who has looked at it."""
    event = SubmittedEvent.objects.get(pk=event.pk)
    return submissions.send(event=event.pk, seen=submissions.prepare(event).digest, by=None, at=AT)


def findings(event) -> dict[str, list[tuple[str, str, bool]]]:
    """What the dry run says, by kind: about whom, in which words, and whether it blocks."""
    draft = submissions.prepare(SubmittedEvent.objects.get(pk=event.pk))
    return {
        group.kind.value: [(one.about, one.words, one.blocking) for one in group.findings]
        for group in draft.groups
    }


def shown(response) -> str:
    return Page(response).text


def address(name, match, *more):
    season = match.division.season
    return reverse(name, args=[season.league.slug, season.slug, *more])
