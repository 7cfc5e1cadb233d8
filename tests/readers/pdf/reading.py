"""Process that reads hostile documents: prints for each its name, its end, time and memory."""

from __future__ import annotations

import json
import resource
import sys
import time
import warnings
from pathlib import Path

import chunkwright as cw
from tests.readers.pdf.damaged import cases
from tests.support.memory import MEGABYTE, forget, peak


def report(*values: object) -> None:
    """Write a line, at once."""
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def main(first: int, last: int, n_mutated: int, most: int) -> None:
    """Read the documents of some numbers, with at most so many megabytes more than now."""
    meaningless = next(make for name, make in cases(1) if name == "letters without a meaning")
    cw.read_pdf(meaningless(), ocr="off")
    for name, make in list(cases(n_mutated))[first:last]:
        data = make()
        report(name, "begins", 0, 0)
        forget()
        before, start = peak(), time.process_time()
        held = Path("/proc/self/statm")
        if held.exists():
            now = int(held.read_text().split()[0]) * resource.getpagesize()
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            # Twice as much may be reserved as is used.
            resource.setrlimit(resource.RLIMIT_AS, (now + 4 * most * MEGABYTE, hard))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ending = f"document of {len(cw.read_pdf(data, ocr='off').text)}"
        except cw.ChunkwrightError as error:
            ending = type(error).__name__
        except BaseException as error:  # noqa: BLE001 - shown by the test
            ending = f"untyped {error!r}"
        spent = time.process_time() - start
        report(name, ending, round(spent, 2), peak() - before)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:5]))
