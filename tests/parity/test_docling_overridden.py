"""Docling's chunkers with members of a user's own: what the peer calls of them, ours calls too."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import pytest

pytest.importorskip("docling_core")
pytest.importorskip("semchunk")
pytest.importorskip("transformers")

from docling_core.transforms.chunker.hierarchical_chunker import HierarchicalChunker as TheirTree
from docling_core.transforms.chunker.hybrid_chunker import HybridChunker as TheirHybrid
from docling_core.transforms.chunker.line_chunker import LineBasedTokenChunker as TheirLines
from docling_core.transforms.chunker.page_chunker import PageChunker as TheirPages
from docling_core.types.doc.document import DoclingDocument
from docling_core.types.doc.labels import CodeLanguageLabel, DocItemLabel
from pydantic import BaseModel, computed_field

from chunkwright.compat import docling as ours

from .docling_documents import table_of
from .docling_pair import MarkdownTables, outcome, pair_of, same

CODE = "def flow(rain):\n    return rain * 2\n\n\ndef level(snow):\n    return snow\n"
CLASSES: dict[str, tuple[Any, Any]] = {
    "hierarchical": (ours.HierarchicalChunker, TheirTree),
    "hybrid": (ours.HybridChunker, TheirHybrid),
    "line": (ours.LineBasedTokenChunker, TheirLines),
    "page": (ours.PageChunker, TheirPages),
}
# Of the peer's members, those that its chunkers do not call to cut a document.
NOT_CALLED = {
    "hierarchical": {"contextualize", "serialize"},
    "hybrid": {"serialize"},
    "line": {"contextualize", "serialize"},
    "page": {"contextualize", "serialize"},
}


def _document() -> DoclingDocument:
    """Return a document for which the hybrid chunker takes all of its ways."""
    document = DoclingDocument(name="rivers")
    document.add_heading("Rivers")
    document.add_heading("Lakes")
    document.add_text(DocItemLabel.TEXT, "The Elbe is long, and the lake is one. " * 9)
    listed = document.add_list_group()
    for _ in range(9):
        document.add_list_item("the river and the lake", parent=listed)
    document.add_code(CODE, code_language=CodeLanguageLabel.PYTHON)
    document.add_table(table_of(6, 6))
    return document


def _options(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options of our chunker of that name and of theirs, with which all of it is used."""
    provider = {"serializer_provider": MarkdownTables()}
    if name not in {"hybrid", "line"}:
        return provider, provider
    prefix = {"prefix": "river "} if name == "line" else {}
    both: Any = [
        {"tokenizer": tokenizer, **provider, **prefix} for tokenizer in pair_of("word pieces", 24)
    ]
    return both[0], both[1]


class _CalledError(Exception):
    pass


def _raising(member: object) -> Any:
    """Return what raises when it is used as `member` is."""

    def raises(*_: object, **__: object) -> Any:
        raise _CalledError

    if isinstance(member, type):
        return type("_Own", (BaseModel,), {"__init__": raises})
    return raises if callable(member) else property(raises)


def _members(peer: type) -> dict[str, object]:
    """The peer's methods, properties and inner classes, and those of its bases."""
    found: dict[str, object] = {}
    for cls in reversed(peer.__mro__):
        if cls.__module__.startswith("docling_core."):
            found |= vars(cls)
    fields = set(getattr(peer, "model_fields", ()))
    return {
        name: member
        for name, member in found.items()
        if not name.startswith(("__", "_abc", "model_"))
        and name not in fields | {"_patch", "chunk"}
        and (callable(member) or isinstance(member, property | cached_property))
    }


def _uses(cls: Any, options: dict[str, Any], name: str, member: object) -> bool:
    """Whether a chunker of that class uses the member of that name that a user gave it."""
    derived: Any = type(cls)("Derived", (cls,), {"__module__": __name__})
    setattr(derived, name, _raising(member))
    found, _ = outcome(lambda: list(derived(**options).chunk(_document())))
    return isinstance(found, tuple) and found[0] is _CalledError


@pytest.mark.parametrize("chunker", CLASSES)
def test_all_members_that_the_peer_uses_may_be_ones_own(chunker: str) -> None:
    (mine, theirs), (my_options, their_options) = CLASSES[chunker], _options(chunker)
    members = _members(theirs)
    used = {name for name, m in members.items() if _uses(theirs, their_options, name, m)}
    assert used == members.keys() - NOT_CALLED[chunker]
    assert {name for name, m in members.items() if _uses(mine, my_options, name, m)} == used


@pytest.mark.parametrize("name", ["_count_chunk_tokens", "_split_by_doc_items", "segment"])
def test_an_object_may_have_its_own_methods(name: str) -> None:
    for cls, options in zip(CLASSES["hybrid"], _options("hybrid"), strict=True):
        chunker = cls(**options)
        object.__setattr__(chunker, name, _raising(len))
        with pytest.raises(_CalledError):
            list(chunker.chunk(_document()))


def _tree(cls: Any, **options: Any) -> Any:
    class Tree(cls):  # type: ignore[misc]
        @computed_field  # type: ignore[prop-decorator]
        @cached_property
        def _inner_chunker(self) -> TheirTree:
            return TheirTree(**options)

    return Tree


@pytest.mark.parametrize(
    "inner",
    [
        {"always_emit_headings": True, "code_chunking_strategy": True},
        {"code_chunking_strategy": True},
        {"always_emit_headings": True},
        {"serializer_provider": MarkdownTables()},
        {},
    ],
)
def test_a_users_own_inner_chunker_cuts(inner: dict[str, Any]) -> None:
    tokenizers = pair_of("word pieces", 24)
    if inner.get("code_chunking_strategy"):
        strategy: Any = ours.StandardCodeChunkingStrategy(tokenizer=tokenizers[1])
        inner = inner | {"code_chunking_strategy": strategy}
    mine, theirs = (
        _tree(cls, **inner)(tokenizer=tokenizer)
        for cls, tokenizer in zip(CLASSES["hybrid"], tokenizers, strict=True)
    )
    found = same(mine, theirs, _document())
    plain = ours.HybridChunker(tokenizer=tokenizers[0])
    stock = [plain.contextualize(chunk) for chunk in plain.chunk(_document())]
    assert ([text for text, _ in found] != stock) == bool(inner)


def test_an_inner_chunker_stays_what_it_was_made_as() -> None:
    mine, theirs = (
        cls(tokenizer=tokenizer)
        for cls, tokenizer in zip(CLASSES["hybrid"], pair_of("word pieces", 24), strict=True)
    )
    before = same(mine, theirs, _document())
    mine.always_emit_headings = theirs.always_emit_headings = True
    assert same(mine, theirs, _document()) == before
