"""Punctuation as the language of the page sets it."""

from django import template
from django.utils.translation import pgettext

register = template.Library()


@register.simple_tag
def colon() -> str:
    """`{{ label }}{% colon %}{{ what }}`: a colon and a blank, in French one before it too."""
    return pgettext("between a word and what is said of it", ": ")
