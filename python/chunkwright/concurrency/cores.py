"""Cores of the machine that this process may use, and how soon its threads take turns."""

import os
import sys

# The default is 5 ms.
_SWITCH_SECONDS = 0.0005


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def yield_sooner() -> None:
    """Have threads that work yield sooner to the one that answers."""
    sys.setswitchinterval(_SWITCH_SECONDS)
