"""Clubs and people as files write them: found in the registry, or added to it, many at a time."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import NamedTuple

from django.utils.text import slugify
from django.utils.translation import gettext as _

from .models import Club, Membership, Player
from .names import PersonName, ecf_code_ok, fold, search_key, team_club_name


class TwoCandidates(Exception):
    """A name without a code is that of several members; `candidates` are they."""

    def __init__(self, candidates: Collection[Player]):
        self.candidates = candidates
        super().__init__(candidates)

    def __str__(self):
        people = ", ".join(player.ecf_code or f"#{player.pk}" for player in self.candidates)
        return _(
            "%(count)d players of this club have this name (%(people)s);"
            " expected the ECF code of one of them"
        ) % {"count": len(self.candidates), "people": people}


class Found(NamedTuple):
    """A player, and what asking for him did: made him, or gave him a code or a membership."""

    player: Player
    new: bool = False
    changed: bool = False


class Directory:
    """The registry in memory while a file is matched with it.

    A person is found by code, else by folded name within the club. Whoever is found nowhere is
    made here, and stored with new clubs and memberships by `save`; until then he has no pk. Ask
    for everybody with a code before those without, so that the order of rows decides nothing.
    """

    def __init__(self):
        self._clubs: dict[str, Club] = {}
        self._slugs: set[str] = set()
        self._by_code: dict[str, Player] = {}
        self._by_name: dict[tuple[str, str], list[Player]] = defaultdict(list)
        self._members: set[tuple[str, int]] = set()
        self.new_clubs: list[Club] = []
        self.new_players: list[tuple[Player, Club | None]] = []
        self.new_members: list[tuple[Player, Club]] = []
        self.coded: list[Player] = []
        self.renamed: dict[tuple[str, str], Player] = {}

    @classmethod
    def load(cls, *, codes: Iterable[str] = ()) -> "Directory":
        """All clubs, and the players of these codes; members come by `load_members`."""
        directory = cls()
        for club in Club.objects.only("pk", "name", "slug", "search_name"):
            directory._clubs[club.search_name] = club
            directory._slugs.add(club.slug)
        known = Player.objects.filter(ecf_code__in=set(codes)).select_related("merged_into")
        for player in known:
            directory._by_code[player.ecf_code] = _kept(player)
        return directory

    def load_members(self, clubs: Iterable[Club]) -> None:
        """Everybody who is or was a member of these clubs: a file may be of long ago."""
        stored = [club.pk for club in clubs if club.pk is not None]
        people = {player.pk: player for player in self._by_code.values()}
        rows = Membership.objects.filter(club__in=stored).select_related("club", "player")
        for row in rows.order_by("player", "pk"):
            player = people.setdefault(row.player_id, row.player)
            key = (row.club.search_name, player.pk)
            if key not in self._members:
                self._members.add(key)
                self._by_name[row.club.search_name, player.search_name].append(player)
        self._load_merged(people)

    def _load_merged(self, people: Mapping[int, Player]) -> None:
        """Let the names under which members stood before a merge mean them too."""
        clubs = defaultdict(set)
        for club, pk in self._members:
            clubs[pk].add(club)
        for merged in Player.objects.filter(merged_into__in=people).order_by("pk"):
            kept = people[merged.merged_into_id]
            for club in clubs[kept.pk]:
                if kept not in self._by_name[club, merged.search_name]:
                    self._by_name[club, merged.search_name].append(kept)

    def club(self, name: str) -> Club:
        """The club of this name, new if there is none."""
        return self._clubs.get(fold(name)) or self._add_club(name)

    def club_of_team(self, name: str) -> Club:
        """The club of a team: that of its whole name, else of the name without A, B, 1 or II."""
        return self._clubs.get(fold(name)) or self.club(team_club_name(name))

    def person(self, *, name: PersonName, code: str | None, club: Club | None) -> Found:
        """The player a file means, a member of the club if one is given.

        Raises `TwoCandidates` for a name that only a code can decide.
        """
        search_name = search_key(name.surname, name.forenames)
        player = self._by_code.get(code) if code is not None else None
        if player is not None:
            if player.search_name != search_name:
                self.renamed[code, f"{name.surname}, {name.forenames}".rstrip(", ")] = player
            return Found(player, changed=self._add_member(player, club))
        same_name = self._by_name[club.search_name, search_name] if club else []
        if code is not None:
            same_name = [other for other in same_name if other.ecf_code is None]
        if len(same_name) > 1:
            raise TwoCandidates(same_name)
        if not same_name:
            return Found(self._add_player(name, code, club), new=True)
        player = same_name[0]
        if code is not None:
            player.ecf_code = code
            self._by_code[code] = player
            self.coded.append(player)
        return Found(player, changed=code is not None)

    def save(self, starts_on: date | None = None) -> None:
        """Store the clubs, players, codes and memberships that were new, these from `starts_on`.

        None is since ever: a file may be of long ago.
        """
        Club.objects.bulk_create(self.new_clubs)
        Player.objects.bulk_create([player for player, _club in self.new_players])
        Player.objects.bulk_update(self.coded, ["ecf_code"])
        Membership.objects.bulk_create(
            [
                Membership(player=player, club=club, starts_on=starts_on)
                for player, club in [*self.new_players, *self.new_members]
                if club is not None
            ]
        )

    def notices(self) -> list[str]:
        """Sentences on what is new and what to look at, for a person to read."""
        lines = [_("New club: %s") % club.name for club in self.new_clubs]
        about = [
            (_("New player: %(player)s (%(club)s)"), self.new_players),
            (_("New member: %(player)s (%(club)s)"), self.new_members),
        ]
        for sentence, pairs in about:
            lines += [
                sentence
                % {"player": player.listed_name, "club": club.name if club else _("no club")}
                for player, club in sorted(pairs, key=_by_club_and_name)
            ]
        lines += [
            _("Code added: %(code)s %(player)s")
            % {"code": player.ecf_code, "player": player.listed_name}
            for player in self.coded
        ]
        lines += [
            _("Doubtful code: %(code)s of %(player)s, its letter does not fit its digits")
            % {"code": player.ecf_code, "player": player.listed_name}
            for player in [*(player for player, _club in self.new_players), *self.coded]
            if player.ecf_code is not None and not ecf_code_ok(player.ecf_code)
        ]
        lines += [
            _("Another name: %(code)s is %(stored)s in the registry, the file says %(name)s")
            % {"code": code, "stored": player.listed_name, "name": name}
            for (code, name), player in self.renamed.items()
        ]
        return lines

    def _add_club(self, name: str) -> Club:
        root = slugify(name)[:80] or "x"
        slug, nth = root, 1
        while slug in self._slugs:
            nth += 1
            slug = f"{root}-{nth}"
        club = Club(name=name, slug=slug, search_name=fold(name))
        self._slugs.add(slug)
        self._clubs[club.search_name] = club
        self.new_clubs.append(club)
        return club

    def _add_player(self, name: PersonName, code: str | None, club: Club | None) -> Player:
        player = Player(surname=name.surname, forenames=name.forenames, ecf_code=code)
        player.fold_names()
        if club is not None:
            self._by_name[club.search_name, player.search_name].append(player)
        if code is not None:
            self._by_code[code] = player
        self.new_players.append((player, club))
        return player

    def _add_member(self, player: Player, club: Club | None) -> bool:
        """Make him a member of a club he never was a member of; False if there is none to make."""
        if club is None:
            return False
        members = self._by_name[club.search_name, player.search_name]
        if any(member is player for member in members):
            return False
        members.append(player)
        self.new_members.append((player, club))
        return True


def _kept(player: Player) -> Player:
    """The player, or the one he was merged into."""
    while player.merged_into is not None:
        player = player.merged_into
    return player


def _by_club_and_name(pair: tuple[Player, Club | None]) -> tuple[str, str]:
    player, club = pair
    return (club.search_name if club else "", player.sort_name)
