"""Mail as a document: subject, head and texts, and behind them what is attached."""

from __future__ import annotations

import re

from chunkwright.checks import checked_flag
from chunkwright.document import Document
from chunkwright.errors import ChunkwrightError, ReadError
from chunkwright.messages.logs import logger, skipped
from chunkwright.readers.blocks import Block, document_of
from chunkwright.readers.compound import MAGIC
from chunkwright.readers.mail.message import Attachment, Body, Message
from chunkwright.readers.mail.texts import blocks_of, paragraphs_of
from chunkwright.readers.signatures import mail_format

# How a mail begins that stands in a file without its name.
_MIME = re.compile(rb"\s*(?:MIME-Version|Content-Type)[ \t]*:", re.IGNORECASE)


def document_in(data: bytes, *, name: str | None = None, attachments: bool = False) -> Document:
    """Read the bytes of a mail, a file of text or a message of Outlook.

    Parameters
    ----------
    data
        The bytes.
    name
        What the document is called.
    attachments
        Whether what is attached is read as well.

    Raises
    ------
    ReadError
        If it is no mail, is damaged, or says nothing.
    MissingExtraError
        If it is a message of Outlook, and olefile is not installed.
    """
    checked_flag("attachments", attachments)
    form = mail_format(data)
    if data.startswith(MAGIC):
        from chunkwright.readers.mail.msg import message_of
    else:
        from chunkwright.readers.mail.eml import message_of
    message = message_of(data)
    blocks = _blocks(message, 0)
    attached = message.all_attachments()
    if attachments:
        for each in attached:
            blocks += _attached(each, 2, len(blocks))
    elif attached:
        names = ", ".join(each.name for each in attached)
        logger().info("%s: attachments=True reads what is attached: %s", name or "a mail", names)
    if not blocks:
        raise ReadError(f"{form.name} without a text, or a damaged one")
    return document_of(blocks, name=name)


def _blocks(message: Message, level: int, first: int = 0) -> list[Block]:
    """Return the blocks of a message below that level, the first of which has that number."""
    blocks: list[Block] = []
    if message.subject:
        level += 1
        blocks.append(Block("heading", message.subject, level))
    head = "\n".join(f"{field}: {said}" for field, said in message.head)
    if head:
        blocks.append(Block("paragraph", head))
    for part in message.parts:
        number = first + len(blocks)
        if isinstance(part, Message):
            blocks += _blocks(part, level, number)
        else:
            blocks += _of_body(part, level, number)
    return blocks


def _of_body(body: Body, level: int, first: int) -> list[Block]:
    if body.kind == "text":
        return paragraphs_of(body.text)
    if body.kind == "rtf":
        from chunkwright.readers.office.reader import document_in as read_office

        return blocks_of(read_office(body.text.encode("latin-1")), level=level, first=first)
    from chunkwright.readers.kinds import KINDS

    return blocks_of(KINDS[body.kind].read(body.text, name=None), level=level, first=first)


def _attached(attachment: Attachment, level: int, first: int) -> list[Block]:
    """Return what is attached, under a heading with its name, or its subject if it is a message."""
    heading = Block("heading", attachment.name, level)
    content = attachment.content
    if isinstance(content, Message):
        has_subject = bool(content.subject)
        blocks = [] if has_subject else [heading]
        blocks += _blocks(content, level - has_subject, first + len(blocks))
        for each in content.all_attachments():
            blocks += _attached(each, level + 1, first + len(blocks))
        return blocks
    from chunkwright.readers.read import read_data

    # What is signed is a mail within a file; what is encrypted is none.
    is_mail = attachment.name.lower().endswith((".p7m", ".p7s")) or _MIME.match(content)
    kind = "mail" if is_mail else None
    try:
        document = read_data(content, kind, attachment.name, None, encoding=None).document
    except ChunkwrightError as error:
        skipped(f"the attachment {attachment.name!r}", str(error))
        return [heading]
    return [heading, *blocks_of(document, level=level, first=first + 1)]
