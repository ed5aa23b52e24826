"""A league of two pools, and an office in which anything may be corrected, in any order."""

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from hypothesis import event
from hypothesis import strategies as st

from clubs.models import Player
from games.match_cards.card_entries import entry_of
from games.match_cards.cards import BoardEntry, CardRefused, record_card
from games.models import Match
from games.registry.people import (
    CannotUndo,
    MergeRefused,
    MergeUndecided,
    merge_players,
    undo_merge,
)
from ratings import ledger, live, people
from ratings.ledger import Played
from ratings.models import OpeningRating
from tests.factories import (
    DivisionFactory,
    MatchFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    SeasonFactory,
    TeamFactory,
    pool,
)

FIRST_DAY = datetime.date(2024, 9, 2)
LAST_DAY = 500
AT = datetime.datetime(2026, 11, 24, 23, 14, tzinfo=datetime.UTC)
POOLS = ("standard", "rapid")
BOARDS = 2
MATCHES = 7  # of each pool; the last two have no card yet

# Name, opening, birth date: near a mark, near 30 games, near 18, and nothing known.
PEOPLE = [
    ("Lovell", ("standard", "elo", 22_950), None),
    ("McVale", ("standard", "grade", 162), None),
    ("Harte-Wynne", ("rapid", "elo", 15_400), None),
    ("Tso", None, datetime.date(2006, 12, 20)),
    ("Ibbot", None, None),
    ("Ravenscroft", ("standard", "elo", 17_020), datetime.date(2007, 5, 1)),
    ("Quill", None, None),
    ("Quil", ("standard", "elo", 18_110), None),
]
EVERYBODY = range(len(PEOPLE))
VETERAN = 4
EARLIER_GAMES = 28  # of him, so that a few cards more or less move the end of K 40


@dataclass
class League:
    """The pks of a small league, by number: its people and its matches, standard before rapid."""

    people: list[int] = field(default_factory=list)
    matches: list[int] = field(default_factory=list)


def make_league(order: Sequence[int] = EVERYBODY) -> League:
    """The league without any card, its players entered in this order."""
    made = League()
    season = SeasonFactory(league__slug="weald")
    players = {}
    for number in order:
        name, opening, birth = PEOPLE[number]
        players[number] = PlayerFactory(surname=name, birth_date=birth)
        if opening is not None:
            pool_name, system, value = opening
            OpeningRatingFactory(
                player=players[number], pool=pool(pool_name), system=system, value=value
            )
    made.people = [players[number].pk for number in range(len(PEOPLE))]
    for name in POOLS:
        rated = RatedEventFactory(name=name, source=f"weald/{name}", pool=pool(name))
        division = DivisionFactory(season=season, slug=name, rated_event=rated, board_count=BOARDS)
        home, away = (
            TeamFactory(division=division, order_number=number, name=f"Team {number}")
            for number in (1, 2)
        )
        made.matches += [
            MatchFactory(
                division=division,
                home=home,
                away=away,
                leg=number + 1,
                number=number,
                round=number,
                played_on=FIRST_DAY + datetime.timedelta(days=30 * number),
            ).pk
            for number in range(MATCHES)
        ]
    play_earlier(made.people[VETERAN])
    return made


def play_earlier(veteran: int) -> None:
    """The congress games of a player whose first 30 end in the league."""
    congress = RatedEventFactory(name="Congress", source="congress")
    strangers = [PlayerFactory(surname=f"Stranger {number}").pk for number in range(4)]
    games = [
        Played(
            source_key=f"congress:{number}",
            played_on=FIRST_DAY - datetime.timedelta(days=100 - number),
            round=number,
            board=1,
            number=number,
            white_id=veteran,
            black_id=strangers[number % 4],
            white_halves=number % 3,
            colours_known=True,
        )
        for number in range(EARLIER_GAMES)
    ]
    locked = ledger.lock_pool("standard")
    live.update(pool=locked, touched=ledger.post(event=congress, keys=(), games=games))


def first_cards() -> list[tuple]:
    """The cards there are before anything is corrected, as steps; the last two are to come."""
    return [
        ("card", match, match, [match % 3, (match + 1) % 3])
        for match in range(2 * MATCHES)
        if match % MATCHES < MATCHES - 2
    ]


match_numbers = st.integers(0, 2 * MATCHES - 1)
board_numbers = st.integers(1, BOARDS)
people_numbers = st.integers(0, len(PEOPLE) - 1)
results = st.sampled_from([0, 1, 2])
days = st.integers(0, LAST_DAY)
sides = st.sampled_from(["home", "away"])

cards = st.one_of(
    st.tuples(
        st.just("card"),
        match_numbers,
        st.integers(0, 15),
        st.lists(results, min_size=2, max_size=2),
    ),
    st.tuples(st.just("result"), match_numbers, board_numbers, results),
    st.tuples(st.just("result"), match_numbers, board_numbers, st.none()),
    st.tuples(st.just("default"), match_numbers, board_numbers),
    st.tuples(st.just("colour"), match_numbers, board_numbers),
    st.tuples(st.just("delete"), match_numbers, board_numbers),
    st.tuples(st.just("redate"), match_numbers, days),
    st.tuples(st.just("own date"), match_numbers, board_numbers, st.none() | days),
    st.tuples(st.just("replace"), match_numbers, board_numbers, sides, people_numbers),
)
births = st.none() | st.integers(0, 3000).map(
    lambda days: datetime.date(2003, 6, 1) + datetime.timedelta(days=days)
)
facts = st.one_of(
    st.tuples(st.just("birth"), people_numbers, births),
    st.tuples(
        st.just("opening"),
        people_numbers,
        st.sampled_from(POOLS),
        st.sampled_from([("elo", None), ("grade", None), ("elo", 22_990), ("elo", 14_205)])
        | st.integers(40, 240).map(lambda grade: ("grade", grade)),
        st.booleans(),
    ),
)
# Of each of these pairs one alone plays in a match, unless a card says otherwise.
merges = st.tuples(
    st.just("merge"), st.integers(0, 7), st.booleans(), st.sampled_from(["kept", "dropped"])
)
partings = st.tuples(st.just("part"), st.integers(0, 3))
steps = st.one_of(cards, cards, facts, merges, merges, partings)


class Office:
    """Takes the steps in a league; each way back is remembered."""

    def __init__(self, league: League):
        self.league = league
        self.ways_back: list[Callable[[], None]] = []
        self.merges: list[int] = []
        self.returns = True  # whether the ways back lead to every number

    def take(self, step: tuple) -> None:
        """Take a step by its workflow; one that is refused is none."""
        kind, *values = step
        known = {
            "birth": self.correct_birth,
            "opening": self.correct_opening,
            "merge": self.merge,
            "part": self.part,
        }
        done = known[kind](*values) if kind in known else self.correct_card(kind, *values)
        event(f"{kind}: {'done' if done else 'refused'}")

    def go_back(self) -> None:
        """Take every step back, the last one first."""
        while self.ways_back:
            self.ways_back.pop()()

    def correct_card(self, kind: str, number: int, *values) -> bool:
        match = Match.objects.get(pk=self.league.matches[number])
        before = [entry_of(board) for board in match.boards.order_by("number")]
        changed, day = self.changed_card(kind, before, match.played_on, *values)
        try:
            save_card(match, changed, day)
        except CardRefused:
            return False
        self.ways_back.append(
            lambda: save_card(Match.objects.get(pk=match.pk), before, match.played_on)
        )
        return True

    def changed_card(self, kind: str, entries: list[BoardEntry], day, *values):
        """The entries and the day of a card after a step of this kind."""
        if kind == "card":
            bits, found = values
            return [self.entry(board, bits, result) for board, result in enumerate(found, 1)], day
        if kind == "redate":
            return entries, FIRST_DAY + datetime.timedelta(days=values[0])
        board, *rest = values
        return [
            changed
            for entry in entries
            for changed in ([entry] if entry.number != board else self.changed(kind, entry, *rest))
        ], day

    def entry(self, board: int, bits: int, result: int) -> BoardEntry:
        """A board of two of the four players that the bits choose, one of each pair."""
        people = [self.league.people[2 * pair + (bits >> pair & 1)] for pair in range(4)]
        home, away = people[2 * board - 2 : 2 * board]
        return BoardEntry(board, home, away, "white" if board % 2 else "black", result)

    def changed(self, kind: str, entry: BoardEntry, *values) -> list[BoardEntry]:
        """The entry after a step of this kind; none if it is deleted."""
        if kind == "delete":
            return []
        if kind == "default":
            return [replace(entry, result=None, award="home_default")]
        if kind == "colour":
            return [
                replace(entry, home_colour="black" if entry.home_colour == "white" else "white")
            ]
        if kind == "result":
            return [replace(entry, result=values[0], award=None)]
        if kind == "own date":
            day = None if values[0] is None else FIRST_DAY + datetime.timedelta(days=values[0])
            return [replace(entry, played_on=day)]
        side, person = values
        return [replace(entry, **{side: self.league.people[person]})]

    def correct_birth(self, number: int, birth: datetime.date | None) -> bool:
        player = self.league.people[number]
        before = Player.objects.values_list("birth_date", flat=True).get(pk=player)
        people.correct_birth_date(player=player, birth_date=birth, by=None)
        self.ways_back.append(
            lambda: people.correct_birth_date(player=player, birth_date=before, by=None)
        )
        return True

    def correct_opening(self, number: int, pool_name: str, fact: tuple, provisional: bool) -> bool:
        system, value = fact
        key = {"player": self.league.people[number], "pool": pool_name, "system": system}
        before = OpeningRating.objects.filter(**key).first()
        said = {"dated_on": FIRST_DAY, "source": "test"}
        people.correct_opening(**key, value=value, provisional=provisional, by=None, **said)
        said["value"] = None if before is None else before.value
        said["provisional"] = before is not None and before.provisional
        self.ways_back.append(lambda: people.correct_opening(**key, by=None, **said))
        return True

    def merge(self, number: int, any_two: bool, side: str) -> bool:
        other = (number + 3) % 8 if any_two else number ^ 1
        keep, drop = (self.league.people[each] for each in (number, other))
        choices = {}
        try:
            merged = merge_with(keep, drop, choices)
        except MergeUndecided as error:
            choices = {conflict.name: side for conflict in error.conflicts}
            merged = merge_with(keep, drop, choices)
        except MergeRefused:
            return False
        self.merges.append(merged)
        self.ways_back.append(lambda: undo_merge(merge=merged, by=None, at=AT))
        return True

    def part(self, number: int) -> bool:
        """Undo an earlier merge, not as a way back: what came since stays."""
        if not self.merges:
            return False
        try:
            undo_merge(merge=self.merges[number % len(self.merges)], by=None, at=AT)
        except CannotUndo:
            return False
        self.returns = False
        return True


def merge_with(keep: int, drop: int, choices: dict[str, str]) -> int:
    return merge_players(keep=keep, drop=drop, by=None, at=AT, choices=choices).pk


def save_card(match: Match, boards: list[BoardEntry], day: datetime.date) -> None:
    record_card(match=match.pk, boards=boards, version=match.version, by=None, at=AT, played_on=day)
