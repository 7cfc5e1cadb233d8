"""Files of the output are no inputs, however the two are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkwright.corpus import Corpus
from chunkwright.corpus.inputs.listing import Outside
from chunkwright.errors import ConfigError, CorpusError


@pytest.mark.parametrize(
    ("folder", "path", "is_outside"),
    [
        ("out", "out/part.parquet", False),
        ("out", "out", False),
        ("out/", "./out/_run/plan.json", False),
        ("out", "out2/part.parquet", True),
        ("out", "x/../out/part.parquet", False),
        ("a/out", "a/b.md", True),
        ("s3://bucket/out", "s3://bucket/out/part.parquet", False),
        ("s3://bucket/out/", "s3://bucket/out2/part.parquet", True),
        ("s3://bucket/out", "gs://bucket/out/part.parquet", True),
        ("s3://bucket/out", "bucket/out/part.parquet", True),
        ("memory://out", "memory:///out/part.parquet", False),
    ],
)
def test_what_is_outside_of_a_folder(folder: str, path: str, is_outside: bool) -> None:
    assert Outside(folder)(path) is is_outside


def test_links_and_addresses_of_this_machine_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "link").symlink_to("out")
    for folder in ("out", "link", f"file://{tmp_path}/out", str(tmp_path / "link")):
        outside = Outside(folder)
        for inside in ("out/a", "link/a", str(tmp_path / "out" / "a"), f"file://{tmp_path}/out/a"):
            assert not outside(inside)
        assert outside("a")


def test_an_output_below_an_input_is_not_read_at_an_address() -> None:
    fsspec = pytest.importorskip("fsspec", reason="addresses need it")
    pytest.importorskip("pyarrow", reason="corpora are tables of Arrow")
    system = fsspec.filesystem("memory")
    system.pipe_file("/outside/a.md", b"A text.")
    corpus = Corpus("memory://outside", "recursive")
    first = corpus.write("memory://outside/out")
    assert (first.n_made, first.counts.documents) == (1, 1)
    again = corpus.write("memory://outside/out")
    assert (again.n_made, again.counts.documents) == (0, 1)
    system.rm("/outside", recursive=True)


def test_an_input_that_is_the_output_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="corpora are tables of Arrow")
    (tmp_path / "a.md").write_text("A text.")
    with pytest.raises(ConfigError, match="is in the output"):
        Corpus(tmp_path, "recursive").plan(tmp_path)


def test_a_folder_in_which_all_is_output_has_nothing_to_read(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="corpora are tables of Arrow")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_text("A text.")
    corpus = Corpus(tmp_path / "in", "recursive")
    corpus.write(tmp_path / "in" / "out")
    (tmp_path / "in" / "a.md").unlink()
    assert "no file but those of the output" in str(corpus.plan(tmp_path / "in" / "out").problems)
    # What was made of it may be all that is left.
    with pytest.raises(CorpusError, match="is left as it is"):
        corpus.write(tmp_path / "in" / "out")
    assert list((tmp_path / "in" / "out").glob("*.parquet"))
