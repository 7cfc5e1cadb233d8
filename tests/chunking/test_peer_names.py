"""Attributes and classes that other libraries have: the error names ours."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

import chunkwright as cw
from chunkwright.messages.peer_names import OF_CHUNK, OF_CHUNKS

CHUNKS = cw.chunk(cw.read(b"# One\n\ntwo three.", name="a.md"), "hybrid", max_tokens=50)


@pytest.mark.parametrize(
    ("owner", "names"), [(CHUNKS[0], OF_CHUNK), (CHUNKS, OF_CHUNKS)], ids=["chunk", "chunks"]
)
def test_attributes_of_others_name_ours(owner: object, names: dict[str, str]) -> None:
    there = set(dir(owner))
    for theirs, ours in names.items():
        assert theirs not in there
        for word in re.findall(r"\w+(?=\(\))|^\w+$", ours):
            assert word in there
        with pytest.raises(AttributeError, match=f"'{theirs}': here it is {re.escape(ours)}"):
            getattr(owner, theirs)
        assert not hasattr(owner, theirs)


@pytest.mark.parametrize("owner", [CHUNKS[0], CHUNKS], ids=["chunk", "chunks"])
def test_other_names_are_plain_errors(owner: object) -> None:
    for name in ("nothing_like_it", "__deepcopy__", "_columns_", "texxt"):
        kind = type(owner).__name__
        with pytest.raises(AttributeError, match=f"'{kind}' object has no attribute '{name}'$"):
            getattr(owner, name)
    empty = type(owner).__new__(type(owner))
    with pytest.raises(AttributeError, match="_columns"):
        _ = empty._columns  # type: ignore[attr-defined]
    assert type(copy.copy(owner)) is type(owner)
    assert type(pickle.loads(pickle.dumps(owner))) is type(owner)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("RecursiveChunker", "here it is cw.Recursive"),
        ("SentenceSplitter", "here it is cw.Sentence"),
        ("HybridChunker", "here it is cw.Hybrid"),
        ("RecursiveCharacterTextSplitter", "'recursive' with max_chars"),
        ("TokenTextSplitter", "'window'"),
        ("MarkdownHeaderTextSplitter", "'hybrid' or 'by_title'"),
    ],
)
def test_classes_of_others_name_ours(theirs: str, ours: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{theirs}': .*{re.escape(ours)}"):
        getattr(cw, theirs)


@pytest.mark.parametrize("name", ["Nothing", "recursive_chunker_of_mine", "__nothing__"])
def test_unknown_names_are_plain_errors(name: str) -> None:
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'$"):
        getattr(cw, name)
