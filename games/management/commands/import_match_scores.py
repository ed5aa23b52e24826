"""`import_match_scores FILE --league NAME`: matches known by their scores alone."""

import argparse
from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext as _gettext
from django.utils.translation import gettext_lazy as _

from clubs.import_command import ImportCommand
from games.models import TieBreak
from games.result_files.reading import read_score
from games.result_files.score_import import import_match_scores


def match_points(text: str) -> dict[str, int]:
    """`2,1,0` as the columns of a division, in halves; a fourth is for defaulting a match."""
    columns = (
        *("match_points_win", "match_points_draw", "match_points_loss"),
        "match_points_defaulted",
    )
    parts = text.split(",")
    if len(parts) not in (3, 4):
        raise argparse.ArgumentTypeError(_gettext("expected win,draw,loss as in 2,1,0"))
    try:
        values = dict(zip(columns, map(read_score, parts), strict=False))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    win, draw, loss = list(values.values())[:3]
    if not win >= draw >= loss:
        raise argparse.ArgumentTypeError(_gettext("expected a win to give most, a loss least"))
    return values


def table_order(text: str) -> list[str]:
    """`match_points,game_points` as a list of what orders a table."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in TieBreak.values:
            words = {"name": name, "known": ", ".join(TieBreak.values)}
            raise argparse.ArgumentTypeError(_gettext("%(name)s is none of: %(known)s") % words)
    if len(set(names)) < len(names):
        raise argparse.ArgumentTypeError(_gettext("expected each name once"))
    return names


class Command(ImportCommand):
    help = _(
        "Store match scores that came without boards, a row a match, and bring the tables up to "
        "date; such matches are never rated. All of it is stored, or nothing; what is stored "
        "already is not stored twice."
    )

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--league", required=True, metavar=_("NAME"), help=_("its name"))
        parser.add_argument(
            "--dry-run", action="store_true", help=_("say what would be stored, and store nothing")
        )
        parser.add_argument(
            "--match-points",
            type=match_points,
            metavar="2,1,0",
            help=_("what a match won, drawn and lost gives in the file's divisions"),
        )
        parser.add_argument(
            "--order",
            type=table_order,
            metavar="match_points,game_points",
            help=_("what orders the tables of the file's divisions"),
        )

    def import_file(self, content, options, progress):
        rules = dict(options["match_points"] or {})
        if options["order"]:
            rules["table_order"] = options["order"]
        return import_match_scores(
            content=content,
            source=Path(options["file"]).name,
            league=options["league"],
            rules=rules,
            by=None,
            at=timezone.now(),
            dry_run=options["dry_run"],
        )
