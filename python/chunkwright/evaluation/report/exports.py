"""Exports of a report: one object of JSON, and a table of Arrow with a row a run and question."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib import metadata
from typing import TYPE_CHECKING, Any, BinaryIO

from chunkwright.errors import MissingExtraError
from chunkwright.evaluation.confidence.failures import METRIC, Failures
from chunkwright.evaluation.report.twins import twin_pairs

if TYPE_CHECKING:
    import pyarrow as pa

    from chunkwright.evaluation.confidence.bootstrap import Interval
    from chunkwright.evaluation.data.dataset import Dataset
    from chunkwright.evaluation.report.report import Report
    from chunkwright.evaluation.scores.result import Evaluation


FORMAT = 1
LIBRARIES = ("numpy", "onnxruntime", "tokenizers", "rapidfuzz")


def to_dict(report: Report) -> dict[str, Any]:
    """Return all of a report but for single questions, ready for JSON.

    Parameters
    ----------
    report
        The report.

    Returns
    -------
    dict
        ``format``, ``versions``, ``dataset``, ``settings``, ``baseline``, ``recommendation`` (None
        of a single run; its ``recommended`` is None where there are too few questions) and
        ``runs``. A run is what `Evaluation.summary` returns, with ``intervals`` against the
        baseline by metric, ``probability_best``, ``chunks``, what `Measures.summary` returns, and
        ``twins``: the name of each, ``failures@20`` of both, the reduction (None where the twin
        has none to reduce) and the interval of the difference. Shares are between 0 and 1.
    """
    return {
        **facts(report.dataset, report.settings),
        "baseline": report.baseline,
        "recommendation": _recommendation(report),
        "runs": [_run(report, run) for run in report.evaluations],
    }


def to_json(report: Report) -> str:
    """Return `to_dict` as text; what is not ASCII is escaped, so that any text can be read back."""
    return json.dumps(to_dict(report), indent=2, allow_nan=False) + "\n"


def facts(dataset: Dataset, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a report was made of, with or without questions, ready for JSON."""
    return {
        "format": FORMAT,
        "versions": _versions(),
        "dataset": _dataset(dataset),
        "settings": dict(settings),
    }


def facts_in_words(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings and the versions, as a page shows them."""
    return {
        "settings": json.dumps(settings, indent=2, ensure_ascii=False) if settings else "",
        "versions": ", ".join(f"{name} {version}" for name, version in _versions().items()),
    }


def _versions() -> dict[str, str]:
    """Return the versions of what was at work; of libraries that are installed."""
    from chunkwright import __version__

    versions_of = {"chunkwright": __version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            versions_of[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions_of


def _dataset(dataset: Dataset) -> dict[str, Any]:
    """Return what a dataset is, without its texts."""
    return {
        "name": dataset.name,
        "fingerprint": dataset.fingerprint,
        "corpora": {name: len(text) for name, text in dataset.corpora.items()},
        "n_questions": len(dataset.questions),
        "n_excerpts": dataset.n_excerpts,
        "problems": [asdict(problem) for problem in dataset.problems],
    }


def _run(report: Report, run: Evaluation) -> dict[str, Any]:
    found = report.recommendation
    share = None if found is None else found.probability_best[run.name]
    measures = next((each for each in report.measures if each.name == run.name), None)
    return {
        **run.summary(),
        "intervals": _intervals(report, run),
        "probability_best": share,
        "chunks": None if measures is None else measures.summary(),
        "twins": [_twin(twin, pair) for each, twin, pair in twin_pairs(report) if each is run],
    }


def _twin(twin: Evaluation, failures: Failures) -> dict[str, Any]:
    return {
        "twin": twin.name,
        METRIC: {
            "share": failures.share,
            "of_twin": failures.of_twin,
            "reduction": failures.reduction,
            **_as_dict(failures.interval),
        },
    }


def _recommendation(report: Report) -> dict[str, Any] | None:
    recommendation = report.recommendation
    if recommendation is None:
        return None
    return {
        "recommended": recommendation.recommended,
        "ranked_by": recommendation.metric,
        "ranking_note": report.ranking_note,
        "ranking": list(recommendation.ranking),
        "tied": list(recommendation.tied),
        "undecided": list(recommendation.undecided),
        "margin": recommendation.margin,
        "questions_needed": recommendation.questions_needed,
        "questions_to_choose": recommendation.questions_to_choose,
        "confidence": recommendation.confidence,
        "power": recommendation.power,
        "n_resamples": report.n_resamples,
        "seed": report.seed,
        "sentences": recommendation.sentences(),
    }


def _intervals(report: Report, run: Evaluation) -> dict[str, dict[str, float]]:
    return {
        metric: _as_dict(interval)
        for (name, metric), interval in report.intervals.items()
        if name == run.name
    }


def _as_dict(interval: Interval) -> dict[str, float]:
    return {
        "difference": float(interval.difference),
        "low": float(interval.low),
        "high": float(interval.high),
        "confidence": float(interval.confidence),
    }


def check_arrow() -> None:
    """Check that tables can be made.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("a table of questions", "arrow") from error


def to_table(report: Report) -> pa.Table:
    """Return what each run reached for each question.

    Parameters
    ----------
    report
        The report.

    Returns
    -------
    pyarrow.Table
        ``run``, ``question`` (its number, from 0), ``text``, ``corpus``, ``n_excerpts``,
        ``holding`` (how many chunks hold an excerpt), ``hits`` and ``hit_scores`` (lists: numbers
        of chunks, the best first), a column for each metric, between 0 and 1, and one for the
        tokens retrieved at each cutoff, such as ``retrieved_tokens@5``.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """
    check_arrow()
    import pyarrow as pa

    return pa.concat_tables([_table(report, run, pa) for run in report.evaluations])


def write_parquet(report: Report, file: BinaryIO) -> None:
    """Write `to_table` as Parquet.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """
    table = to_table(report)
    import pyarrow.parquet as pq

    pq.write_table(table, file, compression="zstd")


def _table(report: Report, run: Evaluation, pa: Any) -> pa.Table:
    questions = report.dataset.questions
    offsets = pa.array(run.hits.offsets, pa.int64())
    columns = {
        "run": _strings([run.name] * len(questions), pa),
        "question": pa.array(range(len(questions)), pa.int64()),
        "text": _strings([question.text for question in questions], pa),
        "corpus": _strings([question.corpus for question in questions], pa),
        "n_excerpts": pa.array([len(question.excerpts) for question in questions], pa.int64()),
        "holding": pa.array(run.holding, pa.int64()),
        "hits": pa.LargeListArray.from_arrays(offsets, pa.array(run.hits.indices, pa.int64())),
        "hit_scores": pa.LargeListArray.from_arrays(
            offsets, pa.array(run.hits.scores, pa.float64())
        ),
        **{name: pa.array(scores, pa.float64()) for name, scores in run.scores.items()},
        **{name: pa.array(tokens, pa.int64()) for name, tokens in run.retrieved_tokens.items()},
    }
    return pa.table(columns)


def _strings(texts: list[str], pa: Any) -> pa.Array:
    # A lone surrogate has no UTF-8.
    readable = [text.encode("utf-8", "replace").decode() for text in texts]
    return pa.array(readable, pa.string()).dictionary_encode()
