"""Django's `date` with French as French is written; every template has it without loading it."""

from django import template

from clubs import dates

register = template.Library()


@register.filter(expects_localtime=True, is_safe=False)
def date(day, form=None) -> str:
    """`{{ day|date:"j F Y" }}`; nothing for no day, nor for what is none, as Django has it."""
    try:
        return "" if day in (None, "") else dates.date_format(day, form)
    except AttributeError:
        return ""
