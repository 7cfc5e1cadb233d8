"""Documents of sources: whole texts, elements, or the rows of tables, and how they are cut."""

from collections import deque
from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING

from chunkwright.errors import ReadError
from chunkwright.io.sources import Entry, Reading, Source
from chunkwright.logs import SLOW_SECONDS, took

if TYPE_CHECKING:
    from chunkwright.chunking import AnyStrategy
    from chunkwright.chunks import Chunks
    from chunkwright.document import Document


def documents_of(source: Source, reading: Reading) -> Iterator[Entry | ReadError]:
    """Yield the documents of a source, and of a row that cannot be used the reason why.

    Raises
    ------
    ReadError
        If it cannot be read further.
    MissingExtraError
        If it is a table, and pyarrow is not installed.
    """
    from chunkwright.io.element_files import no_elements

    format_ = reading.format_of(source)
    if format_ in {"text", "elements"}:
        yield whole(source, reading)
    elif reading.elements_for is not None:
        raise no_elements(reading.elements_for, source.name)
    elif format_ == "jsonl":
        from chunkwright.io.json_lines import json_rows

        yield from json_rows(source, reading)
    else:
        from chunkwright.io.parquet import table_rows

        yield from table_rows(source, reading, format_)


def whole(source: Source, reading: Reading) -> Entry:
    """Read a source as one document: of elements, if it holds some and they are what is cut.

    Raises
    ------
    ReadError
        If it cannot be read, or is not in the encoding, or holds no elements where it has to.
    """
    from chunkwright.io.element_files import elements_in, looks_like_elements, no_elements

    text = reading.decode(source.read(), source.name)
    is_wanted = reading.input_format == "elements"
    if not is_wanted and reading.elements_for is not None:
        is_wanted = reading.input_format is None and looks_like_elements(text)
        if not is_wanted:
            raise no_elements(reading.elements_for, source.name)
    if not is_wanted:
        return Entry(source.document, source.name, text)
    document = elements_in(text, source.document, source.name)
    return Entry(source.document, source.name, document.text, elements=document)


def cut_each(
    strategy: "AnyStrategy", entries: Iterable[Entry], workers: int | None
) -> Iterator[tuple[Entry, "Chunks"]]:
    """Cut one document after another; the result is the same for any number of workers.

    Parameters
    ----------
    strategy
        What cuts.
    entries
        The documents; see ``strategy.stream`` for how many of them are taken ahead.
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
    ahead: deque[Entry] = deque()

    def documents() -> Iterator["Document"]:
        for entry in entries:
            ahead.append(entry)
            yield entry.document

    began = perf_counter()
    for chunks in strategy.stream(documents(), workers=workers, errors="collect"):
        entry = ahead.popleft()
        if (seconds := perf_counter() - began) >= SLOW_SECONDS:
            took(f"reading and cutting from {entry.place!r} on", seconds)
        yield entry, chunks
        began = perf_counter()
