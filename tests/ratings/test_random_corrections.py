"""Whatever is corrected, in whatever order: the stored ratings are a rebuild's, row for row.

Every step goes the way it goes in a league: cards by `record_card`, facts from outside by the
rating office, two players merged by the league office. After each random sequence the ledger equals
the boards and every rating a rebuild; then every step is taken back, and every number with it.
"""

import datetime
import os
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from django.db import transaction
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from clubs.models import Player
from games.grading_office.verification import ledger_differences
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
from ratings import ledger, live, people, rebuilding
from ratings.ledger import Played
from ratings.models import EloGame, EloRating, OpeningRating, RatedGame, RatingPool
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

# Three hundred, or more for a night, by environment; the suite has ten minutes for all.
SEQUENCES = int(os.environ.get("TOPBOARD_RANDOM_CORRECTIONS", "100"))
RANDOM = settings(
    max_examples=SEQUENCES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
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


# --- What may happen ---------------------------------------------------------------------

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


# --- What has to be true -----------------------------------------------------------------

ELO_COLUMNS = [
    f"elo__{side}_{column}"
    for side in ("white", "black")
    for column in ("before", "change", "k", "games", "marks")
]
PLACE = ("played_on", "event__key", "round", "board", "number")


def numbers(names: dict[int, object] | None = None) -> dict[str, list]:
    """Every number there is, players as `names` calls them; nothing of how rows are stored."""

    def called(rows, *people):
        return sorted(
            tuple(
                names.get(value, value) if names and place in people else value
                for place, value in enumerate(row)
            )
            for row in rows
        )

    players = Player.objects.values_list("pk", "state", "merged_into", "birth_date")
    return {
        "games": called(
            RatedGame.objects.values_list("white", "black", *PLACE, "white_halves", *ELO_COLUMNS),
            *(0, 1),
        ),
        "ratings": called(
            EloRating.objects.values_list(
                "player", "pool", "rating", "games", "marks", "established"
            ),
            0,
        ),
        "openings": called(
            OpeningRating.objects.values_list("player", "pool", "system", "value", "provisional"), 0
        ),
        "people": sorted(called(players, 0, 2), key=repr),
    }


def assert_equals_a_rebuild() -> None:
    assert list(ledger_differences()) == []
    for rated in RatingPool.objects.filter(pk__in=POOLS):
        found = rebuilding.check(rated)
        assert (found.rows, found.ratings) == ([], [])


class RandomCorrections(TestCase):
    """Each example begins with the same league, and leaves nothing behind."""

    @classmethod
    def setUpTestData(cls):
        cls.league = make_league()
        office = Office(cls.league)
        for step in first_cards():
            assert office.correct_card(*step)
        cls.before = numbers()
        assert EloGame.objects.count() == 48

    @RANDOM
    @given(st.lists(steps, min_size=1, max_size=6))
    def test_corrections_equal_a_rebuild_and_taken_back_return_every_number(self, sequence):
        office = Office(self.league)
        for step in sequence:
            office.take(step)
        assert_equals_a_rebuild()
        if office.returns:
            office.go_back()
            assert numbers() == self.before


class OtherOrders(TestCase):
    """What happened, not when it was entered nor under which number, makes a rating."""

    @settings(RANDOM, max_examples=max(SEQUENCES // 20, 10))
    @given(
        st.lists(st.one_of(cards, facts), min_size=4, max_size=8),
        st.permutations(EVERYBODY),
        st.randoms(use_true_random=False),
    )
    def test_other_numbers_of_people_and_other_orders_of_entry_change_nothing(
        self, sequence, order, choose
    ):
        with rolled_back():
            league = make_league()
            office = Office(league)
            for step in [*first_cards(), *sequence]:
                office.take(step)
            expected = numbers(labels(league))
            facts_now = known_facts(league)
            entered = cards_now(league)
        again = make_league(order)
        choose.shuffle(facts_now)
        choose.shuffle(entered)
        for enter in choose.sample([*facts_now, *entered], len(facts_now) + len(entered)):
            enter(again)
        assert numbers(labels(again)) == expected


@contextmanager
def rolled_back():
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def labels(league: League) -> dict[int, object]:
    """What each player's pk stands for, the strangers by their names."""
    named = {pk: f"player {number}" for number, pk in enumerate(league.people)}
    strangers = Player.objects.exclude(pk__in=named).values_list("pk", "surname")
    return dict(strangers) | named


def known_facts(league: League) -> list[Callable[[League], object]]:
    """Ways to enter every birth date and opening there is into another league."""
    found = []
    for number, pk in enumerate(league.people):
        birth = Player.objects.values_list("birth_date", flat=True).get(pk=pk)
        found.append(partial(enter_birth, number=number, birth_date=birth))
        for name in POOLS:
            for system in ("elo", "grade"):
                row = OpeningRating.objects.filter(player=pk, pool=name, system=system).first()
                found.append(
                    partial(
                        enter_opening,
                        number=number,
                        pool=name,
                        system=system,
                        value=None if row is None else row.value,
                        provisional=row is not None and row.provisional,
                    )
                )
    return found


def enter_birth(league: League, number: int, birth_date) -> None:
    people.correct_birth_date(player=league.people[number], birth_date=birth_date, by=None)


def enter_opening(league: League, number: int, **said) -> None:
    said |= {"player": league.people[number], "dated_on": FIRST_DAY, "source": "test"}
    people.correct_opening(**said, by=None)


def cards_now(league: League) -> list[Callable[[League], object]]:
    """Ways to enter every card there is into another league."""
    numbers_of = {pk: number for number, pk in enumerate(league.people)}
    found = []
    for place, pk in enumerate(league.matches):
        match = Match.objects.get(pk=pk)
        boards = [entry_of(board) for board in match.boards.order_by("number")]
        seated = [
            replace(board, home=numbers_of[board.home], away=numbers_of[board.away])
            for board in boards
        ]
        found.append(partial(enter_card, place=place, boards=seated, day=match.played_on))
    return found


def enter_card(league: League, place: int, boards: list[BoardEntry], day) -> None:
    match = Match.objects.get(pk=league.matches[place])
    boards = [
        replace(board, home=league.people[board.home], away=league.people[board.away])
        for board in boards
    ]
    save_card(match, boards, day)
