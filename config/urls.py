"""The addresses of the whole house."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# The admin's own login counts no failures; allauth's does.
admin.site.login = secure_admin_login(admin.site.login)

urlpatterns = [
    path("accounts/", include("config.account_urls")),
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
    path("", include("ratings.urls")),
]
