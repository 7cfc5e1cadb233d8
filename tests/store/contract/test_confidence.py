"""Confidence of blocks in a store: the least that a reader states, and filters by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.store.store import Store

# Texts of paragraphs, of a page header and of two equal footers, and what the reader says of them.
BODY = [("The mill was built in 1743.", 0.95), ("It burned down.", 0.4), ("It was rebuilt.", None)]
LINES = [("page header", "Mill News", 0.6), *[("page footer", "Volume 9", of) for of in (0.9, 0.0)]]


def scan(name: str = "scan") -> cw.Document:
    """Return a document as if it had been recognised."""
    items: list[dict[str, Any]] = []
    parts = [*(("paragraph", *each) for each in BODY), *LINES]
    at = 0
    for kind, text, confidence in parts:
        stated = {} if confidence is None else {"confidence": confidence}
        items.append({"kind": kind, "start": at, "end": at + len(text), **stated})
        at += len(text) + 2
    whole = "\n\n".join(text for _, text, _ in parts)
    return cw.Document(elements=cw.elements_at(whole, items, n_body=len(BODY)), name=name)


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with Store.open(target) as store:
        store.add(scan(), strategy=cw.ByTitle(max_chars=30))
        store.add(cw.Document(text="The mill was sold.", name="letter"))
        yield store


def found(store: Store, question: str, **where: Any) -> set[str]:
    return {hit.text for hit in store.search(question, 20, where=where)}


def test_blocks_below_it_are_not_found(store: Store) -> None:
    everything = {text for text, _ in BODY} | {"The mill was sold."}
    assert found(store, "was it the mill") == everything
    assert found(store, "was it the mill", min_confidence=0.95) == everything - {"It burned down."}
    assert found(store, "was it the mill", min_confidence=0.4) == everything
    assert found(store, "was it the mill", min_confidence=1) == {
        "It was rebuilt.",
        "The mill was sold.",
    }
    assert found(store, "was it the mill", documents="scan", min_confidence=0.9) == {
        "The mill was built in 1743.",
        "It was rebuilt.",
    }


def test_other_filters_hold_it(store: Store) -> None:
    where: Any = {"none_of": [{"min_confidence": 0.5}]}
    assert found(store, "was it the mill", **where) == {"It burned down."}
    assert [each.uri for each in store.documents({"none_of": [{"min_confidence": 0.5}]})] == [
        "scan"
    ]
    assert len(store.documents({"min_confidence": 0.5})) == 2


def test_lines_have_the_least_of_their_places(store: Store) -> None:
    lines = ["page header", "page footer"]
    assert found(store, "mill news volume", types=lines) == {"Mill News", "Volume 9"}
    assert found(store, "mill news volume", types=lines, min_confidence=0.5) == {"Mill News"}


def test_what_was_written_by_hand_is_sure(store: Store) -> None:
    (hit,) = store.search("burned", where={"none_of": [{"min_confidence": 0.5}]})
    store.edit(hit.block, "It burned down in 1811.")
    assert "It burned down in 1811." in found(store, "it burned down", min_confidence=0.9)
    # Another edit writes the version again, and another import cuts it again.
    (other,) = store.search("rebuilt", 1, where={"documents": "scan"})
    store.edit(other.block, "It was rebuilt at once.")
    store.add(scan(), strategy=cw.ByTitle(max_chars=31))
    assert found(store, "it burned down", documents="scan", min_confidence=0.9) == {
        "The mill was built in 1743.",
        "It burned down in 1811.",
        "It was rebuilt at once.",
    }


@pytest.mark.parametrize("wrong", [-0.1, 1.5, "high", float("nan")])
def test_a_share_is_asked_for(store: Store, wrong: Any) -> None:
    with pytest.raises(ConfigError, match="min_confidence"):
        store.search("the mill", where={"min_confidence": wrong})
