"""The page of what is covered, against the peers that are installed and against ourselves."""

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import NamedTuple

import pytest

import chunkwright as cw
from tests.support.markdown import ROOT, section

PAGE = (ROOT / "docs" / "coverage.md").read_text("utf-8")
STATES = {"same name", "otherwise", "not yet", "not planned"}

# The heading of each peer's table, and where its drop-ins are.
DROP_INS = {
    "langchain-text-splitters 1.1.3": "chunkwright.compat.langchain",
    "langchain-experimental 0.4.2": "chunkwright.compat.langchain_experimental",
    "Unstructured 0.27.35": "chunkwright.compat.unstructured",
    "Chroma's chunking report": "chunkwright.compat.chroma",
    "Contextual chunking": "chunkwright.compat.contextual",
    "Docling": "chunkwright.compat.docling",
    "semchunk 4.1": "chunkwright.compat.semchunk",
    "chonkie 1.7": None,
    "text-splitter": None,
    "LlamaIndex": None,
    "Haystack": None,
}


class Row(NamedTuple):
    """A row of a peer's table."""

    names: list[str]
    state: str
    here: str


@cache
def rows(heading: str) -> list[Row]:
    lines = re.findall(r"^\|(.+?)\|(.+?)\|(.*?)\|$", section(PAGE, heading), re.MULTILINE)
    found = [Row(re.findall(r"`(\w+)`", names), *map(str.strip, cells)) for names, *cells in lines]
    return [row for row in found if row.names]


def listed(heading: str) -> list[str]:
    return [name for row in rows(heading) for name in row.names]


def test_each_peer_has_a_table() -> None:
    headings = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    assert headings == list(DROP_INS)
    assert all(rows(heading) for heading in headings)


@pytest.mark.parametrize("heading", DROP_INS)
def test_rows_are_sound(heading: str) -> None:
    names = listed(heading)
    assert len(names) == len(set(names))
    for row in rows(heading):
        assert row.state in STATES, row
        # What is missing names what to use instead.
        assert row.state == "same name" or row.here, row


@pytest.mark.parametrize(("heading", "module"), DROP_INS.items())
def test_drop_ins_exist(heading: str, module: str | None) -> None:
    ours = importlib.import_module(module).__all__ if module else []
    for row in rows(heading):
        for name in row.names:
            assert (name in ours) == (row.state == "same name"), name
    if module:
        assert f"`{module}`" in section(PAGE, heading)


@pytest.mark.parametrize(("heading", "module"), DROP_INS.items())
def test_what_is_missing_says_what_to_use_instead(heading: str, module: str | None) -> None:
    if module:
        missing = [name for row in rows(heading) for name in row.names if row.state != "same name"]
        for name in missing:
            with pytest.raises(ImportError, match=f"{module} has no '{name}': .+"):
                exec(f"from {module} import {name}")  # noqa: S102 - names of the page
        with pytest.raises(AttributeError, match="no_such_name"):
            _ = importlib.import_module(module).no_such_name


def test_names_of_ours_exist() -> None:
    for path in re.findall(r"`cw\.([\w.]+)`", PAGE):
        found: object = cw
        for name in path.split("."):
            found = getattr(found, name)
    for path in re.findall(r"`(chunkwright\.[\w.]+)`", PAGE):
        assert _resolved(path) is not None


def _resolved(path: str) -> object:
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        module, _, name = path.rpartition(".")
        return getattr(importlib.import_module(module), name)


def _defined(module: ModuleType) -> Iterator[str]:
    """Give the public names that a module itself defines."""
    for node in ast.parse(inspect.getsource(module)).body:
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                names = [node.name]
            case ast.Assign(targets=targets):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case _:
                names = []
        yield from (name for name in names if not name.startswith("_"))


def test_langchains_splitters_are_listed() -> None:
    peer = pytest.importorskip("langchain_text_splitters")
    assert sorted(listed("langchain-text-splitters 1.1.3")) == sorted(peer.__all__)


@pytest.mark.filterwarnings("ignore:.*langchain-experimental.*:DeprecationWarning")
def test_the_semantic_chunkers_module_is_listed() -> None:
    peer = pytest.importorskip("langchain_experimental.text_splitter")
    assert sorted(listed("langchain-experimental 0.4.2")) == sorted(_defined(peer))


def test_unstructureds_chunking_is_listed() -> None:
    peer = pytest.importorskip("unstructured.chunking")
    modules = [module.name for module in pkgutil.walk_packages(peer.__path__)]
    assert modules
    public = set(peer.__all__)
    for name in modules:
        public |= set(_defined(importlib.import_module(f"unstructured.chunking.{name}")))
    assert sorted(listed("Unstructured 0.27.35")) == sorted(public)


def test_doclings_chunking_is_listed() -> None:
    peer = pytest.importorskip("docling_core.transforms.chunker")
    pytest.importorskip("transformers")
    modules = [
        module.name
        for module in pkgutil.walk_packages(peer.__path__, f"{peer.__name__}.")
        if not module.name.rpartition(".")[2].startswith("_")
    ]
    public = {name for name in vars(peer) if name[0].isupper()}
    for name in modules:
        public |= set(_defined(importlib.import_module(name)))
    assert sorted(listed("Docling")) == sorted(public)


def test_methods_of_drop_ins_are_those_of_the_peer() -> None:
    peer = pytest.importorskip("langchain_text_splitters")
    ours = importlib.import_module("chunkwright.compat.langchain")
    for name in ours.__all__:
        theirs = getattr(peer, name, None)
        if inspect.isclass(theirs):
            methods = {method for method in dir(theirs) if not method.startswith("_")}
            assert methods <= set(dir(getattr(ours, name))), name


def test_versions_are_those_that_the_tests_install() -> None:
    pins = (ROOT / "pyproject.toml").read_text("utf-8")
    for heading in list(DROP_INS)[:3]:
        package, version = heading.lower().split()
        assert f'"{package}=={version}"' in pins


def test_the_releases_that_are_followed_are_those_of_the_tests() -> None:
    followed = dict(re.findall(r"^\| ([\w-]+) \| ([\d.]+) \|", PAGE, re.MULTILINE))
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    pinned = dict(re.findall(r'"([\w-]+)(?:\[[\w-]+\])?==([\d.]+)"', project))
    pinned |= re.findall(r"(semchunk)==([\d.]+)", (ROOT / ".ci" / "run").read_text("utf-8"))
    assert len(followed) == 5
    assert followed == {name: pinned[name] for name in followed}
