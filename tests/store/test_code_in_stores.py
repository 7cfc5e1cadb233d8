"""Source code in stores: what blocks are about, and search by it, also after a re-import."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import chunkwright as cw
from chunkwright.retrieval import Retriever

if TYPE_CHECKING:
    from pathlib import Path

STRATEGY = cw.Code(max_chars=90)
TEXT = """\
class Ledger:
    def run(self):
        self.rows.append(1)
        return self.rows

class Cart:
    def run(self):
        self.rows.append(1)
        return self.rows
"""


@pytest.fixture
def store(tmp_path: Path) -> cw.Store:
    """Return a store with a source file of two classes, whose methods are the same."""
    store = cw.Store.open(tmp_path / "kb.db")
    store.add(cw.Document(text=TEXT, name="shop.py"), strategy=STRATEGY)
    return store


def scopes(store: cw.Store) -> list[str | None]:
    """Return the scopes of the blocks, as chunks that are restored say them."""
    return [each.scope for each in store.chunks("shop.py")]


def test_chunks_come_back_with_what_they_are_about(store: cw.Store) -> None:
    with store:
        assert scopes(store) == ["Ledger", "Cart"]
        assert {row["language"] for row in store.chunks("shop.py").to_dicts()} == {"python"}


def test_a_table_of_blocks_has_columns_of_code(store: cw.Store, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with store:
        store.to_parquet(tmp_path / "blocks.parquet")
    rows = parquet.read_table(tmp_path / "blocks.parquet").to_pylist()
    assert [(row["scope"], row["symbol"]) for row in rows] == [
        ("Ledger", "class"),
        ("Cart", "class"),
    ]


def test_a_block_is_found_by_its_scope(store: cw.Store) -> None:
    with store:
        (hit,) = store.search("What does the cart run?", 1)
        assert "class Cart" in hit.text


def test_a_renamed_class_renames_the_scope_of_blocks_that_stay(tmp_path: Path) -> None:
    body = "\n".join(f"        self.rows.append({n})" for n in range(9))
    text = f"class Cart:\n    a = 1\n\n    def run(self):\n{body}\n\n    b = 2\n"
    with cw.Store.open(tmp_path / "kb.db") as store:
        for name in ("Cart", "Basket"):
            document = cw.Document(text=text.replace("Cart", name), name="shop.py")
            store.add(document, strategy=STRATEGY)
            found = [each.scope for each in store.chunks("shop.py")]
            assert f"{name}.run" in found
            assert {scope.split(".")[0] for scope in found if scope} == {name}


def test_the_scope_is_a_field_of_chunks_in_memory() -> None:
    chunks = cw.Code(max_chars=90).batch([TEXT], names=["shop.py"])
    question = "What does the ledger do in run?"
    hits = Retriever(field_weights={"path": 0, "document": 0}).index(chunks).search(question, k=1)
    assert hits[0][0].chunk is not None
    none = Retriever(field_weights={"scope": 0, "path": 0, "document": 0}).index(chunks)
    assert none.search(question, k=1)[0][0].score < hits[0][0].score
