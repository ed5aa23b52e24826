"""Reads of registrations."""

from datetime import date

from django.db import models
from django.db.models import Q


class RegistrationQuerySet(models.QuerySet):
    def in_force(self, day: date):
        """Those that let a player play on `day`: approved, begun and not ended."""
        return self.filter(approved_at__isnull=False, starts_on__lte=day).filter(
            Q(ends_on__isnull=True) | Q(ends_on__gt=day)
        )

    def open(self):
        """Those that have not ended, approved or not."""
        return self.filter(ends_on__isnull=True)

    def waiting(self):
        """Those the officer has still to decide."""
        return self.filter(approved_at__isnull=True)
