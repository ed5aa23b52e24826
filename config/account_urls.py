"""Login, logout and password reset; sign-up and the rest of allauth have no address here."""

from allauth.account import views
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes.views import generate_recovery_codes
from allauth.mfa.totp import views as totp
from django.urls import path, re_path

from .account_views import Login, LoginCode, RecoveryCodes, device_list

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
    path("devices/", device_list, name="device_list"),
    path("second-factor/", mfa.index, name="mfa_index"),
    path("second-factor/code/", mfa.authenticate, name="mfa_authenticate"),
    path("second-factor/set-up/", totp.activate_totp, name="mfa_activate_totp"),
    path("second-factor/remove/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("second-factor/codes/", RecoveryCodes.as_view(), name="mfa_view_recovery_codes"),
    path("second-factor/codes/new/", generate_recovery_codes, name="mfa_generate_recovery_codes"),
]
