"""Adapter of chunkers of any library: calls them, reads texts and places of what they return."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.chunking.bases.options import Limited
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.chunks import Chunks
from chunkwright.contextual import Contextual
from chunkwright.document import Document
from chunkwright.errors import ChunkwrightError, ConfigError
from chunkwright.evaluation.loose_match import Place
from chunkwright.llm.run.runner import Runner, as_runner
from chunkwright.messages.terminal_text import short_repr

if TYPE_CHECKING:
    from chunkwright.llm.request import Outcome


# Characters that are kept of a chunker's description of itself.
_SHOWN = 400


def chunker_name(chunker: object) -> str:
    """Return a short name: a strategy with the options that were given, else what it is."""
    if isinstance(chunker, Limited):
        return f"{type(chunker).__name__}({', '.join(_given_options(chunker))})"
    if isinstance(chunker, Contextual):
        strategy = chunker.strategy
        cuts = strategy if isinstance(strategy, str) else chunker_name(strategy)
        return f"Contextual({', '.join([cuts, *_given_options(chunker)])})"
    named: str = getattr(chunker, "__qualname__", type(chunker).__name__)
    return named


def _given_options(chunker: Limited | Contextual) -> list[str]:
    """Return the options that were given, but for the strategy of contextual chunks."""
    return [
        f"{field.name}={_option_text(field.name, value)}"
        for field in fields(chunker)
        if field.init and field.name != "strategy"
        if (value := getattr(chunker, field.name)) != field.default
    ]


def _option_text(name: str, value: Any) -> str:
    """Return the value of an option, and of what a model is only its name."""
    if name == "llm":
        return as_runner(value).fingerprint or "a model without a name"
    return short_repr(value)


def chunker_text(chunker: object) -> str:
    """Return what a chunker says of itself, without the address of an object."""
    if isinstance(chunker, Limited | Contextual) or type(chunker).__repr__ is object.__repr__:
        return chunker_name(chunker)
    said = repr(chunker)
    if " at 0x" in said:
        return f"{getattr(chunker, '__module__', '')}.{chunker_name(chunker)}".lstrip(".")
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}..."


# What cuts a text: the peers' method, that of chonkie, or the object itself.
METHODS = ("split_text", "chunk")
# Outcomes of requests to a model that gave nothing.
UNANSWERED: tuple[Outcome, ...] = ("invalid", "failed", "unpaid")
# The attributes in which items that are no str have their text, what of it stands in the corpus,
# if that is less, and the place of this.
_TEXTS = ("text", "page_content")
_ORIGINAL = "original_text"
_PLACES = (("start", "end"), ("start_index", "end_index"))


class ChunkerOutput(NamedTuple):
    """The chunks of one text.

    Attributes
    ----------
    texts
        What they say; none is empty.
    places
        Where they stand, in code points, as far as that is known.
    indexed
        What is searched in the place of each text, such as a text with a context in front; None:
        the texts themselves.
    n_unanswered
        How many requests a language model has not answered: another try may give other chunks.
    """

    texts: list[str]
    places: list[Place | None]
    indexed: list[str] | None = None
    n_unanswered: int = 0


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
    raise ConfigError(f"chunker must be {needed}, got {short_repr(chunker)}")


def cut(chunker: object, source: str | Document, corpus: str) -> ChunkerOutput:
    """Cut a text or a document.

    Chunks without text are left out; a place that is not where the chunk's text stands is dropped.
    :class:`chunkwright.Chunks` of a document stand where the pieces of their body do: they may
    repeat what stands elsewhere, as a table's header. Of an item with an ``original_text``, this is
    the chunk, and its ``text`` is what is searched.

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
    work = cutting(chunker)
    if isinstance(chunker, Contextual):
        # A model and a structural context say what the document is called.
        return _checked(chunker, source, corpus, partial(chunker, source, name=corpus))
    taken = source if work is chunker or isinstance(source, str) else source.body
    return _checked(chunker, source, corpus, partial(work, taken))


def cuts(chunker: object, sources: Mapping[str, str | Document]) -> Iterator[ChunkerOutput]:
    """Cut texts or documents, by their names, one after another: see :func:`cut`.

    An embedder of a strategy is asked for many of them at once. A language model is not: what it
    does not answer has to be told apart by its text, and it has many requests about each.
    """
    if isinstance(chunker, Strategy) and _embeds(chunker):
        stream = chunker.stream(sources.values())
        for corpus, source in sources.items():
            yield _checked(chunker, source, corpus, partial(next, stream))
    else:
        yield from (cut(chunker, source, corpus) for corpus, source in sources.items())


def _embeds(strategy: Strategy) -> bool:
    """Return whether a strategy has an embedder, and no way to cut of its own."""
    is_plain = type(strategy).__call__ is Strategy.__call__ and cutting(strategy) is strategy
    return is_plain and "embedder" in strategy.models


def _checked(
    chunker: object, source: str | Document, corpus: str, make: Callable[[], object]
) -> ChunkerOutput:
    """Return what a chunker makes of a text, as :func:`cut` does."""
    name = chunker_name(chunker)
    text = source.text if isinstance(source, Document) else source
    n_before = _n_unanswered(chunker)
    try:
        given = make()
        items = _items(given)
        texts, places = _texts_and_places(items)
        indexed = _indexed(items)
    except ChunkwrightError as error:
        error.add_note(f"while {name} cut the corpus {corpus!r}")
        raise
    except _OddError as error:
        raise ConfigError(f"{name} gave {error} for the corpus {corpus!r}") from error
    except Exception as error:
        raise ConfigError(f"{name} failed on the corpus {corpus!r}: {error!r}") from error
    is_known = isinstance(items, Chunks) and isinstance(source, Document)
    kept = [
        (said, place if place and text[slice(*place)] == said else _body(item, is_known), searched)
        for item, said, place, searched in zip(items, texts, places, indexed, strict=True)
        if said
    ]
    is_plain = all(said == searched for said, _, searched in kept)
    return ChunkerOutput(
        [said for said, _, _ in kept],
        [place for _, place, _ in kept],
        None if is_plain else [searched for _, _, searched in kept],
        max(_n_without_context(given), _n_unanswered(chunker) - n_before),
    )


def _n_unanswered(chunker: object) -> int:
    """Return how many requests about boundaries a model has not answered so far."""
    asks = chunker.strategy if isinstance(chunker, Contextual) else chunker
    runner = getattr(asks, "runner", None)
    if not isinstance(runner, Runner):
        return 0
    return sum(runner.ledger.outcomes[outcome] for outcome in UNANSWERED)


def _n_without_context(given: object) -> int:
    """Return how many chunks have no context because a model has not answered."""
    outcomes = given.context_outcomes if isinstance(given, Chunks) else []
    return sum(outcome in UNANSWERED for outcome in outcomes)


def _body(chunk: Any, is_known: bool) -> Place | None:
    """Return from where to where the body of a chunk reaches, if it is known to be true."""
    body = [piece for piece in chunk.pieces if piece.role == "body"] if is_known else []
    return (min(p.start for p in body), max(p.end for p in body)) if body else None


class _OddError(Exception):
    """A chunker returned no list of texts; says what it returned."""


def _items(given: object) -> Chunks | list[Any]:
    """Return the chunks as they were cut."""
    return given if isinstance(given, Chunks) else _listed(given)


def _listed(given: object) -> list[Any]:
    if isinstance(given, str | bytes | dict) or not isinstance(given, Iterable):
        raise _OddError(f"{type(given).__name__} instead of a list of texts")
    return list(given)


def _texts_and_places(items: Chunks | list[Any]) -> tuple[list[str], list[Place | None]]:
    if isinstance(items, Chunks):
        places = zip(items.starts.tolist(), items.ends.tolist(), strict=True)
        return items.texts(), list(places)
    return [_chunk_of(item) for item in items], [_place_of(item) for item in items]


def _indexed(items: Chunks | list[Any]) -> list[str]:
    """Return what is searched in the place of each text."""
    if isinstance(items, Chunks):
        return items.contextual_texts()
    return [_text_of(item) for item in items]


def _chunk_of(item: object) -> str:
    """Return what of an item's text stands in the corpus."""
    original = getattr(item, _ORIGINAL, None)
    return original if isinstance(original, str) else _text_of(item)


def _text_of(item: object) -> str:
    if isinstance(item, str):
        return item
    for name in _TEXTS:
        if isinstance(text := getattr(item, name, None), str):
            return text
    raise _OddError(f"a chunk that is no text, but {short_repr(item)},")


def _place_of(item: object) -> Place | None:
    for start, end in _PLACES:
        place = getattr(item, start, None), getattr(item, end, None)
        if isinstance(place[0], int) and isinstance(place[1], int) and 0 <= place[0] <= place[1]:
            return place[0], place[1]
    return None
