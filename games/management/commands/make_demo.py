"""`make_demo`: an invented league to look at and to play with, on a development machine."""

from datetime import date, datetime, time

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.command_arguments import day
from games.demo import accounts
from games.demo.league import DemoExists, make_demo
from games.models import League


class Command(BaseCommand):
    help = gettext_lazy(
        "Make an invented county league with its rapid league: two finished seasons, one half-way"
        " with this week's cards waiting, and the grade lists so far. For development only, for"
        " its logins have a known password."
    )

    def add_arguments(self, parser):
        parser.add_argument(
            "--today",
            type=day,
            metavar=gettext_lazy("DATE"),
            help=gettext_lazy("the day it is made for, as 2026-11-26; today if not given"),
        )
        parser.add_argument(
            "--if-empty",
            action="store_true",
            help=gettext_lazy("do nothing when there is a league of any name"),
        )
        parser.add_argument(
            "--logins",
            action="store_true",
            help=gettext_lazy("make nothing; print the accounts of the demo that is there"),
        )

    def handle(self, *args, **options):
        if not settings.DEV:
            raise CommandError(_("The demo is made only where TOPBOARD_DEV=1 is set."))
        if options["logins"]:
            self.print_logins()
        elif not (options["if_empty"] and League.objects.exists()):
            self.make(options["today"])

    def make(self, today: date | None) -> None:
        on = timezone.localdate() if today is None else today
        at = timezone.make_aware(datetime.combine(on, time(12)))
        try:
            league = make_demo(at=at)
        except DemoExists:
            raise CommandError(_("The demo league is there already.")) from None
        self.stdout.write(_("Made the %s.") % league)

    def print_logins(self) -> None:
        lines = accounts.logins()
        if lines:
            self.stdout.write(_("Log in with:"))
        for line in lines:
            self.stdout.write(f"  {line}")
