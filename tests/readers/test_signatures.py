"""Files that hold no text are refused by what they are, whatever they are called."""

import os
import re
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.readers.kinds import FILES, KINDS
from chunkwright.readers.signatures import kind_of_bytes, refuse
from chunkwright.readers.text import decode, read_text
from tests.readers.formats import BINARY, CONVERTED, PACKED, zipped

# What only a library of an extra reads.
OF_EXTRAS = {"a PDF document", "an RTF document", "an Office document of before 2007"}
# The formats that a reader of ours makes documents of.
READ = [format_ for format_, data in CONVERTED.items() if kind_of_bytes(data) in FILES]


@pytest.mark.parametrize("suffix", ["", ".txt", ".md", ".csv", ".html", ".py", ".json"])
@pytest.mark.parametrize("format_", BINARY)
def test_it_is_said_what_it_is(tmp_path: Path, format_: str, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_bytes(BINARY[format_])
    message = rf"^{re.escape(f'{path}: this is {format_}')}.*, not text: "
    for errors in ("strict", "replace") if format_ not in READ else ():
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
        cw.read(CONVERTED[format_], kind="text")
    said = str(caught.value)
    assert re.search(r'pip install (docling|"unstructured\[)', said)
    assert "replace" not in said
    kind = kind_of_bytes(CONVERTED[format_])
    if kind is not None:
        brought = {"image": "ocr", "mail": "office"}.get(kind, kind)
        is_brought = format_ in OF_EXTRAS or kind == "image"
        extra = f' (pip install "chunkwright[{brought}]")' if is_brought else ""
        assert f"cw.read{extra}, or convert it" in said


@pytest.mark.parametrize("format_", READ)
def test_what_has_a_reader_is_read_whatever_it_is_called(tmp_path: Path, format_: str) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(CONVERTED[format_])
    if format_ == "an RTF document":
        assert cw.read(path, errors="replace").text == "It rained."
        return
    # The others are husks.
    with pytest.raises(cw.ReadError, match=f"^{re.escape(str(path))}: (?!.*not text)"):
        cw.read(path, errors="replace", ocr_engine=lambda _picture: [])


def test_a_cut_off_zip_is_damaged() -> None:
    with pytest.raises(cw.ReadError, match=r"x\.docx: this is a damaged ZIP archive"):
        cw.read(CONVERTED["a Word document (DOCX)"][:60], name="x.docx")


def test_an_encrypted_document_is_to_be_saved_anew() -> None:
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".ljust(30, b"\0") + b"\x09\0"
    header = (header.ljust(48, b"\0") + b"\x01\0\0\0").ljust(1024, b"\0")
    data = header + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(cw.ReadError, match=r"x: this is an encrypted Office document.* password"):
        cw.read(data, name="x")
    with pytest.raises(cw.ReadError, match="x: this is an encrypted Office document"):
        cw.read_docx(data, name="x")


@pytest.mark.parametrize("format_", PACKED)
def test_archives_are_to_be_unpacked(format_: str) -> None:
    with pytest.raises(cw.ReadError, match="unpack it"):
        cw.read(PACKED[format_])


@pytest.mark.parametrize("before", ["", "\ufeff", "\r\n", " \t\n"])
def test_a_pdf_is_known_behind_what_its_readers_skip(before: str) -> None:
    with pytest.raises(cw.ReadError, match="x: this is a PDF document"):
        cw.read(before.encode() + b"%PDF-1.7 ", name="x", kind="text", errors="replace")


@pytest.mark.parametrize("mark", [b"II+\0\x08\0", b"MM\0+\0\x08", b"MM\0*\0\0"])
def test_tiff_of_either_order_and_size(mark: bytes) -> None:
    with pytest.raises(cw.ReadError, match="this is a TIFF image"):
        cw.read(mark, kind="text")


@pytest.mark.parametrize("format_", ["a PDF document", "a gzip archive"])
def test_bytes_that_are_not_in_the_encoding_are_told_by_what_they_are(format_: str) -> None:
    with pytest.raises(cw.ReadError, match=f"x: this is {format_}"):
        decode(BINARY[format_], name="x")


def test_nul_bytes() -> None:
    with pytest.raises(cw.ReadError, match=r"x\.txt: this is binary data.* \(a NUL at byte 1\)"):
        cw.read(b"a\0b", name="x.txt", errors="replace")
    assert cw.read(b"a\0b", name="x.txt", kind="text").text == "a\0b"
    with pytest.raises(cw.ReadError, match="binary data"):
        decode(b"\0\xff")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_wide_texts_are_read_in_their_encoding(encoding: str) -> None:
    data = "stone".encode(encoding)
    assert cw.read(data, encoding=encoding).text == "stone"
    for text in ("stone", "\u77f3\u982d"):
        # What the mark tells is read, and the mark is part of the text as it is in UTF-8.
        assert cw.read(text.encode(encoding), name="x.txt").text == f"\ufeff{text}"
        assert cw.read(text.encode(encoding), name="x.csv").text == text
    with pytest.raises(cw.ReadError, match=f"{encoding.upper()} text: read it with encoding="):
        cw.read(data, encoding="utf-8")
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
        read_text(pipe)
    writer.join()


def test_the_head_of_a_large_file_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.write(b"%PDF-1.4")
        # More than there is memory for: a file with a hole.
        file.truncate(1 << 42)
    with pytest.raises(cw.ReadError, match="this is a PDF"):
        cw.read(path, kind="text")
    with pytest.raises(cw.ReadError, match="it is too large for the memory"):
        cw.read(path)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\x78\x9f\x3e\x22\x01\0", "a message of Outlook in TNEF (winmail.dat)"),
        (b"0\x82\x01\x02\x06\x09" + bytes.fromhex("2a864886f70d010702"), "a message in S/MIME"),
    ],
)
def test_packed_mail_is_told_by_its_content(data: bytes, what: str) -> None:
    assert kind_of_bytes(data) == "mail"
    with pytest.raises(cw.ReadError, match=re.escape(f"this is {what}, not text: read the file")):
        cw.read(data, kind="text")
    with pytest.raises(cw.ReadError, match=r"x: a damaged message"):
        cw.read(data, name="x")


def test_names_of_parts_may_be_written_as_windows_writes_them() -> None:
    parts = {"[content_types].xml": b"<a/>", "XL\\workbook.xml": b"<a/>"}
    assert kind_of_bytes(zipped(**parts)) == "office"
