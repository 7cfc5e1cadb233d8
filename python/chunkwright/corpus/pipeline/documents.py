"""Documents of batches as objects, for sinks that cut them themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.corpus.pipeline.items import Cut
from chunkwright.corpus.planning.duplicates import DUPLICATE_OF
from chunkwright.errors import ChunkwrightError, ReadError
from chunkwright.io.carried import TableRow, scalars_of
from chunkwright.io.json_lines import name_of
from chunkwright.io.texts import entry_of_row

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import DocumentBatch
    from chunkwright.document import Document
    from chunkwright.io.sources import Reading


def as_documents(batch: DocumentBatch, reading: Reading) -> Cut:
    """Return the documents of a batch, with the scalars that their rows carry as metadata.

    Those that are marked as duplicates have ``duplicate_of``, too.
    """
    cut = Cut.of(batch)
    cut.document_bytes = batch.n_bytes
    marks = batch.duplicate_of or [None] * batch.n_documents
    for entry, mark in zip(batch.entries, marks, strict=False):
        cut.documents.append(_marked(entry.document, mark))
        if not isinstance(entry.content, str):
            cut.counts.add_confidence(entry.content.confidence)
    if batch.rows is not None:
        _add_rows(batch, reading, marks, cut)
    cut.counts.documents = len(cut.documents)
    cut.counts.duplicates = batch.n_dropped + sum(mark is not None for mark in marks)
    cut.counts.failed = len(cut.failures)
    return cut


def _add_rows(
    batch: DocumentBatch, reading: Reading, marks: Sequence[str | None], cut: Cut
) -> None:
    names = batch.rows.schema.names
    carried = batch.rows.drop_columns([name for name in names if name in reading.not_carried])
    for number, mark in enumerate(marks):
        try:
            document = _document(batch.rows, number, carried, batch.places[number], reading)
            cut.documents.append(_marked(document, mark))
        except (ChunkwrightError, UnicodeDecodeError) as error:
            cut.failures.append(cut.failure(error, "read", number))


def _document(rows: Any, number: int, carried: Any, place: str, reading: Reading) -> Document:
    text = _value(rows, reading.text_column, number)
    if text is None:
        raise ReadError("the text is null")
    if reading.id_column is None:
        name = _core.document_id(str(text))
    else:
        name = name_of(_value(rows, reading.id_column, number), reading.id_column, place)
    row = TableRow(carried, number)
    document = entry_of_row(text, reading, name, place, row).document.with_id(name)
    return document.with_metadata(scalars_of(row))


def _marked(document: Document, mark: str | None) -> Document:
    return document if mark is None else document.with_metadata({DUPLICATE_OF: mark})


def _value(rows: Any, name: str, number: int) -> Any:
    """Return a value of a column.

    Raises
    ------
    ReadError
        If there is no such column, or more than one.
    """
    if rows.schema.names.count(name) != 1:
        there = ", ".join(map(repr, rows.schema.names)) or "none"
        what = "two columns" if name in rows.schema.names else "no column"
        raise ReadError(f"there is {what} {name!r} among the columns: there are {there}")
    return rows[name][number].as_py()
