"""The admin of ratings: read-only, since the ledger and all that follows from it is worked out."""

from django.contrib import admin

from clubs.admin import EventAdmin, ReadOnly

from .models import (
    EloGame,
    EloRating,
    Grade,
    GradeList,
    GradeListEvent,
    OpeningRating,
    RatedEvent,
    RatedGame,
    RatingPool,
)


@admin.register(RatingPool)
class RatingPoolAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["name", "rules", "first_rating", "floor", "ledger_version", "stale_from"]


@admin.register(RatedEvent)
class RatedEventAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["name", "pool", "first_day", "source"]
    list_filter = ["pool"]
    list_select_related = ["pool"]
    search_fields = ["name", "source"]


class EloGameInline(ReadOnly, admin.StackedInline):
    model = EloGame


@admin.register(RatedGame)
class RatedGameAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["played_on", "event", "white", "black", "white_halves", "source_key"]
    list_select_related = ["event", "white", "black"]
    search_fields = ["white__search_name", "black__search_name", "=source_key"]
    ordering = ["-played_on", "-pk"]
    show_full_result_count = False
    inlines = [EloGameInline]


@admin.register(EloRating)
class EloRatingAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["player", "pool", "rating", "games"]
    list_filter = ["pool"]
    list_select_related = ["player", "pool"]
    search_fields = ["player__search_name"]
    show_full_result_count = False


@admin.register(OpeningRating)
class OpeningRatingAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["player", "pool", "system", "value", "provisional", "dated_on", "source"]
    list_filter = ["pool", "system"]
    list_select_related = ["player", "pool"]
    search_fields = ["player__search_name"]


@admin.register(GradeList)
class GradeListAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["cutoff", "pool", "revision", "state", "publisher", "published_at", "reason"]
    list_filter = ["state", "pool", "publisher"]
    list_select_related = ["pool"]


@admin.register(Grade)
class GradeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["player", "grade_list", "published", "category", "numerator", "divisor"]
    list_select_related = ["player", "grade_list__pool"]
    search_fields = ["player__search_name"]
    ordering = ["-pk"]
    show_full_result_count = False


admin.site.register(GradeListEvent, EventAdmin)
