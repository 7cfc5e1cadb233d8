"""Failures of a run: rows and units that could not be read, cut, embedded or written."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from chunkwright.errors import ChunkwrightError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

Stage = Literal["read", "cut", "embed", "write"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A document, or a part of an input, that has no chunks because something went wrong.

    Parameters
    ----------
    unit
        The input, or the part of it.
    place
        Where in it: a row as ``name:12``, or a byte.
    stage
        What failed: ``"read"``, ``"cut"``, ``"embed"`` or ``"write"``.
    kind
        The class of the error.
    message
        What it says.
    document, document_id
        The document's name and id, as far as they are known.
    parts
        The message with the options that it names; see :class:`chunkwright.ChunkwrightError`.
    """

    unit: str
    place: str
    stage: Stage
    kind: str
    message: str
    document: str | None = None
    document_id: str | None = None
    parts: tuple[object, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.parts:
            object.__setattr__(self, "parts", (self.message,))

    @classmethod
    def of(cls, error: Exception, stage: Stage, unit: str, place: str | None = None) -> Failure:
        """Return the failure that an error is."""
        message = " ".join(str(error).split()) or repr(error)
        parts = error.parts if isinstance(error, ChunkwrightError) else (message,)
        # An input that needs an extra is told as one that cannot be read.
        first = error.__cause__ if isinstance(error.__cause__, MissingExtraError) else error
        kinds = (kind.__name__ for kind in type(first).__mro__)
        public = next(name for name in kinds if not name.startswith("_"))
        return cls(unit, place or unit, stage, public, message, parts=parts)


def failure_schema() -> Any:
    """Return the columns of a table of failures."""
    import pyarrow as pa

    names = ("document", "document_id", "unit", "place", "stage", "kind", "message")
    return pa.schema([(name, pa.string()) for name in names])


def failure_table(failures: Sequence[Failure]) -> Any:
    """Return failures as a table."""
    import pyarrow as pa

    rows = [asdict(failure) for failure in failures]
    return pa.Table.from_pylist(rows, schema=failure_schema())
