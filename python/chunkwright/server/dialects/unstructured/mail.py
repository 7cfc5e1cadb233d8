"""Elements of mail: its texts, which say who sent it to whom, and what is attached to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from email.utils import formataddr, getaddresses
from typing import Any, NamedTuple

from chunkwright.document import Document
from chunkwright.errors import ChunkwrightError
from chunkwright.readers.compound import MAGIC
from chunkwright.readers.encodings import in_utf_8
from chunkwright.readers.mail.document import message_in
from chunkwright.readers.mail.message import Attachment, Body, Message
from chunkwright.readers.read import Read, read_data, read_text
from chunkwright.readers.text import naming
from chunkwright.server.dialects.unstructured.elements_json import ReadElements
from chunkwright.server.dialects.unstructured.sources import Source
from chunkwright.server.problems import Problem

Row = dict[str, Any]
_MAIL = "message/rfc822"
# Where Unstructured says what the head of a mail says.
_ADDRESS = re.compile(r"""[^\s<>,;"']+@[^\s<>,;"']+""")
_FIELDS = {"From": "sent_from", "To": "sent_to", "CC": "cc_recipient", "BCC": "bcc_recipient"}


class Readers(NamedTuple):
    """How the parts of a mail are read.

    Attributes
    ----------
    document
        Makes elements of what a text was read as.
    file
        Reads a file of that name that is attached.
    """

    document: Callable[[Read], list[Row]]
    file: Callable[[str, bytes], ReadElements]


def read_mail(source: Source, readers: Readers) -> ReadElements:
    """Return the elements of a mail, and behind them those of what is attached to it.

    A file without content has none, as in Unstructured.

    Parameters
    ----------
    source
        The mail.
    readers
        How its parts are read.

    Returns
    -------
    ReadElements
        Elements without ids of their own, with a warning for what is attached and cannot be read.

    Raises
    ------
    ReadError
        If it is no mail, is damaged, or all of it is encrypted.
    MissingExtraError
        If it is a message of Outlook, and olefile is not installed.
    """
    made = _Made(readers)
    if not in_utf_8(source.data).strip():
        return ReadElements([], [], have_ids=False)
    with naming(source.name):
        message = message_in(source.data, source.name or None, attachments=True)
    made.add_message(message, source.name, is_outlook=source.data.startswith(MAGIC))
    return ReadElements(
        made.rows, [None] * len(made.rows), have_ids=False, warnings=tuple(made.warnings)
    )


class _Made:
    """Elements under way."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self.rows: list[Row] = []
        self.warnings: list[str] = []

    def add_message(self, message: Message, name: str, *, is_outlook: bool = False) -> None:
        """Add the texts of a message of that name, and what is attached to it."""
        said = _said(message, is_outlook=is_outlook)
        if message.encrypted:
            by = " and ".join(dict.fromkeys(message.encrypted))
            self.warnings.append(f"{name}: parts of it are encrypted ({by})")
        for part in message.parts:
            if isinstance(part, Message):
                self.add_message(part, name, is_outlook=is_outlook)
                continue
            for row in self._readers.document(_read(part, name)):
                row["metadata"] |= said
                self.rows.append(row)
        for each in message.attachments:
            self._attach(each, name)

    def _attach(self, attachment: Attachment, name: str) -> None:
        first = len(self.rows)
        if isinstance(attachment.content, Message):
            self.add_message(attachment.content, attachment.name)
        else:
            self._add_file(attachment.name, attachment.content, name)
        for row in self.rows[first:]:
            metadata = row["metadata"]
            if "attached_to_filename" not in metadata:
                metadata |= {"filename": attachment.name, "attached_to_filename": name}
                metadata.setdefault("filetype", _MAIL)

    def _add_file(self, called: str, data: bytes, name: str) -> None:
        try:
            read = self._readers.file(called, data)
        except (ChunkwrightError, Problem) as error:
            self.warnings.append(f"{name}: the attachment {called!r} is not read: {error}")
            return
        self.rows += read.elements
        self.warnings += (f"{name}: {each}" for each in read.warnings)


def _read(body: Body, name: str) -> Read:
    """Read a text of a mail."""
    if body.kind == "text":
        return Read(Document(text=body.text), "text")
    if body.kind == "rtf":
        return read_data(body.text.encode("latin-1"), "office", name, None, encoding=None)
    return read_text(body.text, body.kind, name or "a mail", None, drop=("nav",))


def _said(message: Message, *, is_outlook: bool) -> dict[str, Any]:
    """Return what the head of a message says, as metadata of elements.

    Unstructured says all recipients of a message of Outlook as those that it is sent to, by their
    addresses alone.
    """
    said: dict[str, list[str] | str] = {}
    everyone: list[str] = []
    for field, value in message.head:
        if (name := _FIELDS.get(field)) is not None:
            said[name] = [*_addresses(value)]
            if field != "From":
                everyone += dict.fromkeys(_ADDRESS.findall(value)) or said[name]
    if is_outlook:
        said["sent_to"] = everyone
    said |= {"subject": message.subject, "email_message_id": message.id}
    return {name: value for name, value in said.items() if value}


def _addresses(said: str) -> Iterator[str]:
    """Return each of the persons that a field names; what names none is one as it stands.

    Examples
    --------
    >>> [*_addresses('"Doe, Ann" <ann@example.org>, bob@example.org')]
    ['"Doe, Ann" <ann@example.org>', 'bob@example.org']
    >>> [*_addresses("undisclosed recipients")]
    ['undisclosed recipients']
    >>> [*_addresses("undisclosed-recipients:;")]
    []
    """
    # A group of nobody is an empty pair.
    persons = [each for each in getaddresses([said]) if any(each)]
    if not all("@" in address for _, address in persons):
        yield said
        return
    for name, address in persons:
        # The library encodes what is not ASCII, as in a mail.
        is_plain = name.isascii() and address.isascii()
        whole = f"{name} <{address}>" if name else address
        yield formataddr((name, address)) if is_plain else whole
