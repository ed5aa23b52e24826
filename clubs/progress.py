"""How far long work is, said on a stream."""

import time

from django.utils.translation import gettext as _

SECONDS_BETWEEN_LINES = 2


class Progress:
    """Says on a stream how far long work is, and nothing about work that is soon done."""

    def __init__(self, stream):
        self.stream = stream
        self.said_at = time.monotonic()

    def __call__(self, what: str, done: int, total: int) -> None:
        if time.monotonic() - self.said_at < SECONDS_BETWEEN_LINES:
            return
        self.said_at = time.monotonic()
        self.stream.write(
            _("%(what)s: %(done)d of %(total)d") % {"what": what, "done": done, "total": total}
        )
        self.stream.flush()
