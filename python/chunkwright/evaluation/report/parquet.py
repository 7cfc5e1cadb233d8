"""A report's single questions as a table of Arrow, one row a run and question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

from chunkwright.errors import MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa

    from chunkwright.evaluation.report.report import Report
    from chunkwright.evaluation.scores.result import Evaluation


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
    strings = {
        "run": [run.name] * len(questions),
        "text": [question.text for question in questions],
        "corpus": [question.corpus for question in questions],
    }
    columns = {
        "run": _strings(strings["run"], pa),
        "question": pa.array(range(len(questions)), pa.int64()),
        "text": _strings(strings["text"], pa),
        "corpus": _strings(strings["corpus"], pa),
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
