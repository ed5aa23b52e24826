"""The sentences under a table: by row, by policy, and who can still win."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.dates import date_format
from games.models import DefaultedMatches, Division, Match, Team, UnfinishedGames, WithdrawnTeams
from games.templatetags.topboard import halves

from . import standings, table_policies
from .table_facts import adjustments_of
from .table_words import adjustment_words, penalty_words, why_words
from .title_race import Prospect


def row_sentences(
    row: standings.Row, teams: Mapping[int, Team], division: Division, on: date | None
) -> Iterable[str]:
    """What a team's line in the table needs said."""
    team = teams[row.team]
    if row.why:
        yield why_words(team.name, row.why, {pk: each.name for pk, each in teams.items()})
    for adjustment in adjustments_of(team, on):
        yield adjustment_words(team.name, adjustment)
    for adjustment in row.adjustments:
        if adjustment.boards_defaulted:
            yield penalty_words(team.name, adjustment)
    if defaulted := row.awarded - row.forfeited:
        yield ngettext(
            "%(team)s: %(count)s match decided by default, without play.",
            "%(team)s: %(count)s matches decided by default, without play.",
            defaulted,
        ) % {"team": team.name, "count": defaulted}
    if row.extra_game_points:
        yield _("%(team)s: %(points)s of the game points come from extra boards.") % {
            "team": team.name,
            "points": halves(row.extra_game_points),
        }
    if row.withdrawn:
        yield _withdrawn_words(team, division)


def policy_sentences(
    rows: Sequence[standings.Row], unfinished: Sequence[Match], rules: table_policies.TableRules
) -> list[str]:
    """The division's policies that moved a number, and those that may make a default pay."""
    sentences = []
    if unfinished:
        matches = ", ".join(_versus(match) for match in unfinished)
        policy = _UNFINISHED[rules.unfinished]()
        sentences.append(_("Counted before its last game: %s.") % matches + " " + policy)
    if any(row.awarded for row in rows) and rules.defaulted != table_policies.FULL:
        sentences.append(_DEFAULTED[rules.defaulted]())
    sentences += [_PAYS[way]() for way in table_policies.ways_defaulting_pays(rules)]
    return sentences


def race_sentences(
    found: Mapping[int, Prospect] | None, rows: Sequence[standings.Row], division: Division, names
) -> list[str]:
    """What is certain before the last match: champions, promoted, relegated, who can still win.

    `names` gives a team's name by pk. Nothing before anything is decided.
    """
    if not found:
        return []
    ordered = [found[row.team] for row in rows if row.team in found]
    sentences = [
        sentence
        for prospect in ordered
        if (sentence := _certain(prospect, names[prospect.team], len(rows), division))
    ]
    able = [names[prospect.team] for prospect in ordered if prospect.can_win]
    if 1 < len(able) < len(ordered):
        if all(prospect.exact for prospect in ordered):
            words = _("Can still finish first, if every match is played: %s.")
        else:
            words = _("Can still finish first, as far as a simple count of points tells: %s.")
        sentences.append(words % ", ".join(able))
    return sentences


def awaited_words(awaited: Iterable[Match]) -> str:
    """Whose day has passed without a result, with the day."""
    matches = "; ".join(
        f"{_versus(match)}, {date_format(match.played_on, 'j F')}" for match in awaited
    )
    return _("Result awaited: %s.") % matches if matches else ""


def open_words(matches: Iterable[Match]) -> str:
    """Whose result counts in the table and is not agreed yet, or disputed."""
    found = "; ".join(
        f"{_versus(match)}, {match.open_words}" for match in matches if match.open_words
    )
    return _("Results that may still change: %s.") % found if found else ""


def _certain(prospect: Prospect, team: str, count: int, division: Division) -> str:
    if prospect.worst == 1:
        return _("%(team)s are champions.") % {"team": team}
    if prospect.worst <= division.promoted:
        words = _("%(team)s are promoted: they cannot finish below %(place)s.")
        return words % {"team": team, "place": _place(prospect.worst)}
    if division.relegated and prospect.best == count:
        return _("%(team)s are relegated.") % {"team": team}
    if prospect.best > count - division.relegated:
        words = _("%(team)s are relegated: they cannot finish above %(place)s.")
        return words % {"team": team, "place": _place(prospect.best)}
    if prospect.worst == 2:
        return _("%(team)s cannot finish below %(place)s.") % {"team": team, "place": _place(2)}
    return ""


def _place(position: int) -> str:
    words = {1: _("1st"), 2: _("2nd"), 3: _("3rd")}
    return words.get(position) or _("%(position)sth") % {"position": position}


def _withdrawn_words(team: Team, division: Division) -> str:
    words = {
        WithdrawnTeams.EXPUNGE: _("%(team)s withdrew%(day)s: none of their matches counts."),
        WithdrawnTeams.KEEP: _(
            "%(team)s withdrew%(day)s: what they played counts, the rest is not played."
        ),
        WithdrawnTeams.FORFEIT: _(
            "%(team)s withdrew%(day)s: what they played counts, the rest is lost by default."
        ),
    }[division.withdrawn_teams]
    day = team.withdrawn_on and _(" on %(day)s") % {"day": date_format(team.withdrawn_on, "j F")}
    return words % {"team": team.name, "day": day or ""}


_UNFINISHED = {
    UnfinishedGames.IGNORE_GAME: lambda: _("The unfinished games are left out."),
    UnfinishedGames.DRAWN: lambda: _("The unfinished games count as drawn."),
    UnfinishedGames.THRESHOLD: lambda: _("One side has more than half of the points."),
}
_DEFAULTED = {
    DefaultedMatches.NONE: lambda: _("Nobody scores a game point in a defaulted match."),
    DefaultedMatches.EXCLUDED: lambda: _(
        "A defaulted match gives match points only; no tie-break looks at it."
    ),
}
_PAYS = {
    table_policies.MORE_THAN_A_LOSS: lambda: _(
        "By these rules a team gets more for defaulting a match than for losing it."
    ),
    table_policies.OPPONENTS_SCORE_NONE: lambda: _(
        "By these rules a team that defaults a match keeps its opponents from scoring game points."
    ),
}


def _versus(match: Match) -> str:
    return _("%(home)s v %(away)s") % {"home": match.home.name, "away": match.away.name}
