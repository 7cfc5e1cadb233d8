"""The command, and what a run of it leaves behind."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "chunkwright")
GUIDE = "# Guide\n\n" + "\n\n".join(f"Paragraph {i} says a little." for i in range(30)) + "\n"
NOTES = "Größe, naïveté and 日本語.\r\nA second line 👩‍👩‍👧‍👦.\n\nThe end."


class Result(NamedTuple):
    """What a run left behind."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        # Not splitlines: a text may hold other ends of lines.
        return [json.loads(line) for line in self.out.split("\n") if line]


Run = Callable[..., Result]


def peak_of(folder: Path, pattern: str) -> int:
    """Return the most megabytes of a process that cuts files into another one."""
    script = (
        "from chunkwright.cli import run\nfrom tests.support.memory import peak\n"
        f"print(run(['chunk', {pattern!r}, '--out', 'y.jsonl', '-fq']), peak())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    code, megabytes = map(int, done.stdout.split())
    assert code == 0
    return megabytes
