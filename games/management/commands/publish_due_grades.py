"""`publish_due_grades [--at DATE]`: every grade list that is due, in order, each once."""

from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.command_arguments import day
from games.grading_office.grading import count_outstanding
from games.grading_office.list_words import list_line
from ratings import lists
from ratings.models import GradeList

TRIAL = timedelta(days=400)


def latest_day() -> date:
    """The last day to publish as of: today, for what is published stays so.

    In development the clock may be moved over the next two cutoffs.
    """
    return timezone.localdate() + (TRIAL if settings.DEV else timedelta())


class Command(BaseCommand):
    help = gettext_lazy(
        "Publish the grade lists whose days of waiting are over, in order, each once, and work"
        " the newest one out again as a provisional list. The job worker does the same by itself;"
        " this is for cron."
    )

    def add_arguments(self, parser):
        parser.add_argument(
            "--at",
            type=day,
            metavar=gettext_lazy("DATE"),
            help=gettext_lazy("as if it were noon of that day (not after today), as 2026-07-15"),
        )

    def handle(self, *args, **options):
        at = timezone.now()
        if options["at"] is not None:
            if options["at"] > latest_day():
                raise CommandError(
                    _("%s is still to come, and lists are published for good.")
                    % options["at"].isoformat()
                )
            at = timezone.make_aware(datetime.combine(options["at"], time(12)))
        made = lists.publish_due(at=at, outstanding=count_outstanding)
        for grade_list in made:
            self.stdout.write(list_line(grade_list))
        for grade_list in GradeList.objects.provisional().order_by("cutoff", "-pool"):
            self.stdout.write(list_line(grade_list))
        if not made:
            self.stdout.write(_("No list was due."))
