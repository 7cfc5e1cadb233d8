"""Texts of other frameworks as documents of a store, each of which is one block.

Metadata that are scalars, lists of them, or dates (as texts in ISO 8601) keep their names and are
filtered by; where chunks have a column of that name, ``meta.`` stands before it. All others are one
value of JSON, and are not filtered by.
"""

from __future__ import annotations

import json
import operator
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from chunkwright.checks import MAX_SIZE
from chunkwright.chunking.strategies.text import Window
from chunkwright.document import Document
from chunkwright.errors import ConfigError, StoreError
from chunkwright.messages.terminal_text import short_repr
from chunkwright.rows import RESERVED
from chunkwright.store.drafts import stored_text
from chunkwright.store.model import CUT
from chunkwright.store.searching.conditions import Compare, Operator
from chunkwright.store.searching.filters import Filter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike

    from chunkwright.document import Scalar
    from chunkwright.embed import EmbedderLike
    from chunkwright.store.searching.found import Found
    from chunkwright.store.store import Store

PREFIX = "meta."
REST = "meta:"
"""The name of the metadata that say which others there are, and have those that are no scalars:
only texts of frameworks have it."""
_MOST = 2**63
_ORDERS: dict[Operator, Any] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_DATES = {datetime: "datetime", date: "date"}
_OF_NAMES = {name: kind for kind, name in _DATES.items()}


def stored_name(name: str) -> str:
    """Return the name under which a value of metadata is stored."""
    return f"{PREFIX}{name}" if name in RESERVED or name.startswith(PREFIX) else name


def stored(metadata: Mapping[str, Any]) -> dict[str, Scalar]:
    """Return metadata as those of a document.

    Raises
    ------
    ConfigError
        If JSON knows no such value; names it.
    """
    dates = {name: _DATES[type(of)] for name, of in metadata.items() if type(of) in _DATES}
    metadata = {
        name: value.isoformat() if name in dates else value for name, value in metadata.items()
    }
    rest = {name: value for name, value in metadata.items() if not _is_filtered_by(value)}
    kept = {stored_name(name): value for name, value in metadata.items() if name not in rest}
    for name, value in rest.items():
        try:
            json.dumps(value)
        except (TypeError, ValueError, RecursionError) as error:
            message = f"metadata {name!r} must be what JSON knows, got {short_repr(value)}"
            raise ConfigError(message, option="metadata") from error
    described = {"names": list(metadata), "rest": rest} | ({"dates": dates} if dates else {})
    return {**kept, REST: json.dumps(described)}


def inner(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values in dicts by their paths, and an empty list for each dict: it is there."""
    values: dict[str, Any] = {}
    open_ = [(name, value) for name, value in metadata.items() if isinstance(value, dict)]
    while open_:
        path, value = open_.pop()
        if isinstance(value, dict):
            open_ += [(f"{path}.{name}", each) for name, each in value.items()]
            values[path] = []
        else:
            values[path] = value if _is_filtered_by(value) else []
    return {stored_name(path): value for path, value in values.items()}


def given(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata of a document as the framework gave them; of other documents as they are.

    Raises
    ------
    StoreError
        If the document says of others what no framework's text says.
    """
    if REST not in metadata:
        return dict(metadata)
    try:
        described = json.loads(metadata[REST])
        values = {name: metadata.get(stored_name(name)) for name in described["names"]}
        for name, kind in described.get("dates", {}).items():
            values[name] = _OF_NAMES[kind].fromisoformat(str(values[name]))
        return {**values, **described["rest"]}
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        shown = short_repr(metadata[REST])
        raise StoreError(f"metadata {REST!r} of a document are no framework's: {shown}") from error


def _is_filtered_by(value: object) -> bool:
    return all(map(_is_scalar, value)) if type(value) is list else _is_scalar(value)


def _is_scalar(value: object) -> bool:
    if isinstance(value, float):
        # Databases differ in what they make of the others.
        return abs(value) < float("inf")
    if isinstance(value, int) and not isinstance(value, bool):
        return -_MOST <= value < _MOST
    return isinstance(value, str | bool | None)


def add_texts(
    store: Store,
    texts: Sequence[tuple[str, str, Mapping[str, Any]]],
    embedder: EmbedderLike | None,
    vectors: Mapping[str, ArrayLike | None] | None = None,
) -> None:
    """Write texts; one with a known id takes the place of that.

    Parameters
    ----------
    store
        The store.
    texts
        Ids, texts and metadata, the latter as `stored` returns them.
    embedder
        The model of their vectors; None: the store's.
    vectors
        Those that the framework has made of texts, by their ids; None: the model makes them.

    Raises
    ------
    ConfigError
        If an id is none, see :func:`with_ids`.
    ChunkwrightError
        If a text cannot be written.
    """
    with_ids(id_ for id_, _, _ in texts)
    known = {id_: metadata for id_, _, metadata in texts}
    documents = [Document(text=text, id=id_, metadata=metadata) for id_, text, metadata in texts]
    report = store.add(
        documents,
        strategy=Window(max_chars=MAX_SIZE),
        embedder=embedder,
        metadata=known.__getitem__,
        shadows=None,
        resync=False,
        vectors=vectors,
    )
    for error in report.errors.values():
        raise error


def texts_of(store: Store, ids: Iterable[str]) -> dict[str, Document]:
    """Return the texts with these ids, in their order; what there is not is left out."""
    texts = {}
    for id_ in ids:
        try:
            texts[id_] = store.document(id_)
        except (ConfigError, StoreError):
            # There is none, or there can be none.
            continue
    return texts


def is_text(found: Found) -> bool:
    """Return whether what was found is a text of a framework, not a block of another document."""
    return REST in found.metadata


def text_of(store: Store, found: Found) -> str:
    """Return a text of a framework as it was given, or as it was written by hand since."""
    return store.document(found.document).text if found.origin == CUT else found.text


def id_of(found: Found) -> str:
    """Return the id of a block; of a page header or footer, which has none, its place."""
    return found.block or f"{found.document}#{found.start}-{found.end}"


def place_of(hit: Found) -> dict[str, Any]:
    """Return the metadata of a block of another document: the document's, and its place there.

    The latter are ``source``, ``pages``, ``headings``, ``lines`` (from 1) and the place of its own
    text, ``start`` and ``end``.
    """
    return {
        **hit.metadata,
        "source": hit.document,
        "pages": list(hit.pages),
        "headings": list(hit.headings),
        "lines": [hit.line_start, hit.line_end],
        "start": hit.start,
        "end": hit.end,
    }


def with_ids(ids: Iterable[str]) -> Filter:
    """Return the filter of texts with these ids.

    Raises
    ------
    ConfigError
        If an id ends with ``*``, which stands for all that begin so, or no database takes it.
    """
    every = list(ids)
    for id_ in every:
        if not is_id(id_):
            message = f"an id must not end with '*', nor have NUL or surrogates, got {id_!r}"
            raise ConfigError(message, option="ids")
    return Filter(documents=every)


def alike(values: Iterable[Any]) -> list[Any]:
    """Return what Python calls equal to one of some values, of all types that a store knows."""
    equal: list[Any] = []
    for value in values:
        if isinstance(value, date):
            equal.append(value.isoformat())
        elif isinstance(value, int | float) and value in (0, 1):
            equal += [int(value), bool(value)]
        else:
            equal.append(value)
    return equal


def compared(by: Operator, value: float | str) -> list[Any]:
    """Return what a value of metadata is to be, one of these, to compare so in Python."""
    # True and False are numbers there.
    is_order = by in _ORDERS and not isinstance(value, str)
    truths = [each for each in (False, True) if is_order and _ORDERS[by](each, value)]
    return [Compare(by, value), *truths]


def is_id(value: object) -> bool:
    """Return whether a text can have this id."""
    return isinstance(value, str) and not value.endswith("*") and stored_text(value) == value
