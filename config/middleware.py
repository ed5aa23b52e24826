"""What every response carries: validators on public pages, `no-store` behind a login."""

import hashlib

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from clubs import devices


class PublicPages:
    """A page asked for without a session gets a validator of its body and may be a 304.

    With a session, or where it sets a cookie, it is private and never stored. The session is not
    read here. It stands outside the middleware of sessions and languages, to see the cookies they
    set, and inside none that changes a body.
    """

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        patch_vary_headers(response, ["Cookie", "Accept-Language"])
        if settings.SESSION_COOKIE_NAME in request.COOKIES or response.cookies:
            response["Cache-Control"] = "private, no-store"
        elif "Cache-Control" in response:
            pass
        elif not (request.method in ("GET", "HEAD") and response.status_code == 200):
            response["Cache-Control"] = "no-store"
        else:
            patch_cache_control(response, public=True, no_cache=True)
            if not response.streaming:
                etag = '"' + hashlib.sha256(response.content).hexdigest()[:32] + '"'
                response["ETag"] = etag
                return get_conditional_response(request, etag=etag, response=response)
        return response


class Devices:
    """Notes now and then that a device is in use; within the middleware of sessions."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        devices.note_use(request)
        return response
