"""What can be set: one row a setting, for flags, environment and configuration file alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

DEFAULT_MAX_TOKENS = 512
LIMITS = {"max_tokens", "max_chars"}
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
)
READING = ("encoding", "errors")
ROWS = ("input_format", "text_column", "id_column", "drop_columns")
# Settings of one strategy: another one, of a higher level, replaces them.
OWNERS = {"separators": "recursive", "sentences": "sentence", "window": "sentence"}
SIZES = {"soft_max", "overlap"}
ALTERNATIVES = ({"language", "separators"}, {"overlap", "window"})


def _setting(
    about: str, *, kind: type = str, default: object = None, flags: tuple[str, ...] = ()
) -> Any:
    return field(default=default, metadata={"help": about, "kind": kind, "flags": flags})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of one run, flags, environment, configuration file and defaults put together."""

    strategy: str = _setting(
        "recursive (the default), window, sentence or balanced; over elements basic, by_title or "
        "by_page.",
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
        "sentences are cut, such as en (sentence, balanced)."
    )
    separators: Sequence[str] | None = _setting(
        r"A separator, first choice first; repeat the option for more. \n, \t, \r and \\ are "
        "understood (recursive only).",
        kind=list,
        flags=("--separator",),
    )
    sentences: int | None = _setting("Sentences in a chunk (sentence only).", kind=int)
    window: int | None = _setting(
        "Neighbouring sentences that a chunk repeats on each side (sentence only).", kind=int
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


def merge(levels: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Put levels together, the lowest first: a higher one replaces what a lower one says."""
    merged: dict[str, Any] = {}
    for level in levels:
        for name in _replaced(level, merged):
            merged.pop(name, None)
        merged |= level
    return merged


def _replaced(level: dict[str, Any], lower: dict[str, Any]) -> set[str]:
    """Names that `level` replaces without naming them: those that make no sense beside it."""
    replaced = set()
    limits = LIMITS & level.keys()
    if limits and limits != LIMITS & lower.keys():
        # A size is in the limit's unit: 64 tokens must not become 64 characters.
        replaced |= LIMITS
        replaced |= SIZES if LIMITS & lower.keys() else set()
    for pair in ALTERNATIVES:
        replaced |= pair if level.keys() & pair else set()
    if "strategy" in level:
        strategy = level["strategy"]
        replaced |= {name for name, owner in OWNERS.items() if strategy != owner}
        # "python" is no language of sentences.
        replaced |= {"language"} if strategy != lower.get("strategy", "recursive") else set()
    return replaced
