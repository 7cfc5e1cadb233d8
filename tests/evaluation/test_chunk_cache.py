"""Chunks are kept by what cut what, and what is not what it should be is cut again."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.evaluation.chunkers.adapter import ChunkerOutput, cut
from chunkwright.evaluation.chunkers.cache import ChunkCache
from chunkwright.files.disk_cache import DiskCache, digest, stored_files

from .samples import LAKE, MILL, sentences

CUT = ChunkerOutput(["The mill", "nowhere", "burnt"], [(0, 8), None, (31, 36)])


def the_file(folder: Path) -> Path:
    (file,) = stored_files(folder, "chunks")
    return file.path


def test_what_was_put_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    kept = ChunkCache(folder, "one")
    assert kept.get([MILL]) == {}
    kept.put(MILL, CUT)
    assert ChunkCache(folder, "one").get([LAKE, MILL]) == {MILL: CUT}
    assert ChunkCache(folder, "two").get([MILL]) == {}
    assert list(folder.iterdir()) == [the_file(folder)]


@given(st.text(max_size=40), st.text(max_size=8), st.text(max_size=40))
def test_any_text_is_kept(tmp_path: Path, text: str, chunker: str, other: str) -> None:
    made = cut(lambda said: [said[:5], other, *sentences(said)], text, "any")
    kept = ChunkCache(tmp_path, chunker)
    kept.put(text, made)
    assert kept.get([text]) == {text: made}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: data[: len(data) // 2], "malformed"),
        (lambda data: data[:10], "not a database"),
        (lambda _: b"\xff\xfe", "not a database"),
        (lambda _: b"[]\n", "not a database"),
        (lambda data: data[:63] + b"\x63" + data[64:], "version 99, not"),
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, change: object, why: str) -> None:
    kept = ChunkCache(tmp_path, "one")
    kept.put(MILL, ChunkerOutput(["The mill was", "x"], [None, (0, 8)]))
    file = the_file(tmp_path)
    file.write_bytes(change(file.read_bytes()))  # type: ignore[operator]
    with pytest.warns(RuntimeWarning, match=f"set aside as .*damaged.*({why})") as caught:
        assert kept.get([MILL]) == {}
    assert caught[0].filename == __file__
    assert [path.name for path in tmp_path.iterdir()] == [f"{file.name}.damaged"]
    kept.put(MILL, CUT)
    assert kept.get([MILL]) == {MILL: CUT}


def test_a_damaged_value_is_cut_again(tmp_path: Path) -> None:
    kept = ChunkCache(tmp_path, "one")
    kept.put(MILL, ChunkerOutput(["The mill was", "x"], [None, (0, 8)]))
    file = the_file(tmp_path)
    file.write_bytes(file.read_bytes().replace(b"The mill", b"The rill"))
    with pytest.warns(RuntimeWarning, match="has damaged entries, which are made again: 1"):
        assert kept.get([MILL]) == {}


@pytest.mark.parametrize(
    ("value", "why"),
    [(b"{}", "they are no list"), (b"[[0, 9999]]", "outside of its text"), (b'[""]', "no text")],
)
def test_chunks_that_cannot_be_are_not_taken(tmp_path: Path, value: bytes, why: str) -> None:
    DiskCache(tmp_path, "chunks", "one").put({digest(MILL): value})
    with pytest.warns(RuntimeWarning, match=f"has chunks that cannot be.*{why}"):
        assert ChunkCache(tmp_path, "one").get([MILL]) == {}


def test_a_file_of_another_chunker_is_not_taken(tmp_path: Path) -> None:
    one, two = ChunkCache(tmp_path / "1", "one"), ChunkCache(tmp_path / "2", "two")
    one.put(MILL, CUT)
    two.put(MILL, CUT)
    the_file(tmp_path / "2").write_bytes(the_file(tmp_path / "1").read_bytes())
    with pytest.warns(RuntimeWarning, match=r"it holds others: \('chunks', 'one'\)"):
        assert two.get([MILL]) == {}


def test_a_folder_that_cannot_be_used_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    kept = ChunkCache(tmp_path / "file", "one")
    assert kept.get([MILL]) == {}
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        kept.put(MILL, CUT)
    # A second warning would be an error here.
    kept.put(LAKE, CUT)
    assert kept.get([MILL]) == {}


def test_files_say_what_they_hold(tmp_path: Path) -> None:
    kept = ChunkCache(tmp_path, "one")
    kept.put(MILL, CUT)
    kept.put(LAKE, CUT)
    (file,) = stored_files(tmp_path, "chunks")
    assert (file.name, file.entries, file.bytes) == ("one", 2, os.stat(file.path).st_size)  # noqa: PTH116
    assert DiskCache(tmp_path, "chunks", "one").get([digest(MILL)]) == {
        digest(MILL): b'[[0, 8], "nowhere", [31, 36]]'
    }
