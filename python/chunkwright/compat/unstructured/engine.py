"""Elements of either family through the engine, all at once or as they come."""

from __future__ import annotations

import copy
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from chunkwright import _core

from .options import Options

if TYPE_CHECKING:
    from chunkwright.embed import EmbedderLike

PEER = "unstructured.documents.elements"

# What an element takes beside its text: what stands between it and the next.
_PER_ELEMENT = 2

# Whitespace that XML cannot write; its writer would make U+FFFD of it.
_CONTROL_BLANKS = (0x0B, 0x0C, *range(0x1C, 0x20))
_PRIVATE_USE = range(0xE000, 0xF900)

# What it writes of other characters that XML lacks.
_NO_XML = "&#xFFFD;"

# Chunks that are tables or parts of one, as `UnstructuredChunks.kinds` has them.
_CUT_TABLES = (1, 2)

# How much of a table that cannot be read a warning shows.
_SHOWN = 100


@cache
def is_installed() -> bool:
    """Return whether Unstructured is there to be imported."""
    return PEER in sys.modules or find_spec("unstructured") is not None


def peer_module(name: str) -> ModuleType:
    """Import a module of Unstructured, which reports to its makers unless it is told not to."""
    with _untracked():
        return import_module(name)


@contextmanager
def _untracked() -> Iterator[None]:
    given = os.environ.get("DO_NOT_TRACK")
    os.environ["DO_NOT_TRACK"] = given or "1"
    try:
        yield
    finally:
        if given is None:
            os.environ.pop("DO_NOT_TRACK", None)


@dataclass(frozen=True)
class Family:
    """The classes of elements: Unstructured's, or ours that are like them."""

    module: Any
    kinds: _core.ElementKinds
    classes: _core.ElementClasses


@cache
def _family(of_peer: bool) -> Family:
    module = sys.modules[PEER] if of_peer else import_module(".elements", __package__)
    kinds = _core.ElementKinds(module.Title, module.Table, module.CodeSnippet)
    metadata = module.ElementMetadata
    made = module.CompositeElement, module.Table, module.TableChunk
    return Family(module, kinds, _core.ElementClasses(*made, metadata))


def family_of(elements: list[Any]) -> Family:
    """Return the family of the first element; Unstructured is not imported for it."""
    peer = sys.modules.get(PEER)
    return _family(peer is not None and isinstance(elements and elements[0], peer.Element))


@cache
def recover() -> Callable[[str], str | None] | None:
    """Return what repairs HTML as Unstructured does; None where lxml is not installed."""
    try:
        from lxml import etree
        from lxml.html import fragment_fromstring
    except ImportError:
        return None

    def recovered(html: str) -> str | None:
        instead = _instead_of_control_blanks(html)
        try:
            root = fragment_fromstring(html.translate(instead))
        except (etree.ParserError, ValueError):
            return None
        if next(root.iter("table"), None) is None:
            return None
        written = str(etree.tostring(root, encoding=str))
        # Control characters: Unstructured cannot write its tables either.
        back = {private: control for control, private in instead.items()}
        return None if _NO_XML in written else written.translate(back)

    return recovered


def _instead_of_control_blanks(html: str) -> dict[int, int]:
    """Return characters that the HTML does not have, to stand for blanks that XML lacks."""
    blanks = [code for code in _CONTROL_BLANKS if chr(code) in html]
    free = (code for code in _PRIVATE_USE if chr(code) not in html) if blanks else iter(())
    return dict(zip(blanks, free, strict=False))


@dataclass(frozen=True)
class ElementRun:
    """A strategy with its options.

    Parameters
    ----------
    options
        What all strategies are told.
    cut
        The strategy.
    fresh
        For each of some elements, whether those from it on are cut alike without those before it,
        overlaps aside; None if that is so for all.
    """

    options: Options
    cut: Callable[[_core.UnstructuredElements], _core.UnstructuredChunks]
    fresh: Callable[[list[Any]], list[bool]] | None = None

    def all(self, elements: Iterable[Any]) -> list[Any]:
        """Cut elements into chunks."""
        held = list(self._source(elements))
        columns = self._columns(held)
        self._warn(columns, held, range(len(columns)))
        return self._objects(columns, held)

    def each(self, elements: Iterable[Any]) -> Iterator[Any]:
        """Cut elements as they come.

        A list is cut at once. Of anything else what the next chunk takes is held, or what was read
        since the last chunk that does not repeat the end of another. Work is linear in the text.
        """
        if isinstance(elements, (list, tuple)):
            yield from self.all(elements)
            return
        ahead = _Ahead(iter(self._source(elements)), self.options)
        n_out = 0
        while not ahead.ended:
            ahead.read()
            chunks, n_out = self._next(ahead, n_out)
            yield from chunks
            # What they were made of is not kept while more is read.
            del chunks
        if ahead.error is not None:
            raise ahead.error

    def _source(self, elements: Iterable[Any]) -> Iterable[Any]:
        """Return the elements, without what no chunk will hold, if they are not held anyway."""
        if self.options.originals or isinstance(elements, (list, tuple)):
            return elements
        return map(_without_picture, elements)

    def _next(self, ahead: _Ahead, n_out: int) -> tuple[list[Any], int]:
        """Return the chunks that nothing to come will change, and let go of their elements.

        Of the chunks of all that is held the first ``n_out`` were returned before; how many that
        are from now on is returned too.
        """
        columns = self._columns(ahead.held)
        chunks = self._objects(columns, ahead.held)
        firsts = memoryview(columns.first()).tolist()
        # What further elements may change is the last unit, whole or split.
        done = len(chunks) if ahead.is_complete else _where_last_begins(firsts)
        self._warn(columns, ahead.held, range(n_out, done))
        start = self._where_to_resume(ahead.held, firsts[: done + 1])
        ahead.drop(start)
        return chunks[n_out:done], sum(first >= start for first in firsts[:done])

    def _columns(self, held: list[Any]) -> _core.UnstructuredChunks:
        kinds = family_of(held).kinds
        return self.cut(_core.UnstructuredElements.of_objects(held, kinds, recover()))

    def _objects(self, columns: _core.UnstructuredChunks, held: list[Any]) -> list[Any]:
        classes = family_of(held).classes
        return columns.objects(classes, originals=self.options.originals)

    def _where_to_resume(self, held: list[Any], firsts: list[int]) -> int:
        """Return the last of ``firsts`` from which all is cut as if it were the beginning."""
        fresh = self.fresh and self.fresh(held)
        for i in reversed(firsts):
            if (fresh is None or fresh[i]) and not self._repeats(held, i):
                return i
        return 0

    def _repeats(self, held: list[Any], i: int) -> bool:
        """Return whether a chunk from element ``i`` on may repeat the end of the one before."""
        if i == 0 or not self.options.carries_over:
            return False
        table = family_of(held).module.Table
        stands_alone = isinstance(held[i], table) or isinstance(held[i - 1], table)
        return not (self.options.isolates and stands_alone)

    def _warn(self, columns: _core.UnstructuredChunks, held: list[Any], rows: range) -> None:
        """Warn of what is left out of the chunks of ``rows``, as Unstructured does.

        Filters that were set for its own logger hold.
        """
        logger = logging.getLogger("unstructured")
        for html in _unread(columns, held, rows):
            logger.warning(
                "Could not parse text_as_html for table element; skipping HTML-based chunking."
                " text_as_html: %s",
                html if len(html) <= _SHOWN else f"{html[:_SHOWN]}...",
            )
        large = columns.without_originals() if self.options.originals else []
        for _, size in (each for each in large if each[0] in rows):
            logger.warning(
                "Omitting .metadata.orig_elements from chunks split from an element of %d"
                " characters, because each chunk would carry its own copy of the whole element.",
                size,
            )


def _where_last_begins(firsts: list[int]) -> int:
    """Return the first chunk that begins with the element that the last one begins with."""
    return next((i for i, first in enumerate(firsts) if first == firsts[-1]), 0)


def _unread(columns: _core.UnstructuredChunks, held: list[Any], rows: range) -> Iterator[str]:
    """Yield the HTML of each table among the chunks of ``rows`` that is no table."""
    unread = set(columns.elements().unread())
    if not unread:
        return
    firsts, kinds = memoryview(columns.first()), memoryview(columns.kinds())
    parts = memoryview(columns.parts())
    for row in rows:
        if firsts[row] in unread and kinds[row] in _CUT_TABLES and parts[row] == 0:
            yield held[firsts[row]].metadata.text_as_html.strip()


def _without_picture(element: Any) -> Any:
    """Return an element, but one that says nothing without its picture, whose bytes then can go."""
    text: Any = getattr(element, "text", None)
    metadata: Any = getattr(element, "metadata", None)
    if getattr(metadata, "image_base64", None) is None or not isinstance(text, str) or text.strip():
        return element
    # A table may be passed on as it is.
    if isinstance(element, family_of([element]).module.Table):
        return element
    element, metadata = copy.copy(element), copy.copy(metadata)
    element.metadata, metadata.image_base64 = metadata, None
    return element


class _Ahead:
    """Elements that were read and are not done with.

    Parameters
    ----------
    source
        Where they come from.
    options
        How much a chunk takes.
    """

    def __init__(self, source: Iterator[Any], options: Options) -> None:
        self.held: list[Any] = []
        self.ended = False
        self.error: Exception | None = None
        self._source = source
        self._soft, self._hard = options.soft_chars, options.hard_chars

    @property
    def is_complete(self) -> bool:
        """Whether the source came to its end, and not to an error."""
        return self.ended and self.error is None

    def read(self) -> None:
        """Read an element more than a chunk takes, and as many as are held: work stays linear."""
        n_elements = 2 * len(self.held)
        n_chars, is_full = sum(map(_extent, self.held)) - _PER_ELEMENT, False
        while len(self.held) < n_elements or not is_full:
            try:
                self.held.append(next(self._source))
            except StopIteration:
                self.ended = True
                return
            except Exception as error:  # noqa: BLE001 - raised once what came before it is out
                self.ended, self.error = True, error
                return
            was_over = n_chars > self._soft
            n_chars += _extent(self.held[-1])
            is_full = was_over or n_chars > self._hard

    def drop(self, n_elements: int) -> None:
        """Let go of the first elements."""
        del self.held[:n_elements]


def _extent(element: Any) -> int:
    """Return how many code points an element takes in a chunk."""
    text = getattr(element, "text", None)
    return _PER_ELEMENT + (len(text) if isinstance(text, str) else 0)


def fresh_pages(held: list[Any]) -> list[bool]:
    """For each element, whether its page is known without those before it.

    The first element is on the page that it names, or on page 1; one that names none, on that of
    the element before it.
    """
    numbers = [element.metadata.page_number for element in held]
    current = (numbers[0] or 1) if numbers else 1
    is_current = []
    for i, number in enumerate(numbers):
        current = current if i == 0 or number is None else number
        is_current.append((number or 1) == current)
    return is_current


def by_similarity(
    cutter: _core.UnstructuredCutter, embedder: EmbedderLike, threshold: float
) -> Callable[[_core.UnstructuredElements], _core.UnstructuredChunks]:
    """Return the strategy that keeps neighbours together whose vectors are near each other.

    Parameters
    ----------
    cutter
        The engine.
    embedder
        Gives the vectors of texts.
    threshold
        The least cosine of neighbours.
    """
    from chunkwright.embed import core_embedder

    core = core_embedder(embedder)

    def cut(elements: _core.UnstructuredElements) -> _core.UnstructuredChunks:
        return cutter.by_similarity(elements, core, threshold)

    return cut
