"""Requests of a service beside those of docling-serve: chunks of DoclingDocuments over HTTP.

Both get the same files of DoclingDocument JSON by the same route, from so many clients at once, and
have to give the same chunks. Start both first, each with the same tokenizer under the same name::

    chunkwright serve --port 8000 --tokenizer NAME=FOLDER
    DOCLING_SERVE_SYNC_POLL_INTERVAL=0 docling-serve run --port 5001
    python benches/service_docling.py FOLDER_OF_JSON --tokenizer NAME

By itself, docling-serve looks every 2 seconds whether a request's work is done: that wait would be
most of what is measured. The program prints a Markdown table: requests and megabytes a second, and
percentiles of the time of one request in milliseconds. An address that does not answer is left out.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import numpy as np

SERVICES = {"chunkwright": "http://127.0.0.1:8000", "docling-serve": "http://127.0.0.1:5001"}
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
    files = sorted(options.folder.glob("*.json"))[: options.files]
    given = [(path.name, path.read_bytes()) for path in files]
    fields = {"chunking_tokenizer": options.tokenizer, "chunking_max_tokens": str(options.tokens)}
    answers = {}
    print(f"| {len(given)} documents, {options.clients} at once | requests/s | MB/s | p50 | p99 |")
    print("|---|---|---|---|---|")
    for name, address in (("chunkwright", options.ours), ("docling-serve", options.theirs)):
        service = _Service(address, fields)
        if not service.answers():
            continue
        answers[name] = [service.chunks(*each) for each in given]
        _print(name, service.run(list(islice(cycle(given), options.requests)), options.clients))
    if len(answers) == len(SERVICES):
        n_same = sum(a == b for a, b in zip(*answers.values(), strict=True))
        print(f"\n{n_same} of {len(given)} documents have the same chunks")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of DoclingDocument JSON")
    parser.add_argument("--ours", default=SERVICES["chunkwright"])
    parser.add_argument("--theirs", default=SERVICES["docling-serve"])
    parser.add_argument("--tokenizer", default="sentence-transformers/all-MiniLM-L6-v2")
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


def _print(name: str, run: Run) -> None:
    median, late = np.percentile(np.array(run.times) * 1000, [50, 99])
    rate, size = len(run.times) / run.seconds, run.n_bytes / run.seconds / 1e6
    print(f"| {name} | {rate:.1f} | {size:.1f} | {median:.1f} | {late:.1f} |")


if __name__ == "__main__":
    main()
