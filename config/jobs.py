"""The jobs of the house, kept in PostgreSQL and run by `manage.py procrastinate worker`."""

from procrastinate import App, RetryStrategy


def on_app_ready(app: App) -> None:
    """Nothing to add to the job application: tasks are found in each app's `tasks.py`."""


MAIL_RETRIES = RetryStrategy(max_attempts=8, exponential_wait=4)
