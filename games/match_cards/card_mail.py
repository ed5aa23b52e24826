"""Mails about a card to the side that is to answer, one for each event, as text and HTML.

What is queued with the event is one job; it finds out whom to tell, so that entering a card costs
one statement. A later event of the same card overtakes a job that has not run.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _
from procrastinate.contrib.django import app

from clubs import mail
from clubs.dates import date_format
from clubs.mail import Letter
from clubs.models import User
from games.matches.match_mail import addresses_of
from games.matches.match_words import entry_words
from games.models import Agreement, Board, LeagueRole, Match, Side
from games.templatetags.topboard import halves

from .card_agreement import CORRECTED, ENTERED, SETTLED, agrees_on, is_complete, sides_asked
from .card_entries import entry_of

CONFIRMED, DISPUTED, REOPENED, ASKED = "confirmed", "disputed", "reopened", "asked"


def tell_later(match: Match, what: str, *, by, answers: bool = False) -> None:
    """Queue the mails about what has just been done to a card, in the caller's transaction.

    With `answers` it was disputed until then: the officers, who were told of that, hear it too.
    """
    tell_of_card.defer(
        match=match.pk,
        version=match.version,
        agreement=match.agreement,
        what=what,
        by=by.pk if by else None,
        said=_moment(match),
        answers=answers,
    )


@app.task(name="tell_of_card", queue="mail", retry=mail.RETRIES)
def tell_of_card(
    *,
    match: int,
    version: int,
    agreement: str,
    what: str,
    by: int | None,
    said: str,
    answers: bool = False,
) -> None:
    """Queue one mail to everybody whom an event of a card concerns; run twice it sends no second.

    Nothing is told of a card that is gone, or of which something else was said meanwhile: what
    there is to tell of that, its own job tells. Only that a dispute was answered is told the
    officers all the same, unless the card is disputed again.
    """
    stored = (
        Match.objects.for_card()
        .select_related("disputed_by", "agreed_by")
        .with_score()
        .filter(pk=match)
        .first()
    )
    if stored is None:
        return
    # Not the version: a merge of players raises it too, and nobody would tell of the card.
    is_overtaken = (stored.agreement, _moment(stored)) != (agreement, said)
    who = User.objects.filter(pk=by).first()
    own = who.email if who else ""
    event = f"card-{match}-{version}-{what}-{said}"
    told = []
    if not is_overtaken:
        told = [address for address in concerned(stored, what) if address != own]
        send(partial(letter_of, stored, what, who), to=told, event=event)
    if answers and stored.agreement != Agreement.DISPUTED:
        waiting = [each for each in officers_of(stored) if each not in (own, *told)]
        send(partial(answer_letter, stored, what, who), to=waiting, event=event)


def send(compose: Callable[..., Letter], *, to: Iterable[str], event: str) -> None:
    """Queue a letter about a card, as `compose` writes it with and without `has_account`.

    Whoever acts by his address alone would be asked to log in, and no code would come: what he
    gets leads to the match's public page and says how he comes to an account.
    """
    to = list(to)
    accounts = User.objects.filter(email__in=to, is_active=True)
    known = set(accounts.values_list("email", flat=True))
    strangers = [each for each in to if each not in known]
    mail.send_letter(compose, to=[each for each in to if each in known], event=event)
    mail.send_letter(partial(compose, has_account=False), to=strangers, event=event)


def _moment(match: Match) -> str:
    """A word for the last thing that was done to the card."""
    at = match.disputed_at or match.agreed_at or match.entered_at
    return format(int(at.timestamp() * 1000), "x") if at else "0"


def concerned(match: Match, what: str) -> list[str]:
    """The addresses that are told, each once: the side that is to answer, or both sides.

    Of a dispute hear the side that entered the card, and the league's officers; of a word that
    confirms it, that side alone, and only where there was a dispute.
    """
    if what in (ENTERED, CORRECTED):
        sides = sides_asked(match)
    elif what == CONFIRMED:
        disputed = match.events.filter(agreement=Agreement.DISPUTED).exists()
        sides = [match.entered_side] if disputed and match.entered_side else []
    elif what == DISPUTED and match.entered_side:
        sides = [match.entered_side]
    else:
        sides = list(Side.values)
    found = [to for side in sides for to in addresses_of(getattr(match, side))]
    if what == DISPUTED:
        found += officers_of(match)
    return list(dict.fromkeys(found))


def officers_of(match: Match) -> list[str]:
    """The addresses of the officers of the match's league."""
    roles = LeagueRole.objects.filter(league=match.division.season.league_id, user__is_active=True)
    return list(roles.order_by("user__email").values_list("user__email", flat=True))


def answer_letter(match: Match, what: str, who, *, has_account: bool = True) -> Letter:
    """The mail that tells an officer what has answered a dispute: he has nothing to do."""
    letter = letter_of(match, what, who, has_account=has_account)
    return replace(letter, paragraphs=[letter.paragraphs[0], _("It was disputed until then.")])


def letter_of(match: Match, what: str, who, *, has_account: bool = True) -> Letter:
    """The mail about an event of a card, in the language that is active."""
    page = LINKS.get(what, "match_agreement") if has_account else "match_detail"
    boards = list(match.boards.select_related("home_player", "away_player").order_by("number"))
    facts = {
        "match": str(match),
        "score": score_words(match),
        "who": str(who) if who else _("Somebody"),
        "reason": match.dispute,
    }
    return Letter(
        subject=SUBJECTS[what]() % facts,
        paragraphs=[SENTENCES[what]() % facts, *_what_now(match, what, boards, has_account)],
        boards=board_lines(match, boards),
        link_words=_("To the card"),
        link=mail.whole_address(reverse(page, args=[match.pk])),
        foot=_("You get this mail as you act for one of the two sides, or for the league."),
    )


# Where something may be said, the link asks who is not logged in for a code, and leads back.
LINKS = dict.fromkeys((SETTLED, CONFIRMED), "match_detail")
SUBJECTS = {
    ENTERED: lambda: _("Result to confirm: %(match)s, %(score)s"),
    CORRECTED: lambda: _("Corrected: %(match)s, %(score)s"),
    DISPUTED: lambda: _("Disputed: %(match)s, %(score)s"),
    CONFIRMED: lambda: _("Confirmed: %(match)s, %(score)s"),
    SETTLED: lambda: _("Settled: %(match)s, %(score)s"),
    REOPENED: lambda: _("Opened again: %(match)s, %(score)s"),
    ASKED: lambda: _("Still to confirm: %(match)s, %(score)s"),
}
SENTENCES = {
    ENTERED: lambda: _("%(who)s has entered the card of %(match)s: %(score)s."),
    CORRECTED: lambda: _("%(who)s has corrected the card of %(match)s; it says %(score)s now."),
    DISPUTED: lambda: _("%(who)s disputes the card of %(match)s: “%(reason)s”"),
    CONFIRMED: lambda: _("%(who)s has confirmed the card of %(match)s: %(score)s."),
    SETTLED: lambda: _("%(who)s has settled the card of %(match)s for the league: %(score)s."),
    REOPENED: lambda: _("%(who)s has opened the card of %(match)s again for the league."),
    ASKED: lambda: _("Your side has said nothing yet of the card of %(match)s: %(score)s."),
}


def _what_now(match: Match, what: str, boards: Iterable[Board], has_account: bool) -> list[str]:
    """What the reader can do about it, and until when."""
    to_an_account = _(
        "Who answers for your side needs an account: your club’s secretary or the league’s"
        " officer can invite you."
    )
    if what == DISPUTED:
        correct = _("Correct the card, or leave it to the league’s officer to settle it.")
        return [correct if has_account else to_an_account]
    if what in (SETTLED, CONFIRMED):
        return [_("It stands; only the league’s officer can change it.")]
    if match.agreement == Agreement.AGREED:
        return [_("It is agreed unless you dispute it.")]
    if match.agreement != Agreement.ENTERED:
        return []
    if not is_complete(match, boards):
        return [_("Some boards have no result yet; it can be confirmed when it is complete.")]
    last = agrees_on(match)
    confirm = _("Please confirm it, or dispute it and say why.")
    words = [confirm if has_account else to_an_account]
    if last is not None:
        day = date_format(last, "j F")
        words.append(_("If nobody says anything, it is agreed on %(day)s.") % {"day": day})
    return [" ".join(words)]


def score_words(match: Match) -> str:
    """Its score, so far if it is not complete: `3½–2½`."""
    home, away = match.home_points, match.away_points
    if home is None:
        home, away = match.boards_home, match.boards_away
    return f"{halves(home)}–{halves(away)}"


def board_lines(match: Match, boards: Iterable[Board]) -> list[tuple[int, str]]:
    """Each board by number with what it says."""
    names = {
        player.pk: str(player)
        for board in boards
        for player in (board.home_player, board.away_player)
        if player is not None
    }
    return [(board.number, entry_words(entry_of(board), match, names)) for board in boards]
