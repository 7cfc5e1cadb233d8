"""The command, and what a run of it leaves behind."""

import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

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
