"""`chunkwright chunk --shadows`: the chunks beside each chunk, as columns."""

from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.rows import OF_SHADOWS

from .commandline import Run

SIZES = ("--max-tokens", "12")


Row = dict[str, Any]


def expected(path: str) -> list[Row]:
    document = cw.read(path).named(Path(path).name)
    return cw.shadows(cw.chunk(document, "recursive", max_tokens=12), tokens=4).to_dicts()


def shadows(rows: list[Row]) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in ("chunk_id", *OF_SHADOWS)) for row in rows]


def test_rows_have_shadows(here: Run) -> None:
    path = "docs/guide.md"
    rows = here("chunk", path, "--shadows", "4", *SIZES).rows
    assert shadows(rows) == shadows(expected(path))
    assert rows[1]["prefix_shadow"]
    assert list(rows[0])[-2:] == list(OF_SHADOWS)
    assert "prefix_shadow" not in here("chunk", path, *SIZES).rows[0]


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_tables_have_shadows(here: Run, folder: Path, suffix: str) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    out, path = folder / f"out.{suffix}", "docs/deep/notes.txt"
    assert here("chunk", path, "--shadows", "4", *SIZES, "--out", out).code == 0
    table = pq.read_table(out) if suffix == "parquet" else pa.ipc.open_file(out).read_all()
    assert table.schema.names[-2:] == list(OF_SHADOWS)
    assert shadows(table.to_pylist()) == shadows(expected(path))


def test_they_may_be_a_setting_of_a_file_or_variable(
    here: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "chunkwright.toml").write_text("shadows = 4\nmax_tokens = 12\n")
    rows = here("chunk", "docs/guide.md").rows
    assert shadows(rows) == shadows(expected("docs/guide.md"))
    monkeypatch.setenv("CHUNKWRIGHT_SHADOWS", "3")
    rows = here("chunk", "docs/guide.md").rows
    assert max(cw.count_tokens(row["suffix_shadow"] or "") for row in rows) == 3


def test_what_is_no_number_of_tokens_is_refused(here: Run) -> None:
    for value in ("0", "-3"):
        done = here("chunk", "docs/guide.md", "--shadows", value)
        assert (done.code, done.out) == (2, "")
        assert "--shadows must be" in done.err
    done = here("chunk", "docs/guide.md", "--shadows", "few")
    assert done.code == 2
    options = ("--format", "docling", "--strategy", "hybrid", "--shadows", "4")
    done = here("chunk", "docs/guide.md", *options)
    assert done.code == 2
    assert "--format docling has no place for --shadows" in done.err
