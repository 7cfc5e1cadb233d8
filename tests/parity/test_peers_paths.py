"""Paths of peers' modules: what can be imported from the peer's can be from ours."""

from __future__ import annotations

import inspect
import pkgutil
import subprocess
import sys
import warnings
from importlib import import_module
from types import ModuleType

import pytest

from chunkwright.compat import (
    chroma,
    docling,
    langchain,
    langchain_experimental,
    unstructured,
)


def _paths(package: ModuleType) -> list[str]:
    """The modules that stand for modules of a peer, by their paths in the package."""
    prefix = f"{package.__name__}."
    found = [name for name, module in sys.modules.items() if type(module).__name__ == "_Path"]
    return sorted(name.removeprefix(prefix) for name in found if name.startswith(prefix))


LANGCHAINS = ["base", "json", "jsx", "markdown", "sentence_transformers", *_paths(langchain)]


@pytest.mark.parametrize("path", LANGCHAINS)
def test_langchains_paths_have_its_classes(path: str) -> None:
    peer = pytest.importorskip(f"langchain_text_splitters.{path}")
    public = import_module("langchain_text_splitters").__all__
    here = vars(peer).items()
    defined = [name for name, value in here if name in public and value.__module__ == peer.__name__]
    assert defined
    ours = import_module(f"chunkwright.compat.langchain.{path}")
    for name in defined:
        assert getattr(ours, name) is getattr(langchain, name)


def test_all_of_langchains_modules_have_a_path() -> None:
    theirs = {name.rpartition(".")[0] for name in _defining("langchain_text_splitters")}
    assert theirs <= {f"langchain_text_splitters.{path}" for path in LANGCHAINS}


def _defining(peer: str) -> list[str]:
    module = pytest.importorskip(peer)
    classes = [getattr(module, name, None) for name in module.__all__]
    return [f"{value.__module__}.{value.__name__}" for value in classes if inspect.isclass(value)]


@pytest.mark.parametrize("path", _paths(unstructured))
def test_unstructureds_paths_have_its_names(path: str) -> None:
    peer = pytest.importorskip(f"unstructured.{path}")
    ours = import_module(f"chunkwright.compat.unstructured.{path}")
    for name in ours.__all__:
        assert hasattr(peer, name)
        assert getattr(ours, name) is getattr(unstructured, name)
        assert name in dir(ours)


@pytest.mark.parametrize("path", _paths(chroma))
def test_chromas_paths_have_names(path: str) -> None:
    ours = import_module(f"chunkwright.compat.chroma.{path}")
    assert all(getattr(ours, name) is getattr(chroma, name) for name in ours.__all__)


def test_all_of_doclings_modules_have_a_path() -> None:
    peer = pytest.importorskip("docling_core.transforms.chunker")
    pytest.importorskip("transformers")
    prefix = f"{peer.__name__}."
    theirs = [module.name for module in pkgutil.walk_packages(peer.__path__, prefix)]
    public = {name.removeprefix(prefix) for name in theirs if "._" not in name}
    # `chunking` is a module of Docling's own, which does not come with docling-core.
    assert {*_paths(docling)} == public | {"chunking"}


@pytest.mark.parametrize("path", [path for path in _paths(docling) if path != "chunking"])
def test_doclings_paths_have_its_names(path: str) -> None:
    pytest.importorskip("docling_core")
    pytest.importorskip("transformers")
    peer = import_module(f"docling_core.transforms.chunker.{path}")
    ours = import_module(f"chunkwright.compat.docling.{path}")
    assert ours.__all__ == [name for name in docling.__all__ if hasattr(peer, name)]
    for name in ours.__all__:
        assert getattr(ours, name) is getattr(docling, name)
        assert name in dir(ours)


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "from chunkwright.compat.langchain.character import RecursiveCharacterTextSplitter",
        "from chunkwright.compat.langchain.base import TokenTextSplitter, split_text_on_tokens",
        "import chunkwright.compat.langchain.html as html; html.HTMLHeaderTextSplitter",
        "import chunkwright.compat.langchain.latex; chunkwright.compat.langchain.latex",
        "from chunkwright.compat.langchain import html",
        "from chunkwright.compat.langchain.nltk import *; NLTKTextSplitter",
        "from chunkwright.compat.unstructured.chunking.title import chunk_by_title",
        "from chunkwright.compat.unstructured.documents.elements import Title, ElementMetadata",
        "from chunkwright.compat.unstructured.staging.base import elements_from_json",
        "import chunkwright.compat.unstructured.staging.base as base; base.elements_to_dicts",
        "from chunkwright.compat.docling.hybrid_chunker import HybridChunker",
        "from chunkwright.compat.docling.tokenizer.huggingface import HuggingFaceTokenizer",
        "import chunkwright.compat.docling.tokenizer.openai as openai; openai.OpenAITokenizer",
        "from chunkwright.compat.docling.chunking import DocChunk, HierarchicalChunker",
        "from chunkwright.compat.langchain_experimental.text_splitter import SemanticChunker",
        "import chunkwright.compat.langchain_experimental.text_splitter as t; t.combine_sentences",
        "from chunkwright.compat.langchain_experimental.text_splitter import *; SemanticChunker",
        "from chunkwright.compat.chroma.chunking import ClusterSemanticChunker",
        "from chunkwright.compat.chroma.utils import openai_token_count",
    ],
)
def test_paths_are_found_first(statement: str) -> None:
    done = subprocess.run([sys.executable, "-c", statement], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_langchain_experimentals_path_has_its_names() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        peer = pytest.importorskip("langchain_experimental.text_splitter")
    ours = import_module("chunkwright.compat.langchain_experimental.text_splitter")
    defined = {name for name, value in vars(peer).items() if _is_of(peer, name, value)}
    assert defined <= set(ours.__all__)
    for name in defined:
        assert getattr(ours, name) is getattr(langchain_experimental, name)
    assert vars(peer).keys() & set(ours.__all__) == set(ours.__all__)


def _is_of(peer: ModuleType, name: str, value: object) -> bool:
    own = getattr(value, "__module__", None) == peer.__name__ or name.isupper()
    return own and not name.startswith("_")


@pytest.mark.parametrize("path", _paths(unstructured))
def test_each_name_of_unstructureds_modules_is_here_or_has_a_hint(path: str) -> None:
    peer = pytest.importorskip(f"unstructured.{path}")
    ours = import_module(f"chunkwright.compat.unstructured.{path}")
    for name, value in vars(peer).items():
        if name.startswith("_") or getattr(value, "__module__", None) != peer.__name__:
            continue
        if name not in ours.__all__:
            with pytest.raises(ImportError, match=f" has no '{name}': .."):
                getattr(ours, name)


@pytest.mark.parametrize("name", ["HybridChunker", "DocChunk", "HuggingFaceTokenizer"])
@pytest.mark.parametrize("missing", [["docling_core"], ["docling_core", "pydantic"]])
def test_docling_says_what_to_install(name: str, missing: list[str]) -> None:
    code = f"""if True:
        import importlib.util, sys
        sys.modules.update(dict.fromkeys({missing!r}))
        find = importlib.util.find_spec
        importlib.util.find_spec = lambda name: None if name in {missing!r} else find(name)
        from chunkwright.compat.docling import chunk_json
        from chunkwright.compat.docling.hybrid_chunker import {name}
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    wanted = f"needs docling-core for '{name}'. Please install it with `pip install 'docling-core["
    assert wanted in done.stderr.decode()


def test_what_a_path_lacks_is_said() -> None:
    with pytest.raises(ImportError, match="has no 'convert_to_dict': elements_to_dicts"):
        exec("from chunkwright.compat.unstructured.staging.base import convert_to_dict")  # noqa: S102
    with pytest.raises(ImportError, match="has no 'ChunkingOptions': steps of chunking"):
        exec("from chunkwright.compat.unstructured.chunking.base import ChunkingOptions")  # noqa: S102
    with pytest.raises(ImportError, match="cannot import name 'nonsense'"):
        exec("from chunkwright.compat.langchain.character import nonsense")  # noqa: S102
