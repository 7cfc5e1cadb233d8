"""Formats of the cells of a workbook (XLSX), by the numbers of their styles."""

from __future__ import annotations

from contextlib import suppress
from xml.etree import ElementTree as ET

from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.package import child
from chunkwright.readers.office.sheets.number_formats import (
    BUILTIN,
    DIGITS,
    is_date,
    plain,
    shown,
    shown_text,
)
from chunkwright.readers.office.sheets.sheet import Moment, Number


class Formats:
    """The number formats of styles.

    Parameters
    ----------
    styles
        The part with the styles; None if there is none.
    from_1904
        Whether days are counted from 1904.
    """

    def __init__(self, styles: ET.Element | None, *, from_1904: bool) -> None:
        self._from_1904 = from_1904
        codes = dict(BUILTIN)
        own = child(styles, "numFmts")
        for each in () if own is None else own:
            with suppress(ValueError):
                codes[int(each.get("numFmtId", ""))] = each.get("formatCode", "")
        cells = child(styles, "cellXfs")
        ids = [each.get("numFmtId", "0") for each in (() if cells is None else cells)]
        found = [codes.get(int(id_) if id_.isdecimal() else 0, "") for id_ in ids]
        self._codes = ["" if code.lower() == "general" else code for code in found]

    def number(self, text: str, style: str) -> str:
        """Return a number as its cell shows it."""
        code = self._code(style)
        if not code and text.isdecimal() and len(text) < DIGITS:
            return Number(text)
        try:
            return number_shown(float(text), code, from_1904=self._from_1904)
        except ValueError:
            return Number(on_one_line(text))

    def text(self, text: str, style: str) -> str:
        """Return a text as its cell shows it."""
        code = self._code(style)
        return shown_text(text, code) if "@" in code and code != "@" else text

    def _code(self, style: str) -> str:
        at = int(style) if style.isdecimal() else 0
        return self._codes[at] if at < len(self._codes) else ""


def number_shown(value: float, code: str, *, from_1904: bool) -> str:
    """Return a number as a format shows it; an empty one shows it as it is."""
    try:
        if not code:
            return Number(plain(value))
        kind = Moment if is_date(code) else Number
        return kind(shown(value, code, from_1904=from_1904))
    except (ValueError, OverflowError):
        return Number(repr(value))
