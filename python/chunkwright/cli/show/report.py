"""Progress, failures and the closing line of a run, and the package's log, on standard error."""

import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock, get_ident
from typing import TYPE_CHECKING, TypeVar

import typer

from chunkwright.cli.settings.flags import told
from chunkwright.errors import ChunkwrightError, MissingExtraError, ReadError
from chunkwright.io.sources import Source
from chunkwright.messages.logs import logger
from chunkwright.messages.terminal_text import printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from chunkwright.io.progress import Step

T = TypeVar("T")
EMBEDDED = "texts embedded"


class Bars:
    """Rows of progress, each of which appears when it is first shown."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._rows: dict[str, TaskID] = {}

    def show(self, row: str, done: int, total: int | None, about: str) -> None:
        """Show how far a row is; None: how much there is to do is not known."""
        if self._progress is None:
            self._progress = _progress()
            self._progress.start()
        if row not in self._rows:
            self._rows[row] = self._progress.add_task("", total=total)
        self._progress.update(
            self._rows[row], completed=done, total=total, description=printable(about)
        )

    def say(self, line: str) -> bool:
        """Print a line above the rows, if there are any."""
        if self._progress is None:
            return False
        self._progress.console.out(line, highlight=False)
        return True

    def stop(self) -> None:
        """Remove all rows."""
        if self._progress is not None:
            self._progress.stop()


class Embedded:
    """Counts what calls of an embedder, one after another or side by side, have done together.

    Each tells how many of its texts are done, and ends with all of them.
    """

    def __init__(self) -> None:
        self.show: Callable[[int, int], None] | None = None
        self._lock = Lock()
        self._before = 0
        self._running: dict[int, tuple[int, int]] = {}

    def __call__(self, done: int, total: int) -> None:
        """Take note of a call that has done so many of its texts."""
        with self._lock:
            self._note(get_ident(), done, total)
            if self.show is not None:
                running = self._running.values()
                rest = sum(all_ - so_far for so_far, all_ in running)
                all_done = self._before + sum(so_far for so_far, _ in running)
                self.show(all_done, all_done + rest)

    def _note(self, thread: int, done: int, total: int) -> None:
        last_done, _ = self._running.pop(thread, (0, 0))
        if done < last_done:
            # Another call: that before it has failed.
            self._before += last_done
        if done == total:
            self._before += total
        else:
            self._running[thread] = done, total


def _progress() -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed

    about = TextColumn("{task.description}", markup=False)
    columns = (BarColumn(), MofNCompleteColumn(), Elapsed(), about)
    return Progress(*columns, console=Console(stderr=True), transient=True)


class Report:
    """Counts what was done and what failed, and says so.

    Parameters
    ----------
    quiet
        No progress bar and no closing line.
    fail_fast
        The first failure ends the run.
    to_stdout
        Results go to standard output: a bar would stand between them on one terminal.
    """

    def __init__(self, *, quiet: bool, fail_fast: bool = False, to_stdout: bool = True) -> None:
        self.done: int = 0
        self.failed: int = 0
        self.embedded: Embedded = Embedded()
        self._quiet = quiet
        self._fail_fast = fail_fast
        self._bar = not quiet and sys.stderr.isatty() and not (to_stdout and sys.stdout.isatty())
        self._bars: Bars | None = None
        self._say: Callable[[str], None] = _say

    @property
    def exit_code(self) -> int:
        """0 if all inputs were done, else 1."""
        return 1 if self.failed else 0

    def track(self, sources: Sequence[Source]) -> Iterator[Source]:
        """Iterate over the sources, with a progress bar in a block of `bars`."""
        for i, source in enumerate(sources):
            if self._bars is not None:
                self._bars.show("inputs", i, len(sources), source.name)
            yield source

    @contextmanager
    def bars(self) -> Iterator[Bars | None]:
        """Give the progress bars, where they are wanted; one of texts embedded shows by itself."""
        if not self._bar:
            yield None
            return
        bars = self._bars = Bars()
        self._say = lambda line: None if bars.say(line) else _say(line)
        self.embedded.show = lambda done, total: bars.show(EMBEDDED, done, total, EMBEDDED)
        try:
            yield bars
        finally:
            bars.stop()
            self._say, self.embedded.show, self._bars = _say, None, None

    def attempt(self, source: Source, work: Callable[[], T]) -> T | None:
        """Do the work for one source; a failure is named and counted, and gives None.

        Raises
        ------
        typer.Exit
            If it failed and the first failure ends the run.
        """
        try:
            result = work()
        except ChunkwrightError as error:
            self.fail(source.name, error)
            return None
        self.done += 1
        return result

    def __call__(self, step: "Step[object]") -> None:
        """Count the documents of a step of a run, or name and count what failed.

        Raises
        ------
        typer.Exit, MissingExtraError
            As :meth:`fail`.
        """
        if step.error is not None:
            self.fail(step.name, step.error)
        self.done += step.n_documents

    def fail(self, name: str, error: Exception) -> None:
        """Name and count something that failed.

        Raises
        ------
        typer.Exit
            If the first failure ends the run.
        MissingExtraError
            If that is what failed: no other input will do better.
        """
        if isinstance(error, MissingExtraError):
            raise error
        self.failed += 1
        self._say(f"Failed: {printable(_reason(name, error))}")
        if self._fail_fast:
            raise typer.Exit(1) from error

    def show(self, row: str, done: int, about: str, total: int | None = None) -> None:
        """Show how far something is, in a block of `bars`; None: nobody knows the end of it."""
        if self._bars is not None:
            self._bars.show(row, done, total, about)

    def warn(self, message: str) -> None:
        """Say what is no failure of an input, and must be known even so."""
        self._say(printable(message))

    def note(self, message: str) -> None:
        """Say something that is no failure, unless quiet."""
        if not self._quiet:
            self._say(printable(message))

    def close(self, message: str) -> None:
        """Say how it ended, unless quiet."""
        if not self._quiet:
            _say(printable(message))


def _reason(name: str, error: Exception) -> str:
    # Errors of reading may know the name of what was read, or of a row in it.
    message = told(error)
    is_named = isinstance(error, ReadError) and message.startswith(name)
    return message if is_named else f"{name}: {message}"


def _say(message: str) -> None:
    typer.echo(message, err=True)


class _ToStandardError(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        level = record.levelname.capitalize()
        typer.echo(f"{level}: {printable(record.getMessage())}", err=True)


@contextmanager
def shown_log(*, is_wanted: bool) -> Iterator[None]:
    """Show what the package logs in the block."""
    if not is_wanted:
        # Else Python would show warnings: what must be known, a command says itself.
        log, nobody = logger(), logging.NullHandler()
        log.addHandler(nobody)
        try:
            yield
        finally:
            log.removeHandler(nobody)
        return
    log, handler = logger(), _ToStandardError()
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)
