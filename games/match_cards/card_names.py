"""Who is meant by a name typed on a card: somebody the registry knows, or somebody new."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q
from django.utils.translation import gettext as _

from clubs.models import LEFT, Player
from clubs.names import PersonName, full_name, is_nobody, search_key, split_code, split_name

from .card_checks import SIDES, Problem
from .card_entries import NewPlayer
from .card_form import NEW, BoardForm

NAME_LENGTH = 100


def read_names(boards: Sequence[BoardForm], clubs: Mapping[str, int]) -> None:
    """Fill `who`, `candidates` and `problems` of each board, in a fixed number of queries.

    `clubs` holds the pk of each side's club. A typed name goes before what is chosen in the
    list. It means the player of that code, else the one of that name at the club; somebody the
    registry does not know is new. A namesake elsewhere is offered and never taken: the typist
    chooses him, or a new player.
    """
    known = _known([_typed(board, side) for board in boards for side in SIDES])
    for board in boards:
        for side in SIDES:
            text, chosen = _typed(board, side), board.cleaned_data.get(side)
            for error in [*board.errors.get(side, []), *board.errors.get(f"{side}_name", [])]:
                board.problems.append(Problem(_("Not a player."), error, side))
            if text and not is_nobody(text):
                _read(board, side, text, clubs[side], known)
            elif not text and chosen != NEW:
                board.who[side] = chosen
        if "result" in board.errors:
            board.problems.append(Problem(_("Not a result."), _("Choose one of those there are.")))
        if "home_colour" in board.errors:
            advice = _("Choose White, Black or not known for the home side.")
            board.problems.append(Problem(_("Not a colour."), advice))


def _typed(board: BoardForm, side: str) -> str:
    return board.cleaned_data.get(f"{side}_name", "")


def _known(texts: Sequence[str]) -> list[Player]:
    """The players whom one of these texts may mean, each with his clubs."""
    spelt = [(text, split_code(text), _name(text)) for text in texts if not is_nobody(text)]
    if not spelt:
        return []
    codes = {code for _text, (code, _rest), _name in spelt if code}
    names = {search_key(*name) for _text, _code, name in spelt if name}
    return _standing(
        Player.objects.filter(Q(ecf_code__in=codes) | Q(search_name__in=names))
        .exclude(state__in=LEFT)
        .select_related("merged_into__merged_into")
        .prefetch_related("memberships__club", "merged_into__memberships__club")
        .order_by("sort_name", "pk")
    )


def _standing(found: Iterable[Player]) -> list[Player]:
    """These players; one who was merged is the other, under the code and the name he had."""
    found = list(found)
    players = [player for player in found if player.merged_into_id is None]
    known = {(player.pk, player.search_name) for player in players}
    for player in found:
        kept = player
        while kept.merged_into is not None:
            kept = kept.merged_into
        if kept is not player and (kept.pk, player.search_name) not in known:
            kept.search_name, kept.ecf_code = player.search_name, player.ecf_code
            players.append(kept)
    return players


def _name(text: str) -> PersonName | None:
    """The name in the text, without the code before it; None if it is no name."""
    try:
        return split_name(split_code(text)[1])
    except ValueError:
        return None


def _is_too_long(name: PersonName) -> bool:
    """Whether the registry has no room for it; folded, one letter may be many."""
    return max(map(len, name)) > NAME_LENGTH or len(search_key(*name)) > 2 * NAME_LENGTH


def _read(board: BoardForm, side: str, text: str, club: int, known: Sequence[Player]) -> None:
    code, name, chosen = split_code(text)[0], _name(text), board.cleaned_data.get(side)
    of_code = [player.pk for player in known if code and player.ecf_code == code]
    if of_code:
        board.who[side] = of_code[0]
        return
    if name is None or _is_too_long(name):
        board.problems.append(_no_name(code, text, side))
        return
    namesakes = [player for player in known if player.search_name == search_key(*name)]
    here = [player for player in namesakes if club in _clubs(player)]
    if chosen in [player.pk for player in namesakes]:
        board.who[side] = chosen
    elif len(here) == 1:
        board.who[side] = here[0].pk
    elif not namesakes or (chosen == NEW and not here):
        board.who[side] = NewPlayer(*name, club)
    else:
        board.candidates[side] = [player.pk for player in namesakes]
        board.problems.append(_which(name, namesakes, here, side))


def _clubs(player: Player) -> dict[int, str]:
    return {membership.club_id: membership.club.name for membership in player.memberships.all()}


def _no_name(code: str | None, text: str, side: str) -> Problem:
    if code:
        return Problem(
            _("Not a player."),
            _("Nobody has the code %(code)s. Write the name instead.") % {"code": code},
            side,
        )
    return Problem(_("Not a player."), _("“%(text)s” is no name.") % {"text": text[:100]}, side)


def _which(
    name: PersonName, namesakes: Sequence[Player], here: Sequence[Player], side: str
) -> Problem:
    finding = _("Which %(name)s?") % {"name": full_name(*name)}
    if here:
        return Problem(finding, _("The club has several of that name. Choose one."), side)
    clubs = sorted({club for player in namesakes for club in _clubs(player).values()})
    advice = _("One is at %(clubs)s. Choose that player, or a new one.")
    return Problem(finding, advice % {"clubs": ", ".join(clubs) or _("no club")}, side)
