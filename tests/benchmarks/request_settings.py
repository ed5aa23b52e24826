"""The settings of production with two addresses more, which measure what the others are beside."""

from .load_settings import *  # noqa: F403

ROOT_URLCONF = "tests.benchmarks.request_urls"
SECURE_SSL_REDIRECT = False
