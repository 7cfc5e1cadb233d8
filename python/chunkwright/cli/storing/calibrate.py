"""`chunkwright calibrate`: pick the two thresholds of a store's search by questions."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chunkwright.cli.settings.flags import calling
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.report import Report
from chunkwright.cli.show.tables import write_table
from chunkwright.cli.storing.opening import EMBEDDER_HELP, In, embedder_of, existing
from chunkwright.cli.syntax.options import configured
from chunkwright.cli.syntax.setting_options import setting_options
from chunkwright.errors import ReadError
from chunkwright.evaluation.data.question_rows import needed_key, rows_of
from chunkwright.store.settings import N_LOOKED_AT

if TYPE_CHECKING:
    from chunkwright.evaluation.data.question_rows import QuestionRow
    from chunkwright.store.store import Store

QuestionFile = Annotated[
    Path,
    typer.Argument(
        metavar="QUESTIONS",
        help="File of questions with the passages that answer them, .jsonl or .csv, as for eval.",
        show_default=False,
    ),
]


@configured("embedder", "quiet", "verbose", about={"embedder": EMBEDDER_HELP})
@setting_options(N_LOOKED_AT)
def calibrate(
    settings: Settings, questions: QuestionFile, *, store: In, options: dict[str, Any]
) -> int:
    """Run `chunkwright calibrate`; return its exit code."""
    report = Report(quiet=settings.quiet, to_stdout=False)
    embedder = embedder_of(store, settings.options.get("embedder"), report.embedded)
    with existing(store, embedder=embedder, read_only=False) as opened:
        asked = list(_pairs(questions, opened))
        with calling({N_LOOKED_AT.name: N_LOOKED_AT.flag, "questions": str(questions)}):
            found = opened.calibrate(asked, **options)
    names = ["floor", "gate", "questions", "answered", "precision_over_gate"]
    scores = [f"{each:.4f}" for each in (found.floor, found.gate, found.precision_over_gate)]
    row = [*scores[:2], found.n_questions, found.n_answered, scores[2]]
    write_table(names, [row], is_table=sys.stdout.isatty())
    return 0


def _pairs(path: Path, store: "Store") -> Iterator[tuple[str, list[str]]]:
    """Yield the questions of a file, each with the words that answer it.

    Raises
    ------
    ReadError
        If a row has no excerpts, or one of a place alone names no document of the store.
    """
    for row in rows_of(path):
        if not row.excerpts:
            raise ReadError(f"{row.place}: {needed_key(row)}")
        yield row.question, [each.text or _at(row, each.place, store) for each in row.excerpts]


def _at(row: "QuestionRow", place: tuple[int, int] | None, store: "Store") -> str:
    if row.corpus is None or place is None:
        raise ReadError(f"{row.place}: an excerpt without text needs a place, and 'corpus'")
    return store.document(row.corpus).text[slice(*place)]
