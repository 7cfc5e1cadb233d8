"""CSV and TSV as a document: one table, whose rows are the lines of the text."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import islice
from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.checks import checked_flag
from chunkwright.document import Document
from chunkwright.elements import Elements
from chunkwright.errors import ConfigError, ReadError
from chunkwright.frames import without_surrogates
from chunkwright.readers.text import decode, read_bytes

if TYPE_CHECKING:
    import _csv

DELIMITERS = ",;\t|"
"""What may stand between two cells, the likeliest first."""
# So much of a text tells what stands between its cells.
_SAMPLE_CHARS, _SAMPLE_ROWS = 1 << 16, 64


def read_csv(  # noqa: PLR0913 - keyword-only options
    source: str | bytes | os.PathLike[str],
    *,
    name: str | None = None,
    delimiter: str | None = None,
    header: bool = True,
    encoding: str = "utf-8-sig",
    errors: str = "strict",
) -> Document:
    r"""Read CSV as a document that is one table.

    The text has a line for each row, with a tab between two cells, and the cells as Python's `csv`
    reads them: without quotes. Rows without cells are left out. Strategies over elements split the
    table between rows, and repeat the header.

    Parameters
    ----------
    source
        The CSV itself, as ``str`` or ``bytes``, or the path of a file as ``os.PathLike``.
    name
        What the document is called, from which ids are derived; by default the file's path.
    delimiter
        The character between two cells; by default the one of :data:`DELIMITERS` by which most
        rows have the same number of cells, at least two.
    header
        Whether the first row names the columns.
    encoding, errors
        How bytes are decoded; see :func:`chunkwright.readers.text.decode`.

    Returns
    -------
    Document
        The table, if there is any text in it. Memory is that of the rows, four times their text at
        most, and 56 bytes a cell.

    Raises
    ------
    ReadError
        If the file cannot be read, or is no CSV: names the line. A cell has at most as many
        characters as ``csv.field_size_limit()`` says, by default 131,072: there ends what follows a
        quote that is never closed.
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.readers.table import read_csv
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
    if not isinstance(source, str):
        source = decode(bytes(source), encoding=encoding, errors=errors, name=name or "input")
    delimiter = _likeliest(_unmarked(source)) if delimiter is None else delimiter
    try:
        return Document(elements=_table(source, delimiter, header), name=name)
    except _BrokenRowError as error:
        raise ReadError(f"{name or 'input'}: {error}") from error


def read_tsv(source: str | bytes | os.PathLike[str], *, name: str | None = None) -> Document:
    """Read CSV with tabs between the cells; see :func:`read_csv`."""
    return read_csv(source, name=name, delimiter="\t")


class _BrokenRowError(ReadError):
    """Rows that the module csv cannot read."""


def _table(source: str, delimiter: str, header: bool) -> Elements:
    return Elements(_core.Elements.of_rows(_rows(source, delimiter), int(header), source))


def _unmarked(source: str) -> str:
    """Return what the module csv reads: without a byte order mark and lone surrogates."""
    return without_surrogates(source.removeprefix("\ufeff"))


def _rows(source: str, delimiter: str) -> Iterator[tuple[list[str], int, int]]:
    """Yield rows that have cells, and where each starts and ends, surrogates joined to pairs."""
    end = len(source) - len(source.removeprefix("\ufeff"))

    def lines() -> Iterator[str]:
        nonlocal end
        for line in StringIO(_unmarked(source), newline=""):
            end += len(line)
            yield line

    reader, start = _reader(lines(), delimiter), end
    try:
        for row in reader:
            if row:
                yield row, start, end
            start = end
    except csv.Error as error:
        message = (
            f"no CSV at line {reader.line_num}: {error}; csv.field_size_limit sets another limit, "
            "and kind='text' reads it as it is"
        )
        raise _BrokenRowError(message) from error


def _reader(lines: Iterable[str], delimiter: str) -> _csv.Reader:
    return csv.reader(lines, delimiter=delimiter, doublequote=True, strict=False)


def _likeliest(text: str) -> str:
    """Return the delimiter by which most of the first rows have as many cells as one another."""
    return max(DELIMITERS, key=lambda delimiter: _agreeing(text[:_SAMPLE_CHARS], delimiter))


def _agreeing(sample: str, delimiter: str) -> tuple[int, int]:
    """Return how many rows have the commonest number of cells, two at least, and that number."""
    if delimiter not in sample:
        return 0, 0
    rows = filter(None, _reader(StringIO(sample, newline=""), delimiter))
    try:
        lengths = [len(row) for row in islice(rows, _SAMPLE_ROWS)]
    except csv.Error:
        return 0, 0
    counts = {length: lengths.count(length) for length in lengths if length > 1}
    return max(((count, length) for length, count in counts.items()), default=(0, 0))


def _is_delimiter(delimiter: object) -> bool:
    return isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '"\r\n'
