"""Every address as everybody: a new one fails here until somebody decides who may see it.

Each table below is keyed by the name of an address and covers its twins (`.csv` and others) too.
A cell is the status; `login` is a redirect to the login, `-> office` one to that address.
"""

import copy
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse

from clubs.twins import FORMATS
from games.models import Board, Invitation, Season
from tests.cast import NEWEST, Cast, make_cast
from tests.factories import (
    BoardFactory,
    BreakFactory,
    DivisionFactory,
    DraftMatchFactory,
    InvitationFactory,
    PlayerMergeFactory,
    RegistrationFactory,
    SubmissionFactory,
    ViolationFactory,
)

ROLES = ("anonymous", "outsider", "captain", "secretary", "officer", "sister", "staff")


def each(status) -> dict:
    """The same for everybody."""
    return dict.fromkeys(ROLES, status)


ALL = each(200)
READ_ONLY = each(405)
# The card is entered by either side and by the officers of its own league.
ENTRY = each(403) | {
    "anonymous": "login",
    "captain": 200,
    "secretary": 200,
    "officer": 200,
}
LOGGED_IN = ALL | {"anonymous": "login"}
# The grading officer's own; what he gets stands in tests/games/grading_office/.
GRADING = each(403) | {"anonymous": "login"}
# The desk of one league is its officer's alone.
OFFICER = GRADING | {"officer": 200}
# The registry's office is the league officers' too, each for the clubs of his league.
REGISTRY = GRADING | {"officer": 200, "sister": 200}
ANONYMOUS_ONLY = each("-> office") | {"anonymous": 200}

GET = {
    "home": ALL,
    "search": ALL,
    "help": ALL,
    "league_list": ALL,
    "league_detail": ALL,
    "season_detail": ALL,
    "division_detail": ALL,
    "division_results": ALL,
    "division_fixtures": ALL,
    "division_crosstable": ALL,
    "division_players": ALL,
    "match_detail": ALL,
    "match_text": ALL,
    "match_print": ALL,
    "match_sheets": ALL,
    "team_print": ALL,
    "team_cards": ALL,
    "division_print": ALL,
    "match_card": ENTRY,
    "match_score": READ_ONLY,
    "match_sheet": ENTRY | {"officer": 403},
    "match_day": ENTRY,
    "match_decide": OFFICER,
    "match_agreement": ENTRY,
    "match_history": ENTRY,
    "card_return": ENTRY,
    "club_history": REGISTRY | {"secretary": 200},
    "season_history": OFFICER,
    "office_person_history": REGISTRY,
    "office_new_person": REGISTRY | {"secretary": 200, "outsider": 200},
    "office_person": REGISTRY,
    "office_person_step": READ_ONLY,
    "office_person_transfer": REGISTRY,
    "office_person_data": REGISTRY,
    "office_person_data_file": REGISTRY,
    "office_person_erase": REGISTRY,
    "club_members": REGISTRY | {"secretary": 200},
    "club_import": REGISTRY | {"secretary": 200},
    "own_data": LOGGED_IN,
    "own_data_file": LOGGED_IN,
    "office_list_history": GRADING,
    "team_calendar": ALL,
    "club_calendar": ALL,
    "division_calendar": ALL,
    "player_calendar": ALL,
    "season_fixtures": OFFICER,
    "season_fixture_weeks": OFFICER,
    "season_fixture_rules": OFFICER,
    "season_fixture_halls": OFFICER,
    "season_fixture_add": OFFICER,
    "season_fixture_remove": READ_ONLY,
    "season_fixture_step": READ_ONLY,
    "season_draft": OFFICER,
    "season_draft_match": OFFICER,
    "card_players": ENTRY,
    "club_list": ALL,
    "club_detail": ALL,
    "team_detail": ALL,
    "player_detail": ALL,
    "player_chart": ALL,
    "player_opponents": ALL,
    "player_seasons": ALL,
    "player_head_to_head": ALL,
    "elo_list": ALL,
    "elo_why": ALL,
    "grade_why": ALL,
    "grade_why_newest": each("-> grade_why"),
    "grade_lists": ALL,
    "grade_list_newest": each("-> grade_list_detail"),
    "grade_list_detail": ALL,
    "grade_list_compare": ALL,
    "grade_list_risers": ALL,
    "grade_list_revisions": ALL,
    "grade_list_distribution": ALL,
    "ratings_how": ALL,
    "set_language": each("-> home"),
    "league_honours": ALL,
    "season_registered": ALL,
    "season_captains": LOGGED_IN,
    "office": LOGGED_IN,
    "office_mail": LOGGED_IN,
    "office_leagues": LOGGED_IN,
    "office_clubs": LOGGED_IN,
    "club_new": REGISTRY,
    "club_edit": REGISTRY | {"secretary": 200},  # the sister's league has a team of the club too
    "league_new": GRADING,  # a superuser's
    "league_new_season": OFFICER,
    "season_submissions": OFFICER,
    "season_submission": OFFICER,
    "season_submission_event": OFFICER,
    "season_submission_file": OFFICER,
    "season_submission_player": OFFICER,
    "season_office": OFFICER,
    "season_edit": OFFICER,
    "season_mail": OFFICER,
    "season_step": READ_ONLY,
    "season_new_division": OFFICER,
    "season_new_cup": OFFICER,
    "cup_office": OFFICER,
    "season_registrations": OFFICER,
    "season_violations": OFFICER,
    "violation_decide": READ_ONLY,
    "season_club_players": OFFICER | {"secretary": 200},
    "registration_edit": OFFICER | {"secretary": 200},
    "division_rules": OFFICER,
    "division_decisions": OFFICER,
    "division_move": READ_ONLY,
    "division_enter": OFFICER,  # entries are closed; open ones stand in test_season_office
    "team_edit": OFFICER,
    "team_step": READ_ONLY,
    "office_grades": GRADING,
    "office_cards": GRADING,
    "office_players": GRADING,
    "office_publish": GRADING,
    "office_revise": GRADING,
    "office_rules": GRADING,
    "office_roles": LOGGED_IN,
    "invitation_new": OFFICER | {"secretary": 200},
    "invitation_office": OFFICER | {"secretary": 200},
    "invitation_text": OFFICER | {"secretary": 200},
    "office_role_withdraw": READ_ONLY,
    "invitation": ALL,
    "office_people": REGISTRY,
    "office_merge": REGISTRY,
    "office_undo_merge": GRADING,
    "office_opening": GRADING,
    "office_corrections": GRADING,
    "office_correct_player": GRADING,
    "office_correct_birth_date": GRADING,
    "office_correct_opening": GRADING,
    "office_correct_game": GRADING,
    "account_login": ANONYMOUS_ONLY,
    "account_confirm_login_code": each("-> office") | {"anonymous": "login"},
    "device_list": LOGGED_IN,
    "mfa_index": LOGGED_IN,
    "mfa_authenticate": each("-> office") | {"anonymous": "login"},
    "mfa_activate_totp": LOGGED_IN,
    "mfa_deactivate_totp": each(404) | {"anonymous": "login"},  # there is none to remove
    "mfa_view_recovery_codes": each(404) | {"anonymous": "login"},
    "mfa_generate_recovery_codes": LOGGED_IN,
    "account_logout": ALL | {"anonymous": "-> home"},
    "account_inactive": ALL,
    "account_change_password": LOGGED_IN,
    "account_set_password": each("-> account_change_password") | {"anonymous": "login"},
    "account_reset_password": ALL,
    "account_reset_password_done": ALL,
    "account_reset_password_from_key": ALL,  # of an invented key: the link is spent
    "account_reset_password_from_key_done": ALL,
}

# Sent without any data; what is not named here answers 405 to everybody.
POST = {
    "match_card": ENTRY,
    "match_score": ENTRY,
    "match_sheet": ENTRY | {"officer": 403},
    "match_day": ENTRY,
    "match_decide": OFFICER,
    "match_agreement": ENTRY,
    "card_return": ENTRY,
    "office_new_person": REGISTRY | {"secretary": 200, "outsider": 200},
    "office_person": REGISTRY,
    "office_person_step": REGISTRY | {"officer": "-> office_person", "sister": "-> office_person"},
    "office_person_transfer": REGISTRY,
    "office_person_erase": REGISTRY,
    "club_members": REGISTRY | dict.fromkeys(("secretary", "officer", "sister"), 404),
    "club_import": REGISTRY | {"secretary": 200},
    "season_fixture_weeks": OFFICER,
    "season_fixture_rules": OFFICER,
    "season_fixture_halls": OFFICER,
    "season_fixture_add": OFFICER,
    "season_fixture_remove": OFFICER | {"officer": "-> season_fixtures"},
    "season_fixture_step": OFFICER | {"officer": "-> season_fixtures"},
    "season_draft_match": OFFICER,
    "card_players": READ_ONLY | {"anonymous": "login"},
    "league_new": GRADING,
    "office_mail": each("-> office_mail") | {"anonymous": "login"},
    "club_new": REGISTRY,
    "club_edit": REGISTRY | {"secretary": 200},
    "league_new_season": OFFICER,
    "season_submission": OFFICER | {"officer": "-> season_submission"},
    "season_submission_event": OFFICER,
    "season_submission_player": OFFICER,
    "season_edit": OFFICER,
    "season_mail": OFFICER,
    "season_step": OFFICER | {"officer": "-> season_office"},
    "season_new_division": OFFICER,
    "season_new_cup": OFFICER,
    "cup_office": OFFICER | {"officer": 404},
    "season_club_players": OFFICER | {"secretary": 200},
    "registration_edit": OFFICER
    | {"secretary": "-> season_club_players"}
    | {"officer": "-> season_club_players"},
    "division_rules": OFFICER,
    "violation_decide": OFFICER | {"officer": "-> season_violations"},
    "division_decisions": OFFICER | {"officer": 404},
    "division_move": OFFICER | {"officer": "-> season_office"},
    "division_enter": OFFICER,
    "team_edit": OFFICER,
    "team_step": OFFICER | {"officer": "-> season_office"},
    "office_publish": GRADING,
    "office_revise": GRADING,
    "office_rules": GRADING,
    "invitation_new": OFFICER
    | {"officer": "-> invitation_office"}
    | {"secretary": "-> invitation_office"},
    "invitation_office": OFFICER | {"secretary": 200},
    "office_role_withdraw": each(404) | {"anonymous": "login"},
    "invitation": ALL,
    "office_merge": REGISTRY,
    "office_undo_merge": GRADING,
    "office_opening": GRADING,
    "office_correct_birth_date": GRADING,
    "office_correct_opening": GRADING,
    "office_correct_game": GRADING,
    "account_login": ANONYMOUS_ONLY,
    "account_confirm_login_code": GET["account_confirm_login_code"],
    "device_list": each("-> device_list") | {"anonymous": "login"},
    "mfa_index": READ_ONLY | {"anonymous": "login"},
    "mfa_view_recovery_codes": READ_ONLY | {"anonymous": "login"},
    "mfa_authenticate": GET["mfa_authenticate"],
    "mfa_activate_totp": LOGGED_IN,
    "mfa_deactivate_totp": GET["mfa_deactivate_totp"],
    "mfa_generate_recovery_codes": LOGGED_IN,
    "set_language": each("-> home"),
    "account_logout": each("-> home"),
    "account_change_password": LOGGED_IN,
    "account_set_password": GET["account_set_password"],
    "account_reset_password": ALL,
    "account_reset_password_from_key": ALL,
}

# What a season that is not published yet hides: all but its own league's officers get a 404.
HIDDEN = each(404) | {"officer": 200}
HIDDEN_MATCH = HIDDEN | {"captain": 200, "secretary": 200}
UNPUBLISHED = {
    "league_detail": HIDDEN,
    "season_detail": HIDDEN,
    "division_detail": HIDDEN,
    "division_results": HIDDEN,
    "division_fixtures": HIDDEN,
    "division_crosstable": HIDDEN,
    "division_players": HIDDEN,
    "league_honours": HIDDEN,
    "season_registered": HIDDEN,
    "season_captains": HIDDEN | {"anonymous": "login"},
    "team_detail": HIDDEN,
    "match_detail": HIDDEN_MATCH,
    "match_text": HIDDEN_MATCH,
    "match_print": HIDDEN_MATCH,
    "match_sheets": HIDDEN_MATCH,
    "team_print": HIDDEN,
    "team_cards": HIDDEN,
    "division_print": HIDDEN,
    "match_card": HIDDEN_MATCH | {"anonymous": "login"},
    "match_day": HIDDEN_MATCH | {"anonymous": "login"},
    "match_sheet": HIDDEN_MATCH | {"anonymous": "login", "officer": 403},
    "match_history": HIDDEN_MATCH | {"anonymous": "login"},
    "card_return": HIDDEN_MATCH | {"anonymous": "login"},
    "match_agreement": HIDDEN_MATCH | {"anonymous": "login"},
    "match_decide": HIDDEN | {"anonymous": "login", "captain": 403, "secretary": 403},
    # Calendars are the public's, whoever asks.
    "team_calendar": each(404),
    "division_calendar": each(404),
    "card_players": HIDDEN_MATCH | {"anonymous": "login"},
}


def patterns(resolver=None) -> list[URLPattern]:
    """Every address of the house, the admin's apart."""
    found = []
    for pattern in (resolver or get_resolver()).url_patterns:
        if not isinstance(pattern, URLResolver):
            found.append(pattern)
        elif pattern.app_name != "admin":
            found += patterns(pattern)
    return found


def parameters(pattern: URLPattern) -> set[str]:
    """The names of the values in an address."""
    converters = pattern.pattern.converters
    return set(converters) or set(pattern.pattern.regex.groupindex)


@pytest.fixture(scope="module")
def signed_in(rows_of_module) -> Cast:
    """The cast, made once; each of them has a session."""
    found = make_cast()
    for role in (*ROLES, "chief", "grader"):
        found.browser(role)
    return found


@pytest.fixture
def cast(signed_in, db) -> Cast:
    return copy.deepcopy(signed_in)


def values(cast) -> dict[str, Callable[[], dict]]:
    """By the beginning of a name, what stands in its address: rows are made when it is asked."""
    match, season = cast.match, cast.match.division.season
    player = match.home.club.memberships.first().player_id
    return {
        "league": lambda: {"slug": season.league.slug},
        "season": lambda: {
            "slug": season.league.slug,
            "season": season.slug,
            "club": match.home.club.slug,
            "minutes": 75,
            "seconds": 10,
            "index": SubmissionFactory(event__season=season).index,
            "pk": Board.objects.filter(match__division=match.division_id).first().home_player_id,
            "kind": "breaks",
            "row": BreakFactory(season=season).pk,
            "draft": DraftMatchFactory(division=match.division).pk,
        },
        "registration": lambda: {"pk": RegistrationFactory(season=season, club=match.home.club).pk},
        "division": lambda: {"pk": match.division_id},
        "cup": lambda: {"pk": DivisionFactory(season=season, kind="cup", legs=1).pk},
        "match": lambda: {"pk": match.pk, "side": "home"},
        "card": lambda: {"pk": match.pk, "moment": moment_of(match)},
        "club": lambda: {"slug": match.home.club.slug},
        "team": lambda: {"pk": match.home_id},
        "violation": lambda: {"pk": ViolationFactory(match=match, team=match.home).pk},
        "player": lambda: {"pk": player},
        "elo": lambda: {"pk": player},
        "grade": lambda: {"pk": player, "cutoff": NEWEST},
        "office": lambda: {
            "pk": player,
            "pool": "standard",
            "cutoff": NEWEST,
            "kept": match.home.club.memberships.last().player_id,
            "merge": PlayerMergeFactory().pk,
        },
        "account": lambda: {"uidb36": "1", "key": "x-y"},
        "invitation": lambda: offered(match.home),
    }


def offered(team) -> dict:
    """An open invitation as captain of the team, and what a new one is named by."""
    offer = Invitation.objects.filter(team=team).first() or InvitationFactory(team=team)
    return {"pk": offer.pk, "token": offer.token, "key": f"captain-{team.pk}"}


def moment_of(match) -> int:
    """The event of a board of the match, made if there is none."""
    board = match.boards.first() or BoardFactory(match=match, number=1)
    return board.events.latest("pgh_id").pgh_id


def addresses(name: str, cast) -> list[str]:
    """Every address of this name, with each form of its twins."""
    found = []
    for pattern in patterns():
        if pattern.name == name:
            given = values(cast).get(name.split("_")[0], dict)()
            kwargs = {key: given[key] for key in parameters(pattern) - {"form"}}
            twins = [{"form": form} for form in FORMATS] if "form" in parameters(pattern) else [{}]
            found += [reverse(name, kwargs=kwargs | twin) for twin in twins]
    return found


def seen(response) -> int | str:
    """What one gets: the status, or where one is sent."""
    if response.status_code != 302:
        return response.status_code
    target = resolve(urlsplit(response["Location"]).path).view_name
    return "login" if target == "account_login" else f"-> {target}"


def answers(cast, method: str, address: str, roles=ROLES) -> dict:
    """What each role gets from an address."""
    return {role: seen(cast.browser(role).generic(method, address)) for role in roles}


NAMES = sorted({pattern.name or str(pattern.pattern) for pattern in patterns()})


def test_each_address_has_a_decision():
    assert set(NAMES) == set(GET)
    assert set(POST) | set(UNPUBLISHED) <= set(GET)


@pytest.mark.parametrize("name", NAMES)
def test_who_sees_what(cast, name):
    for address in addresses(name, cast):
        assert (address, answers(cast, "GET", address)) == (address, GET[name])
        heads = answers(cast, "HEAD", address, roles=("anonymous", "officer"))
        assert (address, heads) == (address, {role: GET[name][role] for role in heads})


@pytest.mark.parametrize("name", NAMES)
def test_who_sends_what(cast, name):
    for address in addresses(name, cast):
        expected = POST.get(name, READ_ONLY)
        assert (address, answers(cast, "POST", address)) == (address, expected)
        if not name.startswith(("account_", "mfa_")):
            for method in ("PUT", "DELETE"):
                found = answers(cast, method, address, roles=["officer"])
                assert (address, found) == (address, {"officer": 405})


@pytest.mark.parametrize("name", NAMES)
def test_a_superuser_is_refused_nowhere_and_the_grading_officer_at_a_leagues_desk(cast, name):
    for address in addresses(name, cast):
        found = answers(cast, "GET", address, roles=("chief", "grader"))
        assert (address, found["chief"]) != (address, 403) and found["chief"] != "login"
        if GET[name] == OFFICER:
            assert (address, found["grader"]) == (address, 403)


def unpublish(cast) -> None:
    """The season has its fixtures and a line-up, and is not shown yet."""
    Season.objects.filter(pk=cast.match.division.season_id).update(published_at=None)


@pytest.mark.parametrize("name", UNPUBLISHED)
def test_who_sees_what_before_it_is_published(cast, name):
    unpublish(cast)
    for address in addresses(name, cast):
        assert (address, answers(cast, "GET", address)) == (address, UNPUBLISHED[name])


def test_nothing_unpublished_shows_elsewhere(cast):
    hidden = {"Zugzwang Division", "Zwischenzug A"}
    match = cast.match
    match.division.name, match.home.name = "Zugzwang Division", "Zwischenzug A"
    match.division.save()
    match.home.save()
    player = match.home.club.memberships.first().player
    BoardFactory(match=match, number=1, home_player=player, result=2)
    pages = [
        *addresses("home", cast),
        *addresses("league_list", cast),
        *addresses("club_list", cast),
        *addresses("club_detail", cast),
        *addresses("player_detail", cast),
        *addresses("player_seasons", cast),
        reverse("search", query={"q": "zwischenzug"}),
    ]

    pages = [page for page in pages if not page.endswith(".xlsx")]

    def showing() -> set[str]:
        found = {page: Client().get(page).content.decode() for page in pages}
        return {page for page in pages for word in hidden if word in found[page]}

    assert showing()
    unpublish(cast)
    assert showing() - {reverse("search", query={"q": "zwischenzug"})} == set()
    assert "Zwischenzug A" not in Client().get(pages[-1]).content.decode()


def admin_addresses() -> list[str]:
    (admin,) = [each for each in get_resolver().url_patterns if "admin" in str(each.pattern)]
    found = []

    def walk(resolver, start):
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLResolver):
                walk(pattern, start + str(pattern.pattern))
            else:
                route = start + str(pattern.pattern)
                found.append("/" + route.replace("<path:object_id>", "1").replace("<id>", "1"))

    walk(admin, str(admin.pattern))
    return [route for route in found if not set("<(^") & set(route)]


OUTSIDE_ADMIN = {
    # Its login is ours; who is logged in already, and no staff, is refused there.
    "/admin/login/": each(403) | {"anonymous": "login", "staff": "-> admin:index"},
    "/admin/logout/": each("-> admin:index"),
}


def test_the_admin_is_for_staff_alone(cast):
    found = admin_addresses()
    assert {"/admin/", "/admin/clubs/user/", "/admin/games/match/1/change/"} <= set(found)
    for address in found:
        expected = OUTSIDE_ADMIN.get(address, each("-> admin:login"))
        for method in ("GET", "POST"):
            seen_by = answers(cast, method, address, roles=("anonymous", "captain", "officer"))
            assert (method, address, seen_by) == (
                method,
                address,
                {role: expected[role] for role in seen_by},
            )
    client = Client()
    client.force_login(cast.staff)  # without a right
    assert [client.get(page).status_code for page in ("/admin/", "/admin/clubs/user/")] == [
        200,
        403,
    ]
