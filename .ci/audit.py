"""Asks the OSV database whether something that is installed here has a known vulnerability.

Ends with 1 if it does and names it. Without a network it warns and ends with 0: what cannot be
asked here is asked by the next run that can.
"""

import json
import os
import re
import sys
import urllib.error
import urllib.request
from importlib.metadata import distributions

ADDRESS = os.environ.get("OSV_ADDRESS", "https://api.osv.dev/v1/querybatch")
SECONDS = 20


def installed() -> dict[str, str]:
    """The version of each package of this environment, by its name as the index writes it."""
    return {
        re.sub(r"[-_.]+", "-", found.metadata["Name"]).lower(): found.version
        for found in distributions()
    }


def vulnerabilities(packages: dict[str, str]) -> dict[str, list[str]]:
    """The ids of the known vulnerabilities of these versions, by package.

    Raises OSError (also URLError) when the database does not answer, ValueError for nonsense.
    """
    names = sorted(packages)
    queries = [
        {"package": {"name": name, "ecosystem": "PyPI"}, "version": packages[name]}
        for name in names
    ]
    request = urllib.request.Request(
        ADDRESS,
        data=json.dumps({"queries": queries}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=SECONDS) as response:
        results = json.load(response)["results"]
    if len(results) != len(names):
        raise ValueError("an answer of another length")
    return {
        name: sorted(each["id"] for each in result["vulns"])
        for name, result in zip(names, results, strict=True)
        if result.get("vulns")
    }


def main() -> int:
    packages = installed()
    try:
        found = vulnerabilities(packages)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"WARNING: not audited, the database of vulnerabilities does not answer ({error})")
        return 0
    for name, ids in found.items():
        print(f"{name} {packages[name]}: {', '.join(ids)}")
    print(f"{len(packages)} packages audited, {len(found)} with a known vulnerability")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
