"""Memory of a process at its peak, in tests of what is bounded."""

import resource
from pathlib import Path

MEGABYTE = 2**20


def peak() -> int:
    """Return the most memory that was resident since it was forgotten, in megabytes."""
    # The resource module's figure begins with the peak of the process that forked this one.
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 // MEGABYTE
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 // MEGABYTE


def forget() -> None:
    """Let the peak of memory begin anew, where that can be done."""
    path = Path("/proc/self/clear_refs")
    if path.exists():
        path.write_text("5")
