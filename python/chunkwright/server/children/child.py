"""Child process as the worker sees it: started, asked, and ended with all that it was asked."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from multiprocessing.connection import Connection
from signal import SIGKILL
from socket import SHUT_RDWR, socket, socketpair
from threading import Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from chunkwright.concurrency.loop_thread import waited
from chunkwright.server.children.work import ChildEndedError, Work
from chunkwright.server.problems import busy
from chunkwright.server.settings import SHARED_FOLDER

if TYPE_CHECKING:
    from chunkwright.server.settings import Settings

# Seconds that a process has to load its models in, and to end in.
_START = 300.0
_END = 2.0
# Seconds between two looks whether it has ended.
_LOOK = 0.01
# Seconds after which work that nobody waits for should have stopped.
_LINGER = 5.0
_START_LINE = (
    "import sys; sys.path[:] = {path!r};"
    " from chunkwright.server.child_process import main; main({number})"
)


class Child:
    """A process that does work for this one, several pieces at once.

    Parameters
    ----------
    settings
        What its service is started with.
    on_chunks
        Called with how many chunks were made.
    on_end
        Called with the process and its exit code when it has ended, once it has begun.

    Raises
    ------
    ChunkwrightError
        If it cannot start: what its own start raised.
    Problem
        If it has ended before it was ready.
    """

    def __init__(
        self,
        settings: Settings,
        on_chunks: Callable[[int], None],
        on_end: Callable[[Child, int], None],
    ) -> None:
        self.n_works: int = 0
        self._on_chunks = on_chunks
        self._on_end = on_end
        self._is_over = self._has_ended = False
        self._lock, self._sending = Lock(), Lock()
        self._asked: dict[int, Future[Any]] = {}
        self._left: dict[int, float] = {}
        self._process, self._line = _started()
        failure: Exception | None = None
        try:
            self._line.send(settings)
            is_there = self._line.poll(_START)
            failure = self._line.recv() if is_there else None
        except (EOFError, OSError):
            is_there = False
        if not is_there:
            self.end()
            message = "the process for the work did not start; the log says why"
            raise busy(message, 503, code="no_child", seconds=5) from None
        if failure is not None:
            self.end()
            raise failure
        Thread(target=self._hear, name="child", daemon=True).start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return not self._is_over and not self._has_ended

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits for it."""
        return bool(self._asked)

    @property
    def is_working(self) -> bool:
        """Whether it works, also if nobody waits for the result."""
        return bool(self._asked or self._left)

    @property
    def is_stuck(self) -> bool:
        """Whether work goes on that was to stop."""
        with self._lock:
            return any(monotonic() > since + _LINGER for since in self._left.values())

    def ask(self, work: Work) -> Any:
        """Return what work comes to; raise what it raises.

        Raises
        ------
        ChildEndedError
            If the process ends before.
        concurrent.futures.CancelledError
            If the call is cancelled; the work is told to stop.
        """
        found: Future[Any] = Future()
        with self._lock:
            if self._has_ended:
                # It had no part in that.
                raise ChildEndedError(self._process.wait(), is_over=False, n_works=0)
            self.n_works += 1
            number = self.n_works
            self._asked[number] = found
        try:
            self._send((number, work))
            return waited(found)
        except CancelledError:
            with self._lock:
                if self._asked.pop(number, None) is not None:
                    self._left[number] = monotonic()
            self._send((number, None))
            raise

    def kill(self, *, is_over: bool) -> None:
        """End it at once, and what it has started; say whether it is for its memory."""
        self._is_over = is_over
        self._kill()

    def _kill(self) -> None:
        # Its readers may have started programs, which belong to its group.
        with suppress(OSError):
            os.killpg(self.pid, SIGKILL)

    def end(self) -> None:
        """End it in order, or else at once; wait until it has."""
        # The other thread reads the line, so that it is shut, and not closed.
        with suppress(OSError), socket(fileno=os.dup(self._line.fileno())) as line:
            line.shutdown(SHUT_RDWR)
        try:
            self._process.wait(_END)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()

    def _send(self, message: tuple[int, Work | None]) -> None:
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        # One that has ended is heard of by the other thread.
        with self._sending, suppress(OSError):
            self._line.send_bytes(data)

    def _hear(self) -> None:
        """Hand on what the process says, until it has ended."""
        with suppress(EOFError, OSError):
            while True:
                number, is_right, value, n_chunks = pickle.loads(self._line.recv_bytes())  # noqa: S301 - our own process
                if n_chunks:
                    self._on_chunks(n_chunks)
                with self._lock:
                    found = self._asked.pop(number, None)
                    self._left.pop(number, None)
                if found is not None:
                    with suppress(InvalidStateError):
                        (found.set_result if is_right else found.set_exception)(value)
        # It cannot be asked any more. Until it is waited for, its number is its own.
        deadline = monotonic() + _END
        while not self._has_exited() and monotonic() < deadline:
            sleep(_LOOK)
        self._kill()
        self._process.wait()
        self._line.close()
        self._fail_all()

    def _has_exited(self) -> bool:
        how = os.WEXITED | os.WNOHANG | os.WNOWAIT
        try:
            return os.waitid(os.P_PID, self.pid, how) is not None
        except ChildProcessError:
            return True

    def _fail_all(self) -> None:
        code = self._process.wait()
        with self._lock:
            self._has_ended = True
            asked, self._asked = self._asked, {}
            self._left.clear()
        for found in asked.values():
            with suppress(InvalidStateError):
                ended = ChildEndedError(code, is_over=self._is_over, n_works=self.n_works)
                found.set_exception(ended)
        self._on_end(self, code)


def _started() -> tuple[subprocess.Popen[bytes], Connection]:
    ours, theirs = socketpair()
    with theirs:
        number = theirs.fileno()
        command = [sys.executable, "-c", _START_LINE.format(path=sys.path, number=number)]
        # Files of metrics of each process that has ended would be kept for ever.
        given = {name: value for name, value in os.environ.items() if name != SHARED_FOLDER}
        process = subprocess.Popen(  # noqa: S603 - this very program
            command,
            pass_fds=[number],
            stdin=subprocess.DEVNULL,
            env=given,
            start_new_session=True,
        )
    return process, Connection(ours.detach())
