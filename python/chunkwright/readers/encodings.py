"""Encodings of bytes that are a text: by a mark, by what a page states, else by the bytes."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from chunkwright import _core
from chunkwright.messages.logs import logger
from chunkwright.readers import ebcdic
from chunkwright.readers.signatures import HEAD_BYTES
from chunkwright.readers.text import UTF_8, decode

# The longer ones first: that of UTF-32 begins as that of UTF-16.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: UTF_8,
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
# How ASCII begins in UTF-16 without a mark.
_WIDE = {
    "utf-16-le": re.compile(rb"(?:[\t\n\r -~]\0){4}"),
    "utf-16-be": re.compile(rb"(?:\0[\t\n\r -~]){4}"),
}
# Where a page states its encoding, by the HTML standard; browsers find it further behind as well.
_PROLOGUE_BYTES = 1024
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNREAD = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style|noscript)\b.*?(?:</\1|\Z)", re.DOTALL | re.IGNORECASE
)
# All in linear time, whatever is left open.
_CHARSET = re.compile(rb"<meta\b[^<>]*?\bcharset\s*+=\s*+[\"']?\s*+([^\s\"'/>;]+)", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']\s*([^\s\"'>]+)", re.IGNORECASE)
# What browsers read for names that are stated: supersets, and what a page cannot be.
_READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "utf-16": UTF_8,
    "utf-16-le": UTF_8,
    "utf-16-be": UTF_8,
    "utf-32": UTF_8,
}
# Names of the Encoding Standard that Python has others for.
_IN_PYTHON = {
    "windows-874": "cp874",
    "iso-8859-8-i": "iso8859-8",
    "x-mac-cyrillic": "mac_cyrillic",
    "UTF-16LE": "utf-16-le",
    "UTF-16BE": "utf-16-be",
}
# Characters that no text has, though an encoding of one byte gives them.
_ODD = re.compile("[\0-\x08\x0e-\x19\x1c-\x1f\x7f]")


class Decoded(NamedTuple):
    """A text, and the encoding that its bytes were in, as Python calls it."""

    text: str
    encoding: str


def marked_encoding(data: bytes) -> str | None:
    """Return the encoding that a byte order mark tells of, if there is one."""
    marks = _BYTE_ORDER_MARKS.items()
    return next((encoding for mark, encoding in marks if data.startswith(mark)), None)


def in_utf_8(data: bytes) -> bytes:
    """Return a text that is marked, or begins as ASCII in UTF-16, in UTF-8 without the mark.

    Other bytes, and such as are damaged, stay as they are.
    """
    wide = (encoding for encoding, begins in _WIDE.items() if begins.match(data))
    encoding = marked_encoding(data) or next(wide, None)
    if encoding is None:
        return data
    try:
        return data.decode(encoding).removeprefix("\ufeff").encode()
    except UnicodeError:
        return data


def encoding_of_html(data: bytes, default: str | None = None) -> str:
    """Return the encoding of an HTML page, told as browsers tell it.

    By its byte order mark, else by the ``charset`` of a ``<meta>`` in the first 1,024 bytes, else
    by the XML declaration in front of it. A page that states none there, or UTF-8 and is not, is
    UTF-8 if it can be, else what it states further behind, else the default that was told with it,
    else what its bytes look like.
    """
    marked = marked_encoding(data)
    stated = marked or _stated(_COMMENT.sub(b"", data[:_PROLOGUE_BYTES]))
    if stated is not None and (marked or stated != UTF_8):
        return stated
    if _is_utf_8(data):
        return UTF_8
    late = None if stated else _stated(_UNREAD.sub(b"", data))
    return late or default or _told(data)


def encoding_of_text(data: bytes) -> str:
    """Return the encoding of another text: by its mark, else UTF-8, else what its bytes look like.

    Bytes that look like no text are UTF-8 that is broken.
    """
    marked = marked_encoding(data)
    if marked is not None:
        return marked
    if _is_utf_8(data):
        return UTF_8
    told = _told(data)
    try:
        is_text = not _ODD.search(data.decode(told))
    except UnicodeDecodeError:
        is_text = False
    return told if is_text else UTF_8


def decode_as_read(
    data: bytes, *, encoding: str | None, errors: str | None, is_html: bool, name: str
) -> Decoded:
    """Decode bytes in an encoding that is given, or else told, and log what was told or replaced.

    Parameters
    ----------
    data
        The bytes.
    encoding
        Their encoding; None: it is told.
    errors
        What to do with bytes that are no text. None: of an HTML page they are replaced, as browsers
        do; elsewhere the first is an error.
    is_html
        Whether they are an HTML page.
    name
        What they are called in messages.

    Raises
    ------
    ReadError
        As :func:`chunkwright.readers.text.decode`, and if it is EBCDIC of an unknown code page.
    """
    known = encoding
    if known is None:
        known = encoding_of_html(data) if is_html else encoding_of_text(data)
        if known in ebcdic.PAGES:
            ebcdic.check_page(data, name)
        if known != UTF_8:
            logger().info("%s: read as %s", name, known)
    if errors is not None or not is_html:
        text = decode(data, encoding=known, errors=errors or "strict", name=name)
    else:
        text = decode(data, encoding=known, errors="replace", name=name)
        if "\ufffd" in text:
            _log_replaced(data, text, known, name)
    known = codecs.lookup(known).name
    return Decoded(ebcdic.with_line_ends(text) if known in ebcdic.PAGES else text, known)


def _log_replaced(data: bytes, text: str, encoding: str, name: str) -> None:
    """Log how many bytes of a page are no text, and where the first stands, unless it says so."""
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        n, first = text.count("\ufffd"), error.start
        places = "1 place of it is" if n == 1 else f"{n:,} places of it are"
        what = f"{places} not valid {encoding}, the first at byte {first:,}"
        logger().warning("%s: %s: read as U+FFFD", name, what)


def _is_utf_8(data: bytes) -> bool:
    # UTF-16 of ASCII is valid UTF-8 as well, with zeros.
    if b"\0" in data[:HEAD_BYTES]:
        return False
    if data.isascii():
        # Mail from Japan is ASCII that switches to other characters.
        return b"\x1b$" not in data
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _told(data: bytes) -> str:
    if ebcdic.is_ebcdic(data):
        return ebcdic.PAGES[0]
    named = _core.told_encoding(data)
    known = codecs.lookup(_IN_PYTHON.get(named, named)).name
    return known if known.startswith("utf") else _READ_AS.get(known, known)


def known_encoding(stated: str) -> str | None:
    """Return the encoding that browsers read for a name that is stated, if Python knows it."""
    try:
        known = codecs.lookup(_IN_PYTHON.get(stated.lower(), stated)).name
        b" ".decode(known, "ignore")
    except (LookupError, ValueError):
        return None
    return _READ_AS.get(known, known)


def _stated(html: bytes) -> str | None:
    """Return the encoding that a page states, as far as Python knows it."""
    stated = _CHARSET.search(html) or _XML.match(html)
    return None if stated is None else known_encoding(stated[1].decode("ascii", "replace"))
