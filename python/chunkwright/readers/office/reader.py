"""Office files and books as documents, each by the reader of its format."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from chunkwright.document import Document
from chunkwright.errors import ConfigError, NoTextError, OptionName, ReadError
from chunkwright.readers.blocks import document_of
from chunkwright.readers.office import foreign
from chunkwright.readers.office.rich_text import plain_escapes
from chunkwright.readers.signatures import is_rtf_part, office_format

_OPEN = "application/vnd.oasis.opendocument"
_OFFICE = "application/vnd.openxmlformats-officedocument"
_READERS = {
    f"{_OFFICE}.presentationml.presentation": "slides",
    f"{_OFFICE}.spreadsheetml.sheet": "sheets.workbook",
    f"{_OPEN}.text": "opendocument.document",
    f"{_OPEN}.spreadsheet": "opendocument.spreadsheet",
    f"{_OPEN}.presentation": "opendocument.presentation",
    "application/epub+zip": "book",
    "application/vnd.ms-excel": "sheets.old_workbook",
}
"""The module that reads each format, by its media type; others are foreign."""
_RTF = b"{\\rtf"
_RTF_HEAD = b"{\\rtf1\\ansi "
_WITH_PAGES = {"slides", "opendocument.presentation"}


def document_in(
    data: bytes,
    *,
    name: str | None = None,
    hidden: bool = False,
    pages: str | Sequence[int] | None = None,
) -> Document:
    """Read the bytes of an office file or a book; nothing is fetched, and no picture is read.

    Parameters
    ----------
    data
        The file.
    name
        What the document is called.
    hidden
        Whether what is not shown is read as well: slides, sheets, rows, columns, text.
    pages
        The slides that are read, say ``"3-7"`` or numbers.

    Raises
    ------
    ReadError
        If it is none of these, is damaged, or has no slides to choose from: says what it is, and
        why it cannot be read.
    MissingExtraError
        If a library that reads it is not installed: ``pip install "chunkwright[office]"``.
    ConfigError
        If ``hidden`` is neither True nor False, or there are no such slides.
    """
    if not isinstance(hidden, bool):
        raise ConfigError(f"hidden must be True or False, got {hidden!r}", option="hidden")
    if is_rtf_part(data):
        data = _RTF_HEAD + data + b"}"
    form = office_format(data)
    if data.lstrip().startswith(_RTF):
        data = plain_escapes(data)
    module = _READERS.get(form.media_type)
    if pages is not None and module not in _WITH_PAGES:
        raise ReadError(f"it is read as {form.name}, which has no pages to select")
    options = {} if pages is None else {"pages": pages}
    try:
        if module is None:
            blocks, n_body = foreign.blocks_in(data, form.media_type or "application/octet-stream")
        else:
            reader = import_module(f"{__package__}.{module}")
            blocks, n_body = reader.blocks_in(data, hidden=hidden, **options)
    except ReadError as error:
        raise ReadError(f"{form.name}: ", *error.parts) from error
    except (RecursionError, MemoryError) as error:
        raise ReadError(f"{form.name}: it is nested too deep, or too large") from error
    if not any(block.text or block.table for block in blocks):
        hint = (
            ()
            if hidden
            else ("; what is hidden in it is read with ", OptionName("hidden", advised=True))
        )
        raise NoTextError(f"{form.name} without a text", *hint)
    return document_of(blocks, name=name, n_body=n_body)
