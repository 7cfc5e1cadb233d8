"""Files that hold no text are refused by what they are, whatever they are called."""

import os
import re
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.readers.kinds import KINDS
from chunkwright.readers.signatures import refuse
from chunkwright.readers.text import decode, read_text
from tests.readers.formats import BINARY, CONVERTED, PACKED


@pytest.mark.parametrize("suffix", ["", ".txt", ".md", ".csv", ".html", ".py", ".json"])
@pytest.mark.parametrize("format_", BINARY)
def test_it_is_said_what_it_is(tmp_path: Path, format_: str, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_bytes(BINARY[format_])
    message = rf"^{re.escape(f'{path}: this is {format_}')}.*, not text: "
    for errors in ("strict", "replace"):
        with pytest.raises(cw.ReadError, match=message):
            cw.read(path, errors=errors)
    for kind in KINDS:
        with pytest.raises(cw.ReadError, match=re.escape(f"this is {format_}")):
            cw.read(BINARY[format_], kind=kind)
    with pytest.raises(cw.ReadError, match=message):
        read_text(path, errors="replace")


@pytest.mark.parametrize("format_", CONVERTED)
def test_it_is_said_what_makes_text_of_it(format_: str) -> None:
    with pytest.raises(cw.ReadError) as caught:
        cw.read(CONVERTED[format_])
    assert re.search(r'pip install (docling|"unstructured\[)', str(caught.value))
    assert "replace" not in str(caught.value)


@pytest.mark.parametrize("format_", PACKED)
def test_archives_are_to_be_unpacked(format_: str) -> None:
    with pytest.raises(cw.ReadError, match="unpack it"):
        cw.read(PACKED[format_])


@pytest.mark.parametrize("before", ["", "\ufeff", "\r\n", " \t\n"])
def test_a_pdf_is_known_behind_what_its_readers_skip(before: str) -> None:
    with pytest.raises(cw.ReadError, match="x: this is a PDF document"):
        cw.read(before.encode() + b"%PDF-1.7 ", name="x", errors="replace")


@pytest.mark.parametrize("mark", [b"II+\0\x08\0", b"MM\0+\0\x08", b"MM\0*\0\0"])
def test_tiff_of_either_order_and_size(mark: bytes) -> None:
    with pytest.raises(cw.ReadError, match="this is a TIFF image"):
        cw.read(mark)


@pytest.mark.parametrize("format_", ["a PDF document", "a gzip archive"])
def test_bytes_that_are_not_in_the_encoding_are_told_by_what_they_are(format_: str) -> None:
    with pytest.raises(cw.ReadError, match=f"x: this is {format_}"):
        decode(BINARY[format_], name="x")


def test_nul_bytes() -> None:
    with pytest.raises(cw.ReadError, match=r"x\.txt: these are binary data.* \(a NUL at byte 1\)"):
        cw.read(b"a\0b", name="x.txt", errors="replace")
    assert cw.read(b"a\0b", name="x.txt", kind="text").text == "a\0b"
    with pytest.raises(cw.ReadError, match="binary data"):
        decode(b"\0\xff")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_wide_texts_are_read_in_their_encoding(encoding: str) -> None:
    data = "stone".encode(encoding)
    with pytest.raises(cw.ReadError, match=f"{encoding.upper()} text: read it with encoding="):
        cw.read(data)
    assert cw.read(data, encoding=encoding).text == "stone"
    with pytest.raises(cw.ReadError, match=r"UTF-(16|32) text"):
        # No NUL is in them, and no garbage is made of them.
        cw.read("\u77f3\u982d".encode(encoding), errors="replace")
    bare = "stone".encode(f"{encoding}-le")
    assert cw.read(bare, encoding=f"{encoding}-le").text == "stone"


@pytest.mark.parametrize(
    "text", ["BZh is a magic", "PK are initials", "GIF, a format", "BMW, a car", "%PDF", ""]
)
def test_texts_may_begin_like_files(text: str) -> None:
    assert cw.read(text.encode()).text == text


def test_a_byte_order_mark_may_be_two_letters() -> None:
    assert cw.read(b"\xff\xfe, letters", encoding="latin-1").text == "\xff\xfe, letters"


@given(st.data())
def test_a_damaged_zip_is_a_zip(data: st.DataObject) -> None:
    whole = bytearray(data.draw(st.sampled_from([v for v in BINARY.values() if v[:2] == b"PK"])))
    for at in data.draw(st.lists(st.integers(4, len(whole) - 1), max_size=8)):
        whole[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(4, len(whole)))
    with pytest.raises(cw.ReadError, match=r"this is an? "):
        refuse(bytes(whole[:cut]), "x")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs the files of POSIX")
def test_a_pipe_is_known_by_all_of_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # What tells a document from other ZIPs stands at its end.
    data = CONVERTED["a Word document (DOCX)"]
    writer = threading.Thread(target=pipe.write_bytes, args=[data], daemon=True)
    writer.start()
    with pytest.raises(cw.ReadError, match="Word document"):
        cw.read(pipe)
    writer.join()


def test_the_head_of_a_large_file_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.write(b"%PDF-1.4")
        # More than there is memory for: a file with a hole.
        file.truncate(1 << 42)
    with pytest.raises(cw.ReadError, match="PDF"):
        cw.read(path)
