"""Arrow tables of documents to Arrow tables of chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from chunkwright import _core
from chunkwright._sources import is_of
from chunkwright.chunking.readers import RecordBatchReader
from chunkwright.errors import ConfigError
from chunkwright.readers.kinds import checked_kind

# Seconds: long enough for a traceback to be printed.
AFTER_THE_ERROR = 0.2

ArrowBatch: TypeAlias = _core.ArrowBatch
ArrowStream: TypeAlias = _core.ArrowStream


class ArrayLike(Protocol):
    """A record batch, through Arrow's PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None, /) -> object:
        """Return capsules with a schema and an array."""


class StreamLike(Protocol):
    """A table or a stream of batches, through Arrow's PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object:
        """Return a capsule with a stream."""


@dataclass(frozen=True)
class Columns:
    """The columns that the caller names, what texts are, and what is wanted and said of chunks."""

    text: str
    name: str | None
    id: str | None
    kind: str | None
    sizes: bool
    errors: bool
    metadata: dict[str, str]


def arrow(
    cutter: _core.Cutter, data: object, columns: Columns, workers: int
) -> ArrowBatch | ArrowStream:
    """Cut a column of ``data``; see :meth:`chunkwright.chunking.strategy.Strategy.arrow`."""
    _check_name("text_column", columns.text)
    for option, name in (("name_column", columns.name), ("id_column", columns.id)):
        if name is not None:
            _check_name(option, name)
    names = (columns.text, columns.name, columns.id)
    kind = checked_kind(columns.kind)
    plan = _core.ArrowPlan(
        cutter,
        *names,
        columns.sizes,
        workers,
        columns.errors,
        kind,
        interrupt=interrupt_soon,
        metadata=columns.metadata,
    )
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
