"""Chroma's chunkers that ask an embedding function where a text changes its subject."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.compat.langchain.sentence_distances import (
    Sentences,
    combine_sentences,
    joined,
    neighbour_distances,
    numbered,
    with_distances,
)
from chunkwright.embed import EmbedderLike

from .base import BaseChunker, openai_token_count
from .embedding import embedder_or_openai, vectors_of
from .tokens import RecursiveTokenChunker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WINDOW = 3  # neighbours on each side that a piece is embedded with
PRECISION = 1e-6  # of the threshold that is searched


class ClusterSemanticChunker(BaseChunker):
    """Groups small pieces so that those of a chunk are as alike as possible.

    Each group is worth what the similarities between its pieces exceed the mean similarity of all
    pairs; the groups that are worth most together are found in time linear in the text, with a few
    numbers a piece beside the vectors.

    Parameters
    ----------
    embedding_function
        Gives a vector for each text of a list: called with 500 texts at a time, as chromadb's
        are. Anything else that `chunkwright.embed.as_embedder` takes is asked once for all.
        None: OpenAI's text-embedding-3-large, with the key in ``OPENAI_API_KEY``.
    max_chunk_size
        ``max_chunk_size // min_chunk_size`` pieces make a chunk at most, whatever their sizes.
    min_chunk_size
        What a piece may hold, in tokens of cl100k_base.
    length_function
        Without effect, as in the peer.

    Raises
    ------
    ValueError
        If there is neither an embedding function nor a key.
    """

    def __init__(
        self,
        embedding_function: EmbedderLike | None = None,
        max_chunk_size: int = 400,
        min_chunk_size: int = 50,
        length_function: Callable[[str], int] = openai_token_count,
    ) -> None:
        del length_function
        self.splitter: RecursiveTokenChunker = RecursiveTokenChunker(
            min_chunk_size, 0, length_function=openai_token_count
        )
        self.embedding_function: EmbedderLike = embedder_or_openai(embedding_function)
        self._chunk_size = max_chunk_size
        self.max_cluster: int = max_chunk_size // min_chunk_size

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks, of pieces joined by blanks.

        Raises
        ------
        ModelError
            If the embedding function gives no vector of finite numbers for each piece.
        """
        pieces = self.splitter.split_text(text)
        if not pieces:
            return []
        vectors = vectors_of(self.embedding_function, pieces)
        return joined(pieces, _core.cluster_ends(vectors.data, max(self.max_cluster, 0)))


class KamradtModifiedChunker(BaseChunker):
    """Cuts between pieces that differ most, about as often as the average size asks for.

    Each piece is embedded with three neighbours on each side.

    Parameters
    ----------
    avg_chunk_size
        Size that chunks should have on average, in units of ``length_function``.
    min_chunk_size
        What a piece may hold, in the same units; despite its name, chunks may be smaller.
    embedding_function
        As for `ClusterSemanticChunker`.
    length_function
        Measures a text.

    Raises
    ------
    ValueError
        If there is neither an embedding function nor a key.
    """

    def __init__(
        self,
        avg_chunk_size: int = 400,
        min_chunk_size: int = 50,
        embedding_function: EmbedderLike | None = None,
        length_function: Callable[[str], int] = openai_token_count,
    ) -> None:
        self.splitter: RecursiveTokenChunker = RecursiveTokenChunker(
            min_chunk_size, 0, length_function=length_function
        )
        self.avg_chunk_size = avg_chunk_size
        self.embedding_function: EmbedderLike = embedder_or_openai(embedding_function)
        self.length_function = length_function

    def combine_sentences(self, sentences: Sentences, buffer_size: int = 1) -> Sentences:
        """Join each piece with ``buffer_size`` neighbours on each side, as `combined_sentence`."""
        return combine_sentences(sentences, buffer_size)

    def calculate_cosine_distances(self, sentences: Sentences) -> tuple[list[Any], Sentences]:
        """Embed the combined pieces and return how far each is from the next.

        Beside a vector of zeros that is NaN, and never a place to cut.

        Raises
        ------
        ModelError
            If the embedding function gives no vector of finite numbers for each piece.
        """
        if not sentences:
            return [], sentences
        texts = [each["combined_sentence"] for each in sentences]
        return with_distances(sentences, _distances(vectors_of(self.embedding_function, texts)))

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks, of pieces joined by blanks.

        Raises
        ------
        ModelError
            If the embedding function gives no vector of finite numbers for each piece.
        """
        pieces = self.splitter.split_text(text)
        if not pieces:
            return []
        sentences = self.combine_sentences(numbered(pieces), WINDOW)
        distances, sentences = self.calculate_cosine_distances(sentences)
        pieces = [each["sentence"] for each in sentences]
        wanted = sum(map(self.length_function, pieces)) // self.avg_chunk_size
        return joined(pieces, [*_cuts(distances, wanted), len(pieces)])


def _distances(vectors: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    import numpy as np

    distances = neighbour_distances(vectors)
    is_zero = np.logical_not(np.asarray(vectors.any(axis=1)))
    distances[is_zero[:-1] | is_zero[1:]] = np.nan
    return distances


def _cuts(distances: list[Any], wanted: int) -> list[int]:
    """Return after how many pieces to cut: where the distance is over the last threshold tried.

    That may be one that cuts more often than wanted, and equal distances are cut all or none; no
    threshold is over 1, so opposed neighbours are always cut. Such are the peer's chunks.
    """
    import numpy as np

    array = np.array(distances)
    low, high, threshold = 0.0, 1.0, 0.5
    while high - low > PRECISION:
        threshold = (high + low) / 2
        if np.count_nonzero(array > threshold) > wanted:
            low = threshold
        else:
            high = threshold
    return (np.flatnonzero(array > threshold) + 1).tolist()
