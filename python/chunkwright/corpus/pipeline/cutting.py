"""Cutting of batches of documents into rows with the columns of a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.corpus.pipeline.items import Cut
from chunkwright.corpus.planning.duplicates import DUPLICATE_OF
from chunkwright.corpus.report import Failure
from chunkwright.errors import ChunkwrightError, ConfigError, ReadError
from chunkwright.io.carried import TableRow, scalars_of
from chunkwright.io.json_lines import name_of
from chunkwright.io.texts import entry_of_row
from chunkwright.llm.protocol import ModelAccessError
from chunkwright.rows import OF_ELEMENTS

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.corpus.planning.plan import Job
    from chunkwright.corpus.reading.batch import DocumentBatch
    from chunkwright.document import Document
    from chunkwright.io.sources import Entry, Reading


class Cutter:
    """Cuts batches of documents.

    Parameters
    ----------
    job
        What is done.
    """

    def __init__(self, job: Job) -> None:
        import pyarrow as pa

        self._job = job
        vector = job.vector_column if job.embedder is not None else None
        self._schema = pa.schema([f for f in job.schema if f.name != vector])
        self._by_language: dict[str, Chunker] = {}
        self._has_elements = OF_ELEMENTS[0] in self._schema.names

    def cut(self, batch: DocumentBatch) -> Cut:
        """Cut a batch; documents that cannot be cut are failures.

        Raises
        ------
        ModelAccessError
            If a language model refuses all requests: no other document will do better.
        """
        cut = Cut.of(batch)
        cut.counts.documents = batch.n_documents
        if batch.rows is not None:
            self._cut_rows(batch, cut)
        elif batch.entries:
            self._cut_entries(batch, cut)
        cut.counts.failed = len(cut.failures)
        cut.counts.duplicates = batch.n_dropped
        if batch.duplicate_of:
            cut.counts.duplicates += sum(each is not None for each in batch.duplicate_of)
            self._mark(batch.duplicate_of, cut)
        if cut.rows is not None:
            cut.counts.add_rows(cut.rows)
        return cut

    def _cut_rows(self, batch: DocumentBatch, cut: Cut) -> None:
        import numpy as np
        import pyarrow as pa

        try:
            found = self._job.chunker.numbered(pa.Table.from_batches([batch.rows]))
        except ConfigError as error:
            # The table lacks a column, or has it of another type: others may be as they should.
            why = ReadError(error)
            cut.failures += [cut.failure(why, "read", row) for row in range(batch.n_documents)]
            cut.counts.documents = 0
            return
        parts, all_numbers = [], []
        for numbers, rows, failures in found:
            if failures:
                kept = rows["error"].is_null()
                cut.failures += _failures(cut, numbers, rows, failures)
                rows = rows.filter(kept)  # noqa: PLW2901 - a copy only where it is needed
                numbers = numbers[kept.to_numpy(zero_copy_only=False)]  # noqa: PLW2901
            parts.append(self._aligned(rows))
            all_numbers.append(numbers)
        numbers = np.concatenate([np.zeros(0, np.int64), *all_numbers])
        cut.rows, cut.numbers = pa.Table.from_batches(parts, self._schema), numbers
        n_cut, n_failed = len(np.unique(numbers)), len(cut.failures) - len(batch.failures)
        cut.counts.empty = batch.n_documents - n_cut - n_failed
        cut.counts.documents -= n_failed

    def _cut_entries(self, batch: DocumentBatch, cut: Cut) -> None:
        import numpy as np
        import pyarrow as pa

        parts, all_numbers, first = [], [], 0
        for language, some in groupby(batch.entries, key=lambda entry: entry.language):
            entries = list(some)
            chunks = self._in_language(language).batch(
                [entry.document for entry in entries], workers=self._job.workers, errors="collect"
            )
            for number, error in chunks.errors.items():
                if isinstance(error, ModelAccessError):
                    raise error
                cut.failures.append(cut.failure(error, "cut", first + number))
            columns = chunks.columns
            rows = columns.batch(chunks.rows, elements=self._has_elements)
            parts.append(self._aligned(pa.record_batch(rows)))
            numbers = np.asarray(columns.doc_index, np.int64)
            cut.counts.empty += len(entries) - len(np.unique(numbers)) - len(chunks.errors)
            cut.counts.documents -= len(chunks.errors)
            all_numbers.append(numbers + first)
            first += len(entries)
            _count_confidence(entries, cut)
        cut.rows = pa.Table.from_batches(parts, self._schema)
        cut.numbers = np.concatenate(all_numbers)

    def _in_language(self, language: str | None) -> Chunker:
        """Return the strategy, with a language's separators if it has any and names none."""
        strategy = self._job.strategy
        if language is None or getattr(strategy, "separators", ()) is not None:
            return strategy
        if language not in self._by_language:
            self._by_language[language] = replace(strategy, separators=language)  # type: ignore[type-var]
        return self._by_language[language]

    def _mark(self, duplicate_of: Sequence[str | None], cut: Cut) -> None:
        import pyarrow as pa

        if cut.numbers is None:
            return
        values = pa.array([duplicate_of[number] for number in cut.numbers], pa.string())
        at = self._schema.get_field_index(DUPLICATE_OF)
        cut.rows = cut.rows.set_column(at, self._schema.field(at), values)

    def _aligned(self, rows: Any) -> Any:
        """Return rows with the columns of the corpus, null where they have none."""
        import pyarrow as pa

        names = rows.schema.names
        columns = [
            _cast(rows[f.name], f.type) if f.name in names else pa.nulls(rows.num_rows, f.type)
            for f in self._schema
        ]
        return pa.RecordBatch.from_arrays(columns, schema=self._schema)


def _failures(
    cut: Cut, numbers: Any, rows: Any, failures: Mapping[int, BaseException]
) -> Iterator[Failure]:
    """Yield what failed, of rows of chunks in which each such document has one.

    Raises
    ------
    ModelAccessError
        If a language model refuses all requests.
    """
    has_error = rows["error"].is_valid()
    failed = rows.filter(has_error).select(["document", "document_id"]).to_pylist()
    at = numbers[has_error.to_numpy(zero_copy_only=False)].tolist()
    for number, row in zip(at, failed, strict=True):
        error = failures[number]
        if isinstance(error, ModelAccessError):
            raise error
        yield replace(cut.failure(error, "cut", number), **row)


def _cast(column: Any, kind: Any) -> Any:
    return column if column.type.equals(kind) else column.cast(kind)


def _count_confidence(entries: Sequence[Entry], cut: Cut) -> None:
    for entry in entries:
        if not isinstance(entry.content, str):
            cut.counts.add_confidence(entry.content.confidence)


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
