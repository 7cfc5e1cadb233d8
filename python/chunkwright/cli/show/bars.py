"""Progress bars on standard error: inputs, and what models have done."""

from collections.abc import Callable
from threading import Lock, get_ident
from typing import TYPE_CHECKING

from chunkwright.messages.terminal_text import printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

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
