"""Reads of clubs, players and memberships."""

from datetime import date

from django.db import models
from django.db.models import Count, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce

from .juniors import hidden
from .names import fold, search_key


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
        """Those whose name holds every word of `text` in any order, or whose ECF code it is.

        A single letter is an initial: it has to begin a word.
        """
        words = words_of(text)
        condition = Q()
        for word in words:
            condition &= contains(word) if len(word) > 1 else begins_word(word)
        code = text.strip()[:10].upper().replace("\x00", "")
        merged = self.model.objects.filter(ecf_code=code, merged_into__isnull=False)
        of_code = Q(ecf_code=code) | Q(pk__in=merged.values("merged_into"))
        if not words:
            return self.none()
        return self.filter(condition | of_code).exclude(state="erased")

    def standing(self):
        """Those who were not merged into another."""
        return self.filter(merged_into__isnull=True)

    def playing(self):
        """Those who may be put on a card or registered: not retired, merged or erased."""
        return self.exclude(state__in=["retired", "merged", "erased"])

    def kept_for(self) -> dict[int, int]:
        """The pk of the player whom each merged one of these leads to, however often merged."""
        into = dict(self.model.objects.exclude(merged_into=None).values_list("pk", "merged_into"))
        own = set(self.filter(merged_into__isnull=False).values_list("pk", flat=True))
        found = {}
        for pk in own & into.keys():
            kept = pk
            while kept in into:
                kept = into[kept]
            found[pk] = kept
        return found

    def with_public_names(self, today: date):
        """Those whose names everybody may see on `today`; a search by the public looks here."""
        return self.exclude(hidden(today))

    def with_clubs(self, today: date):
        """With `current_memberships`: those of `today`, each with its club, by the club's name."""
        memberships = self.model._meta.get_field("memberships").related_model.objects
        return self.prefetch_related(memberships.of_day_with_clubs(today, "memberships"))

    def named(self, surname: str, forenames: str):
        """Those of exactly this name (forenames and surname), ignoring case and accents."""
        return self.filter(search_name=search_key(surname, forenames))


class MembershipQuerySet(models.QuerySet):
    def on(self, day: date):
        """Those that hold on `day`: from the first day on, before the last."""
        return self.filter(self.holds_on(day))

    def of_day_with_clubs(self, day: date, path: str) -> Prefetch:
        """What prefetches those of `day` with their clubs at `path`, as `current_memberships`."""
        current = self.on(day).select_related("club").order_by("club__search_name", "pk")
        return Prefetch(path, current, to_attr="current_memberships")

    @staticmethod
    def holds_on(day: date, membership: str = "") -> Q:
        """The condition that a membership holds on `day`; `membership` is the path to it."""
        begun = Q(**{f"{membership}starts_on__isnull": True}) | Q(
            **{f"{membership}starts_on__lte": day}
        )
        lasts = Q(**{f"{membership}ends_on__isnull": True}) | Q(**{f"{membership}ends_on__gt": day})
        return begun & lasts


def holding_words(queryset, text: str):
    """`queryset` of clubs or teams, narrowed to names that hold every folded word of `text`.

    A single letter has to be a word: `Ashdown A` is a team and not its club.
    """
    words = words_of(text)
    condition = Q()
    for word in words:
        condition &= contains(word) if len(word) > 1 else is_word(word)
    return queryset.filter(condition) if words else queryset.none()


def words_of(text: str) -> list[str]:
    """The folded words of what somebody typed into a search, the first eight."""
    return list(dict.fromkeys(fold(text.replace("\x00", " ")[:200]).split()))[:8]


def contains(word: str) -> Q:
    return Q(search_name__contains=word)


def is_word(word: str) -> Q:
    """The condition that `word` is a whole word of the name."""
    return (
        Q(search_name=word)
        | Q(search_name__startswith=f"{word} ")
        | Q(search_name__endswith=f" {word}")
        | Q(search_name__contains=f" {word} ")
    )


def begins_word(word: str) -> Q:
    """The condition that a word of the name begins so."""
    return Q(search_name__startswith=word) | Q(search_name__contains=f" {word}")
