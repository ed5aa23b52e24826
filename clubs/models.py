"""Who: clubs, players, memberships and accounts."""

from datetime import date

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateRangeField, RangeBoundary, RangeOperators
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import ExtractYear, Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .devices import Device  # noqa: F401  (the model of sessions)
from .history import tracked
from .juniors import HIDDEN_NAME, is_known_under_18
from .names import fold, full_name, search_key, sort_key
from .querysets import ClubQuerySet, MembershipQuerySet, PlayerQuerySet


class Weekday(models.IntegerChoices):
    MONDAY = 0, _("Monday")
    TUESDAY = 1, _("Tuesday")
    WEDNESDAY = 2, _("Wednesday")
    THURSDAY = 3, _("Thursday")
    FRIDAY = 4, _("Friday")
    SATURDAY = 5, _("Saturday")
    SUNDAY = 6, _("Sunday")


class Gender(models.TextChoices):
    FEMALE = "F", _("female")
    MALE = "M", _("male")


class PlayerState(models.TextChoices):
    ACTIVE = "active", pgettext_lazy("of a person", "active")
    PENDING = "pending", _("pending")
    RETIRED = "retired", _("retired")
    MERGED = "merged", _("merged into another")
    ERASED = "erased", _("erased")


# Who is proposed for no card and registered nowhere.
LEFT = (PlayerState.RETIRED, PlayerState.ERASED)


class DateRange(Func):
    """The SQL `daterange(lower, upper, bounds)` of two date columns."""

    function = "DATERANGE"
    output_field = DateRangeField()


class Venue(models.Model):
    """A hall in which clubs play at home, maybe several; `match_limit` is how many matches fit.

    None is no limit.
    """

    name = models.CharField(_("name"), max_length=100, unique=True)
    match_limit = models.SmallIntegerField(_("matches a night"), null=True, blank=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(match_limit__isnull=True) | Q(match_limit__gte=0),
                name="clubs_venue_limit_not_negative",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="clubs_venue_name_not_blank"),
        ]

    def __str__(self):
        return self.name


@tracked()
class Club(models.Model):
    """A chess club: where it meets, when, and whom to ask."""

    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(_("address"), max_length=100, unique=True)
    search_name = models.CharField(max_length=100, editable=False, db_collation="C")
    code = models.CharField(_("ECF club code"), max_length=10, null=True, blank=True, unique=True)
    venue = models.TextField(_("venue"), blank=True)
    hall = models.ForeignKey(
        Venue,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="clubs",
        verbose_name=_("hall"),
        help_text=_("Shared with other clubs; it may hold only so many matches a night."),
    )
    access = models.TextField(_("access"), blank=True)
    club_night = models.SmallIntegerField(
        _("club night"), choices=Weekday.choices, null=True, blank=True
    )
    start_time = models.TimeField(_("start time"), null=True, blank=True)
    contact_name = models.CharField(_("contact"), max_length=100, blank=True)
    contact_email = models.EmailField(_("contact's e-mail"), blank=True)
    contact_phone = models.CharField(_("contact's phone"), max_length=40, blank=True)

    objects = ClubQuerySet.as_manager()

    class Meta:
        ordering = ["search_name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["search_name"], name="clubs_club_one_per_name"),
            models.CheckConstraint(
                condition=Q(code__isnull=True) | ~Q(code=""), name="clubs_club_code_not_blank"
            ),
        ]

    def __str__(self):
        return self.name

    def save(self, **kwargs):
        self.search_name = fold(self.name)
        super().save(**kwargs)

    def get_absolute_url(self):
        return reverse("club_detail", args=[self.slug])


@tracked()
class Player(models.Model):
    """A person who plays: name, codes, and what is private (gender, birth).

    One who was found to be the same person as another is merged into him and stays as a name
    that leads there; he is a member of nothing and has no games.
    """

    surname = models.CharField(_("surname"), max_length=100)
    forenames = models.CharField(_("forenames"), max_length=100, blank=True)
    sort_name = models.CharField(max_length=201, editable=False, db_collation="C")
    search_name = models.CharField(max_length=201, editable=False, db_collation="C")
    ecf_code = models.CharField(_("ECF code"), max_length=7, null=True, blank=True, unique=True)
    membership_number = models.CharField(
        _("membership number"), max_length=12, null=True, blank=True, unique=True
    )
    membership_expires_on = models.DateField(_("membership expires on"), null=True, blank=True)
    fide_id = models.PositiveIntegerField(_("FIDE number"), null=True, blank=True, unique=True)
    title = models.CharField(_("title"), max_length=4, blank=True)
    federation = models.CharField(_("federation"), max_length=3, blank=True)
    gender = models.CharField(  # noqa: DJ001
        _("gender"), max_length=1, choices=Gender.choices, null=True, blank=True
    )
    birth_year = models.SmallIntegerField(_("year of birth"), null=True, blank=True)
    birth_date = models.DateField(_("date of birth"), null=True, blank=True)
    name_consent = models.BooleanField(_("name may be shown"), null=True, blank=True)
    state = models.CharField(
        _("state"), max_length=8, choices=PlayerState.choices, default=PlayerState.ACTIVE
    )
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="merged_players"
    )

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ["sort_name", "pk"]
        indexes = [
            models.Index(fields=["sort_name"], name="clubs_player_by_name"),
            models.Index(
                fields=["search_name"],
                name="clubs_player_by_search",
                opclasses=["text_pattern_ops"],
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(ecf_code__isnull=True) | Q(ecf_code__regex=r"^\d{6}[A-HJ-L]$"),
                name="clubs_player_ecf_code_shape",
                violation_error_message=_("An ECF code is six digits and a letter, like 123456A."),
            ),
            models.CheckConstraint(
                condition=Q(membership_number__isnull=True) | ~Q(membership_number=""),
                name="clubs_player_membership_number_not_blank",
            ),
            models.CheckConstraint(
                condition=Q(birth_date__isnull=True)
                | Q(birth_year__isnull=True)
                | Q(birth_year=ExtractYear("birth_date")),
                name="clubs_player_birth_year_agrees",
                violation_error_message=_("The year of birth is not that of the birth date."),
            ),
            models.CheckConstraint(condition=~Q(surname=""), name="clubs_player_surname_not_blank"),
            models.CheckConstraint(
                condition=Q(state=PlayerState.MERGED, merged_into__isnull=False)
                & ~Q(merged_into=F("pk"))
                | ~Q(state=PlayerState.MERGED) & Q(merged_into__isnull=True),
                name="clubs_player_merged_into_another",
                violation_error_message=_("Players are merged on the page for it."),
            ),
        ]

    def __str__(self):
        return full_name(self.surname, self.forenames)

    def save(self, **kwargs):
        self.fold_names()
        if kwargs.get("update_fields") is not None:
            kwargs["update_fields"] = {*kwargs["update_fields"], "sort_name", "search_name"}
        super().save(**kwargs)

    def get_absolute_url(self):
        return reverse("player_detail", args=[self.pk])

    def fold_names(self):
        """Fill the two columns that order and find him; bulk writers call this themselves."""
        self.sort_name = sort_key(self.surname, self.forenames)
        self.search_name = search_key(self.surname, self.forenames)

    @property
    def listed_name(self) -> str:
        """The name as a list shows it: surname first."""
        return f"{self.surname}, {self.forenames}" if self.forenames else self.surname

    def is_hidden(self, today: date) -> bool:
        """Whether the public does not see his name on `today`: known under 18, and no consent."""
        return not self.name_consent and self.is_known_under_18(today)

    def is_known_under_18(self, today: date) -> bool:
        """Whether he is under 18 on `today` for sure."""
        return is_known_under_18(self.birth_date, self.birth_year, today)

    def public_name(self, today: date) -> str:
        """His name as everybody may see it on `today`."""
        return str(HIDDEN_NAME) if self.is_hidden(today) else str(self)

    def public_listed_name(self, today: date) -> str:
        """`listed_name` as everybody may see it on `today`."""
        return str(HIDDEN_NAME) if self.is_hidden(today) else self.listed_name


@tracked()
class Membership(models.Model):
    """A player's time at a club, `[starts_on, ends_on)`; either end may be open."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="memberships")
    player = models.ForeignKey(Player, models.PROTECT, related_name="memberships")
    starts_on = models.DateField(_("from"), null=True, blank=True)
    ends_on = models.DateField(_("to"), null=True, blank=True)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["club", "player", "starts_on"]
        constraints = [
            ExclusionConstraint(
                name="clubs_membership_no_overlap",
                violation_error_message=_("The player is a member of this club then already."),
                # The player first: PostgreSQL looks memberships of a player up in this index.
                expressions=[
                    ("player", RangeOperators.EQUAL),
                    ("club", RangeOperators.EQUAL),
                    (
                        DateRange("starts_on", "ends_on", RangeBoundary()),
                        RangeOperators.OVERLAPS,
                    ),
                ],
            ),
            models.CheckConstraint(
                condition=Q(starts_on__isnull=True)
                | Q(ends_on__isnull=True)
                | Q(starts_on__lt=F("ends_on")),
                name="clubs_membership_ends_after_it_starts",
                violation_error_message=_("A time ends after it starts."),
            ),
        ]

    def __str__(self):
        return f"{self.player}, {self.club}"


class UserManager(BaseUserManager):
    """Makes accounts that log in by e-mail address."""

    def create_user(self, email, password=None, **fields):
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email, password=None, **fields):
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, email):
        return self.get(email__iexact=email)


@tracked(
    model_name="UserEvent",
    fields=["email", "player", "is_grading_officer", "is_staff", "is_superuser", "is_active"],
)
class User(AbstractBaseUser, PermissionsMixin):
    """An account; it logs in by e-mail address and may be linked to the person it belongs to."""

    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=100, blank=True)
    player = models.OneToOneField(
        Player, models.SET_NULL, null=True, blank=True, related_name="user"
    )
    is_grading_officer = models.BooleanField(_("grading officer"), default=False)
    is_staff = models.BooleanField(_("may use the admin"), default=False)
    is_active = models.BooleanField(pgettext_lazy("of a person", "active"), default=True)
    wants_reminders = models.BooleanField(_("reminders by mail"), default=True)
    language = models.CharField(
        _("language of mails"),
        max_length=10,
        blank=True,
        help_text=_("Chosen on the pages; without one the site’s."),
    )
    date_joined = models.DateTimeField(_("joined"), auto_now_add=True)

    objects = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: list[str] = []

    class Meta:
        ordering = ["email"]
        constraints = [
            # The login looks for the address in lower case, whatever was typed; so one is unique.
            models.CheckConstraint(
                condition=Q(email=Lower("email")), name="clubs_user_address_in_lower_case"
            ),
        ]

    def __str__(self):
        return self.name or self.email

    def clean(self):
        self.email = self.email.strip().lower()

    def keep_language(self, code: str | None) -> None:
        """Store in which language the account reads, if there is such a one."""
        if code in dict(settings.LANGUAGES) and code != self.language:
            self.language = code
            self.save(update_fields=["language"])

    def get_full_name(self):
        return str(self)

    def get_short_name(self):
        return str(self)


@tracked()
class ClubRole(models.Model):
    """A secretary: an account that acts for a club."""

    user = models.ForeignKey(User, models.CASCADE, related_name="club_roles")
    club = models.ForeignKey(Club, models.CASCADE, related_name="roles")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "club"], name="clubs_clubrole_once"),
        ]

    def __str__(self):
        return f"{self.user}, {self.club}"
