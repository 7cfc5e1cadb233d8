"""Splitting of frameworks' texts by a strategy: what the adapters of all of them share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from chunkwright.checks import checked_name
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.chunking.registry import as_strategy
from chunkwright.concurrency.background import in_background
from chunkwright.document import Document
from chunkwright.errors import ConfigError
from chunkwright.readers.kinds import KINDS
from chunkwright.readers.read import read_text

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.chunks import Chunks


@dataclass(frozen=True)
class Splitting:
    """A strategy, and what the texts that it is given are read as.

    Parameters
    ----------
    strategy
        The strategy.
    kind
        One of :data:`chunkwright.readers.kinds.KINDS`. None: a strategy over elements reads each
        text as what it looks like, a plain text as Markdown if it cuts nothing but elements. Any
        other takes texts as they are.
    """

    strategy: Strategy
    kind: str | None = None

    @classmethod
    def of(
        cls, strategy: str | Strategy, options: Mapping[str, Any], kind: str | None = None
    ) -> Self:
        """Return it for a strategy, or for the name of one and its options.

        Parameters
        ----------
        strategy
            The name of a strategy, or a strategy.
        options
            Those of the strategy, if it is a name.
        kind
            What texts are read as, such as ``"markdown"``; see :class:`Splitting`.

        Raises
        ------
        ConfigError
            If the strategy, an option or the kind is unknown, or a value makes no sense.
        """
        if kind is not None:
            checked_name("kind", kind, list(KINDS))
        return cls(as_strategy(strategy, options), kind)

    def data(self) -> dict[str, Any]:
        """Return the strategy as data: its name, ``strategy``, and its options.

        Raises
        ------
        ConfigError
            If JSON cannot hold the value of an option; names it.
        """
        spec = self.strategy.spec
        for option, value in spec.items():
            try:
                json.dumps(value)
            except (TypeError, ValueError) as error:
                kind = type(value).__name__
                message = f"{option} must be what JSON knows to be written to a file, got {kind}"
                raise ConfigError(message, option=option) from error
        return spec

    def cut(self, texts: Sequence[object]) -> list[list[Chunk]]:
        """Return the chunks of each text; they are cut on several threads.

        Raises
        ------
        ConfigError
            If one is no text, or none that the strategy takes; names it.
        ReadError, TokenizerError, ModelError
            As the strategy does.
        """
        return _by_text(self.strategy.batch(self._read(texts)), len(texts))

    async def acut(self, texts: Sequence[object]) -> list[list[Chunk]]:
        """Return the chunks of each text as :meth:`cut` does; another thread does the work."""
        return await in_background(partial(self.cut, texts))

    def _read(self, texts: Iterable[object]) -> list[Document]:
        return [self._document(at, text) for at, text in enumerate(texts)]

    def _document(self, at: int, text: object) -> Document:
        if not isinstance(text, str):
            raise ConfigError(f"texts[{at}] must be a str, got {type(text).__name__}")
        if self.kind is None and "elements" not in self.strategy.takes:
            return Document(text=text)
        document = read_text(text, self.kind, f"texts[{at}]", None).document
        if self.kind is None and document.elements is None and "text" not in self.strategy.takes:
            return read_text(text, "markdown", f"texts[{at}]", None).document
        return document


def metadata_of(chunk: Chunk) -> dict[str, Any]:
    """Return what a chunk's elements say of it, as scalars, which all vector stores take.

    ``headings`` are those of its section, the outermost first, with `` > `` between them;
    ``page_number`` is its first page. Both are left out where they are not known.
    """
    metadata: dict[str, Any] = {}
    if headings := chunk.headings:
        metadata["headings"] = " > ".join(headings)
    if pages := chunk.pages:
        metadata["page_number"] = pages[0]
    return metadata


def _by_text(chunks: Chunks, n_texts: int) -> list[list[Chunk]]:
    found: list[list[Chunk]] = [[] for _ in range(n_texts)]
    for chunk in chunks:
        found[chunk.doc_index].append(chunk)
    return found
