"""Cache of finished evaluations on disk, which are checked when they are read."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.evaluation.run.invariants import check
from chunkwright.evaluation.scores.cutoffs import is_filled
from chunkwright.files.disk_cache import DamagedError, DiskCache

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.data.dataset import Dataset
    from chunkwright.evaluation.scores.result import Evaluation

    Arrays = dict[str, NDArray[Any]]

# The columns of chunks, the arrays of every run, and those of hits that were trimmed or reranked.
_COLUMNS = ("corpora", "starts", "ends", "n_tokens", "cut_from")
_PLAIN = {"scores", "holding", "hit_offsets", "hit_indices", "hit_scores", *_COLUMNS}
_TRIMMED = {"hit_starts", "hit_ends", "hit_tokens"}
_RERANKED = {"hit_scores_before", "hit_ranks_before"}
_FILLED = "parts"
_KINDS = ("<f8", "<i8")
# A larger file is no evaluation, and would fill the memory.
MAX_BYTES = 1 << 30
# Characters of a run's description that a message shows.
_SHOWN = 20
_SHOWN_OF_ERROR = 200


@dataclass(frozen=True)
class RunCache:
    """A folder of runs that are done.

    Parameters
    ----------
    folder
        The folder; it is made when something is put into it.
    """

    folder: Path

    def get(
        self, key: str, name: str, dataset: Dataset, tell: Callable[[str], None]
    ) -> Evaluation | None:
        """Return the run that is kept under a key, if it is there and whole and of this version.

        Parameters
        ----------
        key
            What it was put under, in hexadecimal.
        name
            What the run is called now.
        dataset
            What it was asked; the key says that it is the same.
        tell
            Is given a line that says why a run that is there is not taken.
        """
        disk = self._disk(dataset, name, tell)
        value = disk.get([bytes.fromhex(key)]).get(bytes.fromhex(key))
        if value is None:
            return None
        try:
            header, arrays = _unpacked(value)
            if header["version"] != _version():
                shown = str(header["version"])[:_SHOWN]
                tell(f"{name}: was done by chunkwright {shown!r}, is done again")
                return None
            return _evaluation(header, arrays, name, dataset)
        except Exception as error:  # noqa: BLE001 - what odd bytes raise in zlib, numpy and json is
            # no closed list: MemoryError, RecursionError, ...
            why = str(error)[:_SHOWN_OF_ERROR] or type(error).__name__
            shown = why if why.isprintable() else ascii(why)
            tell(f"{name}: cannot read what is kept ({shown}), is done again")
            return None

    def put(self, key: str, run: Evaluation, tell: Callable[[str], None]) -> None:
        """Keep a run; `tell` is given a line that says why that cannot be."""
        disk = self._disk(run.dataset, run.name, tell)
        disk.put({bytes.fromhex(key): _packed(run)})

    def _disk(self, dataset: Dataset, name: str, tell: Callable[[str], None]) -> DiskCache:
        return DiskCache(
            self.folder, "runs", dataset.fingerprint, lambda why: tell(f"{name}: {why}")
        )


def _version() -> str:
    from chunkwright import __version__

    return __version__


def _packed(run: Evaluation) -> bytes:
    """Return a run as a line of JSON and the numbers of its arrays, compressed."""
    arrays = _arrays(run)
    header = {
        "version": _version(),
        "chunker": run.chunker,
        "retriever": run.retriever,
        "placement": run.placement,
        "cutoffs": list(run.cutoffs),
        "metrics": list(run.scores),
        "seconds": {name: float(seconds) for name, seconds in run.seconds.items()},
        "texts": list(run.chunks.texts),
        "indexed": run.chunks.indexed,
        "arrays": {name: [array.dtype.str, array.shape] for name, array in arrays.items()},
    }
    # Escaped, so that lone surrogates come back.
    head = json.dumps(header).encode("ascii")
    return zlib.compress(b"\n".join([head, b"".join(array.tobytes() for array in arrays.values())]))


def _arrays(run: Evaluation) -> Arrays:
    import numpy as np

    hits = run.hits
    arrays = {
        "scores": np.stack([run.scores[name] for name in run.scores]),
        "holding": run.holding,
        "hit_offsets": hits.offsets,
        "hit_indices": hits.indices,
        "hit_scores": hits.scores,
        **{column: getattr(run.chunks, column) for column in _COLUMNS},
    }
    some = {
        "hit_starts": hits.starts,
        "hit_ends": hits.ends,
        "hit_tokens": run.hit_tokens,
        "hit_scores_before": hits.scores_before,
        "hit_ranks_before": hits.ranks_before,
    }
    if run.parts:
        # Arrays for each filled budget, in the order of the cutoffs.
        some[_FILLED] = np.stack([np.stack(run.parts[c]) for c in run.cutoffs if is_filled(c)])
    return arrays | {name: array for name, array in some.items() if array is not None}


def _unpacked(value: bytes) -> tuple[dict[str, Any], Arrays]:
    """Return the header of a run and its arrays.

    Raises
    ------
    DamagedError
        If it says of itself what it does not hold, or too much.
    Exception
        Whatever else zlib, json and numpy raise of bytes that nobody wrote.
    """
    import numpy as np

    stream = zlib.decompressobj()
    head, _, body = stream.decompress(value, MAX_BYTES).partition(b"\n")
    if not stream.eof:
        raise DamagedError(f"it is cut off, or larger than {MAX_BYTES:,} bytes")
    header, arrays, at = json.loads(head), {}, 0
    for name, (kind, shape) in header["arrays"].items():
        n_bytes = math.prod(shape) * np.dtype(kind).itemsize
        if kind not in _KINDS or not 0 <= n_bytes <= len(body) - at:
            raise DamagedError("an array is not of the size that it says")
        part = body[at : at + n_bytes]
        arrays[name] = np.frombuffer(part, kind).reshape(shape).copy()
        at += n_bytes
    others = arrays.keys() - _PLAIN - {_FILLED}
    is_known = others in (set(), _TRIMMED, _RERANKED, _TRIMMED | _RERANKED)
    if at != len(body) or not arrays.keys() >= _PLAIN or not is_known:
        raise DamagedError("it holds other arrays")
    return header, arrays


def _evaluation(header: dict[str, Any], arrays: Arrays, name: str, dataset: Dataset) -> Evaluation:
    from chunkwright.evaluation.chunkers.placing import PlacedChunks
    from chunkwright.evaluation.scores.passages import Parts
    from chunkwright.evaluation.scores.result import Evaluation
    from chunkwright.retrieval import Hits

    texts, indexed = tuple(header["texts"]), header["indexed"]
    if not isinstance(indexed, list | None):
        raise DamagedError("its indexed texts are no list")
    columns = {column: arrays[column] for column in _COLUMNS}
    chunks = PlacedChunks(texts, **columns, indexed=None if indexed is None else tuple(indexed))
    scores = dict(zip(header["metrics"], arrays["scores"], strict=True))
    hits = Hits(
        arrays["hit_offsets"],
        arrays["hit_indices"],
        arrays["hit_scores"],
        arrays.get("hit_starts"),
        arrays.get("hit_ends"),
        arrays.get("hit_scores_before"),
        arrays.get("hit_ranks_before"),
    )
    filled = [cutoff for cutoff in header["cutoffs"] if is_filled(cutoff)]
    run = Evaluation(
        name=name,
        chunker=header["chunker"],
        retriever=header["retriever"],
        placement=header["placement"],
        dataset=dataset,
        cutoffs=tuple(header["cutoffs"]),
        scores=scores,
        chunks=chunks,
        hits=hits,
        holding=arrays["holding"],
        seconds=header["seconds"],
        hit_tokens=arrays.get("hit_tokens"),
        parts={c: Parts(*own) for c, own in zip(filled, arrays.get(_FILLED, []), strict=True)},
    )
    check(run)
    return run
