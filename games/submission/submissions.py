"""Sending a season's games to the rating officer: what the event is called, and each file."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Season, Submission, SubmittedEvent, SubmittedGame
from ratings.models import OutsideEvent

from .submission_checks import Group, findings_of
from .submission_contents import Contents, GameFacts, TimeControl, contents_of, controls_of, text_of

LAST_INDEX = 99
EVENT_FIELDS = (
    *("code", "name", "results_officer", "results_officer_address"),
    *("treasurer", "treasurer_address"),
)


class SubmissionRefused(Exception):
    """Nothing was sent or kept; the sentence says why."""


class FileChanged(SubmissionRefused):
    """The file is another one than the officer looked at."""


class CodeRefused(SubmissionRefused):
    """The event code cannot be this event's."""


@dataclass(slots=True)
class Changes:
    """How a file differs from the last one that was sent; of a first one all games are new.

    `others` says whether the event's words or a person's line differ.
    """

    new: list[GameFacts] = field(default_factory=list)
    changed: list[tuple[GameFacts, GameFacts]] = field(default_factory=list)
    gone: list[GameFacts] = field(default_factory=list)
    others: bool = False

    def __bool__(self):
        return bool(self.new or self.changed or self.gone or self.others)


@dataclass(slots=True)
class Draft:
    """The file as it would go out now, what to look at, and what is new in it."""

    event: SubmittedEvent
    contents: Contents
    index: int
    text: str
    groups: list[Group]
    last: Submission | None
    changes: Changes

    @property
    def digest(self) -> str:
        return digest_of(self.text)

    @property
    def file_name(self) -> str:
        return Submission(event=self.event, index=self.index).file_name

    @property
    def blocking(self) -> int:
        """How many findings have to be mended first."""
        return sum(group.blocking for group in self.groups)

    def obstacle(self) -> str:
        """Why it cannot be sent now; blank if it can."""
        if not self.contents.games:
            return _("There is no game to send yet.")
        if self.blocking:
            return _("What is marked below has to be mended first.")
        if self.last is not None and not self.changes:
            return _("Nothing has changed since %s was sent.") % self.last.file_name
        if self.index > LAST_INDEX:
            return _("The submission index has two digits, and %d are used up.") % LAST_INDEX
        return ""


def digest_of(text: str) -> str:
    """The SHA-256 of a file's text."""
    return hashlib.sha256(text.encode()).hexdigest()


def event_of(season: Season, control: TimeControl) -> SubmittedEvent | None:
    """The season's event of this time control, if somebody has said what it is called."""
    return season.submitted_events.filter(**control._asdict()).first()


@transaction.atomic
def name_event(*, season: int, control: TimeControl, by, **fields: str) -> SubmittedEvent:
    """Say, once for a season, what an event is called and who answers for it; or say it anew.

    `fields` are `EVENT_FIELDS`. Raises `CodeRefused` for a code of another event, here or read
    from elsewhere, and for another code once a file was sent.
    """
    Season.objects.select_for_update(no_key=True).get(pk=season)
    keys = {"season_id": season, **control._asdict()}
    event = SubmittedEvent.objects.filter(**keys).first() or SubmittedEvent(**keys)
    code = fields["code"]
    if event.pk is not None and code != event.code and event.submissions.exists():
        raise CodeRefused(_("Files were sent under %s: the event keeps its code.") % event.code)
    if SubmittedEvent.objects.filter(code=code).exclude(pk=event.pk).exists():
        raise CodeRefused(_("Another event submitted from here has this code."))
    if OutsideEvent.objects.filter(code=code).exists():
        raise CodeRefused(_("An event of elsewhere that was read here has this code."))
    for name in EVENT_FIELDS:
        setattr(event, name, fields[name])
    with pghistory.context(user=getattr(by, "pk", None)):
        event.save()
    return event


def prepare(event: SubmittedEvent) -> Draft:
    """The dry run: the next file of the event as its season's games are now."""
    season = event.season
    control = TimeControl(event.minutes, event.increment_seconds)
    contents = contents_of(season, control, controls_of(season).get(control, []))
    last = event.submissions.order_by("-index").first()
    index = 1 if last is None else last.index + 1
    text = text_of(event, contents, index)
    return Draft(
        event=event,
        contents=contents,
        index=index,
        text=text,
        groups=findings_of(contents, event, season),
        last=last,
        changes=_changes(contents, text, last),
    )


@transaction.atomic
def send(*, event: int, seen: str, by, at: datetime) -> Submission:
    """Keep the next file of the event with its games, as it goes out, and return it.

    `seen` is the digest of the text that the officer looked at. Sent once more, by a double click
    or a reload, it is the submission there is. Raises `FileChanged`, and `SubmissionRefused`
    with the obstacle.
    """
    season = Season.objects.select_for_update(no_key=True).get(submitted_events=event)
    stored = SubmittedEvent.objects.select_for_update(no_key=True).get(pk=event)
    stored.season = season
    draft = prepare(stored)
    if draft.last is not None and digest_of(draft.last.text) == seen:
        return draft.last
    if draft.digest != seen:
        raise FileChanged(_("Games or people changed while you looked: this is the file now."))
    if obstacle := draft.obstacle():
        raise SubmissionRefused(obstacle)
    submission = Submission.objects.create(
        event=stored, index=draft.index, text=draft.text, sent_at=at, sent_by=by
    )
    SubmittedGame.objects.bulk_create(
        SubmittedGame(
            submission=submission,
            source_key=key,
            match_title=game.match_title,
            board=game.board,
            played_on=game.played_on,
            home_player_id=game.home,
            away_player_id=game.away,
            home_colour=game.home_colour,
            result=game.result,
        )
        for key, game in draft.contents.games.items()
    )
    return submission


def _changes(contents: Contents, text: str, last: Submission | None) -> Changes:
    games = contents.games
    if last is None:
        return Changes(new=list(games.values()))
    sent = dict(_sent_games(last))
    return Changes(
        new=[game for key, game in games.items() if key not in sent],
        changed=[
            (sent[key], game) for key, game in games.items() if key in sent and sent[key] != game
        ],
        gone=[game for key, game in sent.items() if key not in games],
        others=_head_and_people(text) != _head_and_people(last.text),
    )


def _sent_games(submission: Submission) -> Iterator[tuple[str, GameFacts]]:
    """The games of a submission by key; who was merged into another since counts as him."""
    for game in submission.games.select_related("home_player", "away_player").order_by("pk"):
        home, away = (
            player.pk if player.merged_into_id is None else player.merged_into_id
            for player in (game.home_player, game.away_player)
        )
        yield (
            game.source_key,
            GameFacts(
                game.match_title,
                game.board,
                game.played_on,
                home,
                away,
                game.home_colour,
                game.result,
            ),
        )


def _head_and_people(text: str) -> list[str]:
    """The lines of a file that are no game, without the index."""
    return [
        line
        for line in text.splitlines()
        if not line.startswith(("#PIN1=", "#SUBMISSION INDEX=", "#MATCH RESULTS=", "#WHITE ON="))
    ]
