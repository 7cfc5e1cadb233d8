"""Time to start: the import, a first chunk and the command line beside the import of tiktoken.

Each command runs in a process of its own, and all of them in turn, so that what else the machine
does meets all alike. Compiled modules are kept in a folder of this run: an installation that
compiles at each start would be measured for that. What is printed is Markdown.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lib.contenders import TIMES
from lib.table import NOTHING, Table, at_most, duration, say, times, versions

BARE, PEER = "bare Python", "import tiktoken"
FIRST_CHUNK = "import chunkwright as cw; cw.chunk('One sentence. And one more.')"
TEXT = Path(__file__).parent.parent / "README.md"
COMMANDS = {
    BARE: ["-c", "pass"],
    PEER: ["-c", "import tiktoken"],
    "import chunkwright": ["-c", "import chunkwright"],
    "first chunk": ["-c", FIRST_CHUNK],
    "chunkwright --help": ["-m", "chunkwright", "--help"],
    "chunkwright count FILE": ["-m", "chunkwright", "count", str(TEXT)],
}
# The most that each may take above bare Python, as a multiple of what the peer takes.
AIMS = {"import chunkwright": 1.3, "chunkwright --help": 6.0, "chunkwright count FILE": 6.0}


def measured(runs: int) -> dict[str, float]:
    """Return the median of each command's times, in seconds."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for run in range(runs + 1):
            for name, arguments in COMMANDS.items():
                taken = _seconds([sys.executable, *arguments], environment)
                if run:  # the first compiles
                    times[name].append(taken)
    return {name: statistics.median(each) for name, each in times.items()}


def _seconds(command: list[str], environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=21, help="processes of each command")
    n_runs = parser.parse_args().runs
    say(f"{versions('tiktoken')}. By the clock, the median of {n_runs} processes each.")
    taken = measured(n_runs)
    peer = taken[PEER] - taken[BARE]
    table = Table("command", "median", "above bare Python", "of the import of tiktoken", "wanted")
    for name, seconds in taken.items():
        # Less than what two medians differ by is nothing.
        above = max(0.0, seconds - taken[BARE])
        if name == BARE:
            table.row(name, duration(seconds), *[NOTHING] * 3)
            continue
        wanted = at_most(AIMS.get(name), above / peer, TIMES)
        table.row(name, duration(seconds), duration(above), times(above / peer), wanted)


if __name__ == "__main__":
    main()
