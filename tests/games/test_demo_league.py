"""What the demo shows: tables as in the pictures, names of every shape, every special case."""

import datetime

import pytest
from django.db.models import Count, F, Q
from django.urls import reverse
from django.utils import timezone

from clubs.access import is_grading_officer, is_secretary
from clubs.models import Club, Player, User
from clubs.names import ecf_code_ok
from games.access import is_officer, may_enter_card
from games.demo.accounts import PASSWORD
from games.grading_office.verification import verify
from games.models import Adjustment, Board, Division, League, Match, MatchState
from ratings.models import EloRating, Grade, GradeList, OpeningRating, RatedGame
from tests.games.demo_scene import TODAY, lists, make

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]


@pytest.fixture(scope="module")
def demo(rows_of_module):
    """The demo, made once for all these tests."""
    make("--today", TODAY)


def table(client, name, season):
    """Team, matches and match points of a division's table."""
    division = Division.objects.get(name=name, season__slug=season)
    rows = client.get(reverse("division_detail", args=[division.pk, "json"])).json()["rows"]
    return [(row["team"], row["played"], row["match_points"]) for row in rows]


def test_what_the_demo_makes_is_ascribed_to_nothing_else(client):
    """Its steps share one transaction; each keeps its own author and reason."""
    client.force_login(User.objects.get(email="officer@demo.example"))
    match = Match.objects.get(home__name="Ashdown A", round=6, played_on__year=2026)
    page = client.get(reverse("match_history", args=[match.pk])).content.decode()
    assert page.count('<p class="by">') == 2
    assert "the captain of Ashdown A" in page and "The fixture made" in page
    assert "Grades of the old" not in page
    page = client.get(reverse("club_history", args=["ashdown"])).content.decode()
    assert page.count("Grades of the old") <= 2


HALF_WAY = [
    ("Ashdown A", 6, 9),
    ("Wellow Bridge A", 6, 8),
    ("Castle Hedley A", 5, 8),
    ("Netherby & District A", 6, 6),
    ("Kingsmead B", 5, 4),
    ("St Wulfric’s A", 5, 4),
    ("Hartfield A", 6, 3),
    ("Long Marden A", 5, 1),
]


def test_the_first_division_is_that_of_the_pictures(client):
    assert table(client, "Division 1", "2026-27") == HALF_WAY
    match = Match.objects.get(
        home__name="Ashdown A", away__name="Hartfield A", round=6, played_on__year=2026
    )
    assert match.entered_by.email == "captain@demo.example"
    assert timezone.localtime(match.entered_at).strftime("%H:%M") == "23:14"
    boards = match.boards.order_by("number").select_related("home_player", "away_player")
    assert [(str(b.home_player), b.home_halves, str(b.away_player)) for b in boards] == [
        ("Maureen T Lovell", 1, "Pieter van der Lune"),
        ("Ronald J McVale", 2, "Siobhan O’Grange"),
        ("Zoë de la Marre", 1, "Jürgen Müllner"),
        ("Guy Harte-Wynne", 0, "John Tolbert Sr"),
        ("Kam Wa Tso", 2, "Tolemi Belavonti Marsudan"),
        ("D E F Ibbot", 1, "Łucja Żabrek"),
    ]


# Who came first and last in a season plays in another division in the next.
ENDS = {
    ("Division 1", "2024-25"): ("Ashdown A", "Long Marden A"),
    ("Division 2", "2024-25"): ("Rookhurst A", "Upper Denne A"),
    ("Division 3", "2024-25"): ("Kingsmead C", "Long Marden B"),
    ("Division 1", "2025-26"): ("Wellow Bridge A", "Rookhurst A"),
    ("Division 2", "2025-26"): ("Long Marden A", "Kingsmead C"),
    ("Division 3", "2025-26"): ("Upper Denne A", "Rookhurst B"),
}


@pytest.mark.parametrize(("division", "season"), ENDS)
def test_a_season_that_is_over_has_played_all_and_sends_teams_up_and_down(client, division, season):
    rows = table(client, division, season)
    assert [played for _team, played, _points in rows] == [14] * 8
    assert (rows[0][0], rows[-1][0]) == ENDS[division, season]
    down = {"Division 1": "Division 2", "Division 2": "Division 3"}.get(division)
    if down is not None:
        following = {"2024-25": "2025-26", "2025-26": "2026-27"}[season]
        assert rows[-1][0] in {row[0] for row in table(client, down, following)}


def test_standard_and_rapid_games():
    by_pool = RatedGame.objects.values_list("event__pool").annotate(games=Count("pk"))
    assert dict(by_pool) == {"standard": 2149, "rapid": 297}
    rapid = Division.objects.filter(season__league__name="Weald & Downs Rapid League")
    assert {(d.minutes, d.increment_seconds, d.board_count) for d in rapid} == {(25, 5, 4)}
    assert verify() == []


def test_this_weeks_cards_wait():
    current = Match.objects.filter(
        division__season__slug="2026-27", division__season__league__name__contains="Chess"
    )
    today = datetime.date.fromisoformat(TODAY)
    waiting = current.filter(round=7)
    assert waiting.count() == 12
    for match in waiting:
        assert today - datetime.timedelta(days=7) < match.played_on <= today
        assert match.played_on.weekday() == match.home.club.club_night
        assert (match.entered_at, match.boards.count()) == (None, 0)
    assert current.filter(round__gt=7, played_on__gt=today, entered_at=None).count() == 84
    assert current.filter(round__lt=7, entered_at__isnull=False).count() == 71
    postponed = current.get(state=MatchState.POSTPONED)
    assert (str(postponed), postponed.played_on) == ("Castle Hedley A v Kingsmead B", None)


def test_an_incomplete_card_defaults_and_a_deduction():
    incomplete = Match.objects.with_score().get(
        boards_decided__gt=0, boards_decided__lt=F("board_count")
    )
    assert str(incomplete) == "St Wulfric’s A v Long Marden A"
    awards = Board.objects.filter(award__isnull=False).values_list("award").annotate(Count("pk"))
    assert dict(awards) == {"home_default": 16, "away_default": 5, "double_default": 2}
    assert not Board.objects.filter(
        Q(award="home_default", away_player__isnull=False)
        | Q(award="away_default", home_player__isnull=False)
        | Q(award="double_default", home_player__isnull=False)
    ).exists()
    deduction = Adjustment.objects.get()
    assert (str(deduction), deduction.match_points) == (
        "Kingsmead B: an ineligible player on board 4",
        -2,
    )


@pytest.mark.parametrize(
    "name",
    [
        "Lovell, Maureen T",
        "O’Grange, Siobhan",
        "O'Garra, Niamh",
        "d’Estrée Vane, Aurélie",
        "McVale, Ronald J",
        "MacVale, Ronald",
        "Harte-Wynne, Guy",
        "Hussain Malik, Amir",
        "Ibbot, D E F",
        "Tilney, A",
        "van der Lune, Pieter",
        "de la Marre, Zoë",
        "al-Karim, Nadia",
        "Åkervik, Björn",
        "Müllner, Jürgen",
        "Nuñal, José Mª",
        "Żabrek, Łucja",
        "Nguyễn-Thorne, Linh",
        "Ağaoğlu, Ümit",
        "Singlename",
        "Tolbert, John Sr",
        "Tolbert, John Jr",
        "Belavonti Marsudan, Tolemi",
        "Tso, Kam Wa",
        "Wolstenbury-Fotheringdale, Bartholomew Maximilian",
    ],
)
def test_a_name_of_every_shape_is_there_as_written(name):
    assert [player.listed_name for player in Player.objects.found(name)] == [name]


def test_two_people_of_one_name_have_two_codes_and_clubs():
    both = Player.objects.filter(surname="Smith", forenames="John")
    assert [
        (player.ecf_code, [str(row.club) for row in player.memberships.all()])
        for player in both.order_by("ecf_code")
    ] == [("900269J", ["Rookhurst"]), ("900279A", ["Ashdown"])]


def test_codes_are_invented_and_fit_their_letter():
    codes = Player.objects.filter(ecf_code__isnull=False).values_list("ecf_code", flat=True)
    assert len(codes) == 163
    assert [code for code in codes if not code.startswith("900") or not ecf_code_ok(code)] == []


def test_one_plays_for_two_clubs():
    player = Player.objects.get(surname="Stott")
    clubs = {str(row.club) for row in player.memberships.all()}
    assert clubs == {"Wellow Bridge", "Thornsea"}
    assert player.away_boards.filter(match__away__name="Thornsea Rapid").exists()


def test_people_come_with_ratings_grades_or_nothing():
    facts = OpeningRating.objects.values_list("pool", "system").annotate(Count("pk"))
    assert {(pool, system): count for pool, system, count in facts} == {
        ("standard", "elo"): 137,
        ("standard", "grade"): 163,
        ("rapid", "grade"): 36,
    }
    new = Player.objects.get(surname="Bramhope")
    assert (new.ecf_code, new.opening_ratings.count()) == (None, 0)
    assert EloRating.objects.filter(player=new, pool="standard").exists()


def test_a_junior_who_never_said_yes_is_hidden():
    today = datetime.date.fromisoformat(TODAY)
    juniors = Player.objects.filter(birth_date__isnull=False)
    hidden = {str(player) for player in juniors if player.is_hidden(today)}
    assert hidden == {
        "Arthur Tolbert Jr",
        "Kitty Bright",
        "Priya Nuttall",
        "Sam Kaye",
        "Tobias Pike",
    }
    named = {str(player) for player in juniors if not player.is_hidden(today)}
    assert named == {"Amir Hussain Malik", "John Tolbert Jr", "Otto Frayne"}


def published(*days):
    return [
        (pool, datetime.date.fromisoformat(cutoff), "published", _first_minute(out))
        for cutoff, out in days
        for pool in ("standard", "rapid")
    ]


def _first_minute(day):
    midnight = datetime.datetime.combine(datetime.date.fromisoformat(day), datetime.time())
    return timezone.make_aware(midnight)


def test_a_list_of_each_cutoff_came_out_two_weeks_later():
    assert lists() == published(
        ("2025-01-01", "2025-01-15"),
        ("2025-07-01", "2025-07-15"),
        ("2026-01-01", "2026-01-15"),
        ("2026-07-01", "2026-07-15"),
    )


def grade_of(surname, cutoff="2026-07-01", pool="standard"):
    return Grade.objects.filter(
        player__surname=surname, grade_list__cutoff=cutoff, grade_list__pool=pool
    ).first()


def test_categories_differ_with_how_much_one_played():
    rows = Grade.objects.filter(grade_list__pool="standard", grade_list__cutoff="2026-07-01")
    assert set(rows.values_list("category", flat=True)) == {"B", "D", "E", None}


def test_who_plays_for_two_teams_never_plays_twice_on_one_evening():
    for surname in ("Źrebak", "St John-Mowle", "Kowalczyk"):
        player = Player.objects.get(surname=surname)
        games = RatedGame.objects.of_player(player.pk)
        days = list(games.values_list("played_on", flat=True))
        assert len(days) == len(set(days))
        assert games.values("event").distinct().count() == 6


def test_a_negative_grade_is_published_as_0():
    grade = grade_of("Bumpstead")
    assert grade.grade < -10
    assert grade.published == 0


def test_newcomers_who_met_only_each_other_have_no_grade_and_are_named_to_the_officer():
    pair = set(Player.objects.filter(surname__in=["Vane", "Quill"]).values_list("pk", flat=True))
    both = {pk for game in RatedGame.objects.filter(white__in=pair) for pk in (game.white_id,)}
    assert both == pair
    newest = GradeList.objects.get(pool="standard", cutoff="2026-07-01")
    assert set(newest.unanchored) == pair
    assert not Grade.objects.filter(player__in=pair).exists()
    assert EloRating.objects.filter(player__in=pair).count() == 2


def test_other_newcomers_start_from_an_estimate_and_few_games_give_no_grade():
    estimated = Grade.objects.filter(
        starting_grade__isnull=False, grade_list__pool="standard", grade_list__cutoff="2025-01-01"
    )
    assert estimated.count() == 16
    met = RatedGame.objects.filter(
        white__in=estimated.values("player"), black__in=estimated.values("player")
    )
    assert met.exists()
    assert Grade.objects.filter(grade_list__cutoff="2026-07-01", published=None).exists()


@pytest.mark.parametrize("surname", ["Lovell", "Bumpstead", "Bramhope", "Stott"])
@pytest.mark.parametrize("cutoff", ["2025-01-01", "2026-07-01"])
def test_each_number_is_explained(client, surname, cutoff):
    grade = grade_of(surname, cutoff)
    day = datetime.date.fromisoformat(cutoff)
    page = client.get(reverse("grade_why", args=[grade.player_id, day]))
    assert page.status_code == 200


def test_the_accounts_may_what_they_say():
    assert [line.split()[:2] for line in make("--logins")[1:]] == [
        [f"{name}@demo.example", PASSWORD]
        for name in ("officer", "secretary", "captain", "grading", "outsider")
    ]
    users = {user.email.split("@")[0]: user for user in User.objects.all()}
    match = Match.objects.get(home__name="Ashdown A", round=7, played_on__year=2026)
    for league in League.objects.all():
        assert {name for name, user in users.items() if is_officer(user, league)} == {"officer"}
    assert {name for name, user in users.items() if may_enter_card(user, match)} == {
        "officer",
        "secretary",
        "captain",
    }
    assert {name for name, user in users.items() if is_grading_officer(user)} == {"grading"}
    assert is_secretary(users["outsider"], Club.objects.get(name="Wellow Bridge"))


def test_its_pages_open(client):
    assert client.get(reverse("home")).status_code == 200
    for division in Division.objects.select_related("season__league"):
        assert client.get(division.get_absolute_url()).status_code == 200
        assert client.get(division.season.get_absolute_url()).status_code == 200
    for match in Match.objects.filter(round__in=[4, 5, 6, 7], division__season__slug="2026-27"):
        assert client.get(match.get_absolute_url()).status_code == 200
    for made in GradeList.objects.all():
        assert client.get(made.get_absolute_url()).status_code == 200
