"""Office files and books as documents, each by the reader of its format."""

from __future__ import annotations

from importlib import import_module

from chunkwright.document import Document
from chunkwright.errors import ConfigError, OptionName, ReadError
from chunkwright.readers.blocks import document_of
from chunkwright.readers.office import foreign
from chunkwright.readers.signatures import office_format

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


def document_in(data: bytes, *, name: str | None = None, hidden: bool = False) -> Document:
    """Read the bytes of an office file or a book; nothing is fetched, and no picture is read.

    Parameters
    ----------
    data
        The file.
    name
        What the document is called.
    hidden
        Whether what is not shown is read as well: slides, sheets, rows, columns, text.

    Raises
    ------
    ReadError
        If it is none of these, or is damaged: says what it is, and why it cannot be read.
    MissingExtraError
        If a library that reads it is not installed: ``pip install "chunkwright[office]"``.
    ConfigError
        If ``hidden`` is neither True nor False.
    """
    if not isinstance(hidden, bool):
        raise ConfigError(f"hidden must be True or False, got {hidden!r}", option="hidden")
    form = office_format(data)
    module = _READERS.get(form.media_type)
    try:
        if module is None:
            blocks, n_body = foreign.blocks_in(data, form.media_type or "application/octet-stream")
        else:
            blocks, n_body = import_module(f"{__package__}.{module}").blocks_in(data, hidden=hidden)
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
        raise ReadError(f"{form.name} without a text", *hint)
    return document_of(blocks, name=name, n_body=n_body)
