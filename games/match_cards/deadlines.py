"""When results are due, and what happens by itself when they do not come.

Days are those of the match and of the league's time zone, so a clock that is put back changes
nothing. Each step is noted in the transaction that takes it, and taken once.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs import mail
from clubs.dates import date_format
from clubs.mail import Letter
from clubs.models import User
from games.division_tables import adjustments
from games.matches.match_mail import addresses_of
from games.models import (
    Agreement,
    LateSide,
    Match,
    Notice,
    NoticeStage,
    Side,
    Team,
)

from . import card_mail, cards
from .card_agreement import agrees_on, sides_asked

LOOKED_BACK = 14
"""Days after a deadline in which something still happens: a rule set in May spares the autumn."""

FIRST_HOUR = 9
"""Nobody is reminded earlier in the day."""

ANSWER_BEFORE, SHORTEST_TO_ANSWER = 2, 3
"""Days before a card is agreed by itself on which the side that is asked hears of it once more,
where it had so many days at least."""


def due_on(match: Match) -> date | None:
    """The last day on which the card is in time, None without a deadline or a day."""
    days = match.division.result_due_days
    if days is None or match.played_on is None:
        return None
    return match.played_on + timedelta(days=days)


def is_overdue(match: Match, today: date) -> bool:
    """Whether a card that is missing is late."""
    due = due_on(match)
    return due is not None and today > due


def was_late(match: Match) -> bool:
    """Whether the card came in after its deadline, by when it was entered first."""
    due = due_on(match)
    if due is None or match.first_entered_at is None:
        return False
    return timezone.localdate(match.first_entered_at) > due


def stage_of(match: Match, today: date) -> str | None:
    """Which reminder of a missing card is due today, if any; none before the day after it."""
    due, division = due_on(match), match.division
    if due is None or today > due + timedelta(days=LOOKED_BACK):
        return None
    before, after = division.remind_days_before, division.remind_days_after
    if today > due:
        late = after is not None and today >= due + timedelta(days=after)
        return NoticeStage.AFTER.value if late else None
    if before is None:
        return None
    # On its own day nobody may have played yet.
    first = max(due - timedelta(days=before), match.played_on + timedelta(days=1))
    return NoticeStage.BEFORE.value if today >= first else None


# Reminders --------------------------------------------------------------------------------------


def remind_due(*, at: datetime) -> int:
    """Queue a reminder to both sides of each missing card that has one due; returns how many.

    Before nine in the morning nobody is reminded.
    """
    if timezone.localtime(at).hour < FIRST_HOUR:
        return 0
    today = timezone.localdate(at)
    due = [match.pk for match in _with_deadline(today).missing() if stage_of(match, today)]
    return sum(_remind(pk, today, at) for pk in due)


def _with_deadline(today: date):
    """The public matches of running seasons whose deadline is near or was lately."""
    earliest = today - timedelta(days=LOOKED_BACK)
    return (
        Match.objects.published()
        .filter(
            division__season__closed_at__isnull=True,
            division__result_due_days__isnull=False,
            played_on__lte=today,
            played_on__gte=earliest - F("division__result_due_days") * timedelta(days=1),
        )
        .select_related("division")
        .order_by("pk")
    )


def _remind(pk: int, today: date, at: datetime) -> bool:
    """Remind of one match, unless its card came meanwhile or somebody reminded."""
    with transaction.atomic():
        cards.lock_match(pk)
        match = Match.objects.missing().for_card().filter(pk=pk).first()
        stage = match and stage_of(match, today)
        if not stage:
            return False
        _notice, is_new = Notice.objects.get_or_create(
            match=match, stage=stage, team=None, due_on=due_on(match), defaults={"noted_at": at}
        )
        if is_new:
            mail.send_letter(
                lambda: letter_of(match, stage),
                to=reminded(match),
                event=f"reminder-{pk}-{stage}-{due_on(match):%Y%m%d}",
            )
        return is_new


def reminded(match: Match, sides: Iterable[str] = Side.values) -> list[str]:
    """The addresses of these sides, each once, without those who want no reminders."""
    found = dict.fromkeys(to for side in sides for to in addresses_of(getattr(match, side)))
    unwilling = User.objects.filter(email__in=found, wants_reminders=False)
    return [to for to in found if to not in set(unwilling.values_list("email", flat=True))]


def remind_to_answer(*, at: datetime) -> int:
    """Queue a reminder to the side that is asked about a card, two days before nothing said means
    yes; returns of how many cards. Once a match, and not before nine in the morning.
    """
    if timezone.localtime(at).hour < FIRST_HOUR:
        return 0
    today = timezone.localdate(at)
    waiting = _unanswered().select_related("division").with_score().order_by("pk")
    due = [each.pk for each in waiting if _asks_today(each, today)]
    return sum(_remind_to_answer(pk, today, at) for pk in due)


def _unanswered():
    """The entered cards of running seasons that are agreed by themselves, not reminded of yet."""
    return (
        Match.objects.published()
        .filter(agreement=Agreement.ENTERED, division__season__closed_at__isnull=True)
        .undecided()
        .exclude(division__agrees_after_days=None, division__final_after_days=None)
        .exclude(notices__stage=NoticeStage.ANSWER)
    )


def _asks_today(match: Match, today: date) -> bool:
    """Whether a complete card is agreed by itself in a day or two, and had three days at least.

    The match is of `MatchQuerySet.with_score()`.
    """
    if not match.is_complete:
        return False
    last = agrees_on(match)
    if last is None or (last - timezone.localdate(match.entered_at)).days < SHORTEST_TO_ANSWER:
        return False
    return last - timedelta(days=ANSWER_BEFORE) <= today < last


def _remind_to_answer(pk: int, today: date, at: datetime) -> bool:
    """Remind of one card, unless it is incomplete, was answered meanwhile, or somebody reminded."""
    with transaction.atomic():
        cards.lock_match(pk)
        match = _unanswered().for_card().with_score().filter(pk=pk).first()
        if match is None or not _asks_today(match, today):
            return False
        Notice.objects.create(
            match=match, stage=NoticeStage.ANSWER, due_on=agrees_on(match), noted_at=at
        )
        card_mail.send(
            partial(_asking_letter, match),
            to=reminded(match, sides_asked(match)),
            event=f"reminder-{pk}-answer",
        )
        return True


def _asking_letter(match: Match, *, has_account: bool = True) -> Letter:
    """The reminder of a card that waits for an answer."""
    letter = card_mail.letter_of(match, card_mail.ASKED, None, has_account=has_account)
    return replace(letter, **_foot())


def _foot() -> dict[str, str]:
    """What stands below a reminder, and the page on which its reader asks for no more."""
    return {
        "foot": _("You get this mail as you act for one of the two sides. No more reminders:"),
        "foot_link": mail.whole_address(reverse("office_mail")),
    }


def letter_of(match: Match, stage: str) -> Letter:
    """The reminder of a missing card, in the language that is active."""
    facts = {
        "match": str(match),
        "day": date_format(match.played_on, "l j F"),
        "due": date_format(due_on(match), "l j F"),
    }
    if stage == NoticeStage.BEFORE:
        subject = _("The card of %(match)s is due on %(due)s")
        words = _("Nobody has entered the card of %(match)s, %(day)s, yet. It is due on %(due)s.")
    else:
        subject = _("The card of %(match)s is late")
        words = _("Nobody has entered the card of %(match)s, %(day)s. It was due on %(due)s.")
    division = match.division
    costs = division.late_match_points or division.late_game_points
    return Letter(
        subject=subject % facts,
        paragraphs=[
            words % facts,
            *([_("A late result costs points, by the rules of the division.")] if costs else []),
            _("Either side may enter it."),
        ],
        link_words=_("Enter the card"),
        link=mail.whole_address(reverse("match_card", args=[match.pk])),
        **_foot(),
    )


# Penalties --------------------------------------------------------------------------------------


def penalise_late(*, at: datetime) -> int:
    """Take the points off for each late result where the division has it so; returns how many.

    Once a match and team: what the officer takes back stays so.
    """
    today = timezone.localdate(at)
    costly = _with_deadline(today).filter(
        Q(division__late_match_points__gt=0) | Q(division__late_game_points__gt=0)
    )
    found = {match.pk for match in costly.missing() if is_overdue(match, today)}
    found |= {
        match.pk
        for match in costly.filter(first_entered_at__isnull=False).exclude(state="void")
        if was_late(match)
    }
    found -= set(Notice.objects.filter(stage="penalty").values_list("match", flat=True))
    return sum(_penalise(pk, today, at) for pk in sorted(found))


def _penalise(pk: int, today: date, at: datetime) -> int:
    with transaction.atomic():
        cards.lock_match(pk)
        match = Match.objects.for_card().get(pk=pk)
        missing = Match.objects.missing().filter(pk=pk).exists()
        if not (was_late(match) or missing and is_overdue(match, today)):
            return 0
        return sum(_take_off(match, team, today, at) for team in _late_teams(match))


def _late_teams(match: Match) -> Iterator[Team]:
    yield match.home
    if match.division.late_side == LateSide.BOTH:
        yield match.away


def _take_off(match: Match, team: Team, today: date, at: datetime) -> bool:
    notice, is_new = Notice.objects.get_or_create(
        match=match,
        stage=NoticeStage.PENALTY,
        team=team,
        defaults={"due_on": due_on(match), "noted_at": at},
    )
    if is_new:
        with translation.override(settings.LANGUAGE_CODE):
            reason = _("The result of %(match)s, %(day)s, was due by %(due)s and came late.") % {
                "match": str(match),
                "day": date_format(match.played_on, "j F Y"),
                "due": date_format(due_on(match), "j F Y"),
            }
        notice.adjustment = adjustments.add_adjustment(
            team=team.pk,
            match_points=-match.division.late_match_points,
            game_points=-match.division.late_game_points,
            reason=reason[:300],
            decided_on=today,
            by=None,
            at=at,
        )
        notice.save(update_fields=["adjustment"])
    return is_new
