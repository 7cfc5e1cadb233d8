"""`compat.unstructured` on what Unstructured's partitioners made of real documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from unstructured.staging.base import elements_from_dicts

from chunkwright.compat.unstructured import staging as alone

from .unstructured_pair import Seen, files, listening, ours, theirs

TOKENS = {"tokenizer": "cl100k_base"}
OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("chunk_elements", {}),
    ("chunk_by_title", {}),
    ("chunk_elements", {"max_characters": 100, "overlap": 20}),
    ("chunk_by_title", {"max_characters": 1000, "overlap_all": True, "overlap": 50}),
    ("chunk_by_title", {"max_characters": 1500, "new_after_n_chars": 700}),
    ("chunk_by_title", {"multipage_sections": False, "combine_text_under_n_chars": 200}),
    ("chunk_by_title", {"combine_text_under_n_chars": 0, "include_orig_elements": False}),
    ("chunk_elements", {"isolate_table": False, "max_characters": 200}),
    ("chunk_by_title", {"skip_table_chunking": True, "new_after_n_chars": 0}),
    ("chunk_elements", {"repeat_table_headers": False, "max_characters": 80}),
    ("chunk_elements", {"max_characters": 30, "overlap": 5, "overlap_all": True}),
    ("chunk_elements", {"max_tokens": 64, **TOKENS}),
    ("chunk_by_title", {"max_tokens": 256, "new_after_n_tokens": 200, **TOKENS}),
    ("chunk_by_title", {"max_tokens": 128, "overlap": 10, "overlap_all": True, **TOKENS}),
    ("chunk_elements", {"max_tokens": 20, "isolate_table": False, **TOKENS}),
]  # fmt: skip

# In tokens Unstructured is quadratic: so little text is cut in them.
MOST_IN_TOKENS = 20_000

# Each part of a table carries the whole table in JSON, so that of a large one takes a minute.
MOST_BYTES_FOR_JSON = 60_000


@pytest.mark.parametrize("path", files())
def test_chunks(path: Path) -> None:
    items = [item for item in json.loads(path.read_text("utf-8")) if item["text"] is not None]
    is_small = path.stat().st_size < MOST_BYTES_FOR_JSON
    for name, options in OPTIONS:
        as_json = is_small and not options
        part = items
        if "max_tokens" in options:
            part = _first(items, MOST_IN_TOKENS)
        source, mine = elements_from_dicts(part), elements_from_dicts(part)
        with listening() as messages:
            wanted = Seen(source, as_json=as_json).chunks(getattr(theirs, name)(source, **options))
            expected, messages[:] = list(messages), []
            found = Seen(mine, as_json=as_json).chunks(getattr(ours, name)(mine, **options))
        assert found == wanted, (name, options)
        assert messages == expected


def _first(items: list[Any], n_chars: int) -> list[Any]:
    found, n = [], 0
    for item in items:
        n += len(item["text"])
        if n > n_chars:
            break
        # A text of its own length costs its square.
        found.append({**item, "text": item["text"][:3000]})
    return found


@pytest.mark.parametrize("path", files())
def test_read_and_written_without_unstructured(path: Path) -> None:
    items = json.loads(path.read_text("utf-8"))
    expected = [element.to_dict() for element in elements_from_dicts(items)]
    assert ours.elements_to_dicts(alone.elements_from_dicts(items)) == expected
