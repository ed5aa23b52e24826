"""Login, logout and password reset; sign-up and the rest of allauth have no address here."""

from allauth.account import views
from django.urls import path, re_path

from .accounts import Login, LoginCode

urlpatterns = [
    path("login/", Login.as_view(), name="account_login"),
    path("login/code/", LoginCode.as_view(), name="account_confirm_login_code"),
    path("logout/", views.logout, name="account_logout"),
    path("password/change/", views.password_change, name="account_change_password"),
    path("password/set/", views.password_set, name="account_set_password"),
    path("password/reset/", views.password_reset, name="account_reset_password"),
    path("password/reset/done/", views.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("inactive/", views.account_inactive, name="account_inactive"),
]
