"""Requests of a service beside those of docling-serve: chunks of DoclingDocuments over HTTP.

Both get the same files of DoclingDocument JSON by the same route, from so many clients at once, and
have to give the same chunks. Ours is started here, with the tokenizer of ``CHUNKWRIGHT_SHARED``,
unless its address is given. Start docling-serve first, if it is to be measured::

    DOCLING_SERVE_SYNC_POLL_INTERVAL=0 docling-serve run --port 5001
    python benches/service_docling.py

By itself, docling-serve looks every 2 seconds whether a request's work is done: that wait would be
most of what is measured. The program prints a Markdown table: requests and megabytes a second, and
percentiles of the time of one request in milliseconds. An address that does not answer is left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import numpy as np
from lib.corpus import shared_folder
from lib.table import NOTHING, Table, say, three_digits, times, versions
from service import serving

OURS, THEIRS = "chunkwright", "docling-serve"
ADDRESS_OF_THEIRS = "http://127.0.0.1:5001"
MODEL = "all-MiniLM-L6-v2"
PATIENCE = 600.0


class Run(NamedTuple):
    """What a service has done.

    Attributes
    ----------
    seconds
        From the first request to the last answer.
    times
        Of each request, in seconds.
    n_bytes
        Bytes of the files that were sent.
    """

    seconds: float
    times: list[float]
    n_bytes: int


def main() -> None:
    """Print a table of both services."""
    options = _parser().parse_args()
    folder = options.folder or shared_folder() / "data" / "docling-documents"
    files = sorted(folder.glob("*.json"))[: options.files]
    given = [(path.name, path.read_bytes()) for path in files]
    fields = {"chunking_tokenizer": options.tokenizer, "chunking_max_tokens": str(options.tokens)}
    requests = list(islice(cycle(given), options.requests))
    say(
        f"{versions()}. {len(given)} documents of Docling in {len(requests):,} requests, "
        f"{options.clients} at once, {options.tokens} tokens of {options.tokenizer}."
    )
    answers, runs = {}, {}
    with _ours(options) as address:
        for name, at in ((OURS, address), (THEIRS, options.theirs)):
            service = _Service(at, fields)
            if not service.answers():
                say(f"{name} is left out: {at} does not answer.")
                continue
            answers[name] = [service.chunks(*each) for each in given]
            runs[name] = service.run(requests, options.clients)
    _print(runs)
    if len(answers) > 1:
        n_same = sum(a == b for a, b in zip(*answers.values(), strict=True))
        say(f"{n_same} of {len(given)} documents have the same chunks.")


@contextmanager
def _ours(options: argparse.Namespace) -> Iterator[str]:
    """Give the address of our service, which is started unless it is there."""
    if options.ours:
        yield options.ours
        return
    model = shared_folder() / "models" / MODEL
    with serving("--tokenizer", f"{options.tokenizer}={model}") as (port, _, _):
        yield f"http://127.0.0.1:{port}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder of DoclingDocument JSON")
    parser.add_argument("--ours", help="address of a service that has been started")
    parser.add_argument("--theirs", default=ADDRESS_OF_THEIRS)
    parser.add_argument("--tokenizer", default=f"sentence-transformers/{MODEL}")
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--clients", type=int, default=4)
    return parser


class _Service:
    """A service at an address, which is asked for chunks."""

    def __init__(self, address: str, fields: dict[str, str]) -> None:
        self._address = address
        self._fields = fields
        self._client = httpx2.Client(base_url=address, timeout=PATIENCE)

    def answers(self) -> bool:
        """Return whether the service is there."""
        try:
            return self._client.get("/health").status_code == httpx2.codes.OK
        except httpx2.TransportError:
            return False

    def chunks(self, name: str, data: bytes) -> list[dict[str, Any]]:
        """Return the chunks of a file, without what only one of the services says."""
        rows: list[dict[str, Any]] = self._ask(name, data).json()["chunks"]
        for row in rows:
            row["metadata"].pop("boxes", None)
        return rows

    def run(self, files: list[tuple[str, bytes]], n_clients: int) -> Run:
        """Send files from so many clients at once."""

        def timed(file: tuple[str, bytes]) -> float:
            began = time.perf_counter()
            self._ask(*file)
            return time.perf_counter() - began

        began = time.perf_counter()
        with ThreadPoolExecutor(n_clients) as pool:
            times = list(pool.map(timed, files))
        seconds = time.perf_counter() - began
        return Run(seconds, times, sum(len(data) for _, data in files))

    def _ask(self, name: str, data: bytes) -> httpx2.Response:
        files = {"files": (name, data, "application/json")}
        path = "/v1/chunk/hybrid/file"
        return self._client.post(path, files=files, data=self._fields).raise_for_status()


def _print(runs: dict[str, Run]) -> None:
    table = Table("service", "requests/s", "MB/s", "ours is", "median (ms)", "99 % within (ms)")
    for name, run in runs.items():
        figures = len(run.times) / run.seconds, run.n_bytes / run.seconds / 1e6
        late = np.percentile(np.array(run.times) * 1000, [50, 99])
        is_compared = name != OURS and OURS in runs
        ratio = times(run.seconds / runs[OURS].seconds) if is_compared else NOTHING
        table.row(name, *map(three_digits, figures), ratio, *map(three_digits, late))


if __name__ == "__main__":
    main()
