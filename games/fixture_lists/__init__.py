"""Fixture lists: what they have to keep, looked for by a solver, drafted and published."""
