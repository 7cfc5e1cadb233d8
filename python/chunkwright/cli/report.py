"""What a person sees of a run: progress, failures and a closing line, all on standard error."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import typer

from chunkwright.cli.inputs import Source
from chunkwright.cli.plain import printable
from chunkwright.errors import ChunkwrightError, MissingExtraError, ReadError

T = TypeVar("T")


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
        self.done = 0
        self.failed = 0
        self._quiet = quiet
        self._fail_fast = fail_fast
        self._bar = not quiet and sys.stderr.isatty() and not (to_stdout and sys.stdout.isatty())
        self._say: Callable[[str], None] = _say

    @property
    def exit_code(self) -> int:
        """0 if all inputs were done, else 1."""
        return 1 if self.failed else 0

    def track(self, sources: Sequence[Source]) -> Iterator[Source]:
        """Iterate over the sources, with a progress bar where one is wanted."""
        if not self._bar:
            yield from sources
            return
        with self._progress(len(sources)) as advance:
            for source in sources:
                advance(source.name)
                yield source

    def attempt(self, source: Source, work: Callable[[], T]) -> T | None:
        """Do the work for one source; a failure is named and counted, and gives None.

        Raises
        ------
        typer.Exit
            If it failed and the first failure ends the run.
        """
        try:
            result = work()
        except MissingExtraError:
            raise
        except ChunkwrightError as error:
            self.fail(source.name, error)
            return None
        self.done += 1
        return result

    def fail(self, name: str, error: Exception) -> None:
        """Name and count something that failed.

        Raises
        ------
        typer.Exit
            If the first failure ends the run.
        """
        self.failed += 1
        self._say(f"Failed: {printable(_reason(name, error))}")
        if self._fail_fast:
            raise typer.Exit(1) from error

    def close(self, message: str) -> None:
        """Say how it ended, unless quiet."""
        if not self._quiet:
            _say(message)

    @contextmanager
    def _progress(self, total: int) -> Iterator[Callable[[str], None]]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        console = Console(stderr=True)
        name = TextColumn("{task.description}", markup=False)
        columns = (BarColumn(), MofNCompleteColumn(), Elapsed(), name)
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task("", total=total)
            self._say = lambda line: console.out(line, highlight=False)
            count = iter(range(total))
            try:
                yield lambda name: progress.update(
                    task, completed=next(count), description=printable(name)
                )
            finally:
                self._say = _say


def _reason(name: str, error: Exception) -> str:
    # Only errors of reading know the name of what was read.
    return str(error) if isinstance(error, ReadError) else f"{name}: {error}"


def _say(message: str) -> None:
    typer.echo(message, err=True)
