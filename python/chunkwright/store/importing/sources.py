"""Sources of an import: paths, documents and chunks, each with its address and its hash."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TypeAlias

from chunkwright.chunks import Chunks
from chunkwright.document import Document
from chunkwright.errors import ChunkwrightError, ConfigError
from chunkwright.frames import without_surrogates
from chunkwright.io.carried import scalars_of
from chunkwright.io.documents import document_of, documents_of
from chunkwright.io.finding import find
from chunkwright.io.sources import TABLES, Entry, Reading, Source
from chunkwright.readers.kinds import FILES, kind_of_file
from chunkwright.store.content import content_of
from chunkwright.store.importing.drafts import Row, rows_of, stored_text
from chunkwright.store.importing.fingerprints import reader_fingerprint
from chunkwright.store.state import GIVEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwright.document import Scalar

Sources: TypeAlias = (
    "str | os.PathLike[str] | Document | Chunks | Iterable[str | os.PathLike[str] | Document]"
)
"""What can be imported: paths of files and folders, globs, documents, and chunks of documents."""

Metadata: TypeAlias = "Mapping[str, Scalar] | Callable[[str], Mapping[str, Scalar]] | None"
"""Metadata of all documents, or what gives those of one by its address."""


# The reader of rows of tables.
_OF_TABLES = "row of a table"


@dataclass(frozen=True)
class Item:
    """A document to be imported.

    Attributes
    ----------
    uri
        Its address in the store.
    source_hash
        The hash of its source.
    reader
        The fingerprint of its reader.
    read
        Reads it.
    chunks
        Its chunks, if it was cut by the caller.
    rows
        What restores these.
    n_bytes
        The size of the source in memory, if it is a file.
    """

    uri: str
    source_hash: str
    reader: str
    read: Callable[[], Document]
    chunks: Chunks | None = None
    rows: Sequence[Row] | None = None
    n_bytes: int = 0


@dataclass(frozen=True)
class Failure:
    """A source that cannot be read, and why."""

    uri: str
    error: Exception


def items_of(
    sources: Sources, reading: Reading, root: str | None = None
) -> Iterator[Item | Failure]:
    """Yield the documents of sources, one after another.

    Parameters
    ----------
    sources
        The sources.
    reading
        How files are read.
    root
        The folder that addresses of files are relative to; None: they are as the paths were given.

    Raises
    ------
    ConfigError
        If a source is none, or a document has neither a name nor an id.
    """
    if isinstance(sources, Chunks):
        yield from _of_chunks(sources)
        return
    for group in _grouped(sources):
        if isinstance(group, Document):
            yield _of_document(group)
        else:
            for source in find(group, root):
                yield from _of_source(source, reading, root)


def _grouped(sources: Sources) -> Iterator[Document | list[str]]:
    """Yield documents by themselves, and paths between them together."""
    if isinstance(sources, str | os.PathLike | Document):
        sources = [sources]
    if not isinstance(sources, Iterable) or isinstance(sources, bytes | Mapping):
        kind = type(sources).__name__
        message = f"sources must be paths, documents or chunks, got {kind}"
        raise ConfigError(message, option="sources")
    paths: list[str] = []
    for source in sources:
        if isinstance(source, Document):
            if paths:
                yield paths
                paths = []
            yield source
        elif isinstance(source, str | os.PathLike):
            paths.append(_checked_path(source))
        else:
            kind = type(source).__name__
            message = f"a source must be a path or a Document, got {kind}"
            raise ConfigError(message, option="sources")
    if paths:
        yield paths


def _checked_path(source: str | os.PathLike[str]) -> str:
    path = os.fspath(source)
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        message = f"no file can have the path {path!r}"
        raise ConfigError(message, option="sources") from None
    if not isinstance(path, str):
        raise ConfigError(f"a path must be a str, got {path!r}", option="sources")
    return path


def _of_document(document: Document) -> Item:
    uri = document.given_id or document.name
    if not uri:
        message = "a document of a store needs a name or an id, by which it is known again"
        raise ConfigError(message, option="sources")
    document = _plain(document)
    said = repr(sorted(document.metadata.items())).encode("utf-8", "surrogatepass")
    source_hash = sha256(content_of(document).hash + said).hexdigest()
    return Item(stored_text(uri), source_hash, GIVEN, lambda: document)


def _plain(document: Document) -> Document:
    """Return a document whose text UTF-8 can say: lone surrogates are U+FFFD."""
    text = document.text
    if document.elements is not None or without_surrogates(text) == text:
        return document
    return Document(
        text=without_surrogates(text),
        name=document.name,
        id=document.given_id,
        metadata=document.metadata,
    )


def _of_chunks(chunks: Chunks) -> Iterator[Item]:
    """Yield the documents of chunks, which must be all that were cut."""
    core = chunks._columns.core  # noqa: SLF001 - the package's own
    if chunks._rows != range(len(core)):  # noqa: SLF001 - as above
        message = f"{len(chunks)} of {len(core)} chunks are given: a store takes documents whole"
        raise ConfigError(message, option="sources")
    rows, ends = rows_of(chunks), [0, *core.row_ends()]
    for document, start, end in zip(chunks.documents, ends, ends[1:], strict=False):
        part = chunks[start:end]
        item = _of_document(document)
        ids = "\n".join([*part.ids, *part.contextual_texts()])
        own_hash = sha256((item.source_hash + ids).encode("utf-8", "surrogatepass")).hexdigest()
        yield Item(item.uri, own_hash, item.reader, item.read, part, rows[start:end])


def _of_source(source: Source, reading: Reading, root: str | None) -> Iterator[Item | Failure]:
    path = source.document if root is not None else source.path
    uri = stored_text(os.path.normpath(path).replace(os.sep, "/"))
    try:
        if reading.format_of(source) in TABLES:
            for entry in documents_of(source, reading):
                if isinstance(entry, Entry):
                    yield _of_entry(entry, source, uri)
                else:
                    yield Failure(uri, entry)
            return
        data = source.read(allowed=FILES)
    except ChunkwrightError as error:
        yield Failure(uri, error)
        return
    kind = reading.input_format or kind_of_file(data, source.name)
    yield Item(
        uri,
        sha256(data).hexdigest(),
        reader_fingerprint(kind if kind in FILES else None, reading),
        lambda: _plain(document_of(data, source, reading, uri).document),
        n_bytes=len(data),
    )


def _of_entry(entry: Entry, source: Source, uri: str) -> Item:
    """Return a row of a table: it is known by its id, or by its number in the file."""
    document = entry.document
    if entry.carried is not None:
        document = document.with_metadata(scalars_of(entry.carried))
    number = entry.name.removeprefix(f"{source.document}:")
    name = entry.name if number == entry.name else f"{uri}:{number}"
    item = _of_document(document.with_id(entry.document_id or name))
    return replace(item, reader=_OF_TABLES)


def below(folder: str | os.PathLike[str], root: str | None) -> str:
    """Return how the addresses of files below a folder begin."""
    path = os.fspath(folder)
    if root is not None:
        path = os.path.relpath(path, root)
    name = PurePath(path).as_posix()
    return "" if name == "." else f"{name}/"


def folders_of(sources: Sources) -> list[str]:
    """Return those of the sources that are folders."""
    if isinstance(sources, Chunks | Document):
        return []
    given = [sources] if isinstance(sources, str | os.PathLike) else sources
    paths = [os.fspath(each) for each in given if not isinstance(each, Document)]
    return [path for path in paths if Path(path).is_dir()]
