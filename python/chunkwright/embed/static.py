"""Static models: a text's vector is the mean of those that a table has for its tokens."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.checks import checked_path
from chunkwright.embed.files import (
    digest,
    is_file,
    module_kinds,
    read_object,
    read_tensors,
    shortened,
    size_at,
)
from chunkwright.embed.texts import EmbeddingFunction, checked_texts
from chunkwright.errors import ConfigError, ModelError, TokenizerError
from chunkwright.tokens.backends import Native
from chunkwright.tokens.sources import backend_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What model2vec reads of a text if the model does not say.
_MAX_TOKENS = 512
# Where sentence-transformers puts the table, and what it calls it.
_FOLDER, _TENSOR = "0_StaticEmbedding", "embedding.weight"


@dataclass(frozen=True)
class Static(EmbeddingFunction):
    """A static model in a folder, as model2vec writes it; needs the extra ``static``.

    The core looks tokens up in a table instead of running a graph, which is hundreds of times as
    fast as a sentence model. A folder of sentence-transformers' ``StaticEmbedding`` works as
    well.

    Parameters
    ----------
    path
        The folder, with ``model.safetensors``, ``tokenizer.json`` and ``config.json``.

    Raises
    ------
    ModelError
        If a file of the folder is missing or odd: names it.
    MissingExtraError
        If the library safetensors is not installed, as soon as a text is embedded.
    """

    path: str | os.PathLike[str]
    _files: list[Path] = field(init=False, repr=False, compare=False)
    _loading: Lock = field(init=False, repr=False, compare=False, default_factory=Lock)
    _made: _core.Embedder | None = field(init=False, repr=False, compare=False, default=None)

    concurrent = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "_files", _files(checked_path("path", self.path)))

    @property
    def fingerprint(self) -> str:
        """Names the model and the content of its files."""
        return f"static:{Path(self.path).resolve().name}:{digest(self._files)}"

    @property
    def core(self) -> _core.Embedder:
        """The core's embedder; the table is read at the first call.

        Raises
        ------
        ModelError
            If a file cannot be used; names it.
        MissingExtraError
            If the library safetensors is not installed.
        """
        with self._loading:
            if self._made is None:
                made = _loaded(*self._files)
                object.__setattr__(self, "_made", made)
                return made
            return self._made

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text: float32 of shape ``(len(texts), d)``.

        Raises
        ------
        ModelError
            If a file cannot be used; names it.
        TokenizerError
            If the tokenizer fails on a text.
        MissingExtraError
            If the library safetensors is not installed.
        """
        import numpy as np

        return np.asarray(self.core.embed(checked_texts(texts)))

    def __reduce__(self) -> tuple[object, ...]:
        return Static, (self.path,)


def is_static(path: Path) -> bool:
    """Return whether a folder holds a static model, not one with a graph.

    Raises
    ------
    ModelError
        If ``modules.json`` or ``config.json`` cannot be read; names the file.
    """
    if kinds := module_kinds(path):
        return kinds[0] == "StaticEmbedding"
    return read_object(path / "config.json", optional=True).get("model_type") == "model2vec"


def _files(path: Path) -> list[Path]:
    """Return the table, the tokenizer and what says how they are used."""
    base = path if is_file(path / "model.safetensors") else path / _FOLDER
    needed = [base / "model.safetensors", base / "tokenizer.json"]
    if missing := [file for file in needed if not is_file(file)]:
        in_root = path / missing[0].name
        raise ModelError(
            f"{shortened(str(path))} holds no static model: {in_root.name!r} is missing"
        )
    optional = [path / "config.json", path / "modules.json"]
    return [*needed, *(file for file in optional if file.is_file())]


def _loaded(table: Path, tokenizer: Path, *configs: Path) -> _core.Embedder:
    tokens = _tokenizer(tokenizer)
    tensors = read_tensors(table)
    # The owner of the file is told by what it calls the table.
    is_ours = "embeddings" in tensors
    vectors = tensors.get("embeddings" if is_ours else _TENSOR)
    if vectors is None or not _is_table(vectors):
        raise ModelError(f"{str(table)!r} has no matrix 'embeddings', but {sorted(tensors)}")
    options = _as_model2vec(tokenizer, configs) if is_ours else _as_others(configs)
    try:
        return _core.Embedder.static(
            tokens,
            _floats(vectors).data,
            weights=_listed(tensors, "weights", "fiu", table),
            mapping=_listed(tensors, "mapping", "iu", table),
            **options,
        )
    except (ConfigError, ModelError, ValueError) as error:
        raise ModelError(f"{str(table)!r} cannot be used: {error}") from error


def _is_table(vectors: NDArray[Any]) -> bool:
    is_matrix = vectors.ndim == 2 and vectors.shape[1] > 0  # noqa: PLR2004 - rows and columns
    return is_matrix and vectors.dtype.kind in "fiu"


def _floats(vectors: NDArray[Any]) -> NDArray[np.float32]:
    import numpy as np

    # What is too large becomes infinite, which is seen when it is looked up.
    with np.errstate(over="ignore"):
        return np.require(vectors, np.float32, ["C", "A"])


def _listed(
    tensors: dict[str, NDArray[Any]], name: str, kinds: str, table: Path
) -> list[Any] | None:
    """Return the numbers of a tensor; rows are counted from 0."""
    tensor = tensors.get(name)
    if tensor is None:
        return None
    is_odd = tensor.ndim != 1 or tensor.dtype.kind not in kinds
    if is_odd or (name == "mapping" and (tensor < 0).any()):
        raise ModelError(f"{name!r} of {str(table)!r} is no vector of usable numbers")
    return list(tensor.tolist())


def _tokenizer(file: Path) -> _core.Tokenizer | Callable[[str], list[int]]:
    try:
        backend = backend_of(file)
        return backend.core if isinstance(backend, Native) else backend.encode
    except (OSError, ValueError, TokenizerError) as error:
        raise ModelError(f"{str(file)!r} cannot be used: {error}") from error


def _as_model2vec(tokenizer: Path, configs: Sequence[Path]) -> dict[str, Any]:
    """Return how model2vec uses the table: unknown tokens are left out, long texts are cut."""
    from statistics import median

    file = next((file for file in configs if file.name == "config.json"), None)
    config = {} if file is None else read_object(file)
    model = read_object(tokenizer)
    has_limit = config.get("max_length", _MAX_TOKENS) is not None
    n_tokens = size_at({"max_length": _MAX_TOKENS} | config, "max_length", file or tokenizer)
    vocabulary = _vocabulary(model)
    return {
        "unknown": _unknown(model, vocabulary),
        "max_tokens": n_tokens,
        "max_chars": n_tokens * int(median(map(len, vocabulary)))
        if n_tokens and has_limit and vocabulary
        else None,
        "normalize": config.get("normalize") is True,
    }


def _as_others(configs: Sequence[Path]) -> dict[str, Any]:
    """Return how sentence-transformers uses the table: whole texts, all tokens."""
    folder = configs[0].parent if configs else None
    kinds = module_kinds(folder) if folder else []
    return {
        "unknown": None,
        "max_tokens": None,
        "max_chars": None,
        "normalize": "Normalize" in kinds,
    }


def _vocabulary(tokenizer: dict[str, Any]) -> dict[str, int]:
    """Return all tokens and their ids, added ones included."""
    listed = tokenizer.get("model", {}).get("vocab", {})
    if isinstance(listed, list):
        # Unigram: tokens with their scores, in order of ids.
        listed = {token: i for i, (token, _) in enumerate(listed)}
    added = tokenizer.get("added_tokens") or []
    return {**listed, **{token["content"]: token["id"] for token in added}}


def _unknown(tokenizer: dict[str, Any], vocabulary: dict[str, int]) -> int | None:
    model = tokenizer.get("model", {})
    if model.get("type") == "Unigram":
        unknown: int | None = model.get("unk_id")
        return unknown
    return vocabulary.get(model.get("unk_token"))
