"""A model's folder as sentence-transformers writes it and hubs hold it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.embed.files import (
    is_folder,
    read_modules,
    read_object,
    read_tensors,
    shortened,
    size_at,
)
from chunkwright.embed.onnx.pooling import Normalize, read_modes
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


# Where a graph lies if nobody says otherwise, most usual first.
_GRAPHS = ("onnx/model.onnx", "model.onnx")
# Older folders name the file of the maximum length after their model.
_LENGTHS = "sentence_*_config.json"
# Other graphs of a folder that a message names.
_MAX_OTHERS = 20
_MAX_ENTRIES = 1000


@dataclass(frozen=True)
class Prompts:
    """Prefixes of texts that are searched or cut, and of texts that one searches with.

    Parameters
    ----------
    passage, query
        The prompts; None: what else is known.
    """

    passage: str | None
    query: str | None


@dataclass(frozen=True)
class ModelFolder:
    """Settings of a folder by which a text becomes a vector.

    Parameters
    ----------
    root
        The folder.
    graph, tokenizer
        Files in it.
    max_tokens
        How many tokens the model reads, special ones included; None: any number.
    lowers
        Whether texts are made lower case first.
    prompts
        What is put before each text.
    modes
        How vectors of tokens become one; None where the folder does not say.
    layers
        What is then done with the vectors.
    """

    root: Path
    graph: Path
    tokenizer: Path
    max_tokens: int | None
    lowers: bool
    prompts: Prompts
    modes: tuple[str, ...] | None
    layers: tuple[Callable[[Any], Any], ...]

    @property
    def files(self) -> list[Path]:
        """The files whose content the vectors depend on, weights beside the graph included."""
        weights = sorted(self.graph.parent.glob(f"{self.graph.name}?data*"))
        root = self.root
        kinds = ("json", "safetensors")
        modules = sorted(file for kind in kinds for file in root.glob(f"[1-9]*_*/*.{kind}"))
        listed = [file for file in [root / "modules.json"] if file.exists()]
        return [self.graph, *weights, self.tokenizer, *listed, *modules]


def read_folder(path: Path, file: str | None, given: Prompts) -> ModelFolder:
    """Read a folder's files of configuration.

    Parameters
    ----------
    path
        The folder.
    file
        Which graph, if there are several: a path in the folder, or in its folder ``onnx``.
    given
        What is put before each text, if not what the folder says.

    Raises
    ------
    ModelError
        If a file is missing or odd; names it, and the key.
    """
    if not is_folder(path):
        raise ModelError(f"{shortened(str(path))} is no folder of a model")
    modules = read_modules(path)
    base = path / modules[0][1] if modules else path
    lengths = _lengths_file(base)
    config = read_object(lengths, optional=True)
    own = _prompts(path) if None in (given.passage, given.query) else given
    prompts = Prompts(
        passage=own.passage if given.passage is None else given.passage,
        query=own.query if given.query is None else given.query,
    )
    modes, layers = _layers(path, modules, has_prompt=bool(prompts.passage or prompts.query))
    return ModelFolder(
        root=path,
        graph=_graph(path, base, file),
        tokenizer=_tokenizer(path, base),
        max_tokens=_max_tokens(base, config, lengths),
        lowers=config.get("do_lower_case") is True,
        prompts=prompts,
        modes=modes,
        layers=layers,
    )


def _layers(
    path: Path, modules: list[tuple[str, str]], *, has_prompt: bool
) -> tuple[tuple[str, ...] | None, tuple[Callable[[Any], Any], ...]]:
    """Return the modes of pooling, and what follows."""
    modes: tuple[str, ...] | None = None
    layers: list[Callable[[Any], Any]] = []
    for i, (kind, folder) in enumerate(modules):
        if i == 0 and kind == "Transformer":
            continue
        if kind == "Pooling" and modes is None and not layers:
            modes = read_modes(path / folder, has_prompt=has_prompt)
        elif kind == "Normalize":
            layers.append(Normalize())
        elif kind == "Dense" and modes is not None:
            layers.append(read_projection(path / folder))
        else:
            file = str(path / "modules.json")
            raise ModelError(f"module {i} of {file!r} is not supported: {kind!r}")
    return modes, tuple(layers)


def _graph(path: Path, base: Path, file: str | None) -> Path:
    names = _GRAPHS if file is None else (file, f"onnx/{file}")
    places = [folder / name for folder in dict.fromkeys([base, path]) for name in names]
    graph = next((place for place in places if place.is_file()), None)
    if graph is None:
        wanted = " or ".join(repr(name) for name in names)
        raise ModelError(f"{str(path)!r} has no graph {wanted}{_others(path)}")
    return graph


def _others(path: Path) -> str:
    """Return a hint that names graphs where hubs put them: any folder may be the root of a disk."""
    folders = [path / name for name in dict.fromkeys(str(Path(name).parent) for name in _GRAPHS)]
    others = sorted(
        str(file.relative_to(path)) for folder in folders for file in _graphs_in(folder)
    )
    return f"; say file=... for one of {', '.join(map(repr, others))}" if others else ""


def _graphs_in(folder: Path) -> list[Path]:
    """Return some graphs of a folder, which may have any number of files."""
    if not is_folder(folder):
        return []
    with os.scandir(folder) as entries:
        some = [Path(entry.path) for entry in islice(entries, _MAX_ENTRIES)]
    return [file for file in some if file.suffix == ".onnx"][:_MAX_OTHERS]


def _tokenizer(path: Path, base: Path) -> Path:
    found = next((f for f in (base, path) if (f / "tokenizer.json").is_file()), None)
    if found is None:
        raise ModelError(f"{str(base / 'tokenizer.json')!r} is missing")
    return found / "tokenizer.json"


def _lengths_file(base: Path) -> Path:
    usual = base / "sentence_bert_config.json"
    return usual if usual.exists() else next(iter(sorted(base.glob(_LENGTHS))), usual)


def _max_tokens(base: Path, lengths: dict[str, Any], file: Path) -> int | None:
    """Return the first limit that a file says, but no more than the model has positions."""
    tokenizer, config = base / "tokenizer_config.json", base / "config.json"
    limit = size_at(lengths, "max_seq_length", file)
    if limit is None:
        limit = size_at(read_object(tokenizer, optional=True), "model_max_length", tokenizer)
    positions = read_object(config, optional=True).get("max_position_embeddings")
    # Models whose positions are relative say -1.
    has_positions = isinstance(positions, int) and positions > 0
    limits = [limit, positions if has_positions else None]
    return min((n for n in limits if n is not None), default=None)


def _prompts(path: Path) -> Prompts:
    """Return the prompts that a folder has, by the names that sentence-transformers knows."""
    file = path / "config_sentence_transformers.json"
    config = read_object(file, optional=True)
    name, prompts = config.get("default_prompt_name"), config.get("prompts")
    by_name = prompts if isinstance(prompts, dict) else {}
    usual = "" if name is None else by_name.get(name) if isinstance(name, str) else None
    if not isinstance(usual, str):
        raise ModelError(f"'default_prompt_name' of {str(file)!r} names no prompt: {name!r}")

    def of(*names: str) -> str:
        return next((by_name[name] for name in names if isinstance(by_name.get(name), str)), usual)

    return Prompts(passage=of("document", "passage", "corpus"), query=of("query"))
