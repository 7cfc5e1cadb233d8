"""Encodings of pages: found in the same way in files and bytes, by `read` and by `read_html`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.readers.text import encoding_of_html

BODY = "<html><p>é漢</p></html>"
LATIN = "<html><p>Größe €</p></html>"
XML = '<?xml version="1.0" encoding="iso-8859-1"?>\n'
PAGES = {
    "utf-8": (BODY.encode(), "é漢"),
    "byte order mark": (BODY.encode("utf-8-sig"), "é漢"),
    "utf-16": (BODY.encode("utf-16"), "é漢"),
    "utf-16 big end first": (b"\xfe\xff" + BODY.encode("utf-16-be"), "é漢"),
    "charset": (f"<html><meta charset=windows-1252>{LATIN}".encode("cp1252"), "Größe €"),
    "latin-1": (f"<html><meta charset=ISO-8859-1>{LATIN}".encode("cp1252"), "Größe €"),
    "content": (
        f"<html><meta content='text/html; charset=shift_jis'>{BODY[6:]}".encode("cp932", "ignore"),
        "漢",
    ),
    "xml": (f"{XML}{LATIN}".encode("cp1252"), "Größe €"),
    "meta before xml": (f"{XML}<html><meta charset=utf-8>{BODY}".encode(), "é漢"),
    "mark before meta": (f"<html><meta charset=koi8-r>{BODY}".encode("utf-8-sig"), "é漢"),
    "comment": (f"<!-- <meta charset=koi8-r> -->{BODY}".encode(), "é漢"),
    "unknown": (f"<html><meta charset=none-such>{BODY}".encode(), "é漢"),
    "no text": (f"<html><meta charset=rot13>{BODY}".encode(), "é漢"),
    "late": (f"<html>{' ' * 1024}<meta charset=koi8-r>{BODY}".encode(), "é漢"),
}


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_read_alike(tmp_path: Path, name: str) -> None:
    data, text = PAGES[name]
    path = tmp_path / "page.html"
    path.write_bytes(data)
    documents = [
        cw.read(path),
        cw.read(str(path)),
        cw.read(data),
        cw.read(data, name="page.txt"),
        cw.read(data, kind="html"),
        cw.read_html(data),
        cw.read_html(path),
    ]
    assert [document.text for document in documents] == [text] * len(documents)


def test_a_suffix_tells_a_page_too() -> None:
    data = "<meta charset=cp1252><p>Größe".encode("cp1252")
    assert cw.read(data, name="page.htm").text == "Größe"
    with pytest.raises(cw.ReadError, match=r"page\.txt: not valid utf-8 at byte 26"):
        cw.read(data, name="page.txt")


def test_an_encoding_that_is_given_counts() -> None:
    data = "<html><meta charset=koi8-r><p>Größe".encode("cp1252")
    assert cw.read(data, encoding="cp1252").text == "Größe"
    assert cw.read_html(data, encoding="cp1252").text == "Größe"
    with pytest.raises(cw.ReadError, match="not valid utf-8"):
        cw.read(data, encoding="utf-8")
    with pytest.raises(cw.ConfigError, match="unknown encoding ''"):
        cw.read(data, encoding="")


def test_what_a_page_states_is_in_the_error() -> None:
    data = b"<html><meta charset=shift_jis><p>\x81\xff"
    for read in (cw.read, cw.read_html):
        with pytest.raises(cw.ReadError, match=r"x\.html: not valid cp932 at byte 33 .* set enc"):
            read(data, name="x.html")
        assert read(data, name="x.html", errors="replace").text[0] == "\ufffd"


def test_other_files_state_nothing() -> None:
    data = b"# <meta charset=koi8-r>\n\n\xc3\xa9"
    for kind in ("text", "markdown", "csv"):
        assert "é" in cw.read(data, kind=kind).text
    assert "é" in cw.read(data, name="x.md").text
    # It looks like binary data.
    with pytest.raises(cw.ReadError, match="this is UTF-16 text: read it with encoding='utf-16'"):
        cw.read("One.".encode("utf-16"), name="x.txt")
    assert cw.read("<p>One.".encode("utf-16"), name="x.html").text == "One."


@given(st.binary(max_size=300) | st.text("<!->meta charset='x\"?=é", max_size=300).map(str.encode))
def test_any_bytes_have_an_encoding(data: bytes) -> None:
    assert data.decode(encoding_of_html(data), "replace") is not None
