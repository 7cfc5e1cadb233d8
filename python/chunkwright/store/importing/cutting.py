"""Cutting of documents for a store: afresh or beside what is kept, and what blocks depend on."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.chunking.bases.strategy import Strategy, fingerprint_of
from chunkwright.chunking.registry import make_strategy
from chunkwright.chunks import Chunks
from chunkwright.context import Context
from chunkwright.contextual.chunker import Contextual
from chunkwright.document import Document
from chunkwright.errors import ConfigError
from chunkwright.frames import without_surrogates
from chunkwright.readers.kinds import read_source
from chunkwright.retrieval.shadows import shadows
from chunkwright.store.drafts import Row, rows_of
from chunkwright.store.restored import restored
from chunkwright.store.settings import SHADOWS
from chunkwright.tokens.sources import NAMED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.store.importing.sources import Sources
    from chunkwright.store.model import Placed

# Strategies that look at what a whole text is.
_BY_KIND = ("auto", "code", "json")


class Resynced(NamedTuple):
    """A cut of a new version.

    Attributes
    ----------
    rows
        What restores its chunks, in order.
    kept
        For numbers of chunks those of the old blocks that they are.
    """

    rows: list[Row]
    kept: dict[int, int]


def resync(
    document: Document, strategy: Strategy, before: Document, old: Sequence[Row]
) -> Resynced:
    """Cut a document, and keep the blocks of the old one where the text is untouched.

    Old blocks are looked for in the new text; between those that are found, the document's own
    strategy cuts. So new blocks are bounded by what was edited, with every strategy. The result
    depends on the old blocks, the new text and the options alone. The core says what is cut again,
    and joins both.

    Parameters
    ----------
    document
        The new version.
    strategy
        What cut the old version, and is to cut the new one.
    before
        The old version.
    old
        What restores its blocks, in order.

    Raises
    ------
    ConfigError
        If an old block does not lie in the old version.
    ModelError, TokenizerError
        As the strategy.
    """
    by_elements = "elements" in strategy.takes
    # Overlaps that begin with a sentence are not made anew.
    overlap = strategy.overlap if strategy.overlap_at != "sentence" else 0
    fresh = rows_of(strategy(document)) if _cuts_whole(document, strategy) else None
    chunks = _core.resync(
        [_source(before), _source(document)],
        old,
        fresh or (lambda part: rows_of(strategy(_part(document, part)))),
        (strategy.unit, strategy.limit),
        (overlap, not by_elements),
        by_elements,
    )
    return Resynced(
        _with_subjects([Row(*row) for row, _ in chunks], fresh or []),
        {number: kept for number, (_, kept) in enumerate(chunks) if kept is not None},
    )


def _with_subjects(rows: list[Row], fresh: list[Row]) -> list[Row]:
    """Return rows that are about what those of the whole document are in which they begin."""
    if not any(row.subject for row in fresh):
        return rows
    starts = [row.body[0] for row in fresh]
    subjects = (fresh[max(bisect_right(starts, row.body[0]) - 1, 0)].subject for row in rows)
    return [row._replace(subject=of) for row, of in zip(rows, subjects, strict=True)]


def _part(document: Document, text: str) -> Document:
    """Return a part of a document's text, in the markup that the whole is in."""
    markup = None if document.elements is None else document.elements.core.markup
    return Document(text=text) if markup is None else read_source(markup, text, None)


def _cuts_whole(document: Document, strategy: Strategy) -> bool:
    """Return whether a strategy cuts all of a document for a part of it: it must, or loses nothing.

    One that asks a model cuts only what is new.
    """
    has_elements = document.elements is not None
    if any(getattr(strategy, name) is not None for name in strategy.models):
        return has_elements and "elements" in strategy.takes
    return has_elements or strategy.name in _BY_KIND


def _source(document: Document) -> str | _core.Elements:
    return document.text if document.elements is None else document.elements.core


UNANSWERED = ("failed", "unpaid")
"""Outcomes of contexts that are asked for again."""


@dataclass(frozen=True)
class Cutting:
    """How documents are cut.

    Attributes
    ----------
    strategy
        What cuts them.
    n_shadow_tokens
        Tokens of shadows; None without.
    resyncs
        Whether blocks of an old version are kept where its text is untouched.
    for_texts
        What cuts documents without elements in the place of the strategy; None: that does, too.
    """

    strategy: Chunker
    n_shadow_tokens: int | None
    resyncs: bool = True
    for_texts: Chunker | None = None

    @property
    def strategies(self) -> list[Chunker]:
        """All that may cut a document."""
        return [self.strategy] if self.for_texts is None else [self.strategy, self.for_texts]

    @property
    def writes_contexts(self) -> bool:
        """Whether blocks get contexts, which a model may fail to write."""
        return any(isinstance(each, Contextual) for each in self.strategies)

    def fresh(self, documents: Iterable[Document]) -> Iterator[Chunks]:
        """Yield the chunks of one document after another; their ``errors`` say if one failed."""
        for strategy, some in groupby(documents, self._of):
            for chunks in strategy.stream(some, errors="collect"):
                yield self.with_shadows(chunks)

    def can_resync(self, document: Document, before: Document, old: Sequence[Placed]) -> bool:
        """Return whether a document can be cut again beside the blocks of its old version."""
        if not self.resyncs or (before.elements is None) != (document.elements is None):
            return False
        for each in (document, before):
            if not isinstance(_inner(self._of(each)), Strategy):
                return False
            if not each.text.isascii() and without_surrogates(each.text) != each.text:
                return False
        # Blocks of a store that is damaged may reach over the text.
        n_bytes = len(before.text.encode("utf-8", "surrogatepass"))
        return all(end <= n_bytes for each in old for _, _, end in each.row.pieces)

    def again(
        self, document: Document, before: Document, old: Sequence[Placed]
    ) -> tuple[Chunks, Mapping[int, int]]:
        """Return the chunks of a new version, and which of them are old blocks.

        Parameters
        ----------
        document
            The new version.
        before
            The old one.
        old
            Its blocks.

        Raises
        ------
        ModelError, TokenizerError
            As the strategy.
        """
        strategy = self._of(document)
        inner = _inner(strategy)
        if not isinstance(inner, Strategy):
            raise TypeError(f"{type(inner).__name__} has no limit")
        found = resync(document, inner, before, [each.row for each in old])
        chunks = restored(
            document,
            found.rows,
            inner,
            inner.counter,
            sizes_are_tokens=inner.sizes_are_tokens,
        )
        if isinstance(strategy, Contextual):
            known = [
                _context(old[found.kept[i]]) if i in found.kept else None
                for i in range(len(chunks))
            ]
            chunks = strategy.completed(chunks, known)
        return self.with_shadows(chunks), found.kept

    def with_shadows(self, chunks: Chunks) -> Chunks:
        """Return the chunks with shadows, unless they are to have none."""
        if self.n_shadow_tokens is None or not len(chunks):
            return chunks
        return shadows(chunks, tokens=self.n_shadow_tokens)

    def _of(self, document: Document) -> Chunker:
        """Return what cuts a document."""
        if self.for_texts is None or document.elements is not None:
            return self.strategy
        return self.for_texts


def cutting_of(
    sources: Sources,
    strategy: Chunker | str | None,
    for_texts: Chunker | str | None,
    n_shadow_tokens: int | None,
    *,
    resync: bool,
) -> Cutting | None:
    """Return how sources are cut, by the options of :meth:`Store.add`; None if they are already.

    Raises
    ------
    ConfigError
        If an option makes no sense.
    """
    if n_shadow_tokens is not None:
        n_shadow_tokens = SHADOWS.checked(n_shadow_tokens)
    if isinstance(sources, Chunks):
        if strategy is not None:
            message = f"chunks are cut already: leave out strategy={strategy!r}"
            raise ConfigError(message, option="strategy")
        return None
    if strategy is None:
        strategy, for_texts = "structural", for_texts or "auto"
    cuts = _strategy("strategy", strategy)
    cuts_texts = None if for_texts is None else _strategy("for_texts", for_texts)
    return Cutting(cuts, n_shadow_tokens, resync, cuts_texts)


def fingerprint(reader: str, strategies: Sequence[object], shadows: int | None) -> str | None:
    """Return what the blocks of a version depend on; None if that is not known.

    Parameters
    ----------
    reader
        That of the reader.
    strategies
        What cuts, each the documents of its kind; none: the caller's own chunks are written.
    shadows
        Tokens of shadows; None without.
    """
    known = [fingerprint_of(strategy) for strategy in strategies]
    if None in known:
        return None
    described = {
        "reader": reader,
        "strategies": known,
        "shadows": shadows,
        "tokenizer": _tokenizer(strategies[0]) if strategies else None,
    }
    return json.dumps(described, sort_keys=True)


def _tokenizer(strategy: object) -> str | None:
    """Return the name of the tokenizer that a strategy counts with, if it has one."""
    like = getattr(getattr(strategy, "strategy", strategy), "tokenizer", None)
    return like if isinstance(like, str) and like in NAMED else None


def _strategy(option: str, like: Chunker | str) -> Chunker:
    if isinstance(like, str):
        return make_strategy(like, {})
    if not callable(getattr(like, "stream", None)):
        raise ConfigError(f"{option} must be a strategy or its name, got {like!r}", option=option)
    return like


def _inner(strategy: Chunker) -> Chunker:
    """Return what cuts, without what writes contexts."""
    return strategy.inner if isinstance(strategy, Contextual) else strategy


def _context(block: Placed) -> Context | None:
    """Return the context of a block; None if there is none, or none could be had."""
    if block.context is None or block.context[1] in UNANSWERED:
        return None
    return Context(*block.context)
