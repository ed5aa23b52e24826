"""What the import commands share: reading the file, showing progress, printing the report."""

from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError, OperationalError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .import_report import ImportRefused, Report
from .progress import Progress
from .sheets import Problem, UnreadableFile, read_file

# A wrong column spoils every row; the first ones say how.
MOST_PROBLEMS = 50


class ImportCommand(BaseCommand):
    """A command that stores a whole file or nothing.

    The report goes to the standard output and its last line is always `N new, M changed`; rows
    that cannot be stored go to the error output, the first fifty of them unless the verbosity is
    2, and then the exit status is 1.
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
            self.print_problems(error.problems, all_of_them=options["verbosity"] > 1)
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

    def print_problems(self, problems: Sequence[Problem], *, all_of_them: bool) -> None:
        """Write a line for each of the first problems, or for all, to the error output."""
        printed = problems if all_of_them else problems[:MOST_PROBLEMS]
        lines = [str(problem) for problem in printed]
        if len(problems) > len(lines):
            more = len(problems) - len(lines)
            lines.append(_("and %d more; --verbosity 2 prints all of them") % more)
        for line in lines:
            self.stderr.write(line, style_func=lambda text: text)

    def refused(self, sentence: str) -> CommandError:
        """The error that ends a command which stored nothing."""
        self.stdout.write(Report().last_line())
        return CommandError(sentence)
