"""Estimate of a run by a sample: chunks, bytes, tokens, time and money, before anything is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from chunkwright.concurrency.cores import usable_cores
from chunkwright.corpus.estimating.strata import Strata, strata_of
from chunkwright.corpus.estimating.trials import Asking, Cutting, model_of
from chunkwright.corpus.output.parquet import COMPRESSION, GROUP_BYTES
from chunkwright.errors import ConfigError
from chunkwright.tokens.tokenizer import as_tokenizer

if TYPE_CHECKING:
    from chunkwright.corpus.planning.plan import Job, Plan
    from chunkwright.embed import EmbedderLike
    from chunkwright.llm import Estimate as ModelEstimate

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


# Samples and the bytes of each; of strategies that embed what they cut, which takes long.
_SPOTS, _SPOT_BYTES = 32, 2**18
_FEW_SPOTS, _FEW_BYTES = 8, 2**13
# Seconds after which no other sample is cut.
_PATIENCE = 20.0
# Prices are of so many tokens.
_PER = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """An estimate of what a run would read, write, take and cost.

    A value of None is not known, such as the number of chunks of a strategy that asks a language
    model, because an estimate does not ask it.

    Attributes
    ----------
    n_files, n_shards
        The number of files to read, and of shards to make.
    size
        Bytes of the inputs.
    sampled
        Bytes of the inputs that were read for the estimate.
    documents, failed
        Documents that would be cut, and those that would fail; duplicates are included.
    chunks
        Rows that would be written.
    deviation
        The standard deviation of that number as a share of it, estimated from the differences
        between samples; None if everything was sampled, or only one sample was taken.
    text_bytes, tokens
        The sums over chunks of the bytes and tokens to embed: of the texts, including contexts.
        Tokens are those of the strategy's tokenizer.
    output_bytes
        Bytes of the Parquet files.
    read_seconds, cut_seconds
        The time to read and to cut on this machine.
    embed_seconds
        The time to embed on this machine; None without an embedder. Stages work at the same time,
        so the slowest determines the duration of a run.
    cost
        The price of embedding the tokens, in the currency of the price; None without a price.
    model
        The estimate for a language model; None if none is asked.
    changes
        The settings that differ from those of the output, in words: everything would be rebuilt.
    """

    n_files: int
    n_shards: int
    size: int
    sampled: int
    documents: int
    failed: int
    chunks: int | None = None
    deviation: float | None = None
    text_bytes: int | None = None
    tokens: int | None = None
    output_bytes: int | None = None
    read_seconds: float | None = None
    cut_seconds: float | None = None
    embed_seconds: float | None = None
    cost: float | None = None
    model: ModelEstimate | None = None
    changes: Sequence[str] = ()

    @property
    def seconds(self) -> float:
        """The duration of the run on this machine, whose stages share all cores."""
        stages = [self.read_seconds or 0, self.cut_seconds or 0, self.embed_seconds or 0]
        return max(*stages, sum(stages) / usable_cores())

    @property
    def total_cost(self) -> float | None:
        """The price of the run, in the currency of the prices; None without a price."""
        costs = [self.cost, None if self.model is None else self.model.cost]
        return (
            sum(cost for cost in costs if cost is not None)
            if any(cost is not None for cost in costs)
            else None
        )

    @property
    def sampled_share(self) -> float:
        """The share of the inputs' bytes that was sampled, from 0 to 1."""
        return min(1.0, self.sampled / self.size) if self.size else 1.0


def estimate_of(plan: Plan, price: float | None = None) -> Estimate:
    """Estimate what a run would make and take; nothing is written, and no language model asked.

    Parameters
    ----------
    plan
        What the run would do.
    price
        That of a million tokens of an embedder.

    Raises
    ------
    ConfigError
        If what a model would be asked depends on what another one says.
    ModelError
        If the embedder fails.
    """
    job: Any = plan.job
    asks = getattr(job.strategy, "llm", None) is not None
    if getattr(getattr(job.strategy, "strategy", None), "llm", None) is not None:
        raise ConfigError(
            "what would be asked about chunks is not known before the model that cuts them was"
            " asked: estimate the strategy that cuts by itself",
            option="strategy",
        )
    make = Asking(job) if asks else Cutting(job)
    units = [unit for shard in plan.shards for unit in shard.units]
    n_spots, most = (_FEW_SPOTS, _FEW_BYTES) if _embeds(plan.job) else (_SPOTS, _SPOT_BYTES)
    strata = strata_of(units, plan.job, n_spots, most)
    strata.sample(make, _PATIENCE)
    documents, failed = strata.documents()
    known: dict[str, Any] = {
        "n_files": plan.n_files,
        "n_shards": len(plan.shards),
        "size": plan.size,
        "sampled": strata.sampled,
        "documents": documents,
        "failed": failed + len(plan.problems),
        "read_seconds": strata.total(lambda each: each.sample.seconds),
    }
    if asks:
        return Estimate(**known, model=model_of(strata.scaled))
    return Estimate(**known, **_of_chunks(strata, plan, price))


def _embeds(job: Job) -> bool:
    """Return whether the strategy compares texts by the vectors of a model."""
    embedder = getattr(job.strategy, "embedder", None)
    return embedder is not None and embedder != "lexical"


def _of_chunks(strata: Strata, plan: Plan, price: float | None) -> dict[str, Any]:
    """Return the estimates that depend on how documents are cut."""
    import pyarrow as pa

    job = plan.job
    tables = [table for each in strata.trials for table in each.tables]
    columns = [column for each in strata.trials for column in each.columns]
    text_bytes = strata.total(lambda each: each.text_bytes)
    if any(each.tokens is None for each in strata.trials):
        tokens = tokens_per_byte(columns, job) * text_bytes
    else:
        tokens = strata.total(lambda each: each.tokens or 0)
    vector = None if job.embedder is None else job.vector_column
    schema = pa.schema([f for f in job.schema if f.name != vector], job.schema.metadata)
    empty = parquet_bytes(schema, [])
    of_sample = max(1, sum(each.text_bytes for each in strata.trials))
    rows = (parquet_bytes(schema, tables) - empty) / of_sample * text_bytes
    chunks = round(strata.total(lambda each: each.chunks))
    found: dict[str, Any] = {
        "chunks": chunks,
        "deviation": strata.deviation,
        "text_bytes": round(text_bytes),
        "tokens": round(tokens),
        "cut_seconds": strata.total(lambda each: each.seconds),
        "cost": None if price is None else tokens / _PER * price,
    }
    vectors = 0.0
    if job.embedder is not None:
        seconds, bytes_of_one = embedding(job.embedder, columns)
        vectors = bytes_of_one * chunks
        found["embed_seconds"] = seconds * text_bytes
    found["output_bytes"] = round(rows + vectors + empty * len(plan.shards))
    return found
