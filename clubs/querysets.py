"""Reads of clubs, players and memberships."""

from datetime import date

from django.db import models
from django.db.models import Count, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce

from .juniors import hidden
from .names import fold


class ClubQuerySet(models.QuerySet):
    def found(self, text: str):
        """Those whose name holds every word of `text`, ignoring case and accents."""
        return holding_words(self, text)

    def with_member_count(self, today: date):
        """Adds `member_count`: how many players are members on `today`."""
        memberships = self.model._meta.get_field("memberships").related_model.objects
        counted = (
            memberships.on(today)
            .filter(club=OuterRef("pk"))
            .order_by()
            .values("club")
            .annotate(number=Count("player", distinct=True))
        )
        return self.annotate(member_count=Coalesce(Subquery(counted.values("number")), 0))


class PlayerQuerySet(models.QuerySet):
    def found(self, text: str):
        """Those whose name holds every word of `text` in any order, or whose ECF code it is."""
        words = having_words(text)
        if words is None:
            return self.none()
        return self.filter(words | Q(ecf_code=text.strip()[:10].upper().replace("\x00", "")))

    def with_public_names(self, today: date):
        """Those whose names everybody may see on `today`; a search by the public looks here."""
        return self.exclude(hidden(today))

    def with_clubs(self, today: date):
        """With `current_memberships`: those of `today`, each with its club, by the club's name."""
        memberships = self.model._meta.get_field("memberships").related_model.objects
        current = memberships.on(today).select_related("club").order_by("club__search_name")
        return self.prefetch_related(
            Prefetch("memberships", current, to_attr="current_memberships")
        )

    def named(self, name: str):
        """Those of exactly this name (forenames and surname), ignoring case and accents."""
        return self.filter(search_name=fold(name))


class MembershipQuerySet(models.QuerySet):
    def on(self, day: date):
        """Those that hold on `day`: from the first day on, before the last."""
        return self.filter(self.holds_on(day))

    @staticmethod
    def holds_on(day: date, membership: str = "") -> Q:
        """The condition that a membership holds on `day`; `membership` is the path to it."""
        begun = Q(**{f"{membership}starts_on__isnull": True}) | Q(
            **{f"{membership}starts_on__lte": day}
        )
        lasts = Q(**{f"{membership}ends_on__isnull": True}) | Q(**{f"{membership}ends_on__gt": day})
        return begun & lasts


def holding_words(queryset, text: str):
    """`queryset` narrowed to the rows whose `search_name` holds every folded word of `text`."""
    words = having_words(text)
    return queryset.none() if words is None else queryset.filter(words)


def having_words(text: str, column: str = "search_name") -> Q | None:
    """The condition that `column` holds every folded word of `text`; None without a word.

    A single letter has to begin a word, so that `Hartfield A` is not every Hartfield.
    """
    words = fold(text.replace("\x00", " ")[:200]).split()[:8]
    condition = Q()
    for word in words:
        if len(word) > 1:
            condition &= Q(**{f"{column}__contains": word})
        else:
            condition &= Q(**{f"{column}__startswith": word}) | Q(
                **{f"{column}__contains": f" {word}"}
            )
    return condition if words else None
