"""Run into one file: documents of sources are read, cut, and written as rows of chunks."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from chunkwright.chunking.batch import checked_workers
from chunkwright.errors import ReadError
from chunkwright.io.documents import caught, cut_each, documents_of
from chunkwright.io.plain_tables import asks_no_model, cut_table
from chunkwright.io.progress import Progress, Step
from chunkwright.io.rows import clashing
from chunkwright.io.sources import STDIN, Entry, Failure, Reading, Source
from chunkwright.io.table_rows import table_batches
from chunkwright.llm.protocol import ModelAccessError
from chunkwright.rows import OF_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.chunks import Chunks
    from chunkwright.io.outputs import Writer

    Chunkers = Callable[[str | None], Chunker]

_Read = TypeVar("_Read")


@dataclass
class Run:
    """Documents of sources on their way to rows of chunks.

    Parameters
    ----------
    reading
        How sources are read.
    chunkers
        Returns the chunker for documents in a language; None stands for all other languages.
    names
        The columns of the rows; see :mod:`chunkwright.rows`.
    progress
        Is called for each document, and for each input that cannot be read.
    workers
        Threads; None for one for each core that may be used.
    shadows
        Tokens of the shadows of each chunk; None for no shadows.
    """

    reading: Reading
    chunkers: Chunkers
    names: Sequence[str]
    progress: Progress[None]
    workers: int | None = None
    shadows: int | None = None
    _n_done: int = field(default=0, init=False)

    def write(self, sources: Iterable[Source], writer: Writer) -> int:
        """Write the chunks of the documents; return how many there are.

        Raises
        ------
        ModelAccessError
            If a language model refuses all requests.
        OSError
            If the rows cannot be written.
        """
        written = 0
        # What is read before standard input, which may take long to come, is not kept waiting.
        for (_, is_table), some in groupby(sources, key=lambda each: self._kind(each, writer)):
            if is_table:
                written += sum(self._write_table(source, writer) for source in some)
            else:
                written += self._write_entries(documents(some, self.reading, self._tell), writer)
        return written

    def _kind(self, source: Source, writer: Writer) -> tuple[bool, bool]:
        """Return whether a source is standard input, and whether a table becomes a table."""
        is_table = self.reading.format_of(source) in {"parquet", "arrow"}
        # What rows of texts have beside documents with elements, a batch of texts does not say.
        has_elements = OF_ELEMENTS[0] in self.names
        to_table = hasattr(writer, "write_rows") and self.shadows is None and not has_elements
        plain = is_table and to_table and asks_no_model(self.chunkers(None))
        return source.name == STDIN, plain

    def _write_entries(self, entries: Iterable[Entry], writer: Writer) -> int:
        cut = cut_each(self.chunkers, entries, self.workers)
        return sum(self._write(entry, chunks, writer) for entry, chunks in cut)

    def _write_table(self, source: Source, writer: Any) -> int:
        """Write the chunks of a table, a batch at a time where its rows are plain texts."""
        written, workers = 0, checked_workers(self.workers)
        has_ids = self.reading.id_column is not None
        format_ = str(self.reading.format_of(source))
        batches = filter(len, table_batches(source, self.reading, format_))
        for batch in told(source, caught(source, batches), self._tell):
            first, chunker = self._n_done, self.chunkers(None)
            cut = cut_table(chunker, batch, has_ids=has_ids, first=first, workers=workers)
            if cut is None:
                written += self._write_entries(told(source, batch.entries(), self._tell), writer)
                continue
            for error in cut.failures:
                self._fail(source.name, error)
            n_cut = len(batch) - len(cut.failures)
            self._tell(Step(name=source.name, n_documents=n_cut, about=None))
            if cut.rows.num_rows:
                writer.write_rows(cut.rows, cut.carried)
            written += cut.rows.num_rows
        return written

    def _write(self, entry: Entry, chunks: Chunks, writer: Writer) -> int:
        if chunks.errors:
            if isinstance(chunks.errors[0], ModelAccessError):
                # No other document will do better.
                raise chunks.errors[0]
            self._fail(entry.place, chunks.errors[0])
            return 0
        if entry.carried is not None:
            # Rows of JSON have the columns of elements where a document has some.
            of_elements = () if entry.document.elements is None else OF_ELEMENTS
            if clash := clashing((*self.names, *of_elements), entry.carried.names()):
                self._fail(entry.place, ReadError(f"{entry.place}: column ", *clash))
                return 0
        if self.shadows is not None:
            from chunkwright.retrieval.shadows import shadows

            chunks = shadows(chunks, tokens=self.shadows)
        writer.write(chunks, self._n_done, entry.carried)
        self._tell(Step(name=entry.place, n_documents=1, about=None))
        return len(chunks)

    def _tell(self, step: Step[None]) -> None:
        self._n_done += step.n_documents
        self.progress(step)

    def _fail(self, name: str, error: Exception) -> None:
        self._tell(Step(name=name, error=error, about=None))


def documents(
    sources: Iterable[Source], reading: Reading, progress: Progress[None]
) -> Iterator[Entry]:
    """Read sources one by one; report and skip what cannot be read."""
    for source in sources:
        yield from told(source, documents_of(source, reading), progress)


def told(
    source: Source, read: Iterable[_Read | Failure], progress: Progress[None]
) -> Iterator[_Read]:
    """Yield what is read from a source, and report failures; an empty source counts as done."""
    is_empty = True
    for each in read:
        is_empty = False
        if isinstance(each, Failure):
            progress(Step(name=each.name, error=each.error, about=None))
        else:
            yield each
    if is_empty:
        progress(Step(name=source.name, n_documents=1, about=None))
