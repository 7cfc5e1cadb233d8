"""Columns of the elements that chunks are made of: headings, kinds, tables and their parts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from chunkwright.messages.logs import once

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright import _core
    from chunkwright.elements.element import Element
    from chunkwright.elements.elements import Elements
    from chunkwright.origin import Origin

# What the core says of a chunk that is a part of a table.
TABLE_PART = 2


class ElementColumns:
    """What columns of chunks say of the documents' elements.

    Attributes
    ----------
    core
        What a strategy of the core gave.
    origin
        The documents that were cut.
    """

    core: _core.Columns
    origin: Origin

    def __len__(self) -> int:
        return len(self.core)

    @cached_property
    def doc_index(self) -> NDArray[np.int64]:
        """The number of the text that each chunk is from."""
        return as_array(self.core.doc_index())

    @cached_property
    def ids(self) -> list[str]:
        """Ids derived from name, text and occurrence."""
        names = self.origin.names
        ids = self.core.ids([name or "" for name in names])
        if names.count(None) > 1 and len({*ids}) < len(ids):
            once(
                "chunks of different documents have equal ids, since the documents have no names "
                "and these chunks the same text: give names, as in batch(texts, names=...), before "
                "the ids are keys"
            )
        return ids

    @property
    def has_elements(self) -> bool:
        """Whether a document has elements."""
        return any(elements is not None for elements in self.origin.elements)

    def html(self, row: int) -> str | None:
        """Return the HTML of a table or a part of one."""
        return self.core.html(row)

    def elements(self, row: int) -> tuple[Element, ...]:
        """Return the elements that a chunk is made of."""
        elements = self.elements_of(row)
        if elements is None:
            return ()
        first, end = self._element_rows(elements, row)
        return elements[first:end]

    def elements_of(self, row: int) -> Elements | None:
        """Return the elements of the document that a chunk is from."""
        return self.origin.elements[int(self.doc_index[row])] if self.origin.elements else None

    def headings(self, row: int) -> tuple[str, ...]:
        """Return the headings of the section that a chunk is from, its own included."""
        elements = self.elements_of(row)
        if elements is None:
            return ()
        return elements.section(*self._element_rows(elements, row))

    def headings_above(self, row: int) -> tuple[str, ...]:
        """Return the headings above the first element of a chunk."""
        elements = self.elements_of(row)
        if elements is None:
            return ()
        first, end = self._element_rows(elements, row)
        return elements.headings(first) if first < end else ()

    def _element_rows(self, elements: Elements, row: int) -> tuple[int, int]:
        """Return the rows of the first element of a chunk, and of that behind its last."""
        number, end = int(self.first_elements[row]), int(self.end_elements[row])
        first = elements.row(number)
        return first, first + end - number

    @cached_property
    def kinds(self) -> list[str]:
        """The kind of each chunk, by its elements."""
        return self.core.kinds()

    @cached_property
    def first_elements(self) -> NDArray[np.int64]:
        """The first element of each chunk."""
        return self._of_elements(self.core.first_elements())

    @cached_property
    def end_elements(self) -> NDArray[np.int64]:
        """One past the last element of each chunk."""
        return self._of_elements(self.core.end_elements())

    @cached_property
    def parts(self) -> NDArray[np.int64]:
        """The number of each chunk among those of the same elements."""
        return self._of_elements(self.core.parts())

    @cached_property
    def n_header_rows(self) -> NDArray[np.int64]:
        """Rows of the header that each chunk repeats."""
        return self._of_elements(self.core.n_header_rows())

    @cached_property
    def table_ids(self) -> list[str | None]:
        """For each part of a table the id of its first part."""
        ids: list[str | None] = []
        for row, content in enumerate(self._contents.tolist()):
            first = row - int(self.parts[row])
            ids.append(self.ids[first] if content == TABLE_PART else None)
        return ids

    @cached_property
    def _contents(self) -> NDArray[np.int64]:
        return self._of_elements(self.core.contents())

    def _of_elements(self, column: _core.Column) -> NDArray[np.int64]:
        """Return a column of what is known about elements; zeros where there are none."""
        import numpy as np

        values = as_array(column)
        return values if len(values) == len(self) else np.zeros(len(self), dtype=np.int64)


def as_array(column: _core.Column) -> NDArray[np.int64]:
    """Return a column of the core as an array of shape ``(n,)``; no value is copied."""
    import numpy as np

    return np.asarray(column)
