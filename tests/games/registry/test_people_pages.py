import csv
import io
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Player
from games.match_cards.card_entries import BoardEntry
from games.match_cards.cards import record_card
from games.models import Season
from ratings import rebuilding
from ratings.models import RatedGame
from tests.factories import (
    BoardFactory,
    ClubFactory,
    DivisionFactory,
    LeagueRoleFactory,
    MatchFactory,
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    RatedGameFactory,
    SeasonFactory,
    TeamFactory,
    UserFactory,
    pool,
)
from tests.html import Page

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 24, 23, 14, tzinfo=UTC)
SCHOOLCHILD = date(timezone.localdate().year - 10, 1, 1)


def rows_of(client, address):
    return client.get(address).json()["rows"]


def csv_rows(client, address):
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


def member(club, surname, rating=None, **facts):
    person = PlayerFactory(surname=surname, **facts)
    MembershipFactory(club=club, player=person)
    if rating:
        OpeningRatingFactory(player=person, value=rating)
    return person


@pytest.fixture
def hartfield():
    return ClubFactory(
        name="Hartfield",
        slug="hartfield",
        venue="The Village Hall\n12 High Street",
        access="Step-free",
        club_night=1,
        start_time="19:30",
        contact_name="Ann Other",
        contact_phone="01234 567890",
        contact_email="ann@example.org",
    )


@pytest.fixture
def ashdown():
    return ClubFactory(name="Ashdown", slug="ashdown")


@pytest.fixture
def people(hartfield, ashdown):
    return {
        "quill": member(hartfield, "Quill", 17000, ecf_code="178853L"),
        "lune": member(hartfield, "Lune", 16000),
        "wragge": member(ashdown, "Wragge", 17000),
        "yeadon": member(ashdown, "Yeadon", 15000),
    }


@pytest.fixture
def match(hartfield, ashdown, people):
    """Hartfield A 1½-½ Ashdown A on two boards, the second won by default."""
    division = DivisionFactory(name="Division 1", board_count=2, season__league__name="Weald")
    match = MatchFactory(
        division=division,
        home=TeamFactory(
            division=division,
            club=hartfield,
            name="Hartfield A",
            captain_name="Ken Captain",
            captain_phone="07700 900123",
            captain_email="ken@example.org",
        ),
        away=TeamFactory(division=division, club=ashdown, name="Ashdown A"),
    )
    MatchFactory(division=division, home=match.away, away=match.home, played_on=None, round=2)
    enter(
        match,
        BoardEntry(1, people["quill"].pk, people["wragge"].pk, "black", 1),
        BoardEntry(2, people["lune"].pk, None, "white", None, "home_default"),
    )
    return match


def enter(match, *boards):
    record_card(match=match.pk, boards=boards, version=match.version, by=None, at=AT)
    match.refresh_from_db()


def play(player, others, event=None):
    """A draw of `player` with each of the others, a day apart, with White every other day."""
    event = event or RatedEventFactory(name="Kingsmead Congress")
    for number, other in enumerate(others):
        white, black = (player, other) if number % 2 else (other, player)
        RatedGameFactory(
            event=event,
            white=white,
            black=black,
            white_halves=1,
            played_on=date(2026, 1, 1) + timedelta(days=number),
        )
    rebuilding.rebuild(event.pool_id)


# --- The list of clubs -------------------------------------------------------------------


def test_the_list_of_clubs_as_json(client, people):
    assert client.get("/clubs.json").json() == {
        "rows": [
            {
                "name": "Ashdown",
                "url": "/clubs/ashdown/",
                "venue": None,
                "club_night": None,
                "start_time": None,
                "members": 2,
            },
            {
                "name": "Hartfield",
                "url": "/clubs/hartfield/",
                "venue": "The Village Hall\n12 High Street",
                "club_night": "Tuesday",
                "start_time": "19:30:00",
                "members": 2,
            },
        ]
    }


def test_the_list_of_clubs_as_page_and_csv(client, people):
    assert Page(client.get("/clubs/")).tables == [
        [
            ["Club", "Club night", "Venue", "Members"],
            ["Ashdown", "–", "–", "2"],
            [
                "Hartfield Tuesday 19:30 · The Village Hall",
                "Tuesday 19:30",
                "The Village Hall",
                "2",
            ],
        ]
    ]
    assert [(row["name"], row["members"]) for row in csv_rows(client, "/clubs.csv")] == [
        ("Ashdown", "2"),
        ("Hartfield", "2"),
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=HART", ["Hartfield"]),
        ("?q=nowhere", []),
        ("?q=%00", ["Ashdown", "Hartfield", "King's Head"]),
        ("?sort=-name", ["King's Head", "Hartfield", "Ashdown"]),
        # A club without a night stands last, whichever way.
        ("?sort=club_night", ["Hartfield", "Ashdown", "King's Head"]),
        ("?sort=-club_night", ["Hartfield", "Ashdown", "King's Head"]),
        ("?sort=-member_count", ["Ashdown", "Hartfield", "King's Head"]),
        ("?q=kings head", ["King's Head"]),
    ],
)
def test_searching_and_sorting_clubs(client, people, query, found):
    ClubFactory(name="King's Head", slug="kings-head")

    assert [row["name"] for row in rows_of(client, f"/clubs.json{query}")] == found


def test_no_clubs(client):
    assert "No clubs yet" in client.get("/clubs/").text
    assert "No club found" in client.get("/clubs/?q=nowhere").text
    assert rows_of(client, "/clubs.json") == []


# --- A club ------------------------------------------------------------------------------


def test_a_club_as_json(client, match, people):
    quill, lune = people["quill"], people["lune"]
    assert client.get("/clubs/hartfield.json").json() == {
        "name": "Hartfield",
        "stale_from": None,
        "url": "/clubs/hartfield/",
        "venue": "The Village Hall\n12 High Street",
        "club_night": "Tuesday",
        "start_time": "19:30:00",
        "teams": [
            {
                "name": "Hartfield A",
                "league": "Weald",
                "season": "2026-27",
                "division": "Division 1",
                "url": f"/teams/{match.home.pk}/",
            }
        ],
        "rows": [
            {
                "name": "Quill, Robin",
                "code": "178853L",
                "elo": 1700,
                "provisional": False,
                "games": 1,
                "rapid": None,
                "rapid_provisional": None,
                "url": f"/players/{quill.pk}/",
            },
            {
                "name": "Lune, Robin",
                "code": None,
                "elo": None,
                "provisional": None,
                "games": 0,
                "rapid": None,
                "rapid_provisional": None,
                "url": f"/players/{lune.pk}/",
            },
        ],
    }
    assert [row["name"] for row in csv_rows(client, "/clubs/hartfield.csv")] == [
        "Quill, Robin",
        "Lune, Robin",
    ]


def test_a_club_as_page(client, match):
    page = Page(client.get("/clubs/hartfield/"))

    assert page.tables == [
        [
            ["Player", "Elo", "Games", "Rapid", "ECF code"],
            ["Quill, Robin", "1700", "1", "–", "178853L"],
            ["Lune, Robin", "–", "0", "–", "–"],
        ]
    ]
    for words in ("Tuesday, 19:30", "12 High Street", "Step-free", "Teams, 2026-27"):
        assert words in page.text
    assert ("Hartfield A", f"/teams/{match.home.pk}/") in [
        (text.replace("\xa0", " "), address) for text, address in page.links
    ]


CONTACTS = ("Ann Other", "01234 567890", "ann@example.org")


def test_contacts_of_a_club_are_for_accounts_alone(client, hartfield):
    page = client.get("/clubs/hartfield/").text
    assert [words in page for words in CONTACTS] == [False] * 3
    assert "/accounts/login/?next=/clubs/hartfield/" in page

    client.force_login(UserFactory())
    page = client.get("/clubs/hartfield/").text
    assert [words in page for words in CONTACTS] == [True] * 3
    for form in ("json", "csv"):
        assert "example.org" not in client.get(f"/clubs/hartfield.{form}").content.decode()


def test_a_club_of_nothing_and_no_club(client):
    ClubFactory(name="Empty", slug="empty")
    page = client.get("/clubs/empty/").text

    assert "No members yet" in page
    assert "no team in a public season" in page
    assert client.get("/clubs/none/").status_code == 404
    assert client.get("/clubs/none.json").status_code == 404


def test_members_whose_time_is_over_are_none(client, hartfield, people):
    people["quill"].memberships.update(ends_on=timezone.localdate())
    people["lune"].memberships.update(starts_on=timezone.localdate())

    assert [row["name"] for row in rows_of(client, "/clubs/hartfield.json")] == ["Lune, Robin"]


# --- A team ------------------------------------------------------------------------------


def test_a_team_as_json(client, match, people):
    away = match.away
    assert client.get(f"/teams/{match.home.pk}.json").json() == {
        "name": "Hartfield A",
        "stale_from": None,
        "club": "Hartfield",
        "club_url": "/clubs/hartfield/",
        "league": "Weald",
        "season": "2026-27",
        "division": "Division 1",
        "division_url": f"/divisions/{match.division.pk}/",
        "position": 1,
        "shared": False,
        "match_points": 2,
        "game_points": 1.5,
        "matches": [
            {
                "round": 1,
                "round_label": None,
                "date": "2026-11-24",
                "home": "Hartfield A",
                "away": "Ashdown A",
                "home_points": 1.5,
                "away_points": 0.5,
                "state": "arranged",
                "url": f"/matches/{match.pk}/",
            },
            {
                "round": 2,
                "round_label": None,
                "date": None,
                "home": "Ashdown A",
                "away": "Hartfield A",
                "home_points": None,
                "away_points": None,
                "state": "arranged",
                "url": f"/matches/{away.home_matches.get().pk}/",
            },
        ],
        "rows": [
            {
                "name": "Lune, Robin",
                "code": None,
                "first_board": 2,
                "last_board": 2,
                "played": 0,
                "won": 0,
                "drawn": 0,
                "lost": 0,
                "defaults_won": 1,
                "points": 1,
                "elo": None,
                "provisional": None,
                "url": f"/players/{people['lune'].pk}/",
            },
            {
                "name": "Quill, Robin",
                "code": "178853L",
                "first_board": 1,
                "last_board": 1,
                "played": 1,
                "won": 0,
                "drawn": 1,
                "lost": 0,
                "defaults_won": 0,
                "points": 0.5,
                "elo": 1700,
                "provisional": False,
                "url": f"/players/{people['quill'].pk}/",
            },
        ],
    }
    assert [row["points"] for row in csv_rows(client, f"/teams/{match.home.pk}.csv")] == [
        "1",
        "0.5",
    ]


def test_a_team_as_page(client, match):
    page = Page(client.get(f"/teams/{match.home.pk}/"))

    assert page.tables == [
        [
            ["Player", "Boards", "Played", "Won", "Drawn", "Lost", "Points", "Elo"],
            ["Lune, Robin board 2", "2", "0", "0", "0", "0", "1", "–"],
            ["Quill, Robin Elo 1700 · board 1", "1", "1", "0", "1", "0", "½", "1700"],
        ]
    ]
    text = page.text.replace("\xa0", " ")
    for words in (
        "1 of 2",
        "Won 1, drew 0, lost 0",
        "November 2026 Hartfield A 1½ – ½ Ashdown A",
        "No date yet Ashdown A no date Hartfield A",
    ):
        assert words in text


def test_a_team_that_has_withdrawn(client, match):
    match.home.state = "withdrawn"
    match.home.save()

    assert "Withdrawn" in client.get(f"/teams/{match.home.pk}/").text
    assert client.get(f"/teams/{match.home.pk}.json").json()["name"] == "Hartfield A"


def test_a_team_that_has_not_played(client, match):
    new = TeamFactory(division=match.division, name="Newcomers A")
    page = client.get(f"/teams/{new.pk}/").text

    assert "Nobody has played for the team yet." in page
    assert "No matches are arranged yet." in page
    assert rows_of(client, f"/teams/{new.pk}.json") == []


CAPTAIN = ("Ken Captain", "07700 900123", "ken@example.org")


def test_the_captain_is_for_accounts_alone(client, match):
    address = f"/teams/{match.home.pk}/"
    page = client.get(address).text
    assert [words in page for words in CAPTAIN] == [False] * 3
    assert f"/accounts/login/?next={address}" in page

    client.force_login(UserFactory())
    page = client.get(address).text
    assert [words in page for words in CAPTAIN] == [True] * 3
    for form in ("json", "csv"):
        assert "example.org" not in client.get(f"{address[:-1]}.{form}").content.decode()


# --- A player ----------------------------------------------------------------------------


def test_a_player_as_json(client, match, people):
    quill, wragge = people["quill"], people["wragge"]
    OpeningRatingFactory(player=quill, system="grade", value=143, dated_on=date(2026, 7, 1))
    assert client.get(f"/players/{quill.pk}.json").json() == {
        "name": "Quill, Robin",
        "stale_from": None,
        "code": "178853L",
        "url": f"/players/{quill.pk}/",
        "clubs": ["Hartfield"],
        "ratings": [
            {
                "pool": "standard",
                "elo": 1700,
                "provisional": False,
                "games": 1,
                "rating": 1700.0,
            }
        ],
        "grades": [],
        "opening_grades": [{"pool": "standard", "grade": 143, "dated_on": "2026-07-01"}],
        "season": {
            "label": "2026-27",
            "points": 0.5,
            "boards": 1,
            "played": 1,
            "won": 0,
            "drawn": 1,
            "lost": 0,
            "defaults_won": 0,
        },
        "rows": [
            {
                "date": "2026-11-24",
                "pool": "standard",
                "event": match.division.rated_event.name,
                "colour": "black",
                "opponent": "Wragge, Robin",
                "opponent_code": None,
                "opponent_grade": 133,
                "opponent_elo": 1700,
                "result": 0.5,
                "change": 0.0,
                "elo_before": 1700,
                "elo_after": 1700,
                "rating_after": 1700.0,
                "opponent_url": f"/players/{wragge.pk}/",
                "match_url": f"/matches/{match.pk}/",
            }
        ],
    }


def test_both_players_see_the_game_from_their_side(client, people):
    event = RatedEventFactory(name="Kingsmead Congress")
    quill, yeadon = people["quill"], people["yeadon"]
    RatedGameFactory(event=event, white=quill, black=yeadon, white_halves=0)
    RatedGameFactory(
        event=event, white=yeadon, black=quill, white_halves=0, colours_known=False, round=1
    )
    rebuilding.rebuild("standard")

    def seen_by(player):
        columns = ("colour", "opponent", "opponent_elo", "result", "change", "rating_after")
        return [
            tuple(row[name] for name in (*columns, "match_url"))
            for row in rows_of(client, f"/players/{player.pk}.json")
        ]

    # K 20: 1700 loses to 1500, then 1685 beats 1515; the newest first.
    assert seen_by(quill) == [
        (None, "Yeadon, Robin", 1515, 1, 5.5, 1690.3, None),
        ("white", "Yeadon, Robin", 1500, 0, -15.2, 1684.8, None),
    ]
    assert seen_by(yeadon) == [
        (None, "Quill, Robin", 1685, 0, -5.5, 1509.7, None),
        ("black", "Quill, Robin", 1700, 1, 15.2, 1515.2, None),
    ]


def test_a_player_as_page(client, match, people):
    page = Page(client.get(f"/players/{people['quill'].pk}/"))

    assert page.tables == [
        [
            [
                *("Date", "Colour", "Opponent", "Grade", "Elo", "Event", "Result"),
                *("Change", "Elo after"),
            ],
            [
                "24 Nov 2026",
                "Black",
                "Robin Wragge Black · 24 Nov · Division 1",
                "133",
                "1700",
                "Division 1",
                "½ Drew",
                "0.0",
                "1700",
            ],
        ]
    ]
    text = page.text.replace("\xa0", " ")
    for words in (
        "Hartfield · ECF 178853L · plays for Hartfield A",
        "Live Elo, standard 1700 After 1 game",
        "Season 2026-27 ½ of 1 Won 0, drew 1, lost 0",
    ):
        assert words in text
    assert ("Division 1", f"/matches/{match.pk}/") in page.links


def test_a_season_that_is_over(client, match, people):
    Season.objects.update(starts_on=date(2010, 7, 1), ends_on=date(2011, 7, 1), label="2010-11")
    text = Page(client.get(f"/players/{people['quill'].pk}/")).text.replace("\xa0", " ")

    assert "played for Hartfield A" in text
    assert "Season 2010-11 ½ of 1" in text


def test_the_newest_season_over_all_its_leagues(client, match, hartfield, people):
    def score(year, league, result):
        season = SeasonFactory(
            league__name=league, starts_on=date(year, 7, 1), ends_on=date(year + 1, 7, 1)
        )
        division = DivisionFactory(season=season)
        other = MatchFactory(division=division, away__club=hartfield, away__name=f"{league} A")
        BoardFactory(match=other, number=1, away_player=people["quill"], result=result)

    score(2025, "Old", 0)
    score(2026, "Other", 0)
    season = client.get(f"/players/{people['quill'].pk}.json").json()["season"]

    # ½ at home in one league, 1 away in the other; the year before does not count.
    assert (season["points"], season["boards"]) == (1.5, 2)
    text = Page(client.get(f"/players/{people['quill'].pk}/")).text.replace("\xa0", " ")
    assert "plays for Other A , Hartfield A" in text


def test_a_default_won_scores_and_is_no_rated_game(client, match, people):
    page = Page(client.get(f"/players/{people['lune'].pk}/"))

    assert "Season 2026-27 1 of 1 Won 0, drew 0, lost 0, 1 by default" in page.text
    assert "No rated games yet" in page.text
    assert "Live Elo, standard – No rated game yet" in page.text


def test_an_opening_grade_is_said_to_be_one(client, people):
    lune = people["lune"]
    lune.opening_ratings.all().delete()
    OpeningRatingFactory(player=lune, system="grade", value=143, dated_on=date(2026, 7, 1))
    play(lune, [people["quill"]])
    text = Page(client.get(f"/players/{lune.pk}/")).text

    assert "Opening grade, standard 143 From elsewhere, 1 July 2026; on no list yet" in text
    # 7.5 x 143 + 700 opens the rating, which stays provisional.
    assert "? After 1 game · provisional" in text


def test_games_in_pages_of_fifty_the_newest_first(client, people):
    quill = people["quill"]
    others = [PlayerFactory() for _ in range(60)]
    play(quill, others)
    address = f"/players/{quill.pk}/"

    def dates(query=""):
        return [row[0] for row in Page(client.get(address + query)).tables[0][1:]]

    every = [f"{date(2026, 1, 1) + timedelta(days=n):%-d %b %Y}" for n in range(59, -1, -1)]
    assert dates() == every[:50]
    assert dates("?page=2") == every[50:]
    for query in ("?page=99", "?page=-1"):
        assert dates(query) == every[50:]
    assert dates("?page=x") == every[:50]
    first, second = Page(client.get(address)), Page(client.get(f"{address}?page=2"))
    assert ("Older games", "?page=2") in first.links
    assert ("Newer games", "?page=1") in second.links
    assert "1–50 of 60" in first.text
    assert len(rows_of(client, f"/players/{quill.pk}.json?page=2")) == 60


def test_each_pool_by_itself(client, people):
    quill = people["quill"]
    play(quill, [people["lune"]])
    play(quill, [people["wragge"], people["yeadon"]], RatedEventFactory(pool=pool("rapid")))
    address = f"/players/{quill.pk}"

    assert [row["pool"] for row in rows_of(client, f"{address}.json")].count("rapid") == 2
    assert {row["pool"] for row in rows_of(client, f"{address}.json?pool=rapid")} == {"rapid"}
    assert len(csv_rows(client, f"{address}.csv?pool=standard")) == 1
    text = Page(client.get(f"{address}/?pool=rapid")).text
    assert "All games Standard Rapid" in text
    assert "Rapid – No grade yet · Elo 1" in text
    assert client.get(f"{address}/?pool=postal").status_code == 404


def test_no_such_player_or_team(client):
    for address in ("/players/0", "/teams/0", "/players/99999999999999999999"):
        for end in ("/", ".json", ".csv"):
            assert client.get(address + end).status_code == 404


def test_a_player_of_whom_nothing_is_known(client):
    nobody = PlayerFactory(surname="Newman", forenames="", state="pending")
    page = Page(client.get(f"/players/{nobody.pk}/"))

    assert page.headings[0] == "Newman"
    assert "No club" in page.text
    assert rows_of(client, f"/players/{nobody.pk}.json") == []
    assert csv_rows(client, f"/players/{nobody.pk}.csv") == []


def test_a_game_that_is_not_rated_yet_is_a_gap(client, people):
    RatedGameFactory(white=people["quill"], black=people["lune"], white_halves=2)
    address = f"/players/{people['quill'].pk}"

    row = rows_of(client, f"{address}.json")[0]
    assert (row["change"], row["elo_after"], row["opponent_elo"]) == (None, None, None)
    assert Page(client.get(f"{address}/")).tables[0][1][3:] == [
        "120",
        "–",
        RatedGame.objects.get().event.name,
        "1 Won",
        "–",
        "–",
    ]


def test_names_are_shown_as_they_are_written(client, hartfield):
    person = member(hartfield, "O'Brien<b>", forenames="Élodie & Co")

    assert Page(client.get(f"/players/{person.pk}/")).headings[0] == "Élodie & Co O'Brien<b>"
    assert client.get(f"/players/{person.pk}.json").json()["name"] == "O'Brien<b>, Élodie & Co"


# --- What is not for everybody -----------------------------------------------------------


@pytest.fixture
def junior(match, people):
    """Wragge, who has played, is ten and has not said that his name may be shown."""
    wragge = people["wragge"]
    wragge.birth_date = SCHOOLCHILD
    wragge.ecf_code = "169156K"
    wragge.save()
    return wragge


def addresses(match, people):
    own = [f"/players/{person.pk}" for person in people.values()]
    teams = [f"/teams/{team.pk}" for team in (match.home, match.away)]
    return [
        start + end
        for start in (*own, *teams, "/clubs/ashdown", "/clubs", "/ratings")
        for end in ("/", ".json", ".csv")
    ]


def test_the_public_reads_no_junior_s_name_and_nobody_s_birth(client, match, people, junior):
    people["quill"].birth_year = 1950
    people["quill"].save()

    for address in addresses(match, people):
        text = client.get(address).content.decode()
        found = [word for word in ("Wragge", "169156K", "1950", "birth") if word in text]
        assert (address, found) == (address, [])
    assert Page(client.get(f"/players/{junior.pk}/")).headings[0] == "Junior player"
    assert client.get(f"/players/{junior.pk}.json").json()["name"] == "Junior player"
    assert rows_of(client, f"/players/{people['quill'].pk}.json")[0]["opponent"] == "Junior player"
    assert [row["name"] for row in rows_of(client, "/clubs/ashdown.json")] == [
        "Junior player",
        "Yeadon, Robin",
    ]


def test_accounts_read_it(client, match, people, junior):
    client.force_login(UserFactory())

    assert Page(client.get(f"/players/{junior.pk}/")).headings[0] == "Robin Wragge"
    assert rows_of(client, f"/players/{people['quill'].pk}.json")[0]["opponent"] == "Wragge, Robin"
    assert client.get("/clubs/ashdown.json").json()["rows"][0]["name"] == "Wragge, Robin"


def test_a_season_that_is_not_public_shows_nowhere(client, match, people):
    Season.objects.update(published_at=None)
    player, team = f"/players/{people['quill'].pk}", f"/teams/{match.home.pk}"

    for end in ("/", ".json", ".csv"):
        assert client.get(team + end).status_code == 404
    shown = client.get(f"{player}.json").json()
    assert (shown["season"], shown["rows"]) == (None, [])
    assert client.get("/clubs/hartfield.json").json()["teams"] == []
    assert "Hartfield A" not in Page(client.get(f"{player}/")).text.replace("\xa0", " ")

    # The officer of another league is a stranger here.
    client.force_login(LeagueRoleFactory(league=SeasonFactory().league).user)
    assert client.get(f"{team}/").status_code == 404
    assert rows_of(client, f"{player}.json") == []

    client.force_login(LeagueRoleFactory(league=match.division.season.league).user)
    assert client.get(f"{team}/").status_code == 200
    assert "Not public yet" in client.get(f"{team}/").text
    shown = client.get(f"{player}.json").json()
    assert (shown["season"]["label"], len(shown["rows"])) == ("2026-27", 1)
    assert len(client.get("/clubs/hartfield.json").json()["teams"]) == 1


def test_nothing_is_posted_here(client, match, people):
    statuses = {
        client.post(address).status_code
        for address in addresses(match, people)
        if not address.startswith("/ratings")
    }
    assert statuses == {405}


# --- How much is asked of the database ---------------------------------------------------


def grow(match, hartfield, size):
    """More of everything: members, boards, matches, seasons, games at two rates, clubs."""
    quill = Player.objects.get(surname="Quill")
    rapid = RatedEventFactory(pool=pool("rapid"))
    for number in range(size):
        other = member(ClubFactory(), f"Other{size}-{number}", 16000)
        MembershipFactory(club=hartfield, player=other)
        TeamFactory(
            division__season=SeasonFactory(starts_on=date(1990 + number % 30, 7, 1)),
            club=hartfield,
        )
        more = MatchFactory(division=match.division, home=match.home, board_count=2)
        enter(
            more,
            BoardEntry(1, quill.pk, other.pk, "white", number % 3),
            BoardEntry(2, None, None, "black", None, "double_default"),
        )
        RatedGameFactory(event=rapid, white=other, black=quill, played_on=date(2026, 1, 1))
    rebuilding.rebuild("rapid")


@pytest.mark.parametrize(
    "address",
    [
        f"/{what}{end}"
        for what in ("clubs", "clubs/hartfield", "teams/{team}", "players/{player}")
        for end in ("/", ".json", ".csv")
    ],
)
def test_the_number_of_queries_does_not_grow(client, match, hartfield, people, address):
    address = address.format(team=match.home.pk, player=people["quill"].pk)

    def queries():
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    grow(match, hartfield, 2)
    few = queries()
    grow(match, hartfield, 7)
    # Two of a player's are the opening grades of his opponents, one a pool that he played in; one
    # asks whether ratings are being worked out again.
    assert queries() == few <= 16
