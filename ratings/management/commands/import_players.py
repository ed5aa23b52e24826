"""`import_players FILE`: people, clubs, memberships and opening ratings from a CSV file."""

from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.command_arguments import day
from clubs.import_command import ImportCommand
from ratings.models import PoolName
from ratings.player_import import import_players


class Command(ImportCommand):
    help = _(
        "Add the players of a CSV file with the columns name and club, and if there are any"
        " code, grade, rating and provisional. All of it is stored, or nothing."
    )

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument(
            "--pool", choices=PoolName.values, default="standard", help=_("which rating it opens")
        )
        parser.add_argument(
            "--as-of",
            type=day,
            metavar=_("DATE"),
            help=_("the day of the ratings, as 2026-07-01; today if not given"),
        )

    def import_file(self, content, options, progress):
        return import_players(
            content=content,
            source=Path(options["file"]).name,
            pool=options["pool"],
            as_of=options["as_of"] or timezone.localdate(),
            by=None,
            progress=progress,
        )
