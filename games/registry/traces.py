"""Who a person was: what his erasure looks for wherever somebody may have written it."""

from collections.abc import Collection
from dataclasses import dataclass

from allauth.account.models import EmailAddress

from clubs.models import Player, PlayerEvent, User, UserEvent

FORMER = "Former player"
NAME = ("surname", "forenames")


@dataclass(frozen=True, slots=True)
class Traces:
    """A person's entries and accounts, by pk, and all that he was ever called.

    His own entry is the first. A field that holds one of `names` or `addresses` and nothing else
    is about him, in whatever case it is written; `said` is what a sentence may call him, the
    longest first.
    """

    entries: tuple[int, ...]
    accounts: tuple[int, ...]
    names: frozenset[str]
    addresses: frozenset[str]
    said: tuple[str, ...]


def traces_of(player: int) -> Traces:
    """The traces of this player, with those of everybody who was merged into him."""
    entries = entries_of(player)
    users = User.objects.filter(player__in=entries).order_by("pk")
    accounts = dict(users.values_list("pk", "name"))
    names, said = _names_of(entries)
    addresses = _addresses_of(accounts)
    own = set(filter(None, accounts.values()))
    # A single word may be anybody.
    said |= addresses | {name for name in own if " " in name}
    return Traces(
        entries=tuple(entries),
        accounts=tuple(accounts),
        names=frozenset(names | own),
        addresses=frozenset(addresses),
        said=tuple(sorted(said, key=lambda text: (-len(text), text))),
    )


def entries_of(player: int) -> list[int]:
    """The pks of the person's entry and of all that were merged into it, however often."""
    found = [player]
    for pk in found:
        found += Player.objects.filter(merged_into=pk).order_by("pk").values_list("pk", flat=True)
    return found


def _names_of(entries: Collection[int]) -> tuple[set[str], set[str]]:
    """His names of now and of before, and those of them that are more than a surname."""
    pairs = {
        *Player.objects.filter(pk__in=entries).values_list(*NAME),
        *PlayerEvent.objects.filter(pgh_obj__in=entries).values_list(*NAME),
    }
    names, full = set(), set()
    for surname, forenames in pairs - {(FORMER, "")}:
        player = Player(surname=surname, forenames=forenames)
        both = {str(player), player.listed_name}
        names |= both
        full |= both if forenames else set()
    return names, full


def _addresses_of(accounts: Collection[int]) -> set[str]:
    """The addresses of the accounts, of now and of before, but what is another account's now."""
    found = {
        *User.objects.filter(pk__in=accounts).values_list("email", flat=True),
        *EmailAddress.objects.filter(user__in=accounts).values_list("email", flat=True),
        *UserEvent.objects.filter(pgh_obj__in=accounts).values_list("email", flat=True),
    } - {""}
    others = User.objects.exclude(pk__in=accounts).filter(email__in=found)
    return found - set(others.values_list("email", flat=True))
