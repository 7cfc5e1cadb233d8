"""A document as elements: titles, paragraphs, list items and tables, in the order they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import FrozenInstanceError
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.errors import ReadError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REPR_CHARS = 60
# No document has deeper headings; all paths of an endless one would take quadratic space.
MAX_HEADINGS = 64


class Box(NamedTuple):
    """Where an element stands on its page.

    Attributes
    ----------
    page
        The page, if it is known.
    left, top, right, bottom
        The smallest rectangle that holds the element's points, in the units of its source.
    width, height
        Those of the page in the same units, if they are known.
    """

    page: int | None
    left: float
    top: float
    right: float
    bottom: float
    width: float | None
    height: float | None


class Element:
    """One element: a view of a row of :class:`Elements`; nothing is computed before it is asked."""

    __slots__ = ("_elements", "index")

    def __init__(self, elements: Elements, index: int) -> None:
        self._elements = elements
        self.index = index

    @property
    def item(self) -> Any:
        """The element as it was given: the caller's own dict or object."""
        return self._elements.items[self.index]

    @property
    def type(self) -> str:
        """What it is, as its source says: ``"Title"``, ``"NarrativeText"``, ``"Table"``, ..."""
        return type_of(self.item)

    @property
    def text(self) -> str:
        """The text, whitespace normalised: ``document.text[element.start:element.end]``."""
        return self._elements.text[self.start : self.end]

    @property
    def start(self) -> int:
        """Where the text starts in the document's, in code points."""
        return int(self._elements.starts[self.index])

    @property
    def end(self) -> int:
        """Where the text ends in the document's, in code points."""
        return int(self._elements.ends[self.index])

    @property
    def page(self) -> int | None:
        """The page that it says it is on."""
        return self._elements.pages[self.index]

    @property
    def depth(self) -> int | None:
        """How deep it is nested among those of its kind, from 0 (``category_depth``)."""
        depth = self._of_metadata("category_depth")
        return depth if isinstance(depth, int) else None

    @property
    def parent(self) -> Element | None:
        """The element before it that it belongs to (``parent_id``)."""
        above = self._elements.parents[self.index]
        return None if above < 0 else Element(self._elements, above)

    @property
    def headings(self) -> tuple[str, ...]:
        """The titles above it, the outermost first; its own text is not among them."""
        return self._elements.headings(self.index)

    @property
    def html(self) -> str | None:
        """The table's HTML as it was given (``text_as_html``)."""
        html = self._of_metadata("text_as_html")
        return html if isinstance(html, str) else None

    @property
    def box(self) -> Box | None:
        """Where it stands on its page (``coordinates``).

        Raises
        ------
        ReadError
            If its coordinates are no points.
        """
        coordinates = self._of_metadata("coordinates")
        if coordinates is None:
            return None
        try:
            return _box(self.page, coordinates)
        except (TypeError, ValueError, AttributeError) as error:
            reason = f"coordinates are no points: {error}"
            raise ReadError(f"elements[{self.index}]: {reason}") from error

    @property
    def originals(self) -> list[Any]:
        """The elements that it was made of, where it is a chunk (``orig_elements``).

        Raises
        ------
        ReadError
            If they cannot be decoded.
        """
        originals = self._of_metadata("orig_elements")
        if isinstance(originals, str):
            from chunkwright.readers.payload import Allowance, decoded

            return decoded(originals, Allowance(), f"elements[{self.index}]: orig_elements")
        return list(originals or ())

    def _of_metadata(self, key: str) -> Any:
        return of_metadata(self.item, key)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        return self.index == other.index and bool(self.item == other.item)

    def __hash__(self) -> int:
        return hash((self.index, self.text))

    def __repr__(self) -> str:
        text = self.text
        shown = f"{text[: REPR_CHARS - 3]}..." if len(text) > REPR_CHARS else text
        page = "" if self.page is None else f", page={self.page}"
        return f"Element({self.type!r}, {shown!r}{page})"


class Elements(Sequence[Element]):
    """The elements of a document, over one text.

    The text is what they say: whitespace within each normalised to single blanks (code is kept as
    it is), those without any left out, a blank line between two.

    Made by :func:`chunkwright.read_elements`.
    """

    def __init__(self, core: _core.Elements, items: Sequence[Any]) -> None:
        self.core = core
        self.items = items
        """The elements as they were given: the caller's own dicts or objects."""

    @cached_property
    def text(self) -> str:
        """What all elements say."""
        return self.core.text

    def texts(self) -> list[str]:
        """Return the elements' texts, whitespace normalised."""
        text = self.text
        spans = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [text[start:end] for start, end in spans]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the elements' texts start, in code points of :attr:`text`, shape ``(n,)``."""
        return _array(self.core.starts())

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Where the elements' texts end, in code points of :attr:`text`, shape ``(n,)``."""
        return _array(self.core.ends())

    @cached_property
    def kinds(self) -> Sequence[str]:
        """What they are to the strategies: ``"text"``, ``"title"``, ``"table"``, or ``"code"``."""
        return self.core.kinds()

    @cached_property
    def pages(self) -> list[int | None]:
        """The pages that the elements say they are on."""
        return self.core.pages()

    @cached_property
    def parents(self) -> list[int]:
        """For each element the number of the one it belongs to, which stands before it, or -1."""
        seen: dict[object, int] = {}
        parents = []
        for i, item in enumerate(self.items):
            parents.append(seen.get(_hashable(of_metadata(item, "parent_id")), -1))
            own = _hashable(id_of(item))
            if own is not None:
                seen[own] = i
        return parents

    @cached_property
    def _titles(self) -> list[int]:
        """For each element the number of the title right above it, or -1.

        That of its parent, where it has one; else the last title that is less deep.
        """
        above: list[int] = []
        # Titles that what follows may stand under, each deeper than the one before.
        opened: list[tuple[int, int]] = []
        for i, (kind, parent) in enumerate(zip(self.kinds, self.parents, strict=True)):
            depth = self[i].depth or 0
            while kind == "title" and opened and opened[-1][0] >= depth:
                opened.pop()
            if parent >= 0:
                above.append(parent if self.kinds[parent] == "title" else above[parent])
            else:
                above.append(opened[-1][1] if opened else -1)
            if kind == "title":
                opened.append((depth, i))
        return above

    def headings(self, index: int) -> tuple[str, ...]:
        """Return the titles above an element, the outermost first: at most the 64 innermost."""
        headings: list[str] = []
        while (index := self._titles[index]) >= 0 and len(headings) < MAX_HEADINGS:
            headings.append(self[index].text)
        return tuple(reversed(headings))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the elements as they were given, as dicts that JSON can say.

        Raises
        ------
        ReadError
            If an object cannot be made one.
        """
        return [_as_dict(item, at) for at, item in enumerate(self.items)]

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Element: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Element, ...]: ...
    def __getitem__(self, index: int | slice) -> Element | tuple[Element, ...]:
        rows = range(len(self))[index]
        if isinstance(rows, range):
            return tuple(Element(self, row) for row in rows)
        return Element(self, rows)

    def __iter__(self) -> Iterator[Element]:
        return (Element(self, row) for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Elements):
            return NotImplemented
        return list(self.items) == list(other.items)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        from chunkwright.readers.unstructured import elements_of

        # What the core has is made of the items, anew.
        return elements_of, (list(self.items),)

    def __repr__(self) -> str:
        return f"<{len(self)} elements>"


class ElementDocument(Document):
    """A document that knows its elements; any strategy takes it.

    Made by :func:`chunkwright.read_elements`. Strategies over elements cut between them, all
    others cut its text.

    Parameters
    ----------
    elements
        The elements; the document's text is what they say.
    name
        What the document is called.
    """

    __slots__ = ("elements",)
    elements: Elements

    def __init__(self, *, elements: Elements, name: str | None = None) -> None:
        # The text is long, and not everybody asks for it: the property below makes it.
        object.__setattr__(self, "elements", elements)
        object.__setattr__(self, "name", name)
        self.__post_init__()

    @property
    def text(self) -> str:
        """What the elements say, :attr:`Elements.text`."""
        return self.elements.text

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the elements as they were given; see :meth:`Elements.to_dicts`."""
        return self.elements.to_dicts()

    def named(self, name: str | None) -> ElementDocument:
        """Return the document under another name."""
        return ElementDocument(elements=self.elements, name=name)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ElementDocument):
            return NotImplemented
        return (self.name, self.elements) == (other.name, other.elements)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _document, (self.elements, self.name)

    def __repr__(self) -> str:
        return f"ElementDocument({self.elements!r}, name={self.name!r})"


def _document(elements: Elements, name: str | None) -> ElementDocument:
    return ElementDocument(elements=elements, name=name)


# ---------------------------------------------------------------------- one item, dict or object


def type_of(item: Any) -> str:
    """Return what an element says it is."""
    if isinstance(item, Mapping):
        return str(item.get("type", ""))
    return str(getattr(item, "category", type(item).__name__))


def id_of(item: Any) -> object:
    """Return an element's id, if it has one."""
    if isinstance(item, Mapping):
        return item.get("element_id")
    # The peer's `id` makes one up where there is none, and keeps it.
    return getattr(item, "_element_id", None)


def of_metadata(item: Any, key: str) -> Any:
    """Return a field of an element's metadata, None if it has none."""
    if isinstance(item, Mapping):
        metadata = item.get("metadata")
        return metadata.get(key) if isinstance(metadata, Mapping) else None
    return getattr(getattr(item, "metadata", None), key, None)


def _hashable(value: object) -> object:
    return value if isinstance(value, str | int) else None


def _as_dict(item: Any, at: int) -> dict[str, Any]:
    if isinstance(item, dict):
        return item
    try:
        return dict(item.to_dict())
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        kind = type(item).__name__
        raise ReadError(f"elements[{at}]: {kind} cannot be made a dict: {error!r}") from error


def _box(page: int | None, coordinates: Any) -> Box | None:
    if isinstance(coordinates, Mapping):
        points, system = coordinates.get("points"), coordinates
        width, height = system.get("layout_width"), system.get("layout_height")
    else:
        points, system = coordinates.points, coordinates.system
        width, height = getattr(system, "width", None), getattr(system, "height", None)
    if not points:
        return None
    across, down = zip(*((float(x), float(y)) for x, y in points), strict=True)
    return Box(page, min(across), min(down), max(across), max(down), width, height)


def _array(column: _core.Column) -> NDArray[np.int64]:
    import numpy as np

    return np.asarray(column)
