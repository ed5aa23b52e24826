"""The day on which the tests of the registry in the office play, and who is logged in then."""

import datetime

TODAY = datetime.date(2026, 11, 24)
AT = datetime.datetime(2026, 11, 24, 12, tzinfo=datetime.UTC)


def login(client, user):
    client.force_login(user)
    return user
