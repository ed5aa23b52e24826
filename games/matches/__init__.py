"""A match beside its card: its page, its day, its calendar, its paper."""
