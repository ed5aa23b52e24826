"""`import_results FILE --league NAME --season LABEL`: a season's results from a CSV file."""

from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.import_command import ImportCommand
from games.result_files.result_import import import_results


class Command(ImportCommand):
    help = _(
        "Store the results of a league site's CSV export, a row a board, and bring tables and Elo"
        " up to date. All of it is stored, or nothing; what is stored already is not stored twice."
    )

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--league", required=True, metavar=_("NAME"), help=_("its name"))
        parser.add_argument(
            "--season",
            required=True,
            metavar=_("LABEL"),
            help=_("as 2010-11; a new season runs from 1 July to 30 June"),
        )
        parser.add_argument(
            "--dry-run", action="store_true", help=_("say what would be stored, and store nothing")
        )

    def import_file(self, content, options, progress):
        return import_results(
            content=content,
            source=Path(options["file"]).name,
            league=options["league"],
            season=options["season"],
            by=None,
            at=timezone.now(),
            dry_run=options["dry_run"],
            progress=progress,
        )
