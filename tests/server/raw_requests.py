"""Parts of requests as they go over the line, and the clock of a connection."""

from types import SimpleNamespace
from typing import Any

HEAD = b"POST /v1/chunk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY = b'{"text": "One two three."}'
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
CLOSE = b"Connection: close\r\n"
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"


class Clock:
    """A loop whose timers run when a test says so."""

    def __init__(self) -> None:
        self.due: list[Any] = []

    def call_later(self, seconds: float, call: Any) -> Any:
        """Note a call."""
        timer = SimpleNamespace(seconds=seconds, call=call)
        timer.cancel = lambda: self.due.remove(timer)
        self.due.append(timer)
        return timer

    def pass_by(self, seconds: float) -> None:
        """Make the calls that wait for so many seconds."""
        for timer in [each for each in self.due if each.seconds == seconds]:
            self.due.remove(timer)
            timer.call()
