"""The audit of what is installed: fails on a known vulnerability, warns without a network."""

import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

AUDIT = Path(__file__).resolve().parent.parent / ".ci" / "audit.py"


def audit(address: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, AUDIT],
        env=os.environ | {"OSV_ADDRESS": address, "NO_PROXY": "*", "no_proxy": "*"},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.fixture
def database():
    """A database of vulnerabilities on this machine, and what it answers by package."""
    known: dict[str, list] = {}

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            names = [query["package"]["name"] for query in asked["queries"]]
            results = [{"vulns": known[name]} if name in known else {} for name in names]
            if "broken" in known:
                results.pop()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"results": results}).encode())

        def log_message(self, *args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", known
    server.shutdown()
    server.server_close()


def test_nothing_known_holds(database):
    status, said = audit(database[0])
    assert (status, said.splitlines()[-1].split("audited, ")[1]) == (
        0,
        "0 with a known vulnerability",
    )


def test_a_known_vulnerability_fails_with_its_name(database):
    address, known = database
    known["django"] = [{"id": "PYSEC-0000-2"}, {"id": "PYSEC-0000-1"}]
    status, said = audit(address)
    assert status == 1
    assert "PYSEC-0000-1, PYSEC-0000-2" in said and said.startswith("django ")


def test_without_a_network_it_warns(database):
    address, known = database
    known["broken"] = []
    for each in ("http://127.0.0.1:9/", address):
        status, said = audit(each)
        assert status == 0 and said.startswith("WARNING: not audited")
