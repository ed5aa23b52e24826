"""Who has which role, for the page on which roles are given and withdrawn."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db.models import Exists, OuterRef, Prefetch, Q

from clubs.access import clubs_of
from clubs.models import Club, ClubRole, User
from clubs.row_numbers import row_number
from games.access import clubs_to_keep, leagues_of, with_roles
from games.models import Invitation, InvitationState, League, LeagueRole, Role, Team, TeamRole

from . import invitations
from .roles import Post

# An invitation that nobody took stays on the page so long after it expired.
SHOWN_FOR = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Offer:
    """An invitation that is not accepted, and whether its link still works."""

    invitation: Invitation
    state: InvitationState


@dataclass(slots=True)
class PostLine:
    """A role with the accounts that have it and what is offered."""

    post: Post
    holders: list[User] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)

    @property
    def key(self) -> str:
        return key_of(self.post)


@dataclass(frozen=True, slots=True)
class ClubPosts:
    """A club with its secretaries and the captains of its teams."""

    club: Club
    lines: list[PostLine]


def key_of(post: Post) -> str:
    """How a form names the post, such as `captain-12`."""
    return f"{post.role.value}-{post.subject.pk if post.subject else 0}"


def posts_of(user: User) -> list[Post]:
    """The roles that the account has itself."""
    roles = user.league_roles.select_related("league").order_by("league__name", "pk")
    posts = [Post(Role.OFFICER, role.league) for role in roles]
    roles = user.club_roles.select_related("club").order_by("club__search_name")
    posts += [Post(Role.SECRETARY, role.club) for role in roles]
    teams = user.team_roles.select_related("team__division__season__league", "team__club")
    posts += [Post(Role.CAPTAIN, role.team) for role in teams.order_by("-team__division__season")]
    if user.is_grading_officer:
        posts.append(Post(Role.GRADING, None))
    return posts


def may_give_any(user: User) -> bool:
    return user.is_superuser or bool(leagues_of(user)) or bool(clubs_of(user))


def clubs_shown(user: User, q: str, today: date):
    """The clubs whose roles the account gives: those that play now, or those that are found."""
    clubs = clubs_to_keep(user).order_by("search_name", "pk")
    if q:
        return clubs.found(q)
    playing = Team.objects.filter(club=OuterRef("pk"), division__season__ends_on__gt=today)
    return clubs.filter(Exists(playing) | Q(pk__in=clubs_of(user)))


def league_lines(user: User, at: datetime) -> list[PostLine]:
    """The officers of the leagues that the account runs; for a superuser the graders before."""
    leagues = League.objects.order_by("name", "pk")
    if not user.is_superuser:
        leagues = leagues.filter(pk__in=leagues_of(user))
    lines = [PostLine(Post(Role.OFFICER, league)) for league in leagues]
    if user.is_superuser:
        lines.insert(0, PostLine(Post(Role.GRADING, None)))
    fill(lines, at)
    return lines


def club_posts(user: User, clubs: Iterable[Club], today: date, at: datetime) -> list[ClubPosts]:
    """These clubs with their posts, the teams of this season's leagues that the account may see."""
    clubs = list(clubs)
    teams = Team.objects.filter(
        club__in=clubs, division__season__ends_on__gt=today, division__season__closed_at=None
    )
    if not user.is_superuser:
        own = Q(club__in=clubs_of(user), division__season__published_at__isnull=False)
        teams = teams.filter(own | Q(division__season__league__in=leagues_of(user)))
    teams = teams.select_related("club", "division__season__league")
    by_club = defaultdict(list)
    for team in teams.order_by("division__season__league__name", "division__rank", "search_name"):
        by_club[team.club_id].append(PostLine(Post(Role.CAPTAIN, team)))
    found = [
        ClubPosts(club, [PostLine(Post(Role.SECRETARY, club)), *by_club[club.pk]]) for club in clubs
    ]
    fill([line for posts in found for line in posts.lines], at)
    return found


def fill(lines: list[PostLine], at: datetime) -> None:
    """Put holders and offers into these lines, in a few queries for all of them."""
    by_key = {line.key: line for line in lines}
    subjects = defaultdict(list)
    for line in lines:
        subjects[line.post.role].append(line.post.subject)
    for role, model, name in (
        (Role.OFFICER, LeagueRole, "league"),
        (Role.SECRETARY, ClubRole, "club"),
        (Role.CAPTAIN, TeamRole, "team"),
    ):
        if subjects[role]:
            held = model.objects.filter(**{f"{name}__in": subjects[role]}).select_related("user")
            for row in held.order_by("user__name", "user__email"):
                by_key[f"{role.value}-{getattr(row, f'{name}_id')}"].holders.append(row.user)
    if subjects[Role.GRADING]:
        graders = User.objects.filter(is_grading_officer=True).order_by("name", "email")
        by_key["grading-0"].holders.extend(graders)
    offered = Q(league__in=subjects[Role.OFFICER]) | Q(club__in=subjects[Role.SECRETARY])
    offered |= Q(team__in=subjects[Role.CAPTAIN])
    if subjects[Role.GRADING]:
        offered |= Q(role=Role.GRADING)
    offers = Invitation.objects.filter(
        offered, used_at=None, withdrawn_at=None, expires_at__gt=at - SHOWN_FOR
    )
    # Whoever made it is read with his roles: what he may not give any more, its link does not open.
    offers = list(
        offers.select_related("league", "club", "team__division__season").prefetch_related(
            Prefetch("invited_by", with_roles(User.objects))
        )
    )
    for offer, state in zip(offers, invitations.states_of(offers, at), strict=True):
        subject = offer.league_id or offer.club_id or offer.team_id or 0
        by_key[f"{offer.role}-{subject}"].offers.append(Offer(offer, state))


def post_named(key: str) -> Post | None:
    """The post that a form names by `key_of`; None where there is none."""
    role, _, text = key.partition("-")
    number = row_number(text)
    if role not in Role.values or number is None:
        return None
    if role == Role.GRADING:
        return Post(Role.GRADING, None)
    rows = {
        Role.OFFICER: League.objects,
        Role.SECRETARY: Club.objects,
        Role.CAPTAIN: Team.objects.select_related("club", "division__season__league"),
    }[Role(role)]
    subject = rows.filter(pk=number).first()
    return None if subject is None else Post(Role(role), subject)
