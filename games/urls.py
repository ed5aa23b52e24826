"""Addresses of leagues, matches, clubs, teams and players."""

urlpatterns = []
