"""Fixtures as iCalendar (RFC 5545), for calendars that people subscribe to.

A match keeps its UID for good. Its SEQUENCE counts the changes that the history keeps of it and of
its home club, so nothing that moves an event escapes it. What is not played any more stays as
cancelled; a day without a start time is a date, never a midnight. Only public matches are ever in
one, whoever asks.
"""

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from email.utils import parseaddr
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count, Max, Q
from django.utils.translation import gettext as _
from icalendar import Calendar, Event, Timezone

from clubs.models import Club, Player
from games.models import Match, MatchState, Team, TeamState

LONDON = ZoneInfo(settings.TIME_ZONE)
REFRESH = timedelta(hours=6)


def matches_of_team(team: Team):
    return Match.objects.filter(Q(home=team) | Q(away=team))


def matches_of_club(club: Club):
    return Match.objects.filter(Q(home__club=club) | Q(away__club=club))


def matches_of_player(player: Player):
    """Those of every team that he has sat for, or is registered for."""
    teams = Team.objects.filter(
        Q(pk__in=player.home_boards.order_by().values("match__home"))
        | Q(pk__in=player.away_boards.order_by().values("match__away"))
        | Q(pk__in=player.registrations.order_by().filter(team__isnull=False).values("team"))
    ).values("pk")
    return Match.objects.filter(Q(home__in=teams) | Q(away__in=teams))


def calendar_of(matches, name: str, absolute: Callable[[str], str], today: date) -> bytes:
    """The public ones of these matches as a calendar called `name`, five queries for any number.

    `absolute` makes an address of this site complete. Matches of seasons that ended a year ago
    are left out.
    """
    listed = list(
        matches.published()
        .filter(division__season__ends_on__gt=today - timedelta(days=365))
        .select_related("home__club__hall", "away", "division__season__league")
        .order_by("played_on", "division", "number", "pk")
    )
    calendar = Calendar()
    calendar.add("prodid", "-//Topboard//fixtures//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    calendar.add_component(_london(listed, today))
    days = last_days(match.pk for match in listed if match.played_on is None)
    changes = changes_of(listed)
    for match in listed:
        day = days.get(match.pk) if match.played_on is None else match.played_on
        if day is not None:  # a match that never had a day is in no calendar yet
            calendar.add_component(_event(match, day, *changes[match.pk], absolute))
    return calendar.to_ical()


def _london(matches: Iterable[Match], today: date) -> Timezone:
    """The time zone for the years of these matches, for programs that do not know it."""
    years = [match.division.season.starts_on.year for match in matches] or [today.year]
    first, last = date(min(years) - 1, 1, 1), date(max(years) + 3, 1, 1)
    return Timezone.from_tzid(settings.TIME_ZONE, first_date=first, last_date=last)


def _event(
    match: Match, day: date, changes: int, changed_at: datetime, absolute: Callable[[str], str]
) -> Event:
    event = Event()
    event.add("uid", f"match-{match.pk}@{_domain()}")
    event.add("sequence", changes)
    event.add("dtstamp", changed_at)
    event.add("last-modified", changed_at)
    start = match.home.club.start_time
    if start is None:
        event.add("dtstart", day)
        event.add("dtend", day + timedelta(days=1))
    else:
        begins = datetime.combine(day, start, tzinfo=LONDON)
        division = match.division
        # Sixty moves of an increment in seconds are that many minutes, for each side.
        minutes = 2 * (division.minutes + division.increment_seconds)
        event.add("dtstart", begins)
        event.add("dtend", begins + timedelta(minutes=minutes))
    event.add("summary", str(match))
    event.add("description", _words(match))
    where = _where(match.home.club)
    if where:
        event.add("location", where)
    event.add("url", absolute(match.get_absolute_url()))
    event.add("status", "CANCELLED" if is_cancelled(match) else "CONFIRMED")
    return event


def is_cancelled(match: Match) -> bool:
    """Whether nobody is to come: void, postponed without a day, awarded or given up unplayed."""
    if match.state == MatchState.VOID or match.played_on is None:
        return True
    unplayed = match.entered_at is None
    gone = TeamState.WITHDRAWN in (match.home.state, match.away.state)
    if match.state == MatchState.AWARDED or (gone and match.stated_home is None):
        return unplayed
    return False


def _words(match: Match) -> str:
    division = match.division
    lines = [f"{division.season.league.name}, {division.name}"]
    if match.round_label:
        lines.append(match.round_label)
    elif match.round:
        lines.append(_("Round %d") % match.round)
    if match.decision:
        lines.append(match.decision)
    elif match.state == MatchState.POSTPONED:
        lines.append(_("Postponed, no new date yet"))
    return "\n".join(lines)


def _where(club: Club) -> str:
    lines = club.venue.split("\n") if club.venue else [club.hall.name if club.hall else ""]
    return ", ".join(line.strip() for line in lines if line.strip())


def _domain() -> str:
    """The site's own, from the address it sends mail with: it is the same whoever asks."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"


def changes_of(matches: Iterable[Match]) -> dict[int, tuple[int, datetime]]:
    """By pk how often a match or its home club was changed since it was made, and when last."""
    matches = list(matches)
    own = _history(Match, [match.pk for match in matches])
    clubs = _history(Club, {match.home.club_id for match in matches})
    found = {}
    for match in matches:
        count, last = own[match.pk]
        club_count, club_last = clubs[match.home.club_id]
        found[match.pk] = (count + club_count - 2, max(last, club_last))
    return found


def _history(model, pks: Iterable[int]) -> dict[int, tuple[int, datetime]]:
    events = model._meta.get_field("events").related_model.objects
    rows = events.filter(pgh_obj__in=list(pks)).order_by().values_list("pgh_obj")
    return {
        pk: (count, last)
        for pk, count, last in rows.annotate(count=Count("pk"), last=Max("pgh_created_at"))
    }


def last_days(pks: Iterable[int]) -> dict[int, date]:
    """The last day that each of these matches without one had before."""
    events = Match._meta.get_field("events").related_model.objects
    rows = events.filter(pgh_obj__in=list(pks), played_on__isnull=False)
    newest = rows.order_by("pgh_obj", "-pgh_id").distinct("pgh_obj")
    return dict(newest.values_list("pgh_obj", "played_on"))
