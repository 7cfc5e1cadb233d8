"""Messages of Outlook (MSG): the properties in their compound file as a message."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, Any

from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.readers.mail import eml
from chunkwright.readers.mail.message import MAX_DEPTH, Attachment, Message
from chunkwright.readers.mail.properties import (
    BINARY,
    DATA,
    FILE_NAMES,
    MESSAGE_CLASS,
    OBJECT,
    Properties,
)
from chunkwright.readers.mail.structure import fullest

if TYPE_CHECKING:
    from olefile import OleFileIO

_PROPERTIES = "__properties_version1.0"
_ENTRY, _HEADS = 16, (32, 24, 8)
_MAX_PARTS = 10_000
_STORAGE, _STREAM = 1, 2
# A message that is signed or encrypted is all in one file that is attached to it.
_SECURE = "ipm.note.smime"


def message_of(data: bytes) -> Message:
    """Return what a message of Outlook says.

    Raises
    ------
    ReadError
        If it is damaged.
    MissingExtraError
        If olefile is not installed: ``pip install "chunkwright[office]"``.
    """
    try:
        import olefile
    except ImportError as error:
        raise MissingExtraError("reading messages of Outlook", "office") from error
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            return _Storage(file, file.root, _HEADS[0]).message(0)
    except (OSError, ValueError, IndexError, KeyError, TypeError, struct.error) as error:
        raise ReadError(f"a damaged Outlook message (MSG): {error}") from error
    except (RecursionError, AttributeError) as error:
        raise ReadError("a damaged Outlook message (MSG)") from error


class _Storage(Properties):
    """A storage of a compound file whose streams are the properties of something.

    What is in it is found by its entry: olefile looks through all neighbours for each path.
    """

    def __init__(self, file: OleFileIO, entry: Any, head: int, encoding: str | None = None) -> None:
        self._file, self._entry = file, entry
        super().__init__(self._read_numbers(head), encoding)

    def message(self, depth: int) -> Message:
        """Return the message that is stored here."""
        if depth > MAX_DEPTH:
            raise ReadError(f"an Outlook message (MSG) in which messages are {MAX_DEPTH} deep")
        head = self.head(self._below("__recip_version1.0_#"))
        made = Message.of(self.subject(), head, self.message_id())
        body = self.body()
        if body is not None:
            made.parts.append(body)
        for each in self._below("__attach_version1.0_#"):
            attachment = each.attachment(depth)
            if attachment is not None:
                made.attachments.append(attachment)
        is_secure = self.text(MESSAGE_CLASS).lower().startswith(_SECURE)
        return _unpacked(made) if is_secure else made

    def attachment(self, depth: int) -> Attachment | None:
        """Return the attachment that is stored here."""
        name = next(filter(None, map(self.text, FILE_NAMES)), "")
        inner = self._entry.kids_dict.get(_stream(DATA, OBJECT))
        if inner is not None and _PROPERTIES in inner.kids_dict:
            message = _Storage(self._file, inner, _HEADS[1], self.encoding).message(depth + 1)
            return Attachment(name or message.subject or "message", message)
        data = self.data(DATA, BINARY)
        return None if data is None else Attachment(name or "attachment", data)

    def data(self, of: int, kind: int) -> bytes | None:
        return self._stream(_stream(of, kind))

    def _stream(self, name: str) -> bytes | None:
        found = self._entry.kids_dict.get(name)
        if found is None or found.entry_type != _STREAM:
            return None
        self._file.root = self._entry
        data: bytes = self._file.openstream([found.name]).read()
        return data

    def _below(self, prefix: str) -> list[_Storage]:
        entries = sorted(
            (kid.name, at)
            for at, kid in enumerate(self._entry.kids)
            if kid.entry_type == _STORAGE and kid.name.startswith(prefix)
        )
        if len(entries) > _MAX_PARTS:
            raise ReadError(f"an Outlook message (MSG) with more than {_MAX_PARTS:,} parts")
        kids = (self._entry.kids[at] for _, at in entries)
        return [_Storage(self._file, kid, _HEADS[2], self.encoding) for kid in kids]

    def _read_numbers(self, head: int) -> dict[int, int]:
        """Return the properties that are numbers or dates."""
        data = (self._stream(_PROPERTIES) or b"")[head:]
        entries = struct.iter_unpack("<HHIq", data[: len(data) // _ENTRY * _ENTRY])
        return {number: value for _, number, _, value in entries}


def _unpacked(message: Message) -> Message:
    """Return a message with what is in the file in which it was signed or encrypted."""
    inner = [each.content for each in message.attachments if isinstance(each.content, bytes)]
    if len(inner) != 1 or len(message.attachments) != 1:
        return message
    signed = eml.message_in(inner[0], "smime.p7m")
    parts = fullest([message.parts, signed.parts])
    return signed._replace(subject=message.subject, head=message.head, parts=parts, id=message.id)


def _stream(of: int, kind: int) -> str:
    return f"__substg1.0_{of:04X}{kind:04X}".lower()
