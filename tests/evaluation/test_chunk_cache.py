"""Chunks are kept by what cut what, and a file that is not what it should be is set aside."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.evaluation.chunk_cache import VERSION, KeptChunks
from chunkwright.evaluation.chunkers import Cut, cut

from .samples import LAKE, MILL, sentences

CUT = Cut(["The mill", "nowhere", "burnt"], [(0, 8), None, (31, 36)])


def the_file(folder: Path) -> Path:
    (file,) = (path for path in folder.iterdir() if path.suffix == ".json")
    return file


def test_what_was_put_is_there(tmp_path: Path) -> None:
    kept = KeptChunks(tmp_path / "new" / "folder", "one")
    assert kept.get(MILL) is None
    kept.put(MILL, CUT)
    assert KeptChunks(tmp_path / "new" / "folder", "one").get(MILL) == CUT
    assert kept.get(LAKE) is None
    assert KeptChunks(tmp_path / "new" / "folder", "two").get(MILL) is None
    assert [path.name for path in (tmp_path / "new" / "folder").iterdir()] == [
        the_file(tmp_path / "new" / "folder").name
    ]


@given(st.text(max_size=40), st.text(max_size=8), st.text(max_size=40))
def test_any_text_is_kept(tmp_path: Path, text: str, chunker: str, other: str) -> None:
    made = cut(lambda said: [said[:5], other, *sentences(said)], text, "any")
    kept = KeptChunks(tmp_path, chunker)
    kept.put(text, made)
    assert kept.get(text) == made


def whole(body: bytes) -> bytes:
    """Return a file with that body, and the checksum that it should have."""
    return b'{"version": 1, "sha256": "%s"}\n%s\n' % (sha256(body).hexdigest().encode(), body)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: data[: len(data) // 2], "checksum"),
        (lambda data: data[:10], "Unterminated|Expecting"),
        (lambda _: b"", "Expecting"),
        (lambda _: b"\xff\xfe", "decode|Expecting"),
        (lambda _: b"[]\n", "it is no file of chunks"),
        (lambda data: data.replace(b"The mill", b"An owl"), "checksum"),
        (lambda data: data.replace(b'"version": 1', b'"version": 99'), "version 99, not 1"),
        (lambda data: data.replace(b"[0, 8]", b"[0, 9]"), "checksum"),
        (lambda _: whole(b"[]"), "it holds something else: TypeError"),
        (lambda _: whole(b"{}"), "it holds something else: KeyError"),
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, change: object, why: str) -> None:
    kept = KeptChunks(tmp_path, "one")
    kept.put(MILL, Cut(["The mill was", "x"], [None, (0, 8)]))
    file = the_file(tmp_path)
    file.write_bytes(change(file.read_bytes()))  # type: ignore[operator]
    with pytest.warns(RuntimeWarning, match=f"set aside as .*damaged.*({why})"):
        assert kept.get(MILL) is None
    assert [path.name for path in tmp_path.iterdir()] == [f"{file.name}.damaged"]
    kept.put(MILL, CUT)
    assert kept.get(MILL) == CUT


def test_a_file_of_another_chunker_is_not_taken(tmp_path: Path) -> None:
    one, two = KeptChunks(tmp_path / "1", "one"), KeptChunks(tmp_path / "2", "two")
    one.put(MILL, CUT)
    two.put(MILL, CUT)
    the_file(tmp_path / "2").write_bytes(the_file(tmp_path / "1").read_bytes())
    with pytest.warns(RuntimeWarning, match="of another chunker or corpus"):
        assert two.get(MILL) is None


def test_a_folder_that_cannot_be_used_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    kept = KeptChunks(tmp_path / "file", "one")
    with pytest.warns(RuntimeWarning, match="cannot be kept in"):
        assert kept.get(MILL) is None
    # A second warning would be an error here.
    kept.put(MILL, CUT)
    kept.put(LAKE, CUT)


def test_files_say_their_version(tmp_path: Path) -> None:
    KeptChunks(tmp_path, "one").put(MILL, CUT)
    head, body = the_file(tmp_path).read_text().splitlines()
    assert json.loads(head)["version"] == VERSION
    assert json.loads(body)["chunks"] == [[0, 8], "nowhere", [31, 36]]
