"""The settings of production, with the static files gathered in a folder of the benchmark's own."""

import os

from config.settings import *  # noqa: F403

STATIC_ROOT = os.environ["LOAD_STATIC"]
