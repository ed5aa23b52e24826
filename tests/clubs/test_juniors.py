from datetime import date

import pytest
from django.contrib.auth.models import AnonymousUser

from clubs import access, juniors
from clubs.models import Player
from tests.factories import PlayerFactory, UserFactory

TODAY = date(2026, 11, 24)

# birth date, birth year, consent -> hidden on 24 November 2026
PEOPLE = [
    (date(2008, 11, 24), None, None, False),
    (date(2008, 11, 25), None, None, True),
    (date(2008, 11, 25), 2008, False, True),
    (date(2008, 11, 25), None, True, False),
    (date(2026, 1, 1), None, None, True),
    (None, 2009, None, True),
    (None, 2009, False, True),
    (None, 2009, True, False),
    # Born in 2008 he may be 18 already: not known to be under it.
    (None, 2008, None, False),
    (None, None, None, False),
    (None, None, False, False),
]


@pytest.mark.parametrize(("born", "year", "consent", "is_hidden"), PEOPLE)
def test_only_players_known_under_18_without_consent_are_hidden(born, year, consent, is_hidden):
    player = Player(
        surname="Żabrek", forenames="Łucja", birth_date=born, birth_year=year, name_consent=consent
    )

    assert player.is_hidden(TODAY) == is_hidden
    assert player.public_name(TODAY) == ("Junior player" if is_hidden else "Łucja Żabrek")
    assert player.public_listed_name(TODAY) == ("Junior player" if is_hidden else "Żabrek, Łucja")


@pytest.mark.parametrize(
    ("born", "today", "under"),
    [
        (date(2008, 2, 29), date(2026, 2, 28), True),
        (date(2008, 2, 29), date(2026, 3, 1), False),
        (date(2010, 2, 28), date(2028, 2, 29), False),
        (date(2010, 3, 1), date(2028, 2, 29), True),
    ],
)
def test_a_birthday_on_29_february(born, today, under):
    assert juniors.is_known_under_18(born, None, today) == under


@pytest.mark.django_db
def test_the_database_hides_the_same_people():
    players = [
        PlayerFactory(birth_date=born, birth_year=year, name_consent=consent)
        for born, year, consent, _hidden in PEOPLE
    ]
    shown = [player for player in players if not player.is_hidden(TODAY)]

    assert set(Player.objects.with_public_names(TODAY)) == set(shown)
    assert set(Player.objects.filter(juniors.hidden(TODAY))) == set(players) - set(shown)


@pytest.mark.django_db
def test_accounts_see_every_name_and_the_public_no_code_either():
    junior = PlayerFactory(
        surname="Quill", forenames="Ada", birth_date=date(2015, 1, 1), ecf_code="178853L"
    )
    reader, public = UserFactory(), AnonymousUser()

    seen = [
        (
            access.name_for(who, junior, TODAY),
            access.listed_name_for(who, junior, TODAY),
            access.code_for(who, junior, TODAY),
        )
        for who in (reader, public)
    ]

    assert seen == [
        ("Ada Quill", "Quill, Ada", "178853L"),
        ("Junior player", "Junior player", None),
    ]
