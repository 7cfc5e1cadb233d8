"""Files that readers should not believe: bombs, entities, loops, and formats that are none."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from functools import cache

SECRET = "What the harbour master wrote at night."  # noqa: S105 - a text
"""The text of documents, which no answer that refuses one may repeat."""


def _zip(entries: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return made.getvalue()


_TYPES = (
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-'
    b'officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_WORD = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">%s'
_LAUGHS = b"<!DOCTYPE a [<!ENTITY l0 'ha'>%s]>" % b"".join(
    b"<!ENTITY l%d '%s'>" % (i, b"&l%d;" % (i - 1) * 10) for i in range(1, 12)
)
_OUTSIDE = b"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"


def _docx(head: bytes, inside: bytes) -> bytes:
    document = head + _WORD % (b"<w:body><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:body>" % inside)
    entries = {"[Content_Types].xml": _TYPES, "word/document.xml": document + b"</w:document>"}
    return _zip(entries)


FILES: tuple[Callable[[], bytes], ...] = (
    SECRET.encode,
    bytes,
    lambda: _docx(_LAUGHS, b"&l11;"),
    lambda: _docx(_OUTSIDE, b"&x;"),
    lambda: _docx(b"", b"a" * (20 << 20)),
    lambda: _zip({"../../etc/cron.d/x": b"x", "word/document.xml": b""}),
    lambda: b"PK\x03\x04" + bytes(100),
    lambda: _LAUGHS + b"<html><body>&l11;</body></html>",
    lambda: _OUTSIDE + b"<html><body>&x;</body></html>",
    lambda: b"<div>" * 3000 + SECRET.encode(),
    lambda: b"<table>" + b"<td rowspan=99999 colspan=99999>a" * 20,
    lambda: b"[" * 5000 + b"]" * 5000,
    lambda: b"> " * 3000 + SECRET.encode(),
    lambda: b"a: &a [x]\nb: " + b"&b [*a,*a,*a]\nc: " * 8 + b"1",
    lambda: (
        b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[2 0 R]/Count 999999999>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    ),
    lambda: b"%PDF-1.4\n" + bytes(range(256)) * 4,
    lambda: gzip.compress(bytes(30 << 20), 9),
    lambda: b"\x89PNG\r\n\x1a\n" + bytes(64),
    lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512),
)
"""Makers of files that readers should not believe."""


@cache
def file_of(number: int) -> bytes:
    """Return the file of a number, which is made once."""
    return FILES[number]()
