"""Encodings of bytes that say by themselves what they are in: HTML pages."""

from __future__ import annotations

import codecs
import re

UTF_8 = "utf-8"

# Where a page states its encoding, by the HTML standard.
_PROLOGUE_BYTES = 1024
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: UTF_8,
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_CHARSET = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']\s*([^\s\"'>]+)", re.IGNORECASE)
# What browsers read for names that pages state: supersets, and what the page cannot be.
_READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "utf-16": UTF_8,
    "utf-16-le": UTF_8,
    "utf-16-be": UTF_8,
    "utf-32": UTF_8,
}


def encoding_of_html(data: bytes) -> str:
    """Return the encoding of an HTML page, told as browsers tell it.

    By its byte order mark, else by the ``charset`` of a ``<meta>`` in the first 1,024 bytes, else
    by the XML declaration in front of it, else it is UTF-8, as with a name that Python does not
    know.
    """
    return marked_encoding(data) or _stated(data) or UTF_8


def marked_encoding(data: bytes) -> str | None:
    """Return the encoding that a byte order mark tells of, if there is one."""
    marks = _BYTE_ORDER_MARKS.items()
    return next((encoding for mark, encoding in marks if data.startswith(mark)), None)


def _stated(data: bytes) -> str | None:
    """Return the encoding that a page states, as far as Python knows it."""
    head = _COMMENT.sub(b"", data[:_PROLOGUE_BYTES])
    stated = _CHARSET.search(head) or _XML.match(head)
    if stated is None:
        return None
    try:
        known = codecs.lookup(stated[1].decode("ascii", "replace")).name
        b" ".decode(known, "ignore")
    except (LookupError, ValueError):
        return None
    return _READ_AS.get(known, known)
