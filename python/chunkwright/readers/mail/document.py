"""Mail as a document: subject, head and texts, and behind them what is attached."""

from __future__ import annotations

import re
from importlib.util import find_spec

from chunkwright.checks import checked_flag
from chunkwright.document import Document
from chunkwright.errors import ChunkwrightError, MissingExtraError, NoTextError, ReadError
from chunkwright.messages.logs import logger, skipped
from chunkwright.readers.blocks import Block, document_of
from chunkwright.readers.compound import MAGIC
from chunkwright.readers.encodings import in_utf_8
from chunkwright.readers.kinds import KINDS, LIBRARIES
from chunkwright.readers.mail import eml, tnef
from chunkwright.readers.mail.cms import content_of, is_cms
from chunkwright.readers.mail.message import Attachment, Body, Message
from chunkwright.readers.mail.texts import blocks_of, paragraphs_of
from chunkwright.readers.signatures import mail_format


def document_in(
    data: bytes, *, name: str | None = None, attachments: bool = False, ocr: str | None = None
) -> Document:
    """Read the bytes of a mail: a file of text, a message of Outlook, or one in TNEF or S/MIME.

    Parameters
    ----------
    data
        The bytes.
    name
        What the document is called.
    attachments
        Whether what is attached is read as well.
    ocr
        Which pages of it are recognised in their pictures; see :func:`chunkwright.read_pdf`.

    Raises
    ------
    ReadError
        If it is no mail, is damaged or encrypted, or says nothing.
    MissingExtraError
        If it is a message of Outlook, and olefile is not installed.
    """
    checked_flag("attachments", attachments)
    data = in_utf_8(data)
    form = mail_format(data)
    signed = content_of(data) if is_cms(data) else None
    if isinstance(signed, bytes) and _is_file(signed, name):
        return _read_file(signed, name, ocr)
    message = message_in(data, name, attachments=attachments)
    blocks = _blocks(message, 0)
    attached = message.all_attachments()
    if attachments:
        for each in attached:
            blocks += _attached(each, 2, len(blocks), ocr)
    elif attached:
        names = ", ".join(each.name for each in attached)
        logger().info("%s: attachments=True reads what is attached: %s", name or "a mail", names)
    if not blocks:
        raise NoTextError(f"{form.name} without a text, or a damaged one")
    return document_of(blocks, name=name)


def message_in(data: bytes, name: str | None, *, attachments: bool) -> Message:
    """Return what the bytes of a mail say, before it is a document.

    Parameters
    ----------
    data
        The bytes.
    name
        What they are called.
    attachments
        Whether what is attached will be read: a mail of nothing else is no encrypted one then.

    Raises
    ------
    ReadError
        If they are no mail, are damaged, or all is encrypted.
    MissingExtraError
        If it is a message of Outlook, and olefile is not installed.
    """
    data = in_utf_8(data)
    form = mail_format(data)
    if data.startswith(MAGIC):
        from chunkwright.readers.mail import msg

        message = msg.message_of(data)
    elif data.startswith(tnef.MAGIC):
        message = tnef.message_of(data)
    elif is_cms(data):
        message = eml.message_in(data, name or "smime.p7m")
    else:
        message = eml.message_of(data)
    _check_encrypted(message, form.name, name, attachments=attachments)
    return message


def _check_encrypted(message: Message, what: str, name: str | None, *, attachments: bool) -> None:
    """Refuse a message of which all is encrypted, and log what is encrypted of another.

    Raises
    ------
    ReadError
        If nothing of it can be read.
    """
    encrypted = message.all_encrypted()
    if not encrypted:
        return
    by = " and ".join(dict.fromkeys(encrypted))
    if not (message.has_body() or (attachments and message.all_attachments())):
        remedy = "save its text by a program that has the key to it"
        raise ReadError(f"{what} that is encrypted ({by}): {remedy}")
    n = len(encrypted)
    parts = "a part" if n == 1 else f"{n} parts"
    skipped(f"{parts} of {name or 'a mail'}", f"encrypted ({by})")


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
        if find_spec(LIBRARIES["office"]) is None:
            raise MissingExtraError("reading mail whose text is RTF", "office")
        from chunkwright.readers.office.reader import document_in as read_office

        return blocks_of(read_office(body.text.encode("latin-1")), level=level, first=first)
    return blocks_of(KINDS[body.kind].read(body.text, name=None), level=level, first=first)


def _attached(attachment: Attachment, level: int, first: int, ocr: str | None) -> list[Block]:
    """Return what is attached, under a heading with its name, or its subject if it is a message."""
    heading = Block("heading", attachment.name, level)
    content = attachment.content
    if isinstance(content, Message):
        if content.all_encrypted():
            skipped(f"parts of {attachment.name!r}", "encrypted")
        has_subject = bool(content.subject)
        blocks = [] if has_subject else [heading]
        blocks += _blocks(content, level - has_subject, first + len(blocks))
        for each in content.all_attachments():
            blocks += _attached(each, level + 1, first + len(blocks), ocr)
        return blocks
    try:
        document = _read_file(content, attachment.name, ocr)
    except ChunkwrightError as error:
        skipped(f"the attachment {attachment.name!r}", str(error))
        return [heading]
    return [heading, *blocks_of(document, level=level, first=first + 1)]


def _is_file(signed: bytes, name: str | None) -> bool:
    """Return whether what is signed is a file, and no part of a mail."""
    return "." in _unsigned(name) and not eml.is_part(signed)


def _read_file(data: bytes, name: str | None, ocr: str | None) -> Document:
    from chunkwright.readers.read import read_data

    kind = "mail" if eml.is_part(data) else None
    place = _unsigned(name) or "a file"
    options = {"ocr": ocr}
    return read_data(data, kind, place, name, encoding=None, options=options).document


def _unsigned(name: str | None) -> str:
    """Return the name of a file as it was before it was signed."""
    return re.sub(r"\.p7m$", "", name or "", flags=re.IGNORECASE)
