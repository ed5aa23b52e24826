"""Reads of clubs, players and memberships."""

from datetime import date

from django.db import models
from django.db.models import Q

from .names import fold


class ClubQuerySet(models.QuerySet):
    def found(self, text: str):
        """Those whose name holds every word of `text`, ignoring case and accents."""
        return holding_words(self, text)


class PlayerQuerySet(models.QuerySet):
    def found(self, text: str):
        """Those whose name holds every word of `text` in any order, or whose ECF code it is."""
        code = text.strip().upper()
        by_code = Q(ecf_code=code) if code and "\x00" not in code else Q()
        if by_code and self.filter(by_code).exists():
            return self.filter(by_code)
        return holding_words(self, text)

    def named(self, name: str):
        """Those of exactly this name (forenames and surname), ignoring case and accents."""
        return self.filter(search_name=fold(name))


class MembershipQuerySet(models.QuerySet):
    def on(self, day: date):
        """Those that hold on `day`: from the first day on, before the last."""
        return self.filter(
            Q(starts_on__isnull=True) | Q(starts_on__lte=day),
            Q(ends_on__isnull=True) | Q(ends_on__gt=day),
        )


def holding_words(queryset, text: str):
    """`queryset` narrowed to the rows whose `search_name` holds every folded word of `text`."""
    words = fold(text.replace("\x00", " ")[:200]).split()[:8]
    if not words:
        return queryset.none()
    for word in words:
        queryset = queryset.filter(search_name__contains=word)
    return queryset
