"""Jobs of the ratings: a stale pool is worked out again."""

from procrastinate import RetryStrategy
from procrastinate.contrib.django import app

from . import staleness
from .catching_up import catch_up
from .models import RatingPool
from .staleness import JOB, QUEUE


@app.task(name=JOB, queue=QUEUE, retry=RetryStrategy(max_attempts=5, wait=10, linear_wait=30))
def rate_stale_pool(*, pool: str) -> None:
    """Work the ratings of the pool of this name out again, if it is stale."""
    catch_up(pool)


@app.periodic(cron="*/10 * * * *")
@app.task(name="rate_stale_pools", queue=QUEUE, queueing_lock="rate_stale_pools")
def rate_stale_pools(*, timestamp: int) -> None:
    """Queue the job of each stale pool anew, should its own have failed or been lost."""
    for pool in RatingPool.objects.stale():
        staleness.defer(pool.pk)
