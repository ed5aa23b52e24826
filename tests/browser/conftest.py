"""A real browser for what a person does."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.test import Client

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="session")
def browser_thread(chromium):
    """The thread in which the browser lives, and a function that gives the browser within it.

    Playwright's loop would keep the test's own thread from the database.
    """
    playwright = pytest.importorskip("playwright.sync_api")
    running = []

    def browser():
        if not running:
            running.append(playwright.sync_playwright().start())
            running.append(running[0].chromium.launch(executable_path=chromium, args=ARGUMENTS))
        return running[1]

    def stop():
        if running:
            running[1].close()
            running[0].stop()

    with ThreadPoolExecutor(1) as thread:
        yield thread, browser
        thread.submit(stop).result()


@pytest.fixture
def browse(browser_thread, live_server):
    """Run a scenario, a function of a page, in a new window; returns what the scenario returns.

    `user` is logged in already; options go to the window. What the browser complains of (a
    script's error, a blocked source) fails the test if `strict`; axe itself styles what it looks
    at, and is blocked. A scenario runs in the browser's thread and must read no rows; the test
    reads and writes them as usual, before and after.
    """
    thread, browser = browser_thread

    def run(
        scenario, *, user=None, width=1280, height=800, javascript=True, strict=True, **options
    ):
        session = session_of(user) if user else None
        complaints: list[str] = []

        def in_thread():
            window = browser().new_context(
                base_url=live_server.url,
                viewport={"width": width, "height": height},
                java_script_enabled=javascript,
                **options,
            )
            if session:
                cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session}
                window.add_cookies([cookie | {"url": live_server.url}])
            try:
                page = window.new_page()
                page.set_default_timeout(10_000)
                page.on(
                    "console",
                    lambda said: said.type == "error" and complaints.append(said.text),
                )
                page.on("pageerror", lambda error: complaints.append(str(error)))
                return scenario(page)
            finally:
                window.close()

        result = thread.submit(in_thread).result()
        assert not strict or complaints == []
        return result

    return run


def session_of(user) -> str:
    """The key of a new session in which this account is logged in."""
    client = Client()
    client.force_login(user)
    return client.session.session_key
