"""Two results files at once: one after the other, each game and each person once."""

import datetime
import threading

import pytest
from django.db import connection

from clubs.models import Player
from games.grading_office.verification import verify
from games.submission.ecf_file_import import import_ecf_file
from ratings.models import RatedGame
from tests.factories import pool
from tests.ratings.results_file_scene import FILE

pytestmark = pytest.mark.django_db(transaction=True)
AT = datetime.datetime(2026, 11, 26, 12, tzinfo=datetime.UTC)


def at_once(*texts) -> list[tuple[int, int]]:
    """Import all of these at the same moment; new and changed of each, sorted."""
    start, done = threading.Barrier(len(texts)), []

    def read(text):
        start.wait()
        report = import_ecf_file(
            content=text.encode(), source="a.txt", by=None, at=AT, create_players=True
        )
        done.append((report.new, report.changed))
        connection.close()

    threads = [threading.Thread(target=read, args=[text]) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(done)


def test_the_same_file_twice_at_once_is_stored_once():
    pool()
    assert at_once(FILE, FILE) == [(0, 0), (6, 0)]
    assert (RatedGame.objects.count(), Player.objects.count()) == (6, 4)
    assert verify() == []


def test_two_events_that_share_their_people_at_once():
    pool()
    other = FILE.replace("YY26LGE", "YY26CUP")
    # With a code for Newcome too, else the second file would ask who he is.
    texts = [text.replace("#PIN=3#", "#PIN=3#ECF CODE=911111G#") for text in (FILE, other)]
    assert at_once(*texts) == [(6, 0), (6, 0)]
    assert (RatedGame.objects.count(), Player.objects.count()) == (12, 4)
    assert verify() == []
