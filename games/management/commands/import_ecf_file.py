"""`import_ecf_file FILE`: the results of another league or a congress, from its results file."""

from pathlib import Path

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.import_command import ImportCommand
from clubs.sheets import read_file
from games.submission.ecf_file_import import import_ecf_file
from ratings.outside_events import PeopleUndecided
from ratings.outside_people import choices_file


class Command(ImportCommand):
    help = gettext_lazy(
        "Store the games of a results file in the federation's format and rate them. People are"
        " found by their code; whoever is unknown is listed for a decision. A higher submission"
        " index of the same event replaces the lower one. All of it is stored, or nothing."
    )

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help=gettext_lazy("say what would be stored, and store nothing"),
        )
        parser.add_argument(
            "--choices",
            metavar="CSV",
            help=gettext_lazy(
                "who the unknown people are: PIN and Choice, a player's code, his #number, or new"
            ),
        )
        parser.add_argument(
            "--create-players",
            action="store_true",
            help=gettext_lazy("make every unknown person whose name nobody here has"),
        )
        parser.add_argument(
            "--undecided",
            metavar="CSV",
            help=gettext_lazy("write the people who need a decision to this file, for --choices"),
        )

    def import_file(self, content, options, progress):
        choices = options["choices"]
        try:
            return import_ecf_file(
                content=content,
                source=Path(options["file"]).name,
                by=None,
                at=timezone.now(),
                choices=None if choices is None else read_file(choices),
                create_players=options["create_players"],
                dry_run=options["dry_run"],
            )
        except PeopleUndecided as error:
            if options["undecided"] is not None:
                self.write_undecided(options["undecided"], error)
            raise

    def write_undecided(self, path: str, error: PeopleUndecided) -> None:
        """The list to fill in; the report still says that nothing was stored."""
        try:
            # The mark tells a spreadsheet that it is UTF-8.
            Path(path).write_text(choices_file(error.undecided), encoding="utf-8-sig", newline="")
        except OSError as wrong:
            raise CommandError(f"{path}: {wrong.strerror}") from None
        self.stdout.write(_("Who has to be decided stands in %s.") % path)
