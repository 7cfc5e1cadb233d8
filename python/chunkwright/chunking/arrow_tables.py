"""Arrow tables of documents to Arrow tables of chunks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from chunkwright import _core
from chunkwright.chunking.checked_reader import RecordBatchReader
from chunkwright.errors import ConfigError
from chunkwright.readers.kinds import checked_kind
from chunkwright.rows import ContextRow, arrow_metadata, boundaries_of
from chunkwright.tokens.sources import is_of

# Seconds: long enough for a traceback to be printed.
AFTER_THE_ERROR = 0.2

ArrowBatch: TypeAlias = _core.ArrowBatch
ArrowStream: TypeAlias = _core.ArrowStream
WriteContexts: TypeAlias = Callable[
    [_core.Columns, "list[str | None]", "list[_core.Elements | None]"], Sequence[ContextRow]
]
"""Writes a context for each chunk of some documents: columns, names, and elements if they have any.
"""


class ArrayLike(Protocol):
    """A record batch, through Arrow's PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None, /) -> object:
        """Return capsules with a schema and an array."""


class StreamLike(Protocol):
    """A table or a stream of batches, through Arrow's PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object:
        """Return a capsule with a stream."""


@dataclass(frozen=True)
class TableOptions:
    """What the caller says of a table and of that of its chunks.

    The names are those of :meth:`chunkwright.chunking.bases.chunker.Chunker.arrow`. Contexts come
    with the fingerprint of the model that writes them, and what calls it.
    """

    text_column: str
    name_column: str | None
    document_id_column: str | None
    id_column: str | None
    n_tokens: bool | None
    kind: str | None
    workers: int
    collects: bool
    contexts: tuple[str, WriteContexts] | None = None
    provenance: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Own:
    """What a strategy says of its chunks: fingerprints, and what counts their tokens, if any."""

    provenance: Mapping[str, str]
    n_tokens: bool
    counter: _core.Unit | None


@dataclass(frozen=True)
class PlanColumns:
    """Columns of a table and of that of its chunks, as the core takes them."""

    text: str
    name: str | None
    document_id: str | None
    ids: str | None
    document_ids: bool
    n_tokens: bool
    counter: _core.Unit | None
    errors: bool
    kind: str | None
    boundaries: tuple[str, str] | None
    contexts: tuple[str, WriteContexts] | None


def arrow(
    cutter: _core.Cutter, data: object, options: TableOptions, own: Own
) -> ArrowBatch | ArrowStream:
    """Cut a column of ``data``; see :meth:`chunkwright.chunking.bases.chunker.Chunker.arrow`."""
    _check_name("text_column", options.text_column)
    for name in ("name_column", "document_id_column", "id_column"):
        if (column := getattr(options, name)) is not None:
            _check_name(name, column)
    provenance = {**own.provenance, **options.provenance}
    columns = PlanColumns(
        options.text_column,
        options.name_column,
        options.document_id_column,
        options.id_column,
        options.id_column is not None or options.document_id_column is not None,
        own.n_tokens,
        own.counter,
        options.collects,
        checked_kind(options.kind),
        boundaries_of(provenance),
        options.contexts,
    )
    metadata = arrow_metadata(provenance)
    plan = _core.ArrowPlan(cutter, columns, options.workers, interrupt_soon, metadata)
    if hasattr(data, "__arrow_c_array__"):
        return plan.batch(data)
    if is_of(data, "pyarrow", "RecordBatchReader"):
        return plan.stream(RecordBatchReader(data))
    if hasattr(data, "__arrow_c_stream__"):
        return plan.stream(data)
    raise ConfigError(
        f"data must have the Arrow PyCapsule interface, which {type(data).__name__} lacks"
    )


def interrupt_soon() -> None:
    """Interrupt the main thread once the reader of a stream has raised its error.

    A reader knows errors with a message only, so it makes an ordinary error of Ctrl-C, which the
    caller may take for one that can be lived with. At once would be too soon: an interrupt that
    comes while that error is on its way up is lost, or breaks the traceback that is printed.
    """
    import threading

    timer = threading.Timer(AFTER_THE_ERROR, _interrupt)
    timer.daemon = True
    timer.start()


def _interrupt() -> None:
    import _thread
    import signal
    import threading

    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        # Unlike a mere flag this ends a sleep.
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _check_name(option: str, name: object) -> None:
    if not isinstance(name, str):
        raise ConfigError(f"{option} must be a str, got {name!r}")
