"""Cups: drawn, played, decided, and told."""
