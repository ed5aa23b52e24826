"""Each page that anybody may read, and its twins: at most twelve queries, in a large county too.

The list comes out of the URL resolver; the benchmark of the same pages measures their time.
"""

import datetime

import pytest
from django.db import transaction

from tests.benchmarks import county
from tests.benchmarks.public_pages import MOST_QUERIES, addresses, queries

pytestmark = pytest.mark.django_db

# What a page asks where a village has nothing of a kind to show: a query a row would be dozens.
STEP = 3


def asked(size: county.Size) -> dict[str, int]:
    """Queries by the kind of address; the county is gone again."""
    today = datetime.date.today()
    with transaction.atomic():
        county.load(size, today=today)
        found = {address.kind: queries(address) for address in addresses(today)}
        transaction.set_rollback(True)
    return found


def test_queries_are_few_and_do_not_grow():
    few, many = asked(county.VILLAGE), asked(county.TOWN)
    assert len(many) > 100
    assert {kind: count for kind, count in many.items() if count > MOST_QUERIES} == {}
    grown = {kind: (few[kind], many[kind]) for kind in many if many[kind] > few[kind] + STEP}
    assert grown == {}
