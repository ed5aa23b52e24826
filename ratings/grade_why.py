"""Where a player's grade comes from, read for the page that explains it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from clubs.models import Player

from . import ecf
from .ecf import GradeRules, OpeningGrade
from .grading import OTHER_RATE
from .list_games import GameNow, GradeUsed, Kept
from .models import (
    EloRating,
    Grade,
    GradedGame,
    GradeList,
    OpeningRating,
    PlayerGame,
    RatedGame,
    System,
)
from .reckoning import Reckoning, reckon


@dataclass(frozen=True, slots=True)
class GameLeftOut:
    """A game of the list's 36 months that is not in it: without an anchor, or come in later."""

    side: PlayerGame
    unanchored: bool


@dataclass(frozen=True, slots=True)
class OpeningKnown:
    """The opening grade as a fact from outside; `rating` in tenths if it was converted from one."""

    grade: OpeningGrade
    source: str
    rating: int | None


@dataclass(frozen=True, slots=True)
class GradeWhy:
    """All that the page of one player's grade on one list says."""

    player: Player
    grade_list: GradeList
    row: Grade | None
    reckoning: Reckoning | None
    opening: OpeningKnown | None
    left_out: list[GameLeftOut]
    revisions: list[Grade]
    earlier: Grade | None
    later: Grade | None
    other_rate: Grade | None
    elo: EloRating | None

    @property
    def newest_revision(self) -> Grade | None:
        """His grade on a later revision of this list, the newest."""
        newer = [r for r in self.revisions if r.grade_list.revision > self.grade_list.revision]
        return newer[0] if newer else None

    @property
    def first_revision(self) -> Grade | None:
        """His grade on the list as it came out first, where this is a revision."""
        older = [r for r in self.revisions if r.grade_list.revision < self.grade_list.revision]
        return older[-1] if older else None

    @property
    def comes_out_on(self) -> date:
        """When a provisional list is published by itself."""
        return self.grade_list.cutoff + timedelta(days=self.grade_list.pool.publish_after_days)

    @property
    def is_unanchored(self) -> bool:
        """Whether nothing ties his games to anybody's grade (section 3)."""
        return self.player.pk in self.grade_list.unanchored

    @property
    def rules(self) -> GradeRules:
        """The rules by which the list was made."""
        return ecf.PRESETS[self.grade_list.rules]

    @property
    def has_older(self) -> bool:
        """Whether games of before the 12 months count."""
        return bool(self.row and (self.row.brought_in or self.row.averaged))

    @property
    def year_began(self) -> date:
        """The first of the 12 months."""
        return ecf.cutoffs_back(self.grade_list.cutoff, 2)

    @property
    def window_began(self) -> date:
        """The first of the 36 months."""
        return ecf.cutoffs_back(self.grade_list.cutoff, 6)


def newest_list(player: Player, pool: str) -> GradeList | None:
    """The list whose grade of this player to explain: the newest on which he has a grade.

    Published lists come before a provisional one; without any grade, the newest list there is.
    """
    lists = GradeList.objects.own().filter(pool=pool).order_by("-cutoff", "-revision")
    his = Grade.objects.filter(player=player)
    for wanted in (
        lists.published().filter(pk__in=his.published().values("grade_list")),
        lists.filter(pk__in=his.values("grade_list")),
        lists,
    ):
        if (found := wanted.first()) is not None:
            return found
    return None


def find_list(pool: str, cutoff: date, revision: int | None) -> GradeList | None:
    """Our own list of this cutoff: a certain revision, else the newest."""
    lists = GradeList.objects.own().filter(pool=pool, cutoff=cutoff).select_related("pool")
    if revision is not None:
        lists = lists.filter(revision=revision)
    return lists.order_by("-revision").first()


def grade_why(player: Player, grade_list: GradeList) -> GradeWhy:
    """The player's grade on this list taken apart, in a fixed number of queries."""
    grades = _grades_of(player)
    row = next((grade for grade in grades if grade.grade_list_id == grade_list.pk), None)
    if row is not None and row.numerator is None:
        row = None
    ids = row.game_ids if row else []
    in_force = _newest_of_each(grades)
    cutoff, pool = grade_list.cutoff, grade_list.pool_id
    of_pool = {key[1]: grade for key, grade in in_force.items() if key[0] == pool}
    before = [day for day in of_pool if day < cutoff]
    after = [day for day in of_pool if day > cutoff]
    return GradeWhy(
        player=player,
        grade_list=grade_list,
        row=row,
        reckoning=_reckoning(player, grade_list, row) if row else None,
        opening=_opening(player, grade_list, row) if row and row.opening_games else None,
        left_out=_left_out(player, grade_list, ids),
        revisions=[
            grade
            for grade in grades
            if (grade.grade_list.pool_id, grade.grade_list.cutoff) == (pool, cutoff)
        ],
        earlier=of_pool[max(before)] if before else None,
        later=of_pool[min(after)] if after else None,
        other_rate=in_force.get((OTHER_RATE[pool], cutoff)),
        elo=EloRating.objects.filter(player=player, pool=pool).first(),
    )


def _grades_of(player: Player) -> list[Grade]:
    """His grades on all our lists, the newest list and revision first."""
    return list(
        Grade.objects.filter(player=player, grade_list__in=GradeList.objects.own())
        .select_related("grade_list")
        .order_by("-grade_list__cutoff", "-grade_list__revision")
    )


def _newest_of_each(grades: Iterable[Grade]) -> dict[tuple[str, date], Grade]:
    found: dict[tuple[str, date], Grade] = {}
    for grade in grades:
        found.setdefault((grade.grade_list.pool_id, grade.grade_list.cutoff), grade)
    return found


def _reckoning(player: Player, grade_list: GradeList, row: Grade) -> Reckoning | None:
    """The sum of the grade; None where the list did not keep what it was made of."""
    if not (row.counted or row.brought_in or row.averaged or row.opening_games):
        return None
    games = (
        RatedGame.objects.of_player(player.pk)
        .filter(pk__in=row.game_ids)
        .select_related("white", "black", "graded", "elo")
    )
    kept = Kept(**{name: getattr(row, name) for name in Kept._fields})
    people = Player.objects.in_bulk(row.game_opponents)
    kept = kept._replace(game_opponents=[people.get(pk) for pk in row.game_opponents])
    now = {game.pk: _game_now(game, player) for game in games}
    return reckon(kept, now, grade_list.cutoff, ecf.PRESETS[grade_list.rules])


def _game_now(game: RatedGame, player: Player) -> GameNow:
    side = game.seen_by(player)
    graded = getattr(game, "graded", None)
    if graded is None:
        return GameNow(game.played_on, side.opponent, side.halves)
    own, other = ("white", "black") if game.white_id == player.pk else ("black", "white")
    return GameNow(
        game.played_on,
        side.opponent,
        side.halves,
        _used(graded, own),
        _used(graded, other),
        getattr(graded, f"{own}_points"),
    )


def _used(graded: GradedGame, colour: str) -> GradeUsed:
    return GradeUsed(*(getattr(graded, f"{colour}_{name}") for name in ("grade", "source", "list")))


def _opening(player: Player, grade_list: GradeList, row: Grade) -> OpeningKnown | None:
    """The fact behind the opening grade; None where it was changed since the list."""
    facts = OpeningRating.objects.filter(player=player, pool=grade_list.pool_id)
    known = {fact.system: fact for fact in facts}
    fact = known.get(System.GRADE) or known.get(System.ELO)
    if fact is None:
        return None
    rating = fact.value if fact.system == System.ELO else None
    grade = fact.value if rating is None else ecf.grade_from_rating(rating)
    if grade != row.opening_grade:
        return None
    return OpeningKnown(OpeningGrade(grade, fact.dated_on), fact.source, rating)


def _left_out(player: Player, grade_list: GradeList, ids: list[int]) -> list[GameLeftOut]:
    """His games of the 36 months that the list does not hold, the newest first."""
    cutoff = grade_list.cutoff
    games = (
        RatedGame.objects.of_player(player.pk)
        .filter(
            event__pool=grade_list.pool_id,
            played_on__gte=ecf.cutoffs_back(cutoff, 6),
            played_on__lt=cutoff,
        )
        .exclude(pk__in=ids)
        .select_related("white", "black", "elo")
        .newest_first()
    )
    unanchored = set(grade_list.unanchored)
    return [
        GameLeftOut(game.seen_by(player), not unanchored.isdisjoint((game.white_id, game.black_id)))
        for game in games
    ]
