"""Chunking of datasets of Ray Data: actors that cut blocks where they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from chunkwright.corpus.arrow.chunker import MOST_BATCH_BYTES, ArrowChunker
from chunkwright.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from ray.data import Dataset


class BlockChunker:
    """Actor that cuts the documents of one block after another.

    Ray joins the tables that it is given to blocks of a size, and splits those that are half as
    large again. What comes in halves of that size at most is not split: so no document is in two
    blocks, of which a checkpoint might know one, and its other chunks would be lost.

    Parameters
    ----------
    chunker
        What cuts.
    """

    def __init__(self, chunker: ArrowChunker) -> None:
        self._chunker = chunker

    def __call__(self, block: pa.Table) -> Iterator[pa.Table]:
        """Yield the chunks of a block, in tables of ``batch_bytes`` at most; an empty one if none.

        Raises
        ------
        ConfigError
            If there is a checkpoint, and a document is too large to stay in one block.
        ReadError, TokenizerError, ModelError
            As :meth:`ArrowChunker.map_iter`.
        """
        import pyarrow as pa
        from ray.data import DataContext

        context, is_empty = DataContext.get_current(), True
        most = (context.target_max_block_size or 2 * MOST_BATCH_BYTES) // 2
        for batch in self._chunker.whole_documents(block, min(most, self._chunker.batch_bytes)):
            is_empty = False
            if batch.nbytes > most and context.checkpoint_config is not None:
                _refuse(batch, most)
            yield pa.Table.from_batches([batch])
        if is_empty:
            # What reads the dataset is told the columns by its first block.
            yield self._chunker.schema(block.schema).empty_table()


def _refuse(batch: pa.RecordBatch, most: int) -> NoReturn:
    name = batch["document"][0].as_py()
    raise ConfigError(
        f"the chunks of document {name!r} are {batch.nbytes:,} bytes, and with a checkpoint Ray"
        f" would lose some of more than {most:,}, half of target_max_block_size: set"
        f" DataContext.target_max_block_size to {2 * batch.nbytes:,} at least"
    )


def chunk_dataset(
    dataset: Dataset,
    chunker: ArrowChunker,
    *,
    concurrency: int | tuple[int, int] | None = None,
    batch_size: int | None = None,
    **ray_options: Any,
) -> Dataset:
    """Return a dataset with a row for each chunk of the documents of ``dataset``.

    Nothing is cut before the dataset is read or written. Blocks are read where they lie in Ray's
    object store, without a copy. ``docs/engines.md`` says how to resume a run.

    Parameters
    ----------
    dataset
        The documents.
    chunker
        What cuts. Where it does not say how many ``workers``, an actor has as many threads as it
        has ``num_cpus``.
    concurrency
        How many actors there are, or the least and the most; by default one at least, and as many
        as the cluster has room for.
    batch_size
        Documents that are cut at once; by default those of one block, which Ray measures in bytes:
        128 MiB at most where ``DataContext.target_max_block_size`` is not set.
    **ray_options
        What an actor needs, as ``Dataset.map_batches`` takes it: ``num_cpus`` (1), ``num_gpus``,
        ``memory`` in bytes. With ``num_gpus`` Ray wants a ``batch_size``.

    Raises
    ------
    ConfigError
        When the dataset is read, if the chunker cannot be sent to other processes. Actors raise
        what their chunkers do.
    MissingExtraError
        If Ray Data is not installed.

    Examples
    --------
    ::

        import ray
        from chunkwright.corpus.arrow.chunker import ArrowChunker
        from chunkwright.corpus.ray_data import chunk_dataset

        documents = ray.data.read_parquet("documents/", columns=["id", "text"])
        chunker = ArrowChunker("recursive", id_column="id")
        chunk_dataset(documents, chunker).write_parquet("chunks/")
    """
    try:
        from ray.data import ActorPoolStrategy
    except ImportError as error:
        raise MissingExtraError("chunks of datasets of Ray Data", "ray") from error
    if chunker.workers is None:
        chunker = replace(chunker, workers=max(1, int(ray_options.get("num_cpus") or 1)))
    compute = None
    if concurrency is not None:
        least, most = concurrency if isinstance(concurrency, tuple) else (concurrency, concurrency)
        compute = ActorPoolStrategy(min_size=least, max_size=most)
    return dataset.map_batches(
        BlockChunker,
        fn_constructor_args=(chunker,),
        batch_format="pyarrow",
        batch_size=batch_size,
        zero_copy_batch=True,
        compute=compute,
        **ray_options,
    )
