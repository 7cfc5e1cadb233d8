"""Mail as a file of text (EML): its MIME parts as a message."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from email.message import Message as Part

from chunkwright.errors import ReadError
from chunkwright.readers.encodings import encoding_of_text, known_encoding
from chunkwright.readers.mail.flowed import unflowed
from chunkwright.readers.mail.header_fields import field_text, subject_and_head
from chunkwright.readers.mail.message import MAX_DEPTH, Attachment, Body, Message
from chunkwright.readers.mail.structure import fullest
from chunkwright.readers.text import UTF_8

_MAX_PARTS = 10_000
_KINDS = {"text/plain": "text", "text/html": "html", "text/markdown": "markdown"}
# Nobody reads them: they prove who wrote the other parts.
_SIGNATURES = {"application/pgp-signature", "application/pkcs7-signature"}
_SIGNATURES |= {"application/x-pkcs7-signature"}


def message_of(data: bytes) -> Message:
    """Return what a mail says.

    Raises
    ------
    ReadError
        If its parts nest too deep, or there are too many of them.
    """
    try:
        mail = email.message_from_bytes(data, policy=email.policy.compat32)
        return _Reader().message(mail, 0)
    except RecursionError as error:
        raise ReadError("a mail (EML) whose parts nest too deep") from error


class _Reader:
    """Reads a mail, and counts its parts."""

    def __init__(self) -> None:
        self._n_parts = 0

    def message(self, mail: Part, depth: int) -> Message:
        subject, head = subject_and_head(mail)
        made = Message(subject, head, [], [])
        self._read(mail, made, depth)
        return made

    def _read(self, part: Part, made: Message, depth: int) -> None:
        """Add what a part of a mail says to the message that is made of it."""
        self._n_parts += 1
        if depth > MAX_DEPTH or self._n_parts > _MAX_PARTS:
            many = f"more than {_MAX_PARTS:,} parts, or parts {MAX_DEPTH} deep"
            raise ReadError(f"a mail (EML) with {many}")
        kind = part.get_content_type()
        if kind == "multipart/alternative" and part.is_multipart():
            made_of = [self._of_alternative(each, made, depth) for each in _parts(part)]
            made.parts.extend(fullest(made_of))
        elif kind == "message/rfc822" and part.is_multipart():
            for each in _parts(part):
                self._message_in(part, _uncoded(part, each), made, depth)
        elif part.is_multipart() and part.get_content_maintype() == "message":
            # What became of a message that was sent is said by fields.
            texts = [_fields(each) for each in _parts(part)]
            made.parts.append(Body("text", "\n\n".join(filter(None, texts))))
        elif part.is_multipart():
            for each in _parts(part):
                self._read(each, made, depth + 1)
        elif kind not in _SIGNATURES:
            self._leaf(part, kind, made)

    def _of_alternative(self, part: Part, made: Message, depth: int) -> list[Body | Message]:
        """Return what one of several forms says; what is attached to it is kept in any case."""
        form = Message("", [], [], made.attachments)
        self._read(part, form, depth + 1)
        return form.parts

    def _message_in(self, around: Part, mail: Part, made: Message, depth: int) -> None:
        message = self.message(mail, depth + 1)
        if around.get_content_disposition() == "attachment":
            name = _name(around) or message.subject or "message"
            made.attachments.append(Attachment(name, message))
        else:
            made.parts.append(message)

    def _leaf(self, part: Part, kind: str, made: Message) -> None:
        name, disposition = _name(part), part.get_content_disposition()
        # A multipart that has lost its boundary is a text as well.
        is_text = kind in _KINDS or part.get_content_maintype() == "multipart"
        has_body = any(isinstance(each, Body) for each in made.parts)
        if is_text and disposition != "attachment" and not (name and has_body):
            text = _text(part)
            if text.strip():
                made.parts.append(Body(_KINDS.get(kind, "text"), text))
        elif name or disposition == "attachment":
            made.attachments.append(Attachment(name or kind, _data(part)))


def _parts(part: Part) -> Iterator[Part]:
    payload = part.get_payload()
    if isinstance(payload, list):
        yield from (each for each in payload if isinstance(each, Part))


def _uncoded(around: Part, mail: Part) -> Part:
    """Return a message that is passed on, also one that was encoded, as it must not be."""
    coding = str(around.get("Content-Transfer-Encoding", "")).strip().lower()
    if mail.keys() or coding not in {"base64", "quoted-printable"}:
        return mail
    mail["Content-Transfer-Encoding"] = coding
    return email.message_from_bytes(_data(mail), policy=email.policy.compat32)


def _data(part: Part) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _text(part: Part) -> str:
    data = _data(part)
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


def _name(part: Part) -> str:
    try:
        return field_text(part.get_filename() or "")
    except (LookupError, TypeError, ValueError):
        return ""


def _fields(part: Part) -> str:
    return "\n".join(f"{name}: {field_text(value)}" for name, value in part.raw_items())
