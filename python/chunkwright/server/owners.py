"""Owners of requests: whose long work is whose."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any


def owner_of(scope: MutableMapping[str, Any]) -> str:
    """Return whose request it is: a hash of the key; empty where there are no keys."""
    owner: str = scope.get("state", {}).get("owner", "")
    return owner
