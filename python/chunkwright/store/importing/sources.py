"""Sources of an import: paths, documents and chunks, each with its address and its hash."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, TypeAlias

from chunkwright.chunks import Chunks
from chunkwright.document import Document
from chunkwright.errors import ConfigError
from chunkwright.frames import without_surrogates
from chunkwright.io.carried import scalars_of
from chunkwright.io.documents import Loaded, loaded, reader_fingerprint
from chunkwright.io.finding import find
from chunkwright.io.sources import Entry, Failure, Reading, Source
from chunkwright.readers.kinds import FILES, kind_of_file
from chunkwright.store.content import content_of
from chunkwright.store.drafts import Row, rows_of, stored_text
from chunkwright.store.model import FILE, GIVEN, ROW, Origin

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwright.document import Scalar

Sources: TypeAlias = (
    "str | os.PathLike[str] | Document | Chunks | Iterable[str | os.PathLike[str] | Document]"
)
"""What can be imported: paths of files and folders, globs, documents, and chunks of documents."""

Metadata: TypeAlias = "Mapping[str, Scalar] | Callable[[str], Mapping[str, Scalar]] | None"
"""Metadata of all documents, or what gives those of one by its address."""


Group: TypeAlias = "Chunks | Document | list[Source]"
"""Sources that are imported together: paths are what was found by them."""

# The readers of what is read already, and of rows of tables.
_GIVEN = Origin(GIVEN)
_OF_DOCUMENTS, _OF_TABLES = "document", "row of a table"


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
    origin
        What it is read from.
    """

    uri: str
    source_hash: str
    reader: str
    read: Callable[[], Document]
    chunks: Chunks | None = None
    rows: Sequence[Row] | None = None
    n_bytes: int = 0
    origin: Origin = _GIVEN


def found_by(sources: Sources, root: str | None = None) -> Iterator[Group]:
    """Yield what sources name, one group after another; each path once in a group.

    Raises
    ------
    ConfigError
        If a source is none.
    """
    if isinstance(sources, Chunks):
        yield sources
        return
    for group in _grouped(sources):
        yield group if isinstance(group, Document) else find(group, root)


def items_of(
    groups: Iterable[Group], reading: Reading, root: str | None = None
) -> Iterator[Item | Failure]:
    """Yield the documents of sources, one after another.

    Parameters
    ----------
    groups
        The sources, as :func:`found_by` finds them.
    reading
        How files are read.
    root
        The folder that addresses of files are relative to; None: they are as the paths were given.

    Raises
    ------
    ConfigError
        If a document has neither a name nor an id.
    """
    for group in groups:
        if isinstance(group, Chunks):
            yield from _of_chunks(group)
        elif isinstance(group, Document):
            yield _of_document(group)
        else:
            for source in group:
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
    return Item(stored_text(uri), source_hash, _OF_DOCUMENTS, lambda: document)


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
    core = chunks.columns.core
    if chunks.rows != range(len(core)):
        message = f"{len(chunks)} of {len(core)} chunks are given: a store takes documents whole"
        raise ConfigError(message, option="sources")
    rows, ends = rows_of(chunks), [0, *core.row_ends()]
    for document, start, end in zip(chunks.documents, ends, ends[1:], strict=False):
        part = chunks[start:end]
        item = _of_document(document)
        ids = "\n".join([*part.ids, *part.contextual_texts()])
        own_hash = sha256((item.source_hash + ids).encode("utf-8", "surrogatepass")).hexdigest()
        yield Item(item.uri, own_hash, item.reader, item.read, part, rows[start:end])


def uri_of(source: Source, root: str | None) -> str:
    """Return the address of a file."""
    path = source.document if root is not None else source.path
    return stored_text(os.path.normpath(path).replace(os.sep, "/"))


def _of_source(source: Source, reading: Reading, root: str | None) -> Iterator[Item | Failure]:
    uri = uri_of(source, root)
    for each in loaded(source, reading):
        if isinstance(each, Failure):
            yield each._replace(name=uri)
        elif isinstance(each, Entry):
            yield _of_entry(each, source, uri, reading.id_column)
        else:
            yield _of_file(each, uri)


def _of_file(own: Loaded, uri: str) -> Item:
    """Return a file that is one document, which is read if its bytes are new."""
    kind = own.reading.input_format or kind_of_file(own.data, own.source.name)
    return Item(
        uri,
        sha256(own.data).hexdigest(),
        reader_fingerprint(kind if kind in FILES else None, own.reading),
        lambda: _plain(own.document(uri).document),
        n_bytes=len(own.data),
        origin=Origin(FILE, own.source.file),
    )


def _of_entry(entry: Entry, source: Source, uri: str, id_column: str | None) -> Item:
    """Return a row of a table: it is known by its id, or by its number in the file."""
    document = entry.document
    if entry.carried is not None:
        document = document.with_metadata(scalars_of(entry.carried))
    number = entry.name.removeprefix(f"{source.document}:")
    name = entry.name if number == entry.name else f"{uri}:{number}"
    item = _of_document(document.with_id(entry.document_id or name))
    if entry.document_id:
        origin = Origin(ROW, source.file, item.uri, id_column)
    else:
        origin = Origin(ROW, source.file, number)
    return replace(item, reader=_OF_TABLES, origin=origin)


def paths_of(sources: Sources) -> list[str]:
    """Return those of the sources that are paths."""
    if isinstance(sources, Chunks | Document):
        return []
    given = [sources] if isinstance(sources, str | os.PathLike) else sources
    return [os.fspath(each) for each in given if not isinstance(each, Document)]
