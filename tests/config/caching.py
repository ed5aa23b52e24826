"""Who may store a response, by its headers."""


def caching(response) -> dict:
    """The headers that say who may store the response."""
    words = {word.strip() for word in response.get("Vary", "").split(",") if word}
    return {
        "status": response.status_code,
        "cache": response.get("Cache-Control"),
        "etag": "ETag" in response,
        "vary": words,
        "cookies": set(response.cookies),
    }


PUBLIC = {
    "status": 200,
    "cache": "public, no-cache",
    "etag": True,
    "vary": {"Cookie", "Accept-Language"},
    "cookies": set(),
}
