"""RTF as the reader of foreign formats takes it: escapes written in forms that it would drop."""

from __future__ import annotations

import re

# RTF writes UTF-16: a letter beyond its plane is two escapes, each with letters for old programs.
_PAIR = re.compile(
    rb"\\u(-?\d{4,5}) ?(?:\?|\\'[0-9a-fA-F]{2})*[\r\n]*\\u(-?\d{4,5})(?!\d)", re.DOTALL
)
# A group that programs may leave out is marked at its beginning; elsewhere the mark says nothing.
_STRAY_MARK = re.compile(rb"(?<=[0-9a-z])\\\*(?=\\[a-z])")
_HIGH, _LOW, _END, _PLANE = 0xD800, 0xDC00, 0xE000, 0x10000


def plain_escapes(data: bytes) -> bytes:
    r"""Return RTF whose letters are one escape each, and whose marks of groups begin groups. O(n).

    Files with binary parts (``\bin``), whose lengths are told in bytes, are left as they are.

    Parameters
    ----------
    data
        The file.

    Examples
    --------
    >>> plain_escapes(rb"{\rtf1\u-10240?\u-8398? {\i0\*\cs7 said}}")
    b'{\\rtf1\\u66354? {\\i0\\cs7 said}}'
    """
    if b"\\bin" in data:
        return data
    return _STRAY_MARK.sub(b"", _PAIR.sub(_joined, data))


def _joined(pair: re.Match[bytes]) -> bytes:
    high, low = int(pair[1]) % _PLANE, int(pair[2]) % _PLANE
    if not (_HIGH <= high < _LOW <= low < _END):
        return pair[0]
    return b"\\u%d" % (_PLANE + ((high - _HIGH) << 10) + (low - _LOW))
