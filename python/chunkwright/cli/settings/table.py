"""Table of the settings: those of a run, and the options of the strategies, derived from these."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from chunkwright.chunking.bases.options import DEFAULT_MAX_TOKENS
from chunkwright.chunking.option_table import option_table
from chunkwright.chunking.registry import ALL_STRATEGIES, STRATEGIES, options_of
from chunkwright.cli.settings.model import CONTEXT, MODEL, ContextSettings, ModelSettings
from chunkwright.corpus.settings import CorpusSettings
from chunkwright.io.sources import FORMATS
from chunkwright.io.toml import Kind
from chunkwright.readers.kinds import PARTS
from chunkwright.readers.ocr.engines import ENGINES, OCR
from chunkwright.settings import Setting, setting

LLM = "llm"
"""The option that is a language model: settings describe it by `MODEL`."""
LIMITS = {"max_tokens", "max_chars"}
READING = ("encoding", "errors")
DROP = ("drop",)
"""Setting of the parts that pages are read without; messages may have the word, too."""
SHADOWS = ("shadows",)
RUNNING = ("root", "vector_cache", "workers", "format", "fail_fast", "quiet", "verbose")
ROWS = ("input_format", "text_column", "text_kind", "id_column", "drop_columns")
DEFAULT_STRATEGY, AUTO = "recursive", "auto"
# What help shows beside the options that all strategies over text have.
SHOWN = {"separators"}
# Options whose lists may hold tables, in files.
OF_TABLES = {"separators", "split_at"}
# Options that Python takes objects for, and settings take names.
NAMED = {
    "prompt": "File with a prompt of your own for the model.",
    "tokenizer": "Tokenizer that counts tokens: cl100k_base (the default), o200k_base, gpt2, or "
    "the path of a tokenizer.json.",
    "embedder": "Embedder that makes the vectors: lexical, or the path of a model's folder. "
    "Default: lexical; none for by_similarity and structural.",
    "separators": "Separators of a programming or markup language, such as python or markdown.",
    "split_at": "A mark at which texts are always cut; may be repeated.",
    "keep_mark": "Where the mark goes: start (the default), end, drop.",
}


_OTHERS = [name for name in ALL_STRATEGIES if name not in {DEFAULT_STRATEGY, AUTO}]

KINDS: dict[str, tuple[Kind, ...]] = {
    "size": (int,),
    "int": (int,),
    "number": (float,),
    "flag": (bool,),
    "separators": (str, list[str]),
    "marks": (list[str],),
}
"""The kinds of settings that are options; what is none of these is given by its name."""


@dataclass(frozen=True)
class Row:
    """A setting: what it is called, what values it takes, and what help says of it."""

    name: str
    kinds: tuple[Kind, ...]
    about: str
    flags: tuple[str, ...]
    is_size: bool = False
    """Whether it is in the unit of the limit."""

    @property
    def flag(self) -> str:
        """The name of the setting in messages."""
        return self.flags[0].split("/")[0]

    @property
    def kinds_in_files(self) -> tuple[Kind, ...]:
        """The values that it takes in a file; none where the strategy itself checks them."""
        return () if self.name in OF_TABLES else self.kinds


@dataclass(frozen=True, kw_only=True)
class Settings(ModelSettings, ContextSettings, CorpusSettings):
    """The settings of one run, flags, environment, configuration file and defaults put together.

    `options` are those of the strategy, as far as they are set.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    strategy: str = setting(
        f"{AUTO} (the default of folders and several files: each by what it is), "
        f"{DEFAULT_STRATEGY} (of one file), {', '.join(_OTHERS)}.",
        default=DEFAULT_STRATEGY,
    )
    input_format: str | None = setting(
        f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}. Default: by content, else by suffix."
    )
    root: str | None = setting(
        "Folder that the names of documents (and so their ids) are relative to."
    )
    text_column: str = setting("Column with the text. Default: text.", default="text")
    text_kind: str | None = setting(
        "Format of the texts in rows, as for --input-format. Default: by content for "
        "strategies over elements, else text."
    )
    id_column: str | None = setting("Column with the name of the document.")
    drop_columns: Sequence[str] = setting(
        "Column not to copy to the chunks; may be repeated.", default=()
    )
    shadows: int | None = setting(
        "Tokens of the neighbouring chunks of the same section to write into columns beside "
        "each chunk.",
        kind=int,
    )
    workers: int | None = setting("Number of threads. Default: one a core.", kind=int)
    vector_cache: bool = setting(
        "Cache a model's vectors on disk (the default); doctor shows where.", default=True
    )
    encoding: str | None = setting(
        "Encoding of the inputs. Default: detected; UTF-8 for JSON lines."
    )
    errors: str | None = setting(
        "What to do with bytes that the encoding does not allow: strict (the default: the "
        "input fails), replace (the default for HTML), ignore, backslashreplace, "
        "surrogateescape or surrogatepass."
    )
    drop: Sequence[str] = setting(
        f"HTML parts to leave out: {', '.join(PARTS)}.",
        default=(),
    )
    pages: str | None = setting("Pages to read, such as 3-7; a file without pages fails.")
    password: str | None = setting("Password of encrypted files.")
    attachments: bool = setting("Also read the attachments of mail.", default=False)
    hidden: bool = setting("Also read hidden slides, sheets, rows and columns.", default=False)
    ocr: str | None = setting(
        f"Pages to recognise by OCR: {', '.join(OCR)}. Default: auto, the pages that need it, "
        f"if the extra ocr is installed."
    )
    ocr_engine: str | None = setting(f"OCR engine: {' or '.join(ENGINES)}.")
    ocr_languages: Sequence[str] | None = setting(
        "Language for OCR, such as de; may be repeated.", kind=list[str]
    )
    format: str | None = setting(
        "jsonl, parquet, arrow or docling. Default: by the suffix of --out."
    )
    fail_fast: bool = setting("Stop at the first input that fails.", default=False)
    quiet: bool = setting(
        "Show failures only, no progress bar and no summary.", default=False, short="-q"
    )
    verbose: bool = setting(
        "Also show what takes a second or more, and what is skipped.", default=False, short="-v"
    )

    @classmethod
    def of(cls, merged: Mapping[str, Any]) -> "Settings":
        """Return settings of one table, in which options stand beside the others."""
        own = {name: value for name, value in merged.items() if name in FIELDS}
        options = {name: value for name, value in merged.items() if name not in FIELDS}
        return cls(options=options, **own)

    @property
    def tokenizer(self) -> str:
        """The tokenizer that counts tokens."""
        name: str = self.options.get("tokenizer", "cl100k_base")
        return name

    @property
    def limit(self) -> dict[str, int]:
        """The limits that are set, or the default one."""
        known = {name: self.options[name] for name in LIMITS & self.options.keys()}
        # A number of sentences is a limit by itself.
        has_limit = bool(known) or self.options.get("sentences") is not None
        return known if has_limit else {"max_tokens": DEFAULT_MAX_TOKENS}


FIELDS = {each.name: Setting.of(each) for each in fields(Settings) if each.name != "options"}


@cache
def row_of(name: str) -> Row | None:
    """Return the setting of that name; None if there is none."""
    if name in FIELDS:
        own = FIELDS[name]
        kinds: tuple[Kind, ...] = (list[str] if own.takes_many else own.kind,)
        short = (own.short,) if own.short else ()
        return Row(
            name, kinds, own.about, (*_flags(name, kinds, has_no=own.default is True), *short)
        )
    owner = next((each for each in ALL_STRATEGIES if name in options_of(each)), None)
    if owner is None:
        return None
    kind = option_table(owner)[name].kind
    kinds = KINDS.get(kind, (str,))
    flags = _flags(name, kinds, has_no=True)
    return Row(name, kinds, about(name, owner), flags, is_size=kind == "size")


def is_hidden(name: str) -> bool:
    """Return whether a setting is shown in the help of its strategies only."""
    if name in FIELDS:
        return name in {"vector_cache", *MODEL, *CONTEXT}
    return name not in SHOWN and any(name not in options_of(each) for each in STRATEGIES)


def about(name: str, strategy: str) -> str:
    """Return what help says of a strategy's option: what it is for, and the default."""
    if name in NAMED:
        return NAMED[name]
    option = option_table(strategy)[name]
    shown = option.about
    if option.default is not None and "default" not in shown:
        shown = f"{shown} Default: {str(option.default).lower()}."
    return re.sub("`(.*?)`", _as_flag, shown)


def cutting() -> tuple[str, ...]:
    """Return the names of the settings that say how is cut."""
    names = (option for strategy in ALL_STRATEGIES for option in options_of(strategy))
    return tuple(name for name in dict.fromkeys(["strategy", *names]) if name != LLM)


def kinds_in_tables() -> dict[str, tuple[Kind, ...]]:
    """Return the settings that a table of the configuration file may have, with their kinds."""
    return {name: row.kinds_in_files for name in cutting() if (row := row_of(name))}


def rows() -> Iterator[Row]:
    """Yield all settings."""
    yield from (row for name in dict.fromkeys([*cutting(), *FIELDS]) if (row := row_of(name)))


def _flags(name: str, kinds: tuple[Kind, ...], *, has_no: bool) -> tuple[str, ...]:
    flag = name.replace("_", "-")
    if kinds == (list[str],):
        # Its values are named one by one.
        return (f"--{flag.removesuffix('s')}",)
    return (f"--{flag}/--no-{flag}" if kinds == (bool,) and has_no else f"--{flag}",)


def _as_flag(match: re.Match[str]) -> str:
    code = match[1].strip('"')
    return f"--{code.replace('_', '-')}" if code in cutting() and code == match[1] else code
