"""Questions that a run did worst on, and what it found instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright._core import all_occurrences
from chunkwright.evaluation.scores.cutoffs import hits_within, metric_name
from chunkwright.render import clipped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.data.questions import Excerpt, Question
    from chunkwright.evaluation.report.report import Report
    from chunkwright.evaluation.scores.result import Evaluation


# Code points. What lies between marks shows so much at each of its ends; a mark shows more.
CONTEXT, MARKED = 120, 400
# Parts of a text that are shown, from its beginning.
MOST_PARTS = 30

Range = tuple[int, int]


class Part(NamedTuple):
    """A part of a text, and whether it is marked; None in the place of what is left out."""

    text: str | None
    is_marked: bool
    left_out: int = 0


def marked(text: str, ranges: Iterable[Range]) -> list[Part]:
    """Take a text apart into what is marked and what is not.

    Parameters
    ----------
    text
        The text.
    ranges
        What is to be marked, in code points; they may overlap, and reach over the text's ends.

    Returns
    -------
    list of Part
        In order; long ones are without their middle, and the last parts of very many missing.

    Examples
    --------
    >>> from chunkwright.evaluation.report.worst_questions import marked
    >>> [(part.text, part.is_marked) for part in marked("cats purr", [(-3, 2), (1, 4)])]
    [('cats', True), (' purr', False)]
    """
    parts: list[Part] = []
    at = 0
    for start, end in [*union(text, ranges), (len(text), len(text))]:
        if len(parts) >= MOST_PARTS:
            parts.append(Part(None, is_marked=False, left_out=len(text) - at))
            break
        parts += _shortened(text[at:start], is_marked=False, most=2 * CONTEXT)
        parts += _shortened(text[start:end], is_marked=True, most=MARKED)
        at = end
    return parts


def union(text: str, ranges: Iterable[Range]) -> Iterator[Range]:
    """Yield what ranges cover of a text, in order and apart from each other."""
    within = [(max(start, 0), min(end, len(text))) for start, end in ranges]
    at: Range | None = None
    for start, end in sorted(pair for pair in within if pair[0] < pair[1]):
        if at is not None and start <= at[1]:
            at = at[0], max(at[1], end)
            continue
        if at is not None:
            yield at
        at = start, end
    if at is not None:
        yield at


def _shortened(text: str, *, is_marked: bool, most: int) -> Iterator[Part]:
    if not text:
        return
    left_out = len(text) - most
    # Show a few letters more rather than say how many are missing.
    if left_out <= CONTEXT // 2:
        yield Part(text, is_marked)
        return
    half = most // 2
    yield Part(text[:half], is_marked)
    yield Part(None, is_marked, left_out)
    yield Part(text[-half:], is_marked)


# Code points, excerpts and hits of a question that are shown.
MOST_CHARS, MOST_EXCERPTS, MOST_HITS = 400, 6, 5


@dataclass(frozen=True)
class Passage:
    """An excerpt or a hit: what it is, and its text with the parts that agree marked."""

    about: str
    parts: list[Part]


@dataclass(frozen=True)
class Case:
    """A question that a run did badly on.

    Parameters
    ----------
    text, corpus
        The question, and what it is about.
    score, base
        What the run and the baseline reached; None without a baseline.
    excerpts
        With the parts marked that were found.
    hits
        With the parts marked that hold the excerpts.
    more
        What is not shown; empty if that is nothing.
    """

    text: str
    corpus: str
    score: float
    base: float | None
    excerpts: list[Passage]
    hits: list[Passage]
    more: str


def worst_cases(report: Report, run: Evaluation, most: int) -> list[Case]:
    """Return the questions with the largest loss against the baseline, or the lowest recall.

    Parameters
    ----------
    report
        Says what the baseline is, and how many hits count.
    run
        The run.
    most
        At most so many.

    Returns
    -------
    list of Case
        The worst first; of equal ones the first. None of which everything was found.
    """
    metric = metric_name("recall", report.lead)
    scores = run.scores[metric]
    base = report.base
    bases = None if base is None or base is run else base.scores[metric]
    losses = np.zeros_like(scores) if bases is None else np.minimum(scores - bases, 0)
    order = [i for i in np.lexsort((scores, losses)).tolist() if scores[i] < 1][:most]
    numbers, passages = run.passages
    # Texts and places are shown of what was found: of chunks as they were trimmed.
    shown = replace(run, chunks=passages)
    offsets, hits = hits_within(report.lead, numbers, passages.n_tokens, run.holding)
    return [
        _case(
            shown,
            report.dataset.questions[i],
            hits[offsets[i] : offsets[i + 1]].tolist(),
            float(scores[i]),
            None if bases is None else float(bases[i]),
        )
        for i in order
    ]


def _case(
    run: Evaluation, question: Question, hits: list[int], score: float, base: float | None
) -> Case:
    passages = [_hit(run, question, rank, hit) for rank, hit in enumerate(hits[:MOST_HITS], 1)]
    places = [_place(run, hit) for hit in hits]
    excerpts = [
        Passage(f"{excerpt.start:,}–{excerpt.end:,}", _found(run, question, i, places))
        for i, excerpt in enumerate(question.excerpts[:MOST_EXCERPTS])
    ]
    rest = {
        "excerpts": len(question.excerpts) - MOST_EXCERPTS,
        "hits": len(hits) - MOST_HITS,
    }
    more = " and ".join(f"{n:,} more {what}" for what, n in rest.items() if n > 0)
    text = clipped(question.text, MOST_CHARS)
    return Case(text, question.corpus, score, base, excerpts, passages, more)


def _place(run: Evaluation, chunk: int) -> tuple[str | None, int, int]:
    """Return the corpus of a chunk, None for nowhere, and its start and end there."""
    chunks = run.chunks
    corpus = int(chunks.corpora[chunk])
    name = None if corpus < 0 else list(run.dataset.corpora)[corpus]
    return name, int(chunks.starts[chunk]), int(chunks.ends[chunk])


def _hit(run: Evaluation, question: Question, rank: int, chunk: int) -> Passage:
    corpus, start, end = _place(run, chunk)
    text = run.chunks.texts[chunk]
    tokens = f"{int(run.chunks.n_tokens[chunk]):,} tokens"
    if corpus is None:
        return Passage(f"{rank}. stands nowhere, {tokens}", marked(text, []))
    about = f"{rank}. {corpus}, {start:,}–{end:,}, {tokens}"
    if end - start != len(text):
        # The chunk was found but for its whitespace: only its place can be marked.
        text = run.dataset.corpora[corpus][start:end]
    return Passage(about, marked(text, _covered(run, question, corpus, start, text)))


def _covered(
    run: Evaluation, question: Question, corpus: str, start: int, text: str
) -> Iterator[Range]:
    """Yield where excerpts stand in a chunk."""
    if corpus != question.corpus:
        return
    for excerpt in question.excerpts:
        for at in _within(_starts(run, question, excerpt), excerpt, start, start + len(text)):
            yield at - start, at - start + len(excerpt.text)


def _starts(run: Evaluation, question: Question, excerpt: Excerpt) -> NDArray[np.int64]:
    """Return where passages stand that count as an excerpt."""
    if run.placement != "any_occurrence":
        return np.array([excerpt.start])
    return np.asarray(all_occurrences(run.dataset.corpora[question.corpus], excerpt.text))


def _within(starts: NDArray[np.int64], excerpt: Excerpt, start: int, end: int) -> list[int]:
    """Return which passages of those stand in a range, be it in part."""
    is_in = (starts < end) & (starts + len(excerpt.text) > start)
    return starts[is_in].tolist()  # type: ignore[no-any-return]


def _found(
    run: Evaluation, question: Question, number: int, places: list[tuple[str | None, int, int]]
) -> list[Part]:
    """Return an excerpt with what was found of it marked."""
    excerpt = question.excerpts[number]
    starts = _starts(run, question, excerpt)
    ranges = [
        (start - at, end - at)
        for name, start, end in places
        if name == question.corpus
        for at in _within(starts, excerpt, start, end)
    ]
    return marked(excerpt.text, ranges)
