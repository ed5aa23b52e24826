"""Browsers of officers, each with its session, that send cards at a rate."""

import http.client
import re
import threading
import time
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import urlencode

from .load_scene import PASSWORD, Card, Scene
from .load_stand import HOST

TIMEOUT = 60
OVERTIME = 5
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Outcome(NamedTuple):
    """What became of a card; times in seconds, `answered_at` since the first card's turn.

    `problem` is None for a card that was accepted: answered by the way to its match's page.
    """

    browser: "Browser"
    card: Card
    problem: str | None
    seconds: float
    waited: float
    answered_at: float

    @property
    def accepted(self) -> bool:
        return self.problem is None


class Browser:
    """One account's cookies and token, behind a proxy that ends TLS."""

    def __init__(self, port: int, email: str, address: str):
        self.port = port
        self.email = email
        self.address = address
        self.cookies: dict[str, str] = {}
        self.token = ""

    def log_in(self, card: Card) -> None:
        """Log in by the page's form, then take the token of a card's page."""
        path = "/accounts/login/"
        self._take_token(path)
        status, _, body = self.post(path, {"login": self.email, "password": PASSWORD})
        if status != 302:
            raise RuntimeError(f"{self.email} cannot log in: {status}\n{body[:500]}")
        self._take_token(card_path(card))

    def _take_token(self, path: str) -> None:
        status, _, body = self._request("GET", path)
        found = TOKEN.search(body)
        if status != 200 or not found:
            raise RuntimeError(f"{path}: {status}\n{body[:500]}")
        self.token = found[1]

    def post(self, path: str, data: dict[str, str]) -> tuple[int, str, str]:
        """Status, where it leads and text of the answer; raises OSError without one."""
        return self._request("POST", path, urlencode(data | {"csrfmiddlewaretoken": self.token}))

    def _request(self, method: str, path: str, body: str | None = None) -> tuple[int, str, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        headers = {
            "Host": HOST,
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": self.address,
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        if body is not None:
            headers |= {
                "Origin": f"https://{HOST}",
                "Referer": f"https://{HOST}{path}",
                "Content-Type": "application/x-www-form-urlencoded",
            }
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        except http.client.HTTPException as error:
            raise OSError(f"{type(error).__name__}: {error}") from error
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return answer.status, answer.headers.get("Location", ""), text


def card_path(card: Card) -> str:
    return f"/matches/{card.match}/card/"


class Crowd:
    """All browsers; `sent` holds what became of every card, by match, the last time it was sent."""

    def __init__(self, port: int, scene: Scene):
        self.browsers = [
            Browser(port, email, f"10.0.0.{number}") for number, email in enumerate(scene.logins, 1)
        ]
        self.waiting = [list(cards) for cards in scene.cards]
        self.officer = Browser(port, scene.old_login, "10.0.0.200")
        self.old = scene.old
        self.sent: dict[int, Outcome] = {}
        self.faults: list[str] = []
        self._lock = threading.Lock()

    def log_in(self) -> None:
        for browser, cards in zip(self.browsers, self.waiting, strict=True):
            browser.log_in(cards[-1])
        self.officer.log_in(self.old)

    def send(
        self, *, rate: float | None, seconds: float, stop: threading.Event | None = None
    ) -> list[Outcome]:
        """Send new cards at so many a second in all, or as fast as they are answered (None).

        Each card has its turn, and the next browser that is free takes it: one that waits for an
        answer takes none. Ends when the turns of `seconds` are done, `OVERTIME` after their end
        even if some are not, or at `stop`.
        """
        turns = iter(range(int(rate * seconds))) if rate is not None else None
        start = time.perf_counter()
        outcomes: list[Outcome] = []

        def work(browser: Browser, cards: list[Card]) -> None:
            while not (stop and stop.is_set()) and cards:
                due = time.perf_counter()
                if turns is not None:
                    with self._lock:
                        turn = next(turns, None)
                    if turn is None or due > start + seconds + OVERTIME:
                        return
                    due = start + turn / rate
                    time.sleep(max(0, due - time.perf_counter()))
                elif due > start + seconds:
                    return
                if stop and stop.is_set():
                    return
                outcome = self.send_one(browser, cards.pop(), due=due, start=start)
                with self._lock:
                    outcomes.append(outcome)

        threads = [
            threading.Thread(target=work, args=pair, daemon=True)
            for pair in zip(self.browsers, self.waiting, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return outcomes

    def send_one(
        self, browser: Browser, card: Card, *, due: float | None = None, start: float = 0
    ) -> Outcome:
        """Send a card once."""
        began = time.perf_counter()
        problem = self._problem(browser, card, card.form())
        ended = time.perf_counter()
        waited = ended - (began if due is None else due)
        outcome = Outcome(browser, card, problem, ended - began, waited, ended - start)
        with self._lock:
            self.sent[card.match] = outcome
        return outcome

    def _problem(self, browser: Browser, card: Card, form: dict[str, str]) -> str | None:
        try:
            status, leads_to, text = browser.post(card_path(card), form)
        except OSError as error:
            return f"no answer: {error}"
        if status == 302 and leads_to == f"/matches/{card.match}/":
            return None
        words = " ".join(re.sub(r"<[^>]*>", " ", text).split())
        return f"answered {status} {leads_to} {words[:200]}"

    def correct(self, scene: Scene) -> str | None:
        """Turn round the first result of last year's card; why it was not saved, if so."""
        (home, away, halves), *others = scene.old.boards
        turned = scene.old._replace(boards=((home, away, 0 if halves else 2), *others))
        problem = self._problem(self.officer, turned, turned.form(version=1))
        if problem:
            self.faults.append(f"the correction: {problem}")
        return problem
