"""Chunking of data frames of Spark, finished or streaming, by ``mapInArrow``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chunkwright.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame

    from chunkwright.corpus.arrow.chunker import ArrowChunker


class PartitionChunker:
    """Function that cuts the documents of a partition, as ``mapInArrow`` calls it.

    Parameters
    ----------
    chunker
        What cuts.
    schema
        The columns of chunks, of types that Spark reads.
    """

    def __init__(self, chunker: ArrowChunker, schema: pa.Schema) -> None:
        self._chunker, self._schema = chunker, schema

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the chunks of one batch after another.

        Raises
        ------
        ConfigError, ReadError, TokenizerError, ModelError
            As :meth:`ArrowChunker.map_iter`.
        """
        for chunks in self._chunker.map_iter(batches):
            yield chunks.cast(self._schema)


def chunk_frame(frame: DataFrame, chunker: ArrowChunker) -> DataFrame:
    """Return a data frame with a row for each chunk of the documents of ``frame``.

    Nothing is cut before the frame is read or written. It may be a streaming one, with a checkpoint
    of Structured Streaming: then a run that failed resumes where it was. ``docs/engines.md`` has an
    example.

    Parameters
    ----------
    frame
        The documents.
    chunker
        What cuts. Where it does not say how many ``workers``, a task has one thread: Spark runs as
        many tasks as there are cores.

    Raises
    ------
    ConfigError
        If a column is missing, of a wrong type, or called as one of the chunks' own; if the chunker
        cannot be sent to other processes. A task raises what its chunker does.
    ModelError
        If the embedder fails, which is asked here for the number of its dimensions.
    MissingExtraError
        If PySpark is not installed.

    Examples
    --------
    ::

        from chunkwright.corpus.arrow.chunker import ArrowChunker
        from chunkwright.corpus.spark_frames import chunk_frame

        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "512")
        documents = spark.read.parquet("documents/").select("id", "text")
        chunks = chunk_frame(documents, ArrowChunker("recursive", id_column="id"))
        chunks.write.parquet("chunks/")
    """
    try:
        from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
    except ImportError as error:
        raise MissingExtraError("chunks of data frames of Spark", "spark") from error
    if chunker.workers is None:
        chunker = replace(chunker, workers=1)
    # Which time zone a timestamp is in does not change what it is to Spark.
    documents = to_arrow_schema(frame.schema, timezone="UTC")
    chunks = _readable(chunker.schema(documents))
    return frame.mapInArrow(PartitionChunker(chunker, chunks), from_arrow_schema(chunks))


def _readable(schema: pa.Schema) -> pa.Schema:
    """Return a schema with lists in the place of those of a fixed size, which Spark cannot read."""
    import pyarrow as pa

    fields = [
        f.with_type(pa.list_(f.type.value_type)) if pa.types.is_fixed_size_list(f.type) else f
        for f in schema
    ]
    return pa.schema(fields)
