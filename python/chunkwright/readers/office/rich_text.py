"""RTF as the reader of foreign formats takes it: escapes written in forms that it would drop."""

from __future__ import annotations

import re

# RTF writes UTF-16: a letter beyond its plane is two escapes, each with letters for old programs.
_PAIR = re.compile(
    rb"\\u(-?\d{4,5}) ?(?:\?|\\'[0-9a-fA-F]{2})*[\r\n]*\\u(-?\d{4,5})(?!\d)", re.DOTALL
)
# A group that programs may leave out is marked at its beginning; elsewhere the mark says nothing.
_STRAY_MARK = re.compile(rb"(?<=[0-9a-z])\\\*(?=\\[a-z])")
# What stands before a binary part; a backslash that is escaped begins none.
_BEFORE_BINARY = re.compile(rb"(?:[^\\]++|\\(?!bin\d).)*+", re.DOTALL)
_BINARY = re.compile(rb"\\bin(\d{1,10}) ?")
_HIGH, _LOW, _END, _PLANE = 0xD800, 0xDC00, 0xE000, 0x10000


def plain_escapes(data: bytes) -> bytes:
    r"""Return RTF whose letters are one escape each, and whose marks of groups begin groups. O(n).

    Binary parts (``\bin``) are left out: they are bytes of pictures, in which escapes mean nothing.

    Parameters
    ----------
    data
        The file.

    Examples
    --------
    >>> plain_escapes(rb"{\rtf1\u-10240?\u-8398? {\i0\*\cs7 said}}")
    b'{\\rtf1\\u66354? {\\i0\\cs7 said}}'
    """
    return _STRAY_MARK.sub(b"", _PAIR.sub(_joined, _without_binary(data)))


def _without_binary(data: bytes) -> bytes:
    """Return RTF without its binary parts; what stands behind one that is cut off is text."""
    if b"\\bin" not in data:
        return data
    kept, at = [], 0
    while (before := _BEFORE_BINARY.match(data, at)) is not None:
        kept.append(before[0])
        binary = _BINARY.match(data, before.end())
        if binary is None:
            return b"".join([*kept, data[before.end() :]])
        behind = binary.end() + int(binary[1])
        at = behind if behind <= len(data) else binary.end()
    return data


def _joined(pair: re.Match[bytes]) -> bytes:
    high, low = int(pair[1]) % _PLANE, int(pair[2]) % _PLANE
    if not (_HIGH <= high < _LOW <= low < _END):
        return pair[0]
    return b"\\u%d" % (_PLANE + ((high - _HIGH) << 10) + (low - _LOW))
