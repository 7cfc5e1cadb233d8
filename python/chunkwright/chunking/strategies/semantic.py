"""Strategies by meaning: cuts between pieces of a text, by what the vectors of these say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkwright.chunking.bases.own_boundaries import OverPieces
from chunkwright.rows import OF_ENDINGS

if TYPE_CHECKING:
    from chunkwright.chunking.option_types import Mean, Size, Target, Threshold
    from chunkwright.embed import EmbedderLike


@dataclass(frozen=True, kw_only=True)
class Semantic(OverPieces):
    """Cuts between pieces of a text, by what their vectors say.

    Pieces are whole sentences, whatever the line breaks; only a sentence over the limit is divided.
    A heading is in one piece with what follows it.

    Parameters
    ----------
    embedder
        The embedder: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a model's folder, an object such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` that returns a row for each
        text. It gets the text unchanged, except that lone surrogates become U+FFFD.

    Raises
    ------
    ConfigError
        If a value is out of range, naming it.
    ModelError
        If the folder of a model cannot be read.
    """

    columns = OF_ENDINGS
    models: ClassVar[tuple[str, ...]] = ("embedder",)

    embedder: EmbedderLike = "lexical"


@dataclass(frozen=True, kw_only=True)
class SmallPieces(Semantic):
    """Cuts between pieces of one or a few sentences.

    Parameters
    ----------
    piece_max
        The largest size of a piece: sentences of a paragraph are joined up to it. A piece of less
        than a fifth of it joins a neighbour wherever the limit allows, and a longer sentence is a
        piece by itself. By default 50 tokens or 200 characters, but at least a sixteenth of the
        limit and at most all of it.

    """

    piece_max: Size | None = None


@dataclass(frozen=True, kw_only=True)
class Kamradt(Semantic):
    """Cut between sentences where the distance of their vectors exceeds a threshold.

    Each sentence is embedded together with its neighbours. The text is cut where the cosine
    distance of two consecutive sentences exceeds a threshold, which depends on all distances of the
    text. A chunk that is still over the limit is cut at its largest distance that fits, and a
    sentence over the limit as :class:`chunkwright.Sentence` cuts it.

    Parameters
    ----------
    window
        The number of sentences on each side that are embedded with a sentence.
    threshold
        How the threshold is set: at a ``"percentile"`` of the distances; at a number of
        ``"standard_deviation"``s or ``"interquartile"`` ranges above their mean; or, with
        ``"gradient"``, at a percentile of the gradient, which is then compared in place of the
        distances.
    amount
        The percentile (0 to 100) or the factor of ``threshold``: by default 95, 3, 1.5 and 95, in
        the order above.
    n_chunks
        The number of chunks that you want, in place of ``threshold`` and ``amount``. The limit,
        ``min_size`` and equal distances may give more or fewer.
    min_size
        The smallest size at which a distance may end a chunk; 0 by default.
    soft_max
        Where a text is over the limit, each chunk of it ends at the best boundary between this size
        and the limit; half of the limit by default.
    language
        The language of the text, as :func:`chunkwright.split_sentences` takes it.
    embedder
        The embedder: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a model's folder, an object such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` that returns a row for each
        text. It gets the text unchanged, except that lone surrogates become U+FFFD.
    max_tokens, max_chars, tokenizer, overlap, overlap_at, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Notes
    -----
    Greg Kamradt, "The 5 Levels of Text Splitting for Retrieval" (2024), level 4; LangChain's
    ``SemanticChunker`` has the thresholds. Unlike there, sentences are told apart by rules, the
    limit holds, and chunks are slices of the text.

    Examples
    --------
    >>> import chunkwright as cw
    >>> def embedder(texts):
    ...     return [[text.count("cat"), text.count("engine"), 0.1] for text in texts]
    >>> text = "A cat naps. A cat purrs. A cat plays. An engine hums. An engine stops."
    >>> chunks = cw.Kamradt(max_tokens=100, embedder=embedder, window=0)(text)
    >>> chunks.texts()
    ['A cat naps. A cat purrs. A cat plays.', 'An engine hums. An engine stops.']
    >>> chunks.boundaries.scores.round(2).tolist()
    [0.0, 0.0, 0.99, 0.0]
    """

    name = "kamradt"

    window: int = 1
    threshold: Threshold = "percentile"
    amount: float | None = None
    n_chunks: int | None = None


@dataclass(frozen=True, kw_only=True)
class KamradtModified(SmallPieces):
    """Cut at the largest distances between small pieces, with a threshold chosen for a size.

    The text is split into sentences, and short ones are joined. Each of these pieces is embedded
    together with its neighbours. The text is cut where the cosine distance of two consecutive
    pieces exceeds the threshold that gives chunks of the target size.

    Parameters
    ----------
    target
        What ``target_size`` means: the ``"average"`` size of chunks, so that some are longer, or
        the largest one (``"max"``), so that longer sentences are divided.
    target_size
        The size that the threshold is searched for. By default ``soft_max`` if given, else the
        limit for ``"max"`` and half of it for ``"average"``.
    window
        The number of pieces on each side that are embedded with a piece.
    soft_max
        Where a text is over the limit, each chunk of it ends at the best boundary between this size
        and the limit; half of the limit by default.
    language
        The language of the text, as :func:`chunkwright.split_sentences` takes it.
    embedder
        The embedder: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a model's folder, an object such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` that returns a row for each
        text. It gets the text unchanged, except that lone surrogates become U+FFFD.
    piece_max
        The largest size of a piece: sentences of a paragraph are joined up to it. A piece of less
        than a fifth of it joins a neighbour wherever the limit allows, and a longer sentence is a
        piece by itself. By default 50 tokens or 200 characters, but at least a sixteenth of the
        limit and at most all of it.
    max_tokens, max_chars, tokenizer, min_size, overlap, overlap_at, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Notes
    -----
    Brandon Smith and Anton Troynikov, "Evaluating Chunking Strategies for Retrieval" (Chroma,
    July 2024). ``"average"`` is what the report's program does, ``"max"`` what the report says.
    Unlike there, the limit holds, and chunks are slices of the text.

    Examples
    --------
    >>> import chunkwright as cw
    >>> def embedder(texts):
    ...     return [[text.count("cat"), text.count("engine"), 0.1] for text in texts]
    >>> text = "A cat naps. A cat purrs. A cat plays. An engine hums. An engine stops."
    >>> options = {"embedder": embedder, "window": 0, "piece_max": 16}
    >>> cw.KamradtModified(max_chars=80, target="max", target_size=40, **options)(text).texts()
    ['A cat naps. A cat purrs. A cat plays.', 'An engine hums. An engine stops.']
    """

    name = "kamradt_modified"

    target: Target = "average"
    target_size: Size | None = None
    window: int = 3


@dataclass(frozen=True, kw_only=True)
class Cluster(SmallPieces):
    """Choose all cuts of a text together, so that chunks consist of similar pieces.

    The text is split into sentences, short ones are joined, and each of these pieces is embedded.
    The value of a chunk is the sum, over all pairs of its pieces, of the difference between their
    cosine and the mean. Dynamic programming finds the cuts with the highest total value within the
    limit, in time linear in the text.

    A cut has the reason ``"limit"`` if the chunks on both sides do not fit into one, although they,
    or the two pieces that meet there, are more similar than the mean; else ``"score"``.

    Parameters
    ----------
    mean
        The mean that each cosine is compared with: that of all pairs of the text (``"global"``), or
        of the pairs near enough to share a chunk (``"local"``).
    soft_max
        The size up to which pieces are joined; the limit by default. A single piece may be larger.
    language
        The language of the text, as :func:`chunkwright.split_sentences` takes it.
    embedder
        The embedder: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a model's folder, an object such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` that returns a row for each
        text. It gets the text unchanged, except that lone surrogates become U+FFFD.
    piece_max
        The largest size of a piece: sentences of a paragraph are joined up to it. A piece of less
        than a fifth of it joins a neighbour wherever the limit allows, and a longer sentence is a
        piece by itself. By default 50 tokens or 200 characters, but at least a sixteenth of the
        limit and at most all of it.
    max_tokens, max_chars, tokenizer, min_size, overlap, overlap_at, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Notes
    -----
    Brandon Smith and Anton Troynikov, "Evaluating Chunking Strategies for Retrieval" (Chroma,
    July 2024). :class:`chunkwright.compat.chroma.ClusterSemanticChunker` gives that one's chunks.

    Examples
    --------
    >>> import chunkwright as cw
    >>> def embedder(texts):
    ...     return [[text.count("cat"), text.count("engine"), 0.1] for text in texts]
    >>> text = "A cat naps. A cat purrs. A cat plays. An engine hums. An engine stops."
    >>> cw.Cluster(max_chars=60, piece_max=16, embedder=embedder)(text).texts()
    ['A cat naps. A cat purrs. A cat plays.', 'An engine hums. An engine stops.']
    """

    name = "cluster"

    mean: Mean = "global"


@dataclass(frozen=True, kw_only=True)
class Discontinuity(Semantic):
    """Cut between sentences where the texts before and after are least similar.

    For each boundary between two sentences, the score is the cosine distance between the sentences
    before it and those after it. A chunk ends at the highest peak of this curve that gives it a
    size between ``soft_max`` and the limit.

    Parameters
    ----------
    window
        The number of sentences on each side of a boundary that are compared.
    soft_max
        The smallest size at which a chunk may end; half of the limit by default.
    language
        The language of the text, as :func:`chunkwright.split_sentences` takes it.
    embedder
        The embedder: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a model's folder, an object such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` that returns a row for each
        text. It gets the text unchanged, except that lone surrogates become U+FFFD.
    max_tokens, max_chars, tokenizer, min_size, overlap, overlap_at, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Notes
    -----
    The curve is that of Marti Hearst's TextTiling (1997), over vectors in place of counted words.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = (
    ...     "The cat naps on the sofa. The cat purrs on the sofa. The cat leaves the sofa. "
    ...     "Rust is a language. The language has types. Types are checked."
    ... )
    >>> for chunk in cw.Discontinuity(max_chars=110, window=2)(text):
    ...     print(chunk.text)
    The cat naps on the sofa. The cat purrs on the sofa. The cat leaves the sofa.
    Rust is a language. The language has types. Types are checked.
    """

    name = "discontinuity"

    window: int = 3
