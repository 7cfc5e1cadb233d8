"""Report of chunks alone, without questions: as a table, as a page of HTML, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError
from chunkwright.evaluation.report.exports import facts, facts_in_words
from chunkwright.evaluation.report.score_tables import (
    NONE,
    Column,
    ReportCell,
    ReportTable,
    percent,
)
from chunkwright.evaluation.scores.result import check_names
from chunkwright.messages.terminal_text import counted
from chunkwright.render import page

if TYPE_CHECKING:
    from chunkwright.evaluation.data.dataset import Dataset
    from chunkwright.evaluation.intrinsic import Measures


_TOKENS, _LIMIT, _TEXT = "tokens of a chunk", "of the limit, %", "text, %"
# For each share: its title, that of its group, that where groups are not shown, what it counts.
_SHARES = {
    "within_limit": ("within", _LIMIT, "in limit, %", "chunks that are not larger than the limit"),
    "below_half_limit": ("< half", _LIMIT, "< half, %", "chunks below half of the limit"),
    "cut_sentences": (
        "sentences",
        "cut, %",
        "sentences cut, %",
        "sentences that no chunk has whole",
    ),
    "cut_tables": ("tables", "cut, %", "tables cut, %", "tables that no chunk has whole"),
    "parted_headings": (
        *("headings parted, %", "", "headings parted, %"),
        "headings that are the last line of a chunk",
    ),
    "parted_lead_ins": (
        *("lead-ins parted, %", "", "lead-ins parted, %"),
        "lines that end in a colon, and that a chunk ends with, above a list, code or a table",
    ),
    "covered": ("covered", _TEXT, "covered, %", "characters that stand in a chunk"),
    "repeated": ("repeated", _TEXT, "repeated, %", "characters that stand in more than one chunk"),
}


def chunk_table(names: Sequence[str], measures: Sequence[Measures]) -> ReportTable:
    """Return what is known of the chunks of each run.

    Parameters
    ----------
    names
        The runs, from top to bottom.
    measures
        Those of some of them, by their names; of the others nothing is known.
    """
    by_name = {each.name: each for each in measures}
    rows = [by_name.get(name) for name in names]
    return ReportTable("Chunks", tuple(names), tuple(_columns(rows)))


def _columns(rows: Sequence[Measures | None]) -> Iterator[Column]:
    numbers = _numbers(rows, "n_chunks")
    yield Column("chunks", "chunks", numbers, about="chunks of all texts")
    about = "chunks whose text does not stand in what they were cut from"
    yield Column("unplaced", "unplaced", _numbers(rows, "n_unplaced"), about=about)
    for name, title, attribute in (
        ("min_tokens", "min", "least"),
        ("median_tokens", "median", "median"),
        ("mean_tokens", "mean", "mean"),
        ("max_tokens", "max", "most"),
    ):
        sizes = _numbers(rows, f"sizes.{attribute}")
        yield Column(name, title, sizes, _TOKENS, f"{title} tokens of a chunk", f"{title} tok")
    for name, (title, group, alone, about) in _SHARES.items():
        cells = tuple(_share(measured, name) for measured in rows)
        yield Column(name, title, cells, group, about, alone)


def _numbers(rows: Sequence[Measures | None], attribute: str) -> tuple[ReportCell, ...]:
    value_of = attrgetter(attribute)
    values = [None if measured is None else value_of(measured) for measured in rows]
    return tuple(
        ReportCell(NONE) if each is None else ReportCell(f"{each:,.0f}", each) for each in values
    )


def _share(measures: Measures | None, name: str) -> ReportCell:
    share = None if measures is None else measures.shares[name]
    if share is None or share.share is None:
        return ReportCell(NONE)
    return ReportCell(percent(share.share), share.share, f"of {share.of:,}")


@dataclass(frozen=True)
class ChunkReport:
    """Measures of several chunkers over the same documents, to be shown side by side.

    Parameters
    ----------
    measures
        Those of each run, in the order in which they are shown: at least one, each with a name of
        its own.
    dataset
        What was cut.
    settings
        What the runs were made from, if that is known: ready for JSON.

    Raises
    ------
    ConfigError
        If there is no run, or two have the same name.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation import Dataset, measure
    >>> from chunkwright.evaluation.report import ChunkReport
    >>> data = Dataset({"mill": "The mill was built in 1743. It burnt down twice."}, ())
    >>> chunkers = {"20": cw.Window(max_chars=20), "40": cw.Window(max_chars=40)}
    >>> report = ChunkReport([measure(c, data, name=name) for name, c in chunkers.items()], data)
    >>> [run["chunks"]["cut_sentences"]["n"] for run in report.to_dict()["runs"]]
    [2, 1]
    """

    measures: Sequence[Measures]
    dataset: Dataset
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.measures:
            raise ConfigError("a report needs at least one run, got none")
        check_names([each.name for each in self.measures])

    @property
    def table(self) -> ReportTable:
        """A row a run."""
        return chunk_table([each.name for each in self.measures], self.measures)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers, ready for JSON: as a report with questions, without scores."""
        return {
            **facts(self.dataset, self.settings),
            "runs": [
                {"name": each.name, "chunker": each.chunker, "chunks": each.summary()}
                for each in self.measures
            ],
        }

    def to_json(self) -> str:
        """Return `to_dict` as text of ASCII."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False) + "\n"

    def to_html(self) -> str:
        """Return a page of HTML that needs nothing else.

        Raises
        ------
        MissingExtraError
            If Jinja2 is not installed.
        """
        name, n_texts = self.dataset.name, counted(len(self.dataset.corpora), "corpus", "corpora")
        return page(
            "chunk_report.html",
            title=f"Chunks: {name}" if name else "Chunks",
            about=f"{counted(len(self.measures), 'run')}, no questions, {n_texts}",
            table_of_chunks=self.table,
            measures=self.measures,
            **facts_in_words(self.settings),
        )
