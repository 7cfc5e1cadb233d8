"""Runs Chroma's chunkers and chunkwright's side by side.

`chunking_evaluation` is not on PyPI. Where it is installed all the same, its modules are loaded
without chromadb and the rest of what its package imports; `chroma_naive` and
`chroma_naive_semantic` are there always.
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

from . import chroma_naive, chroma_naive_semantic

PACKAGE = "chunking_evaluation"
MODULES = ("recursive_token", "fixed_token", "cluster_semantic", "kamradt_modified")
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
    utils.openai_token_count = ours.openai_token_count  # type: ignore[attr-defined]
    utils.get_openai_embedding_function = None  # type: ignore[attr-defined]
    sys.modules[utils.__name__] = utils
    _stand_in_for_chromadb()
    modules = [vars(import_module(f"{PACKAGE}.chunking.{name}_chunker")) for name in MODULES]
    return SimpleNamespace(**{key: value for module in modules for key, value in module.items()})


def _stand_in_for_chromadb() -> None:
    """Name the types that the peer's annotations name, where chromadb is not installed."""
    if find_spec("chromadb") is None:
        types = ModuleType("chromadb.api.types")
        types.Embeddable, types.EmbeddingFunction = Any, list  # type: ignore[attr-defined]
        for name in ("chromadb", "chromadb.api", types.__name__):
            sys.modules[name] = types


def naive() -> Any:
    """The chunkers that were written down for these tests."""
    return SimpleNamespace(**{**vars(chroma_naive), **vars(chroma_naive_semantic)})


REFERENCES = [
    pytest.param(naive, id="naive"),
    pytest.param(
        peer,
        id="peer",
        marks=pytest.mark.skipif(
            find_spec(PACKAGE) is None,
            reason="chunking_evaluation is not on PyPI; where it is installed, it is compared, too",
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
