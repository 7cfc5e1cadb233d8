"""End of a process while threads make calls."""

from __future__ import annotations

import subprocess
import sys
import time

CODE = """
import asyncio, time
from chunkwright.concurrency.daemon_threads import in_thread

def call():
    time.sleep({seconds})
    print("finished", flush=True)

async def run():
    in_thread(call)

asyncio.run(run())
"""


def ended(seconds: float) -> subprocess.CompletedProcess[str]:
    code = CODE.format(seconds=seconds)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_the_end_of_a_process_waits_for_calls_that_are_nearly_done() -> None:
    done = ended(0.3)
    assert (done.returncode, done.stdout, done.stderr) == (0, "finished\n", "")


def test_the_end_of_a_process_does_not_wait_for_slow_calls() -> None:
    begin = time.monotonic()
    done = ended(600)
    assert (done.returncode, done.stdout) == (0, "")
    assert time.monotonic() - begin < 300
