"""A real browser for what a person does."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.test import Client

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture
def browse(chromium, live_server):
    """Run a scenario, a function of a page, in a new browser; returns what the scenario returns.

    `user` is logged in already. What the browser complains of (a script's error, a blocked
    source) fails the test if `strict`; axe itself styles what it looks at, and is blocked.
    Playwright's loop has a thread of its own, in which a scenario must read no rows; the test
    reads and writes them as usual, before and after.
    """
    playwright = pytest.importorskip("playwright.sync_api")

    @contextmanager
    def opened(session: str | None, javascript: bool, options: dict):
        with playwright.sync_playwright() as running:
            browser = running.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            context = browser.new_context(
                base_url=live_server.url, java_script_enabled=javascript, **options
            )
            if session:
                cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session}
                context.add_cookies([cookie | {"url": live_server.url}])
            yield context.new_page()
            browser.close()

    def run(
        scenario, *, user=None, width=1280, height=800, javascript=True, strict=True, **options
    ):
        session = session_of(user) if user else None
        options["viewport"] = {"width": width, "height": height}
        complaints: list[str] = []

        def in_thread():
            with opened(session, javascript, options) as page:
                page.set_default_timeout(10_000)
                page.on("console", lambda message: complaints.append(message.text))
                page.on("pageerror", lambda error: complaints.append(str(error)))
                return scenario(page)

        with ThreadPoolExecutor(1) as thread:
            result = thread.submit(in_thread).result()
        assert not strict or complaints == []
        return result

    return run


def session_of(user) -> str:
    """The key of a new session in which this account is logged in."""
    client = Client()
    client.force_login(user)
    return client.session.session_key
