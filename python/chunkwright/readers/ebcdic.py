"""EBCDIC, the encodings of mainframes: texts in one of its code pages, told by their bytes."""

from __future__ import annotations

import re
from unicodedata import category

from chunkwright.errors import OptionName, ReadError

PAGES = ("cp037", "cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140")
"""The code pages that Python knows; the first stands for all where they agree."""

_ALL = bytes(range(256))
_TABLES = [_ALL.decode(page, "replace") for page in PAGES]
_SHARED = bytes(byte for byte in _ALL if len({table[byte] for table in _TABLES}) == 1)
_LETTERS = bytes(byte for byte in _SHARED if _TABLES[0][byte].isalnum() or _TABLES[0][byte] == " ")
_NEXT_LINE, _BLANK = "\x85", " ".encode(PAGES[0])
_CONTROLS = bytes(byte for byte in _ALL if category(_TABLES[0][byte]) == "Cc").translate(
    None, f"\t\n\f\r{_NEXT_LINE}".encode(PAGES[0])
)
# A capital behind a small letter: what encodings of two bytes have where words would be.
_IN_WORD = re.compile(rb"[\x81-\x89\x91-\x99\xa2-\xa9](?=[\xc1-\xc9\xd1-\xd9\xe2-\xe9])")
_SAMPLE_BYTES = 1 << 18
# Letters with accents and signs are the rest; of other encodings, what blanks would be is rare.
_MIN_LETTERS, _MIN_BLANKS, _MAX_IN_WORD = 0.85, 1 / 40, 1 / 50


def is_ebcdic(data: bytes) -> bool:
    """Return whether bytes are a text in EBCDIC: nearly all are its letters, digits and blanks.

    Its controls are the blanks, digits and line ends of all other encodings: it has none of them.
    """
    sample = data[:_SAMPLE_BYTES]
    n = len(sample)
    n_letters = n - len(sample.translate(None, _LETTERS))
    return (
        n_letters > _MIN_LETTERS * n
        and sample.count(_BLANK) > _MIN_BLANKS * n
        and len(sample.translate(None, _CONTROLS)) == n
        and len(_IN_WORD.findall(sample)) < _MAX_IN_WORD * n
    )


def check_page(data: bytes, name: str) -> None:
    """Refuse a text with bytes that its code pages read differently.

    Parameters
    ----------
    data
        The text.
    name
        What it is called in the error's message.

    Raises
    ------
    ReadError
        If there are such bytes; names the first, and the code pages.
    """
    differing = data.translate(None, _SHARED)
    if not differing:
        return
    at = data.index(differing[:1])
    others = ", ".join(PAGES[1:])
    raise ReadError(
        f"{name}: this is EBCDIC text, and nothing tells its code page: pages differ in what byte "
        f"{at:,} (0x{differing[0]:02X}) is; read it with ",
        OptionName("encoding", PAGES[0]),
        f" (USA), or another of {others}",
    )


def with_line_ends(text: str) -> str:
    """Return a text in EBCDIC with line ends that other texts have."""
    return text.replace(_NEXT_LINE, "\n")
