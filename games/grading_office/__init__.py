"""The grading officer: lists, openings, corrections, and the proof that all of it agrees."""
