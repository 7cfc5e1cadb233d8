"""Memory of processes: what they alone have, and giving it back."""

from __future__ import annotations

import ctypes
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

# Files that are mapped, such as models, are shared and can be read again: they are not counted.
_OWN = re.compile(r"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$", re.MULTILINE)
_KILOBYTE = 1024


def is_known() -> bool:
    """Return whether the system says what memory a process has."""
    return Path("/proc/self/status").exists()


def own_memory(pid: int | None = None) -> int:
    """Return the bytes of memory that a process alone has, swapped out or not; 0 if it has ended.

    Address space would be no measure: mapped models, stacks of threads and arenas of the allocator
    take much of it, and no memory.

    Parameters
    ----------
    pid
        The process; None: this one.
    """
    try:
        status = Path(f"/proc/{pid or os.getpid()}/status").read_text("ascii", "replace")
    except OSError:
        return 0
    return sum(map(int, _OWN.findall(status))) * _KILOBYTE


def tree_memory(pid: int) -> int:
    """Return the bytes of memory of a process and of all processes that it has started."""
    return own_memory(pid) + sum(map(tree_memory, children_of(pid)))


def children_of(pid: int) -> list[int]:
    """Return the ids of the running processes that a process has started."""
    found: list[int] = []
    # It may end meanwhile, and so may a thread: what the others have started counts.
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found += map(int, (thread / "children").read_text().split())
    return found


def give_back() -> None:
    """Give memory that is free back to the system, where the C library can."""
    with suppress(OSError, AttributeError):
        trim: Any = ctypes.CDLL(None).malloc_trim
        trim(0)


def offer_to_end() -> None:
    """Have the system end this process before others when it has no memory left."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("800")
