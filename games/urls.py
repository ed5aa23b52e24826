"""Addresses of leagues, matches, clubs, teams and players."""

from django.urls import path

from clubs import twins  # noqa: F401  (registers <twin:form>)
from ratings import cutoffs  # noqa: F401  (registers <cutoff:cutoff>)

from .views import (
    cards,
    clubs,
    corrections,
    divisions,
    grading,
    home,
    league_office,
    leagues,
    matches,
    player_records,
    players,
    registered,
    search,
    season_entries,
    submissions,
    teams,
    violations,
)

# A page's twin, `.csv` or `.json`, has its name and view with one more argument.
urlpatterns = [
    path("", home.home, name="home"),
    path("leagues/", leagues.league_list, name="league_list"),
    path("leagues.<twin:form>", leagues.league_list, name="league_list"),
    path("leagues/<slug:slug>/", leagues.league_detail, name="league_detail"),
    path("leagues/<slug:slug>.<twin:form>", leagues.league_detail, name="league_detail"),
    path("leagues/<slug:slug>/honours/", leagues.league_honours, name="league_honours"),
    path("leagues/<slug:slug>/honours.<twin:form>", leagues.league_honours, name="league_honours"),
    path("leagues/<slug:slug>/<slug:season>/", leagues.season_detail, name="season_detail"),
    path(
        "leagues/<slug:slug>/<slug:season>.<twin:form>",
        leagues.season_detail,
        name="season_detail",
    ),
    path(
        "leagues/<slug:slug>/<slug:season>/registered/",
        registered.season_registered,
        name="season_registered",
    ),
    path(
        "leagues/<slug:slug>/<slug:season>/registered.<twin:form>",
        registered.season_registered,
        name="season_registered",
    ),
    path(
        "leagues/<slug:slug>/<slug:season>/captains/",
        registered.season_captains,
        name="season_captains",
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
    path("office/leagues/", league_office.office, name="office_leagues"),
    path("office/new-league/", league_office.new_league, name="league_new"),
    path(
        "office/leagues/<slug:slug>/new-season/",
        league_office.new_season,
        name="league_new_season",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/",
        league_office.season_office,
        name="season_office",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/edit/",
        league_office.season_edit,
        name="season_edit",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/step/",
        league_office.season_step,
        name="season_step",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/mail/",
        league_office.season_mail,
        name="season_mail",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/new-division/",
        season_entries.new_division,
        name="season_new_division",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/registrations/",
        registered.season_registrations,
        name="season_registrations",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/clubs/<slug:club>/",
        registered.season_club_players,
        name="season_club_players",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/submissions/",
        submissions.overview,
        name="season_submissions",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/submissions/<int:minutes>-<int:seconds>/",
        submissions.event,
        name="season_submission",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/submissions/<int:minutes>-<int:seconds>/event/",
        submissions.name_event,
        name="season_submission_event",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/submissions/<int:minutes>-<int:seconds>/"
        "<int:index>.txt",
        submissions.file,
        name="season_submission_file",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/submissions/players/<int:pk>/",
        submissions.player,
        name="season_submission_player",
    ),
    path(
        "office/leagues/<slug:slug>/<slug:season>/violations/",
        violations.season_violations,
        name="season_violations",
    ),
    path("office/violations/<int:pk>/", violations.violation_decide, name="violation_decide"),
    path("office/registrations/<int:pk>/", registered.registration_edit, name="registration_edit"),
    path("office/divisions/<int:pk>/", season_entries.division_rules, name="division_rules"),
    path("office/divisions/<int:pk>/move/", season_entries.division_move, name="division_move"),
    path("office/divisions/<int:pk>/enter/", season_entries.division_enter, name="division_enter"),
    path("office/teams/<int:pk>/", season_entries.team_edit, name="team_edit"),
    path("office/teams/<int:pk>/step/", season_entries.team_step, name="team_step"),
    path("office/grades/", grading.office, name="office_grades"),
    path("office/corrections/", corrections.office, name="office_corrections"),
    path(
        "office/corrections/players/<int:pk>/", corrections.player, name="office_correct_player"
    ),
    path(
        "office/corrections/players/<int:pk>/birth-date/",
        corrections.birth_date,
        name="office_correct_birth_date",
    ),
    path(
        "office/corrections/players/<int:pk>/opening/",
        corrections.opening,
        name="office_correct_opening",
    ),
    path("office/corrections/games/<int:pk>/", corrections.game, name="office_correct_game"),
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
