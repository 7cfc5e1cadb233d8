"""Documents of sources: whole texts, elements, or the rows of tables, and how they are cut."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING

from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.io.sources import STDIN, TABLES, Entry, Reading, Source
from chunkwright.io.texts import no_elements
from chunkwright.messages.logs import SLOW_SECONDS, took
from chunkwright.readers.kinds import FILES, language_of

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.readers.read import Read


def documents_of(source: Source, reading: Reading) -> Iterator[Entry | ReadError]:
    """Yield the documents of a source, and of a row that cannot be used the reason why.

    Raises
    ------
    ReadError
        If it cannot be read further.
    MissingExtraError
        If it is a table, and pyarrow is not installed.
    """
    format_ = reading.format_of(source)
    if format_ not in TABLES:
        yield whole(source, reading)
    elif format_ == "jsonl":
        from chunkwright.io.json_lines import json_rows

        yield from json_rows(source, reading)
    else:
        from chunkwright.io.table_rows import table_batches

        for batch in table_batches(source, reading, format_):
            yield from batch.entries()


def whole(source: Source, reading: Reading) -> Entry:
    """Read a source as one document.

    Raises
    ------
    ReadError
        If it cannot be read, or is not in the encoding, or has no elements where these are cut, or
        needs an extra that is not installed.
    """
    try:
        data = source.read(allowed=FILES)
        document, kind = document_of(data, source, reading, source.document)
    except MissingExtraError as error:
        # Other sources may do without it.
        raise ReadError(f"{source.name}: {error}") from error
    if reading.elements_for is not None and document.elements is None:
        raise no_elements(reading.elements_for, source.name, "input_format")
    return Entry(source.document, source.name, document, language=_language(source, kind, reading))


def document_of(data: bytes, source: Source, reading: Reading, name: str) -> "Read":
    """Read what a source holds as one document of that name, and tell the kind of it.

    Raises
    ------
    ReadError
        If it is not in the encoding, or not what it is read as; names the source.
    MissingExtraError
        If its reader is an extra that is not installed; names it.
    """
    from chunkwright.readers.read import read_data

    return read_data(
        data,
        None if reading.input_format in TABLES else reading.input_format,
        source.name,
        name,
        encoding=reading.encoding,
        errors=reading.errors,
        is_named=source.name != STDIN,
        drop=reading.drop,
        options={"pages": reading.pages, "password": reading.password},
    )


def _language(source: Source, kind: str, reading: Reading) -> str | None:
    """Return the language whose separators a text has, unless it was said to be a plain one."""
    if kind == "markdown":
        return kind
    is_told = reading.input_format is not None or kind != "text"
    return None if is_told else language_of(source.name)


def cut_each(
    chunkers: "Callable[[str | None], Chunker]",
    entries: Iterable[Entry],
    workers: int | None,
) -> Iterator[tuple[Entry, "Chunks"]]:
    """Cut one document after another; the result is the same for any number of workers.

    Parameters
    ----------
    chunkers
        Gives what cuts the documents in a language; None is that of all others.
    entries
        The documents; see ``chunker.stream`` for how many of them are taken ahead.
    workers
        Threads; None for one for each core that may be used.

    Yields
    ------
    tuple
        Each document and its chunks, whose ``errors`` say why there are none if it failed.

    Raises
    ------
    ConfigError
        If the number of workers makes no sense; names it.
    """
    for chunker, some in groupby(entries, key=lambda entry: chunkers(entry.language)):
        yield from _cut_by(chunker, some, workers)


def _cut_by(
    chunker: "Chunker", entries: Iterable[Entry], workers: int | None
) -> Iterator[tuple[Entry, "Chunks"]]:
    ahead: deque[Entry] = deque()

    def documents() -> Iterator["Document"]:
        for entry in entries:
            ahead.append(entry)
            yield entry.document

    began = perf_counter()
    for chunks in chunker.stream(documents(), workers=workers, errors="collect"):
        entry = ahead.popleft()
        if (seconds := perf_counter() - began) >= SLOW_SECONDS:
            took(f"reading and cutting {_first_of(entry, len(ahead) + 1)}", seconds)
        yield entry, chunks
        began = perf_counter()


def _first_of(entry: Entry, n: int) -> str:
    return repr(entry.place) if n == 1 else f"{n:,} documents, {entry.place!r} the first of them,"
