"""Seasons from the plan to the final table: divisions, teams, and who may play for whom."""
