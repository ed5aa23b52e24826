"""Roles: what an account may do for a league, a club, a team or the grades, given and taken."""

from dataclasses import dataclass

from django.db import transaction
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
        # Of two officers who take the role from each other at once, one keeps it.
        League.objects.select_for_update(no_key=True).get(pk=post.subject.pk)
        officers = LeagueRole.objects.filter(league=post.subject, user__is_active=True)
        if not officers.exclude(user=user).exists():
            words = _("%s would have no officer left. Invite another one first.")
            raise RoleRefused(words % post.subject)
    return bool(model.objects.filter(user=user, **{name: post.subject}).delete()[0])


def withdraw_of_club(*, player: int | Player, club: int | Club) -> int:
    """Take from the player's account, if he has one, the roles of this club; how many there were.

    Who leaves a club is neither its secretary nor the captain of one of its teams any more; the
    caller ends the membership in the same transaction.
    """
    secretary = ClubRole.objects.filter(user__player=player, club=club).delete()[0]
    return secretary + TeamRole.objects.filter(user__player=player, team__club=club).delete()[0]
