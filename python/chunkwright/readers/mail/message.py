"""Message: what a mail says, whatever file it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MAX_DEPTH = 32
"""So deep messages may stand in messages, and parts in parts."""


class Body(NamedTuple):
    """A text of a message.

    Attributes
    ----------
    kind
        What it is read as: ``"html"``, ``"markdown"``, ``"text"`` or ``"rtf"``.
    text
        The text; RTF is bytes, of which each is a letter.
    """

    kind: str
    text: str


class Attachment(NamedTuple):
    """A file, or a message, that is attached to a message."""

    name: str
    content: bytes | Message


class Message(NamedTuple):
    """A message.

    Attributes
    ----------
    subject
        Its subject; empty if it has none.
    head
        The names of other fields, and what they say: sender, recipients, date.
    parts
        Its texts, and messages that it passes on, in their order.
    attachments
        What is attached.
    encrypted
        By what each part is encrypted that cannot be read.
    id
        What its sender calls it (``Message-ID``), without brackets; empty if nothing.
    """

    subject: str
    head: list[tuple[str, str]]
    parts: list[Body | Message]
    attachments: list[Attachment]
    encrypted: list[str]
    id: str = ""

    @classmethod
    def of(
        cls, subject: str = "", head: Sequence[tuple[str, str]] = (), message_id: str = ""
    ) -> Message:
        """Return a message of which nothing else has been read yet."""
        return cls(subject, [*head], [], [], [], message_id.strip("<> "))

    def all_attachments(self) -> list[Attachment]:
        """Return its attachments, and those of messages that it passes on."""
        return [*self.attachments, *(it for of in self.passed_on() for it in of.all_attachments())]

    def all_encrypted(self) -> list[str]:
        """Return by what its parts are encrypted, and those of messages that it passes on."""
        return [*self.encrypted, *(it for of in self.passed_on() for it in of.all_encrypted())]

    def has_body(self) -> bool:
        """Return whether it has a text of its own, or passes one on."""
        return any(isinstance(part, Body) or part.has_body() for part in self.parts)

    def passed_on(self) -> list[Message]:
        """Return the messages that it passes on."""
        return [part for part in self.parts if isinstance(part, Message)]
