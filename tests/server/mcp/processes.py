"""Processes of the command `chunkwright mcp`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import NamedTuple

COMMAND = (sys.executable, "-m", "chunkwright", "mcp")


class Listening(NamedTuple):
    """A server over HTTP, and what it has logged; all of it when it has ended."""

    url: str
    log: list[str]


@contextmanager
def listening(*arguments: object, keys: str = "") -> Iterator[Listening]:
    """Start a server over HTTP on a port that is free, and end it."""
    with subprocess.Popen(
        [*COMMAND, *map(str, arguments), "--http", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"CHUNKWRIGHT_KEYS": keys},
    ) as process:
        assert process.stderr is not None
        log = []
        for line in process.stderr:
            log.append(line)
            if "listening on " in line:
                break
        # A pipe that nobody empties would stop the server.
        reader = Thread(target=log.extend, args=(process.stderr,), daemon=True)
        reader.start()
        try:
            message = json.loads(log[-1])["message"] if log else ""
            assert message.startswith("listening on "), log
            yield Listening(f"{message.split()[2]}/mcp", log)
        finally:
            process.terminate()
            process.wait(timeout=60)
            reader.join(timeout=60)
    assert "Traceback" not in "".join(log)
