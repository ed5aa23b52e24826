"""Jobs of the ratings: a stale pool is worked out again."""

from procrastinate import RetryStrategy
from procrastinate.contrib.django import app

from .catching_up import catch_up
from .staleness import JOB, QUEUE


@app.task(name=JOB, queue=QUEUE, retry=RetryStrategy(max_attempts=5, wait=10, linear_wait=30))
def rate_stale_pool(*, pool: str) -> None:
    """Work the ratings of the pool of this name out again, if it is stale."""
    catch_up(pool)
