"""`rebuild_ratings`: all ratings computed from nothing, and what differs written."""

from itertools import islice

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings import checking, rebuilding
from ratings.ledger import lock_pool
from ratings.models import PoolName, RatingPool, StalePhase
from ratings.rebuilding import Differences

NAMED = 20


class Command(BaseCommand):
    help = gettext_lazy(
        "Compute all Elo ratings from nothing, name the first twenty that differ, and write all"
        " that do. Cards of a pool wait while it is rebuilt; with --check nothing is written, and"
        " a difference is an error."
    )

    def add_arguments(self, parser):
        parser.add_argument(
            "--pool", choices=PoolName.values, help=gettext_lazy("one pool instead of all four")
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help=gettext_lazy("write nothing; exit with 1 if anything would change"),
        )

    def handle(self, *args, **options):
        names = [options["pool"]] if options["pool"] else PoolName.values
        differing = [name for name in names if self.handle_pool(name, options["check"])]
        if options["check"] and differing:
            raise CommandError(_("Ratings differ from a rebuild: %s.") % ", ".join(differing))

    def handle_pool(self, name: str, only_check: bool) -> bool:
        """Rebuild or check one pool and say what came out; whether anything differed."""
        self.stdout.write(_("%s ...") % name)
        self.stdout.flush()
        progress = _Progress(self.stdout)
        if only_check:
            with checking.snapshot():
                pool = RatingPool.objects.get(pk=name)
                found = rebuilding.check(pool, progress)
                progress.end()
                self.name_differences(pool, found)
        else:
            with transaction.atomic():
                pool = lock_pool(name)
                found = rebuilding.check(pool, progress)
                progress.end()
                self.name_differences(pool, found)
                rebuilding.store(pool, found, progress)
            progress.end()
        said = (
            _("%(pool)s: %(games)d games, %(rows)d rows differ")
            if only_check
            else _("%(pool)s: %(games)d games, %(rows)d rows written")
        )
        self.stdout.write(said % {"pool": name, "games": found.games, "rows": len(found)})
        return bool(found)

    def name_differences(self, pool: RatingPool, found: Differences) -> None:
        """Say what differs, the first twenty in words."""
        sentences = list(islice(checking.sentences(found, pool), NAMED))
        for sentence in sentences:
            self.stdout.write(sentence)
        if len(found) > len(sentences):
            self.stdout.write(_("and %d more") % (len(found) - len(sentences)))


class _Progress:
    """One line on a terminal that says how far a rebuild is; nothing where there is none."""

    def __init__(self, stdout):
        self.stdout = stdout
        self.said = ""

    def __call__(self, phase: StalePhase, share: float) -> None:
        said = _("%(phase)s: %(percent)d %%") % {"phase": phase.label, "percent": 100 * share}
        if said != self.said and self.stdout.isatty():
            self.stdout.write(f"\r{said}\x1b[K", ending="")
            self.stdout.flush()
            self.said = said

    def end(self) -> None:
        """Take the line away."""
        if self.said:
            self.stdout.write("\r\x1b[K", ending="")
            self.said = ""
