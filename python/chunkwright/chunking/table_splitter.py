"""One table, split between its rows: HTML, Markdown or plain rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import Any, Generic, TypeVar, overload

from chunkwright import _core
from chunkwright.checks import checked_flag, checked_int
from chunkwright.chunking.bases.options import Limited
from chunkwright.errors import ConfigError, ReadError
from chunkwright.tokens.tokenizer import TokenizerLike

T = TypeVar("T")
Rows = list[list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePart(Generic[T]):
    """A part of a table, which is a complete table.

    Parameters
    ----------
    table
        The part, in the form of the whole table.
    text
        The text to which the limit applies: the texts of the cells, with a blank between two; for
        Markdown, the Markdown itself.
    n_header_rows
        The number of header rows that are repeated in front of the part.
    rows
        The range of the table's rows in the part, without repeated ones; None for HTML, where
        merged cells can make new rows.
    oversize
        Whether its text is over the limit because it cannot be split.
    """

    table: T
    text: str
    n_header_rows: int
    rows: range | None
    oversize: bool


@overload
def split_table(
    table: str,
    *,
    max_tokens: int | None = ...,
    max_chars: int | None = ...,
    repeat_headers: bool = ...,
    n_header_rows: int = ...,
    tokenizer: TokenizerLike = ...,
) -> list[TablePart[str]]: ...
@overload
def split_table(
    table: Sequence[list[str]],
    *,
    max_tokens: int | None = ...,
    max_chars: int | None = ...,
    repeat_headers: bool = ...,
    n_header_rows: int = ...,
    tokenizer: TokenizerLike = ...,
) -> list[TablePart[Rows]]: ...
def split_table(  # noqa: PLR0913 - keyword-only options, as a strategy has them
    table: str | Sequence[list[str]],
    *,
    max_tokens: int | None = None,
    max_chars: int | None = None,
    repeat_headers: bool = True,
    n_header_rows: int = 1,
    tokenizer: TokenizerLike = "cl100k_base",
) -> list[TablePart[str]] | list[TablePart[Rows]]:
    r"""Split a table between its rows into tables of the same form, each with the header.

    A row that fits stays whole. A larger one is split between its cells, and a cell that does not
    fit at newlines and blanks. A row of a list with more than 16 cells for each unit of the limit
    stays whole, because each of its parts would have as many cells.

    Parameters
    ----------
    table
        A Markdown table; HTML with one ``<table>``, whose merged rows stay together; or a list of
        rows, which are lists of the cells' texts.
    max_tokens, max_chars
        The limit, in tokens of ``tokenizer`` or in code points; one of the two, 512 tokens without
        either. It holds for a part's text, with the repeated header: of Markdown that is the
        Markdown itself, of HTML and rows it is what the cells say.
    repeat_headers
        Whether every part has the header: of HTML what is in ``<thead>`` or made of ``<th>``. One
        that leaves little room is not repeated.
    n_header_rows
        How many rows are the header, where the table is a list of rows.
    tokenizer
        The tokenizer; see :class:`chunkwright.Tokenizer`.

    Returns
    -------
    list of TablePart
        The parts; none if the table has no text.

    Raises
    ------
    ConfigError
        If an option makes no sense, or what is given has none of these forms.
    ReadError
        If the HTML does not have exactly one table, or the Markdown has none.

    Examples
    --------
    >>> import chunkwright as cw
    >>> rows = [["stone", "kg"], ["slate", "7"], ["chalk", "3"], ["flint", "5"]]
    >>> [part.table for part in cw.split_table(rows, max_chars=24)]
    [[['stone', 'kg'], ['slate', '7'], ['chalk', '3']], [['stone', 'kg'], ['flint', '5']]]
    >>> markdown = "| stone | kg |\n|---|---|\n| slate | 7 |\n| chalk | 3 |\n"
    >>> for part in cw.split_table(markdown, max_chars=48):
    ...     print(part.table)
    | stone | kg |
    |---|---|
    | slate | 7 |
    | stone | kg |
    |---|---|
    | chalk | 3 |
    """
    splitter = TableSplitter(
        max_tokens=max_tokens,
        max_chars=max_chars,
        repeat_headers=repeat_headers,
        n_header_rows=n_header_rows,
        tokenizer=tokenizer,
    )
    return splitter(table)


@dataclass(frozen=True, kw_only=True)
class TableSplitter(Limited):
    """Options of :func:`split_table`, checked once."""

    repeat_headers: bool = True
    n_header_rows: int = 1

    def _derive(self) -> int:
        limits = {"max_tokens": self.max_tokens, "max_chars": self.max_chars}
        limit = _core.check_options(
            {"strategy": "window", **limits}, special_tokens=self._n_special
        )
        checked_flag("repeat_headers", self.repeat_headers)
        checked_int("n_header_rows", self.n_header_rows, least=0)
        return limit

    def __call__(self, table: Any) -> list[TablePart[Any]]:
        """Split a table; see :func:`split_table`."""
        if isinstance(table, str):
            return self._text(table)
        return self._rows(_checked_rows(table))

    def _text(self, table: str) -> list[TablePart[str]]:
        if "<table" not in table.lower():
            return self._markdown(table)
        if "|" in table:
            # The cells of Markdown may speak of tables.
            with suppress(ReadError):
                return self._markdown(table)
        return self._html(table)

    def _html(self, html: str) -> list[TablePart[str]]:
        _, parts = _core.split_table(html, self.unit, **self._how)
        # A limit too low for rows leaves only texts, which are tables of one cell.
        return [
            TablePart(
                table=f"<table><tr><td>{escape(text)}</td></tr></table>" if own is None else own,
                text=text,
                n_header_rows=n_header_rows,
                rows=None,
                oversize=self._size(text) > self._limit,
            )
            for text, own, n_header_rows in parts
        ]

    def _markdown(self, markdown: str) -> list[TablePart[str]]:
        return [
            TablePart(
                table=own,
                text=own,
                n_header_rows=n_header_rows,
                rows=range(first, end),
                oversize=oversize,
            )
            for own, n_header_rows, first, end, oversize in _core.split_markdown(
                markdown, self.unit, **self._how
            )
        ]

    def _rows(self, rows: Rows) -> list[TablePart[Rows]]:
        return [
            TablePart(
                table=own,
                text=" ".join(cell.strip() for row in own for cell in row if cell.strip()),
                n_header_rows=n_header_rows,
                rows=range(first, end),
                oversize=oversize,
            )
            for own, n_header_rows, first, end, oversize in _core.split_rows(
                rows, self.n_header_rows, self.unit, **self._how
            )
        ]

    @property
    def _how(self) -> dict[str, Any]:
        return {"hard_max": self._limit, "repeat_headers": self.repeat_headers}

    def _size(self, text: str) -> int:
        return self.measure(text)


def _checked_rows(rows: object) -> Rows:
    """Return rows as lists.

    Raises
    ------
    ConfigError
        If they are none; names the row, and the cell.
    """
    if isinstance(rows, bytes | bytearray) or not isinstance(rows, Iterable):
        raise ConfigError(f"table must be a str or a list of rows, got {type(rows).__name__}")
    checked = []
    for i, row in enumerate(rows):
        if isinstance(row, str | bytes) or not isinstance(row, Iterable):
            raise ConfigError(f"rows[{i}] must be a list of str, got {row!r}")
        checked.append(list(row))
        for j, cell in enumerate(checked[-1]):
            if not isinstance(cell, str):
                raise ConfigError(f"rows[{i}][{j}] must be a str, got {cell!r}")
    return checked
