"""Export of a store: its blocks as rows, and as a table of Parquet."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.errors import MissingExtraError
from chunkwright.files.atomic import replacing
from chunkwright.rows import BASE, OF_BLOCKS, OF_CODE, OF_CONTEXTS, OF_ELEMENTS, OF_SHADOWS
from chunkwright.store.model import MANUAL
from chunkwright.store.reading import known_state, state_of
from chunkwright.store.versions import chunks_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkwright.store.database.protocol import Session
    from chunkwright.store.model import DocumentState

OWN = ("block", "version", "origin")
"""Columns that rows of a store have before those of chunks: ids of blocks, the versions they stand
in, and ``"cut"`` or ``"manual"``."""

# Rows that are written to a file together.
_BATCH = 4096
_NAMES = (*BASE, *OF_ELEMENTS, *OF_BLOCKS, *OF_CONTEXTS, *OF_SHADOWS)


def rows(
    session: Session, uri: str | None = None, version: int | None = None
) -> Iterator[dict[str, Any]]:
    """Yield blocks as rows of chunks, document by document, each in order.

    Parameters
    ----------
    session
        The transaction, open until the last row is taken. Memory is that of one document.
    uri
        The address of a document; None: all.
    version
        The number of its version; None: the current one.

    Yields
    ------
    dict
        The columns of :meth:`chunkwright.Chunks.to_dicts`, metadata included, after those of
        `OWN`. The text of a block that was edited by hand is what was written.

    Raises
    ------
    StoreError
        If there is no such document or version, or one cannot be read.
    """
    if uri is not None:
        yield from _rows_of(session, *known_state(session, uri, version), 0)
        return
    sql = "SELECT uri FROM documents WHERE current_version IS NOT NULL ORDER BY id"
    for number, (each,) in enumerate(session.rows(sql)):
        state = state_of(session, each)
        if state is not None and state.version is not None:
            yield from _rows_of(session, state, state.version, number)


def _rows_of(
    session: Session, state: DocumentState, version: int, number: int
) -> Iterator[dict[str, Any]]:
    blocks = session.rows(
        "SELECT b.id, b.origin, b.text, b.n_tokens FROM placements p"
        " JOIN blocks b ON b.id = p.block WHERE p.document = ? AND p.version = ?"
        " ORDER BY p.ordinal",
        (state.id, version),
    )
    chunks = chunks_at(session, state, version).to_dicts()
    for (block, origin, text, n_tokens), row in zip(blocks, chunks, strict=True):
        written = {"text": text, "n_tokens": n_tokens} if origin == MANUAL else {}
        own = dict(zip(OWN, (block, version, origin), strict=True))
        yield {**own, **row, "doc_index": number, **written}


def write_parquet(session: Session, path: str | os.PathLike[str]) -> int:
    """Write the blocks of all current versions to a file of Parquet; return how many.

    The file appears when it is whole. Metadata have a column for each name; where documents have
    values of several types under one, all are written as texts.

    Parameters
    ----------
    session
        The transaction.
    path
        The file.

    Raises
    ------
    ConfigError
        If nothing can be written there; names the path.
    MissingExtraError
        If pyarrow is not installed.
    StoreError
        If a version cannot be read.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtraError("writing parquet", "arrow") from error
    kinds = _metadata_kinds(session)
    schema = _schema(kinds, pa)
    texts = [name for name, kind in kinds.items() if kind is None]
    written, found = 0, rows(session)
    with replacing(Path(path)) as file, pq.ParquetWriter(file, schema) as writer:
        while batch := list(islice(found, _BATCH)):
            for row in batch:
                for name in texts:
                    value = row.get(name)
                    row[name] = None if value is None else str(value)
            writer.write_batch(pa.RecordBatch.from_pylist(batch, schema))
            written += len(batch)
    return written


def _metadata_kinds(session: Session) -> dict[str, str | None]:
    """Return the type of the values under each name; None where there are several."""
    kinds: dict[str, set[str]] = {}
    for name, kind in session.rows("SELECT DISTINCT name, kind FROM metadata ORDER BY name, kind"):
        kinds.setdefault(name, set()).update({kind} - {"none"})
    return {
        name: "float" if of == {"int", "float"} else next(iter(of)) if len(of) == 1 else None
        for name, of in kinds.items()
    }


def _schema(kinds: dict[str, str | None], pa: Any) -> Any:
    types = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}
    own = [pa.field("block", pa.string()), pa.field("version", pa.int64())]
    own.append(pa.field("origin", pa.string()))
    names = [*_NAMES, *(name for name in OF_CODE if name not in kinds)]
    of_chunks = [pa.field(of.name, of.type) for of in pa.schema(_core.no_rows(names))]
    more = [pa.field(name, types.get(kind or "", pa.string())) for name, kind in kinds.items()]
    return pa.schema([*own, *of_chunks, *more])
