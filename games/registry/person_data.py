"""All that is kept of a person, for himself: the answer to a request for his data."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from clubs.models import Player, User
from games.history.histories import of_player
from games.models import Board, Invitation, PlayerMerge, Registration, Team, Violation
from ratings.models import EloRating, Grade, OpeningRating, RatedGame

Section = dict[str, Any] | list[dict[str, Any]]

PERSON = (
    *("surname", "forenames", "ecf_code", "membership_number", "membership_expires_on"),
    *("fide_id", "title", "federation", "gender", "birth_year", "birth_date", "name_consent"),
    "state",
)


def data_of(player: Player | None, account: User | None) -> dict[str, Section]:
    """What is kept of a player and of his account, either of which may be None, by section.

    Of opponents it holds nothing but the pk of the game: their names are theirs.
    """
    found: dict[str, Section] = {}
    if player is not None:
        found |= _of_player(player)
    if account is not None:
        found |= _of_account(account)
    return found


def _of_player(player: Player) -> dict[str, Section]:
    own = Q(home_player=player) | Q(away_player=player)
    boards = Board.objects.filter(own).select_related("match__home", "match__away")
    games = RatedGame.objects.of_player(player.pk).with_ratings().newest_first()
    return {
        "person": {name: getattr(player, name) for name in PERSON},
        "clubs": [
            {"club": row.club.name, "from": row.starts_on, "to": row.ends_on}
            for row in player.memberships.select_related("club").order_by("starts_on", "pk")
        ],
        "registrations": [
            {
                "season": str(row.season),
                "club": row.club.name,
                "team": row.team.name if row.team else None,
                "from": row.starts_on,
                "to": row.ends_on,
            }
            for row in Registration.objects.filter(player=player)
            .select_related("season__league", "club", "team")
            .order_by("starts_on", "pk")
        ],
        "boards": [
            {
                "date": row.played_on or row.match.played_on,
                "match": str(row.match),
                "board": row.number,
                "points": points_of(row, player),
            }
            for row in boards.order_by("match__played_on", "pk")
        ],
        "rated_games": [
            {
                "date": side.game.played_on,
                "event": side.game.event.name,
                "colour": side.colour or None,
                "points": None if side.halves is None else side.halves / 2,
                "elo_before": None if side.before is None else side.before / 10,
                "change": None if side.change is None else side.change / 10,
            }
            for side in (game.seen_by(player) for game in games)
        ],
        "ratings": [
            {"pool": row.pool_id, "elo": row.rating / 10, "games": row.games}
            for row in EloRating.objects.filter(player=player).order_by("pool")
        ],
        "openings": [
            {
                "pool": row.pool_id,
                "system": row.system,
                "value": row.value,
                "date": row.dated_on,
                "source": row.source,
            }
            for row in OpeningRating.objects.filter(player=player).order_by("pool", "system")
        ],
        "grades": [
            {"list": row.grade_list.cutoff, "pool": row.grade_list.pool_id, "grade": row.published}
            for row in Grade.objects.filter(player=player)
            .select_related("grade_list")
            .order_by("grade_list__cutoff", "pk")
        ],
        "violations": [
            {"match": str(row.match), "rule": row.rule, "decision": row.decision, "note": row.note}
            for row in Violation.objects.filter(player=player)
            .select_related("match__home", "match__away")
            .order_by("pk")
        ],
        "merged_entries": [
            {"name": str(row.dropped), "merged_at": row.merged_at, "undone_at": row.undone_at}
            for row in PlayerMerge.objects.filter(kept=player)
            .select_related("dropped")
            .order_by("pk")
        ],
        "history": [{"at": told.at, "what": "; ".join(told.lines)} for told in of_player(player)],
    }


def points_of(board: Board, player: Player) -> float | None:
    """The points the league counts for him on a board."""
    halves = board.home_halves if board.home_player_id == player.pk else board.away_halves
    return None if halves is None else halves / 2


def _of_account(account: User) -> dict[str, Section]:
    return {
        "account": {
            "email": account.email,
            "name": account.name,
            "joined": account.date_joined,
            "last_login": account.last_login,
            "grading_officer": account.is_grading_officer,
            "language": account.language,
        },
        "roles": [{"role": words} for words in roles_of(account)],
        "contact": [
            {"team": str(team), "name": team.captain_name, "phone": team.captain_phone}
            for team in Team.objects.filter(captain_email__iexact=account.email).order_by("pk")
        ],
        "devices": [
            {"device": device.agent, "logged_in": device.logged_in_at, "last_seen": device.seen_at}
            for device in account.devices.order_by("-seen_at", "pk")
        ],
        "invitations": [
            {"invitation": str(row), "email": row.email, "invited_at": row.invited_at}
            for row in Invitation.objects.filter(
                Q(used_by=account) | Q(email__iexact=account.email)
            )
            .select_related("league", "club", "team")
            .order_by("pk")
        ],
    }


def roles_of(account: User) -> Iterable[str]:
    """For whom the account acts: leagues, clubs, teams."""
    yield from (str(role.league) for role in account.league_roles.select_related("league"))
    yield from (str(role.club) for role in account.club_roles.select_related("club"))
    yield from (str(role.team) for role in account.team_roles.select_related("team"))
