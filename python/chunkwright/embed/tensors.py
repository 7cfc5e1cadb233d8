"""Tensors in files of the safetensors format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.errors import MissingExtraError, ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def read_tensors(file: Path) -> dict[str, NDArray[Any]]:
    """Return the tensors of a file, by name.

    Raises
    ------
    ModelError
        If it cannot be read, or has numbers of a kind that NumPy has not; names the file.
    MissingExtraError
        If the library safetensors is not installed.
    """
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file
    except ImportError as error:
        raise MissingExtraError("reading a model's weights", "static") from error
    if not file.is_file():
        raise ModelError(f"{str(file)!r} is missing")
    try:
        return load_file(file)
    except (SafetensorError, OSError, TypeError, ValueError, KeyError) as error:
        raise ModelError(f"{str(file)!r} cannot be read: {error!r}") from error
