"""Texts of rows as documents: plain, of a given kind, or of the kind that they look like."""

from typing import TYPE_CHECKING, Any

from chunkwright.errors import OptionName, ReadError
from chunkwright.readers.kinds import KINDS, MARKUPS

if TYPE_CHECKING:
    from chunkwright.document import Document
    from chunkwright.io.rows import Carried
    from chunkwright.io.sources import Entry, Reading


def no_elements(strategy: str, place: str, option: str) -> ReadError:
    """Return why a strategy over elements cannot cut a text, and what to do."""
    kinds = ", ".join(kind for kind in KINDS if kind != "text")
    what = f"{place}: strategy {strategy!r} cuts elements, and this is text: say by "
    other = f" if it is something else ({kinds}), or give a --strategy for texts such as recursive"
    return ReadError(what, OptionName(option), f"{other} or balanced")


def entry_of_row(
    value: Any, reading: "Reading", name: str, place: str, carried: "Carried | None"
) -> "Entry":
    """Return the document of a row.

    Parameters
    ----------
    value
        Its text, or the dicts of its elements.
    reading
        How texts are read.
    name, place
        What the document is called, which is its id too where rows have one, and where it was
        found.
    carried
        What else the row has.

    Raises
    ------
    ReadError
        If it cannot be read as what it is, or has no elements where these are cut.
    """
    from chunkwright.io.sources import Entry

    id_ = None if reading.id_column is None else name
    if isinstance(value, str) and not reading.reads_rows:
        return Entry(name, place, value, carried, document_id=id_)
    document, kind = _read(value, reading, name, place)
    if reading.elements_for is not None and document.elements is None:
        raise no_elements(reading.elements_for, place, "text_kind")
    return Entry(name, place, document, carried, kind if kind in MARKUPS else None, id_)


def _read(value: Any, reading: "Reading", name: str, place: str) -> "tuple[Document, str]":
    from chunkwright.readers.read import read_text
    from chunkwright.readers.unstructured import read_elements

    is_blank = isinstance(value, str) and not value.strip()
    if isinstance(value, str) and not is_blank:
        return read_text(value, reading.text_kind, place, name, drop=reading.drop)
    try:
        # Nothing is cut of a text that says nothing.
        return read_elements([] if is_blank else value, name=name), "elements"
    except ReadError as error:
        raise ReadError(f"{place}: ", *error.parts) from error
