"""The roles of who leaves a club: taken on the day on which he leaves."""

from datetime import date, datetime, time

import pghistory
from django.db import transaction
from django.utils import timezone
from procrastinate.contrib.django import app

from clubs import mail
from clubs.models import Membership, Player

from . import roles


def withdraw_roles(*, player: int, club: int, on: date, by, at: datetime) -> None:
    """Take the club's roles from a player who leaves it: now, or by a job if `on` is to come."""
    if on <= timezone.localdate(at):
        roles.withdraw_of_club(player=player, club=club)
    else:
        day = timezone.make_aware(datetime.combine(on, time.min))
        job = withdraw_roles_of_leaver.configure(schedule_at=day)
        job.defer(player=player, club=club, by=getattr(by, "pk", None))


@app.task(name="withdraw_roles_of_leaver", queue="office", retry=mail.RETRIES)
def withdraw_roles_of_leaver(*, player: int, club: int, by: int | None) -> None:
    """Take them from who left the club today, unless he stays after all."""
    with transaction.atomic(), pghistory.context(user=by):
        pk = Player.objects.filter(pk=player).kept_for().get(player, player)  # merged meanwhile
        if not Membership.objects.on(timezone.localdate()).filter(player=pk, club=club).exists():
            roles.withdraw_of_club(player=pk, club=club)
