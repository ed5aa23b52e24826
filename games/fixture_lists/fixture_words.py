"""Fixture lists in words: a clash, a constraint, why a wish is not met."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.dates import date_format

from .fixture_clashes import Clash
from .fixture_problem import Avoid, Problem


def clash_words(clash: Clash, problem: Problem) -> str:
    """What a list does not keep, in a sentence."""
    return _SENTENCES[clash.rule](clash, problem)


def day_words(day) -> str:
    return date_format(day, "D j M Y")


def _names(clash: Clash, problem: Problem) -> list[str]:
    return [_name(team, problem) for team in clash.teams]


def _name(team: int, problem: Problem) -> str:
    return problem.teams[team].name if team in problem.teams else _("a team of another division")


def _match(clash: Clash, problem: Problem) -> str:
    home, away = _names(clash, problem)
    return _("%(home)s v %(away)s, %(day)s") % {
        "home": home,
        "away": away,
        "day": day_words(clash.days[0]),
    }


def _missing(clash, problem):
    one, other = _names(clash, problem)
    words = _("%(one)s and %(other)s do not meet in leg %(leg)d.")
    return words % {"one": one, "other": other, "leg": clash.count}


def _repeated(clash, problem):
    one, other = _names(clash, problem)
    words = _("%(one)s and %(other)s meet more than once in a leg: %(days)s.")
    return words % {"one": one, "other": other, "days": _days(clash)}


def _stranger(clash, problem):
    return _("%s: not both are teams of this division.") % _match(clash, problem)


def _mirror(clash, problem):
    one, other = _names(clash, problem)
    words = _("%(one)s and %(other)s: the return match is not the first one turned round, later.")
    return words % {"one": one, "other": other}


def _balance(clash, problem):
    words = _("%(team)s: %(home)d at home and %(away)d away in leg %(leg)d.")
    (team,) = _names(clash, problem)
    return words % {"team": team, "home": clash.count, "away": clash.limit, "leg": clash.about}


def _team_twice(clash, problem):
    (team,) = _names(clash, problem)
    return _("%(team)s play more than once in a week: %(days)s.") % {
        "team": team,
        "days": _days(clash),
    }


def _week(clash, problem):
    return _("%s: not in a match week.") % _match(clash, problem)


def _night(clash, problem):
    return _("%s: not the night of the home side.") % _match(clash, problem)


def _break(clash, problem):
    closed = next(each for each in problem.breaks if each.id == clash.about)
    words = _("%(match)s: nobody plays then (%(break)s).")
    return words % {"match": _match(clash, problem), "break": closed.name}


def _round_apart(clash, problem):
    words = _("%(match)s: not in the week of the rest of round %(round)d.")
    return words % {"match": _match(clash, problem), "round": clash.count}


def _hall(clash, problem):
    hall = problem.halls[clash.about]
    words = ngettext(
        "%(hall)s has %(count)d matches on %(day)s and holds %(limit)d: %(teams)s at home.",
        "%(hall)s has %(count)d matches on %(day)s and holds %(limit)d: %(teams)s at home.",
        clash.count,
    )
    return words % {
        "hall": hall.name,
        "count": clash.count,
        "limit": clash.limit,
        "day": day_words(clash.days[0]),
        "teams": ", ".join(_names(clash, problem)),
    }


def _avoid(clash, problem):
    avoid = _row(problem.avoids, clash.about)
    words = {"match": _match(clash, problem), "wish": avoid_words(avoid)}
    return _("%(match)s: %(wish)s.") % words


def _apart(clash, problem):
    one, other = _names(clash, problem)
    apart = _row(problem.aparts, clash.about)
    words = (
        _("%(one)s and %(other)s are both at home on %(day)s.")
        if apart.home_only
        else _("%(one)s and %(other)s both play on %(day)s.")
    )
    return words % {"one": one, "other": other, "day": day_words(clash.days[0])}


def _early(clash, problem):
    words = ngettext(
        "%(match)s: two teams of one club meet in round %(round)d of the leg, not in the first.",
        "%(match)s: two teams of one club meet in round %(round)d of the leg, not in the first"
        " %(last)d.",
        clash.limit,
    )
    return words % {
        "match": _match(clash, problem),
        "round": clash.count,
        "last": clash.limit,
    }


def _turns(clash, problem):
    one, other = _names(clash, problem)
    words = _("%(one)s and %(other)s are both at home in one week: %(days)s.")
    return words % {"one": one, "other": other, "days": _days(clash)}


def _three(clash, problem):
    (team,) = _names(clash, problem)
    words = (
        _("%(team)s: three times running at home, %(days)s.")
        if clash.count
        else _("%(team)s: three times running away, %(days)s.")
    )
    return words % {"team": team, "days": _days(clash)}


def _days(clash: Clash) -> str:
    return ", ".join(dict.fromkeys(map(day_words, clash.days)))


def _row(rows: Iterable, pk: int):
    return next(row for row in rows if row.id == pk)


_SENTENCES = {
    "missing": _missing,
    "repeated": _repeated,
    "stranger": _stranger,
    "mirror": _mirror,
    "balance": _balance,
    "team_twice": _team_twice,
    "week": _week,
    "night": _night,
    "break": _break,
    "round_apart": _round_apart,
    "hall": _hall,
    "avoid": _avoid,
    "apart": _apart,
    "early": _early,
    "turns": _turns,
    "three": _three,
}


# Constraints --------------------------------------------------------------------------------


def avoid_words(avoid: Avoid) -> str:
    """Who does not play when: `Ashdown not at home Tue 24 Nov 2026`."""
    days = day_words(avoid.first)
    if avoid.last != avoid.first:
        days = _("%(first)s to %(last)s") % {"first": days, "last": day_words(avoid.last)}
    words = (
        _("%(who)s not at home %(days)s") if avoid.home_only else _("%(who)s not at all %(days)s")
    )
    return words % {"who": avoid.name, "days": days}


def group_words(group: tuple, problem: Problem) -> str:
    """A constraint of the solver's, as one item of a list."""
    kind, *about = group
    if kind == "weeks":
        division, need, have = about
        name = next(d.name for d in problem.divisions if d.id == division)
        return _("%(division)s has %(need)d rounds and %(have)d match weeks") % {
            "division": name,
            "need": need,
            "have": have,
        }
    if kind == "hall":
        hall = problem.halls[about[0]]
        return ngettext(
            "%(hall)s holds %(limit)d match a night",
            "%(hall)s holds %(limit)d matches a night",
            hall.limit,
        ) % {"hall": hall.name, "limit": hall.limit}
    if kind == "break":
        closed = _row(problem.breaks, about[0])
        return _("nobody plays: %s") % closed.name
    if kind == "avoid":
        return avoid_words(_row(problem.avoids, about[0]))
    if kind in ("apart", "turns"):
        return _pair_words(kind, about, problem)
    if kind == "early":
        division = next(d for d in problem.divisions if d.id == about[0])
        teams = [problem.teams[t].name for t in division.teams if problem.teams[t].club == about[1]]
        return _("%s meet in the first rounds") % _(" and ").join(teams)
    return {
        "three": _("nobody plays three times running at home or away"),
        "breaks": _("home and away by turns"),
        "round_apart": _("all matches of a round are in one week"),
    }[kind]


def _pair_words(kind: str, about: list, problem: Problem) -> str:
    if kind == "turns":
        one, other = about
        words = _("%(one)s and %(other)s alternate at home")
    else:
        apart = _row(problem.aparts, about[0])
        one, other = apart.first, apart.second
        words = (
            _("%(one)s and %(other)s not both at home on one night")
            if apart.home_only
            else _("%(one)s and %(other)s not on one night")
        )
    return words % {"one": problem.teams[one].name, "other": problem.teams[other].name}


def reason_words(reason, problem: Problem) -> str:
    """Why a wish is not met, in a sentence; `reason` is a `fixture_solver.Reason`."""
    wish = group_words(reason.group, problem)
    if reason.is_excluded:
        against = [group_words(group, problem) for group in reason.contradicts]
        if not against:
            return _("%s: no list can, since everybody meets everybody in turn.") % _first_up(wish)
        return _("%(wish)s: excluded by %(rules)s.") % {
            "wish": _first_up(wish),
            "rules": "; ".join(against),
        }
    if not reason.costs:
        return _("%s: no list that does was found in the time given.") % _first_up(wish)
    more = [_cost_words(group, n, problem) for group, n in reason.costs if n > 0]
    if not more:
        return _("%s: another list does, and costs no less.") % _first_up(wish)
    return _("%(wish)s: it would cost %(others)s.") % {
        "wish": _first_up(wish),
        "others": "; ".join(more),
    }


def _cost_words(group: tuple, count: int, problem: Problem) -> str:
    if group == ("breaks",):
        return (
            ngettext(
                "%d more match running on one side", "%d more matches running on one side", count
            )
            % count
        )
    words = ngettext("%(count)d time more “%(wish)s”", "%(count)d times more “%(wish)s”", count)
    return words % {"count": count, "wish": group_words(group, problem)}


def _first_up(words: str) -> str:
    return words[:1].upper() + words[1:]
