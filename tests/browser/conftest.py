"""A real browser for what a person does."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.test import Client

# A failed assertion of these says what it compared, as in a test.
pytest.register_assert_rewrite("tests.browser.officer_plans")

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

    `user` is logged in already; options go to the window. What the browser complains of in any of
    its tabs (a script's error, a blocked source, an answer of 400 and more) fails the test, save
    what the scenario is about: complaints with the words `meant` in them. A scenario runs in the
    browser's thread and must read no rows; the test reads and writes them as usual, before and
    after.
    """
    thread, browser = browser_thread

    def run(scenario, *, user=None, width=1280, height=800, javascript=True, meant=None, **options):
        session = session_of(user) if user else None
        complaints: list[str] = []

        def complain(page, text):
            if meant is None or meant not in text:
                complaints.append(f"{page.url}: {text}")

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
            window.set_default_timeout(10_000)
            window.on(
                "console", lambda said: said.type == "error" and complain(said.page, said.text)
            )
            window.on("weberror", lambda thrown: complain(thrown.page, str(thrown.error)))
            try:
                return scenario(window.new_page())
            finally:
                window.close()

        result = thread.submit(in_thread).result()
        assert complaints == []
        return result

    return run


def session_of(user) -> str:
    """The key of a new session in which this account is logged in."""
    client = Client()
    client.force_login(user)
    return client.session.session_key
