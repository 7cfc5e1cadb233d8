"""Unstructured's own answer: what its server makes of a file with the same library."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest

# It keeps the library from reporting to its makers, and skips where that is not installed.
pytest.importorskip("unstructured", reason="unstructured is compared with")

from tests.parity.unstructured_pair import decoded, listening

auto = pytest.importorskip("unstructured.partition.auto")
_RANDOM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
staging = pytest.importorskip("unstructured.staging.base")


def served(name: str, data: bytes, kind: str, **options: Any) -> list[Any]:
    """The elements that the server has before it writes them, cleaned as it cleans them.

    Its chunks of elements keep where they come from, as ours do: the server forgets addresses.
    """
    with listening():
        found: list[Any] = auto.partition(
            file=BytesIO(data), metadata_filename=name, content_type=kind, **options
        )
    for each in found:
        each.metadata.filename = name
        for field in ("last_modified", "file_directory", "detection_class_prob", "coordinates"):
            setattr(each.metadata, field, None)
    return found


def dicts(found: list[Any]) -> list[dict[str, Any]]:
    """The elements as the server writes them to JSON."""
    written: list[dict[str, Any]] = staging.convert_to_isd(found)
    return written


def seen(chunks: list[dict[str, Any]], *, ids: bool = True) -> list[Any]:
    """Chunks with originals unpacked, names of tables counted, and no addresses of sources."""
    tables: dict[str, int] = {}
    result = []
    for chunk in chunks:
        metadata = dict(chunk["metadata"])
        if "table_id" in metadata:
            metadata["table_id"] = tables.setdefault(metadata["table_id"], len(tables))
        if "orig_elements" in metadata:
            metadata["orig_elements"] = [*map(_named, decoded(metadata["orig_elements"]))]
        for field in ("url", "data_source"):
            metadata.pop(field, None)
        kept = {key: value for key, value in chunk.items() if ids or key != "element_id"}
        result.append({**kept, "metadata": metadata})
    return result


def _named(element: dict[str, Any]) -> dict[str, Any]:
    """An original whose id, if it was made up, is like any other."""
    name = _RANDOM.sub("random", element["element_id"])
    return {**element, "element_id": name}
