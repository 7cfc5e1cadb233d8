"""Outcomes of the documents of a job, and its progress, told to those whom its request names."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from chunkwright.errors import ReadError
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from .jobs import ConversionJob

_LOG = logging.getLogger("chunkwright.server")
_TRIES = 3
# Seconds that all that is left to tell may take once the job has ended.
_GRACE = 60.0

Post: TypeAlias = Callable[[str, bytes, Mapping[str, str]], None]
"""Posts a body of JSON: to an address, with headers."""


class Outcome(NamedTuple):
    """What became of one source.

    Attributes
    ----------
    name
        The name of the file.
    status
        ``"success"``, ``"partial_success"`` if pages were not read, ``"failure"`` or ``"skipped"``.
    errors
        Why it is no success, as Docling says errors.
    notes
        What was asked for and not done; changes nothing in the status.
    document
        The DoclingDocument's JSON, if it was read.
    chunks
        Its chunks; none if it is not cut.
    content
        The formats that are asked for, as docling-serve names them.
    """

    name: str
    status: str
    errors: list[dict[str, Any]]
    notes: tuple[str, ...]
    document: bytes | None
    chunks: list[dict[str, Any]]
    content: dict[str, Any]


class Progress:
    """What a job tells of itself, in order; nothing waits for those who are told.

    Parameters
    ----------
    job
        The job, with those who are told.
    post
        Posts what they are told.
    pause
        Seconds between a first try and the second one.
    """

    def __init__(self, job: ConversionJob, post: Post, pause: float = 1.0) -> None:
        self._job, self._post, self._pause = job, post, pause
        self._told: SimpleQueue[bytes | None] = SimpleQueue()
        self._rows: list[dict[str, Any]] = []
        self._n_documents = 0
        self._ends = float("inf")

    def begun(self, n_documents: int) -> None:
        """Tell how many documents there are."""
        if self._job.callbacks:
            Thread(target=self._tell_all, name="chunkwright-callbacks", daemon=True).start()
        self._n_documents = n_documents
        self._tell("set_num_docs", num_docs=n_documents)

    def done(self, outcome: Outcome, seconds: float) -> None:
        """Tell what became of a document."""
        said = "; ".join(each["error_message"] for each in outcome.errors) or None
        row = {"source": outcome.name, "status": outcome.status, "error": said}
        self._rows.append(row)
        if self._job.callbacks:
            self._tell(
                "document_completed",
                document={**row, "processing_time": seconds, **_facts(outcome.document)},
                total_processed=len(self._rows),
                total_docs=self._n_documents,
            )

    def all_done(self) -> None:
        """Tell that all documents are done."""
        counts = counts_of([row["status"] for row in self._rows])
        n_processed = len(self._rows)
        self._tell("update_processed", num_processed=n_processed, **counts, docs=self._rows)

    def ended(self) -> None:
        """Tell nothing more: the job has ended, whichever way."""
        self._ends = monotonic() + _GRACE
        self._told.put(None)

    def _tell(self, kind: str, **facts: Any) -> None:
        if self._job.callbacks:
            said = {"task_id": self._job.id, "progress": {"kind": kind, **facts}}
            self._told.put(json.dumps(said).encode())

    def _tell_all(self) -> None:
        while (body := self._told.get()) is not None:
            for callback in self._job.callbacks:
                self._try(callback.url, body, callback.headers)

    def _try(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        for attempt in range(1, _TRIES + 1):
            if monotonic() > self._ends:
                return
            try:
                self._post(url, body, headers)
            except (ReadError, Problem) as error:
                # The address may hold a secret: the message names the host alone.
                _LOG.warning("a callback, try %d of %d: %s", attempt, _TRIES, error)
                sleep(self._pause * attempt)
            else:
                return


def counts_of(statuses: Sequence[str]) -> dict[str, int]:
    """Return how many documents were read, read in part, and not read."""
    n_read, n_partly = map(statuses.count, ("success", "partial_success"))
    return {
        "num_succeeded": n_read,
        "num_partially_succeeded": n_partly,
        "num_failed": len(statuses) - n_read - n_partly,
    }


def _facts(document: bytes | None) -> dict[str, int]:
    """Return how much there is in a document."""
    if document is None:
        return {}
    found = json.loads(document)
    names = {"num_pages": "pages", "num_tables": "tables", "num_pictures": "pictures"}
    return {name: len(found.get(field) or ()) for name, field in names.items()}
