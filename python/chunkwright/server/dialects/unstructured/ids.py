"""Ids of elements: derived from what they say and where, as Unstructured's partitioners do."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from itertools import groupby
from typing import Any

_DIGITS = 32


def random_ids(n: int) -> list[str]:
    """Return ids that no others have, as UUIDs of version 4; all at once, which takes a tenth."""
    digits = os.urandom(16 * n).hex()
    return [_uuid(digits[at : at + _DIGITS]) for at in range(0, len(digits), _DIGITS)]


def _uuid(digits: str) -> str:
    variant = "89ab"[int(digits[16], 16) % 4]
    first, second, third = digits[:8], digits[8:12], digits[13:16]
    return f"{first}-{second}-4{third}-{variant}{digits[17:20]}-{digits[20:]}"


def derive_ids(elements: Sequence[dict[str, Any]], *, in_runs: bool = False) -> None:
    """Give elements ids of their file, text, page and place on it; parents are named by theirs.

    Parameters
    ----------
    elements
        All elements of a file, in order, as dicts, which are changed.
    in_runs
        Whether places are counted anew wherever the page changes, as Unstructured does for elements
        that come as JSON. Else each page has one count, so that no two ids are equal.
    """
    derived = {}
    for element, place in zip(elements, _places(elements, in_runs=in_runs), strict=True):
        metadata = element["metadata"]
        page = metadata.get("page_number")
        said = f"{metadata.get('filename')}{element['text']}{page}{place}"
        digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        before, element["element_id"] = element["element_id"], digest
        derived[before] = digest
    for element in elements:
        parent = element["metadata"].get("parent_id")
        if parent is not None:
            element["metadata"]["parent_id"] = derived.get(parent, parent)


def _places(elements: Sequence[dict[str, Any]], *, in_runs: bool) -> list[int]:
    pages = [element["metadata"].get("page_number") for element in elements]
    if in_runs:
        return [place for _, run in groupby(pages) for place, _ in enumerate(run)]
    counts: dict[object, int] = {}
    places = []
    for page in pages:
        places.append(counts.get(page, 0))
        counts[page] = places[-1] + 1
    return places
