"""Documents of sources: whole texts, elements, or rows of tables, and how they are cut."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from chunkwright import __version__
from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.io.sources import PAGED, STDIN, TABLES, Entry, Failure, Reading, Source
from chunkwright.io.texts import no_elements
from chunkwright.messages.logs import SLOW_SECONDS, took
from chunkwright.readers.kinds import FILES, LIBRARIES, MARKUPS, language_of

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.readers.read import Read

T = TypeVar("T")
_USUAL = Reading()


@dataclass(frozen=True)
class Loaded:
    """A source that is one document, whose content has not been read as a document yet.

    Attributes
    ----------
    source, reading
        The source, and how it is read.
    data
        What it holds.
    """

    source: Source
    reading: Reading
    data: bytes

    def document(self, name: str) -> "Read":
        """Read it as one document of that name, and return its kind, too.

        Raises
        ------
        ReadError
            If it is not in the encoding, or not what it is read as; names the source.
        MissingExtraError
            If its reader is an extra that is not installed; names it.
        """
        from chunkwright.readers.read import read_data

        source, reading = self.source, self.reading
        return read_data(
            self.data,
            None if reading.input_format in TABLES else reading.input_format,
            source.name,
            name,
            encoding=reading.encoding,
            errors=reading.errors,
            is_named=source.name != STDIN,
            drop=reading.drop,
            options={name: getattr(reading, name) or None for name in PAGED},
        )

    def entry(self) -> Entry:
        """Read it as a document to be cut.

        Raises
        ------
        ReadError
            As :func:`whole`.
        """
        source, reading = self.source, self.reading
        try:
            document, kind = self.document(source.document)
        except MissingExtraError as error:
            # Other sources may do without it.
            raise ReadError(f"{source.name}: ", *error.parts) from error
        if reading.elements_for is not None and document.elements is None:
            raise no_elements(reading.elements_for, source.name, "input_format")
        language = _language(source, kind, reading, document.text)
        return Entry(source.document, source.name, document, language=language)


def documents_of(source: Source, reading: Reading) -> Iterator[Entry | Failure]:
    """Yield the documents of a source, and failures for what cannot be read, in order."""
    for each in loaded(source, reading):
        try:
            read = each.entry() if isinstance(each, Loaded) else each
        except ReadError as error:
            read = source.failure(error)
        yield read


def loaded(source: Source, reading: Reading) -> Iterator[Loaded | Entry | Failure]:
    """Yield as :func:`documents_of` does, but the bytes of a source that is one document."""
    return caught(source, _loaded(source, reading))


def _loaded(source: Source, reading: Reading) -> Iterator[Loaded | Entry | Failure]:
    format_ = reading.format_of(source)
    if format_ not in TABLES:
        yield Loaded(source, reading, source.read(allowed=FILES))
    elif format_ == "jsonl":
        from chunkwright.io.json_lines import json_rows

        yield from json_rows(source, reading)
    else:
        from chunkwright.io.table_rows import table_batches

        for batch in table_batches(source, reading, format_):
            yield from batch.entries()


def caught(source: Source, read: Iterable[T]) -> Iterator[T | Failure]:
    """Yield what is read from a source; if reading fails, end with a failure."""
    try:
        yield from read
    except (ReadError, MissingExtraError) as error:
        yield source.failure(error)


def whole(source: Source, reading: Reading) -> Entry:
    """Read a source as one document.

    Raises
    ------
    ReadError
        If it cannot be read, or is not in the encoding, or has no elements where these are cut, or
        needs an extra that is not installed.
    """
    return Loaded(source, reading, source.read(allowed=FILES)).entry()


def _language(source: Source, kind: str, reading: Reading, text: str) -> str | None:
    """Return the language whose separators a text has, unless it was said to be a plain one."""
    if kind in MARKUPS:
        return kind
    is_told = reading.input_format is not None or kind != "text"
    return None if is_told else language_of(source.name, text)


def reader_fingerprint(kind: str | None, reading: Reading) -> str:
    """Return what a document depends on besides its file.

    Parameters
    ----------
    kind
        The kind of file, of those that hold no text; None for texts.
    reading
        How it is read.
    """
    library = LIBRARIES.get(kind or "")
    read_by = f"{library} {_version(library)}" if library else "text"
    if reading == _USUAL:
        return f"chunkwright {__version__}, {read_by}, {{}}"
    options = {
        name: value
        for name, value in (
            ("input_format", reading.input_format),
            ("encoding", reading.encoding),
            ("errors", reading.errors),
            ("drop", list(reading.drop)),
            ("pages", reading.pages),
            ("attachments", reading.attachments or None),
            ("hidden", reading.hidden or None),
            ("ocr", reading.ocr),
            ("ocr_engine", reading.ocr_engine),
            ("ocr_languages", reading.ocr_languages),
        )
        if value not in (None, [])
    }
    return f"chunkwright {__version__}, {read_by}, {json.dumps(options, sort_keys=True)}"


@cache
def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "none"


def cut_each(
    chunkers: "Callable[[str | None], Chunker]",
    entries: Iterable[Entry],
    workers: int | None,
) -> Iterator[tuple[Entry, "Chunks"]]:
    """Cut documents one by one; the result is the same for any number of workers.

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
