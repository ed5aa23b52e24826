"""Whether the database holds each card whole or not at all, once, with its ledger."""

from collections.abc import Mapping

import psycopg

from .load_clients import Outcome
from .load_scene import Card

BOARDS = """
    SELECT b.match_id, m.version, b.number, b.home_player_id, b.away_player_id, b.result,
      b.home_colour, g.white_id, g.black_id, g.white_halves, g.played_on, e.game_id
    FROM games_match m
    LEFT JOIN games_board b ON b.match_id = m.id
    LEFT JOIN ratings_ratedgame g ON g.source_key = 'board:' || b.id
    LEFT JOIN ratings_elogame e ON e.game_id = g.id
    WHERE m.id = ANY(%s) AND b.id IS NOT NULL
    ORDER BY b.match_id, b.number
"""
ABSENT = "SELECT id, version, entered_at FROM games_match WHERE id = ANY(%s)"


class Database:
    """Our own look at the database, a new connection each time: it may have been killed."""

    def __init__(self, url: str):
        self.url = url

    def _rows(self, query: str, *values) -> list[tuple]:
        with psycopg.connect(self.url) as connection:
            return connection.execute(query, values).fetchall()

    def deadlocks(self) -> int:
        """Since the server's statistics began."""
        return self._rows("SELECT sum(deadlocks)::int FROM pg_stat_database")[0][0]

    def others(self) -> int:
        """Sessions that are still at work for somebody else, perhaps a dead process."""
        return self._rows(
            "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            " AND backend_type = 'client backend' AND state <> 'idle'"
        )[0][0]

    def states(self, cards: Mapping[int, Card]) -> dict[int, str]:
        """By match: `whole`, `absent`, or what is wrong with it."""
        keys = list(cards)
        boards: dict[int, list[tuple]] = {match: [] for match in keys}
        for match, *row in self._rows(BOARDS, keys):
            boards[match].append(tuple(row))
        matches = {match: (version, at) for match, version, at in self._rows(ABSENT, keys)}
        return {match: _state(card, matches[match], boards[match]) for match, card in cards.items()}

    def faults_of(self, sent: Mapping[int, Outcome]) -> list[str]:
        """Cards that are half stored, doubled, or were acknowledged and are not there."""
        states = self.states({match: outcome.card for match, outcome in sent.items()})
        faults = []
        for match, state in states.items():
            if state not in ("whole", "absent"):
                faults.append(f"match {match}: {state}")
            elif state == "absent" and sent[match].accepted:
                faults.append(f"match {match}: acknowledged, and lost")
        return faults


def _state(card: Card, match: tuple, boards: list[tuple]) -> str:
    version, entered_at = match
    if not boards and version == 0 and entered_at is None:
        return "absent"
    wanted = []
    for number, (home, away, halves) in enumerate(card.boards, 1):
        black = bool(number % 2)  # the home side has Black on odd boards
        white_id, black_id = (away, home) if black else (home, away)
        white_halves = 2 - halves if black else halves
        wanted.append(
            (1, number, home, away, halves, "black" if black else "white")
            + (white_id, black_id, white_halves, card.played_on)
        )
    found = [row[:-1] for row in boards]
    if found != wanted:
        return f"half or otherwise stored, version {version}: {found}, not {wanted}"
    if any(row[-1] is None for row in boards):
        return "stored without its ratings"
    return "whole"
