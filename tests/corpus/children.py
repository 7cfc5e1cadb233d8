"""Runs in processes of their own, which end at a moment that a test names."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import chunkwright as cw
from chunkwright.corpus import Corpus
from chunkwright.corpus.inputs import places
from chunkwright.corpus.output.parquet import ParquetShard

_STARTS = multiprocessing.get_context("forkserver")
_STARTS.set_forkserver_preload(["pyarrow.parquet", "chunkwright.corpus.corpus", __name__])
FAILED = 3


def corpus_of(inputs: Path, options: Mapping[str, Any]) -> Corpus:
    """Return what children and tests cut alike."""
    given: dict[str, Any] = {"shard_bytes": 2000, "workers": 1, **options}
    given.pop("force", None)
    return Corpus(inputs, cw.Window(max_chars=60), **given)


def started(function: Callable[..., None], *options: Any) -> Any:
    """Begin a process."""
    child = _STARTS.Process(target=function, args=options)
    child.start()
    return child


def ended(function: Callable[..., None], *options: Any) -> int:
    """Wait until a process has ended, and return how."""
    child = started(function, *options)
    child.join()
    code: int = child.exitcode
    child.close()
    return code


def write(inputs: Path, out: Path, options: Mapping[str, Any]) -> None:
    """Write a corpus."""
    corpus_of(inputs, options).write(out, force=options.get("force", False))


def count_moments(inputs: Path, out: Path, options: Mapping[str, Any], found: Any) -> None:
    """Write a corpus, and tell how many moments there were."""
    n_moments = 0

    def count() -> None:
        nonlocal n_moments
        n_moments += 1

    _at_each_moment(count)
    write(inputs, out, options)
    found.put(n_moments)


def moments_of(inputs: Path, out: Path, options: Mapping[str, Any]) -> int:
    """Return at how many moments a run can be ended by :func:`die_at`."""
    found = _STARTS.SimpleQueue()
    assert ended(count_moments, inputs, out, options, found) == 0
    n_moments: int = found.get()
    return n_moments


def die_at(inputs: Path, out: Path, options: Mapping[str, Any], moment: int) -> None:
    """Write a corpus, and end at a moment."""
    die_at_moment(moment)
    write(inputs, out, options)


def die_at_moment(moment: int) -> None:
    """Have this process end at a moment, as if the machine had lost its power."""
    left = moment

    def die() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    _at_each_moment(die)


def write_little(inputs: Path, out: Path, options: Mapping[str, Any], most: int) -> None:
    """Write a corpus where no file can have more bytes, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    try:
        write(inputs, out, options)
    except cw.ChunkwrightError as error:
        # Standard error of a child is not looked at.
        Path(out, "said").write_text(f"{type(error).__name__}: {error}"[:most])
        raise SystemExit(FAILED) from None


def _at_each_moment(act: Callable[[], None]) -> None:
    """Call a function before and behind all that changes files."""
    for owner, name in [
        (places.LocalPlace, "pending"),
        (places.LocalPlace, "remove"),
        (places.LocalPlace, "move"),
        (places._LocalPending, "commit"),
        (ParquetShard, "consume"),
        (ParquetShard, "end"),
    ]:
        inner = getattr(owner, name)

        def step(self: Any, *options: Any, _inner: Any = inner) -> Any:
            act()
            found = _inner(self, *options)
            act()
            return found

        setattr(owner, name, step)
