"""The admin of clubs, players and accounts: for looking and simple upkeep, no rule of chess in it.

What a workflow owns is read-only, here and in the admins of ratings and games, since a change
past the workflow would leave table, ledger and ratings apart.
"""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.widgets import AdminEmailInputWidget
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext_lazy as _
from procrastinate.contrib.django.models import ProcrastinateJob

from . import devices, models
from .models import Club, ClubRole, Membership, Player, User
from .row_numbers import row_number

# Nobody edits a second table of addresses; jobs hold what a mail says and to whom; and nobody
# looks at what another's second factor is made of.
admin.site.unregister([EmailAddress, ProcrastinateJob, Authenticator])
admin.site.site_header = admin.site.site_title = "Topboard"


class ReadOnly:
    """Mixed into an admin or an inline: one may look, and nothing else."""

    def has_add_permission(self, request, obj=None):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


class HeldAdmin(admin.ModelAdmin):
    """What other rows hold cannot be deleted, and the page lists those rows."""

    def get_deleted_objects(self, objs, request):
        gone, counts, perms_needed, protected = super().get_deleted_objects(objs, request)
        # Django would name a missing right first, also of what cannot be deleted at all.
        return gone, counts, set() if protected else perms_needed, protected


class FoundAdmin(HeldAdmin):
    """Searched as the pages are: by words in any order, ignoring case and accents."""

    search_fields = ["search_name"]

    def get_search_results(self, request, queryset, search_term):
        found = queryset.found(search_term) if search_term.strip() else queryset
        return found, False


class KeptAddress:
    """Mixed into an admin: the slug is chosen once, since people keep the page's address."""

    prepopulated_fields = {"slug": ["name"]}

    def get_readonly_fields(self, request, obj=None):
        return [*super().get_readonly_fields(request, obj), *(["slug"] if obj else [])]

    def get_prepopulated_fields(self, request, obj=None):
        return {} if obj else self.prepopulated_fields


class ClubRoleInline(admin.TabularInline):
    model = ClubRole
    raw_id_fields = ["user", "club"]
    extra = 0


class MembershipInline(ReadOnly, admin.TabularInline):
    model = Membership


@admin.register(Club)
class ClubAdmin(KeptAddress, FoundAdmin):
    list_display = ["name", "code", "club_night", "venue"]
    inlines = [ClubRoleInline]


@admin.register(Player)
class PlayerAdmin(FoundAdmin):
    list_display = ["listed_name", "ecf_code", "title", "state"]
    list_filter = ["state"]

    def get_inlines(self, request, obj):
        return [MembershipInline] if obj else []

    def get_readonly_fields(self, request, obj=None):
        # A corrected birth date rates his games anew, so it is not changed by the way.
        return ["birth_date"] if obj else []


@admin.register(Membership)
class MembershipAdmin(ReadOnly, admin.ModelAdmin):
    """Looked at: registrations and roles go with it, so people join and leave in the office."""

    list_display = ["player", "club", "starts_on", "ends_on"]
    list_select_related = ["player", "club"]
    search_fields = ["player__search_name", "club__search_name"]

    def changelist_view(self, request, extra_context=None):
        words = _("People join and leave clubs in the office, on their page under “Players”.")
        return super().changelist_view(request, {"subtitle": words, **(extra_context or {})})


class NewUserForm(AdminUserCreationForm):
    class Meta:
        model = User
        fields = ["email", "name"]
        # Somebody else's: no browser fills in its own owner's address.
        widgets = {"email": AdminEmailInputWidget(attrs={"autocomplete": "off"})}


class UserForm(UserChangeForm):
    class Meta:
        model = User
        fields = "__all__"


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Accounts are made here or by an invitation; without a password one logs in by a code."""

    actions = ["remove_second_factor"]
    form = UserForm
    add_form = NewUserForm
    ordering = ["email"]
    list_display = ["email", "name", "is_active", "is_grading_officer", "is_staff", "last_login"]
    list_filter = ["is_active", "is_grading_officer", "is_staff"]
    search_fields = ["email", "name"]
    raw_id_fields = ["player"]
    readonly_fields = ["last_login", "date_joined"]
    fieldsets = [
        (None, {"fields": ["email", "name", "player", "password"]}),
        (_("Rights"), {"fields": ["is_active", "is_grading_officer"]}),
        (
            _("Admin"),
            {
                "classes": ["collapse"],
                "fields": ["is_staff", "is_superuser", "groups", "user_permissions"],
            },
        ),
        (_("Dates"), {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [
        (None, {"fields": ["email", "name", "usable_password", "password1", "password2"]}),
    ]

    def save_model(self, request, obj, form, change):
        super().save_model(request, obj, form, change)
        if not obj.is_active:
            devices.end_all(user=obj)

    @admin.action(description=_("Remove the second factor, and log out everywhere"))
    def remove_second_factor(self, request, queryset):
        if not self.has_change_permission(request):
            raise PermissionDenied
        for account in queryset:
            if may_touch(request.user, account):
                Authenticator.objects.filter(user=account).delete()
                devices.end_all(user=account)

    def get_inlines(self, request, obj):
        return [ClubRoleInline] if obj else []

    def get_readonly_fields(self, request, obj=None):
        rights = ["is_staff", "is_superuser", "groups", "user_permissions"]
        return [*self.readonly_fields, *([] if request.user.is_superuser else rights)]

    def has_change_permission(self, request, obj=None):
        return super().has_change_permission(request, obj) and may_touch(request.user, obj)

    def has_delete_permission(self, request, obj=None):
        return super().has_delete_permission(request, obj) and may_touch(request.user, obj)


def may_touch(user, account: User | None) -> bool:
    """Whether `user` may change this account: a superuser's only another superuser may."""
    return user.is_superuser or account is None or not account.is_superuser


class EventAdmin(ReadOnly, admin.ModelAdmin):
    """What was done to rows of one kind, latest first; the search takes a row's number."""

    list_display = ["pgh_created_at", "pgh_label", "pgh_obj_id", "done_by", "done_at"]
    list_filter = ["pgh_label"]
    search_fields = ["pgh_obj"]
    ordering = ["-pgh_id"]
    show_full_result_count = False

    def get_search_results(self, request, queryset, search_term):
        if not search_term.strip():
            return queryset, False
        return queryset.filter(pgh_obj=row_number(search_term.strip()) or 0), False

    @admin.display(description=_("account"))
    def done_by(self, event):
        return (event.pgh_context or {}).get("user")

    @admin.display(description=_("page"))
    def done_at(self, event):
        return (event.pgh_context or {}).get("url")


admin.site.register(
    [
        models.ClubEvent,
        models.PlayerEvent,
        models.MembershipEvent,
        models.UserEvent,
        models.ClubRoleEvent,
    ],
    EventAdmin,
)
