"""Settings of runs over corpora."""

from dataclasses import dataclass, fields

from chunkwright.cli.settings.model import setting


@dataclass(frozen=True, kw_only=True)
class CorpusSettings:
    """The settings of a run, as `chunkwright.corpus.Corpus` takes them, models by their names."""

    vectors: str | None = setting(
        "Model of a column of vectors: the path of its folder. Default: none."
    )
    vector_column: str = setting("Name of that column. Default: vector.", default="vector")
    duplicates: str = setting(
        "What is done with documents that are the same as one before: keep (the default), drop, "
        "or mark in a column.",
        default="keep",
    )
    shard_size: str = setting(
        "Bytes of input for each file of the output, at most. Default: 64MiB.", default="64MiB"
    )
    engine: str = setting(
        "local (the default: this machine's threads), ray or spark.", default="local"
    )
    max_errors: int | None = setting("So many documents may fail. Default: all of them.")


CORPUS = tuple(each.name for each in fields(CorpusSettings))
"""The names of the settings of runs over corpora."""
