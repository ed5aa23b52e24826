from django.apps import AppConfig
from django.db.models.signals import post_migrate


def ensure_pools(sender, using, **kwargs):
    """The four pools are there after every migration, and after a test emptied the tables."""
    from .models import PoolName, RatingPool

    RatingPool.objects.using(using).bulk_create(
        [RatingPool(name=name) for name in PoolName.values], ignore_conflicts=True
    )


class RatingsConfig(AppConfig):
    name = "ratings"

    def ready(self):
        post_migrate.connect(ensure_pools, sender=self)
