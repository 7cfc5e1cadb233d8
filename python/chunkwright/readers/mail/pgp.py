"""PGP within texts of mail: the words that are signed, without the signature around them."""

from __future__ import annotations

import re
from typing import NamedTuple

# By RFC 9580: fields of a head, a blank line, the text, and the signature.
_SIGNED = re.compile(
    r"^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\r?\n(?:[A-Za-z-]+:[^\n]*\n)*+[ \t]*\r?\n"
    r"(?P<text>(?:(?!-----BEGIN PGP)[^\n]*\n)*+)"
    r"-----BEGIN PGP SIGNATURE-----[ \t]*\r?\n(?:(?!-----END PGP)[^\n]*\n)*+"
    r"-----END PGP SIGNATURE-----[ \t]*$",
    re.MULTILINE,
)
_ENCRYPTED = re.compile(
    r"^-----BEGIN PGP MESSAGE(?:, PART [^\n]*)?-----[ \t]*\r?\n(?:(?!-----)[^\n]*\n)*+"
    r"-----END PGP MESSAGE(?:, PART [^\n]*)?-----[ \t]*$",
    re.MULTILINE,
)
_ESCAPED = re.compile(r"^- ", re.MULTILINE)


class Opened(NamedTuple):
    """A text without PGP, and how many parts of it are encrypted, which are left out."""

    text: str
    n_encrypted: int


def opened(text: str) -> Opened:
    r"""Return what a text says: what is signed as it was written, what is encrypted not at all.

    Examples
    --------
    >>> opened("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nRain.\n- -- \nAda\n"
    ...        "-----BEGIN PGP SIGNATURE-----\n\nab=\n-----END PGP SIGNATURE-----\n")
    Opened(text='Rain.\n-- \nAda\n\n', n_encrypted=0)
    """
    if "-----BEGIN PGP" not in text:
        return Opened(text, 0)
    text = _SIGNED.sub(lambda found: _ESCAPED.sub("", found["text"]), text)
    return Opened(*_ENCRYPTED.subn("", text))
