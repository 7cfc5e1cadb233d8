"""Retriever: the options of a search over chunks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from chunkwright.checks import checked_flag, checked_int, checked_name, checked_number
from chunkwright.chunks import Chunks
from chunkwright.embed import EmbedderLike, as_embedder
from chunkwright.embed.texts import checked_texts
from chunkwright.errors import ConfigError
from chunkwright.retrieval.bm25 import K1, MOST, SUBWORDS, B, Bm25Index, Subwords, token_counts
from chunkwright.retrieval.fusion import WORD_WEIGHT, Fusion
from chunkwright.retrieval.index import Index, Vectors
from chunkwright.retrieval.neighbours import NEIGHBOUR_SMOOTHING, REACH, neighbours_of, numbers_of
from chunkwright.retrieval.rerank.protocol import RerankerLike, as_reranker
from chunkwright.retrieval.rerank.reranking import Reranking
from chunkwright.retrieval.top_k import groups_of
from chunkwright.retrieval.trimming import PIECE_REACH, Pieces, pieces_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from chunkwright import _core


@dataclass(frozen=True, kw_only=True)
class Retriever:
    """How chunks are found for a question.

    By words, which needs no model; with an embedder by words and by vectors, which finds most.

    Parameters
    ----------
    embedder
        What gives vectors: a model's folder, an object or a callable; see
        :func:`chunkwright.embed.as_embedder`. None: no vectors.
    words
        Whether words count: BM25.
    k1, b
        Of BM25; see :func:`bm25`.
    subwords
        What finds a word in another inflection: ``"prefix"``, its first five letters;
        ``"4-grams"``, each four letters in a row; None, nothing. See :func:`bm25`.
    fusion
        How scores of words and of vectors become one; see :func:`fuse`.
    word_weight
        What words count in their sum with vectors, which count 1.
    neighbour_smoothing
        Whether small chunks take part in the vectors and the words of their neighbours in the same
        document, and how much: True is 0.5, False is 0; see :func:`smooth` and :func:`bm25`.
    skip_duplicate_text
        Whether of chunks with an equal text only the best is found.
    reranker
        What reads the question and each of the best chunks together and scores them anew: a
        callable ``(question, texts) -> scores``, the folder of a cross-encoder, or a server; see
        :func:`chunkwright.retrieval.rerank.as_reranker`. None: nothing does.
    candidates
        How many of the first hits the reranker is given, for each question.
    trim
        Cuts hits down to what speaks to the question: pieces of whole sentences, of up to 60
        tokens, are dropped at both ends of a hit while their score is less than this share of that
        of the best piece in the first five hits. A piece is scored as a chunk is, by the sum. Of
        each hit the best piece stays, and nothing is dropped between two that do. From 0 to 1, 0.4
        being a good value; None: hits are whole chunks.

    Raises
    ------
    ConfigError
        If an option is out of range, naming it.
    ModelError
        If a model cannot be read.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.retrieval import Retriever
    >>> chunks = cw.chunk("Cats sleep. Engines hum. Dogs bark.", "sentence", sentences=1)
    >>> index = Retriever().index(chunks)
    >>> [chunks[hit.index].text for hit in index.search("What do engines do?", k=1)[0]]
    ['Engines hum.']
    """

    embedder: EmbedderLike | None = None
    words: bool = True
    k1: float = K1
    b: float = B
    subwords: Subwords | None = SUBWORDS
    fusion: Fusion = "sum"
    word_weight: float = WORD_WEIGHT
    neighbour_smoothing: bool | float = True
    skip_duplicate_text: bool = True
    reranker: RerankerLike | None = None
    candidates: int = 50
    trim: float | None = None

    def __post_init__(self) -> None:
        checked_flag("words", self.words)
        checked_flag("skip_duplicate_text", self.skip_duplicate_text)
        checked_number("k1", self.k1, least=0, most=MOST)
        checked_number("b", self.b, least=0, most=1.0)
        if self.subwords is not None:
            checked_name("subwords", self.subwords, get_args(Subwords))
        checked_number("word_weight", self.word_weight, least=0)
        checked_name("fusion", self.fusion, get_args(Fusion))
        smoothing = self.neighbour_smoothing
        if isinstance(smoothing, bool):
            smoothing = NEIGHBOUR_SMOOTHING if smoothing else 0.0
        smoothing = checked_number("neighbour_smoothing", smoothing, least=0, most=MOST)
        object.__setattr__(self, "neighbour_smoothing", smoothing)
        if self.trim is not None and not checked_number("trim", self.trim, least=0, most=1.0):
            raise ConfigError(f"trim must be above 0, or None, got {self.trim!r}")
        checked_int("candidates", self.candidates, least=1)
        if self.reranker is not None:
            object.__setattr__(self, "reranker", as_reranker(self.reranker))
        if self.embedder is not None:
            # What is none is told at once; a model is read anew where it is asked for.
            object.__setattr__(self, "embedder", as_embedder(self.embedder))
        elif not self.words:
            raise ConfigError("words=False needs an embedder: there is nothing else to find by")

    @classmethod
    def dense(cls, embedder: EmbedderLike) -> Retriever:
        """Return what finds as Chroma's report does: by vectors alone, nothing smoothed or skipped.

        Parameters
        ----------
        embedder
            See :func:`chunkwright.embed.as_embedder`.
        """
        return cls(
            embedder=embedder, words=False, neighbour_smoothing=False, skip_duplicate_text=False
        )

    @property
    def name(self) -> str:
        """What it does, in a few words, for tables."""
        parts = ["vectors"] * (self.embedder is not None) + ["words"] * self.words
        subwords = "" if self.subwords == SUBWORDS else f", {self.subwords or 'no subwords'}"
        by_words = subwords if self.words else ""
        by_rank = ", by rank" if len(parts) > 1 and self.fusion == "rank" else ""
        smoothing = self.neighbour_smoothing
        usual = "" if smoothing == NEIGHBOUR_SMOOTHING else f" by {smoothing:g}"
        smoothed = f", smoothed{usual}" if smoothing else ""
        reranked = "" if self.reranker is None else f", {self.candidates} reranked"
        trimmed = "" if self.trim is None else f", trimmed at {self.trim:g}"
        return f"{' + '.join(parts)}{by_words}{by_rank}{smoothed}{reranked}{trimmed}"

    def index(
        self,
        texts: Chunks | Sequence[str],
        *,
        doc_ids: Iterable[Hashable] | None = None,
        n_tokens: ArrayLike | None = None,
    ) -> Index:
        """Make what finds these chunks.

        Parameters
        ----------
        texts
            Chunks, or their texts in the order of their documents.
        doc_ids
            The document of each chunk: its name, its number, anything hashable. None: those that
            ``Chunks`` know; texts are taken for those of one document.
        n_tokens
            The size of each chunk. None: those that ``Chunks`` know; those of texts are counted.

        Returns
        -------
        Index
            What it finds are numbers of chunks.

        Raises
        ------
        ConfigError
            If there is not one of each for every chunk.
        ModelError
            If the embedder fails.
        """
        if isinstance(texts, Chunks):
            doc_ids = texts.doc_index if doc_ids is None else doc_ids
            n_tokens = texts.n_tokens if n_tokens is None else n_tokens
        given = texts.texts() if isinstance(texts, Chunks) else checked_texts(texts)
        documents = [0] * len(given) if doc_ids is None else doc_ids
        if self.trim is not None:
            # An iterator can be looked at once, and pieces are of the same documents.
            documents = numbers_of(documents, len(given))
        neighbours = self._neighbours(given, documents, n_tokens)
        groups = groups_of(given) if self.skip_duplicate_text else None
        words, vectors = self._words(given, neighbours), self._vectors(given, neighbours)
        return Index(
            len(given),
            self.name,
            words=words,
            vectors=vectors,
            groups=groups,
            pieces=self._pieces(given, documents, vectors),
            reranking=self._reranking(given),
            fusion=self.fusion,
            word_weight=self.word_weight,
        )

    def _neighbours(
        self, texts: list[str], documents: Iterable[Hashable], n_tokens: ArrayLike | None
    ) -> _core.Neighbours | None:
        """Return what chunks count for each other; None if that plays no part."""
        if not self.neighbour_smoothing:
            return None
        sizes = token_counts(texts) if n_tokens is None else n_tokens
        return neighbours_of(documents, len(texts), sizes, REACH)

    def _words(self, texts: list[str], neighbours: _core.Neighbours | None) -> Bm25Index | None:
        """Return what finds texts by their words; None if these do not count."""
        if not self.words:
            return None
        return Bm25Index(
            texts,
            k1=self.k1,
            b=self.b,
            subwords=self.subwords,
            neighbours=neighbours,
            neighbour_smoothing=self.neighbour_smoothing,
        )

    def _vectors(self, texts: list[str], neighbours: _core.Neighbours | None) -> Vectors | None:
        """Return the vectors of texts; None if there is no embedder."""
        if self.embedder is None:
            return None
        vectors = Vectors(self.embedder, texts)
        if neighbours is not None:
            vectors.smooth(neighbours, self.neighbour_smoothing)
        return vectors

    def _reranking(self, texts: list[str]) -> Reranking | None:
        """Return what scores the best hits anew; None if nothing does."""
        if self.reranker is None:
            return None
        return Reranking(as_reranker(self.reranker), texts, self.candidates)

    def _pieces(
        self, texts: list[str], documents: Iterable[Hashable], vectors: Vectors | None
    ) -> Pieces | None:
        """Return what trims hits; None if they are whole chunks."""
        if self.trim is None:
            return None
        pieces = pieces_of(texts)
        neighbours = None
        if self.words and self.neighbour_smoothing:
            own = numbers_of(documents, len(texts))[pieces.doc_index]
            neighbours = neighbours_of(own, len(own), pieces.n_tokens, PIECE_REACH)
        return Pieces(
            texts,
            pieces,
            words=self._words(pieces.texts(), neighbours) if self.words else None,
            embed=None if vectors is None else vectors.of_pieces,
            trim=self.trim,
            word_weight=self.word_weight,
        )
