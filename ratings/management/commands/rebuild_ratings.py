"""`rebuild_ratings`: all ratings computed from nothing, and what differs written."""

from itertools import islice

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings import checking, rebuilding
from ratings.models import PoolName, RatingPool

NAMED = 20


class Command(BaseCommand):
    help = gettext_lazy(
        "Compute all Elo ratings from nothing and write those that differ. Cards of a pool wait"
        " while it is rebuilt; with --check nothing is written, and a difference is an error."
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
        if only_check:
            with checking.snapshot():
                pool = RatingPool.objects.get(pk=name)
                found = rebuilding.check(pool)
                for sentence in islice(checking.sentences(found, pool), NAMED):
                    self.stdout.write(sentence)
        else:
            found = rebuilding.rebuild(name)
        differences = len(found)
        if only_check and differences > NAMED:
            self.stdout.write(_("and %d more") % (differences - NAMED))
        self.stdout.write(
            (
                _("%(pool)s: %(games)d games, %(rows)d rows differ")
                if only_check
                else _("%(pool)s: %(games)d games, %(rows)d rows written")
            )
            % {"pool": name, "games": found.games, "rows": differences}
        )
        return bool(found)
