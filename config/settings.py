"""The one settings file: every value that differs between machines comes from the environment.

With `TOPBOARD_DEV=1` plain http, a generated key and mail to files are allowed. Without it
`SECRET_KEY`, `ALLOWED_HOSTS` and `DATABASE_URL` are required and everything is secure.
"""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

import dj_database_url
import pghistory
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


def flag(name: str, default: bool = False) -> bool:
    """Whether the environment switches `name` on: 1, true, yes and on do."""
    value = os.environ.get(name)
    return default if value is None else value.strip().lower() in {"1", "true", "yes", "on"}


def required(name: str) -> str:
    """The environment's value of `name`; raises `ImproperlyConfigured` naming it when unset."""
    value = os.environ.get(name, "").strip()
    if not value:
        raise ImproperlyConfigured(f"{name} is not set; it is required unless TOPBOARD_DEV=1.")
    return value


def number(name: str, default: int) -> int:
    """The environment's whole number `name`; raises `ImproperlyConfigured` when it is not one."""
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None


def listed(name: str, value: str) -> list[str]:
    """The words of a list divided by commas or blanks; `name` is named when there is none."""
    words = value.replace(",", " ").split()
    if not words:
        raise ImproperlyConfigured(f"{name} names nothing: {value!r}.")
    return words


def generated_key(folder: Path) -> str:
    """A secret key kept in a file that only this user can read, for development alone.

    Raises `ImproperlyConfigured` when the folder cannot be written or the file not be read.
    """
    path = folder / "secret_key"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if not path.exists():
            # Linked into place whole: of two processes that start at once both read one key.
            with tempfile.NamedTemporaryFile("w", dir=folder, prefix="key.") as file:
                file.write(secrets.token_urlsafe(48))
                file.flush()
                with contextlib.suppress(FileExistsError):
                    os.link(file.name, path)
        return path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(f"SECRET_KEY is not set and {path}: {error.strerror}.") from None


def database(url: str) -> dict:
    """Django's settings of the PostgreSQL at `url`; raises `ImproperlyConfigured` for another."""
    try:
        parsed = dj_database_url.parse(url)
    except ValueError:
        parsed = {"ENGINE": None}
    if parsed["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured("DATABASE_URL must be postgresql://user@host/name.")
    return parsed


DEV = flag("TOPBOARD_DEV")
DEBUG = DEV and flag("TOPBOARD_DEBUG")
if DEV:
    SECRET_KEY = os.environ.get("SECRET_KEY") or generated_key(BASE_DIR / ".topboard")
    # A phone on the same network reaches the development server by this machine's address.
    ALLOWED_HOSTS = ["*"]
else:
    SECRET_KEY = required("SECRET_KEY")
    ALLOWED_HOSTS = listed("ALLOWED_HOSTS", required("ALLOWED_HOSTS"))
# Where links in mails lead that no page has asked for.
SITE_ADDRESS = os.environ.get("SITE_ADDRESS", "").rstrip("/") or (
    "http://localhost:8000" if DEV else f"https://{ALLOWED_HOSTS[0].lstrip('.*')}"
)
CSRF_TRUSTED_ORIGINS = os.environ.get("CSRF_TRUSTED_ORIGINS", "").replace(",", " ").split()

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_tables2",
    "pgtrigger",
    "pghistory",
    "procrastinate.contrib.django",
    # Last: clubs takes out of the admin what the others put there. Our templates stand in
    # templates/, which comes before every app's.
    "clubs",
    "ratings",
    "games",
]

MIDDLEWARE = [
    # First, so that static files and redirects carry the policy too.
    "csp.middleware.CSPMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.PublicPages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.middleware.Devices",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.second_factor.SecondFactor",
    "pghistory.middleware.HistoryMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["clubs.templatetags.dates"],
        },
    }
]

# Database -----------------------------------------------------------------------------------
if DEV and not os.environ.get("DATABASE_URL", "").strip():
    raise ImproperlyConfigured(
        "DATABASE_URL is not set. Start through ./topboard, which brings its own PostgreSQL."
    )
DATABASES = {"default": database(required("DATABASE_URL"))}
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"].setdefault("OPTIONS", {})
if not DEV:
    DATABASES["default"]["OPTIONS"]["pool"] = {
        "min_size": 1,
        "max_size": number("DATABASE_POOL", 8),
        "timeout": 10,
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The rate limits of the login need a cache that all processes share.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "topboard_cache",
        # Beyond this many rows the oldest go; the usual 300 are soon filled by one who guesses.
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "TIMEOUT": 3600,
        "OPTIONS": {"MAX_ENTRIES": 2000},
    },
}

# Accounts -----------------------------------------------------------------------------------
AUTH_USER_MODEL = "clubs.User"
# It knows Django's permissions too; a second backend would hash each wrong password twice.
AUTHENTICATION_BACKENDS = ["config.accounts.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "office"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "config.accounts.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "config.accounts.LoginForm",
    "confirm_login_code": "config.accounts.LoginCodeForm",
    "reset_password": "config.accounts.ResetPasswordForm",
}
# Django's own: allauth's keeps a second table of addresses, where an address corrected by an
# officer would go on opening the account.
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "django.contrib.auth.tokens.PasswordResetTokenGenerator"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# Codes by mail: the login page itself asks for one, so allauth's page for that has no address.
# Three guesses a code and twenty codes a day: one in 16,000 for who guesses at it all day long.
ACCOUNT_LOGIN_BY_CODE_FORMAT = {"numeric": True, "length": 6, "dashed": False}
ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS = 3
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
# Mail may be slow; so long one may also take over the steps of a login.
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = ACCOUNT_LOGIN_TIMEOUT = 30 * 60
ACCOUNT_RATE_LIMITS = {
    "request_login_code": "20/m/ip,3/5m/key,20/d/key",
    # A session that requests read together counts them as one; the cache counts each.
    "guess_code": f"{ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS}/{ACCOUNT_LOGIN_BY_CODE_TIMEOUT}s/key",
}
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if DEV else "https"
# The second factor: an authenticator app's code, or one of ten that were written down.
MFA_ADAPTER = "config.second_factor.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "config.second_factor.AuthenticateForm",
    "activate_totp": "config.second_factor.SetUpForm",
    "deactivate_totp": "config.second_factor.RemoveForm",
    "generate_recovery_codes": "config.second_factor.NewRecoveryCodesForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Topboard"
MFA_TOTP_TOLERANCE = 1  # a phone's clock may be half a minute wrong
MFA_RECOVERY_CODES_SHOW_ONCE = True
# Our forms ask for a code of the factor itself; allauth would ask for a password, which who logs
# in by code has not got.
MFA_REAUTHENTICATION_REQUIRED = False
# Whether officers of a league, grading officers and staff must have one.
REQUIRE_SECOND_FACTOR = flag("REQUIRE_SECOND_FACTOR")
# Behind N proxies the client is the Nth address from the right in X-Forwarded-For; 0 trusts no
# proxy. Too few, and ten failures by anyone lock everybody out.
ALLAUTH_TRUSTED_PROXY_COUNT = number("TRUSTED_PROXY_COUNT", 0 if DEV else 1)
# A session is a device, with whose it is and when it was last used.
SESSION_ENGINE = "clubs.devices"
# A season from the last use: who logs in at the first match is still logged in at the last.
SESSION_COOKIE_AGE = 60 * 60 * 24 * 300
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True

# Security -----------------------------------------------------------------------------------
if not DEV:
    SECURE_SSL_REDIRECT = flag("SECURE_SSL_REDIRECT", True)
    if ALLAUTH_TRUSTED_PROXY_COUNT > 0:
        # Without a proxy anybody could claim by this header that he came by https.
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = number("SECURE_HSTS_SECONDS", 60 * 60 * 24 * 365)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        # Pico draws its chevrons and ticks as data: images.
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

# Language and time --------------------------------------------------------------------------
LANGUAGE_CODE = "en-gb"
# Each by its own name, which is the same in every language.
LANGUAGES = [("en-gb", "English"), ("fr", "Français")]
# What the visitor chose is kept on his device, apart from any session: public pages stay public.
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = not DEV
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
TIME_ZONE = "Europe/London"
USE_I18N = True
FORMAT_MODULE_PATH = ["config.formats"]
USE_TZ = True

# Files --------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
# In development files are served from where they stand, as they are now.
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEV
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEV
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# Mail ---------------------------------------------------------------------------------------
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "Topboard <topboard@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
if DEV:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = BASE_DIR / "mail"
else:
    EMAIL_HOST = os.environ.get("EMAIL_HOST", "localhost")
    EMAIL_PORT = number("EMAIL_PORT", 25)
    EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
    EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
    EMAIL_USE_TLS = flag("EMAIL_USE_TLS")
    EMAIL_TIMEOUT = 20

# Ratings ------------------------------------------------------------------------------------
# A change before more games of its pool than this is rated by a job, not within its request.
MOST_GAMES_RATED_AT_ONCE = number("MOST_GAMES_RATED_AT_ONCE", 500_000)

# Jobs and history ---------------------------------------------------------------------------
PROCRASTINATE_ON_APP_READY = "config.jobs.on_app_ready"
PGHISTORY_APPEND_ONLY = True
PGHISTORY_MIDDLEWARE_METHODS = ("POST",)
# Who did it stands in the event's own row: no second table, no join to read a history.
PGHISTORY_CONTEXT_FIELD = pghistory.ContextJSONField()
PGHISTORY_OBJ_FIELD = pghistory.ObjForeignKey(related_name="events", db_constraint=False)
DJANGO_TABLES2_TEMPLATE = "tables/table.html"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
