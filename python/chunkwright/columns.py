"""The columns behind chunks: what the core owns, and what is computed once when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from chunkwright import _core
from chunkwright.boundaries import Boundaries, Endings
from chunkwright.frames import without_surrogates

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.frames import PlainColumns
    from chunkwright.tokenizer import Tokenizer

ROLES = ("body", "overlap", "heading", "header", "shadow")


Exported: TypeAlias = "tuple[_core.Columns, bool, list[int], list[str], list[int]]"
"""What the core makes an Arrow array of."""


class Origin(NamedTuple):
    """What columns were made from.

    Attributes
    ----------
    names
        The documents' names.
    of_batch
        Whether a batch was cut, of however many documents.
    errors
        For each document that could not be cut, its number and why.
    """

    names: list[str | None]
    of_batch: bool = False
    errors: Mapping[int, Exception] = MappingProxyType({})


class ChunkColumns(Protocol):
    """What :class:`chunkwright.Chunks` is a view of: columns of chunks, whoever made them."""

    origin: Origin

    def __len__(self) -> int: ...
    def text(self, row: int) -> str: ...  # noqa: D102 - see Columns
    def texts(self) -> list[str]: ...  # noqa: D102
    def pieces(self, row: int) -> list[tuple[str, int, int]]: ...  # noqa: D102
    def sources(self) -> list[str]: ...  # noqa: D102
    @property
    def starts(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def ends(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def byte_starts(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def byte_ends(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def lines(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...  # noqa: D102
    @property
    def doc_index(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def n_tokens(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def ids(self) -> list[str]: ...  # noqa: D102
    @property
    def oversize(self) -> frozenset[int]: ...  # noqa: D102
    @property
    def boundaries(self) -> Boundaries | None: ...  # noqa: D102
    @property
    def endings(self) -> Endings: ...  # noqa: D102
    def plain(self, rows: range) -> PlainColumns: ...  # noqa: D102
    def arrow_schema(self) -> object: ...  # noqa: D102
    def arrow_array(self, rows: range) -> tuple[object, object]: ...  # noqa: D102
    def arrow_stream(self, rows: range) -> object: ...  # noqa: D102


class Columns:
    """The chunks of one text, or of many, as columns; views share them.

    Parameters
    ----------
    core
        What a strategy of the core gave.
    tokenizer
        Counts tokens, if the core did not.
    sizes_are_tokens
        Whether the core measured in that tokenizer's tokens.
    origin
        The documents that were cut.
    """

    def __init__(
        self,
        core: _core.Columns,
        *,
        tokenizer: Tokenizer,
        sizes_are_tokens: bool,
        origin: Origin,
    ) -> None:
        self.core = core
        self.tokenizer = tokenizer
        self.sizes_are_tokens = sizes_are_tokens
        self.origin = origin

    def __len__(self) -> int:
        return len(self.core)

    def text(self, row: int) -> str:
        """Return the text of a chunk."""
        return self.core.text(row)

    def texts(self) -> list[str]:
        """Return the texts of all chunks."""
        return self.core.texts()

    def pieces(self, row: int) -> list[tuple[str, int, int]]:
        """Return the parts of a chunk: roles, starts and ends in code points."""
        return [(ROLES[role], start, end) for role, start, end in self.core.pieces(row)]

    def sources(self) -> list[str]:
        """Return the texts that were cut."""
        return self.core.sources()

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Starts in code points."""
        return _array(self.core.starts)

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Ends in code points."""
        return _array(self.core.ends)

    @cached_property
    def byte_starts(self) -> NDArray[np.int64]:
        """Starts in UTF-8 bytes."""
        return _array(self.core.byte_starts())

    @cached_property
    def byte_ends(self) -> NDArray[np.int64]:
        """Ends in UTF-8 bytes."""
        return _array(self.core.byte_ends())

    @cached_property
    def lines(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Lines, from 1, of the starts and the ends."""
        starts, ends = self.core.lines()
        return _array(starts), _array(ends)

    @cached_property
    def doc_index(self) -> NDArray[np.int64]:
        """The number of the text that each chunk is from."""
        return _array(self.core.doc_index())

    @cached_property
    def n_tokens(self) -> NDArray[np.int64]:
        """Tokens of each text."""
        if self.sizes_are_tokens:
            return _array(self.core.sizes())
        import numpy as np

        return np.array(self.tokenizer.count_batch(self.core.texts()), dtype=np.int64)

    @cached_property
    def ids(self) -> list[str]:
        """Ids derived from name, text and occurrence."""
        return self.core.ids([name or "" for name in self.origin.names])

    @cached_property
    def oversize(self) -> frozenset[int]:
        """The rows that are over the limit."""
        return frozenset(self.core.oversize())

    @cached_property
    def boundaries(self) -> Boundaries | None:
        """The boundaries that a semantic strategy looked at; None for every other."""
        return Boundaries.of(self.core.boundaries())

    @cached_property
    def endings(self) -> Endings:
        """The score at the end of each chunk, and why it ends there."""
        if self.boundaries is None:
            return Endings.unknown(len(self))
        return Endings.of(self.core)

    def plain(self, rows: range) -> PlainColumns:
        """Return rows as the columns that they have in Arrow."""
        at = list(rows)
        columns: PlainColumns = {
            "id": [self.ids[row] for row in at],
            "text": [without_surrogates(self.text(row)) for row in at],
            "start": self.starts[at],
            "end": self.ends[at],
            "byte_start": self.byte_starts[at],
            "byte_end": self.byte_ends[at],
            "n_tokens": self.n_tokens[at],
        }
        if self.origin.of_batch:
            columns = {"doc_index": self.doc_index[at], **columns}
        if self.boundaries is not None:
            columns["score"] = self.endings.scores[at]
            columns["reason"] = [self.endings.reasons[row] for row in at]
        return columns

    def arrow_schema(self) -> object:
        """Export the schema that the rows have in Arrow."""
        return _core.export_schema(self.core, self.origin.of_batch)

    def arrow_array(self, rows: range) -> tuple[object, object]:
        """Export rows as schema and array of Arrow."""
        return _core.export_array(*self._exported(rows))

    def arrow_stream(self, rows: range) -> object:
        """Export rows as a stream of one batch of Arrow."""
        return _core.export_stream(*self._exported(rows))

    def _exported(self, rows: range) -> Exported:
        ids, n_tokens = self.ids, self.n_tokens
        return (
            self.core,
            self.origin.of_batch,
            list(rows),
            [ids[row] for row in rows],
            [int(n_tokens[row]) for row in rows],
        )

    def __reduce__(self) -> tuple[object, ...]:
        core = self.core
        boundaries = core.boundaries().parts()
        parts = (core.sources(), core.row_ends(), core.rows(), core.oversize(), boundaries)
        origin = self.origin._replace(errors=dict(self.origin.errors))
        return _restore, (parts, self.tokenizer, self.sizes_are_tokens, origin)


BoundaryParts = tuple[list[int], list[float], bytes, list[int], list[int], list[float]]


def _restore(
    parts: tuple[list[str], list[int], list[list[int]], list[int], BoundaryParts],
    tokenizer: Tokenizer,
    sizes_are_tokens: bool,
    origin: Origin,
) -> Columns:
    core = _core.Columns.restore(*parts)
    return Columns(core, tokenizer=tokenizer, sizes_are_tokens=sizes_are_tokens, origin=origin)


def _array(column: _core.Column) -> NDArray[np.int64]:
    import numpy as np

    return np.asarray(column)
