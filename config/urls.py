"""The addresses of the whole house."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from .account_views import choose_language

# The admin's own login counts no failures; allauth's does.
admin.site.login = secure_admin_login(admin.site.login)

urlpatterns = [
    path("accounts/", include("config.account_urls")),
    # Without a token, which would make every public page private: who forges this request changes
    # the language of a page, for no session comes with it, and it leads on to this host alone.
    path("language/", csrf_exempt(choose_language), name="set_language"),
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
    path("", include("ratings.urls")),
]
