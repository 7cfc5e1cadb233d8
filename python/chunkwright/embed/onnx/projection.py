"""A linear layer behind the pooling, as some models have one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.embed.files import read_object, read_tensors
from chunkwright.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_IDENTITY = "torch.nn.modules.linear.Identity"
_TANH = "torch.nn.modules.activation.Tanh"


@dataclass(frozen=True, eq=False)
class Projection:
    """A product with a matrix, a sum with a vector, and perhaps tanh.

    Parameters
    ----------
    file
        Where they are from.
    weight
        Shape ``(out, in)``.
    bias
        Shape ``(out,)``, if there is one.
    is_tanh
        Whether each number then goes through tanh.
    """

    file: Path
    weight: NDArray[np.float32]
    bias: NDArray[np.float32] | None
    is_tanh: bool

    def __call__(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the vectors as the layer gives them."""
        import numpy as np

        n_dims = self.weight.shape[1]
        if vectors.shape[1] != n_dims:
            given = vectors.shape[1]
            raise ModelError(f"{str(self.file)!r} takes vectors of {n_dims} numbers, got {given}")
        projected = vectors @ self.weight.T
        if self.bias is not None:
            projected = projected + self.bias
        return np.tanh(projected) if self.is_tanh else projected


def read_projection(folder: Path) -> Projection:
    """Return the layer that a folder of sentence-transformers' ``Dense`` holds.

    Raises
    ------
    ModelError
        If a file cannot be read or says something that is not supported; names it.
    """
    file = folder / "config.json"
    config = read_object(file)
    activation = config.get("activation_function", _TANH)
    if activation not in (_IDENTITY, _TANH):
        raise ModelError(f"'activation_function' of {str(file)!r} is not supported: {activation!r}")
    for key in ("use_residual", "module_input_name", "module_output_name"):
        if config.get(key) not in (None, False, "sentence_embedding"):
            raise ModelError(f"{key!r} of {str(file)!r} is not supported: {config[key]!r}")
    return _layer(folder / "model.safetensors", activation == _TANH)


def _layer(weights: Path, is_tanh: bool) -> Projection:
    import numpy as np

    tensors = read_tensors(weights)
    if "linear.weight" not in tensors:
        raise ModelError(f"{str(weights)!r} has no tensor 'linear.weight', but {sorted(tensors)}")
    if tensors["linear.weight"].ndim != 2:  # noqa: PLR2004 - rows and columns
        raise ModelError(f"'linear.weight' of {str(weights)!r} is no matrix")
    as_floats: Any = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    layer, bias = as_floats["linear.weight"], as_floats.get("linear.bias")
    if bias is not None and bias.shape != layer.shape[:1]:
        raise ModelError(f"'linear.bias' of {str(weights)!r} is no vector of {len(layer)} numbers")
    return Projection(weights, layer, bias, is_tanh)
