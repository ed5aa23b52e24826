"""What is known of the people of the demo, and how they come into the registry."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, time

from clubs.history import forget_context
from clubs.models import Club, Membership, Player
from clubs.names import ecf_code_ok, search_key, split_name
from ratings.player_import import import_players


@dataclass(frozen=True, slots=True, eq=False)
class DemoPlayer:
    """Somebody of the demo: `strength` is the rating he plays like.

    `known` says what he comes with: "rating", "grade" or "new" for nothing, not even a code.
    `age` is given for juniors alone. A guest plays only where the demo says so.
    """

    name: str
    strength: int
    known: str = "rating"
    age: int | None = None
    may_be_named: bool | None = None
    guest: bool = False

    @property
    def grade(self) -> int:
        """The grade that the strength is: (strength - 700) / 7.5, downwards."""
        return (self.strength - 700) * 2 // 15


@dataclass(frozen=True, slots=True, eq=False)
class DemoClub:
    """A club of the demo: where it meets, and when."""

    name: str
    night: int
    starts_at: time
    venue: str
    access: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class DemoTeam:
    """A club's team and who plays in it, the strongest first; some play for two teams."""

    name: str
    club: DemoClub
    players: tuple[DemoPlayer, ...]

    @property
    def regulars(self) -> list[DemoPlayer]:
        return [player for player in self.players if not player.guest]

    def named(self, *names: str) -> tuple[DemoPlayer, ...]:
        """Those of its players who are called so."""
        return tuple(player for player in self.players if player.name in names)

    @property
    def guests(self) -> list[DemoPlayer]:
        return [player for player in self.players if player.guest]


def squad(text: str) -> tuple[DemoPlayer, ...]:
    """Players from lines of name, strength and, behind them, what is special about them."""
    people = []
    for line in text.strip().splitlines():
        name, strength, *special = (part.strip() for part in line.split("|"))
        facts = {key: value for key, _sign, value in (word.partition("=") for word in special)}
        people.append(
            DemoPlayer(
                name,
                int(strength),
                "new" if "new" in facts else "grade" if "grade" in facts else "rating",
                int(facts["age"]) if "age" in facts else None,
                "named" in facts or None,
                "guest" in facts,
            )
        )
    return tuple(people)


def add_people(
    *, teams: Sequence[DemoTeam], rapid_teams: Sequence[DemoTeam], today: date, as_of: date
) -> dict[DemoPlayer, Player]:
    """Clubs, players and what opens their ratings; returns who is who in the registry.

    Grades and ratings are of the day `as_of`. Who has a grade at the slow rate and plays in a
    rapid team has one there too, a little lower.
    """
    homes: dict[DemoPlayer, DemoClub] = {}
    for team in teams:
        for player in team.players:
            homes.setdefault(player, team.club)
    codes = _codes_of(homes)
    rows = [
        (
            *(player.name, club.name, codes.get(player, "")),
            player.grade if player.known == "grade" else "",
            player.strength if player.known == "rating" else "",
        )
        for player, club in homes.items()
    ]
    _import_openings(rows, "standard", "Grades of the old league secretary", as_of)
    rows = [
        (player.name, team.club.name, codes[player], player.grade - 4, "")
        for team in rapid_teams
        for player in team.players
        if player.known != "new"
    ]
    _import_openings(rows, "rapid", "Grades of the old rapid cup", as_of)
    _describe_clubs({team.club for team in teams})
    people = _who_is_who(homes, codes)
    for known, player in people.items():
        if known.age is not None:
            player.birth_date = date(today.year - known.age, 1, 1)
            player.birth_year = player.birth_date.year
            player.name_consent = known.may_be_named
            player.save()
    return people


def _import_openings(rows: list[tuple], pool: str, source: str, as_of: date) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([("name", "club", "code", "grade", "rating"), *rows])
    content = out.getvalue().encode()
    import_players(content=content, source=source, pool=pool, as_of=as_of, by=None)
    forget_context()


def _describe_clubs(described: Iterable[DemoClub]) -> None:
    clubs = {club.name: club for club in Club.objects.all()}
    for about in described:
        club = clubs[about.name]
        club.venue, club.access = about.venue, about.access
        club.club_night, club.start_time = about.night, about.starts_at
        club.contact_name = f"Secretary of {about.name}"
        club.contact_email = f"{club.slug}@demo.example"
        club.save()


def _who_is_who(
    homes: dict[DemoPlayer, DemoClub], codes: dict[DemoPlayer, str]
) -> dict[DemoPlayer, Player]:
    """Each one's row: by his code, else by his name within his club."""
    members = Membership.objects.select_related("club", "player").order_by("player")
    by_name = {(row.club.name, row.player.search_name): row.player for row in members}
    by_code = {row.player.ecf_code: row.player for row in members}
    return {
        player: by_code[codes[player]]
        if player in codes
        else by_name[club.name, search_key(*split_name(player.name))]
        for player, club in homes.items()
    }


def _codes_of(players: Iterable[DemoPlayer]) -> dict[DemoPlayer, str]:
    """ECF codes of those who are not new."""
    return dict(zip((p for p in players if p.known != "new"), _codes(), strict=False))


def _codes() -> Iterator[str]:
    """ECF codes that fit their check letter; nobody has one that begins with 9."""
    for number in range(900201, 1_000_000):
        yield next(f"{number}{c}" for c in "ABCDEFGHJKL" if ecf_code_ok(f"{number}{c}"))
