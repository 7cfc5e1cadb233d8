"""Progress of a run over a corpus on standard error, and what is said of it before and behind."""

from time import monotonic
from typing import TYPE_CHECKING

from chunkwright.cli.settings.flags import told
from chunkwright.cli.show.report import Report
from chunkwright.corpus.report import Beginning, Counts
from chunkwright.errors import MissingExtraError
from chunkwright.messages.terminal_text import counted, lasting, sized

if TYPE_CHECKING:
    from chunkwright.corpus import Failure, Result
    from chunkwright.io.progress import Step

ROW = "shards"
# All failures are in files; so many are worth a line.
_SHOWN = 20
# The place of what is wrong with an input that was named, which the message names.
INPUTS = "inputs"


class ShownProgress:
    """Shows how far a run is.

    Parameters
    ----------
    report
        Shows it.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._beginning: Beginning | None = None
        self._began = monotonic()
        self._n_shards = self._documents = self._chunks = self._failed = self._n_bytes = 0
        self._told = 0

    def __call__(self, step: "Step[Beginning | Counts | Failure]") -> None:
        """Show what was done, or say what is about to be done or has failed."""
        if isinstance(step.about, Beginning):
            self._begin(step.about)
        elif isinstance(step.about, Counts):
            self._add(step.about)
        elif step.error is not None:
            self._fail(step.about, step.error)

    def _begin(self, beginning: Beginning) -> None:
        """Say what has changed since the last run, and what is done already."""
        self._beginning, self._began = beginning, monotonic()
        for line in beginning_lines(beginning):
            self._report.note(line)
        self._show()

    def _add(self, counts: Counts) -> None:
        self._n_shards += counts.shards
        self._documents += counts.documents
        self._chunks += counts.chunks
        self._failed += counts.failed
        self._n_bytes += counts.input_bytes
        self._show()

    def _fail(self, failure: "Failure", error: Exception) -> None:
        """Name what failed, unless many have been named."""
        if failure.kind == MissingExtraError.__name__:
            # Said once, before the run.
            return
        self._told += 1
        if self._told <= _SHOWN:
            reason = told(error)
            # Messages name files by their paths, of which a place is the end.
            named = reason.startswith(failure.place)
            named = named or reason.partition(": ")[0].endswith(f"/{failure.place}")
            is_named = failure.place == INPUTS or named
            place = "" if is_named else f"{failure.place}: "
            self._report.warn(f"Failed: {place}{reason}")
        elif self._told == _SHOWN + 1:
            self._report.warn("Failed: more, which are not named here")

    def _show(self) -> None:
        beginning = self._beginning
        if beginning is None:
            return
        seconds = max(monotonic() - self._began, 1e-3)
        rate = self._n_bytes / seconds
        left = beginning.size - beginning.size_done - self._n_bytes
        done_share = 1 - left / beginning.size if beginning.size else 1.0
        parts = [
            f"{min(1.0, done_share):.0%} of {sized(beginning.size)}",
            f"{sized(rate)}/s",
            f"{self._documents / seconds:,.0f} documents/s",
            counted(self._chunks, "chunk"),
            *([counted(self._failed, "error")] if self._failed else []),
            # What was done before does not say how fast this run is.
            *([f"{lasting(round(left / rate))} left"] if rate and left > 0 else []),
        ]
        done = beginning.n_done + self._n_shards
        self._report.show(ROW, done, ", ".join(parts), beginning.n_shards)


def beginning_lines(beginning: Beginning) -> list[str]:
    """Return what is said before a run: what has changed, and what is done already."""
    n_shards, n_done = beginning.n_shards, beginning.n_done
    lines = [f"Changed since the last run: {change}" for change in beginning.changes]
    for extra, n_files in beginning.lacking.items():
        files = counted(n_files, "file")
        lines.append(f'{files} cannot be read without: pip install "chunkwright[{extra}]"')
    if beginning.changes and not n_done:
        lines.append(f"Made again: all of {counted(n_shards, 'shard')}")
    elif n_shards and n_done == n_shards:
        lines.append(f"Nothing to do: done already are all of {counted(n_shards, 'shard')}")
    elif n_done:
        lines.append(f"Done already: {n_done:,} of {counted(n_shards, 'shard')}")
    if beginning.is_staged:
        old = counted(beginning.n_removed, "shard")
        lines.append(f"Kept until all of it is made: {old} of settings before")
    elif beginning.n_removed:
        of = "settings" if beginning.changes else "inputs"
        lines.append(f"Removed: {counted(beginning.n_removed, 'shard')} of {of} before")
    return lines


def closing_lines(result: "Result") -> list[str]:
    """Return what is said at the end of a run: what was written, and what the output holds."""
    made, all_of_it = result.made, result.counts
    lines = []
    if result.n_made:
        rate = made.documents / max(result.seconds, 1e-3)
        lines.append(
            f"{_chunks_of(made)} written in {lasting(result.seconds)}, {rate:,.0f} documents/s"
        )
    left_out = [
        counted(n, noun)
        for n, noun in (
            (all_of_it.empty, "empty document"),
            (all_of_it.duplicates, "duplicate"),
        )
        if n
    ]
    also = f"; {', '.join(left_out)}" if left_out else ""
    size = sized(all_of_it.output_bytes)
    place = f"What is to take the place of {result.folder}" if result.is_pending else result.folder
    lines.append(f"{place} holds {_chunks_of(all_of_it)}, {size}{also}")
    return lines


def problem_lines(result: "Result") -> list[str]:
    """Return what must be known of a run that is not whole."""
    lines = []
    if result.is_pending:
        lines.append(
            f"{result.folder} is still that of the settings before: the new one lacks some"
        )
    if failed := result.counts.failed:
        lines.append(f"Failed: {failed:,} in all; why, say the files in {result.folder}/_errors")
    if n_left := len(result.given_up):
        lines.append(f"Not made: {counted(n_left, 'shard')}; the same command tries again")
    return lines


def _chunks_of(counts: Counts) -> str:
    return f"{counted(counts.chunks, 'chunk')} of {counted(counts.documents, 'document')}"
