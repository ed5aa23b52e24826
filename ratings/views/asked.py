"""Which pool and which document an address asks for; what there is none of is no page."""

import re
from collections.abc import Collection

from django.http import Http404, QueryDict

from ..models import PoolName


def asked_pool(address: QueryDict, pools: Collection[str]) -> PoolName:
    """The pool of `?pool=`, standard without one; raises Http404 unless it is one of `pools`."""
    pool = address.get("pool") or PoolName.STANDARD
    if pool not in pools:
        raise Http404
    return PoolName(pool)


def asked_revision(address: QueryDict) -> int | None:
    """The revision of `?revision=`, None for the newest; raises Http404 for another word."""
    text = address.get("revision")
    if not text:
        return None
    if not re.fullmatch("[0-9]{1,4}", text):
        raise Http404
    return int(text)
