r"""LangChain's semantic chunker: the same chunks from the same calls, in linear time.

Change ``from langchain_experimental.text_splitter import ...`` to
``from chunkwright.compat.langchain_experimental.text_splitter import ...``, or leave
``text_splitter`` out. Chunks and errors are those of langchain-experimental 0.4.2, but for vectors
that are none: `ModelError` names them. Where LangChain is installed, the chunker is one of its
transformers and returns its `Document`; where it is not, it returns a dataclass like it.

Examples
--------
>>> from chunkwright.compat.langchain_experimental import SemanticChunker
>>> class Topics:
...     def embed_documents(self, texts):
...         return [[float("cat" in text.lower()), 0.1] for text in texts]
>>> chunker = SemanticChunker(Topics(), buffer_size=0)
>>> chunker.split_text("Cats sleep. My cat purrs. Tax is due. Banks are shut.")
['Cats sleep. My cat purrs.', 'Tax is due. Banks are shut.']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

from chunkwright import _core
from chunkwright.compat.peers import add_paths
from chunkwright.embed import as_embedder
from chunkwright.embed.vectors import matrix_of

from .langchain.peer_documents import BaseDocumentTransformer, Document, copier
from .langchain.sentence_distances import (
    Sentences,
    combine_sentences,
    joined,
    neighbour_distances,
    numbered,
    with_distances,
)

if TYPE_CHECKING:
    import numpy as np
    from langchain_core.embeddings import Embeddings
    from numpy.typing import NDArray

    from chunkwright.embed import EmbedderLike

__all__ = [
    "BREAKPOINT_DEFAULTS",
    "BaseDocumentTransformer",
    "BreakpointThresholdType",
    "Document",
    "SemanticChunker",
    "calculate_cosine_distances",
    "combine_sentences",
]

# A submodule is looked for only in what has a path, were it empty.
__path__: list[str] = []
# The module that has all of these in the peer's package.
add_paths(__name__, {"text_splitter": __all__})

BreakpointThresholdType = Literal["percentile", "standard_deviation", "interquartile", "gradient"]
BREAKPOINT_DEFAULTS: dict[BreakpointThresholdType, float] = {
    "percentile": 95,
    "standard_deviation": 3,
    "interquartile": 1.5,
    "gradient": 95,
}


def calculate_cosine_distances(sentences: Sentences) -> tuple[list[Any], Sentences]:
    """Return how far each sentence is from the next, and the sentences, where that is noted.

    Parameters
    ----------
    sentences
        Dicts with ``"combined_sentence_embedding"``; all but the last get ``"distance_to_next"``.

    Returns
    -------
    list of float
        Cosine distances, from 0 to 2; to a vector of zeros 1.
    list of dict
        The list that was given.

    Raises
    ------
    ModelError
        If the embeddings are no vectors of as many finite numbers: names what is wrong.
    """
    if len(sentences) < 2:  # noqa: PLR2004 - a pair
        return [], sentences
    rows = [each["combined_sentence_embedding"] for each in sentences]
    return with_distances(sentences, _distances(rows, len(rows)))


class SemanticChunker(BaseDocumentTransformer):
    """Cuts between sentences that differ more than a threshold derived from all differences.

    Parameters
    ----------
    embeddings
        An object of LangChain's with ``embed_documents``, or anything else that
        `chunkwright.embed.as_embedder` takes. It gets all sentences of a text at once.
    buffer_size
        How many neighbours on each side a sentence is embedded with.
    add_start_index
        Whether documents have ``metadata["start_index"]``: the sizes of the chunks before, summed.
        What stood between sentences is left out, so that is not where they begin.
    breakpoint_threshold_type
        ``"percentile"`` of the distances, ``"standard_deviation"`` or ``"interquartile"`` (so many
        of them above the mean), or ``"gradient"`` (a percentile of the distances' gradient).
    breakpoint_threshold_amount
        How much of it; None: 95, 3, 1.5 and 95.
    number_of_chunks
        Sets the percentile so that about so many chunks come out; goes before the two above.
    sentence_split_regex
        Matches what stands between sentences, as Python's `re` takes it.
    min_chunk_size
        A chunk of fewer characters takes in what follows.

    Raises
    ------
    KeyError
        For an unknown type without an amount.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - LangChain's signature
        self,
        embeddings: Embeddings | EmbedderLike,
        buffer_size: int = 1,
        add_start_index: bool = False,
        breakpoint_threshold_type: BreakpointThresholdType = "percentile",
        breakpoint_threshold_amount: float | None = None,
        number_of_chunks: int | None = None,
        sentence_split_regex: str = r"(?<=[.?!])\s+",
        min_chunk_size: int | None = None,
    ) -> None:
        self._add_start_index = add_start_index
        self.embeddings = embeddings
        self.buffer_size = buffer_size
        self.breakpoint_threshold_type = breakpoint_threshold_type
        self.number_of_chunks = number_of_chunks
        self.sentence_split_regex = sentence_split_regex
        if breakpoint_threshold_amount is None:
            breakpoint_threshold_amount = BREAKPOINT_DEFAULTS[breakpoint_threshold_type]
        self.breakpoint_threshold_amount = breakpoint_threshold_amount
        self.min_chunk_size = min_chunk_size

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks, of sentences joined by blanks.

        Raises
        ------
        ModelError
            If no vector of finite numbers is given for each sentence.
        ValueError
            For an unknown type of threshold, and a percentile outside of 0 to 100.
        """
        sentences = self._get_single_sentences_list(text)
        # There is no percentile of no distance, and no gradient of one.
        least = 3 if self.breakpoint_threshold_type == "gradient" else 2
        if len(sentences) < least:
            return sentences
        distances, combined = self._calculate_sentence_distances(sentences)
        threshold, compared = self._threshold(distances)
        breaks = [i + 1 for i, value in enumerate(compared) if value > threshold]
        sentences = [each["sentence"] for each in combined]
        ends = self._large_enough(sentences, breaks)
        # A subclass may give a distance behind the last sentence.
        if not ends or ends[-1] < len(sentences):
            ends.append(len(sentences))
        return joined(sentences, ends)

    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Split texts into documents; each gets a copy of its text's metadata."""
        all_metadata = metadatas or [{}] * len(texts)
        documents: list[Document] = []
        for i, text in enumerate(texts):
            start = 0
            chunks = self.split_text(text)
            copied = copier(all_metadata[i]) if chunks else dict
            for chunk in chunks:
                metadata = copied()
                if self._add_start_index:
                    metadata["start_index"] = start
                documents.append(Document(page_content=chunk, metadata=metadata))
                start += len(chunk)
        return documents

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Split documents; chunks inherit the metadata of theirs."""
        pairs = [(document.page_content, document.metadata) for document in documents]
        return self.create_documents(
            [text for text, _ in pairs], metadatas=[metadata for _, metadata in pairs]
        )

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> Sequence[Document]:
        """Split documents, as LangChain's pipelines call it."""
        del kwargs
        return self.split_documents(list(documents))

    def _get_single_sentences_list(self, text: str) -> list[str]:
        """Split ``text`` into sentences; LangChain's subclasses have their own."""
        return re.split(self.sentence_split_regex, text)

    def _calculate_sentence_distances(
        self, single_sentences_list: list[str]
    ) -> tuple[list[Any], Sentences]:
        """Embed sentences and return their distances; those who plot them call this."""
        sentences = combine_sentences(numbered(single_sentences_list), self.buffer_size)
        if not sentences:
            return [], sentences
        given = self._embedded([each["combined_sentence"] for each in sentences])
        distances = _distances(given, len(sentences))
        for i, each in enumerate(sentences):
            each["combined_sentence_embedding"] = given[i]
        return with_distances(sentences, distances)

    def _embedded(self, texts: list[str]) -> Any:
        embed = getattr(self.embeddings, "embed_documents", None)
        return as_embedder(self.embeddings).embed(texts) if embed is None else embed(texts)

    def _threshold(self, distances: list[float]) -> tuple[float, Sequence[float]]:
        if self.number_of_chunks is None:
            return self._calculate_breakpoint_threshold(distances)
        return self._threshold_from_clusters(distances), distances

    def _calculate_breakpoint_threshold(
        self, distances: list[float]
    ) -> tuple[float, Sequence[float]]:
        """Return the threshold and what is compared with it."""
        kind = self.breakpoint_threshold_type
        if kind not in BREAKPOINT_DEFAULTS:
            raise ValueError(f"Got unexpected `breakpoint_threshold_type`: {kind}")
        amount = self.breakpoint_threshold_amount
        if kind in {"percentile", "gradient"} and not 0 <= amount <= 100:  # noqa: PLR2004
            raise ValueError("Percentiles must be in the range [0, 100]")
        return _core.breakpoint_threshold(distances, kind, amount)

    def _threshold_from_clusters(self, distances: list[float]) -> float:
        """Return the percentile that leaves about `number_of_chunks` chunks: 100 gives one."""
        if self.number_of_chunks is None:
            raise ValueError("This should never be called if `number_of_chunks` is None.")
        most = len(distances)
        wanted = max(min(self.number_of_chunks, most), 1.0)
        # In LangChain's order of operations: another one would round otherwise.
        percentile = 100.0 if most == 1 else 100.0 / (1.0 - most) * (wanted - most)
        return _core.breakpoint_threshold(distances, "percentile", min(max(percentile, 0), 100))[0]

    def _large_enough(self, sentences: list[str], breaks: list[int]) -> list[int]:
        """Leave out breaks at which a chunk has not reached the least size."""
        least = self.min_chunk_size
        if least is None:
            return breaks
        # With a blank behind each sentence, of which a chunk's last does not count.
        ends = list(accumulate((len(each) + 1 for each in sentences), initial=0))
        start, kept = 0, []
        for place in breaks:
            if ends[place] - ends[start] - 1 >= least:
                kept.append(place)
                start = place
        return kept


def _distances(given: Any, n_texts: int) -> NDArray[np.floating[Any]]:
    """Return the distances of neighbours, in double precision as LangChain's lists have it."""
    return neighbour_distances(matrix_of(given, n_texts).astype("float64", copy=False))
