"""Detached chunk: the values of one chunk, apart from the document that it is from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.detached.elements import DetachedElement, DetachedElements

if TYPE_CHECKING:
    from chunkwright.boundaries import Reason
    from chunkwright.context import Context
    from chunkwright.document import Scalar
    from chunkwright.elements.elements import Element
    from chunkwright.rows import Shadows


class DetachedEndings(NamedTuple):
    """How the chunk ends; see :class:`chunkwright.boundaries.Endings`."""

    scores: Mapping[int, float]
    reasons: Mapping[int, Reason | None]


class Said(NamedTuple):
    """What a chunk says that its row does not, or not in this form."""

    number: int
    name: str | None
    text: str
    html: str | None
    pieces: tuple[tuple[str, int, int], ...]
    headings: tuple[str, ...]
    headings_above: tuple[str, ...]
    score: float
    reason: Reason | None
    n_header_rows: int
    table_id: str | None
    context: Context | None
    shadow: Shadows
    document_id: str
    metadata: dict[str, Scalar]
    elements: range


class DetachedColumns:
    """The columns of one chunk; a :class:`chunkwright.Chunk` asks them as it asks those of all.

    Parameters
    ----------
    row
        The chunk's row, as :meth:`chunkwright.Chunks.to_dicts` has it.
    said
        What else it says.
    elements
        What its elements say, and those that these belong to.
    """

    def __init__(self, row: dict[str, Any], said: Said, elements: list[DetachedElement]) -> None:
        self.state: tuple[dict[str, Any], Said, list[DetachedElement]] = row, said, elements
        self._row, self._said, self._elements = row, said, DetachedElements(elements)
        self.ends: Mapping[int, Any]
        self.starts: Mapping[int, Any]
        self.starts, self.ends = self._column("start"), self._column("end")
        self.byte_ends: Mapping[int, Any]
        self.byte_starts: Mapping[int, Any]
        self.byte_starts, self.byte_ends = self._column("byte_start"), self._column("byte_end")
        self.lines: tuple[Mapping[int, Any], Mapping[int, Any]] = (
            self._column("line_start"),
            self._column("line_end"),
        )
        self.ids: Mapping[int, Any]
        self.n_tokens: Mapping[int, Any]
        self.n_tokens, self.ids = self._column("n_tokens"), self._column("chunk_id")
        self.doc_index: Mapping[int, Any] = self._column("doc_index")
        self.kinds: Mapping[int, Any]
        self.parts: Mapping[int, Any]
        self.kinds, self.parts = self._column("kind", "paragraph"), self._column("part", 0)
        self.document_ids: dict[Any, str] = {row["doc_index"]: said.document_id}
        self.oversize: frozenset[int] = frozenset({said.number} if row["oversize"] else ())
        self.endings: DetachedEndings = DetachedEndings(
            {said.number: said.score}, {said.number: said.reason}
        )
        self.n_header_rows: dict[int, int] = {said.number: said.n_header_rows}
        self.table_ids: dict[int, str | None] = {said.number: said.table_id}

    def _column(self, name: str, default: Any = None) -> Mapping[int, Any]:
        return {self._said.number: self._row.get(name, default)}

    def text(self, row: int) -> str:  # noqa: ARG002 - there is one
        """Return the text of the chunk."""
        return self._said.text

    def pieces(self, row: int) -> Sequence[tuple[str, int, int]]:  # noqa: ARG002
        """Return the parts of the chunk."""
        return self._said.pieces

    def source_place(self, row: int) -> tuple[int | None, ...]:  # noqa: ARG002
        """Return where the chunk stands in what was read."""
        names = ("source_start", "source_end", "source_line_start", "source_line_end")
        return tuple(self._row[name] for name in names)

    def name(self, row: int) -> str | None:  # noqa: ARG002
        """Return the name of the document."""
        return self._said.name

    def elements(self, row: int) -> tuple[Element, ...]:  # noqa: ARG002
        """Return the elements that the chunk is made of."""
        from chunkwright.elements.elements import Element

        return tuple(Element(self._elements, index) for index in self._said.elements)

    def headings(self, row: int) -> tuple[str, ...]:  # noqa: ARG002
        """Return the headings of the section that the chunk is from."""
        return self._said.headings

    def headings_above(self, row: int) -> tuple[str, ...]:  # noqa: ARG002
        """Return the headings above its first element."""
        return self._said.headings_above

    def html(self, row: int) -> str | None:  # noqa: ARG002
        """Return the HTML of a table or a part of one."""
        return self._said.html

    def context(self, row: int) -> Context | None:  # noqa: ARG002
        """Return the context of the chunk."""
        return self._said.context

    def shadow(self, row: int) -> Shadows:  # noqa: ARG002
        """Return the shadows of the chunk."""
        return self._said.shadow

    def metadata(self, row: int) -> Mapping[str, Scalar]:  # noqa: ARG002
        """Return the metadata of the document."""
        return self._said.metadata

    def row(self, row: int) -> dict[str, Any]:  # noqa: ARG002
        """Return the row."""
        return self._row
