"""Roles: what an account may do for a league, a club, a team or the grades, given and taken."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.models import Club, ClubRole, Player, User
from games.models import League, LeagueRole, Role, Team, TeamRole

MODELS = {
    Role.OFFICER: (LeagueRole, "league"),
    Role.SECRETARY: (ClubRole, "club"),
    Role.CAPTAIN: (TeamRole, "team"),
}


class RoleRefused(Exception):
    """The role cannot be taken away so; the text says why."""


@dataclass(frozen=True)
class Post:
    """A role and what it is of: a league, a club, a team, or nothing for the grades."""

    role: Role
    subject: League | Club | Team | None

    def __str__(self):
        words = {
            Role.OFFICER: _("officer of %s"),
            Role.SECRETARY: _("secretary of %s"),
            Role.CAPTAIN: _("captain of %s"),
            Role.GRADING: _("grading officer"),
        }[self.role]
        return words % self.subject if self.subject else words


@transaction.atomic
def give(*, user: int, post: Post) -> bool:
    """Give the account the role; whether it had not got it before."""
    if post.role == Role.GRADING:
        account = User.objects.select_for_update(no_key=True).get(pk=user)
        is_new, account.is_grading_officer = not account.is_grading_officer, True
        account.save(update_fields=["is_grading_officer"])
        return is_new
    model, name = MODELS[post.role]
    return model.objects.get_or_create(user_id=user, **{name: post.subject})[1]


@transaction.atomic
def withdraw(*, user: int, post: Post, by) -> bool:
    """Take the role from the account; whether it had it.

    Raises RoleRefused for the last officer of a league, whom only a superuser takes away: nobody
    could give the role again.
    """
    if post.role == Role.GRADING:
        account = User.objects.select_for_update(no_key=True).get(pk=user)
        had_it, account.is_grading_officer = account.is_grading_officer, False
        account.save(update_fields=["is_grading_officer"])
        return had_it
    model, name = MODELS[post.role]
    if post.role == Role.OFFICER and not by.is_superuser:
        lock_leagues([user])
        if post.subject in leagues_without([user]):
            raise RoleRefused(needs_an_officer(post.subject))
    return bool(model.objects.filter(user=user, **{name: post.subject}).delete()[0])


def lock_leagues(accounts: Collection[int]) -> None:
    """Lock the leagues that these accounts run: of two officers who go at once, one stays."""
    run = LeagueRole.objects.filter(user__in=accounts).values("league")
    rows = League.objects.filter(pk__in=run).order_by("pk").select_for_update(no_key=True)
    list(rows.values_list("pk"))


def leagues_without(accounts: Collection[int]) -> QuerySet[League]:
    """The leagues that would have no officer left without these accounts."""
    others = LeagueRole.objects.filter(user__is_active=True).exclude(user__in=accounts)
    run = LeagueRole.objects.filter(user__in=accounts).values("league")
    return League.objects.filter(pk__in=run).exclude(pk__in=others.values("league"))


def needs_an_officer(league: League) -> str:
    """Why the last officer of the league stays, in a sentence."""
    return _("%s would have no officer left. Invite another one first.") % league


def posts_of(accounts: Collection[int]) -> Iterator[Post]:
    """The roles that these accounts have."""
    for role, (model, name) in MODELS.items():
        path = "team__division__season" if role == Role.CAPTAIN else name
        for row in model.objects.filter(user__in=accounts).select_related(path).order_by("pk"):
            yield Post(role, getattr(row, name))
    if User.objects.filter(pk__in=accounts, is_grading_officer=True).exists():
        yield Post(Role.GRADING, None)


def withdraw_of_club(*, player: int | Player, club: int | Club) -> int:
    """Take from the player's account, if he has one, the roles of this club; how many there were.

    Who leaves a club is neither its secretary nor the captain of one of its teams any more; the
    caller ends the membership in the same transaction.
    """
    secretary = ClubRole.objects.filter(user__player=player, club=club).delete()[0]
    return secretary + TeamRole.objects.filter(user__player=player, team__club=club).delete()[0]
