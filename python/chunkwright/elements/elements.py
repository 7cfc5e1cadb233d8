"""Elements of a document: headings, paragraphs, list items and tables, in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, overload

from chunkwright import _core
from chunkwright.checks import checked_index
from chunkwright.elements.element import Element
from chunkwright.elements.element_table import ElementTable
from chunkwright.messages.old_pickles import refusing


class Elements(ElementTable, Sequence[Element]):
    """The elements of a document: a sequence of :class:`Element` over one text.

    Readers such as :func:`chunkwright.read` make it, or :func:`chunkwright.elements_at` for
    elements of your own. The same values are available as columns, with a value for each element.
    """

    @overload
    def __getitem__(self, index: int) -> Element: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Element, ...]: ...
    def __getitem__(self, index: int | slice) -> Element | tuple[Element, ...]:
        if isinstance(index, slice):
            return tuple(Element(self, row) for row in range(len(self))[index])
        return Element(self, checked_index(index, len(self), "element"))

    def __iter__(self) -> Iterator[Element]:
        return (Element(self, row) for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Elements):
            return NotImplemented
        return (
            self.text == other.text
            and self.n_body == other.n_body
            and list(self.kinds) == list(other.kinds)
            and list(self.items) == list(other.items)
        )

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), self.core.state(), self._items)

    def __repr__(self) -> str:
        return f"<{len(self)} elements>"


def _remade(made: type[Elements], state: tuple[Any, ...], items: Sequence[Any] | None) -> Elements:
    return made(_core.Elements.of_state(*state), items)


if not TYPE_CHECKING:
    __getattr__ = refusing(__name__, "_restored")
