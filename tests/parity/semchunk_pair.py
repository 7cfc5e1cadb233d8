"""Runs semchunk and chunkwright side by side and compares all that a caller can see."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from chunkwright.compat import semchunk as ours

FOLDER = os.environ.get("CHUNKWRIGHT_SEMCHUNK")
# Docling needs an older version in the same environment.
with_semchunk = pytest.mark.skipif(
    FOLDER is None, reason="CHUNKWRIGHT_SEMCHUNK names no folder with semchunk 4: CONTRIBUTING.md"
)

PARTS = [
    "a", "bb", "word", "Word.", " ", "  ", "\n", "\n\n", "\r\n", "\n\r", "\t", "\t\t", "\xa0",
    "\u2003", "\u2003 ", "\x1c", "\x85", "\v", "\u2028", "\u200b", ". ", "? ", "! ", "; ", ", ",
    "* ", ".", "?", "!", "*", ";", ",", "(", ")", "[", "]", "“", "”", "‘", "’", "'", '"', "`", ":",
    "—", "…", "–", "/", "\\", "&", "-", "é", "e\u0301", "漢字", "🚀", "the quick brown fox ",
    " lorem ipsum dolor", " \n", "- ", "…\xa0", "—\v", "a.b-c/d", "aa,bb,cc", "[UNK]", "\ufffd",
    "<|endoftext|>",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), max_size=50).map("".join)
SIZES = st.integers(1, 40)


@cache
def theirs() -> Any:
    """Return semchunk 4 under a name of its own."""
    package = Path(str(FOLDER)) / "semchunk"
    spec = importlib.util.spec_from_file_location(
        "semchunk_4", package / "__init__.py", submodule_search_locations=[str(package)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def outcome(work: Callable[[], Any]) -> Any:
    """What ``work`` returns or raises."""
    try:
        return work()
    except RecursionError:
        return RecursionError
    except Exception as error:  # noqa: BLE001 - any error is an outcome
        return type(error), str(error)


def same(work: Callable[[Any], Any]) -> Any:
    """Asserts that ``work`` has one outcome for both modules; returns the result or the error."""
    expected, found = outcome(lambda: work(theirs())), outcome(lambda: work(ours))
    assert found == expected, f"expected {expected!r:.999}, found {found!r:.999}"
    return found


def words(text: str) -> int:
    return len(text.split())


def tenths(text: str) -> float:
    return len(text) * 0.1


def with_specials(text: str) -> int:
    return len(text) + 2


def fussy(text: str) -> int:
    if "*" in text:
        raise LookupError(f"no asterisk, please: {text!r}")
    return len(text)
