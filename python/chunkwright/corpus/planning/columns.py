"""Columns of the rows of a corpus: those of chunks, those that are carried, vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.corpus.arrow.chunker import ArrowChunker
from chunkwright.corpus.planning.duplicates import DUPLICATE_OF
from chunkwright.errors import ConfigError
from chunkwright.io.rows import clashing
from chunkwright.rows import ALL, OF_ELEMENTS

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.embed import EmbedderLike

# Depends on what is cut together; errors have files of their own.
_LEFT_OUT = {"doc_index", "error"}


def own_schema(
    strategy: Chunker, *, kind: str | None, n_tokens: bool | None, may_have_elements: bool
) -> Any:
    """Return the columns that chunks have by themselves.

    Parameters
    ----------
    strategy
        What cuts.
    kind
        What texts of rows are read as.
    n_tokens
        Whether tokens are counted; None: where the limit is in tokens.
    may_have_elements
        Whether there are documents with elements, such as files of PDF, whatever the strategy.
    """
    import pyarrow as pa

    of_tables = ArrowChunker(strategy, kind=kind, n_tokens=n_tokens).schema(
        pa.schema([("text", pa.string())])
    )
    names = [name for name in of_tables.names if name not in _LEFT_OUT]
    if may_have_elements:
        with_elements = {*names, *OF_ELEMENTS}
        names = [name for name in ALL if name in with_elements and name not in _LEFT_OUT]
    plain = pa.schema(_core.no_rows(names))
    # Rows of tables have nulls where those of files have elements.
    fields = [
        field if field.name in of_tables.names else field.with_nullable(nullable=True)
        for field in plain
    ]
    return pa.schema(fields, of_tables.metadata)


def joined_schema(
    own: Any, carried: Any, *, marks: bool, embedder: EmbedderLike | None, vector_column: str
) -> Any:
    """Return all columns of the rows, in order.

    Raises
    ------
    ConfigError
        If one that is carried has the name of another.
    ModelError
        If the embedder, which tells how many dimensions there are, fails.
    """
    import pyarrow as pa

    behind = [pa.field(DUPLICATE_OF, pa.string())] if marks else []
    if embedder is not None:
        from chunkwright.corpus.arrow.vectors import Vectors, vector_type

        n_dims = Vectors(embedder, collects=True).n_dims
        behind.append(pa.field(vector_column, vector_type(n_dims)))
    if clash := clashing({*ALL, *(field.name for field in behind)}, carried.names):
        raise ConfigError(f"column {clash}", option="drop_columns")
    nullable = [field.with_nullable(nullable=True) for field in carried]
    return pa.schema([*own, *nullable, *behind], own.metadata)
