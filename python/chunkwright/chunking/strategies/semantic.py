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
        What gives texts their vectors: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a folder with a model, an embedder such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` with a row for each text. It
        is given the text as it is; lone surrogates are U+FFFD.

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
        The size up to which sentences of a paragraph are joined, in the unit of the limit; a piece
        of less than a fifth of it is joined with a neighbour wherever the limit allows. A longer
        sentence is a piece by itself. By default 50 tokens or 200 characters, but at least a
        sixteenth of the limit and at most all of it.

    """

    piece_max: Size | None = None


@dataclass(frozen=True, kw_only=True)
class Kamradt(Semantic):
    """Cut between sentences where the distance of their vectors exceeds a threshold.

    Each sentence is embedded together with its neighbours, the cosine distance of each two that
    follow one another is taken, and the text is cut where a distance is above a threshold that
    depends on all distances of the text. What is over the limit all the same is cut at its largest
    distance within reach, and a sentence over the limit as :class:`chunkwright.Sentence` cuts it.

    Parameters
    ----------
    window
        How many sentences on each side are embedded with a sentence.
    threshold
        Where the threshold lies: at a ``"percentile"`` of the distances; so many
        ``"standard_deviation"`` or ``"interquartile"`` ranges above their mean; or, for
        ``"gradient"``, at a percentile of how fast they grow, with which that is compared.
    amount
        The percentile (0 to 100) or the factor: 95, 3, 1.5 or 95 by default.
    n_chunks
        How many chunks are wanted, in place of ``threshold`` and ``amount``. Limit, ``min_size``
        and equal distances may make it more or fewer.
    min_size
        What a chunk must have for a distance to end it, in the unit of the limit; 0 by default.
    soft_max
        What is over the limit is divided into chunks that end from this size on, where a boundary
        is within reach; half of the limit by default.
    language
        What the text is in, as :func:`chunkwright.split_sentences` takes it.
    embedder
        What gives texts their vectors: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a folder with a model, an embedder such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` with a row for each text. It
        is given the text as it is; lone surrogates are U+FFFD.
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
    """Cut at the largest distances between small pieces, the threshold searched for a size.

    The text is split into sentences, and short ones are joined. Each of these pieces is embedded
    together with its neighbours, and the cosine distance of each two neighbours is taken. Then the
    threshold above which a distance cuts is searched: the one that makes chunks of the target size.

    Parameters
    ----------
    target
        What the size is of: of chunks on ``"average"``, which leaves some of them long, or of the
        largest one (``"max"``), for which sentences over that size are divided.
    target_size
        The size, in the unit of the limit. By default ``soft_max`` if given, else the limit for
        ``"max"`` and half of it for ``"average"``.
    window
        How many pieces on each side are embedded with a piece.
    soft_max
        What is over the limit is divided into chunks that end from this size on, where a boundary
        is within reach; half of the limit by default.
    language
        What the text is in, as :func:`chunkwright.split_sentences` takes it.
    embedder
        What gives texts their vectors: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a folder with a model, an embedder such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` with a row for each text. It
        is given the text as it is; lone surrogates are U+FFFD.
    piece_max
        The size up to which sentences of a paragraph are joined, in the unit of the limit; a piece
        of less than a fifth of it is joined with a neighbour wherever the limit allows. A longer
        sentence is a piece by itself. By default 50 tokens or 200 characters, but at least a
        sixteenth of the limit and at most all of it.
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
    """Choose all cuts of a text together, so that chunks are made of pieces that are alike.

    The text is split into sentences, short ones are joined, and each of these pieces is embedded. A
    chunk is worth the sum, over all pairs of its pieces, of what their cosine exceeds the mean by.
    The cuts whose chunks are worth most together, each within the limit, are found by dynamic
    programming, in time linear in the text.

    A cut has the reason ``"limit"`` if the chunks on both sides do not fit into one, and they, or
    the two pieces that meet there, have more in common than the mean; else ``"score"``.

    Parameters
    ----------
    mean
        What a cosine is compared with: the mean of all pairs of the text (``"global"``), or of
        those that are near enough to be in one chunk (``"local"``).
    soft_max
        What pieces are joined up to; the limit by default. A piece by itself may have more.
    language
        What the text is in, as :func:`chunkwright.split_sentences` takes it.
    embedder
        What gives texts their vectors: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a folder with a model, an embedder such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` with a row for each text. It
        is given the text as it is; lone surrogates are U+FFFD.
    piece_max
        The size up to which sentences of a paragraph are joined, in the unit of the limit; a piece
        of less than a fifth of it is joined with a neighbour wherever the limit allows. A longer
        sentence is a piece by itself. By default 50 tokens or 200 characters, but at least a
        sixteenth of the limit and at most all of it.
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
    """Cut between sentences where what stands before and behind is least alike.

    For each boundary between two sentences the cosine distance is taken of the sentences before it
    and those behind it. A chunk ends at the highest peak of that curve which leaves it a size
    between ``soft_max`` and the limit.

    Parameters
    ----------
    window
        How many sentences on each side of a boundary are compared.
    soft_max
        The size from which on a chunk may end; half of the limit by default.
    language
        What the text is in, as :func:`chunkwright.split_sentences` takes it.
    embedder
        What gives texts their vectors: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a folder with a model, an embedder such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` with a row for each text. It
        is given the text as it is; lone surrogates are U+FFFD.
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
