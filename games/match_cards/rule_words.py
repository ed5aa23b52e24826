"""What a card has against its division's rules, in sentences that name the rule."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from . import team_rules


def head_of(rule: str) -> str:
    """What to look at, before the sentence: `Check the order.`"""
    return {
        team_rules.BOARD_ORDER: _("Check the order."),
        team_rules.TEAM_TOTAL: _("Check the team’s total."),
        team_rules.TEAM_AVERAGE: _("Check the team’s average."),
        team_rules.PLAYER_LIMIT: _("Check the player’s limit."),
        team_rules.NOT_REGISTERED: _("Check the registration."),
        team_rules.TIED: _("Tied to a higher team."),
        team_rules.NOMINATED: _("Nominated for a higher team."),
        team_rules.NOT_A_MEMBER: _("Check the membership."),
    }[rule]


def rule_words(rule: str, figures: Mapping[str, int], name: str, other: str = "") -> str:
    """One finding in a sentence: `name` is the player or, for the team's limits, the team.

    `other` is whoever sits on the higher board, where the order is broken.
    """
    return _WORDS[rule](figures, name, other)


def _order(figures: Mapping[str, int], name: str, other: str) -> str:
    return _(
        "%(name)s (%(grade)s) is %(excess)s above %(other)s (%(other_grade)s) on board %(board)s;"
        " the league allows %(tolerance)s."
    ) % {
        "name": name,
        "grade": figures["grade"],
        "excess": figures["excess"],
        "other": other,
        "other_grade": figures["above_grade"],
        "board": figures["above"],
        "tolerance": figures["limit"],
    }


def _total(figures: Mapping[str, int], name: str, _other: str) -> str:
    return _("%(name)s come to %(total)s together; the league allows %(limit)s.") % {
        "name": name,
        **figures,
    }


def _average(figures: Mapping[str, int], name: str, _other: str) -> str:
    return _(
        "%(name)s come to %(total)s with %(players)s players;"
        " the league allows %(limit)s on average."
    ) % {"name": name, **figures}


def _player(figures: Mapping[str, int], name: str, _other: str) -> str:
    return _("%(name)s has %(figure)s; this division allows %(limit)s.") % {
        "name": name,
        **figures,
    }


def _registered(_figures: Mapping[str, int], name: str, _other: str) -> str:
    return _("%(name)s is not registered for the club on this day.") % {"name": name}


def _tied(figures: Mapping[str, int], name: str, _other: str) -> str:
    return _(
        "%(name)s has played %(games)s games for higher teams;"
        " the league ties a player to them from %(limit)s on."
    ) % {"name": name, **figures}


def _nominated(_figures: Mapping[str, int], name: str, _other: str) -> str:
    return _("%(name)s is nominated for a higher team.") % {"name": name}


def _member(figures: Mapping[str, int], name: str, _other: str) -> str:
    return _(
        "%(name)s plays game %(games)s of the season and is no member of the federation;"
        " the league allows %(limit)s."
    ) % {"name": name, **figures}


_WORDS = {
    team_rules.BOARD_ORDER: _order,
    team_rules.TEAM_TOTAL: _total,
    team_rules.TEAM_AVERAGE: _average,
    team_rules.PLAYER_LIMIT: _player,
    team_rules.NOT_REGISTERED: _registered,
    team_rules.TIED: _tied,
    team_rules.NOMINATED: _nominated,
    team_rules.NOT_A_MEMBER: _member,
}
