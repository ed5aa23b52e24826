"""Addresses of leagues, matches, clubs, teams and players."""

from django.urls import path

from clubs import twins  # noqa: F401  (registers <twin:form>)

from .views import divisions, home, leagues

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
]
