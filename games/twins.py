"""The twins of a table stand in `clubs.twins`, where every app reaches them."""

from clubs.twins import points, respond

__all__ = ["points", "respond"]
