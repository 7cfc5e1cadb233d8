"""Peak memory of one contender, measured in a process of its own.

Run as ``python -m lib.memory ROW INDEX MEGABYTES`` it prints the extra peak as a multiple of
the text's UTF-8 bytes: the highest resident size while the work ran, less the resident size just
before it, when the library, its vocabulary and the text were loaded.
"""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lib.corpus import prefix, text_of
from lib.measure import WARM_UP
from lib.rows import MEMORY, ROWS

if TYPE_CHECKING:
    from lib.contenders import Contender, Row

_STATUS = Path("/proc/self/status")


def extra_peak(row: Row, contender: Contender, megabytes: float | None) -> float | None:
    """Measure a contender in a fresh process.

    Parameters
    ----------
    row : Row
        The row that it belongs to.
    contender : Contender
        Whose memory is measured.
    megabytes : float or None
        Size of the text; a contender's cap makes it shorter.

    Returns
    -------
    float or None
        Extra peak as a multiple of the text's UTF-8 bytes; None where the system keeps no such
        figure (it is read from ``/proc``) or the library fails.
    """
    if not _STATUS.exists():
        return None
    place = row.contenders.index(contender)
    size = "all" if megabytes is None else str(megabytes)
    command = [sys.executable, "-m", "lib.memory", row.key, str(place), size]
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return float(done.stdout) if done.returncode == 0 else None


def _measured(contender: Contender, text: str) -> float:
    contender.make()(WARM_UP)
    work = contender.make()
    size = len(text.encode())
    settle()
    before = kilobytes("VmRSS")
    result = work(text)
    after = kilobytes("VmHWM")
    del result
    return (after - before) * 1024 / size


def settle() -> None:
    """Give free memory back and let the peak start anew."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    Path("/proc/self/clear_refs").write_text("5")


def kilobytes(name: str) -> int:
    """Return a figure of this process: ``"VmRSS"`` now, ``"VmHWM"`` at most since `settle`."""
    lines = _STATUS.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def _main(key: str, place: str, size: str) -> None:
    row = next(row for row in (*ROWS, MEMORY) if row.key == key)
    contender = row.contenders[int(place)]
    megabytes = None if size == "all" else float(size)
    text = prefix(text_of(megabytes), contender.cap)
    print(_measured(contender, text))


if __name__ == "__main__":
    _main(*sys.argv[1:])
