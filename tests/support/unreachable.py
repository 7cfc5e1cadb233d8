"""A place of this machine where nobody answers, whatever else runs on it."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unreachable() -> Iterator[str]:
    """Keep a port at which nobody listens, and so no other program can; give its URL."""
    with socket.socket() as kept:
        kept.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{kept.getsockname()[1]}"
