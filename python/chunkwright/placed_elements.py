"""Elements at places of a text that the caller knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chunkwright import _core
from chunkwright.checks import MAX_SIZE, checked_int
from chunkwright.elements import Box, Elements
from chunkwright.errors import ConfigError


def elements_at(text: str, items: Iterable[Mapping[str, Any]]) -> Elements:
    r"""Return elements that stand in a text as it is, so that chunks are slices of it.

    Parameters
    ----------
    text
        The text, say a Markdown file.
    items
        For each element a mapping with ``kind`` (see :attr:`Elements.kinds`), ``start`` and ``end``
        (code points, ascending and disjoint), and, where they are known, ``level`` (from 1),
        ``page`` and ``parent`` (the number of an element before it).

    Raises
    ------
    ConfigError
        If an element lacks a field, or does not stand in the text behind those before it; names
        its number.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = "# Rain\n\nIt rained."
    >>> elements = cw.elements_at(text, [
    ...     {"kind": "heading", "start": 0, "end": 6, "level": 1},
    ...     {"kind": "paragraph", "start": 8, "end": 18},
    ... ])
    >>> document = cw.Document(elements=elements, name="rain.md")
    >>> cw.chunk(document, "by_title", max_chars=100)[0].text == text
    True
    """
    placed = Placed(text, list(items))
    core = _core.Elements.of_spans(
        text,
        placed.kinds(),
        placed.places("start"),
        placed.places("end"),
        placed.pages(),
    )
    placed.parents()
    return Elements(core, placed)


class Placed:
    """Elements by their places in a text."""

    def __init__(self, text: str, items: Sequence[Mapping[str, Any]]) -> None:
        self.text = text
        self.items = items

    def column(self, name: str) -> list[Any]:
        """Return a field that each element must have."""
        for at, item in enumerate(self.items):
            if not isinstance(item, Mapping) or name not in item:
                raise ConfigError(f"elements[{at}] must be a mapping with {name!r}, got {item!r}")
        return [item[name] for item in self.items]

    def kinds(self) -> list[str]:
        """Return the names of the kinds, which the core knows or refuses."""
        for at, kind in enumerate(self.column("kind")):
            if not isinstance(kind, str):
                raise ConfigError(f"elements[{at}]: kind must be a str, got {kind!r}")
        return self.column("kind")

    def places(self, name: str) -> list[int]:
        """Return places in the text."""
        most = len(self.text)
        return [self._int(at, name, value, most) for at, value in enumerate(self.column(name))]

    def pages(self) -> list[int | None]:
        """Return the pages, as far as they are known."""
        return [self._optional(at, "page", MAX_SIZE) for at in range(len(self.items))]

    def levels(self) -> Sequence[int | None]:
        """See :class:`chunkwright.elements.Source`."""
        return [self._optional(at, "level", MAX_SIZE) for at in range(len(self.items))]

    def parents(self) -> Sequence[int]:
        """See :class:`chunkwright.elements.Source`."""
        parents = (self._optional(at, "parent", at - 1) for at in range(len(self.items)))
        return [-1 if parent is None else parent for parent in parents]

    def _optional(self, at: int, name: str, most: int) -> int | None:
        value = self.items[at].get(name)
        return None if value is None else self._int(at, name, value, most)

    @staticmethod
    def _int(at: int, name: str, value: object, most: int) -> int:
        return checked_int(f"elements[{at}]: {name}", value, least=0, most=most)

    def html(self, index: int) -> str | None:
        """See :class:`chunkwright.elements.Source`."""
        html: str | None = self.items[index].get("html")
        return html

    def boxes(self, index: int) -> tuple[Box, ...]:
        """See :class:`chunkwright.elements.Source`."""
        return tuple(self.items[index].get("boxes", ()))

    def remade(self) -> tuple[Any, ...]:
        """See :class:`chunkwright.elements.Source`."""
        return elements_at, (self.text, list(self.items))
