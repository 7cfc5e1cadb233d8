"""Properties of messages of Outlook (MAPI), whatever file they stand in: texts, persons, dates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from chunkwright.readers.encodings import encoding_of_html, encoding_of_text, known_encoding
from chunkwright.readers.mail.message import Body
from chunkwright.readers.mail.outlook_rtf import html_in, is_whole, text_in, unpacked
from chunkwright.readers.text import UTF_8

# Numbers of properties, by the specification MS-OXPROPS.
MESSAGE_CLASS, DATA = 0x001A, 0x3701
FILE_NAMES = (0x3707, 0x3704, 0x3001)
"""The long name of an attached file, its short one, and what it is shown as."""
_BODY, _HTML, _RTF, _REPORT = 0x1000, 0x1013, 0x1009, 0x1001
_SUBJECT, _TOPIC = 0x0037, 0x0070
_SENDER = ((0x0042, 0x5D02, 0x0065), (0x0C1A, 0x5D01, 0x0C1F))
_DISPLAYED = {1: ("To", 0x0E04), 2: ("CC", 0x0E03), 3: ("BCC", 0x0E02)}
_SENT, _DELIVERED, _RECIPIENT_KIND = 0x0039, 0x0E06, 0x0C15
_MESSAGE_ID = 0x1035
_PERSON = (0x3001, 0x39FE, 0x3003)
_CODEPAGES = (0x3FFD, 0x3FDE)
_UTF_8_PAGE, _WINDOWS = 65001, "cp1252"
# Types of properties: texts of two bytes and of one a letter, bytes, an object.
WIDE, NARROW, BINARY, OBJECT = 0x1F, 0x1E, 0x102, 0x0D


class Properties(ABC):
    """The properties of a message, of what is attached to it, or of a recipient.

    Parameters
    ----------
    numbers
        Those that are numbers or dates.
    encoding
        The encoding of narrow texts, where no property states one.
    """

    def __init__(self, numbers: Mapping[int, int], encoding: str | None = None) -> None:
        self._numbers = numbers
        pages = [numbers.get(each, 0) & 0xFFFFFFFF for each in _CODEPAGES]
        known = filter(None, map(encoding_of_page, pages))
        self.encoding: str | None = next(known, None) or encoding

    @abstractmethod
    def data(self, of: int, kind: int) -> bytes | None:
        """Return the bytes of a property of that type; None if there is none."""

    def text(self, of: int) -> str:
        """Return a property that is a text; empty if there is none."""
        wide = self.data(of, WIDE)
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self.data(of, NARROW) or b""
        return narrow_text(narrow, self.encoding)

    def subject(self) -> str:
        """Return the subject of a message; of one that has none, what it is a part of."""
        return " ".join((self.text(_SUBJECT) or self.text(_TOPIC)).split())

    def message_id(self) -> str:
        """Return what the sender of a message calls it; empty if nothing."""
        return self.text(_MESSAGE_ID).strip()

    def body(self) -> Body | None:
        """Return the text of a message: a page, also one that is packed into RTF, or plain text."""
        html = self.data(_HTML, BINARY)
        page = self.text(_HTML) if html is None else self._page(html)
        if page.strip("\0 \r\n\ufeff"):
            return Body("html", page.removeprefix("\ufeff"))
        packed, text = self.data(_RTF, BINARY) or b"", self.text(_BODY)
        text = text if text.strip() else self.text(_REPORT)
        rich = unpacked(packed)
        page = html_in(rich) or ""
        # Plain text is more than a page whose end is lost.
        if page.strip() and (is_whole(packed, rich) or not text.strip()):
            return Body("html", page)
        text = text if text.strip() else text_in(rich) or ""
        if text.strip():
            return Body("text", text)
        return Body("rtf", rich.decode("latin-1")) if rich.strip() else None

    def head(self, recipients: Iterable[Properties]) -> list[tuple[str, str]]:
        """Return who sent a message to whom and when."""
        head = [("From", next(filter(None, map(self._person, _SENDER)), ""))]
        kinds: dict[int, list[str]] = {}
        for each in recipients:
            kind = each._numbers.get(_RECIPIENT_KIND, 1) & 0xF  # noqa: SLF001 - of its own class
            kinds.setdefault(kind, []).append(each._person(_PERSON))  # noqa: SLF001
        for kind, (field, displayed) in _DISPLAYED.items():
            head.append(
                (field, ", ".join(filter(None, kinds.get(kind, []))) or self.text(displayed))
            )
        head.append(("Date", next(filter(None, map(self._date, (_SENT, _DELIVERED))), "")))
        return [(field, " ".join(said.split())) for field, said in head if said.strip()]

    def _page(self, html: bytes) -> str:
        return html.decode(encoding_of_html(html, self.encoding), "replace")

    def _person(self, properties: Sequence[int]) -> str:
        name, *addresses = (self.text(each).strip() for each in properties)
        # Within a firm Exchange has addresses of its own, that nobody writes.
        address = next((each for each in addresses if "@" in each and each[:1] != "/"), "")
        if not address or address == name.strip("'\""):
            return name.strip("'\"") or address
        return f"{name} <{address}>" if name and f"<{address}>" not in name else name or address

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


def narrow_text(data: bytes, encoding: str | None) -> str:
    """Return a text of one byte a letter: in UTF-8 if it is that, else as Windows writes it.

    Parameters
    ----------
    data
        The text.
    encoding
        The encoding that is stated for it; None: it is told.
    """
    data = data.rstrip(b"\0")
    told = encoding_of_text(data)
    try:
        return data.decode(told if encoding is None or told == UTF_8 else encoding)
    except UnicodeDecodeError:
        return data.decode(_WINDOWS if encoding in {None, UTF_8} else encoding, "replace")


def encoding_of_page(page: int) -> str | None:
    """Return the encoding of a code page of Windows; None if it is none, or Python has none."""
    if not page:
        return None
    return known_encoding("utf-8" if page == _UTF_8_PAGE else f"cp{page}")
