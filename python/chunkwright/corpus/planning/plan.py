"""Plan of a run: its options, the files of its inputs as shards, and what is done with each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from chunkwright.checks import checked_int, checked_name
from chunkwright.chunking.bases.strategy import fingerprint_of
from chunkwright.chunking.batch import checked_workers
from chunkwright.corpus.arrow.chunker import ArrowChunker
from chunkwright.corpus.inputs.listing import InputFile, listed
from chunkwright.corpus.inputs.splitting import Shard, Unit, grouped, shard_of, units_of
from chunkwright.corpus.planning.columns import carried_schema, joined_schema, own_schema
from chunkwright.corpus.planning.duplicates import HashFiles, Marks, marks_of
from chunkwright.corpus.settings import DUPLICATES, SHARD_BYTES, CorpusSettings, Duplicates
from chunkwright.embed import as_embedder
from chunkwright.errors import ConfigError, ReadError
from chunkwright.io.documents import reader_fingerprint
from chunkwright.io.missing import folders_of
from chunkwright.io.sources import Reading, Source
from chunkwright.readers.kinds import FILES

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.embed import EmbedderLike

FROM_INPUTS = frozenset({"readers", "columns"})
"""Settings that follow from which inputs there are, and no option says."""

_USUAL = Reading()
# What rows depend on: the rest says when a run ends.
_READING = (
    *("input_format", "encoding", "errors", "drop", "pages", "text_column", "id_column"),
    *("attachments", "text_kind", "by_content", "drop_columns"),
    *("ocr", "ocr_engine", "ocr_languages"),
)
# Of a value that has changed, so much is shown.
_SHOWN = 160
# What stands between options.
_BETWEEN, _AROUND = ", ", "[]{}"


def strategy_fingerprint(strategy: Chunker, own: str | None) -> str:
    """Return what names a strategy and its options.

    Parameters
    ----------
    strategy
        The strategy.
    own
        The caller's own name for it, where it has none by itself.

    Raises
    ------
    ConfigError
        If neither is there: shards that were cut otherwise could not be told apart.
    """
    found = fingerprint_of(strategy) or own
    if found is None:
        message = (
            "a run knows shards by the options that they were cut with, and those of"
            f" {type(strategy).__name__} cannot be told, say because its tokenizer or model is a"
            " function: name them with fingerprint="
        )
        raise ConfigError(message, option="fingerprint")
    return found


def embedder_fingerprint(embedder: EmbedderLike | None, own: str | None) -> str | None:
    """Return what names an embedder; None if there is none.

    Raises
    ------
    ConfigError
        If it cannot be named, as :func:`strategy_fingerprint`.
    """
    if embedder is None:
        return None
    found = as_embedder(embedder).fingerprint or own
    if not found:
        message = (
            "a run knows vectors by the fingerprint of their model, and this embedder has none:"
            " give it an attribute fingerprint, or name it with fingerprint="
        )
        raise ConfigError(message, option="fingerprint")
    return found


def readers_fingerprint(*, has_files: bool) -> str:
    """Return what names the readers of the inputs."""
    kinds = (None, *FILES) if has_files else (None,)
    return str([reader_fingerprint(kind, _USUAL) for kind in kinds])


def reading_fingerprint(reading: Reading) -> str:
    """Return what names the options of reading."""
    return str({name: getattr(reading, name) for name in _READING})


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return which settings have changed, in words."""
    return [
        f"{name}: {_changed(str(before.get(name)), str(now.get(name)))}"
        for name in dict.fromkeys([*before, *now])
        if before.get(name) != now.get(name)
    ]


def _changed(before: str, now: str) -> str:
    """Return what has changed in a text, without the options that both have."""
    first, last = ([part.strip(_AROUND) for part in text.split(_BETWEEN)] for text in (before, now))
    gone, new = ([part for part in a if part not in b] for a, b in ((first, last), (last, first)))
    if not (gone or new):
        # The same options in another order.
        gone, new = first, last
    return f"{_short(_BETWEEN.join(gone))} -> {_short(_BETWEEN.join(new))}"


def _short(text: str) -> str:
    text = text or "nothing"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


@dataclass(frozen=True)
class Job:
    """What is done with each shard.

    Parameters
    ----------
    strategy
        What cuts.
    reading
        How inputs are read.
    settings
        All that the rows depend on beside the inputs, as JSON.
    schema
        The ``pyarrow.Schema`` of the rows.
    carried
        The ``pyarrow.Schema`` of the columns that chunks carry from their inputs.
    kind
        What texts of rows are read as; None: what the strategy reads them as.
    n_tokens
        Whether tokens are counted; None: where the limit is in tokens.
    embedder, vector_column
        What embeds chunks, if anything, and the name of the column of vectors.
    workers
        Threads that cut; None for one for each core that may be used.
    """

    strategy: Chunker
    reading: Reading
    settings: Mapping[str, Any]
    schema: Any = field(repr=False)
    carried: Any = field(repr=False)
    kind: str | None = None
    n_tokens: bool | None = None
    embedder: EmbedderLike | None = None
    vector_column: str = CorpusSettings.vector_column
    workers: int | None = None

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the settings."""
        return sha256(json.dumps(self.settings, sort_keys=True).encode()).hexdigest()

    @cached_property
    def chunker(self) -> ArrowChunker:
        """What cuts rows of tables; it does not embed, which is a stage of its own."""
        return ArrowChunker(
            self.strategy,
            text_column=self.reading.text_column,
            id_column=self.reading.id_column,
            kind=self.kind,
            n_tokens=self.n_tokens,
            workers=self.workers,
        )


@dataclass(frozen=True, kw_only=True)
class Options:
    """How documents are read, cut and embedded; see :class:`chunkwright.corpus.Corpus`."""

    strategy: Chunker
    reading: Reading = field(default_factory=Reading)
    n_tokens: bool | None = None
    embedder: EmbedderLike | None = None
    vector_column: str = CorpusSettings.vector_column
    duplicates: Duplicates = CorpusSettings.duplicates
    root: str | None = None
    shard_bytes: int = SHARD_BYTES
    workers: int | None = None
    fingerprint: str | None = None
    store: str | None = None
    """Names the store that documents are imported into; None: chunks are written to files."""

    def __post_init__(self) -> None:
        checked_name("duplicates", self.duplicates, list(DUPLICATES))
        checked_int("shard_bytes", self.shard_bytes, least=1)
        checked_workers(self.workers)


@dataclass(frozen=True)
class Plan:
    """What a run does.

    Parameters
    ----------
    job
        What is done with each shard.
    shards
        The shards, in order.
    problems
        Why inputs cannot be read that were named.
    n_files
        How many files are read.
    folders
        The inputs that are folders, as they are named, by their absolute paths.
    """

    job: Job
    shards: list[Shard]
    problems: list[ReadError]
    n_files: int
    folders: Mapping[str, str]

    @property
    def size(self) -> int:
        """Bytes of the inputs."""
        return sum(shard.size for shard in self.shards)


def plan_of(
    inputs: Sequence[str], options: Options, cache: HashFiles | None, out: str | None = None
) -> Plan:
    """Plan a run.

    Parameters
    ----------
    inputs
        Paths of files and folders, globs, and addresses.
    options
        How they are read, cut and embedded.
    cache
        Keeps the hashes of documents, by which duplicates are found; None: these are not looked
        for.
    out
        The output, whose files are no inputs.

    Raises
    ------
    ConfigError
        If there are no inputs, or an option makes no sense.
    ModelError
        If the embedder fails.
    """
    found = listed(inputs, options.reading, options.root, out)
    units = [unit for file in found.files for unit in _units(file)]
    job = _job(units, found.files, options)
    marks: Marks = {}
    if options.duplicates != "keep" and cache is not None:
        marks = marks_of(units, job.reading, job.carried, cache)
    drops = options.duplicates == "drop"
    shards = [
        shard_of(group, job.fingerprint, marks, drops=drops)
        for group in grouped(units, options.shard_bytes)
    ]
    return Plan(job, shards, found.problems, len(found.files), folders_of(inputs))


def _units(file: InputFile) -> Iterator[Unit]:
    try:
        yield from units_of(file)
    except ReadError:
        # It is read all the same, so that why it cannot be is told with all else that fails.
        yield Unit(file.path, file.name, file.format, file.state.stamp, file.state.size)


def _job(units: Sequence[Unit], files: Sequence[InputFile], options: Options) -> Job:
    reading, embedder = options.reading, options.embedder
    carried = carried_schema(units, reading)
    documents = [Source(file.path, called=file.name) for file in files if file.format == "file"]
    own = own_schema(
        options.strategy,
        kind=reading.text_kind,
        n_tokens=options.n_tokens,
        may_have_elements=any(map(reading.may_find_elements, documents)),
    )
    schema = joined_schema(
        own,
        carried,
        marks=options.duplicates == "mark",
        embedder=embedder,
        vector_column=options.vector_column,
    )
    settings = {
        "strategy": strategy_fingerprint(options.strategy, options.fingerprint),
        "readers": readers_fingerprint(has_files=bool(documents)),
        "reading": reading_fingerprint(reading),
        "embedder": embedder_fingerprint(embedder, options.fingerprint),
        "vector_column": None if embedder is None else options.vector_column,
        "n_tokens": options.n_tokens,
        "duplicates": options.duplicates,
        "fingerprint": options.fingerprint,
        "store": options.store,
        "shard_bytes": options.shard_bytes,
        "columns": {field.name: str(field.type) for field in schema},
    }
    return Job(
        options.strategy,
        reading,
        settings,
        schema,
        carried,
        kind=reading.text_kind,
        n_tokens=options.n_tokens,
        embedder=embedder,
        vector_column=options.vector_column,
        workers=options.workers,
    )
