"""Calibration of a search: the floor and the gate that suit labelled questions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from chunkwright.embed.naming import name_of
from chunkwright.errors import ConfigError, OptionName
from chunkwright.retrieval.rerank.protocol import as_reranker
from chunkwright.retrieval.steps.neighbours import REACH
from chunkwright.store.citing.quotes import places_of
from chunkwright.store.notes import note, noted
from chunkwright.store.quotes import find_quote
from chunkwright.store.searching.candidates import Thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.retrieval.options import Options
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.searching.found import Found

# Of the hits that answer, so many are to be over the floor, and over the gate.
OVER_FLOOR, OVER_GATE = 0.98, 0.75
# Of what scores mean: those of another one are not compared with thresholds of this one.
_SCALE = 2


@dataclass(frozen=True)
class Calibration:
    """Floor and gate of a retriever, and the questions behind them.

    Attributes
    ----------
    floor
        The score that 98 of 100 answering hits reach.
    gate
        The score that 75 of 100 answering hits reach.
    n_questions
        The number of questions.
    n_answered
        The number of questions with an answering hit.
    precision_over_gate
        The share of answering hits among the first hits above the gate.
    """

    floor: float
    gate: float
    n_questions: int
    n_answered: int
    precision_over_gate: float


def scores_of(found: Sequence[Found], answers: Sequence[str]) -> list[tuple[float, bool]]:
    """Return the score of the best hit that answers a question, and of the best that does not.

    A hit answers if its document has the words of an answer, and they are in it or reach into it.

    Parameters
    ----------
    found
        The hits, best first.
    answers
        Quotes that answer.
    """
    right = next((hit.score for hit in found if _answers(hit, answers)), None)
    wrong = next((hit.score for hit in found if not _answers(hit, answers)), None)
    both = ((right, True), (wrong, False))
    return [(score, is_right) for score, is_right in both if score is not None]


def _answers(hit: Found, answers: Sequence[str]) -> bool:
    body = None if hit.chunk is None else hit.chunk.document_text
    if body is None:
        return any(_places(answer, hit.text) for answer in answers)
    return any(
        start < hit.end and hit.start < end
        for answer in answers
        for start, end in _places(answer, body)
    )


def _places(answer: str, text: str) -> list[tuple[int, int]]:
    """Return where an answer stands: letter for letter, or as quotes are verified."""
    found = places_of(answer, text)
    if found:
        return found
    try:
        return [(match.start, match.end) for match in find_quote(answer, [text])]
    except ConfigError:
        # It is too short for that.
        return []


def checked_questions(questions: object) -> list[tuple[str, list[str]]]:
    """Return labelled questions, each with the quotes that answer it.

    Raises
    ------
    ConfigError
        If they are none; names the first that is wrong.
    """
    items = questions.items() if isinstance(questions, Mapping) else questions
    if not isinstance(items, Iterable) or isinstance(items, str | bytes):
        kind = type(questions).__name__
        message = f" must be pairs of a question and its answers, got {kind}"
        raise ConfigError(OptionName("questions"), message)
    found = []
    for number, item in enumerate(items):
        pair = tuple(item) if isinstance(item, list | tuple) else ()
        quotes = [pair[1]] if len(pair) == 2 and isinstance(pair[1], str) else pair[1:2]  # noqa: PLR2004
        answers = list(quotes[0]) if quotes and not isinstance(quotes[0], str) else list(quotes)
        texts = [pair[0], *answers] if pair else []
        if len(texts) < 2 or not all(isinstance(each, str) for each in texts):  # noqa: PLR2004
            message = f"[{number}] must be a question and its answers, got {item!r:.80}"
            raise ConfigError(OptionName("questions"), message)
        found.append((pair[0], answers))
    return found


def calibration_of(scores: Sequence[tuple[float, bool]], n_questions: int) -> Calibration | None:
    """Return floor and gate by the scores of hits, and whether each answers its question.

    None: no hit answers.

    Parameters
    ----------
    scores
        For each question that has an answer among its hits the score of the best that answers,
        with True; for each question the score of the first hit that does not, with False.
    n_questions
        How many questions there were.
    """
    right = sorted(score for score, answers in scores if answers)
    if not right:
        return None
    floor, gate = (_quantile(right, 1 - share) for share in (OVER_FLOOR, OVER_GATE))
    over = [answers for score, answers in scores if score >= gate]
    return Calibration(
        floor, max(floor, gate), n_questions, len(right), sum(over) / max(1, len(over))
    )


def write_thresholds(session: Session, options: Options, found: Calibration) -> None:
    """Keep floor and gate for a retriever."""
    thresholds = {"floor": found.floor, "gate": found.gate}
    note(session, _name(options), json.dumps(thresholds))


def thresholds_of(session: Session, options: Options) -> Thresholds:
    """Return the floor and the gate that are kept for a retriever, if any are."""
    known = noted(session, _name(options))
    return Thresholds() if known is None else Thresholds(**json.loads(known))


def _name(options: Options) -> str:
    """Return the name of what is kept for a retriever: scores of others mean something else."""
    embedder = "" if options.embedder is None else name_of(options.embedder)
    reranker = None if options.reranker is None else as_reranker(options.reranker).fingerprint
    scored = (
        *(options.words, options.k1, options.b, options.subwords, options.fusion),
        *(options.word_weight, options.neighbour_smoothing),
        *(() if options.neighbour_reach == REACH else (options.neighbour_reach,)),
        *options.stop_words,
        sorted(options.field_weights.items()),
    )
    of = (_SCALE, embedder, reranker, scored)
    return f"thresholds {sha256(repr(of).encode()).hexdigest()[:32]}"


def _quantile(ascending: Sequence[float], share: float) -> float:
    """Return the greatest number that no more than that share of the others is below."""
    return ascending[min(len(ascending) - 1, int(share * len(ascending)))]
