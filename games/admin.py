"""The admin of leagues: roles, names and contacts; cards and tables have their own pages."""

from django.contrib import admin
from django.utils import timezone

from clubs.admin import EventAdmin, HeldAdmin, KeptAddress, ReadOnly

from . import models
from .division_tables import adjustments
from .models import Adjustment, Board, Division, League, LeagueRole, Match, Season, Team, TeamRole


class LeagueRoleInline(admin.TabularInline):
    model = LeagueRole
    raw_id_fields = ["user"]
    extra = 0


class TeamRoleInline(admin.TabularInline):
    model = TeamRole
    raw_id_fields = ["user"]
    extra = 0


@admin.register(League)
class LeagueAdmin(KeptAddress, HeldAdmin):
    list_display = ["name", "slug"]
    search_fields = ["name"]
    inlines = [LeagueRoleInline]

    def save_model(self, request, obj, form, change):
        super().save_model(request, obj, form, change)
        Division.objects.filter(season__league=obj).raise_versions()


@admin.register(Season)
class SeasonAdmin(KeptAddress, HeldAdmin):
    list_display = ["league", "label", "starts_on", "ends_on", "published_at"]
    list_filter = ["league"]
    list_select_related = ["league"]
    search_fields = ["label", "league__name"]
    prepopulated_fields = {"slug": ["label"]}
    # What else there is of a season, its desk changes: entries, deadlines, its end.
    fields = ["league", "label", "slug", "starts_on", "ends_on", "published_at"]

    def get_readonly_fields(self, request, obj=None):
        return [*super().get_readonly_fields(request, obj), *(["league"] if obj else [])]

    def save_model(self, request, obj, form, change):
        super().save_model(request, obj, form, change)
        obj.divisions.raise_versions()


@admin.register(Division)
class DivisionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["name", "season", "rank", "board_count", "version"]
    list_select_related = ["season__league"]
    search_fields = ["name", "season__label", "season__league__name"]


@admin.register(Team)
class TeamAdmin(admin.ModelAdmin):
    """Whom to ask and who enters its cards; a team is made, named and withdrawn elsewhere."""

    list_display = ["name", "division", "club", "captain_name", "state"]
    list_select_related = ["division__season__league", "club"]
    search_fields = ["search_name", "captain_name"]
    readonly_fields = [
        *(
            "division",
            "club",
            "name",
            "state",
            "withdrawn_on",
            "play_off_place",
            "play_off_on",
            "seed",
        ),
    ]
    inlines = [TeamRoleInline]

    def has_add_permission(self, request):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


class BoardInline(ReadOnly, admin.TabularInline):
    model = Board
    fields = ["number", "home_player", "home_colour", "result", "award", "away_player", "played_on"]

    def get_queryset(self, request):
        return super().get_queryset(request).select_related("home_player", "away_player", "match")


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["played_on", "home", "away", "division", "state", "version", "entered_at"]
    list_filter = ["state"]
    list_select_related = ["home", "away", "division"]
    search_fields = ["home__search_name", "away__search_name"]
    ordering = ["-played_on", "-pk"]
    inlines = [BoardInline]


@admin.register(Adjustment)
class AdjustmentAdmin(admin.ModelAdmin):
    """Each decision goes through its workflow, so that the table follows at once."""

    list_display = ["team", "match_points", "game_points", "reason", "decided_on"]
    list_select_related = ["team"]
    raw_id_fields = ["team"]
    search_fields = ["team__search_name", "reason"]

    def get_readonly_fields(self, request, obj=None):
        return ["team"] if obj else []

    def save_model(self, request, obj, form, change):
        facts = {name: getattr(obj, name) for name in ("match_points", "game_points")}
        facts |= {"reason": obj.reason, "decided_on": obj.decided_on}
        facts |= {"by": request.user, "at": timezone.now()}
        if change:
            adjustments.change_adjustment(adjustment=obj.pk, **facts)
        else:
            obj.pk = adjustments.add_adjustment(team=obj.team_id, **facts).pk

    def delete_model(self, request, obj):
        adjustments.remove_adjustment(adjustment=obj.pk, by=request.user, at=timezone.now())

    def delete_queryset(self, request, queryset):
        for row in queryset:
            self.delete_model(request, row)


admin.site.register(
    [
        models.TeamEvent,
        models.TeamRoleEvent,
        models.LeagueRoleEvent,
        models.MatchEvent,
        models.BoardEvent,
        models.AdjustmentEvent,
    ],
    EventAdmin,
)
