"""A division's table: its arithmetic, its reasons in words, and the officer's points on or off."""
