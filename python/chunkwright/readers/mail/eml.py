"""Mail as a file of text (EML): its MIME parts as a message."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import Message as Part

from chunkwright.errors import ReadError
from chunkwright.readers.mail import pgp, tnef
from chunkwright.readers.mail.cms import Sealed, content_of, is_cms
from chunkwright.readers.mail.header_fields import subject_head_and_id
from chunkwright.readers.mail.message import MAX_DEPTH, Attachment, Body, Message
from chunkwright.readers.mail.parts import (
    data_of,
    fields_of,
    name_of,
    parsed,
    parts_of,
    text_of,
    uncoded,
    with_own_boundary,
)
from chunkwright.readers.mail.structure import fullest

_MAX_PARTS = 10_000
_KINDS = {"text/plain": "text", "text/html": "html", "text/markdown": "markdown"}
# Nobody reads them: they prove who wrote the other parts.
_SIGNATURES = {"application/pgp-signature", "application/pkcs7-signature"}
_SIGNATURES |= {"application/x-pkcs7-signature"}
_S_MIME = {"application/pkcs7-mime", "application/x-pkcs7-mime"}
# How a mail begins that stands in a file without its name.
_HEAD = re.compile(rb"\s*(?:MIME-Version|Content-[A-Za-z-]+)[ \t]*:", re.IGNORECASE)


def message_of(data: bytes) -> Message:
    """Return what a mail says.

    Raises
    ------
    ReadError
        If its parts nest too deep, or there are too many of them.
    """
    return _within_bounds(lambda: _Reader().message(parsed(data), 0))


def message_in(data: bytes, name: str) -> Message:
    """Return what a file says that is a part of a mail: one that is signed, or in S/MIME.

    Parameters
    ----------
    data
        The file.
    name
        What it is called.

    Raises
    ------
    ReadError
        As :func:`message_of`, and if it is damaged.
    """
    return _within_bounds(lambda: _Reader().of_file(data, name, 0))


def is_part(data: bytes) -> bool:
    """Return whether a file is a part of a mail, by how it begins."""
    return _HEAD.match(data) is not None


def _within_bounds(read: Callable[[], Message]) -> Message:
    try:
        return read()
    except RecursionError as error:
        raise ReadError("a mail (EML) whose parts nest too deep") from error


class _Reader:
    """Reads a mail, and counts its parts."""

    def __init__(self) -> None:
        self._n_parts = 0

    def message(self, mail: Part, depth: int) -> Message:
        """Return what a mail says, so deep in others."""
        made = Message.of(*subject_head_and_id(mail))
        self._read(mail, made, depth)
        return made

    def of_file(self, data: bytes, name: str, depth: int) -> Message:
        """Return what a file says that is signed, or in S/MIME."""
        made, content = Message.of(), content_of(data) if is_cms(data) else data
        signed = name.lower().removesuffix(".p7m")
        if content is Sealed.ENCRYPTED:
            made.encrypted.append("S/MIME")
        elif isinstance(content, bytes) and "." in signed and not is_part(content):
            made.attachments.append(Attachment(name[: len(signed)], content))
        elif isinstance(content, bytes):
            self._read(parsed(content), made, depth + 1)
        return made

    def _read(self, part: Part, made: Message, depth: int) -> None:
        """Add what a part of a mail says to the message that is made of it."""
        self._count(depth)
        kind = part.get_content_type()
        if kind == "multipart/alternative" and part.is_multipart():
            made_of = [self._of_alternative(each, made, depth) for each in _forms(part)]
            made.parts.extend(fullest(made_of))
        elif kind in {"multipart/encrypted", "application/pgp-encrypted"}:
            protocol = str(part.get_param("protocol", "pgp")).lower()
            made.encrypted.append("PGP" if "pgp" in protocol else protocol)
        elif kind == "message/rfc822" and part.is_multipart():
            for each in parts_of(part):
                self._message_in(part, uncoded(part, each), made, depth)
        elif part.is_multipart() and part.get_content_maintype() == "message":
            # What became of a message that was sent is said by fields.
            texts = [fields_of(each) for each in parts_of(part)]
            made.parts.append(Body("text", "\n\n".join(filter(None, texts))))
        elif part.is_multipart():
            for each in parts_of(part):
                self._read(each, made, depth + 1)
        elif (mended := with_own_boundary(part)) is not None:
            self._read(mended, made, depth + 1)
        elif kind not in _SIGNATURES:
            self._leaf(part, kind, made, depth)

    def _count(self, depth: int) -> None:
        self._n_parts += 1
        if depth > MAX_DEPTH or self._n_parts > _MAX_PARTS:
            many = f"more than {_MAX_PARTS:,} parts, or parts {MAX_DEPTH} deep"
            raise ReadError(f"a mail (EML) with {many}")

    def _of_alternative(self, part: Part, made: Message, depth: int) -> list[Body | Message]:
        """Return what one of several forms says; what is attached to it is kept in any case."""
        form = made._replace(subject="", head=[], parts=[])
        self._read(part, form, depth + 1)
        return form.parts

    def _message_in(self, around: Part, mail: Part, made: Message, depth: int) -> None:
        message = self.message(mail, depth + 1)
        if around.get_content_disposition() == "attachment":
            name = name_of(around) or message.subject or "message"
            made.attachments.append(Attachment(name, message))
        else:
            made.parts.append(message)

    def _leaf(self, part: Part, kind: str, made: Message, depth: int) -> None:
        name, disposition = name_of(part), part.get_content_disposition()
        # A multipart that has lost its boundary is a text as well.
        is_text = part.get_content_maintype() in {"text", "multipart"}
        if is_text and disposition != "attachment" and not (name and made.has_body()):
            self._text(part, kind, made)
        else:
            self._file(name or kind, kind, data_of(part), made, depth)

    def _text(self, part: Part, kind: str, made: Message) -> None:
        text = text_of(part)
        if _KINDS.get(kind, "text") == "text":
            text, n_encrypted = pgp.opened(text)
            made.encrypted.extend(["PGP"] * n_encrypted)
        if text.strip():
            made.parts.append(Body(_KINDS.get(kind, "text"), text))

    def _file(self, name: str, kind: str, data: bytes, made: Message, depth: int) -> None:
        """Add a file: what is packed or signed in it, or else itself as it is attached."""
        try:
            if data.startswith(tnef.MAGIC):
                _add_packed(tnef.message_of(data, depth), made)
            elif is_cms(data) or (kind in _S_MIME and is_part(data)):
                self._add_signed(name, self.of_file(data, name, depth), made)
            else:
                made.attachments.append(Attachment(name, data))
        except ReadError:
            # Why it cannot be read is said where attachments are.
            made.attachments.append(Attachment(name, data))

    def _add_signed(self, name: str, signed: Message, made: Message) -> None:
        """Add what is signed: it is the text of the mail, unless that has one of its own."""
        if made.has_body() and signed.has_body():
            made.attachments.append(Attachment(name, signed))
        else:
            made.parts.extend(signed.parts)
            made.attachments.extend(signed.attachments)
            made.encrypted.extend(signed.encrypted)


def _forms(part: Part) -> list[Part]:
    """Return the forms of a text; those that nobody knows only if there are no others."""
    forms = list(parts_of(part))
    known = [
        each
        for each in forms
        if each.get_content_maintype() != "text" or each.get_content_type() in _KINDS
    ]
    return known or forms


def _add_packed(packed: Message, made: Message) -> None:
    """Add what Outlook has packed: files, and another form of the text of the mail."""
    made.attachments.extend(packed.attachments)
    messages = made.passed_on()
    texts: list[Body | Message] = [part for part in made.parts if isinstance(part, Body)]
    # RTF is read where there is no other form.
    forms = [part for part in packed.parts if not (texts and _is_rtf(part))]
    made.parts[:] = [*fullest([texts, forms]), *messages]


def _is_rtf(part: Body | Message) -> bool:
    return isinstance(part, Body) and part.kind == "rtf"
