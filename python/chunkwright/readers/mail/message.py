"""Message: what a mail says, whatever file it comes from."""

from __future__ import annotations

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
    """

    subject: str
    head: list[tuple[str, str]]
    parts: list[Body | Message]
    attachments: list[Attachment]

    def all_attachments(self) -> list[Attachment]:
        """Return its attachments, and those of messages that it passes on."""
        passed_on = [part for part in self.parts if isinstance(part, Message)]
        return [*self.attachments, *(it for part in passed_on for it in part.all_attachments())]
