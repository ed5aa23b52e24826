"""Addresses of leagues, matches, clubs, teams and players."""

from django.urls import path

from clubs import twins  # noqa: F401  (registers <twin:form>)
from ratings import cutoffs  # noqa: F401  (registers <cutoff:cutoff>)

from .views import (
    cards,
    clubs,
    divisions,
    grading,
    home,
    leagues,
    matches,
    player_records,
    players,
    search,
    teams,
)

# A page's twin, `.csv` or `.json`, has its name and view with one more argument.
urlpatterns = [
    path("", home.home, name="home"),
    path("leagues/", leagues.league_list, name="league_list"),
    path("leagues.<twin:form>", leagues.league_list, name="league_list"),
    path("leagues/<slug:slug>/", leagues.league_detail, name="league_detail"),
    path("leagues/<slug:slug>.<twin:form>", leagues.league_detail, name="league_detail"),
    path("leagues/<slug:slug>/<slug:season>/", leagues.season_detail, name="season_detail"),
    path(
        "leagues/<slug:slug>/<slug:season>.<twin:form>",
        leagues.season_detail,
        name="season_detail",
    ),
    path("divisions/<int:pk>/", divisions.table, name="division_detail"),
    path("divisions/<int:pk>.<twin:form>", divisions.table, name="division_detail"),
    path("divisions/<int:pk>/results/", divisions.results, name="division_results"),
    path("divisions/<int:pk>/results.<twin:form>", divisions.results, name="division_results"),
    path("divisions/<int:pk>/fixtures/", divisions.fixtures, name="division_fixtures"),
    path("divisions/<int:pk>/fixtures.<twin:form>", divisions.fixtures, name="division_fixtures"),
    path("divisions/<int:pk>/crosstable/", divisions.crosstable, name="division_crosstable"),
    path(
        "divisions/<int:pk>/crosstable.<twin:form>",
        divisions.crosstable,
        name="division_crosstable",
    ),
    path("divisions/<int:pk>/players/", divisions.players, name="division_players"),
    path("divisions/<int:pk>/players.<twin:form>", divisions.players, name="division_players"),
    path("clubs/", clubs.ClubList.as_view(), name="club_list"),
    path("clubs.<twin:form>", clubs.ClubList.as_view(), name="club_list"),
    path("clubs/<slug:slug>/", clubs.club_detail, name="club_detail"),
    path("clubs/<slug:slug>.<twin:form>", clubs.club_detail, name="club_detail"),
    path("teams/<int:pk>/", teams.team_detail, name="team_detail"),
    path("teams/<int:pk>.<twin:form>", teams.team_detail, name="team_detail"),
    path("players/<int:pk>/", players.player_detail, name="player_detail"),
    path("players/<int:pk>.<twin:form>", players.player_detail, name="player_detail"),
    path("players/<int:pk>/chart.<twin:form>", players.player_chart, name="player_chart"),
    path("players/<int:pk>/opponents/", player_records.player_opponents, name="player_opponents"),
    path(
        "players/<int:pk>/opponents.<twin:form>",
        player_records.player_opponents,
        name="player_opponents",
    ),
    path("players/<int:pk>/seasons/", player_records.player_seasons, name="player_seasons"),
    path(
        "players/<int:pk>/seasons.<twin:form>",
        player_records.player_seasons,
        name="player_seasons",
    ),
    path(
        "players/<int:pk>/head-to-head/",
        player_records.player_head_to_head,
        name="player_head_to_head",
    ),
    path(
        "players/<int:pk>/head-to-head.<twin:form>",
        player_records.player_head_to_head,
        name="player_head_to_head",
    ),
    path("search/", search.search, name="search"),
    path("matches/<int:pk>/", matches.match_detail, name="match_detail"),
    path("matches/<int:pk>.<twin:form>", matches.match_detail, name="match_detail"),
    path("matches/<int:pk>.txt", matches.match_text, name="match_text"),
    path("matches/<int:pk>/card/", cards.match_card, name="match_card"),
    path("matches/<int:pk>/card/players/", cards.card_players, name="card_players"),
    path("office/grades/", grading.office, name="office_grades"),
    path("office/grades/openings/<int:pk>/", grading.opening, name="office_opening"),
    path("office/grades/<slug:pool>/rules/", grading.rules, name="office_rules"),
    path("office/grades/<slug:pool>/<cutoff:cutoff>/cards/", grading.cards, name="office_cards"),
    path(
        "office/grades/<slug:pool>/<cutoff:cutoff>/players/",
        grading.players,
        name="office_players",
    ),
    path(
        "office/grades/<slug:pool>/<cutoff:cutoff>/publish/",
        grading.publish,
        name="office_publish",
    ),
    path("office/grades/<slug:pool>/<cutoff:cutoff>/revise/", grading.revise, name="office_revise"),
]
