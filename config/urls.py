"""The addresses of the whole house."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("accounts/", include("config.account_urls")),
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
    path("", include("ratings.urls")),
]
