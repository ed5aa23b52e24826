"""What every response carries: validators on public pages, `no-store` behind a login."""

import hashlib

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers


class PublicPages:
    """A page asked for without a session gets a validator of its body and may be a 304.

    With a session it is private and never stored. Nothing here reads the session itself, so a
    public page stays free of cookies.
    """

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "Cache-Control" in response or request.path.startswith(f"/{settings.STATIC_URL}"):
            return response
        patch_vary_headers(response, ["Cookie", "Accept-Language"])
        if settings.SESSION_COOKIE_NAME in request.COOKIES or response.cookies:
            patch_cache_control(response, private=True, no_store=True)
            return response
        if request.method not in ("GET", "HEAD") or response.status_code != 200:
            return response
        if response.streaming:
            return response
        patch_cache_control(response, public=True, no_cache=True)
        etag = '"' + hashlib.sha256(response.content).hexdigest()[:32] + '"'
        response["ETag"] = etag
        return get_conditional_response(request, etag=etag, response=response)
