"""Every page that anybody may read, with its twins: queries and server time.

The list comes out of the URL resolver and the decisions of `tests.test_addresses`, so a new
address is measured or fails here until somebody says what stands in it.
"""

import math
import statistics
from datetime import date
from typing import NamedTuple

from .stopwatch import laps

MOST_QUERIES = 12
MOST_MILLISECONDS = 100

# Addresses for logging in, which nobody else asks for.
OF_ONE_PERSON = ("account", "invitation")

# What else a page is asked for, beside its plain address.
ASKED = {
    "search": ("?q=smith", "?q=ash", "?q=nobody"),
    "elo_list": ("?q=smith", "?page=9999", "?sort=player", "?sort=games", "?pool=rapid"),
    "club_list": ("?q=ash", "?sort=-members"),
    "division_detail": ("?on={day}",),
    "division_players": ("?sort=-points",),
    "player_detail": ("?page=9999",),
    "grade_list_detail": ("?q=smith", "?page=9999", "?sort=-change", "?juniors=on", "?pool=rapid"),
}


class Address(NamedTuple):
    """An address of the public; `is_page` is false for its twins and calendars.

    `kind` is the same in every county: the name, which of its samples, and what is asked for.
    """

    name: str
    kind: str
    text: str
    is_page: bool


class Figure(NamedTuple):
    """What a page asks of database and processors: seconds for one request.

    `median` and `p95` are on the clock, `cpu` is the processors' time, ours and the server's, all
    of a process that keeps what it drew before; `cold` is the median of one that keeps nothing,
    `queries` what that one asks.
    """

    address: Address
    size: int
    queries: int
    median: float
    p95: float
    cpu: float
    cold: float

    @property
    def is_over(self) -> bool:
        most = MOST_MILLISECONDS / 1000
        return self.queries > MOST_QUERIES or self.address.is_page and self.median > most


def addresses(today: date) -> list[Address]:
    """Every public address of a loaded county, with what else it is asked for."""
    from django.urls import reverse

    from clubs.twins import FORMATS
    from tests.test_addresses import GET, parameters, patterns

    found = []
    given = samples_of_each()
    for pattern in patterns():
        name = pattern.name
        first = name.split("_")[0]
        if first in OF_ONE_PERSON or GET[name]["anonymous"] != 200:
            continue
        wanted = parameters(pattern)
        assert first in given or not wanted, f"what stands in the address of {name}?"
        samples = given[first] if wanted - {"form"} else [{}]
        for number, values in enumerate(samples, 1):
            kind = f"{name} {number}" if len(samples) > 1 else name
            kwargs = {key: values[key] for key in wanted - {"form"}}
            if "form" in wanted:
                for form in FORMATS:
                    twin = reverse(name, kwargs=kwargs | {"form": form})
                    found.append(Address(name, f"{kind}.{form}", twin, False))
                continue
            text = reverse(name, kwargs=kwargs)
            is_page = text.endswith("/")
            found.append(Address(name, kind, text, is_page))
            for query in ASKED.get(name, ()) if is_page else ():
                asked = query.format(day=today.replace(day=1))
                found.append(Address(name, kind + query, text + asked, True))
    return found


def samples_of_each() -> dict[str, list[dict]]:
    """By the first word of an address's name what stands in it: the largest of each kind.

    Of divisions one that is running and one that is over, of players the busiest.
    """
    from games.models import Division, Match
    from ratings.models import EloRating, Grade, GradeList

    divisions = Division.objects.filter(rank=1).select_related("season__league")
    running = divisions.filter(season__closed_at=None).order_by("pk").first()
    over = divisions.filter(season__closed_at__isnull=False).order_by("-season__starts_on", "pk")
    match = Match.objects.filter(division=running, entered_at__isnull=False).order_by("-pk").first()
    newest = GradeList.objects.published().filter(pool="standard").order_by("-cutoff").first()
    graded = Grade.objects.filter(grade_list=newest, published__isnull=False)
    busiest = EloRating.objects.filter(pool="standard").order_by("-games", "pk").first()
    counted = graded.order_by("-recent", "pk").first()
    season = {"slug": running.season.league.slug, "season": running.season.slug}
    player = {"pk": busiest.player_id}
    return {
        "league": [season],
        "season": [season],
        "division": [{"pk": running.pk}, {"pk": over.first().pk}],
        "match": [{"pk": match.pk}],
        "club": [{"slug": match.home.club.slug}],
        "team": [{"pk": match.home_id}],
        "player": [player],
        "elo": [player],
        "grade": [{"cutoff": newest.cutoff, "pk": counted.player_id}],
    }


def queries(address: Address) -> int:
    """How many queries the address asks while nothing is kept."""
    from django.core.cache import caches
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    caches["pages"].clear()
    with CaptureQueriesContext(connection) as captured:
        response = Client().get(address.text)
        assert response.status_code == 200, (address.text, response.status_code)
    return len(captured)


def measure(address: Address, times: int) -> Figure:
    """The address asked for so often without what was kept, and again with it."""
    from django.core.cache import caches
    from django.test import Client

    client = Client()

    def anew():
        caches["pages"].clear()
        return client.get(address.text)

    asked = queries(address)
    size = len(anew().content)
    cold, _cpu = laps(anew, times)
    client.get(address.text)
    walls, cpu = laps(lambda: client.get(address.text), times)
    middle, last = statistics.median(walls), sorted(walls)[math.ceil(0.95 * times) - 1]
    return Figure(address, size, asked, middle, last, cpu, statistics.median(cold))


def report(today: date, times: int) -> list[Figure]:
    """Measure and print all, pages first, the slowest first; those over the limits come back."""
    figures = []
    for address in addresses(today):
        figures.append(measure(address, times if address.is_page else min(times, 5)))
    print(f"{'':52}{'bytes':>9}{'queries':>9}{'median':>9}{'p95':>9}{'of cpu':>9}{'cold':>9}  ms")
    figures.sort(key=lambda figure: (not figure.address.is_page, -figure.median))
    for each in figures:
        times_ms = (each.median, each.p95, each.cpu, each.cold)
        cells = "".join(f"{1000 * seconds:9.1f}" for seconds in times_ms)
        words = "  over" if each.is_over else ""
        print(f"{each.address.text:52}{each.size:9}{each.queries:9}{cells}{words}")
    over = [figure for figure in figures if figure.is_over]
    pages = sum(figure.address.is_page for figure in figures)
    names = len({figure.address.name for figure in figures})
    print(
        f"\n{names} kinds of address, {pages} pages and {len(figures) - pages} files;"
        f" {len(over)} over {MOST_QUERIES} queries or {MOST_MILLISECONDS} ms"
    )
    return over
