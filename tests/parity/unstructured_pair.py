"""Runs Unstructured and chunkwright side by side and compares all that a caller can see."""

from __future__ import annotations

import base64
import json
import logging
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

# Before it is imported: it reports to its makers.
os.environ["DO_NOT_TRACK"] = "1"

from lxml.etree import ParserError
from unstructured.chunking import basic, dispatch, title
from unstructured.common import html_table
from unstructured.documents import coordinates, elements

from chunkwright.compat import unstructured as ours
from tests.support.long_texts import NO_SHARED_DATA, shared_data

from .unstructured_inputs import Recipe, made

theirs = SimpleNamespace(
    chunk_elements=basic.chunk_elements,
    iter_chunk_elements=basic.iter_chunk_elements,
    chunk_by_title=title.chunk_by_title,
    iter_chunks_by_title=title.iter_chunks_by_title,
    chunk=dispatch.chunk,
    add_chunking_strategy=dispatch.add_chunking_strategy,
    register_chunking_strategy=dispatch.register_chunking_strategy,
    reconstruct_table_from_chunks=dispatch.reconstruct_table_from_chunks,
)

LAZY = {"chunk_elements": "iter_chunk_elements", "chunk_by_title": "iter_chunks_by_title"}


class _Messages(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(f"{record.name} {record.levelname} {record.getMessage()}")


@contextmanager
def listening() -> Iterator[list[str]]:
    """What is logged meanwhile."""
    logger, handler = logging.getLogger("unstructured"), _Messages()
    logger.addHandler(handler)
    propagates, logger.propagate = logger.propagate, False
    try:
        yield handler.messages
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates


def outcome(work: Callable[[], Any]) -> Any:
    """What ``work`` returns or raises."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - any error is an outcome
        return type(error), str(error)


def same(work: Callable[[Any], Any]) -> Any:
    """Asserts that ``work`` has one outcome for both modules; returns it."""
    expected, found = outcome(lambda: work(theirs)), outcome(lambda: work(ours))
    assert found == expected, f"expected {expected!r:.2000}, found {found!r:.2000}"
    return found


def faithful(recipes: list[Recipe]) -> list[Recipe]:
    """The document without tables that say more than twice as much as their cells.

    Unstructured loses what they say; see test_unstructured_differences.
    """
    return [_faithful(recipe) for recipe in recipes]


def _faithful(recipe: Recipe) -> Recipe:
    html = recipe.metadata.get("text_as_html")
    if recipe.kind not in {"Table", "TableChunk"} or not html or not html.strip():
        return recipe
    try:
        rows = list(html_table.HtmlTable.from_html_text(html.strip()).iter_rows())
        cells = sum(_n_letters(text) for row in rows for text in row.iter_cell_texts())
    except (ParserError, ValueError):
        return recipe
    if 2 * cells >= _n_letters(recipe.text):
        return recipe
    return replace(recipe, text=recipe.text[: 2 * cells])


def _n_letters(text: str) -> int:
    return len("".join(text.split()))


def same_chunks(name: str, recipes: list[Recipe], /, **options: Any) -> list[Any]:
    """Asserts that both functions of that name give the same chunks and logs; returns ours."""
    recipes = faithful(recipes)
    with listening() as logged:
        inputs = made(recipes, elements)
        expected = Seen(inputs)
        mine = made(recipes, elements)
        chunks = _theirs(name, inputs, options)
        if chunks is None:
            return getattr(ours, name)(mine, **options)  # type: ignore[no-any-return]
        wanted = expected.chunks(chunks)
        their_log = list(logged)
        logged.clear()
        before = Seen(mine).chunks(mine)
        result = getattr(ours, name)(mine, **options)
    found = Seen(mine).chunks(result)
    for i, (one, other) in enumerate(zip(found, wanted, strict=False)):
        assert (i, one) == (i, other), f"{name}({recipes!r}, **{options!r})"
    assert len(found) == len(wanted), f"{name}({recipes!r}, **{options!r})"
    assert logged == their_log, f"{name}({recipes!r}, **{options!r})"
    assert Seen(mine).chunks(mine) == before, "the caller's elements were changed"
    return result  # type: ignore[no-any-return]


def _theirs(name: str, inputs: list[Any], options: dict[str, Any]) -> list[Any] | None:
    """Unstructured's chunks; None where it fails to give any, see test_unstructured_differences."""
    try:
        return list(getattr(theirs, LAZY[name])(inputs, **options))
    except ValueError as error:
        if "Input object is not an XML element" not in str(error):
            raise
        return None


class Seen:
    """Chunks as plain values, with what they share with their source.

    Parameters
    ----------
    inputs
        The elements that they were made of.
    as_json
        Whether JSON is looked at too.
    """

    def __init__(self, inputs: list[Any], *, as_json: bool = True) -> None:
        self._as_json = as_json
        self._places = {id(element): i for i, element in enumerate(inputs)}
        self._names: dict[Any, int] = {}

    def chunks(self, chunks: list[Any]) -> list[Any]:
        """All that is to be seen of chunks."""
        return [self._chunk(chunk) for chunk in chunks]

    def _chunk(self, chunk: Any) -> Any:
        place = self._places.get(id(chunk))
        found = place, self._element(chunk)
        if not self._as_json:
            return found
        return *found, self._json(chunk.to_dict(), known=place is not None)

    def _element(self, element: Any) -> Any:
        attributes = [name for name in vars(element) if name not in {"metadata", "_element_id"}]
        held = {name: getattr(element, name) for name in attributes}
        return type(element).__name__, list(vars(element)), held, self._metadata(element.metadata)

    def _metadata(self, metadata: Any) -> Any:
        held = {k: v for k, v in vars(metadata).items() if not k.startswith("_")}
        return type(metadata).__name__, [(k, self._value(k, v)) for k, v in held.items()]

    def _value(self, name: str, value: Any) -> Any:
        if name == "orig_elements":
            return self._name(id(value)), [self._original(element) for element in value]
        if name == "table_id":
            return self._name(value)
        if name == "coordinates":
            return type(value).__name__, value.to_dict()
        if name == "data_source":
            return type(value).__name__, vars(value)
        return value

    def _original(self, element: Any) -> Any:
        place = self._places.get(id(element))
        return self._element(element) if place is None else place

    def _name(self, key: Any) -> int:
        """The place of an id, or of a list that chunks share, among those seen so far."""
        return self._names.setdefault(key, len(self._names))

    def _json(self, found: dict[str, Any], *, known: bool) -> Any:
        metadata = dict(found["metadata"])
        if "orig_elements" in metadata:
            metadata["orig_elements"] = decoded(metadata["orig_elements"])
        if "table_id" in metadata:
            metadata["table_id"] = self._name(metadata["table_id"])
        # A chunk's own id is random.
        rest = {k: v for k, v in found.items() if known or k != "element_id"}
        return list(rest), {**rest, "metadata": list(metadata.items())}


def decoded(payload: str) -> Any:
    """What ``orig_elements`` hold in JSON."""
    return json.loads(zlib.decompress(base64.b64decode(payload)))


def files() -> list[Any]:
    """The shared files of elements, as parameters of a test."""
    folder = shared_data()
    if folder is None:
        return [pytest.param(None, marks=pytest.mark.skip(reason=NO_SHARED_DATA))]
    paths = sorted((folder / "data" / "unstructured-elements").glob("*.json"))
    return [pytest.param(path, id=path.stem, marks=pytest.mark.shared) for path in paths]


__all__ = ["coordinates", "elements", "ours", "theirs"]
