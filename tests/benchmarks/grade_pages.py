"""The pages of grade lists with 20,000 players on each of eight: queries, bytes, server time.

    DATABASE_URL=... ./topboard manage migrate
    DATABASE_URL=... python -m tests.benchmarks.grade_pages [--players 20000] [--keep]

Wants an empty migrated database. Everything is made, measured and rolled back, unless `--keep`
leaves it for looking at.
"""

import argparse
import os
import random
import statistics
import time
from datetime import UTC, date, datetime

import django

SURNAMES = (
    *("O'Brien", "Smith", "de la Marre", "Müllner", "Ogilvy-Carr", "van der Lune", "Tolbert"),
    *("Quill", "Ullathorne", "Birdsall", "Szabó", "Åkervik", "Penhallow", "Blenkarn", "Żabrek"),
)
FORENAMES = ("Zoë", "John", "Grace", "Peter", "Eszter", "Björn", "Maureen T", "Yusuf", "Łucja")
CLUBS = 300
COLUMNS = (
    "grade_list_id, player_id, numerator, divisor, grade, published, category, recent, counted,"
    " brought_in, averaged, opening_games, game_ids, game_points,"
    " game_days, game_opponents, game_halves, game_own_grades, game_grades"
)
CUTOFFS = [date(year, month, 1) for year in range(2023, 2027) for month in (1, 7)]
NEWEST = CUTOFFS[-1].isoformat()
PAGES = (
    ("first", ""),
    ("middle", "?page=200"),
    ("last", "?page=99999"),
    ("by name", "?sort=player"),
    ("by name, last", "?sort=-player&page=99999"),
    ("by club", "?sort=club"),
    ("by change", "?sort=-change"),
    ("by change, last", "?sort=change&page=99999"),
    ("by category", "?sort=category"),
    ("by games", "?sort=-games"),
    ("by rapid", "?sort=-beside"),
    ("by code", "?sort=code"),
    ("q=o'brien", "?q=o%27brien"),
    ("q=OBRIEN", "?q=OBRIEN"),
    ("q=zoë", "?q=zo%C3%AB"),
    ("q=zoë o'brien", "?q=zo%C3%AB+o%27brien"),
    ("q=nothing", "?q="),
    ("q=300 letters", "?q=" + "x" * 300),
    ("q=NUL", "?q=%00"),
    ("q=nobody", "?q=nobody"),
    ("one club", "?club=club-7"),
    ("juniors", "?juniors=on"),
    ("changed", "?changed=on"),
    ("all at once", "?q=o&club=club-7&category=A&changed=on&sort=-change"),
    ("rapid", "?pool=rapid"),
)
OTHERS = (
    "/grades/lists/",
    "/grades/compare/",
    "/grades/compare/?sort=-change",
    "/grades/compare/?sort=player&page=99999",
    f"/grades/{NEWEST}/risers/",
    f"/grades/{NEWEST}/distribution/",
    f"/grades/{NEWEST}/revisions/",
    f"/grades/{NEWEST}.json",
    f"/grades/{NEWEST}.csv",
    f"/grades/{NEWEST}.xlsx",
)


def make(players: int, seed: int = 1) -> None:
    """People of 300 clubs, nine in ten of them on each of eight lists at either rate of play."""
    from django.db import connection

    from clubs.models import Club, Membership, Player
    from ratings.models import GradeList

    choose = random.Random(seed)
    Club.objects.bulk_create(
        [
            Club(name=f"Club {number}", slug=f"club-{number}", search_name=f"club {number}")
            for number in range(CLUBS)
        ]
    )
    people = []
    for number in range(players):
        player = Player(
            surname=choose.choice(SURNAMES),
            forenames=f"{choose.choice(FORENAMES)} {number}",
            ecf_code=f"{number:06}{'ABCDEFGHJKL'[number % 11]}" if number % 9 else None,
            birth_year=2012 if number % 12 == 0 else None,
            name_consent=True if number % 24 == 0 else None,
        )
        player.fold_names()
        people.append(player)
    Player.objects.bulk_create(people)
    clubs = list(Club.objects.values_list("pk", flat=True))
    Membership.objects.bulk_create(
        [
            Membership(club_id=choose.choice(clubs), player=player)
            for player in people
            if player.pk % 20
        ]
    )
    strength = {player.pk: choose.gauss(130, 35) for player in people}
    for cutoff in CUTOFFS:
        for pool in ("standard", "rapid"):
            at = datetime(cutoff.year, cutoff.month, 15, 12, tzinfo=UTC)
            revisions = 2 if cutoff == CUTOFFS[-1] and pool == "standard" else 1
            for revision in range(revisions):
                made = GradeList.objects.create(
                    pool_id=pool,
                    cutoff=cutoff,
                    revision=revision,
                    state="published",
                    rules="BRIEF",
                    published_at=at,
                )
                share = 0.9 if pool == "standard" else 0.5
                with (
                    connection.cursor() as cursor,
                    cursor.copy(f"COPY ratings_grade ({COLUMNS}) FROM STDIN") as copy,
                ):
                    for player in strength:
                        if choose.random() < share:
                            grade = round(strength[player] + choose.gauss(0, 5))
                            copy.write_row(row(made.pk, player, grade, choose))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def row(made: int, player: int, grade: int, choose: random.Random) -> tuple:
    games = choose.randrange(1, 45)
    grade = max(0, grade)
    ids = list(range(player, player + games))
    return (
        *(made, player, grade * games, games, grade, grade, choose.choice(["A", "B", "C", None])),
        *(games, games, 0, 0, 0, ids, [grade] * games),
        *([CUTOFFS[0]] * games, ids, [1] * games, [grade] * games, [grade] * games),
    )


def measure(client, address: str, times: int = 9) -> tuple[int, int, int, float, float]:
    """Status, queries, bytes, median and best of server milliseconds, of GETs without a session."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        response = client.get(address)
    queries = len(captured)  # before the next request, which forgets them
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        client.get(address)
        taken.append(1000 * (time.perf_counter() - start))
    size = len(response.content)
    return response.status_code, queries, size, statistics.median(taken), min(taken)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.conf import settings
    from django.db import transaction
    from django.test import Client

    settings.ALLOWED_HOSTS = ["*"]
    settings.DEBUG = False
    client = Client()
    with transaction.atomic():
        make(arguments.players)
        print(f"{'page':<32} {'status':>6} {'queries':>7} {'bytes':>9} {'ms':>7} {'best':>7}")
        pages = [(name, f"/grades/{NEWEST}/{query}") for name, query in PAGES]
        for name, address in [*pages, *((each, each) for each in OTHERS)]:
            times = 3 if address.endswith(("json", "csv", "xlsx")) else 9
            status, queries, size, taken, best = measure(client, address, times)
            print(f"{name:<32} {status:>6} {queries:>7} {size:>9} {taken:>7.1f} {best:>7.1f}")
        transaction.set_rollback(not arguments.keep)


if __name__ == "__main__":
    main()
