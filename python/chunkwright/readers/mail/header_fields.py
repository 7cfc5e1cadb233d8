"""Fields of a mail's head as text: encoded words, raw bytes and folded lines."""

from __future__ import annotations

import binascii
import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from chunkwright.readers.encodings import encoding_of_text, known_encoding

_WORD = r"=\?[^?\s]+\?[bBqQ]\?[^?]*\?="
# So many at once: the library takes quadratic time.
_WORDS = re.compile(rf"{_WORD}(?:\s*{_WORD}){{0,200}}")
_HEAD = {"from": "From", "to": "To", "cc": "CC", "bcc": "BCC", "date": "Date"}
_MANY = {"to", "cc", "bcc"}


def subject_head_and_id(part: Message) -> tuple[str, list[tuple[str, str]], str]:
    """Return the subject of a message, who sent it to whom and when, and what it is called."""
    fields: dict[str, list[str]] = {}
    # What the parser makes of odd fields may be no text: only the raw ones are.
    for name, value in part.raw_items():
        if name.lower() in {"subject", "message-id", *_HEAD}:
            fields.setdefault(name.lower(), []).append(field_text(value))
    head = []
    for name, shown in _HEAD.items():
        said = [*dict.fromkeys(filter(None, fields.get(name, ())))]
        # Only recipients are many.
        if said:
            head.append((shown, ", ".join(said if name in _MANY else said[:1])))
    subject, called = (next(iter(fields.get(name, ())), "") for name in ("subject", "message-id"))
    return subject, head, called


def field_text(value: object) -> str:
    r"""Return what a field says, on one line.

    Examples
    --------
    >>> field_text("=?utf-8?q?Gr=C3=BC=C3=9Fe?=\n  aus K=C3=B6ln")
    'Grüße aus K=C3=B6ln'
    """
    raw = str(value).encode("utf-8", "surrogateescape")
    text = raw.decode(encoding_of_text(raw), "replace")
    text = _WORDS.sub(_decoded, text)
    return " ".join(text.replace("\0", " ").split())


def _decoded(words: re.Match[str]) -> str:
    """Return what encoded words say that follow each other; as they are if they are broken."""
    try:
        pairs = decode_header(words[0])
    except (HeaderParseError, binascii.Error, ValueError):
        return words[0]
    return "".join(_of_charset(word, charset) for word, charset in pairs)


def _of_charset(word: bytes | str, charset: str | None) -> str:
    if isinstance(word, str):
        return word
    known = known_encoding(charset or "") or encoding_of_text(word)
    return word.decode(known, "replace")
