"""The addresses of the house, a view of one line, and the table drawn anew each time."""

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from games.views import divisions


def one_line(request: HttpRequest) -> HttpResponse:
    return HttpResponse("One line.")


def cold(request: HttpRequest, pk: int) -> HttpResponse:
    """The division's table by a process that remembers nothing."""
    caches["pages"].clear()
    return divisions.table(request, pk=pk)


urlpatterns = [
    path("one-line/", one_line),
    path("cold/<int:pk>/", cold),
    path("", include("config.urls")),
]
