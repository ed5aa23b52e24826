"""What a merge asks first, and whom it refuses to make one."""

import datetime

import pytest

from clubs.models import Player, PlayerState, User
from games.grading_office.verification import verify
from games.registry.merge_checks import Conflict
from games.registry.people import CannotUndo, MergeRefused, MergeUndecided
from ratings.models import OpeningRating
from tests.factories import (
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    PlayerMergeFactory,
    UserFactory,
)
from tests.games.card_scene import TODAY, make_scene
from tests.games.league_state import everything
from tests.games.merge_scene import DAY, merge, met_elsewhere, undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene():
    return make_scene(boards=2)


@pytest.fixture
def keep(scene):
    return scene.home[0]


@pytest.fixture
def drop(scene):
    player = PlayerFactory(surname="Lovell", forenames="Maureen", state=PlayerState.PENDING)
    MembershipFactory(club=scene.match.home.club, player=player, starts_on=TODAY - DAY * 400)
    return player


# --- Conflicts ---------------------------------------------------------------------------


def test_codes_that_differ_have_to_be_chosen_and_none_is_lost(keep, drop):
    Player.objects.filter(pk=keep.pk).update(ecf_code="117540D", fide_id=1)
    Player.objects.filter(pk=drop.pk).update(ecf_code="233310H", membership_number="M7")
    keep.user = UserFactory(player=keep)
    other = UserFactory(player=drop)
    OpeningRatingFactory(player=drop, system="grade", value=150)
    before = everything()
    with pytest.raises(MergeUndecided) as refused:
        merge(keep, drop)
    assert [found.name for found in refused.value.conflicts] == [
        *("ecf_code", "opening-standard-grade", "account"),
    ]
    assert everything() == before
    merged = merge(
        keep, drop, ecf_code="dropped", account="dropped", **{"opening-standard-grade": "dropped"}
    )
    keep, drop = Player.objects.get(pk=keep.pk), Player.objects.get(pk=drop.pk)
    assert (keep.ecf_code, keep.fide_id, keep.membership_number) == ("233310H", 1, "M7")
    assert (drop.ecf_code, drop.fide_id, drop.membership_number) == ("117540D", None, None)
    assert User.objects.get(player=keep) == other
    assert OpeningRating.objects.get(player=keep).value == 150
    assert list(Player.objects.standing().found("117540D")) == [keep]
    assert verify() == []
    undo(merged)
    assert everything() == before


def test_two_birth_dates_and_consents_have_to_be_chosen(keep, drop):
    Player.objects.filter(pk=keep.pk).update(birth_year=2009, name_consent=True)
    Player.objects.filter(pk=drop.pk).update(
        birth_date=datetime.date(2010, 1, 1), birth_year=2010, name_consent=False
    )
    with pytest.raises(MergeUndecided) as refused:
        merge(keep, drop)
    assert [(f.name, f.kept, f.dropped) for f in refused.value.conflicts] == [
        ("birth_date", "2009", "2010-01-01"),
        ("name_consent", "yes", "no"),
    ]
    merge(keep, drop, birth_date="kept", name_consent="dropped")
    keep.refresh_from_db()
    assert (keep.birth_date, keep.birth_year, keep.name_consent) == (None, 2009, False)


@pytest.mark.parametrize(
    ("births", "may_be_junior"),
    [
        ((None, None), True),
        ((2015, None), True),
        ((None, 2008), True),
        ((1970, 2015), True),
        ((None, 1970), False),
    ],
)
def test_that_a_juniors_name_may_be_shown_is_never_taken_over_unsaid(
    keep, drop, births, may_be_junior
):
    Player.objects.filter(pk=keep.pk).update(birth_year=births[0])
    Player.objects.filter(pk=drop.pk).update(birth_year=births[1], name_consent=True)
    chosen = {"birth_date": "kept"} if births[0] and births[1] else {}
    if not may_be_junior:
        merge(keep, drop)
        assert Player.objects.get(pk=keep.pk).name_consent is True
        return
    with pytest.raises(MergeUndecided) as refused:
        merge(keep, drop, **chosen)
    [found] = refused.value.conflicts
    assert found == Conflict("name_consent", "Name may be shown", "not asked", "yes", "kept")
    merged = merge(keep, drop, name_consent="kept", **chosen)
    assert Player.objects.get(pk=keep.pk).name_consent is None
    undo(merged)
    assert Player.objects.get(pk=drop.pk).name_consent is True
    merge(keep, drop, name_consent="dropped", **chosen)
    assert Player.objects.get(pk=keep.pk).name_consent is True


# --- Refusals ----------------------------------------------------------------------------


def refusal(keep, drop) -> list[str]:
    before = everything()
    with pytest.raises(MergeRefused) as refused:
        merge(keep, drop)
    assert everything() == before
    return refused.value.reasons


def test_nobody_is_merged_with_whom_he_played(keep, drop):
    met_elsewhere(keep, drop)
    assert refusal(keep, drop) == [
        "They played each other on 25 October 2026 in Kingsmead Congress: nobody plays himself."
    ]


def test_nobody_is_merged_with_whom_he_sat_beside(scene, keep):
    scene.record("=1", boards=scene.entries("=1"))
    reasons = refusal(keep, scene.home[1])
    assert len(reasons) == 2  # they played before as well
    assert (
        "Both are on the card of Ashdown A v Hartfield A, 24 November 2026, on boards 1 and 2."
        in reasons
    )


def test_nobody_is_merged_with_himself_or_twice(keep, drop):
    assert refusal(keep, keep) == ["Both are the same entry already."]
    merge(keep, drop)
    third = PlayerFactory()
    assert refusal(third, drop) == [
        "Maureen Lovell was merged into Maureen T Lovell already.",
    ]
    assert refusal(drop, third) == [
        "Maureen Lovell was merged into Maureen T Lovell already.",
    ]


def test_merges_into_one_player_are_undone_the_last_one_first(keep, drop):
    first = merge(keep, drop)
    second = merge(keep, PlayerFactory(surname="Lovel", forenames="M"))
    with pytest.raises(CannotUndo, match="M Lovel was merged into Maureen T Lovell later"):
        undo(first)
    undo(second)
    undo(first)
    with pytest.raises(CannotUndo, match="undone already"):
        undo(first)
    with pytest.raises(CannotUndo, match="not known any more"):
        undo(PlayerMergeFactory())


def test_a_merged_player_may_be_merged_again_by_the_next(keep, drop):
    before = everything()
    third = PlayerFactory(surname="Lovell-Tso")
    beside = everything()
    inner = merge(keep, drop)
    outer = merge(third, keep)
    assert Player.objects.filter(pk=drop.pk).kept_for() == {drop.pk: third.pk}
    undo(outer)
    undo(inner)
    assert everything() == beside != before
