"""A match: its result, its boards and what they moved; also as text and as files."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs import twins
from clubs.access import code_for, name_for
from clubs.twins import points
from games.access import is_officer, may_enter_card, may_see_match
from games.cup.cup_words import tie_words_of
from games.division_tables.league_tables import table_of
from games.division_tables.table_moves import moves_of
from games.match_cards.agreement_page import AgreementPage
from games.match_cards.guests import guests_on
from games.match_cards.team_sheets import sheets_for, sheets_of
from games.matches.match_page import Half, Line, MatchPage
from games.models import Match
from ratings.elo import displayed
from ratings.models import RatingPool

from .cards import SAVED, sheet_words


@require_safe
def match_detail(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """The match; who has just saved its card is told so first, and sees the table as it is now."""
    page = page_of(request, pk)
    if form:
        rows = [board_row(line, request) for line in page.lines]
        return twins.respond(
            form,
            rows,
            name=f"match {pk}",
            head=match_head(page),
            key="boards",
            columns=COLUMNS,
            of_all=RatingPool.objects.stale_from(page.match.division.rated_event.pool_id),
        )
    context = match_context(request, page)
    until = None if context["saved"] else page.match.played_on
    if page.match.division.is_cup:
        context["tie_words"] = tie_words_of(page.match)
    else:
        context["moves"] = moves_of(table_of(page.match.division), page.match, until)
    return render(request, "games/match.html", context)


@require_safe
def match_text(request: HttpRequest, pk: int) -> HttpResponse:
    """The match as plain text, to paste into a message."""
    page = page_of(request, pk)
    context = {"page": page, "match": page.match}
    return render(request, "games/match.txt", context, content_type="text/plain; charset=utf-8")


def page_of(request: HttpRequest, pk: int) -> MatchPage:
    """The match's page; only those who enter its card see a line-up before the first result."""
    match = visible_match(request, pk)
    return MatchPage(match, line_up_is_secret=not may_enter_card(request.user, match))


def visible_match(request: HttpRequest, pk: int) -> Match:
    """The match, or 404 while it is neither public nor this account's to enter."""
    match = get_object_or_404(Match.objects.for_card().with_score(), pk=pk)
    if not may_see_match(request.user, match):
        raise Http404
    return match


def match_context(request: HttpRequest, page: MatchPage) -> dict:
    """What the template draws; the messages are read here, the card's own apart."""
    match, division = page.match, page.match.division
    may_enter = may_enter_card(request.user, match)
    told = list(messages.get_messages(request))
    return {
        "page": page,
        "match": match,
        "section": "leagues",
        "crumbs": [
            (division.season.league.name, division.season.get_absolute_url()),
            (division.name, division.get_absolute_url()),
        ],
        "may_enter": may_enter,
        "agreement": AgreementPage(match, request.user, timezone.localdate()),
        "may_decide": is_officer(request.user, division.season.league_id),
        "stale": RatingPool.objects.stale(division.rated_event.pool_id) if page.lines else [],
        "violations": page.violations() if may_enter else [],
        "guests": guests_on(match, page.boards, timezone.localdate()) if may_enter else [],
        **(sheet_links(request, page) if may_enter else {}),
        "saved": any(SAVED in message.tags for message in told),
        "told": [message for message in told if SAVED not in message.tags],
        "csv": reverse("match_detail", args=[match.pk, "csv"]),
        "json": reverse("match_detail", args=[match.pk, "json"]),
    }


def sheet_links(request: HttpRequest, page: MatchPage) -> dict:
    """The line-ups that are saved beforehand, until the card has one.

    `sheet_words` are those that the account still writes, `sheets_in` the teams whose it reads on
    the card.
    """
    match = page.match
    if page.score is not None or page.boards:
        return {}
    sheets = sheets_of(match)
    words = sheet_words(match, request.user, sheets)
    own = {each["side"] for each in words}
    seen = sheets_for(request.user, match, sheets)
    read = [side for side, seats in seen.items() if seats and side not in own]
    return {"sheet_words": words, "sheets_in": [getattr(match, side) for side in read]}


# --- Files -------------------------------------------------------------------------------

COLUMNS = (
    *("board", "home", "home_code", "home_colour", "home_points", "away", "away_code"),
    *("away_points", "result", "award", "unfinished"),
    *("home_elo_before", "home_change", "home_elo_after"),
    *("away_elo_before", "away_change", "away_elo_after"),
)
RESULTS = {None: None, 2: "1-0", 1: "1/2-1/2", 0: "0-1"}


def match_head(page: MatchPage) -> dict:
    """What the JSON file says of the match as a whole; no score is null."""
    match, division = page.match, page.match.division
    return {
        "league": division.season.league.name,
        "season": division.season.label,
        "division": division.name,
        "division_url": division.get_absolute_url(),
        "round": match.round or None,
        "round_label": match.round_label or None,
        "date": match.played_on,
        "home": match.home.name,
        "away": match.away.name,
        "home_points": points(match.home_points),
        "away_points": points(match.away_points),
        "stated_home_points": points(match.stated_home),
        "stated_away_points": points(match.stated_away),
        "complete": match.home_points is not None,
        "agreement": match.agreement or None,
        "board_count": match.board_count,
        "state": match.state,
        "url": match.get_absolute_url(),
    }


def board_row(line: Line, request: HttpRequest) -> dict:
    """A board as the files hold it: points as the league counts them, the result as played.

    One that is unfinished says how it goes on: `adjourned` or `adjudication`.
    """
    return {
        "board": line.number,
        **side_row("home", line.home, request),
        "home_colour": line.home.colour,
        **side_row("away", line.away, request),
        "result": RESULTS[line.board.result if line.board else None],
        "award": line.board.award if line.board else None,
        "unfinished": (line.board.unfinished or None) if line.board else None,
    }


def side_row(side: str, half: Half, request: HttpRequest) -> dict:
    today = timezone.localdate()
    player = half.player
    rated = half.before is not None
    return {
        side: name_for(request.user, player, today) if player else None,
        f"{side}_code": code_for(request.user, player, today) if player else None,
        f"{side}_url": player.get_absolute_url() if player else None,
        f"{side}_points": points(half.halves),
        f"{side}_elo_before": displayed(half.before) if rated else None,
        f"{side}_change": half.change / 10 if rated else None,
        f"{side}_elo_after": displayed(half.after) if rated else None,
    }
