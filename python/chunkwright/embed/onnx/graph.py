"""A model's graph, run by ONNX Runtime, and the batches of texts that it gets."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.errors import MissingExtraError, ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Batch:
    """Texts that go through the graph at once.

    Parameters
    ----------
    rows
        Which ones.
    length
        How many tokens the longest of them has.
    """

    rows: list[int]
    length: int


def batches(lengths: Sequence[int], max_tokens: int, max_rows: int | None = None) -> list[Batch]:
    """Return all texts in batches, the longest first.

    The long ones go first so that no thread is left with one when the others are done.

    Parameters
    ----------
    lengths
        The number of tokens of each text.
    max_tokens
        How many tokens a batch has at most, padding included, unless a text alone has more.
    max_rows
        How many texts a batch has at most.
    """
    made: list[Batch] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        last = made[-1] if made else None
        n_rows = len(last.rows) + 1 if last else 0
        is_full = max_rows is not None and n_rows > max_rows
        if last and not is_full and n_rows * last.length <= max_tokens:
            last.rows.append(row)
        else:
            made.append(Batch([row], lengths[row]))
    return made


def padded(
    ids: Sequence[Sequence[int]], batch: Batch, pad_id: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the tokens of a batch as a matrix, and where they are no padding."""
    import numpy as np

    matrix = np.full((len(batch.rows), batch.length), pad_id, dtype=np.int64)
    mask = np.zeros_like(matrix)
    for i, row in enumerate(batch.rows):
        n_tokens = len(ids[row])
        matrix[i, :n_tokens] = ids[row]
        mask[i, :n_tokens] = 1
    return matrix, mask


_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
_OF_TOKENS = ("last_hidden_state", "token_embeddings")
_OF_TEXTS = ("sentence_embedding",)
_RANK_OF_TOKENS = 3
_TYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
# Operators that scale activations by their largest value in the whole batch.
_SCALES_BY_BATCH = b"DynamicQuantize"


class Graph:
    """A graph that gives a vector for each token, or for each text.

    Runs with one thread; several threads may run it at once.

    Parameters
    ----------
    file
        The graph.
    providers
        What ONNX Runtime is to run it on; None: the CPU.

    Raises
    ------
    ModelError
        If it cannot be read, or has inputs or outputs that are unknown; names the file.
    MissingExtraError
        If ONNX Runtime is not installed.
    """

    def __init__(self, file: Path, providers: Sequence[Any] | None = None) -> None:
        self._file = file
        self._session = _session(file, providers)
        self._types = {i.name: _TYPES.get(i.type) for i in self._session.get_inputs()}
        if unknown := [name for name in self._types if name not in _INPUTS]:
            raise ModelError(
                f"the graph {str(file)!r} has an input that is unknown: {unknown[0]!r}"
            )
        if odd := [i for i in self._session.get_inputs() if i.type not in _TYPES]:
            raise ModelError(
                f"the input {odd[0].name!r} of the graph {str(file)!r} must be of ints,"
                f" got {odd[0].type}"
            )
        self.is_of_tokens: bool
        self._output, self.is_of_tokens = _output(self._session, file)

    def run(
        self,
        ids: NDArray[np.int64],
        mask: NDArray[np.int64],
        types: NDArray[np.int64] | None = None,
    ) -> NDArray[np.float32]:
        """Return the vectors of padded texts: ``(texts, tokens, d)``, or ``(texts, d)``.

        Parameters
        ----------
        ids
            Tokens, of shape ``(texts, tokens)``.
        mask
            1 where they are no padding.
        types
            The number of the text that each token is of, where two are read together.

        Raises
        ------
        ModelError
            If ONNX Runtime fails; names the file.
        """
        import numpy as np

        given: dict[str, NDArray[np.int64]] = {"input_ids": ids, "attention_mask": mask}
        if "token_type_ids" in self._types:
            given["token_type_ids"] = np.zeros_like(ids) if types is None else types
        if "position_ids" in self._types:
            given["position_ids"] = np.maximum(mask.cumsum(axis=1) - 1, 0)
        feed = {name: given[name].astype(kind, copy=False) for name, kind in self._types.items()}
        try:
            (vectors,) = self._session.run([self._output], feed)
        except Exception as error:
            shape = "x".join(map(str, ids.shape))
            message = f"the graph {str(self._file)!r} failed on a batch of {shape}: {error}"
            raise ModelError(message) from error
        floats: NDArray[np.float32] = np.asarray(vectors, dtype=np.float32)
        return floats


def depends_on_batch(file: Path) -> bool:
    """Return whether a text's vector depends on the others that are run with it.

    Raises
    ------
    ModelError
        If the file cannot be read; names it.
    """
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as m:
            return m.find(_SCALES_BY_BATCH) >= 0
    except (OSError, ValueError) as error:
        raise ModelError(f"{str(file)!r} cannot be read: {error}") from error


def _session(file: Path, providers: Sequence[Any] | None) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtraError("running a model's graph", "onnx") from error
    options = onnxruntime.SessionOptions()
    # Texts are spread over threads, not the numbers of one text; a thread that waits sleeps.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    chosen = list(providers or ["CPUExecutionProvider"])
    _check_providers(chosen, onnxruntime.get_available_providers(), file)
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=chosen)
    except Exception as error:
        raise ModelError(f"the graph {str(file)!r} cannot be used: {error}") from error


def _check_providers(chosen: list[Any], available: list[str], file: Path) -> None:
    # ONNX Runtime would only print that it lacks them, and take the CPU.
    names = [entry if isinstance(entry, str) else next(iter(entry), None) for entry in chosen]
    if not set(names) & set(available):
        raise ModelError(
            f"the graph {str(file)!r} cannot be used: ONNX Runtime has none of the providers"
            f" {names}, but {available}"
        )


def _output(session: Any, file: Path) -> tuple[str, bool]:
    """Return the name of the output, and whether it is of tokens."""
    outputs = session.get_outputs()
    names = [output.name for output in outputs]
    if found := next((name for name in (*_OF_TOKENS, *_OF_TEXTS) if name in names), None):
        return found, found in _OF_TOKENS
    if len(outputs) == 1:
        return names[0], len(outputs[0].shape or ()) == _RANK_OF_TOKENS
    wanted = ", ".join([*_OF_TOKENS, *_OF_TEXTS])
    raise ModelError(f"the graph {str(file)!r} has no output {wanted}, but {', '.join(names)}")
