"""RTF in messages of Outlook: unpacked, and the page that may be wrapped into it."""

from __future__ import annotations

import re
import sys

from chunkwright.readers.encodings import known_encoding
from chunkwright.readers.office.rich_text import plain_escapes

# MS-OXRTFCP: what every packed text may refer to before it has said anything.
_PRELOADED = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_PACKED, _PLAIN = b"LZFu", b"MELA"
_HEAD, _WINDOW = 16, 4096
_PLANE, _HALVES = 0x10000, (0xD800, 0xDFFF)
# MS-OXRTFEX: what is a control of RTF, a group, a letter in hexadecimal, or text.
_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]+)(?P<number>-?\d+)? ?|\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z])"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|(?P<other>.)",
    re.DOTALL,
)
_SAID = {b"par": "\n", b"line": "\n", b"tab": "\t", b"lquote": "‘", b"rquote": "’"}
_SAID |= {b"ldblquote": "“", b"rdblquote": "”", b"bullet": "•", b"endash": "–", b"emdash": "—"}
_SIGNS = {b"~": "\N{NO-BREAK SPACE}", b"_": "\N{SOFT HYPHEN}", b"\\": "\\", b"{": "{", b"}": "}"}
# Groups that say what the text is set in.
_UNSAID = {b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pntext", b"listtable", b"generator"}


def unpacked(data: bytes) -> bytes:
    """Return RTF as it was before Outlook packed it; empty if it is damaged."""
    if len(data) < _HEAD:
        return b""
    size, form = int.from_bytes(data[4:8], "little"), data[8:12]
    if form == _PLAIN:
        return data[_HEAD : _HEAD + size]
    return _unpacked(data[_HEAD:])[:size] if form == _PACKED else b""


def is_whole(packed: bytes, rich: bytes) -> bool:
    """Return whether RTF is as long as it was before it was packed."""
    return len(rich) >= int.from_bytes(packed[4:8], "little")


def _unpacked(data: bytes) -> bytes:
    """Return what a packed text says: letters, and places of what was said before. O(n)."""
    said, at = bytearray(_PRELOADED), 0
    while at < len(data):
        flags = data[at]
        at += 1
        for bit in range(8):
            is_place = flags >> bit & 1
            if at + is_place >= len(data):
                return bytes(said[len(_PRELOADED) :])
            if not is_place:
                said.append(data[at])
                at += 1
                continue
            place, length = data[at] << 4 | data[at + 1] >> 4, (data[at + 1] & 0xF) + 2
            at += 2
            back = (len(said) - place) % _WINDOW
            if back == 0 or back > len(said):
                return bytes(said[len(_PRELOADED) :])
            for _ in range(length):
                said.append(said[-back])
    return bytes(said[len(_PRELOADED) :])


def html_in(rich: bytes) -> str | None:
    """Return the page that is wrapped into RTF; None if there is none. O(n)."""
    if b"\\fromhtml1" not in rich[:_WINDOW]:
        return None
    return "".join(_Unwrapper(rich).said)


def text_in(rich: bytes) -> str | None:
    """Return the plain text that is wrapped into RTF; None if there is none. O(n)."""
    if b"\\fromtext" not in rich[:_WINDOW]:
        return None
    return "".join(_Unwrapper(rich).said)


def _letter_of(number: int) -> str:
    """Return the letter of a number, which RTF may write with a sign; U+FFFD of no letter."""
    code = number + _PLANE if number < 0 else number
    is_letter = 0 <= code <= sys.maxunicode and not _HALVES[0] <= code <= _HALVES[1]
    return chr(code) if is_letter else "\N{REPLACEMENT CHARACTER}"


class _Unwrapper:
    """Reads RTF and keeps what is said for the page, or the plain text, in it."""

    def __init__(self, rich: bytes) -> None:
        self.said: list[str] = []
        self._encoding = "cp1252"
        self._bytes = bytearray()
        # Of each open group: whether it is for RTF alone, and whether it is not said; outside of
        # all of them nothing is.
        self._groups = [(False, True)]
        self._skip, self._after_unicode = 0, 1
        self._is_destination = False
        for token in _TOKEN.finditer(plain_escapes(rich)):
            self._take(token)
        self._flush()

    def _take(self, token: re.Match[bytes]) -> None:
        kind, value = token.lastgroup, token[token.lastgroup or 0]
        if token["word"] is not None:
            self._word(token["word"], token["number"])
        elif kind == "brace":
            self._brace(is_open=value == b"{")
        elif kind == "hex":
            self._letter(bytes.fromhex(value.decode()))
        elif kind == "sign":
            if value == b"*":
                self._is_destination = True
            elif value in _SIGNS:
                self._say(_SIGNS[value])
        elif kind == "text":
            for_skip = min(self._skip, len(value))
            self._skip -= for_skip
            self._letter(value[for_skip:])

    def _brace(self, *, is_open: bool) -> None:
        self._flush()
        self._skip = 0
        if is_open:
            self._groups.append(self._groups[-1] if len(self._groups) > 1 else (False, False))
        elif len(self._groups) > 1:
            self._groups.pop()

    def _word(self, word: bytes, number: bytes | None) -> None:
        is_destination, self._is_destination = self._is_destination, False
        is_for_rtf, is_unsaid = self._groups[-1]
        if word == b"htmltag":
            self._flush()
            self._groups[-1] = (False, False)
        elif word == b"htmlrtf":
            self._flush()
            self._groups[-1] = (number != b"0", is_unsaid)
        elif is_destination or word in _UNSAID:
            self._flush()
            self._groups[-1] = (is_for_rtf, True)
        elif word == b"ansicpg" and number:
            self._encoding = known_encoding(f"cp{number.decode()}") or self._encoding
        elif word == b"uc" and number:
            self._after_unicode = max(0, int(number))
        elif word == b"u" and number:
            self._say(_letter_of(int(number)))
            self._skip = self._after_unicode
        elif word in _SAID:
            self._say(_SAID[word])

    def _letter(self, letters: bytes) -> None:
        if self._skip and len(letters) == 1:
            self._skip -= 1
        elif not any(self._groups[-1]):
            self._bytes += letters

    def _say(self, text: str) -> None:
        if not any(self._groups[-1]):
            self._flush()
            self.said.append(text)

    def _flush(self) -> None:
        if self._bytes:
            self.said.append(self._bytes.decode(self._encoding, "replace"))
            self._bytes.clear()
