"""Invariants of an evaluation, for one that was read from a file that nobody has to trust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from chunkwright.evaluation.chunkers.placing import Placement
from chunkwright.evaluation.scores.cutoffs import KINDS, is_filled, metric_name, parse
from chunkwright.evaluation.scores.metrics import OMEGA
from chunkwright.evaluation.scores.result import STEPS
from chunkwright.files.disk_cache import DamagedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.chunkers.placing import PlacedChunks
    from chunkwright.evaluation.scores.result import Evaluation
    from chunkwright.retrieval import Hits

# Most tokens that a tokenizer gives to a code point, and to an empty text.
_TOKENS_OF_ONE, _TOKENS_OF_NONE = 16, 1024


def check(run: Evaluation) -> None:
    """See that an evaluation is one that its dataset can have.

    Raises
    ------
    DamagedError
        If a type, a shape or a number is not what it must be; names it.
    ConfigError
        If there are no such cutoffs.
    """
    _check_words(run)
    _check_scores(run)
    _check_chunks(run.chunks, [len(text) for text in run.dataset.corpora.values()])
    n_questions = len(run.dataset.questions)
    _check_integers("holding", run.holding, n_questions, 0, len(run.chunks))
    _check_hits(run.hits, n_questions, len(run.chunks))
    _check_trimming(run)
    _check_parts(run)


def _check_words(run: Evaluation) -> None:
    _need("chunker", isinstance(run.chunker, str))
    _need("retriever", isinstance(run.retriever, str))
    _need("placement", run.placement in get_args(Placement))
    _need("seconds", isinstance(run.seconds, Mapping) and set(run.seconds) == set(STEPS))
    times = run.seconds.values()
    _need("seconds", all(isinstance(each, float) and 0 <= each < np.inf for each in times))


def _check_scores(run: Evaluation) -> None:
    _need("cutoffs", parse(run.cutoffs) == run.cutoffs)
    pairs = ((kind, cutoff) for cutoff in run.cutoffs for kind in KINDS)
    names = {OMEGA, *(metric_name(kind, cutoff) for kind, cutoff in pairs)}
    _need("metrics", set(run.scores) == names)
    for scores in run.scores.values():
        _need("scores", _is_column(scores, np.float64, len(run.dataset.questions)))
        _need("scores", bool(((scores >= 0) & (scores <= 1)).all()))


def _check_chunks(chunks: PlacedChunks, lengths: list[int]) -> None:
    _need("texts", all(isinstance(text, str) for text in chunks.texts))
    n, sizes = len(chunks), _sizes(chunks)
    searched = chunks.searched
    _need("indexed", len(searched) == n and all(isinstance(text, str) for text in searched))
    _check_integers("corpora", chunks.corpora, n, -1, len(lengths) - 1)
    _check_integers("cut_from", chunks.cut_from, n, 0, len(lengths) - 1)
    # The last length belongs to chunks that stand nowhere.
    limits = np.array([*lengths, 0], np.int64)[chunks.corpora]
    limits = np.where(chunks.corpora < 0, sizes, limits)
    _check_integers("starts", chunks.starts, n, 0, limits)
    _check_integers("ends", chunks.ends, n, chunks.starts, limits)
    _check_tokens(chunks.n_tokens, sizes)


def _check_hits(hits: Hits, n_questions: int, n_chunks: int) -> None:
    n = len(hits.indices)
    _check_integers("hit_offsets", hits.offsets, n_questions + 1, 0, n)
    is_whole = hits.offsets[0] == 0 and hits.offsets[-1] == n
    _need("hit_offsets", bool(is_whole and (np.diff(hits.offsets) >= 0).all()))
    _check_integers("hit_indices", hits.indices, n, 0, n_chunks - 1)
    _need("hit_scores", _is_column(hits.scores, np.float64, n))
    _need("hit_scores", not np.isnan(hits.scores).any())
    if hits.scores_before is not None and hits.ranks_before is not None:
        _need("hit_scores_before", _is_column(hits.scores_before, np.float64, n))
        _check_integers("hit_ranks_before", hits.ranks_before, n, 0, max(n_chunks, 1) - 1)


def _check_trimming(run: Evaluation) -> None:
    hits, n_tokens = run.hits, run.hit_tokens
    if hits.starts is None or hits.ends is None or n_tokens is None:
        _need("hits", hits.starts is hits.ends is n_tokens is None)
        return
    n, sizes = len(hits.indices), _sizes(run.chunks)[hits.indices]
    _check_integers("hit_starts", hits.starts, n, 0, sizes)
    _check_integers("hit_ends", hits.ends, n, hits.starts, sizes)
    _need("hit_tokens", len(n_tokens) == n)
    _check_tokens(n_tokens, sizes)


def _check_parts(run: Evaluation) -> None:
    _need("parts", set(run.parts) == {cutoff for cutoff in run.cutoffs if is_filled(cutoff)})
    n, sizes = len(run.dataset.questions), np.array([*_sizes(run.chunks), 0], np.int64)
    for part in run.parts.values():
        _check_integers("parts", part.chunks, n, -1, len(run.chunks) - 1)
        _check_integers("parts", part.starts, n, 0, sizes[part.chunks])
        _check_integers("parts", part.ends, n, part.starts, sizes[part.chunks])
        _check_tokens(part.n_tokens, sizes[part.chunks])


def _check_tokens(n_tokens: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
    _check_integers("tokens", n_tokens, len(sizes), 0, sizes * _TOKENS_OF_ONE + _TOKENS_OF_NONE)


def _check_integers(name: str, column: NDArray[np.int64], n: int, least: Any, most: Any) -> None:
    _need(name, _is_column(column, np.int64, n))
    _need(name, bool(((column >= least) & (column <= most)).all()))


def _is_column(column: NDArray[Any], kind: type[np.generic], n: int) -> bool:
    return column.dtype == np.dtype(kind) and column.shape == (n,)


def _sizes(chunks: PlacedChunks) -> NDArray[np.int64]:
    return np.fromiter(map(len, chunks.texts), np.int64, len(chunks))


def _need(name: str, is_so: bool) -> None:
    if not is_so:
        raise DamagedError(f"its {name} cannot be")
