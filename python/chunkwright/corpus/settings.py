"""Settings of runs over corpora, for Python and for the command line."""

from dataclasses import dataclass, fields
from typing import Literal, get_args

from chunkwright.settings import setting, size_text

Duplicates = Literal["keep", "drop", "mark"]
DUPLICATES: tuple[str, ...] = get_args(Duplicates)
"""What can be done with documents that are the same as one before them."""
SHARD_BYTES = 64 * 2**20
"""Bytes of input that make one shard, at most, by default."""
LOCAL = "local"
ENGINES = {
    LOCAL: "pipeline.run:run_shards",
    "ray": "engines.ray:run_ray",
    "spark": "engines.spark:run_spark",
}
"""The engines by name, first this machine's threads: a module of the corpus, a function in it."""
_OTHERS = " or ".join(", ".join([*ENGINES][1:]).rsplit(", ", 1))


@dataclass(frozen=True, kw_only=True)
class CorpusSettings:
    """The settings of a run, as `chunkwright.corpus.Corpus` takes them, models by their names."""

    vectors: str | None = setting(
        "Embed each chunk with this model (the path of its folder), in a column of vectors."
    )
    vector_column: str = setting(
        "Name of the column of vectors. Default: vector.", default="vector"
    )
    duplicates: Duplicates = setting(  # noqa: RUF009 - it makes a field
        "What to do with duplicates, documents with the same text as an earlier one apart "
        "from whitespace: keep (the default), drop, or mark in a column duplicate_of.",
        default="keep",
    )
    shard_size: str = setting(
        f"Most bytes of input for one output file. Default: {size_text(SHARD_BYTES)}.",
        default=size_text(SHARD_BYTES),
    )
    engine: str = setting(
        f"What does the work: {LOCAL} (the default: threads of this machine), {_OTHERS}.",
        default=LOCAL,
    )
    max_errors: int | None = setting(
        "Most documents that may fail before the run stops. Default: all.", kind=int
    )


CORPUS = tuple(one.name for one in fields(CorpusSettings))
"""The names of the settings of runs over corpora."""
