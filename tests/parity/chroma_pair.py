"""Runs Chroma's chunkers and chunkwright's side by side.

`chunking_evaluation` is not on PyPI. Where it is installed all the same, its two modules are loaded
without chromadb and the rest of what its package imports; `chroma_naive` is there always.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from chunkwright.compat import chroma as ours

from . import chroma_naive

PACKAGE = "chunking_evaluation"
Reference = Callable[[], Any]


@cache
def peer() -> Any:
    """The peer's classes; None where it is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None:
        return None
    folder = next(iter(spec.submodule_search_locations or []))
    # Packages that import nothing stand in for the peer's own while its modules are loaded.
    for name, path in ((PACKAGE, folder), (f"{PACKAGE}.chunking", f"{folder}/chunking")):
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [path]
    utils = ModuleType(f"{PACKAGE}.utils")
    utils.Language = ours.Language  # type: ignore[attr-defined]
    sys.modules[utils.__name__] = utils
    recursive = import_module(f"{PACKAGE}.chunking.recursive_token_chunker")
    fixed = import_module(f"{PACKAGE}.chunking.fixed_token_chunker")
    return SimpleNamespace(**{**vars(recursive), **vars(fixed)})


REFERENCES = [
    pytest.param(lambda: chroma_naive, id="naive"),
    pytest.param(
        peer,
        id="peer",
        marks=pytest.mark.skipif(
            find_spec(PACKAGE) is None,
            reason="chunking_evaluation is not installed (and not on PyPI)",
        ),
    ),
]
against = pytest.mark.parametrize("reference", REFERENCES)


def outcome(work: Callable[[], Any]) -> Any:
    """What ``work`` returns or raises."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - any error is an outcome
        return type(error), str(error)


def same_chunks(
    reference: Reference, name: str, text: Any, *, maker: str = "", **kwargs: Any
) -> Any:
    """Asserts that both chunkers of that name split alike, or fail alike."""

    def work(module: Any) -> Any:
        cls = getattr(module, name)
        return (getattr(cls, maker) if maker else cls)(**kwargs).split_text(text)

    expected, found = outcome(lambda: work(reference())), outcome(lambda: work(ours))
    assert found == expected, f"expected {expected!r:.999}, found {found!r:.999}"
    return found
