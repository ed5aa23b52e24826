"""Who may play for which club: registered in time, late, nominated, ended."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from clubs.models import PlayerState
from games.models import Registration
from games.season_office import registrations
from games.season_office.registrations import RegistrationRefused, register
from tests.factories import ClubFactory, PlayerFactory, SeasonFactory, TeamFactory, UserFactory

pytestmark = pytest.mark.django_db
AT = datetime(2026, 10, 6, 22, tzinfo=UTC)
TODAY = date(2026, 10, 6)


@pytest.fixture
def season():
    return SeasonFactory(registration_deadline=date(2026, 12, 31))


def enrol(season, club, *players, at=AT, as_officer=False, on=None):
    return register(
        season=season.pk,
        club=club,
        players=[player.pk for player in players],
        as_officer=as_officer,
        by=UserFactory(),
        at=at,
        on=on,
    )


def test_players_are_registered_once_from_today_on(season):
    club, ann, bob = ClubFactory(), PlayerFactory(), PlayerFactory()
    assert [row.player for row in enrol(season, club, ann).done] == [ann]
    again = enrol(season, club, ann, bob, at=AT + timedelta(days=7))
    assert [row.player for row in again.done] == [bob]
    rows = Registration.objects.order_by("pk").values_list("player", "starts_on", "approved_at")
    assert list(rows) == [
        (ann.pk, TODAY, AT),
        (bob.pk, TODAY + timedelta(days=7), AT + timedelta(days=7)),
    ]
    assert set(Registration.objects.in_force(TODAY).values_list("player", flat=True)) == {ann.pk}


def test_before_the_season_a_registration_begins_with_it(season):
    enrol(season, ClubFactory(), PlayerFactory(), at=datetime(2026, 5, 1, tzinfo=UTC))
    assert Registration.objects.get().starts_on == season.starts_on


def test_after_the_deadline_it_waits_for_the_officer(season):
    late = datetime(2027, 1, 2, 12, tzinfo=UTC)
    club, ann, bob = ClubFactory(), PlayerFactory(), PlayerFactory()
    on_the_day = enrol(season, club, PlayerFactory(), at=datetime(2026, 12, 31, 22, tzinfo=UTC))
    assert len(on_the_day.done) == 1
    found = enrol(season, club, ann, at=late)
    assert (found.done, [row.player for row in found.waiting]) == ([], [ann])
    assert not Registration.objects.filter(player=ann).in_force(date(2027, 3, 1)).exists()
    assert list(Registration.objects.waiting()) == found.waiting
    registrations.approve(registration=found.waiting[0].pk, by=UserFactory(), at=late)
    assert Registration.objects.filter(player=ann).in_force(date(2027, 3, 1)).exists()
    assert len(enrol(season, club, bob, at=late, as_officer=True).done) == 1


def test_one_club_a_player_is_a_setting(season):
    first, second, ann = ClubFactory(name="Ashdown"), ClubFactory(), PlayerFactory(surname="Ash")
    enrol(season, first, ann)
    refused = enrol(season, second, ann)
    assert refused.done == []
    assert refused.refused == [
        (ann, "Robin Ash is registered for Ashdown; a transfer ends that first.")
    ]
    season.one_club_a_player = False
    season.save()
    assert len(enrol(season, second, ann).done) == 1


def test_a_registration_that_ends_later_still_counts_as_his_club(season):
    first, second, ann = ClubFactory(name="Ashdown"), ClubFactory(), PlayerFactory(surname="Ash")
    (held,) = enrol(season, first, ann).done
    leaves = TODAY + timedelta(days=60)
    registrations.end(registration=held.pk, on=leaves, by=UserFactory())
    assert enrol(season, second, ann).refused == [
        (ann, "Robin Ash is registered for Ashdown; a transfer ends that first.")
    ]
    (then,) = enrol(season, second, ann, on=leaves).done
    assert then.starts_on == leaves


def test_who_has_retired_is_not_registered(season):
    ann = PlayerFactory(state=PlayerState.RETIRED)
    ((player, why),) = enrol(season, ClubFactory(), ann).refused
    assert (player, "has retired" in why) == (ann, True)


def test_nominated_players_stand_on_one_board_each(season):
    club = ClubFactory()
    team = TeamFactory(club=club, division__season=season)
    ann, bob = PlayerFactory(), PlayerFactory()
    first, second = enrol(season, club, ann, bob).done
    by = UserFactory()

    def nominate(row, team, rank):
        return registrations.nominate(registration=row.pk, team=team, rank=rank, by=by)

    assert nominate(first, team.pk, 1).nominated_rank == 1
    with pytest.raises(RegistrationRefused, match="is nominated for board 1 of"):
        nominate(second, team.pk, 1)
    with pytest.raises(RegistrationRefused, match="A nominated board belongs to a team"):
        nominate(second, None, 2)
    with pytest.raises(RegistrationRefused, match="is not a team of the club in this season"):
        nominate(second, TeamFactory(division__season=season).pk, 2)
    nominate(first, None, None)
    assert nominate(second, team.pk, 1).nominated_rank == 1
    taken = pytest.raises(IntegrityError, match="games_registration_one_per_rank")
    with taken, transaction.atomic():
        Registration.objects.filter(pk=first.pk).update(team=team, nominated_rank=1)


def test_an_ended_registration_stays_in_the_record(season):
    club, ann = ClubFactory(), PlayerFactory()
    (row,) = enrol(season, club, ann).done
    registrations.end(registration=row.pk, on=date(2026, 11, 1), by=UserFactory())
    row.refresh_from_db()
    assert row.ends_on == date(2026, 11, 1)
    assert not Registration.objects.in_force(date(2026, 11, 1)).exists()
    assert Registration.objects.in_force(date(2026, 10, 31)).exists()
    (again,) = enrol(season, club, ann, at=datetime(2026, 11, 5, tzinfo=UTC)).done
    registrations.end(registration=again.pk, on=date(2026, 11, 5), by=UserFactory())
    assert list(Registration.objects.all()) == [row]


def test_overlapping_registrations_are_refused_by_the_database(season):
    club, ann = ClubFactory(), PlayerFactory()
    (row,) = enrol(season, club, ann).done
    row.pk = None
    overlap = pytest.raises(IntegrityError, match="games_registration_no_overlap")
    with overlap, transaction.atomic():
        row.save(force_insert=True)


def test_those_of_last_season_are_offered_again(season):
    club, ann, bob, cyd = ClubFactory(), *(PlayerFactory() for _ in range(3))
    last = SeasonFactory(
        league=season.league,
        label="2025-26",
        slug="2025-26",
        starts_on=date(2025, 7, 1),
        ends_on=date(2026, 7, 1),
    )
    at = datetime(2025, 10, 6, tzinfo=UTC)
    rows = {row.player: row for row in enrol(last, club, ann, bob, cyd, at=at).done}
    registrations.end(registration=rows[bob].pk, on=date(2026, 2, 1), by=UserFactory())
    enrol(season, club, cyd)
    assert registrations.registered_last_season(season, club) == [ann]
