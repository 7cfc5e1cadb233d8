"""Source code in corpora: columns of what chunks are about, beside documents of other kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import chunkwright as cw
from chunkwright.corpus import Corpus

if TYPE_CHECKING:
    from pathlib import Path


def test_files_have_columns_of_code(tmp_path: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.py").write_text("class Cart:\n    def add(self):\n        pass\n")
    (folder / "b.md").write_text("# Rain\n\nIt fell.\n")
    (folder / "c.jsonl").write_text('{"text": "def no_code(): pass"}\n')
    assert not Corpus(folder, cw.Code(max_chars=60)).write(tmp_path / "out").failures
    table = dataset.dataset(sorted((tmp_path / "out").rglob("*.parquet"))).to_table()
    found = {(row["scope"], row["language"]) for row in table.to_pylist()}
    assert found == {("Cart", "python"), (None, None)}
