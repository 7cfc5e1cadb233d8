"""Adapters without their frameworks: an error that says what to install."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from chunkwright.errors import MissingExtraError

# The module of each adapter, a module of the framework that it needs, and the extra.
ADAPTERS = [
    ("langchain.text_splitter", "langchain_text_splitters", "langchain"),
    ("langchain.vector_store", "langchain_core.documents", "langchain"),
    ("llama_index.node_parser", "llama_index.core.node_parser", "llama-index"),
    ("llama_index.vector_store", "llama_index.core.schema", "llama-index"),
    ("haystack.splitter", "haystack", "haystack"),
    ("haystack.document_store", "haystack", "haystack"),
    ("unstructured", "unstructured.chunking", "unstructured"),
    ("docling", "docling_core.types.doc", "docling"),
]


@pytest.mark.parametrize(("module", "library", "extra"), ADAPTERS)
def test_a_missing_framework_is_a_missing_extra(
    monkeypatch: pytest.MonkeyPatch, module: str, library: str, extra: str
) -> None:
    name = f"chunkwright.adapters.{module}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    # What Python takes for a module that is not there.
    monkeypatch.setitem(sys.modules, library, None)
    adapter = ".".join(name.split(".")[:3])
    with pytest.raises(MissingExtraError, match=rf"{adapter} needs an extra: .*\[{extra}\]") as of:
        import_module(name)
    assert of.value.extra == extra


@pytest.mark.parametrize("package", ["langchain", "llama_index", "haystack"])
def test_a_package_of_adapters_gives_its_names(package: str) -> None:
    module = import_module(f"chunkwright.adapters.{package}")
    assert [name for name in module.__all__ if name not in dir(module)] == []
    with pytest.raises(AttributeError, match="has no attribute 'ChunkwrightNothing'"):
        _ = module.ChunkwrightNothing
