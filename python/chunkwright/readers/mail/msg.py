"""Messages of Outlook (MSG): the properties in their compound file as a message."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING

from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.readers.encodings import encoding_of_html, encoding_of_text, known_encoding
from chunkwright.readers.mail.message import MAX_DEPTH, Attachment, Body, Message
from chunkwright.readers.mail.outlook_rtf import html_in, is_whole, unpacked

if TYPE_CHECKING:
    from olefile import OleFileIO

# Numbers of properties, by the specification MS-OXPROPS.
_SUBJECT, _BODY, _HTML, _RTF = 0x0037, 0x1000, 0x1013, 0x1009
_SENDER = ((0x0042, 0x5D02, 0x0065), (0x0C1A, 0x5D01, 0x0C1F))
_DISPLAYED = {1: ("To", 0x0E04), 2: ("CC", 0x0E03), 3: ("BCC", 0x0E02)}
_SENT, _DELIVERED, _RECIPIENT_KIND = 0x0039, 0x0E06, 0x0C15
_NAME, _SMTP, _ADDRESS = 0x3001, 0x39FE, 0x3003
_FILE_NAMES, _DATA = (0x3707, 0x3704, _NAME), 0x3701
_CODEPAGES = (0x3FFD, 0x3FDE)
# Types of properties: texts of two bytes and of one a letter, bytes, an object.
_WIDE, _NARROW, _BINARY, _OBJECT = "001F", "001E", "0102", "000D"
_PROPERTIES = "__properties_version1.0"
_ENTRY, _HEADS = 16, (32, 24, 8)
_MAX_PARTS = 10_000
_UTF_8_PAGE = 65001


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
            return _Storage(file, (), _HEADS[0]).message(0)
    except (OSError, ValueError, IndexError, KeyError, TypeError, struct.error) as error:
        raise ReadError(f"an Outlook message (MSG), but damaged: {error}") from error
    except (RecursionError, AttributeError) as error:
        raise ReadError("an Outlook message (MSG), but damaged") from error


class _Storage:
    """A storage of a compound file whose streams are the properties of something."""

    def __init__(
        self, file: OleFileIO, path: tuple[str, ...], head: int, encoding: str | None = None
    ) -> None:
        self._file = file
        self._path = path
        self._numbers = self._read_numbers(head)
        pages = [self._numbers.get(each, 0) & 0xFFFFFFFF for each in _CODEPAGES]
        names = ["utf-8" if page == _UTF_8_PAGE else f"cp{page}" for page in pages if page]
        known = filter(None, map(known_encoding, names))
        self._encoding = next(known, None) or encoding

    def message(self, depth: int) -> Message:
        """Return the message that is stored here."""
        if depth > MAX_DEPTH:
            raise ReadError(f"an Outlook message (MSG) in which messages are {MAX_DEPTH} deep")
        body = self._body()
        parts: list[Body | Message] = [] if body is None else [body]
        made = Message(self.text(_SUBJECT), self._head(), parts, [])
        for each in self._below("__attach_version1.0_#"):
            attachment = each.attachment(depth)
            if attachment is not None:
                made.attachments.append(attachment)
        return made

    def attachment(self, depth: int) -> Attachment | None:
        """Return the attachment that is stored here."""
        name = next(filter(None, map(self.text, _FILE_NAMES)), "")
        inner = (*self._path, _stream(_DATA, _OBJECT))
        if self._file.exists([*inner, _PROPERTIES]):
            message = _Storage(self._file, inner, _HEADS[1], self._encoding).message(depth + 1)
            return Attachment(name or message.subject or "message", message)
        data = self._bytes(_DATA, _BINARY)
        return None if data is None else Attachment(name or "attachment", data)

    def text(self, of: int) -> str:
        """Return a property that is a text; empty if there is none."""
        wide = self._bytes(of, _WIDE)
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self._bytes(of, _NARROW) or b""
        return narrow.decode(self._encoding_of(narrow), "replace").rstrip("\0")

    def _encoding_of(self, data: bytes) -> str:
        told = encoding_of_text(data)
        return told if self._encoding is None or told == "utf-8" else self._encoding

    def _body(self) -> Body | None:
        """Return the text of a message: a page, also one that is packed into RTF, or plain text."""
        html = self._bytes(_HTML, _BINARY)
        page = self.text(_HTML) if html is None else html.decode(encoding_of_html(html), "replace")
        if page.strip("\0 \r\n\ufeff"):
            return Body("html", page.removeprefix("\ufeff"))
        packed, text = self._bytes(_RTF, _BINARY) or b"", self.text(_BODY)
        rich = unpacked(packed)
        page = html_in(rich) or ""
        # Plain text is more than a page whose end is lost.
        if page.strip() and (is_whole(packed, rich) or not text.strip()):
            return Body("html", page)
        if text.strip():
            return Body("text", text)
        return Body("rtf", rich.decode("latin-1")) if rich.strip() else None

    def _head(self) -> list[tuple[str, str]]:
        head = [("From", next(filter(None, map(self._person, _SENDER)), ""))]
        kinds: dict[int, list[str]] = {}
        for each in self._below("__recip_version1.0_#"):
            kind = each._numbers.get(_RECIPIENT_KIND, 1) & 0xF  # noqa: SLF001 - of its own class
            kinds.setdefault(kind, []).append(each._person((_NAME, _SMTP, _ADDRESS)))  # noqa: SLF001
        for kind, (field, displayed) in _DISPLAYED.items():
            head.append(
                (field, ", ".join(filter(None, kinds.get(kind, []))) or self.text(displayed))
            )
        head.append(("Date", next(filter(None, map(self._date, (_SENT, _DELIVERED))), "")))
        return [(field, " ".join(said.split())) for field, said in head if said.strip()]

    def _person(self, properties: Sequence[int]) -> str:
        name, *addresses = (self.text(each).strip() for each in properties)
        # Within a firm Exchange has addresses of its own, that nobody writes.
        address = next((each for each in addresses if "@" in each), "")
        if not address or address == name.strip("'\""):
            return name.strip("'\"") or address
        return f"{name} <{address}>" if name else address

    def _date(self, of: int) -> str:
        """Return a date, which is stored as tenths of microseconds since 1601."""
        ticks = self._numbers.get(of, 0)
        if ticks <= 0:
            return ""
        try:
            return format_datetime(
                datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10)
            )
        except OverflowError:
            return ""

    def _below(self, prefix: str) -> list[_Storage]:
        n = len(self._path)
        entries = self._file.listdir(streams=False, storages=True)
        names = [
            path[n]
            for path in entries
            if len(path) == n + 1 and tuple(path[:n]) == self._path and path[n].startswith(prefix)
        ]
        if len(names) > _MAX_PARTS:
            raise ReadError(f"an Outlook message (MSG) with more than {_MAX_PARTS:,} parts")
        return [
            _Storage(self._file, (*self._path, name), _HEADS[2], self._encoding)
            for name in sorted(names)
        ]

    def _bytes(self, of: int, kind: str) -> bytes | None:
        path = [*self._path, _stream(of, kind)]
        if not self._file.exists(path) or self._file.get_type(path) != _STREAM:
            return None
        found: bytes = self._file.openstream(path).read()
        return found

    def _read_numbers(self, head: int) -> dict[int, int]:
        """Return the properties that are numbers or dates."""
        path = [*self._path, _PROPERTIES]
        if not self._file.exists(path):
            return {}
        data = self._file.openstream(path).read()[head:]
        entries = struct.iter_unpack("<HHIq", data[: len(data) // _ENTRY * _ENTRY])
        return {number: value for _, number, _, value in entries}


_STREAM = 2


def _stream(of: int, kind: str) -> str:
    return f"__substg1.0_{of:04X}{kind}"
