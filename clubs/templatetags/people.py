"""Names as the reader of a page may see them."""

from django import template
from django.utils import timezone

from clubs import access

register = template.Library()


@register.filter
def name_for(player, user) -> str:
    """`{{ player|name_for:user }}`: the name, or "Junior player" where the public reads it."""
    return access.name_for(user, player, timezone.localdate())


@register.filter
def listed_name_for(player, user) -> str:
    """The same with the surname first, as in a list."""
    return access.listed_name_for(user, player, timezone.localdate())


@register.filter
def code_for(player, user) -> str:
    """The ECF code, or nothing where the name is hidden or there is none."""
    return access.code_for(user, player, timezone.localdate()) or ""
