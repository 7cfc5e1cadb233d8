"""Run over a corpus: documents of sources are read, cut, and written as rows of chunks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from chunkwright.errors import ReadError
from chunkwright.io.documents import cut_each, documents_of
from chunkwright.io.rows import clashing
from chunkwright.io.sources import STDIN, Entry, Reading, Source
from chunkwright.llm.protocol import ModelAccessError
from chunkwright.rows import OF_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.chunks import Chunks
    from chunkwright.io.outputs import Writer

    Chunkers = Callable[[str | None], Chunker]


class Progress(Protocol):
    """Counts what was done and what failed, and tells of it."""

    done: int

    @property
    def failed(self) -> int:
        """How many sources and documents failed."""

    def fail(self, name: str, error: Exception) -> None:
        """Count a source or document that failed; raises what is to end the run."""


@dataclass(frozen=True)
class Run:
    """Documents of sources on their way to rows of chunks.

    Parameters
    ----------
    reading
        How sources are read.
    chunkers
        Gives what cuts the documents in a language; None is that of all others.
    names
        The columns of the rows; see :mod:`chunkwright.rows`.
    progress
        Is told of each document.
    workers
        Threads; None for one for each core that may be used.
    shadows
        Tokens of the shadows that chunks get; None: none.
    """

    reading: Reading
    chunkers: Chunkers
    names: Sequence[str]
    progress: Progress
    workers: int | None = None
    shadows: int | None = None

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
        for _, some in groupby(sources, key=lambda source: source.name == STDIN):
            entries = documents(some, self.reading, self.progress)
            for entry, chunks in cut_each(self.chunkers, entries, self.workers):
                written += self._write(entry, chunks, writer)
        return written

    def _write(self, entry: Entry, chunks: Chunks, writer: Writer) -> int:
        if chunks.errors:
            if isinstance(chunks.errors[0], ModelAccessError):
                # No other document will do better.
                raise chunks.errors[0]
            self.progress.fail(entry.place, chunks.errors[0])
            return 0
        if entry.carried is not None:
            # Rows of JSON have the columns of elements where a document has some.
            of_elements = () if entry.document.elements is None else OF_ELEMENTS
            if clash := clashing((*self.names, *of_elements), entry.carried):
                self.progress.fail(entry.place, ReadError(f"{entry.place}: column {clash}"))
                return 0
        if self.shadows is not None:
            from chunkwright.retrieval.shadows import shadows

            chunks = shadows(chunks, tokens=self.shadows)
        writer.write(chunks, self.progress.done, entry.carried)
        self.progress.done += 1
        return len(chunks)


def documents(sources: Iterable[Source], reading: Reading, progress: Progress) -> Iterator[Entry]:
    """Read sources one after another; what cannot be read is told and left out."""
    for source in sources:
        failed_before, is_empty = progress.failed, True
        try:
            for entry in documents_of(source, reading):
                if isinstance(entry, Entry):
                    is_empty = False
                    yield entry
                else:
                    progress.fail(source.name, entry)
        except ReadError as error:
            progress.fail(source.name, error)
        if is_empty and progress.failed == failed_before:
            progress.done += 1
