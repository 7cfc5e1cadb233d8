"""Parts of MIME: what is in them, their bytes, text and name."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from email.message import Message as Part

from chunkwright.readers.encodings import encoding_of_text, known_encoding
from chunkwright.readers.mail.flowed import unflowed
from chunkwright.readers.mail.header_fields import field_text
from chunkwright.readers.text import UTF_8

_BOUNDARY = re.compile(rb"\s*--([^\"\\\s]{1,70})[ \t]*\r?\n(?=Content-[A-Za-z-]+:)", re.IGNORECASE)


def parsed(data: bytes) -> Part:
    """Return the part that bytes are, however broken they are."""
    return email.message_from_bytes(data, policy=email.policy.compat32)


def parts_of(part: Part) -> Iterator[Part]:
    """Yield the parts that a part is made of."""
    payload = part.get_payload()
    if isinstance(payload, list):
        yield from (each for each in payload if isinstance(each, Part))


def uncoded(around: Part, mail: Part) -> Part:
    """Return a message that is passed on, also one that was encoded, as it must not be."""
    coding = str(around.get("Content-Transfer-Encoding", "")).strip().lower()
    if mail.keys() or coding not in {"base64", "quoted-printable"}:
        return mail
    mail["Content-Transfer-Encoding"] = coding
    return parsed(data_of(mail))


def with_own_boundary(part: Part) -> Part | None:
    """Return a part of several ones whose boundary is not the one that is stated; else None.

    Its first line is a boundary if fields of the head of a part stand behind it.
    """
    if part.get_content_maintype() != "multipart" or part.is_multipart():
        return None
    data = data_of(part)
    found = _BOUNDARY.match(data)
    if found is None:
        return None
    return parsed(b'Content-Type: multipart/mixed; boundary="%s"\n\n%s' % (found[1], data))


def data_of(part: Part) -> bytes:
    """Return the bytes of a part, as they were before they were encoded to be sent."""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def text_of(part: Part) -> str:
    """Return the text of a part, in the encoding that its bytes show."""
    data = data_of(part)
    text = data.decode(_encoding(data, part), "replace").removeprefix("\ufeff")
    if str(part.get_param("format", "")).lower() == "flowed":
        return unflowed(text, deletes_space=str(part.get_param("delsp", "")).lower() == "yes")
    return text


def _encoding(data: bytes, part: Part) -> str:
    """Return the encoding of a text: what it states, unless its bytes show that this is wrong."""
    stated = part.get_content_charset()
    known = None if stated is None else known_encoding(stated)
    told = encoding_of_text(data)
    # What is valid UTF-8 beyond ASCII is hardly ever anything else.
    if known is None or (told == UTF_8 and not data.isascii()):
        return told
    try:
        data.decode(known)
    except UnicodeDecodeError:
        return told
    return known


def name_of(part: Part) -> str:
    """Return the name of the file that a part is; empty if it has none."""
    try:
        name = field_text(part.get_filename() or "")
        # The library knows no letters beyond ASCII in names that are not encoded.
        return name if "\ufffd" not in name else field_text(_decoded(part).get_filename() or "")
    except (LookupError, TypeError, ValueError):
        return ""


def _decoded(part: Part) -> Part:
    """Return a part without a content, the fields of whose head are read by their bytes."""
    made = Part()
    for name, value in part.raw_items():
        made[name] = field_text(value)
    return made


def fields_of(part: Part) -> str:
    """Return the fields of a part's head, a line each, and the words in their place, if any."""
    lines = [f"{name}: {field_text(value)}" for name, value in part.raw_items()]
    said = "" if part.is_multipart() else text_of(part).strip()
    return "\n".join([*lines, said] if said else lines)
