"""Measures of sampled chunks: bytes of Parquet, tokens, and the time of embedding."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.output.parquet import COMPRESSION, GROUP_BYTES
from chunkwright.tokens.tokenizer import as_tokenizer

if TYPE_CHECKING:
    from chunkwright.corpus.planning.plan import Job
    from chunkwright.embed import EmbedderLike

# Tokens are counted in so many chunks, if the strategy does not count them.
_COUNTED = 1024
# So many chunks are embedded at most, so many of them at once, for so many seconds.
_EMBEDDED, _AT_ONCE, _SECONDS = 256, 32, 5.0


def parquet_bytes(schema: Any, tables: Sequence[Any]) -> int:
    """Return how many bytes tables take as one file, compressed as a run compresses them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink, rows = pa.BufferOutputStream(), list[Any]()
    with pq.ParquetWriter(sink, schema, compression=COMPRESSION) as writer:
        for table in tables:
            rows.append(table)
            if sum(each.nbytes for each in rows) >= GROUP_BYTES:
                writer.write_table(pa.concat_tables(rows).combine_chunks())
                rows = []
        if rows:
            writer.write_table(pa.concat_tables(rows).combine_chunks())
    return int(sink.getvalue().size)


def tokens_per_byte(columns: Sequence[Any], job: Job) -> float:
    """Return how many tokens of the strategy's tokenizer a byte of the texts has."""
    texts = _evenly(columns, _COUNTED)
    tokenizer = as_tokenizer(getattr(job.strategy, "tokenizer", "cl100k_base"))
    return sum(tokenizer.count_batch(texts)) / max(1, _n_bytes(texts))


def embedding(embedder: EmbedderLike, columns: Sequence[Any]) -> tuple[float, float]:
    """Embed some texts.

    Returns
    -------
    tuple
        Seconds for each byte of the texts, and bytes of a file for each vector.

    Raises
    ------
    ModelError
        If the embedder refuses all requests.
    """
    import numpy as np
    import pyarrow as pa

    from chunkwright.corpus.arrow.vectors import Vectors, vector_column, vector_type

    texts, vectors = _evenly(columns, _EMBEDDED), Vectors(embedder, collects=True)
    schema = pa.schema([("vector", vector_type(vectors.n_dims))])
    found, seconds, n_done = list[Any](), 0.0, 0
    while n_done < len(texts) and seconds < _SECONDS:
        some = texts[n_done : n_done + _AT_ONCE]
        began = perf_counter()
        rows, _ = vectors.of_documents(some, np.arange(len(some)))
        seconds += perf_counter() - began
        n_done += len(some)
        found.append(pa.table([vector_column(rows, np.ones(len(some), np.bool_))], schema))
    if not n_done:
        return 0.0, 0.0
    n_bytes = parquet_bytes(schema, found) - parquet_bytes(schema, [])
    return seconds / max(1, _n_bytes(texts[:n_done])), n_bytes / n_done


def _evenly(columns: Sequence[Any], most: int) -> list[str]:
    """Return texts of columns, at most so many, at even distances."""
    n_texts = sum(len(column) for column in columns)
    step, at = max(1.0, n_texts / most), 0.0
    texts: list[str] = []
    first = 0
    for column in columns:
        while at < first + len(column):
            texts.append(column[int(at) - first].as_py())
            at += step
        first += len(column)
    return texts


def _n_bytes(texts: Sequence[str]) -> int:
    return sum(len(text.encode()) for text in texts)
