"""How often a card asks the database: the fewer statements, the more cards an evening."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.games.card_scene import AT, make_scene

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]


def statements(call) -> list[str]:
    """What the call sends to the database within its one transaction and around it."""
    with CaptureQueriesContext(connection) as captured:
        call()
    sent = [query["sql"] for query in captured.captured_queries]
    assert (sent.count("BEGIN"), sent.count("COMMIT")) == (1, 1)
    return [sql for sql in sent if sql not in ("BEGIN", "COMMIT")]


@pytest.mark.parametrize("who", ["captain", "secretary", "officer"])
@pytest.mark.parametrize("played_before", [True, False])
def test_a_card_of_six_boards_takes_sixteen_statements(client, who, played_before):
    scene = make_scene(played_before=played_before)
    client.force_login(getattr(scene, who))

    def sent(results):
        form = scene.form(results)
        return len(statements(lambda: client.post(scene.url, form)))

    # New, two results corrected, and the same once more: a double click writes nothing.
    assert [sent("=1=01="), sent("01=01="), sent("01=01=")] == [16, 16, 6]
    assert scene.reload().version == 2


def test_what_a_late_card_asks_more_is_whether_its_list_waits(client):
    scene = make_scene()
    late = AT.replace(year=2027)
    first = statements(lambda: scene.record("=1=01=", version=0))
    second = statements(lambda: scene.record("01=01=", version=1, at=late))
    assert len(second) - len(first) == 1
    assert sum("ratings_gradelist" in sql for sql in second) == 1
