"""What can be set: one row a setting, for flags, environment and configuration file alike."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from chunkwright.chunking.options import DEFAULT_MAX_TOKENS

LIMITS = {"max_tokens", "max_chars"}
BY_MEANING = (
    "embedder",
    "threshold",
    "amount",
    "n_chunks",
    "min_size",
    "piece_max",
    "target",
    "target_size",
    "mean",
    "parity",
    "similarity_threshold",
)
CUTTING = (
    "strategy",
    "max_tokens",
    "max_chars",
    "soft_max",
    "overlap",
    "overlap_at",
    "tokenizer",
    "language",
    "separators",
    "sentences",
    "window",
    *BY_MEANING,
)
READING = ("encoding", "errors")
ROWS = ("input_format", "text_column", "id_column", "drop_columns")


def _setting(
    about: str,
    *,
    kind: type = str,
    default: object = None,
    flags: tuple[str, ...] = (),
    is_hidden: bool = False,
) -> Any:
    """Describe a setting; one that is hidden is shown with its strategy only."""
    about_it = {"help": about, "kind": kind, "flags": flags, "is_hidden": is_hidden}
    return field(default=default, metadata=about_it)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of one run, flags, environment, configuration file and defaults put together."""

    strategy: str = _setting(
        "recursive (the default), window, sentence, balanced; by meaning kamradt, "
        "kamradt_modified, cluster, discontinuity; for elements basic, by_title, by_page, "
        "by_similarity.",
        default="recursive",
    )
    max_tokens: int | None = _setting(
        f"Largest chunk, in tokens. Default: {DEFAULT_MAX_TOKENS}.", kind=int
    )
    max_chars: int | None = _setting(
        "Largest chunk, in characters, instead of --max-tokens.", kind=int
    )
    soft_max: int | None = _setting("Size to aim for. Default: the limit.", kind=int)
    overlap: int | None = _setting(
        "How much of the chunk before a chunk repeats; counts against the limit. Default: 0.",
        kind=int,
    )
    overlap_at: str | None = _setting("Where an overlap may begin: word, sentence or any.")
    tokenizer: str = _setting(
        "What counts tokens: cl100k_base (the default), o200k_base, or the path of a "
        "tokenizer.json.",
        default="cl100k_base",
    )
    language: str | None = _setting(
        "Of code, such as python or markdown (recursive), or of the text, such as en."
    )
    separators: Sequence[str] | None = _setting(
        r"A separator, best first; may be repeated. \n, \t, \r and \\ are understood.",
        kind=list,
        flags=("--separator",),
    )
    sentences: int | None = _setting("Sentences in a chunk.", kind=int, is_hidden=True)
    window: int | None = _setting(
        "Neighbouring sentences that a chunk repeats on each side (sentence), or that are embedded "
        "or compared together with one (kamradt, kamradt_modified, discontinuity).",
        kind=int,
        is_hidden=True,
    )
    embedder: str | None = _setting(
        "What gives texts their vectors: lexical, or the path of a model's folder. Default: "
        "lexical; none for by_similarity.",
        is_hidden=True,
    )
    threshold: str | None = _setting(
        "What a distance must exceed: percentile (the default), standard_deviation, interquartile "
        "or gradient.",
        is_hidden=True,
    )
    amount: float | None = _setting(
        "How much of --threshold: a percentile, or how many deviations or ranges above the mean. "
        "Default: 95, 3, 1.5, 95.",
        kind=float,
        is_hidden=True,
    )
    n_chunks: int | None = _setting(
        "Number of chunks to aim for, instead of --threshold.", kind=int, is_hidden=True
    )
    min_size: int | None = _setting(
        "Size that a chunk must have before a distance ends it. Default: 0.",
        kind=int,
        is_hidden=True,
    )
    piece_max: int | None = _setting(
        "Largest piece that is embedded, in the limit's unit.", kind=int, is_hidden=True
    )
    target: str | None = _setting(
        "Whose size the threshold is searched for: that of the average chunk (average, the "
        "default) or of the largest (max).",
        is_hidden=True,
    )
    target_size: int | None = _setting(
        "That size. Default: --soft-max, else half of the limit for average, the limit for max.",
        kind=int,
        is_hidden=True,
    )
    mean: str | None = _setting(
        "What similarities are compared with: the mean of all pairs (global, the default), or of "
        "pairs that fit into one chunk (local).",
        is_hidden=True,
    )
    parity: bool | None = _setting(
        "Cut as the Chroma report's program does, but within the limit.",
        kind=bool,
        is_hidden=True,
    )
    similarity_threshold: float | None = _setting(
        "Least cosine of neighbours in one chunk, between 0 and 1. Default: 0.5.",
        kind=float,
        is_hidden=True,
    )
    input_format: str | None = _setting(
        "text, elements, jsonl, parquet or arrow. Default: by each input's suffix."
    )
    text_column: str = _setting("Column of a row's text. Default: text.", default="text")
    id_column: str | None = _setting("Column that names a row's document.")
    drop_columns: Sequence[str] = _setting(
        "A column not to carry over; may be repeated.",
        kind=list,
        default=(),
        flags=("--drop-column",),
    )
    workers: int | None = _setting("Threads that cut. Default: one a core.", kind=int)
    vector_cache: bool = _setting(
        "Keep a model's vectors on disk (the default); doctor shows where.",
        kind=bool,
        default=True,
        flags=("--vector-cache/--no-vector-cache",),
        is_hidden=True,
    )
    encoding: str = _setting("Encoding of the inputs. Default: utf-8.", default="utf-8")
    errors: str = _setting(
        "For bytes that are not in it: strict (the default: the input fails), replace, ignore, "
        "backslashreplace, surrogateescape or surrogatepass.",
        default="strict",
    )
    format: str | None = _setting("jsonl, parquet or arrow. Default: by the suffix of --out.")
    fail_fast: bool = _setting("Stop at the first input that fails.", kind=bool, default=False)
    quiet: bool = _setting(
        "No progress bar, no summary.",
        kind=bool,
        default=False,
        flags=("--quiet", "-q"),
    )
    verbose: bool = _setting(
        "Show what takes long and what is skipped.",
        kind=bool,
        default=False,
        flags=("--verbose", "-v"),
    )

    @property
    def limit(self) -> dict[str, int]:
        """The limits that are set, or the default one."""
        given = {"max_tokens": self.max_tokens, "max_chars": self.max_chars}
        known = {name: value for name, value in given.items() if value is not None}
        if self.sentences is not None:
            # Their number is a limit by itself.
            return known
        return known or {"max_tokens": DEFAULT_MAX_TOKENS}
