"""Whether a page leads its reader to the office: only who may do something there."""

from django import template

from games import access

register = template.Library()


@register.filter
def runs(user, league: int) -> bool:
    """Whether the account runs the league of this pk."""
    return access.is_officer(user, league)


@register.filter
def keeps(user, club) -> bool:
    """Whether the account keeps the page of this club."""
    return access.may_keep_club(user, club)
