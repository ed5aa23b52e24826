"""`import_grade_list FILE --publisher ECF --published-on DATE`: a federation's list, as a list."""

from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.command_arguments import day
from clubs.import_command import ImportCommand
from clubs.sheets import UnreadableFile
from ratings.models import PoolName
from ratings.outside_lists import PUBLISHERS, import_grade_list


class Command(ImportCommand):
    help = _(
        "Store a federation's list as a list of its own: the ECF's CSV of grades (to 2020) or of"
        " ratings (since), original and revised apart, or FIDE's text of fixed columns. Players"
        " are found by ECF code or FIDE number. All of it is stored, or nothing; what is stored"
        " already is not stored twice. The ECF's online ratings are not kept."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", metavar="FILE", help=_("the list as it was downloaded"))
        parser.add_argument("--publisher", choices=PUBLISHERS, required=True, help=_("whose it is"))
        parser.add_argument(
            "--published-on",
            type=day,
            required=True,
            metavar=_("DATE"),
            help=_("the day of the list, as 2026-07-01"),
        )
        parser.add_argument(
            "--pool",
            choices=[PoolName.STANDARD.value, PoolName.RAPID.value, PoolName.BLITZ.value],
            help=_("one rate of play; all that the file holds if not given"),
        )
        parser.add_argument(
            "--as-openings",
            action="store_true",
            help=_("open the ratings of players who have none, and rate their games again"),
        )
        parser.add_argument(
            "--dry-run", action="store_true", help=_("say what would be stored, and store nothing")
        )
        parser.add_argument(
            "--verbose", action="store_true", help=_("name every row whose player is not here")
        )

    def read(self, path):
        try:
            return open(path, "rb")
        except OSError as error:
            raise UnreadableFile(f"{path}: {error.strerror}") from None

    def import_file(self, content, options, progress):
        with content as file:
            return import_grade_list(
                file=file,
                source=Path(options["file"]).name,
                publisher=options["publisher"],
                published_on=options["published_on"],
                pool=options["pool"],
                as_openings=options["as_openings"],
                dry_run=options["dry_run"],
                name_all=options["verbose"],
                by=None,
                at=timezone.now(),
                progress=progress,
            )
