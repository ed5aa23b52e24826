"""Who is meant by a name typed on a card: somebody the registry knows, or somebody new."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import LEFT, Membership, Player
from clubs.names import PersonName, fold, full_name, is_nobody, search_key, split_code, split_name

from .card_checks import SIDES, Problem
from .card_entries import NewPlayer
from .card_form import NEW, BoardForm

NAME_LENGTH = 100
MOST_LIKELY = 12
"""So many people are offered for a name that nobody has."""
MOST_READ = 300
ALIKE = 0.75
"""How much of a name at the club has to be the same to be offered for one spelt otherwise."""


def read_names(boards: Sequence[BoardForm], clubs: Mapping[str, int]) -> None:
    """Fill `who`, `candidates` and `problems` of each board, in a fixed number of queries.

    `clubs` holds the pk of each side's club. A typed name goes before what is chosen in the
    list, unless that answers the question who it is. It means the player of that code, else the
    one of that name at the club. Whoever else it may mean is offered and never taken: the typist
    chooses one of them, or a new player, who is never made without his word.
    """
    known = _known([_typed(board, side) for board in boards for side in SIDES])
    asked: list[tuple[BoardForm, str]] = []
    for board in boards:
        for side in SIDES:
            text, chosen = _typed(board, side), board.cleaned_data.get(side)
            for error in [*board.errors.get(side, []), *board.errors.get(f"{side}_name", [])]:
                board.problems.append(Problem(_("Not a player."), error, side))
            if text and not is_nobody(text):
                if not _read(board, side, text, clubs[side], known):
                    asked.append((board, side))
            elif not text and chosen != NEW:
                board.who[side] = chosen
        if "result" in board.errors:
            board.problems.append(Problem(_("Not a result."), _("Choose one of those there are.")))
        if "home_colour" in board.errors:
            advice = _("Choose White, Black or not known for the home side.")
            board.problems.append(Problem(_("Not a colour."), advice))
    if asked:
        _offer(asked, clubs)


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


def has_forename(name: PersonName) -> bool:
    """Whether it can be a new player's: nobody is entered by his surname alone."""
    return any(word not in ("Jr", "Sr") for word in name.forenames.split())


def _is_too_long(name: PersonName) -> bool:
    """Whether the registry has no room for it; folded, one letter may be many."""
    return max(map(len, name)) > NAME_LENGTH or len(search_key(*name)) > 2 * NAME_LENGTH


def _read(board: BoardForm, side: str, text: str, club: int, known: Sequence[Player]) -> bool:
    """Find who the text means, or what is wrong; False where nobody is called so."""
    code, name, chosen = split_code(text)[0], _name(text), board.cleaned_data.get(side)
    of_code = [player.pk for player in known if code and player.ecf_code == code]
    is_answer = board.asked(side) == text
    if of_code or (is_answer and isinstance(chosen, int)):
        board.who[side] = of_code[0] if of_code else chosen
        return True
    if name is None or _is_too_long(name):
        board.problems.append(_no_name(code, text, side))
        return True
    namesakes = [player for player in known if player.search_name == search_key(*name)]
    here = [player for player in namesakes if club in _clubs(player)]
    may_be_new = chosen == NEW and has_forename(name)
    if chosen in [player.pk for player in namesakes]:
        board.who[side] = chosen
    elif len(here) == 1:
        board.who[side] = here[0].pk
    elif may_be_new and (not here or is_answer):
        board.who[side] = NewPlayer(*name, club)
    elif namesakes:
        board.candidates[side] = {player.pk: _club_words(player) for player in namesakes}
        board.may_be_new |= {side} if has_forename(name) else set()
        board.problems.append(_which(name, namesakes, here, side))
    return board.who[side] is not None or bool(namesakes)


def _offer(asked: Sequence[tuple[BoardForm, str]], clubs: Mapping[str, int]) -> None:
    """Ask at each of these fields who is meant, with the likeliest people of the registry."""
    names = {(board, side): _name(_typed(board, side)) for board, side in asked}
    spelt = Q()
    for name in names.values():
        words = Q()
        for word in fold(name.surname).split() or [fold(name.forenames)]:
            words &= Q(search_name__contains=word)
        spelt |= words
    playing = Player.objects.playing().prefetch_related("memberships__club")
    found = list(playing.filter(spelt).order_by("sort_name", "pk")[:MOST_READ])
    members = Membership.objects.filter(club__in=clubs.values()).values("player")
    known = {each.pk: each for each in [*found, *playing.filter(pk__in=members)]}
    for (board, side), name in names.items():
        people = _likely(name, known.values(), clubs[side])
        board.candidates[side] = {player.pk: _club_words(player) for player in people}
        board.may_be_new |= {side} if has_forename(name) else set()
        board.problems.append(_who_is(name, len(people), side))


def _likely(name: PersonName, known: Iterable[Player], club: int) -> list[Player]:
    """Who of these may be meant by the name, the likeliest first: his own club before others."""
    text = search_key(*name)
    found = []
    for player in known:
        here = club in _clubs(player)
        likeness = SequenceMatcher(None, text, player.search_name).ratio()
        of_surname = set(fold(name.surname).split()) <= set(player.search_name.split())
        fits = all(word in player.search_name for word in text.split())
        if fits or of_surname or (here and likeness >= ALIKE):
            order = (not fits, not here, 0 if fits else -likeness, player.sort_name, player.pk)
            found.append((*order, player))
    return [each[-1] for each in sorted(found)[:MOST_LIKELY]]


def _clubs(player: Player) -> dict[int, str]:
    return {membership.club_id: membership.club.name for membership in player.memberships.all()}


def _club_words(player: Player) -> str:
    return ", ".join(sorted(_clubs(player).values()))


def _no_name(code: str | None, text: str, side: str) -> Problem:
    if code:
        return Problem(
            _("Not a player."),
            _("Nobody has the code %(code)s. Write the name instead.") % {"code": code},
            side,
        )
    return Problem(_("Not a player."), _("“%(text)s” is no name.") % {"text": text[:100]}, side)


def _who_is(name: PersonName, likely: int, side: str) -> Problem:
    """That nobody is called so: how many may be meant, and what a new player needs."""
    words = {"name": full_name(*name), "count": likely}
    match = ngettext("%(count)d player may be meant.", "%(count)d players may be meant.", likely)
    if not has_forename(name):
        finding = _("Which %(name)s?") % words if likely else _("Who is %(name)s?") % words
        advice = _("A new player needs a forename and a surname.")
    elif likely:
        finding = _("Who is %(name)s?") % words
        advice = _("Choose that player, or a new one.")
    else:
        finding = _("Who is %(name)s?") % words
        advice = _("Nobody known is called so: choose a new player, or correct the name.")
    return Problem(finding, f"{match % words} {advice}" if likely else advice, side)


def _which(
    name: PersonName, namesakes: Sequence[Player], here: Sequence[Player], side: str
) -> Problem:
    finding = _("Which %(name)s?") % {"name": full_name(*name)}
    if here:
        return Problem(finding, _("The club has several of that name. Choose one."), side)
    clubs = sorted({club for player in namesakes for club in _clubs(player).values()})
    advice = _("One is at %(clubs)s. Choose that player, or a new one.")
    return Problem(finding, advice % {"clubs": ", ".join(clubs) or _("no club")}, side)
