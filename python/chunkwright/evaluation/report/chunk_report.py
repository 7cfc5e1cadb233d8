"""Report of chunks alone, without questions: as a page of HTML, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError
from chunkwright.evaluation.report.chunk_table import chunk_table
from chunkwright.evaluation.report.json import FORMAT, dataset_dict, versions
from chunkwright.evaluation.report.tables import Table
from chunkwright.messages.terminal_text import counted
from chunkwright.render import page

if TYPE_CHECKING:
    from chunkwright.evaluation.data.dataset import Dataset
    from chunkwright.evaluation.intrinsic import Measures


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
        names = [each.name for each in self.measures]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise ConfigError(f"two runs are called {name!r}")

    @property
    def table(self) -> Table:
        """A row a run."""
        return chunk_table([each.name for each in self.measures], self.measures)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers, ready for JSON: as a report with questions, without scores."""
        return {
            "format": FORMAT,
            "versions": versions(),
            "dataset": dataset_dict(self.dataset),
            "settings": dict(self.settings),
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
        name, n_corpora = self.dataset.name, len(self.dataset.corpora)
        n_texts = f"{n_corpora:,} {'corpus' if n_corpora == 1 else 'corpora'}"
        settings = json.dumps(self.settings, indent=2, ensure_ascii=False)
        return page(
            "chunk_report.html",
            title=f"Chunks: {name}" if name else "Chunks",
            about=f"{counted(len(self.measures), 'run')}, no questions, {n_texts}",
            table_of_chunks=self.table,
            measures=self.measures,
            settings=settings if self.settings else "",
            versions=", ".join(f"{name} {version}" for name, version in versions().items()),
        )
