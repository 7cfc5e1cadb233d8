"""Adapter of chunkers of any library: calls them, reads texts and places of what they return."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from chunkwright.chunks import Chunks
from chunkwright.document import Document
from chunkwright.errors import ChunkwrightError, ConfigError
from chunkwright.evaluation.loose_match import Place
from chunkwright.evaluation.naming import chunker_name
from chunkwright.evaluation.rows import shown

# What cuts a text: the peers' method, that of chonkie, or the object itself.
METHODS = ("split_text", "chunk")
# The attributes in which items that are no str have their text, and their place.
_TEXTS = ("text", "page_content")
_PLACES = (("start", "end"), ("start_index", "end_index"))


class Cut(NamedTuple):
    """The chunks of one text.

    Attributes
    ----------
    texts
        What they say; none is empty.
    places
        Where they stand, in code points, as far as that is known.
    """

    texts: list[str]
    places: list[Place | None]


def cutting(chunker: object) -> Callable[[Any], Any]:
    """Return what cuts a text.

    Parameters
    ----------
    chunker
        A strategy, an object with a method of `METHODS`, or a callable.

    Raises
    ------
    ConfigError
        If it is none of these.
    """
    if isinstance(chunker, type):
        raise ConfigError(f"chunker must be an object, got the class {chunker.__name__}")
    for name in METHODS:
        method = getattr(chunker, name, None)
        if callable(method):
            return method  # type: ignore[no-any-return]
    if callable(chunker):
        return chunker
    needed = "a strategy, an object with split_text, or a callable"
    raise ConfigError(f"chunker must be {needed}, got {shown(chunker)}")


def cut(chunker: object, source: str | Document, corpus: str) -> Cut:
    """Cut a text or a document.

    Chunks without text are left out; a place that is not where the chunk's text stands is dropped.
    :class:`chunkwright.Chunks` of a document stand where the pieces of their body do: they may
    repeat what stands elsewhere, as a table's header.

    Parameters
    ----------
    chunker
        See :func:`cutting`. A method is given the text of a document, all others the document.
    source
        The text or document.
    corpus
        What it is called in an error's message.

    Raises
    ------
    ConfigError
        If the chunker fails, or gives something else than texts; names it and the corpus. What it
        raised itself is the cause; errors of chunkwright come as they are, with a note.
    """
    name = chunker_name(chunker)
    work = cutting(chunker)
    text = source.text if isinstance(source, Document) else source
    try:
        given = work(source if work is chunker else text)
        items = given if isinstance(given, Chunks) else _listed(given)
        texts, places = _texts_and_places(items)
    except ChunkwrightError as error:
        error.add_note(f"while {name} cut the corpus {corpus!r}")
        raise
    except _OddError as error:
        raise ConfigError(f"{name} gave {error} for the corpus {corpus!r}") from error
    except Exception as error:
        raise ConfigError(f"{name} failed on the corpus {corpus!r}: {error!r}") from error
    is_known = isinstance(given, Chunks) and isinstance(source, Document)
    pairs = [
        (said, place if place and text[slice(*place)] == said else _body(item, is_known))
        for item, said, place in zip(items, texts, places, strict=True)
        if said
    ]
    return Cut([said for said, _ in pairs], [place for _, place in pairs])


def _body(chunk: Any, is_known: bool) -> Place | None:
    """Return from where to where the body of a chunk reaches, if it is known to be true."""
    body = [piece for piece in chunk.pieces if piece.role == "body"] if is_known else []
    return (min(p.start for p in body), max(p.end for p in body)) if body else None


class _OddError(Exception):
    """What a chunker gave is no list of texts; says what it is."""


def _listed(given: object) -> list[Any]:
    if isinstance(given, str | bytes | dict) or not isinstance(given, Iterable):
        raise _OddError(f"{type(given).__name__} instead of a list of texts")
    return list(given)


def _texts_and_places(items: Chunks | list[Any]) -> tuple[list[str], list[Place | None]]:
    if isinstance(items, Chunks):
        places = zip(items.starts.tolist(), items.ends.tolist(), strict=True)
        return items.texts(), list(places)
    return [_text_of(item) for item in items], [_place_of(item) for item in items]


def _text_of(item: object) -> str:
    if isinstance(item, str):
        return item
    for name in _TEXTS:
        if isinstance(text := getattr(item, name, None), str):
            return text
    raise _OddError(f"a chunk that is no text, but {shown(item)},")


def _place_of(item: object) -> Place | None:
    for start, end in _PLACES:
        place = getattr(item, start, None), getattr(item, end, None)
        if isinstance(place[0], int) and isinstance(place[1], int) and 0 <= place[0] <= place[1]:
            return place[0], place[1]
    return None
