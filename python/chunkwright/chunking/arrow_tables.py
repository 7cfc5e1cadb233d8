"""Arrow tables of documents to Arrow tables of chunks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from chunkwright import _core
from chunkwright.chunking.arrow_sources import opened
from chunkwright.errors import ConfigError
from chunkwright.readers.kinds import checked_kind
from chunkwright.rows import ContextRow, arrow_metadata, boundaries_of

# Seconds: long enough for a traceback to be printed.
AFTER_THE_ERROR = 0.2

ArrowBatch: TypeAlias = _core.ArrowBatch
ArrowStream: TypeAlias = _core.ArrowStream
WriteContexts: TypeAlias = Callable[
    [_core.Columns, "list[str | None]", "list[_core.Elements | None]"], Sequence[ContextRow]
]
"""Writes a context for each chunk of some documents: columns, names, and elements if they have any.
"""
Failed: TypeAlias = Callable[["int | None", BaseException], object]
"""Takes an error of a stream, with the row of its document; None: the error ends the stream."""


@dataclass(frozen=True)
class TableOptions:
    """What the caller says of a table and of that of its chunks.

    The names are those of :meth:`chunkwright.chunking.bases.chunker.Chunker.arrow`. Contexts come
    with the fingerprint of the model that writes them, and what calls it. With ``name_from_id`` a
    document without a name is called by its id. ``failed`` is called with the errors of a stream as
    what they are: with the row of a document that failed by itself, or with None for what ends it.
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
    name_from_id: bool = False
    provenance: Mapping[str, str] = field(default_factory=dict)
    failed: Failed | None = None


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
    name_from_id: bool
    ids: str | None
    document_ids: bool
    n_tokens: bool
    counter: _core.Unit | None
    errors: bool
    kind: str | None
    boundaries: tuple[str, str] | None
    contexts: tuple[str, WriteContexts] | None
    failed: Failed | None = None


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
        options.name_from_id,
        options.id_column,
        options.id_column is not None or options.document_id_column is not None,
        own.n_tokens,
        own.counter,
        options.collects,
        checked_kind(options.kind),
        boundaries_of(provenance),
        options.contexts,
        options.failed,
    )
    metadata = arrow_metadata(provenance)
    plan = _core.ArrowPlan(cutter, columns, options.workers, interrupt_soon, metadata)
    source, like = opened(data)
    if hasattr(source, "__arrow_c_array__"):
        return plan.batch(source)
    return plan.stream(source, like)


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
