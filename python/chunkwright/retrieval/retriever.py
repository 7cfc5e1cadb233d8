"""Retriever: the options of a search over chunks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.chunks import Chunks
from chunkwright.embed import EmbedderLike
from chunkwright.embed.texts import checked_texts
from chunkwright.retrieval.index import Index
from chunkwright.retrieval.indexed_chunks import IndexedChunks
from chunkwright.retrieval.options import Options
from chunkwright.retrieval.steps.bm25 import token_counts
from chunkwright.retrieval.steps.fields import Fields, scope_text
from chunkwright.retrieval.steps.neighbours import known_ids, numbers_of, sizes_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True, kw_only=True)
class Retriever(Options):
    """Options of a search for the chunks that answer a question.

    It searches by words (BM25), which needs no model, or with an embedder by words and vectors
    (hybrid search), which finds most.

    Parameters
    ----------
    embedder
        The model for vectors: its folder, an object or a callable; see
        :func:`chunkwright.embed.as_embedder`. None: no vectors.
    words
        Whether BM25 scores count.
    k1, b
        The parameters of BM25; see :func:`bm25`.
    subwords
        What finds a word in another inflection: ``"prefix"``, its first five letters;
        ``"4-grams"``, each four letters in a row; None, nothing. See :func:`bm25`.
    field_weights
        Weights of fields beside the text, which counts 1, by name: ``"path"``, the path
        of a source file; ``"scope"``, the names of the definitions that a chunk of
        :class:`chunkwright.Code` is in; ``"document"``, all words of a source file together. A
        field that is not named keeps its default; 0 leaves it out. Prose has no fields.
    fusion
        How scores of words and of vectors are combined; see :func:`fuse`.
    word_weight
        The weight of words in the sum with vectors, which count 1.
    neighbour_smoothing
        Whether small chunks share the vectors and the words of their neighbours in the same
        document, and their weight: True is 0.5, False is 0; see :func:`smooth` and :func:`bm25`.
    neighbour_reach
        How far neighbours count, in tokens between the middles of two chunks: at this distance a
        neighbour counts 1/e of what it does at distance 0. In conversations answers reach over many
        turns: 600 and a smoothing of 1 are good values there.
    stop_words
        Words of a question that do not count in BM25, such as question words:
        ``chunkwright.retrieval.ENGLISH_STOP_WORDS``. A question of only such words keeps them.
        Vectors are always of the whole question.
    skip_duplicate_text
        Whether only the best of several chunks with the same text is found.
    reranker
        What scores the best hits again, reading question and chunk together: a callable
        ``(question, texts) -> scores``, the folder of a cross-encoder, or a server; see
        :func:`chunkwright.retrieval.rerank.as_reranker`. None: nothing does.
    candidates
        How many of the first hits the reranker gets, for each question.
    trim
        Trims hits to the sentences that answer the question: pieces of whole sentences, of up to 60
        tokens, are dropped at both ends of a hit while their score is below this share of the score
        of the best piece in the first five hits. Pieces are scored as chunks are. Each hit keeps
        its best piece, and everything between two pieces that stay. From 0 to 1; 0.45 is a good
        value with vectors. None: hits are whole chunks.

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
    >>> [hit.text for hit in index.search("What do engines do?", k=1)[0]]
    ['Engines hum.']
    """

    @classmethod
    def dense(cls, embedder: EmbedderLike) -> Retriever:
        """Return a retriever as in Chroma's report: vectors alone, nothing smoothed or skipped.

        Parameters
        ----------
        embedder
            See :func:`chunkwright.embed.as_embedder`.
        """
        return cls(
            embedder=embedder, words=False, neighbour_smoothing=False, skip_duplicate_text=False
        )

    def index(
        self,
        texts: Chunks | Sequence[str],
        *,
        doc_ids: Iterable[Hashable] | None = None,
        n_tokens: ArrayLike | None = None,
    ) -> Index:
        """Index chunks for search.

        Parameters
        ----------
        texts
            Chunks, or their texts, in the order of their documents. Contexts of chunks (see
            :class:`chunkwright.Contextual`) are searched, too.
        doc_ids
            The document of each chunk: its name, its number, anything hashable. None: those that
            ``Chunks`` know; texts count as those of one document. If it is the name of a source
            file, such as ``"src/main.rs"``, chunks have fields; those of ``Chunks`` have
            the names that these were cut with.
        n_tokens
            The size of each chunk. None: those that ``Chunks`` know; those of texts are counted.

        Returns
        -------
        Index
            An index, whose hits refer to chunks by their numbers.

        Raises
        ------
        ConfigError
            If ``doc_ids`` or ``n_tokens`` do not have one value for each chunk.
        ModelError
            If the embedder fails.
        """
        if doc_ids is not None:
            doc_ids = known_ids(doc_ids)
        names, scopes = _names_of(texts, doc_ids), _scopes_of(texts)
        fields = Fields.of_names(names, scopes) if self.words else None
        if isinstance(texts, Chunks):
            doc_ids = texts.doc_index if doc_ids is None else doc_ids
            n_tokens = texts.n_tokens if n_tokens is None else n_tokens
        given = texts.contextual_texts() if isinstance(texts, Chunks) else checked_texts(texts)
        documents = [0] * len(given) if doc_ids is None else doc_ids
        searched = texts if isinstance(texts, Chunks) else given
        if not self.neighbour_smoothing:
            return Index.of_texts(self, IndexedChunks(searched, fields=fields))
        sizes = token_counts(given) if n_tokens is None else sizes_of(n_tokens, len(given))
        numbers = numbers_of(documents, len(given))
        return Index.of_texts(self, IndexedChunks(searched, numbers, sizes, fields=fields))


def _scopes_of(texts: Chunks | Sequence[str]) -> list[str] | None:
    """Return the names of the definitions that each chunk is in; None if none says any."""
    if not isinstance(texts, Chunks):
        return None
    subjects = map(texts.columns.core.subject, texts.rows)
    found = [scope_text(scope, name) for scope, name, *_ in subjects]
    return found if any(found) else None


def _names_of(texts: Chunks | Sequence[str], doc_ids: list[Hashable] | None) -> list[object]:
    """Return the name of the document of each chunk, as far as it has one."""
    if doc_ids is not None or not isinstance(texts, Chunks):
        return [*(doc_ids or [])]
    names = texts.names
    return [names[number] for number in texts.doc_index.tolist()]
