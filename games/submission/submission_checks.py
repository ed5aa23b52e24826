"""What to look at before a file goes to the rating officer, each with where it is mended."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db.models import TextChoices
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.dates import date_format
from clubs.names import ecf_code_ok
from games.models import Season, SubmittedEvent

from .ecf_results_file import is_lost, written
from .submission_contents import Contents, Person, player_line

GAMES_WITHOUT_MEMBERSHIP = 3
"""From so many on a non-member is named."""


class Kind(TextChoices):
    """What may be wrong, in the order of the page."""

    UNDATED = "undated", gettext_lazy("Games without a date")
    NO_CODE = "no_code", gettext_lazy("Players without an ECF code")
    DOUBTFUL_CODE = "doubtful_code", gettext_lazy("Doubtful ECF codes")
    NO_CLUB = "no_club", gettext_lazy("Players without a club")
    LOST_LETTERS = "lost_letters", gettext_lazy("Names that plain letters cannot write")
    NOT_MEMBER = "not_member", gettext_lazy("Not members of the federation")


REASONS = {
    Kind.UNDATED: gettext_lazy(
        "A game without a date is never rated. These are left out until their card has one."
    ),
    Kind.NO_CODE: gettext_lazy(
        "The rating officer gives a new player a code, by his name and his club."
    ),
    Kind.DOUBTFUL_CODE: gettext_lazy("The letter does not fit the six digits before it."),
    Kind.NO_CLUB: gettext_lazy(
        "A member of no club on the day of his last game here. Without a code he needs one."
    ),
    Kind.LOST_LETTERS: gettext_lazy(
        "The file holds plain letters only; ? stands for each one that has no plain form."
    ),
    Kind.NOT_MEMBER: gettext_lazy(
        "Three games or more on days on which no membership is known here."
    ),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at: about whom or what, in which words, and where it is mended.

    While one is `blocking` nothing is sent.
    """

    about: str
    words: str
    address: str
    blocking: bool = False


@dataclass(slots=True)
class Group:
    """All findings of one kind."""

    kind: Kind
    findings: list[Finding] = field(default_factory=list)

    @property
    def reason(self) -> str:
        return str(REASONS[self.kind])

    @property
    def blocking(self) -> int:
        return sum(finding.blocking for finding in self.findings)


def findings_of(contents: Contents, event: SubmittedEvent | None, season: Season) -> list[Group]:
    """The kinds with findings, people in the order of their names."""
    groups = {kind: Group(kind) for kind in Kind}
    for board in contents.undated:
        players = f"{board.home_player.listed_name} – {board.away_player.listed_name}"
        words = _("board %(board)d: %(players)s") % {"board": board.number, "players": players}
        address = reverse("match_card", args=[board.match_id])
        groups[Kind.UNDATED].findings.append(Finding(str(board.match), words, address))
    people = contents.people.values()
    for person in sorted(people, key=lambda who: (who.player.sort_name, who.player.pk)):
        for kind, words, blocking in _about(person):
            address = reverse(
                "season_submission_player",
                args=[season.league.slug, season.slug, person.player.pk],
                query={"event": contents.control.slug},
            )
            groups[kind].findings.append(
                Finding(person.player.listed_name, words, address, blocking)
            )
    groups[Kind.LOST_LETTERS].findings += _lost_elsewhere(contents, event, season)
    return [group for group in groups.values() if group.findings]


def _about(person: Person) -> Iterator[tuple[Kind, str, bool]]:
    """What is to be looked at of one person: kind, words, and whether nothing goes out before.

    Without a code he is his name and his club, so then both have to be there.
    """
    player, name = person.player, player_line(person).name
    games = ngettext("%d game", "%d games", person.games) % person.games
    lost = is_lost(player.surname) or is_lost(player.forenames)
    no_code = player.ecf_code is None
    if no_code:
        club = _("no club") if person.club is None else person.club.name
        yield Kind.NO_CODE, f"{club}, {games}", False
    elif not ecf_code_ok(player.ecf_code):
        yield Kind.DOUBTFUL_CODE, player.ecf_code, False
    if person.club is None:
        words = _("no code either") if no_code else player.ecf_code
        yield Kind.NO_CLUB, f"{words}, {games}", no_code
    if lost:
        yield Kind.LOST_LETTERS, _("in the file: %s") % name, no_code
    if person.not_member >= GAMES_WITHOUT_MEMBERSHIP:
        yield Kind.NOT_MEMBER, _membership_words(person), False


def _membership_words(person: Person) -> str:
    words = ngettext("%d game", "%d games", person.not_member) % person.not_member
    player = person.player
    if player.membership_number is None:
        return _("%s, no membership number") % words
    return _("%(games)s after %(number)s had expired on %(day)s") % {
        "games": words,
        "number": player.membership_number,
        "day": date_format(player.membership_expires_on, "j M Y"),
    }


def _lost_elsewhere(
    contents: Contents, event: SubmittedEvent | None, season: Season
) -> Iterator[Finding]:
    """Clubs, teams and the event's own words that plain letters cannot write."""
    clubs = {person.club.pk: person.club for person in contents.people.values() if person.club}
    for club in sorted(clubs.values(), key=lambda club: (club.search_name, club.pk)):
        if is_lost(club.name):
            words = _("in the file: %s") % written(club.name)
            yield Finding(club.name, words, club.get_absolute_url())
    for team in contents.teams:
        if is_lost(team.name):
            words = _("in the file: %s") % written(team.name)
            yield Finding(team.name, words, reverse("team_edit", args=[team.pk]))
    if event is None:
        return
    for name in (
        *("name", "results_officer", "results_officer_address"),
        *("treasurer", "treasurer_address"),
    ):
        text = getattr(event, name)
        if is_lost(text):
            label = str(SubmittedEvent._meta.get_field(name).verbose_name)
            address = reverse(
                "season_submission_event",
                args=[season.league.slug, season.slug, event.minutes, event.increment_seconds],
            )
            yield Finding(label, _("in the file: %s") % written(text), address)
