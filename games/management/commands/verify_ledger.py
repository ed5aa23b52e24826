"""`verify_ledger`: the ledger equals the boards, and the stored ratings a rebuild."""

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.progress import Progress
from games.grading_office.verification import verify


class Command(BaseCommand):
    help = gettext_lazy(
        "Prove that the ledger of rated games holds exactly the boards that are to be rated, and"
        " that the stored ratings are those of a rebuild. Every difference is named, and then the"
        " exit status is 1. Nothing is written. Ratings that wait for a job are named, and are no"
        " difference."
    )

    def handle(self, *args, **options):
        stale: list[str] = []
        found = verify(Progress(self.stderr), stale.append)
        for sentence in [*found, *stale]:
            self.stdout.write(sentence)
        if found:
            raise CommandError(
                ngettext("%d difference.", "%d differences.", len(found)) % len(found)
            )
        self.stdout.write(
            _("The ledger equals the boards; the ratings of the other pools equal a rebuild.")
            if stale
            else _("The ledger equals the boards, the ratings a rebuild.")
        )
