"""Store of finished evaluations: a file for each, none of which has to be trusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from chunkwright.atomic import replacing
from chunkwright.errors import ConfigError
from chunkwright.evaluation import archive
from chunkwright.evaluation.sound import DamagedError, check

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.evaluation.dataset import Dataset
    from chunkwright.evaluation.result import Evaluation

    Arrays = dict[str, NDArray[Any]]

FORMAT = 2
# The arrays of every file, and those of hits that were trimmed.
_PLAIN = frozenset(
    (
        *("header", "texts", "scores", "holding", "corpora", "starts", "ends", "n_tokens"),
        *("cut_from", "hit_offsets", "hit_indices", "hit_scores"),
    )
)
_TRIMMED = frozenset(("hit_starts", "hit_ends", "hit_tokens"))
# Of what a file says of itself, so much is shown.
_SHOWN = 20
_SHOWN_OF_ERROR = 200


@dataclass(frozen=True)
class Saved:
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
            What it was put under.
        name
            What the run is called now.
        dataset
            What it was asked; the key says that it is the same.
        tell
            Is given a line that says why a run that is there is not taken.
        """
        file = self._file(key)
        try:
            with file.open("rb") as opened:
                header, arrays = _read(opened)
            if (header["format"], header["version"]) != (FORMAT, _version()):
                shown = str(header["version"])[:_SHOWN]
                tell(f"{name}: was done by chunkwright {shown!r}, is done again")
                return None
            return _evaluation(header, arrays, name, dataset)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except Exception as error:  # noqa: BLE001 - what odd bytes raise in zipfile, zlib, numpy
            # and json is no closed list: RuntimeError, NotImplementedError, MemoryError, ...
            why = str(error)[:_SHOWN_OF_ERROR] or type(error).__name__
            shown = why if why.isprintable() else ascii(why)
            tell(f"{name}: cannot read {file.name} ({shown}), is done again")
            return None

    def put(self, key: str, run: Evaluation) -> None:
        """Keep a run.

        Raises
        ------
        ConfigError
            If the folder cannot be written; names it.
        """
        import numpy as np

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"cannot write {self.folder}: {error.strerror or error}") from error
        with replacing(self._file(key)) as file:
            np.savez_compressed(file, allow_pickle=False, **_arrays(run))

    def _file(self, key: str) -> Path:
        return self.folder / f"{key[:32]}.npz"


def _version() -> str:
    from chunkwright import __version__

    return __version__


def _arrays(run: Evaluation) -> Arrays:
    import numpy as np

    header = {
        "format": FORMAT,
        "version": _version(),
        "chunker": run.chunker,
        "retriever": run.retriever,
        "placement": run.placement,
        "cutoffs": list(run.cutoffs),
        "metrics": list(run.scores),
        "seconds": {name: float(seconds) for name, seconds in run.seconds.items()},
    }
    chunks, hits = run.chunks, run.hits
    return {
        "header": _as_bytes(header),
        "texts": _as_bytes(list(chunks.texts)),
        "scores": np.stack([run.scores[name] for name in run.scores]),
        "holding": run.holding,
        "corpora": chunks.corpora,
        "starts": chunks.starts,
        "ends": chunks.ends,
        "n_tokens": chunks.n_tokens,
        "cut_from": chunks.cut_from,
        "hit_offsets": hits.offsets,
        "hit_indices": hits.indices,
        "hit_scores": hits.scores,
        **_trimmed(run),
    }


def _trimmed(run: Evaluation) -> Arrays:
    """Return what there is of hits that were trimmed."""
    hits, n_tokens = run.hits, run.hit_tokens
    if hits.starts is None or hits.ends is None or n_tokens is None:
        return {}
    return {"hit_starts": hits.starts, "hit_ends": hits.ends, "hit_tokens": n_tokens}


def _as_bytes(value: Any) -> NDArray[np.uint8]:
    import numpy as np

    # Escaped, so that lone surrogates come back.
    return np.frombuffer(json.dumps(value).encode("ascii"), np.uint8)


def _read(file: BinaryIO) -> tuple[dict[str, Any], Arrays]:
    arrays = archive.read(file)
    if arrays.keys() not in (_PLAIN, _PLAIN | _TRIMMED):
        raise DamagedError("it holds other arrays")
    header = _parsed(arrays["header"])
    if not isinstance(header, dict):
        raise DamagedError("it has no header")
    return header, arrays


def _parsed(column: NDArray[Any]) -> Any:
    if column.dtype != "uint8" or column.ndim != 1:
        raise DamagedError("it holds no JSON")
    return json.loads(column.tobytes())


def _evaluation(header: dict[str, Any], arrays: Arrays, name: str, dataset: Dataset) -> Evaluation:
    from chunkwright.evaluation.placing import PlacedChunks
    from chunkwright.evaluation.result import Evaluation
    from chunkwright.retrieval import Hits

    columns = ("corpora", "starts", "ends", "n_tokens", "cut_from")
    texts = tuple(_parsed(arrays["texts"]))
    chunks = PlacedChunks(texts, **{column: arrays[column] for column in columns})
    scores = dict(zip(header["metrics"], arrays["scores"], strict=True))
    hits = Hits(arrays["hit_offsets"], arrays["hit_indices"], arrays["hit_scores"])
    n_tokens = None
    if "hit_tokens" in arrays:
        n_tokens = arrays["hit_tokens"]
        hits = replace(hits, starts=arrays["hit_starts"], ends=arrays["hit_ends"])
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
        hit_tokens=n_tokens,
    )
    check(run)
    return run
