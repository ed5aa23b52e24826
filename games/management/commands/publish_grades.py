"""`publish_grades CUTOFF`: publish a grade list by hand, or see what it would hold."""

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.command_arguments import day
from games.grading_office.grading import count_outstanding
from games.grading_office.list_words import list_line, preview_lines
from ratings import lists, previews


class Command(BaseCommand):
    help = _(
        "Publish the grade list of a cutoff now, or with --preview say what it would hold and"
        " store nothing. A list that is published already is left as it is."
    )

    def add_arguments(self, parser):
        parser.add_argument(
            "cutoff",
            type=day,
            metavar=_("CUTOFF"),
            help=_("a 1 January or 1 July, as 2026-07-01"),
        )
        parser.add_argument(
            "--pool", choices=lists.GRADED_POOLS, help=_("one rate of play; both if not given")
        )
        parser.add_argument("--preview", action="store_true", help=_("store nothing"))

    def handle(self, *args, **options):
        names = [options["pool"]] if options["pool"] else lists.GRADED_POOLS
        refused = [error for name in names if (error := self.handle_pool(name, options))]
        # Of two rates of play, one may have no list.
        absent = [error for error in refused if isinstance(error, lists.NoSuchCutoff)]
        wrong = [error for error in refused if error not in absent]
        if wrong or len(absent) == len(names):
            raise CommandError("\n".join(dict.fromkeys(map(str, wrong or absent))))
        for error in absent:
            self.stdout.write(str(error))

    def handle_pool(self, name: str, options) -> lists.ListError | None:
        """Publish or preview one pool's list and say so; why not, if it cannot be."""
        cutoff, at = options["cutoff"], timezone.now()
        try:
            if options["preview"]:
                found = previews.preview(pool=name, cutoff=cutoff, at=at)
                for line in preview_lines(found, count_outstanding(name, cutoff)):
                    self.stdout.write(line)
            else:
                made = lists.publish(
                    pool=name, cutoff=cutoff, at=at, by=None, outstanding=count_outstanding
                )
                self.stdout.write(list_line(made))
        except lists.AlreadyPublished as said:
            self.stdout.write(str(said))
        except lists.ListError as error:
            return error
        return None
