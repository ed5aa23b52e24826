"""What the import commands share: reading the file, showing progress, printing the report."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError, OperationalError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .import_report import ImportRefused, Report
from .progress import Progress
from .sheets import UnreadableFile, read_file


class ImportCommand(BaseCommand):
    """A command that stores a whole file or nothing.

    The report goes to the standard output and its last line is always `N new, M changed`; rows
    that cannot be stored go to the error output, and then the exit status is 1.
    """

    def add_arguments(self, parser):
        parser.add_argument("file", metavar="FILE", help=_("a CSV file"))

    def read(self, path: str) -> Any:
        """What `import_file` gets of the file: all of it; raises `UnreadableFile`."""
        return read_file(path)

    def import_file(self, content: Any, options: dict[str, Any], progress: Progress) -> Report:
        """Store the file; a subclass calls its workflow here."""
        raise NotImplementedError

    def handle(self, *args, **options):
        try:
            content = self.read(options["file"])
            report = self.import_file(content, options, Progress(self.stderr))
        except UnreadableFile as error:
            raise self.refused(str(error)) from None
        except ImportRefused as error:
            for problem in error.problems:
                self.stderr.write(str(problem), style_func=lambda line: line)
            count = len(error.problems)
            sentence = ngettext(
                "Nothing was stored: %d row or cell is wrong.",
                "Nothing was stored: %d rows or cells are wrong.",
                count,
            )
            raise self.refused(sentence % count) from None
        except (IntegrityError, OperationalError) as error:
            # Somebody changed the same rows meanwhile, or the server went away.
            reason = str(error).strip().splitlines()[0]
            message = _("Nothing was stored, the database says: %s. Try again.")
            raise self.refused(message % reason) from None
        for notice in report.notices:
            self.stdout.write(notice)
        self.stdout.write(report.last_line())

    def refused(self, sentence: str) -> CommandError:
        """The error that ends a command which stored nothing."""
        self.stdout.write(Report().last_line())
        return CommandError(sentence)
