"""The columns behind chunks of elements, of one document or of several."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.boundaries import Endings
from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.frames import without_surrogates

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright import _core
    from chunkwright.columns import Origin
    from chunkwright.elements import ElementDocument
    from chunkwright.frames import PlainColumns
    from chunkwright.tokenizer import Tokenizer

# What a chunk is, by its number in the core: a table that was passed on as it is is one, too.
TYPES = ("CompositeElement", "Table", "TableChunk", "Table")


class Cut(NamedTuple):
    """A document and what was cut of it."""

    document: ElementDocument
    core: _core.ElementColumns


class ElementColumns:
    """The chunks of one document, or of many, one behind the other; views share them.

    Parameters
    ----------
    cuts
        The documents and their chunks.
    tokenizer
        Counts tokens, if the core did not.
    sizes_are_tokens
        Whether the core measured in that tokenizer's tokens.
    hard_max
        The limit, in what the core measured in.
    origin
        The documents that were cut.
    """

    def __init__(
        self,
        cuts: Sequence[Cut],
        *,
        tokenizer: Tokenizer,
        sizes_are_tokens: bool,
        hard_max: int,
        origin: Origin,
    ) -> None:
        self.cuts = cuts
        self.tokenizer = tokenizer
        self.sizes_are_tokens = sizes_are_tokens
        self.hard_max = hard_max
        self.origin = origin
        self._ends = list(accumulate(len(cut.core) for cut in cuts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def at(self, row: int) -> tuple[Cut, int]:
        """Return where a row is from: its document, and its number among that one's chunks."""
        index = bisect_right(self._ends, row)
        return self.cuts[index], row - (self._ends[index - 1] if index else 0)

    def text(self, row: int) -> str:
        """Return the text of a chunk."""
        cut, own = self.at(row)
        return cut.core.text(own)

    def texts(self) -> list[str]:
        """Return the texts of all chunks."""
        return [text for cut in self.cuts for text in cut.core.texts()]

    def html(self, row: int) -> str | None:
        """Return the HTML of a table or a part of one."""
        cut, own = self.at(row)
        return cut.core.html(own)

    def pieces(self, row: int) -> list[tuple[str, int, int]]:
        """Return what of a chunk stands in the document's text: the overlap, if so, and its own."""
        start, end = int(self.starts[row]), int(self.ends[row])
        own = min(int(self._own_starts[row]), end)
        pieces = [("overlap", start, own), ("body", own, end)]
        return [piece for piece in pieces if piece[1] < piece[2]]

    def sources(self) -> list[str]:
        """Return the texts that were cut."""
        return [cut.document.text for cut in self.cuts]

    def dicts(self, *, originals: bool) -> list[dict[str, Any]]:
        """Return all chunks in Unstructured's form.

        Raises
        ------
        ReadError
            If the elements' metadata cannot be put together, or said in JSON.
        """
        return [chunk for cut in self.cuts for chunk in _dicts(cut, originals=originals)]

    # ------------------------------------------------------------------ numbers

    @cached_property
    def _own_starts(self) -> NDArray[np.int64]:
        return self._joined(lambda core: core.starts())

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Starts in code points: with the overlap, where text and overlap stand there as one."""
        import numpy as np

        with_overlap = self._joined(lambda core: core.overlap_starts())
        return np.where(with_overlap < 0, self._own_starts, with_overlap)

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Ends in code points."""
        ends = self._joined(lambda core: core.ends())
        # What only repeats ends before its own text would have begun.
        for row in ((self._own_starts == ends) & (self.starts < ends)).nonzero()[0]:
            ends[row] = self.starts[row] + len(self.text(int(row)))
        return ends

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The first element of each chunk."""
        return self._joined(lambda core: core.first())

    @cached_property
    def last(self) -> NDArray[np.int64]:
        """The last element of each chunk."""
        return self._joined(lambda core: core.last())

    @cached_property
    def kinds(self) -> NDArray[np.int64]:
        """What each chunk is; see :data:`TYPES`."""
        return self._joined(lambda core: core.kinds())

    @cached_property
    def parts(self) -> NDArray[np.int64]:
        """The number of each chunk among those of the same elements."""
        return self._joined(lambda core: core.parts())

    @cached_property
    def n_header_rows(self) -> NDArray[np.int64]:
        """Rows of the header that each chunk repeats."""
        return self._joined(lambda core: core.n_header_rows())

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Sizes in the unit of the limit."""
        return self._joined(lambda core: core.sizes())

    @cached_property
    def doc_index(self) -> NDArray[np.int64]:
        """The number of the document that each chunk is from."""
        import numpy as np

        return np.repeat(np.arange(len(self.cuts)), [len(cut.core) for cut in self.cuts])

    @cached_property
    def n_tokens(self) -> NDArray[np.int64]:
        """Tokens of each text."""
        import numpy as np

        if self.sizes_are_tokens:
            return self.sizes
        return np.array(self.tokenizer.count_batch(self.texts()), dtype=np.int64)

    @cached_property
    def oversize(self) -> frozenset[int]:
        """The rows that are over the limit."""
        return frozenset((self.sizes > self.hard_max).nonzero()[0].tolist())

    @property
    def boundaries(self) -> None:
        """None: no strategy over elements looks for places between pieces of a text."""

    @cached_property
    def endings(self) -> Endings:
        """Nothing is known of why chunks end where they do."""
        return Endings.unknown(len(self))

    # ------------------------------------------------------------------ ids, bytes, lines

    @cached_property
    def ids(self) -> list[str]:
        """Ids derived from name, text and occurrence."""
        return [id_ for cut in self.cuts for id_ in cut.core.ids(cut.document.name or "")]

    @cached_property
    def table_ids(self) -> list[str | None]:
        """For each part of a table the id that all its parts share."""
        return [id_ for cut in self.cuts for id_ in cut.core.table_ids(cut.document.name or "")]

    @cached_property
    def byte_starts(self) -> NDArray[np.int64]:
        """Starts in UTF-8 bytes."""
        return self._looked_up(_bytes_before, self.starts)

    @cached_property
    def byte_ends(self) -> NDArray[np.int64]:
        """Ends in UTF-8 bytes."""
        return self._looked_up(_bytes_before, self.ends)

    @cached_property
    def lines(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Lines, from 1, of the starts and the ends."""
        return self._looked_up(_line_at, self.starts), self._looked_up(_line_at, self.ends)

    def _joined(self, column: Callable[[_core.ElementColumns], Any]) -> NDArray[np.int64]:
        import numpy as np

        columns = (np.asarray(column(cut.core), dtype=np.int64) for cut in self.cuts)
        return np.concatenate([*columns, _none()])

    def _looked_up(
        self, of_text: Callable[[str, NDArray[np.int64]], NDArray[np.int64]], at: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Ask something about places in the documents' texts, text by text."""
        import numpy as np

        starts = [0, *self._ends[:-1]]
        found = [
            of_text(cut.document.text, at[start:end])
            for cut, start, end in zip(self.cuts, starts, self._ends, strict=False)
        ]
        return np.concatenate([*found, _none()])

    # ------------------------------------------------------------------ other forms

    def plain(self, rows: range) -> PlainColumns:
        """Return rows as the columns that they have in Arrow."""
        at = list(rows)
        columns: PlainColumns = {
            "id": [self.ids[row] for row in at],
            "text": [without_surrogates(self.text(row)) for row in at],
            "kind": [TYPES[self.kinds[row]] for row in at],
            "html": [_said(self.html(row)) for row in at],
            "start": self.starts[at],
            "end": self.ends[at],
            "byte_start": self.byte_starts[at],
            "byte_end": self.byte_ends[at],
            "n_tokens": self.n_tokens[at],
            "first_element": self.first[at],
            "last_element": self.last[at],
        }
        return {"doc_index": self.doc_index[at], **columns} if self.origin.of_batch else columns

    def arrow_schema(self) -> object:
        """Export the schema that the rows have in Arrow."""
        return self._record_batch(range(0)).schema.__arrow_c_schema__()

    def arrow_array(self, rows: range) -> tuple[object, object]:
        """Export rows as schema and array of Arrow."""
        schema, array = self._record_batch(rows).__arrow_c_array__()
        return schema, array

    def arrow_stream(self, rows: range) -> object:
        """Export rows as a stream of one batch of Arrow."""
        return self._record_batch(rows).__arrow_c_stream__()

    def _record_batch(self, rows: range) -> Any:
        """Return rows as a batch of pyarrow.

        Raises
        ------
        MissingExtraError
            If pyarrow is not installed.
        """
        try:
            import pyarrow as pa
        except ImportError as error:
            raise MissingExtraError("chunks of elements in Arrow", "arrow") from error
        columns = self.plain(rows).items()
        strings = ("id", "text", "kind", "html")
        types = (pa.string() if name in strings else pa.int64() for name, _ in columns)
        of_type = zip(columns, types, strict=True)
        return pa.record_batch({name: pa.array(values, kind) for (name, values), kind in of_type})

    def __reduce__(self) -> tuple[Any, ...]:
        parts = [(cut.document, cut.core.rows()) for cut in self.cuts]
        origin = self.origin._replace(errors=dict(self.origin.errors))
        return _restore, (parts, self.tokenizer, self.sizes_are_tokens, self.hard_max, origin)


def _restore(
    parts: list[tuple[ElementDocument, list[tuple[Any, ...]]]],
    tokenizer: Tokenizer,
    sizes_are_tokens: bool,
    hard_max: int,
    origin: Origin,
) -> ElementColumns:
    from chunkwright import _core

    return ElementColumns(
        [
            Cut(document, _core.ElementColumns.restore(document.elements.core, rows))
            for document, rows in parts
        ],
        tokenizer=tokenizer,
        sizes_are_tokens=sizes_are_tokens,
        hard_max=hard_max,
        origin=origin,
    )


def _dicts(cut: Cut, *, originals: bool) -> list[dict[str, Any]]:
    name = cut.document.name or ""
    try:
        return cut.core.dicts(originals=originals, name=name)
    except (AttributeError, TypeError, ValueError) as error:
        reason = f"the metadata of elements is not what Unstructured's is: {error}"
        raise ReadError(f"{name}: {reason}" if name else reason) from error


def _said(html: str | None) -> str | None:
    return None if html is None else without_surrogates(html)


def _none() -> NDArray[np.int64]:
    import numpy as np

    return np.empty(0, dtype=np.int64)


def _bytes_before(text: str, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many bytes of UTF-8 stand before places in a text."""
    import numpy as np

    if text.isascii():
        return places
    codes = _codes(text)
    widths = 1 + (codes > 0x7F) + (codes > 0x7FF) + (codes > 0xFFFF)  # noqa: PLR2004 - UTF-8's own
    return np.concatenate([[0], np.cumsum(widths, dtype=np.int64)])[places]


def _line_at(text: str, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lines, from 1, that places in a text are on."""
    import numpy as np

    return 1 + np.searchsorted(np.flatnonzero(_codes(text) == ord("\n")), places).astype(np.int64)


def _codes(text: str) -> NDArray[np.uint32]:
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
