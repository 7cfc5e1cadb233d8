"""CSV and TSV as a document: one table, whose rows are the lines of the text."""

from __future__ import annotations

import csv
import os

from chunkwright import _core
from chunkwright.checks import checked_flag
from chunkwright.document import Document
from chunkwright.elements.elements import Elements
from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.encodings import decode_as_read
from chunkwright.readers.text import check_decoding, read_bytes


def read_csv(  # noqa: PLR0913 - keyword-only options
    source: str | bytes | os.PathLike[str],
    *,
    name: str | None = None,
    delimiter: str | None = None,
    header: bool = True,
    encoding: str | None = None,
    errors: str | None = None,
) -> Document:
    r"""Read CSV as a document that is one table.

    The text has a line for each row, with a tab between two cells. Cells have no quotes, as
    Python's `csv` reads them. Rows without cells are left out. Strategies over elements split the
    table between rows, and repeat the header.

    Parameters
    ----------
    source
        The CSV itself, as ``str`` or ``bytes``, or the path of a file as ``os.PathLike``.
    name
        The name of the document, from which ids are derived; by default the file's path.
    delimiter
        The character between two cells; by default the comma, semicolon, tab or bar that gives most
        rows the same number of cells, at least two.
    header
        Whether the first row names the columns.
    encoding, errors
        How bytes are decoded; see :func:`chunkwright.read`.

    Returns
    -------
    Document
        The table, if it has any text. Reading takes at most four times the memory of the text, plus
        56 bytes for each cell.

    Raises
    ------
    ReadError
        If the file cannot be read, or is not CSV; names the line. A cell may have at most
        ``csv.field_size_limit()`` characters, by default 131,072, so that a quote that is never
        closed is an error.
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.readers.delimited import read_csv
    >>> stones = read_csv('stone,kg\nslate,7\n"chalk, white",3\n', name="stones.csv")
    >>> stones.text
    'stone\tkg\nslate\t7\nchalk, white\t3'
    >>> stones.elements[0].kind
    'table'
    """
    if not isinstance(name, str | None):
        raise ConfigError(f"name must be a str or None, got {name!r}")
    if delimiter is not None and not _is_delimiter(delimiter):
        raise ConfigError(
            f"delimiter must be one character, no quote or line end, got {delimiter!r}"
        )
    checked_flag("header", header)
    if isinstance(source, os.PathLike):
        path = os.fspath(source)
        name = path if name is None else name
        source = read_bytes(path)
    if not isinstance(source, str | bytes | bytearray):
        kind = type(source).__name__
        raise ConfigError(f"source must be a str, bytes or a path, got {kind}")
    known = None
    if not isinstance(source, str):
        check_decoding(encoding, errors)
        data, place = bytes(source), name or "input"
        source, known = decode_as_read(
            data, encoding=encoding, errors=errors, is_html=False, name=place
        )
    try:
        core = _core.Elements.of_csv(source, delimiter, header, max(csv.field_size_limit(), 0))
    except ReadError as error:
        raise ReadError(f"{name or 'input'}: ", *error.parts) from error
    return Document(elements=Elements(core), name=name).with_encoding(known)


def read_tsv(source: str | bytes | os.PathLike[str], *, name: str | None = None) -> Document:
    """Read CSV with tabs between the cells; see :func:`read_csv`."""
    return read_csv(source, name=name, delimiter="\t")


def _is_delimiter(delimiter: object) -> bool:
    if not isinstance(delimiter, str) or len(delimiter) != 1:
        return False
    return delimiter not in '"\r\n' and not "\ud800" <= delimiter <= "\udfff"
