"""The admin: for looking and simple upkeep, and harmless where a workflow rules."""

import datetime
import re

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.urls import reverse

from clubs.models import Club, ClubRole, Membership, Player, User
from games.match_cards.cards import BoardEntry, record_card
from games.models import Division, League, LeagueRole, Match, Season, Team, TeamRole
from tests.cast import publish_grades
from tests.factories import (
    PASSWORD,
    AdjustmentFactory,
    ClubFactory,
    ClubRoleFactory,
    DivisionFactory,
    LeagueFactory,
    LeagueRoleFactory,
    MatchFactory,
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    SeasonFactory,
    TeamRoleFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
EDITED = {
    *("Club", "Player", "User", "Group", "League", "Season", "Team", "Adjustment"),
}
MADE = EDITED - {"Team"}


def label(model) -> str:
    return model._meta.object_name


def page(model, name: str, *args) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


@pytest.fixture
def office(client):
    """A client logged in as somebody who may do everything."""
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


def one_of_each() -> None:
    """A row, at least, of every model, and an event of each history."""
    match = MatchFactory()
    players = [MembershipFactory().player for _ in range(2)]
    entry = BoardEntry(1, players[0].pk, players[1].pk, "white", result=2)
    record_card(
        match=match.pk,
        boards=[entry],
        version=0,
        by=UserFactory(),
        at=datetime.datetime(2026, 11, 24, 23, tzinfo=datetime.UTC),
    )
    AdjustmentFactory(team=match.home)
    OpeningRatingFactory(player=players[0])
    publish_grades(players[1])
    TeamRoleFactory(team=match.home)
    ClubRoleFactory(club=match.home.club)
    LeagueRoleFactory(league=match.division.season.league)


def test_what_is_in_the_admin():
    assert {model._meta.label for model in MODELS} == {
        *("auth.Group", "clubs.Club", "clubs.Player", "clubs.Membership", "clubs.User"),
        *("games.League", "games.Season", "games.Division", "games.Team", "games.Match"),
        *("games.Adjustment", "ratings.RatingPool", "ratings.RatedEvent", "ratings.RatedGame"),
        *("ratings.EloRating", "ratings.OpeningRating", "clubs.ClubEvent", "clubs.PlayerEvent"),
        *("clubs.MembershipEvent", "clubs.UserEvent", "clubs.ClubRoleEvent"),
        *("games.TeamEvent", "games.TeamRoleEvent", "games.LeagueRoleEvent", "games.MatchEvent"),
        *("games.BoardEvent", "games.AdjustmentEvent", "ratings.GradeList", "ratings.Grade"),
        "ratings.GradeListEvent",
    }


@pytest.mark.parametrize("model", MODELS, ids=label)
def test_every_list_and_row_can_be_looked_at(office, model):
    one_of_each()
    assert office.get(page(model, "changelist")).status_code == 200
    row = model._default_manager.first()
    if row is not None:  # there are no groups
        assert office.get(page(model, "change", row.pk)).status_code == 200
    assert office.get(page(model, "change", 987654321)).status_code == 302


@pytest.mark.parametrize("model", MODELS, ids=label)
def test_a_list_asks_no_more_for_more_rows(office, model, django_assert_num_queries):
    one_of_each()
    counts = []
    for _ in range(2):
        with django_assert_num_queries(99, exact=False) as asked:
            office.get(page(model, "changelist"))
        counts.append(len(asked))
        for _ in range(3):
            one_of_each()
    assert counts[0] == counts[1]


@pytest.mark.parametrize("model", MODELS, ids=label)
def test_every_search_answers(office, model):
    for typed in ("o'brien", "x" * 300, "%_\\", "1", "9" * 18, "9" * 30, "é", "-", "²", "\x00"):
        found = office.get(page(model, "changelist"), {"q": typed})
        assert (typed, found.status_code) == (typed, 200)


def test_players_are_found_as_on_the_pages(office):
    PlayerFactory(surname="Müller", forenames="Élodie")
    PlayerFactory(surname="Smith", forenames="John", ecf_code="123456A")
    PlayerFactory(surname="Smithson", forenames="Ann")
    found = {}
    for typed in ("MULLER elodie", "smith john", "123456a", "son", ""):
        listed = office.get(page(Player, "changelist"), {"q": typed})
        found[typed] = [row.surname for row in listed.context["cl"].result_list]
    assert found == {
        "MULLER elodie": ["Müller"],
        "smith john": ["Smith"],
        "123456a": ["Smith"],
        "son": ["Smithson"],
        "": ["Müller", "Smith", "Smithson"],
    }


@pytest.mark.parametrize("model", MODELS, ids=label)
def test_what_a_workflow_owns_is_read_only(office, model):
    one_of_each()
    row = model._default_manager.first()
    posts = {"add": office.post(page(model, "add")).status_code}
    if row is not None:
        posts["change"] = office.post(page(model, "change", row.pk)).status_code
        posts["delete"] = office.post(page(model, "delete", row.pk)).status_code
    # An empty form comes back (200) where one may; a delete without a yes asks for it.
    allowed = {
        "add": 200 if label(model) in MADE else 403,
        "change": 200 if label(model) in EDITED else 403,
        "delete": 200 if label(model) in MADE else 403,
    }
    assert posts == {name: allowed[name] for name in posts}


def writable(client, url) -> set[str]:
    found = re.findall(
        r'<(?:input|select|textarea)[^>]*\sname="(\w+)"', client.get(url).content.decode()
    )
    return {name for name in found if not name.startswith(("_", "csrf"))}


def test_what_can_be_typed_of_a_team_is_its_captain(office):
    one_of_each()
    team = Team.objects.first()
    assert writable(office, page(Team, "change", team.pk)) == {
        *("captain_name", "captain_email", "captain_phone"),
    }


def test_a_birth_date_and_an_address_are_chosen_once(office):
    player, club = PlayerFactory(), ClubFactory()
    assert "birth_date" in writable(office, page(Player, "add"))
    assert "birth_date" not in writable(office, page(Player, "change", player.pk))
    assert "slug" in writable(office, page(Club, "add"))
    assert "slug" not in writable(office, page(Club, "change", club.pk))
    season = SeasonFactory()
    assert writable(office, page(Season, "change", season.pk)) == {
        *("label", "starts_on", "ends_on", "published_at_0", "published_at_1"),
    }


@pytest.mark.parametrize("model", [Player, Club, League, Season])
def test_what_has_games_cannot_be_deleted_and_says_what_holds_it(office, model):
    one_of_each()
    row = {
        Player: lambda: Player.objects.filter(home_boards__isnull=False).first(),
        Club: lambda: Team.objects.first().club,
        League: lambda: League.objects.first(),
        Season: lambda: Season.objects.first(),
    }[model]()
    url = page(model, "delete", row.pk)
    asked = office.get(url)
    assert asked.status_code == 200
    assert (
        "would require deleting the following protected related objects" in asked.content.decode()
    )
    assert office.post(url, {"post": "yes"}).status_code == 200
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    assert office.post(page(model, "changelist"), chosen).status_code == 200
    assert model.objects.filter(pk=row.pk).exists()


def test_the_list_of_memberships_says_where_people_join_and_leave(office):
    answer = office.get(page(Membership, "changelist")).content.decode()
    assert "People join and leave clubs in the office" in answer


def test_what_cannot_be_of_a_player_is_said_in_words(office):
    typed = {"surname": "Smith", "state": "active", "ecf_code": "12345", "birth_year": 1990}
    answer = office.post(page(Player, "add"), typed | {"birth_date": "1991-01-01"})
    assert answer.context["errors"] == [
        [
            "An ECF code is six digits and a letter, like 123456A.",
            "The year of birth is not that of the birth date.",
        ]
    ]


def test_blank_codes_are_no_codes(office):
    for surname in ("One", "Two"):
        typed = {"surname": surname, "state": "active", "ecf_code": "", "membership_number": ""}
        office.post(page(Player, "add"), typed)
    assert list(Player.objects.values_list("surname", "ecf_code", "membership_number")) == [
        ("One", None, None),
        ("Two", None, None),
    ]


def inline(prefix: str, rows: list[dict]) -> dict:
    """What the browser posts for new rows of an inline."""
    posted = {f"{prefix}-TOTAL_FORMS": len(rows), f"{prefix}-INITIAL_FORMS": 0}
    for number, row in enumerate(rows):
        posted |= {f"{prefix}-{number}-{name}": value for name, value in row.items()}
    return posted


def test_accounts_are_made_and_roles_given(office, client):
    club, team, league = ClubFactory(), MatchFactory().home, LeagueFactory()
    office.post(page(User, "add"), {"email": "Anna@Example.org", "usable_password": "false"})
    user = User.objects.get(email="anna@example.org")
    assert not user.has_usable_password()
    twice = office.post(
        page(User, "add"), {"email": "ANNA@example.org", "usable_password": "false"}
    )
    assert twice.context["errors"] == [["User with this E-mail address already exists."]]
    give = {
        page(Club, "change", club.pk): {"name": club.name}
        | inline("roles", [{"user": user.pk, "club": club.pk}]),
        page(Team, "change", team.pk): inline("roles", [{"user": user.pk, "team": team.pk}]),
        page(League, "change", league.pk): {"name": league.name}
        | inline("roles", [{"user": user.pk, "league": league.pk}]),
    }
    for url, typed in give.items():
        assert (url, office.post(url, typed).status_code) == (url, 302)
    assert [ClubRole.objects.get().club, TeamRole.objects.get().team] == [club, team]
    assert LeagueRole.objects.get().league == league


def test_the_admin_has_the_login_that_counts_failures(client):
    front = reverse("admin:index")
    asked = client.get(front, follow=True)
    assert asked.redirect_chain[-1][0].startswith(reverse("account_login"))
    sent = client.post(reverse("admin:login"), {"username": "x", "password": "y"})
    assert sent.status_code == 302 and sent["Location"].startswith(reverse("account_login"))
    user = UserFactory()
    client.force_login(user)
    assert client.get(front, follow=True).status_code == 403
    User.objects.filter(pk=user.pk).update(is_staff=True)
    assert client.get(front).status_code == 200


@pytest.fixture
def clerk(client):
    """A client logged in as one who may change accounts, and is no superuser."""
    user = UserFactory(is_staff=True)
    rights = ["view_user", "change_user", "add_user", "delete_user"]
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client.force_login(user)
    return client


def test_a_clerk_cannot_make_himself_more(clerk):
    me = User.objects.get()
    typed = {"email": me.email, "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    answer = clerk.post(page(User, "change", me.pk), typed | inline("club_roles", []))
    assert answer.status_code == 302
    me.refresh_from_db()
    assert (me.is_superuser, me.is_staff) == (False, True)


def test_a_clerk_cannot_touch_a_superuser(clerk):
    chief = UserFactory(is_superuser=True, is_staff=True)
    assert clerk.post(page(User, "change", chief.pk), {}).status_code == 403
    password = reverse("admin:auth_user_password_change", args=[chief.pk])
    typed = {"password1": PASSWORD + "x", "password2": PASSWORD + "x"}
    assert clerk.post(password, typed).status_code == 403
    assert clerk.post(page(User, "delete", chief.pk), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [chief.pk], "post": "yes"}
    clerk.post(page(User, "changelist"), chosen)
    chief.refresh_from_db()
    assert chief.check_password(PASSWORD)


def test_the_admin_counts_for_nothing_on_the_pages_of_the_league(office):
    """Divisions and matches are looked at here and changed on their own pages."""
    division, match = DivisionFactory(), MatchFactory()
    for model, row in ((Division, division), (Match, match)):
        assert writable(office, page(model, "change", row.pk)) == set()
