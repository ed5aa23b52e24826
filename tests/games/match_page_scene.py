"""The page of a match and its files, as text."""

import re

PLAYED = "=1=01="


def page(client, scene, ending="/") -> str:
    response = client.get(f"/matches/{scene.match.pk}{ending}")
    assert response.status_code == 200
    return response.content.decode()


def text_of(html: str) -> str:
    """The page's words without its tags, single-spaced; no-break spaces are spaces."""
    html = re.sub(r"</?(?!b\b|span|a\b)\w[^>]*>", " ", html)
    return " ".join(re.sub(r"<[^>]*>", "", html).replace("\xa0", " ").split())
