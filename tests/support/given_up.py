"""Requests that a test gave up: waited for, so that no later test notices them."""

import threading
import time

_MOST_SECONDS = 60.0


def wait_for_threads(prefix: str) -> None:
    """Wait until no thread of such a name asks any more.

    A provider's library draws the time of its next try from the random numbers of the process,
    and Hypothesis takes that for a fault of whatever it runs at that moment.
    """
    deadline = time.monotonic() + _MOST_SECONDS
    for thread in threading.enumerate():
        if thread.name.startswith(prefix):
            thread.join(max(0.0, deadline - time.monotonic()))
