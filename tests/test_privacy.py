"""What the public may never read: a junior's name without consent, birth dates, phones, e-mails.

Every public address is followed from every other, files, calendars and searches included, as
somebody without an account; a junior stands in every place that a player can stand in.
"""

import datetime
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from clubs.models import Player
from clubs.twins import FORMATS
from games.models import Board, Match
from games.registry.people import merge_players
from ratings.models import Grade
from tests.factories import (
    AdjustmentFactory,
    BoardFactory,
    CupRoundFactory,
    GradeListFactory,
    MatchFactory,
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RearrangementFactory,
    RegistrationFactory,
    TieFactory,
    UserFactory,
    ViolationFactory,
    pool,
)
from tests.games.card_scene import AT, TODAY, make_scene, play_before

pytestmark = pytest.mark.django_db
NAME, FORENAME, CODE = "Zwischenzug", "Xanthippe", "654321A"
MERGED_NAME = "Zugzwangsson"
SECRETS = [NAME, FORENAME, CODE, MERGED_NAME]
PRIVATE = ["2015-05-17", "17 May 2015", "07700900999", "secret@example.net", "F8F8F8"]
PRIVATE += ["1975-03-09", "9 March 1975", "G9G9G9"]
MOST_PAGES, MOST_ALIKE = 1500, 5
NOT_FOLLOWED = ("/static/", "/admin/", "/account")


@pytest.fixture
def junior() -> Player:
    """A player under 18 without consent, wherever one may stand."""
    scene = make_scene(boards=2)
    match, club = scene.match, scene.match.home.club
    team = match.home
    team.captain_email, team.captain_phone = "secret@example.net", "07700900999"
    team.save()
    club.contact_email, club.contact_phone = "secret@example.net", "07700900999"
    club.contact_name = "A Contact"
    club.save()
    junior = PlayerFactory(
        surname=NAME,
        forenames=FORENAME,
        ecf_code=CODE,
        title="FM",
        birth_date=datetime.date(2015, 5, 17),
        birth_year=2015,
        membership_number="F8F8F8",
    )
    MembershipFactory(club=club, player=junior)
    adult = PlayerFactory(
        surname="Openface",
        birth_date=datetime.date(1975, 3, 9),
        birth_year=1975,
        membership_number="G9G9G9",
    )
    MembershipFactory(club=club, player=adult)
    twin = PlayerFactory(surname=MERGED_NAME, birth_year=2015, ecf_code="765432B")
    MembershipFactory(club=club, player=twin)
    for days, result in ((20, 2), (27, 0)):
        play_before(match.home, [junior], TODAY - datetime.timedelta(days=days), result)
    play_before(match.home, [twin], TODAY - datetime.timedelta(days=41), 2)
    merge_players(
        keep=junior.pk, drop=twin.pk, by=UserFactory(), at=AT, choices={"ecf_code": "kept"}
    )
    # The card of the scene: he sits opposite somebody, and is moved about by a decision.
    BoardFactory(match=match, number=1, home_player=junior, away_player=scene.away[0], result=2)
    given = {"award": "given", "award_home": 2, "award_away": 0, "award_reason": "a phone"}
    BoardFactory(match=match, number=2, home_player=scene.home[0], away_player=adult, **given)
    Match.objects.filter(pk=match.pk).update(entered_at=AT)
    later = MatchFactory(division=match.division, home=match.away, away=match.home, leg=3)
    Match.objects.filter(pk=later.pk).update(played_on=TODAY + datetime.timedelta(days=7))
    RearrangementFactory(match=later)
    AdjustmentFactory(team=match.home)
    RegistrationFactory(
        season=match.division.season, club=club, player=junior, team=match.home, nominated_rank=1
    )
    ViolationFactory(match=match, team=match.home, player=junior)
    cup = CupRoundFactory(division__season=match.division.season)
    tie = TieFactory(cup_round=cup)
    played = MatchFactory(division=cup.division, home=tie.home, away=tie.away)
    BoardFactory(match=played, number=1, home_player=junior, result=2)
    Match.objects.filter(pk=played.pk).update(entered_at=AT)
    OpeningRatingFactory(player=junior, pool=pool(), system="grade", value=150)
    for cutoff, name in (("2026-01-01", "standard"), ("2026-07-01", "standard")):
        made = GradeListFactory(pool=pool(name), cutoff=cutoff, state="published", published_at=AT)
        for player in (junior, scene.home[0]):
            Grade.objects.create(
                grade_list=made,
                player=player,
                numerator=4500,
                divisor=30,
                grade=150,
                published=150,
                opening_games=30,
                opening_grade=150,
            )
    return junior


class Links(HTMLParser):
    """The addresses that a page leads to."""

    def __init__(self):
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in ("href", "action") and value]
        self.found += [
            value
            for name, value in attrs
            if name.startswith("data-") and value and value.startswith("/")
        ]


def patterns(resolver=None) -> Iterator[URLPattern]:
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            yield pattern
        elif pattern.app_name != "admin":
            yield from patterns(pattern)


def starts(junior: Player) -> list[str]:
    """Where the crawl begins: the pages and searches that no link leads to."""
    words = (NAME, NAME.lower()[:5], FORENAME, f"{FORENAME} {NAME}", CODE, MERGED_NAME, "junior")
    found = ["/", reverse("league_list"), reverse("club_list"), reverse("grade_lists")]
    found += [reverse("search", query={"q": word}) for word in words]
    found += [reverse("elo_list", query={"q": word}) for word in words]
    found += [reverse("club_list", query={"q": word}) for word in words]
    merged = Player.objects.filter(merged_into=junior).values_list("pk", flat=True)
    other = Board.objects.filter(home_player=junior).first().away_player_id
    for pk in [junior.pk, *merged, other]:
        for pattern in patterns():
            converters = set(pattern.pattern.converters)
            if pattern.name and pattern.name.startswith("player_") and "pk" in converters:
                if converters == {"pk"}:
                    found.append(reverse(pattern.name, kwargs={"pk": pk}))
                elif converters == {"pk", "form"}:
                    for form in FORMATS:
                        found.append(reverse(pattern.name, kwargs={"pk": pk, "form": form}))
    for one, two in ((junior.pk, other), (other, junior.pk)):
        address = reverse("player_head_to_head", args=[one])
        found += [f"{address}?other={two}", f"{address}?q={NAME}"]
    for pk in Match.objects.values_list("pk", flat=True):
        found += [reverse("match_detail", args=[pk]), reverse("match_text", args=[pk])]
        found += [reverse("match_history", args=[pk]), reverse("match_card", args=[pk])]
    return found


def text_of(response) -> str:
    """All that a response says: its headers, its body, and what a spreadsheet holds."""
    body = response.content if not response.streaming else b"".join(response.streaming_content)
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as book:
            body = b"\n".join(book.read(name) for name in book.namelist())
    text = body.decode(errors="replace")
    unfolded = text.replace("\r\n ", "")  # a calendar breaks its lines
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    return "\n".join((text, unfolded, unescape(text), unquote(text), headers))


def crawl(client: Client, begin: list[str]) -> dict[str, str]:
    """What every address says that is reached from these, each once; redirects are followed.

    Of the addresses that differ in numbers or in the values of a query alone, as those of players
    or a list sorted by each column, a few are followed, beside those to begin with.
    """
    waiting, seen = list(begin), {}
    alike: Counter = Counter()
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        response = client.get(address)
        assert response.status_code < 500, address
        seen[address] = text_of(response)
        assert len(seen) < MOST_PAGES, "the site has no end"
        led = [response["Location"]] if response.has_header("Location") else []
        if response.headers.get("Content-Type", "").startswith("text/html"):
            page = Links()
            page.feed(response.content.decode())
            led += page.found
        elif response.headers.get("Content-Type", "").startswith("application/json"):
            led += re.findall(r'"(/[^"\s]*)"', response.content.decode())
        for link in led:
            parts = urlsplit(urljoin(address, link))
            outside = parts.netloc not in ("", "testserver") or parts.scheme in ("mailto", "tel")
            if outside or parts.path.startswith(NOT_FOLLOWED):
                continue
            kind = (re.sub(r"\d+", "N", parts.path), *sorted(re.findall(r"(\w+)=", parts.query)))
            alike[kind] += 1
            if alike[kind] > MOST_ALIKE:
                continue
            waiting.append(f"{parts.path}?{parts.query}" if parts.query else parts.path)
    return seen


def holding(pages: dict[str, str], words: list[str]) -> list[tuple[str, str]]:
    """Where these words stand; an address that was asked for may say them back as typed."""
    found = []
    for address, text in pages.items():
        asked = unquote(urlsplit(address).query).replace("+", " ").casefold()
        for word in words:
            said = text.casefold().count(word.casefold())
            if said and word.casefold() not in asked:
                found.append((address, word))
    return found


def test_a_junior_s_name_and_what_is_private_stand_in_nothing_that_the_public_reads(junior):
    pages = crawl(Client(), starts(junior))
    kinds = {re.sub(r"\d+", "N", urlsplit(address).path) for address in pages}
    assert {
        "/players/N/",
        "/players/N.json",
        "/players/N.csv",
        "/players/N.ics",
        "/matches/N/",
        "/matches/N.txt",
        "/divisions/N/players/",
        "/divisions/N/crosstable/",
        "/grades/N-N-N/",
        "/grades/N-N-N.xlsx",
        "/ratings/",
        "/clubs/ashdown.json",
        "/search/",
    } <= kinds
    assert sum("Junior player" in text for text in pages.values()) > 20
    assert holding(pages, SECRETS + PRIVATE) == []
    assert any("1975" not in text and "Openface" in text for text in pages.values())


def test_a_search_by_the_name_says_no_more_than_one_for_nobody(junior):
    client = Client()
    for name, nobody in ((NAME, "Zwischenzux"), (CODE, "654321B")):
        for page in ("search", "elo_list"):
            answers = [
                client.get(reverse(page, query={"q": word})).content.decode().replace(word, "")
                for word in (name, nobody)
            ]
            assert answers[0] == answers[1]
