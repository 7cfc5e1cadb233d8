"""Contexts in front of chunks, in the form of Unstructured's contextual chunking."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk

T = TypeVar("T")
ChunkT = TypeVar("ChunkT", bound="Chunk")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextualChunk(Generic[ChunkT]):
    """A chunk with a context in front, in Unstructured's form.

    Parameters
    ----------
    chunk
        The chunk, with its own offsets, pages and ids.
    context
        A sentence or two about its place in the document.
    """

    chunk: ChunkT
    context: str

    @property
    def text(self) -> str:
        """The text to embed: ``Prefix: <context>; Original: <text>``."""
        return with_context(self.context, self.chunk.text)


def contextualize(
    chunks: Sequence[ChunkT], contexts: Iterable[str] | Callable[[ChunkT], str]
) -> list[ContextualChunk[ChunkT]]:
    """Put a context in front of each chunk, in the form of Unstructured's contextual chunking.

    The form makes the text longer, so leave room for it in the limit.

    Parameters
    ----------
    chunks
        The chunks of any strategy.
    contexts
        A context for each chunk, or a function that writes one, for example with a model.

    Raises
    ------
    ConfigError
        If there is not one ``str`` for each chunk.

    Examples
    --------
    >>> import chunkwright as cw
    >>> chunks = cw.chunk("All men are mortal.", max_chars=40)
    >>> cw.contextualize(chunks, ["A premise."])[0].text
    'Prefix: A premise.; Original: All men are mortal.'
    """
    return [
        ContextualChunk(chunk=chunk, context=context)
        for chunk, context in zip(chunks, contexts_for(chunks, contexts), strict=True)
    ]


def with_context(context: str, text: str) -> str:
    """Return the text of a chunk with its context, as Unstructured writes it."""
    return f"Prefix: {context}; Original: {text}"


def contexts_for(chunks: Sequence[T], contexts: Iterable[str] | Callable[[T], str]) -> list[str]:
    """Return a context for each of ``chunks``, taken from a list or written by a function.

    Raises
    ------
    ConfigError
        If there is not one ``str`` for each chunk.
    """
    if callable(contexts):
        written = [contexts(chunk) for chunk in chunks]
    elif isinstance(contexts, str) or not isinstance(contexts, Iterable):
        raise ConfigError(f"contexts must be a list or a callable, got {type(contexts).__name__}")
    else:
        # One more than needed tells that there are too many, also where they never end.
        written = list(islice(contexts, len(chunks) + 1))
    if len(written) != len(chunks):
        more = " or more" if len(written) > len(chunks) else ""
        raise ConfigError(f"{len(chunks)} chunks need as many contexts, got {len(written)}{more}")
    for at, context in enumerate(written):
        if not isinstance(context, str):
            raise ConfigError(f"contexts[{at}] must be a str, got {context!r}")
    return written
