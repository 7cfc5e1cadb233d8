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
    about: str, *, kind: type = str, default: object = None, flags: tuple[str, ...] = ()
) -> Any:
    return field(default=default, metadata={"help": about, "kind": kind, "flags": flags})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of one run, flags, environment, configuration file and defaults put together."""

    strategy: str = _setting(
        "recursive (the default), window, sentence or balanced; by meaning kamradt, "
        "kamradt_modified, cluster or discontinuity; over elements basic, by_title, by_page or "
        "by_similarity.",
        default="recursive",
    )
    max_tokens: int | None = _setting(
        f"Most tokens in a chunk. Default: {DEFAULT_MAX_TOKENS}, unless --max-chars is given.",
        kind=int,
    )
    max_chars: int | None = _setting(
        "Most characters (code points) in a chunk, instead of --max-tokens.", kind=int
    )
    soft_max: int | None = _setting(
        "Size to aim at, in the limit's unit. Default: the limit.", kind=int
    )
    overlap: int | None = _setting(
        "Size to repeat from the chunk before, in the limit's unit; counts against the limit. "
        "Default: 0.",
        kind=int,
    )
    overlap_at: str | None = _setting(
        "Where an overlap begins: word, sentence or any. Default: sentence for the strategy of "
        "that name, else word."
    )
    tokenizer: str = _setting(
        "cl100k_base (the default), o200k_base, or the path of a tokenizer.json.",
        default="cl100k_base",
    )
    language: str | None = _setting(
        "Separators of a language, such as python or markdown (recursive), or the language whose "
        "sentences are cut, such as en (all other strategies that cut at sentences)."
    )
    separators: Sequence[str] | None = _setting(
        r"A separator, first choice first; repeat the option for more. \n, \t, \r and \\ are "
        "understood (recursive only).",
        kind=list,
        flags=("--separator",),
    )
    sentences: int | None = _setting("Sentences in a chunk (sentence only).", kind=int)
    window: int | None = _setting(
        "Neighbouring sentences that a chunk repeats on each side (sentence), or that are embedded "
        "or compared together with one (kamradt, kamradt_modified, discontinuity).",
        kind=int,
    )
    embedder: str | None = _setting(
        "What gives texts their vectors: lexical, or the path of a model's folder. Default: "
        "lexical for strategies by meaning, none for by_similarity."
    )
    threshold: str | None = _setting(
        "What a distance has to exceed: percentile (the default), standard_deviation, "
        "interquartile or gradient (kamradt only)."
    )
    amount: float | None = _setting(
        "How much of --threshold: a percentile, or how many deviations or ranges above the mean. "
        "Default: 95, 3, 1.5, 95 (kamradt only).",
        kind=float,
    )
    n_chunks: int | None = _setting(
        "Number of chunks to aim at, instead of --threshold (kamradt only).", kind=int
    )
    min_size: int | None = _setting(
        "Size that a chunk must have before a distance ends it, in the limit's unit. Default: 0 "
        "(kamradt only).",
        kind=int,
    )
    piece_max: int | None = _setting(
        "Largest piece that is embedded, in the limit's unit (kamradt_modified, cluster).",
        kind=int,
    )
    target: str | None = _setting(
        "Size that the threshold is searched for: that of the average chunk (the default) or of "
        "the largest, max (kamradt_modified only)."
    )
    target_size: int | None = _setting(
        "That size, in the limit's unit. Default: --soft-max, else half of the limit for average, "
        "the limit for max (kamradt_modified only).",
        kind=int,
    )
    mean: str | None = _setting(
        "What similarities are compared with: the mean of all pairs, global (the default), or of "
        "those that fit into one chunk, local (cluster only)."
    )
    parity: bool | None = _setting(
        "Cut as the Chroma report's program does, but within the limit (cluster only).",
        kind=bool,
    )
    similarity_threshold: float | None = _setting(
        "Least cosine of neighbours in one chunk, between 0 and 1. Default: 0.5 (by_similarity "
        "only).",
        kind=float,
    )
    input_format: str | None = _setting(
        "text, elements, jsonl, parquet or arrow. Default: by the suffix of each input, else text; "
        "elements where the strategy cuts them and the input holds them."
    )
    text_column: str = _setting(
        "Column or field that holds a row's text. Default: text.", default="text"
    )
    id_column: str | None = _setting(
        "Column or field that names a row's document. Default: its file and number."
    )
    drop_columns: Sequence[str] = _setting(
        "A column or field of the rows not to carry over; repeat the option for more.",
        kind=list,
        default=(),
        flags=("--drop-column",),
    )
    workers: int | None = _setting(
        "Threads that cut. Default: one for each core that may be used.", kind=int
    )
    vector_cache: bool = _setting(
        "Keep a model's vectors on disk, and take them from there (the default); `doctor` shows "
        "where.",
        kind=bool,
        default=True,
        flags=("--vector-cache/--no-vector-cache",),
    )
    encoding: str = _setting("Encoding of the inputs. Default: utf-8.", default="utf-8")
    errors: str = _setting(
        "What to do with bytes that are not in the encoding: strict (the default: the input "
        "fails), replace, ignore, backslashreplace, surrogateescape or surrogatepass.",
        default="strict",
    )
    format: str | None = _setting(
        "jsonl, parquet or arrow. Default: by the suffix of --out, else jsonl."
    )
    fail_fast: bool = _setting("Stop at the first input that fails.", kind=bool, default=False)
    quiet: bool = _setting(
        "No progress bar and no summary; failures are still named.",
        kind=bool,
        default=False,
        flags=("--quiet", "-q"),
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
