"""Detached chunk: what the columns of one chunk answer, apart from the document that it is from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from chunkwright.detached.rows import Detached

if TYPE_CHECKING:
    from chunkwright.columns import Columns
    from chunkwright.elements.elements import DetachedElements, Element, Elements

# An element that is so many times as large as the chunk is kept as far as the chunk has it. Small
# ones are kept whole, however little of them the chunk has.
MOST_TIMES = 4
SMALL = 1024


class DetachedColumns(Detached):
    """The columns of one chunk, apart from its document."""

    columns: ClassVar[tuple[str, ...]] = ("kinds", "parts", "n_header_rows", "table_ids")
    methods: ClassVar[tuple[str, ...]] = (
        *("row", "text", "pieces", "ending", "name", "document_id", "metadata", "context"),
        *("shadow", "html", "headings", "headings_above", "elements"),
    )
    # Columns that the chunk's row has.
    of_row: ClassVar[dict[str, str]] = {
        "starts": "start",
        "ends": "end",
        "byte_starts": "byte_start",
        "byte_ends": "byte_end",
        "ids": "chunk_id",
        "n_tokens": "n_tokens",
        "doc_index": "doc_index",
    }

    @classmethod
    def of(cls, columns: Columns, number: int) -> DetachedColumns:
        """Return the columns of a chunk, by its number."""
        row = dict(columns.row(number))
        answers = cls.answers_of(columns, [number])
        # Pickles have equal texts twice, but one text once.
        texts = {value: value for value in row.values() if isinstance(value, str)}
        for answer in answers:
            if isinstance(answer[0], str):
                answer[0] = texts.get(answer[0], answer[0])
        detached = cls([number], answers)
        elements, own = columns.elements_of(number), detached.column("elements")[number]
        numbers = range(own[0].index, own[-1].index + 1) if own else range(0)
        kept = _kept(elements, numbers, detached, number) if elements and own else (None, numbers)
        metadata = dict(columns.metadata(number))
        detached.change(number, row=row, metadata=metadata, elements=kept)
        return detached

    def elements(self, row: int) -> tuple[Element, ...]:
        """Return the elements that the chunk is made of."""
        from chunkwright.elements.elements import Element

        kept, numbers = self.column("elements")[row]
        return tuple(Element(kept, number) for number in numbers)

    def line_place(self, row: int) -> tuple[int, int]:
        """Return the lines on which the chunk starts and ends."""
        own = self.row(row)
        return own["line_start"], own["line_end"]

    def source_place(self, row: int) -> tuple[int | None, ...]:
        """Return where the chunk stands in what was read."""
        own = self.row(row)
        names = ("source_start", "source_end", "source_line_start", "source_line_end")
        return tuple(own[name] for name in names)

    def is_oversize(self, row: int) -> bool:
        """Return whether the chunk is over the limit."""
        return bool(self.row(row)["oversize"])

    def __getattr__(self, name: str) -> Any:
        if name in self.of_row:
            (row,) = self._rows
            return {row: self.row(row)[self.of_row[name]]}
        return super().__getattr__(name)


def _kept(
    elements: Elements, numbers: range, chunk: DetachedColumns, number: int
) -> tuple[DetachedElements, range]:
    """Return the elements of a chunk, of large ones what it has of them, and their numbers."""
    from chunkwright.elements.elements import DetachedElements, Element

    kept = DetachedElements.of(elements, numbers)
    most = MOST_TIMES * (len(chunk.text(number)) + len(chunk.html(number) or "")) + SMALL
    texts, htmls = kept.column("text_of"), kept.column("html_of")
    for row, text in texts.items():
        if len(text) + len(htmls[row] or "") > most:
            kept.change(row, **_shortened(Element(kept, row), chunk, number, most))
    return kept, numbers


def _shortened(element: Element, chunk: DetachedColumns, number: int, most: int) -> dict[str, Any]:
    """Return what the chunk has of what an element says."""
    start, end, html = chunk.starts[number], chunk.ends[number], chunk.html(number)
    pieces, starts = chunk.pieces(number), element.row_starts or ()
    item = element.item
    return {
        "items": item if isinstance(item, str) and len(item) <= most else None,
        "text_of": "".join(_held(element, chunk.text(number), pieces)),
        "links_of": tuple(of for of in element.links if start < of.end and of.start < end),
        "html_of": html if element.kind == "table" else None,
        "row_starts": [at for at in starts if any(a <= at < b for _, a, b in pieces)],
        "table_of": None,
    }


def _held(element: Element, text: str, pieces: list[tuple[str, int, int]]) -> list[str]:
    """Return the texts of an element that are the chunk's own."""
    held, at = [], 0
    for role, start, end in pieces:
        first, last = max(start, element.start), min(end, element.end)
        if role == "body" and first < last:
            held.append(text[at + first - start : at + last - start])
        at += end - start
    return held
