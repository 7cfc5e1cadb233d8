"""Places of chunks in their corpora, and the sources that chunkers are given of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.contextual import Contextual
from chunkwright.evaluation.chunkers.adapter import ChunkerOutput
from chunkwright.evaluation.locating import Searched
from chunkwright.messages.logs import warn
from chunkwright.tokens.tokenizer import TokenizerLike, as_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.document import Document
    from chunkwright.evaluation.data.dataset import Dataset
    from chunkwright.evaluation.loose_match import Place


def sources_for(chunker: object, dataset: Dataset) -> dict[str, str | Document]:
    """Return what a chunker cuts, by the names of the corpora.

    Parameters
    ----------
    chunker
        See :func:`chunkwright.evaluation.evaluate`. What is no strategy is given the texts of
        files, even of those that a strategy is given as documents: it was written for texts.
    dataset
        The corpora, and those of them that are documents.
    """
    takes_documents = isinstance(chunker, Strategy | Contextual)
    sources: dict[str, str | Document] = dict(dataset.corpora)
    for name, document in dataset.documents.items():
        is_text = name in dataset.found_structured and not takes_documents
        sources[name] = document.body if is_text else document
    return sources


def warn_of_lost_structure(name: str, chunker: object, dataset: Dataset) -> None:
    """Warn of a strategy that cuts by headings and tables where no corpus has any.

    Parameters
    ----------
    name
        That of the run.
    chunker, dataset
        What cuts, and what is cut.
    """
    cuts = chunker.strategy if isinstance(chunker, Contextual) else chunker
    # Strategies that read JSON take any source; those over elements alone refuse texts.
    if not isinstance(cuts, Strategy) or set(cuts.takes) != {"text", "elements"}:
        return
    if any(document.elements is not None for document in dataset.documents.values()):
        return
    warn(
        f"the run {name!r} is measured on plain texts: it sees no headings and no tables, so its "
        "chunks are others than those of documents; give files such as Markdown, or what cw.read "
        "returns"
    )


Placement: TypeAlias = Literal["first_occurrence", "offsets", "any_occurrence"]
"""Rules by which a chunk's text gets its place, and an excerpt counts as covered."""


@dataclass(frozen=True, eq=False)
class PlacedChunks:
    """The chunks of all corpora, in order, with their places.

    Parameters
    ----------
    texts
        The texts of the chunks.
    corpora
        The number of each chunk's corpus; -1 if its place is not found.
    starts, ends
        The place in that corpus, in code points; 0 and the length of the text if it is not found.
    n_tokens
        The tokens of each text.
    cut_from
        The number of the corpus that each chunk was cut from.
    indexed
        The texts to search instead, such as those with contexts; None: the texts themselves.
    """

    texts: tuple[str, ...]
    corpora: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    n_tokens: NDArray[np.int64]
    cut_from: NDArray[np.int64]
    indexed: tuple[str, ...] | None = field(default=None, kw_only=True)

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"<PlacedChunks: {len(self)}>"

    @property
    def searched(self) -> tuple[str, ...]:
        """The texts that are searched."""
        return self.texts if self.indexed is None else self.indexed

    @property
    def unplaced(self) -> list[str]:
        """The texts of the chunks whose place is not found."""
        return [self.texts[i] for i in np.flatnonzero(self.corpora < 0).tolist()]


def place(
    cuts: Sequence[ChunkerOutput],
    corpora: Mapping[str, str],
    placement: Placement = "offsets",
    tokenizer: TokenizerLike = "cl100k_base",
) -> PlacedChunks:
    """Give all chunks their places.

    Parameters
    ----------
    cuts
        The chunks of each corpus.
    corpora
        The corpora, in the same order.
    placement
        With ``"first_occurrence"`` a chunk stands where the report finds its text first; see
        :func:`chunkwright.evaluation.locating.locate`; or, if nowhere, where its chunker says.
        Otherwise it stands where its chunker says,
        or, if that says nothing or not the truth, where it is found behind the chunk before it.
    tokenizer
        Counts the tokens of chunks.

    Raises
    ------
    MissingExtraError
        If sentences have to be compared, and the library rapidfuzz is not installed.
    TokenizerError
        If the tokenizer gives no count.
    """
    find = _first if placement == "first_occurrence" else _true
    texts = [text for cut in cuts for text in cut.texts]
    places = [
        place
        for cut, corpus in zip(cuts, corpora.values(), strict=True)
        for place in find(cut, Searched(corpus))
    ]
    cut_from = np.repeat(np.arange(len(cuts)), [len(cut.texts) for cut in cuts])
    ranges = [place or (0, len(text)) for place, text in zip(places, texts, strict=True)]
    starts, ends = np.array(ranges, dtype=np.int64).reshape(-1, 2).T.copy()
    return PlacedChunks(
        texts=tuple(texts),
        corpora=np.where([place is None for place in places], -1, cut_from).astype(np.int64),
        starts=starts,
        ends=ends,
        n_tokens=np.array(as_tokenizer(tokenizer).count_batch(texts), dtype=np.int64),
        cut_from=cut_from.astype(np.int64),
        indexed=_indexed(cuts),
    )


def _indexed(cuts: Sequence[ChunkerOutput]) -> tuple[str, ...] | None:
    if all(cut.indexed is None for cut in cuts):
        return None
    return tuple(text for cut in cuts for text in cut.indexed or cut.texts)


def _first(cut: ChunkerOutput, corpus: Searched) -> list[Place | None]:
    found = corpus.locate_all(cut.texts)
    return [first or own for first, own in zip(found, cut.places, strict=True)]


def _true(cut: ChunkerOutput, corpus: Searched) -> list[Place | None]:
    if all(cut.places):
        return cut.places
    found = corpus.in_order(cut.texts)
    return [own or other for own, other in zip(cut.places, found, strict=True)]
