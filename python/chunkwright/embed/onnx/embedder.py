"""Models in the ONNX format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.checks import checked_callable, checked_int, checked_name, checked_path
from chunkwright.embed.files import digest
from chunkwright.embed.texts import EmbeddingFunction, Progress, checked_texts, tell_nobody
from chunkwright.errors import ConfigError
from chunkwright.objects import MadeOfOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.embed.onnx.folder import ModelFolder
    from chunkwright.embed.onnx.model import Model


@dataclass(frozen=True)
class Onnx(EmbeddingFunction, MadeOfOptions):
    """A sentence model in a folder, run by ONNX Runtime; needs the extra ``onnx``.

    The folder has the layout of model hubs: a graph, ``tokenizer.json``, ``modules.json`` and the
    files that these name. Nothing is downloaded. Texts of similar length are embedded together,
    equal texts once.

    Parameters
    ----------
    path
        The folder.
    file
        The graph, if it is not ``onnx/model.onnx`` or ``model.onnx``. In a dynamically quantized
        graph (int8), the vector of a text depends on the others of its batch, so each text runs by
        itself.
    pooling
        How the vectors of tokens are combined: ``"mean"``, ``"cls"``, ``"max"``,
        ``"mean_sqrt_len_tokens"``, ``"weightedmean"`` or ``"lasttoken"``; None: as the folder says.
    passage_prompt, query_prompt
        The text in front of each passage, such as ``"passage: "``, and of each query, such as
        ``"query: "``; None: as the folder says. In ``config_sentence_transformers.json`` these are
        the prompts ``"document"``, ``"passage"`` or ``"corpus"``, and ``"query"``, or else the
        default prompt.
    max_tokens
        The number of tokens of a text that are read, special ones included; None: as the folder
        says.
    batch_tokens
        The number of tokens that go through the graph at once, padding included.
    workers
        The number of threads; None: one for each available processor.
    providers
        Execution providers of ONNX Runtime, best first; None: the CPU.
    progress
        A function that the embedding thread calls with the number of finished texts and the total.

    Raises
    ------
    ConfigError
        If an option makes no sense.
    ModelError
        If a file of the folder is missing or odd: names it.
    MissingExtraError
        If a library is not installed, as soon as a text is embedded.
    """

    path: str | os.PathLike[str]
    file: str | None = field(default=None, kw_only=True)
    pooling: str | None = field(default=None, kw_only=True)
    passage_prompt: str | None = field(default=None, kw_only=True)
    query_prompt: str | None = field(default=None, kw_only=True)
    max_tokens: int | None = field(default=None, kw_only=True)
    batch_tokens: int = field(default=512, kw_only=True)
    workers: int | None = field(default=None, kw_only=True)
    providers: Sequence[Any] | None = field(default=None, kw_only=True, hash=False)
    progress: Progress | None = field(default=None, kw_only=True, repr=False, compare=False)
    _folder: ModelFolder = field(init=False, repr=False, compare=False)
    _loading: Lock = field(init=False, repr=False, compare=False, default_factory=Lock)
    _model: Model | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        checked_int("batch_tokens", self.batch_tokens, least=1)
        for name in ("max_tokens", "workers"):
            if getattr(self, name) is not None:
                checked_int(name, getattr(self, name), least=1)
        for name in ("file", "passage_prompt", "query_prompt"):
            if not isinstance(getattr(self, name), str | None):
                raise ConfigError(f"{name} must be a str, got {getattr(self, name)!r}")
        if self.pooling is not None:
            _check_pooling(self.pooling)
        if isinstance(self.providers, str):
            raise ConfigError(f"providers must be a list, got {self.providers!r}")
        if self.progress is not None:
            checked_callable("progress", self.progress)
        object.__setattr__(self, "_folder", self._read())

    def _read(self) -> ModelFolder:
        # Whoever imports chunkwright need not wait for what reads and runs models.
        from chunkwright.embed.onnx.folder import Prompts, read_folder

        prompts = Prompts(self.passage_prompt, self.query_prompt)
        folder = read_folder(checked_path("path", self.path), self.file, prompts)
        modes = folder.modes if self.pooling is None else (self.pooling,)
        limits = [n for n in (self.max_tokens, folder.max_tokens) if n is not None]
        return replace(folder, modes=modes, max_tokens=min(limits, default=None))

    concurrent = True

    @property
    def fingerprint(self) -> str:
        """Names the model, the content of its files and the options that change vectors."""
        from hashlib import sha256

        folder = self._folder
        passages, queries = folder.prompts.passage or "", folder.prompts.query or ""
        options = repr((folder.modes, passages, folder.lowers, folder.max_tokens))
        if queries != passages:
            options += repr(queries)
        hashed = sha256(f"{digest(folder.files)}{options}".encode()).hexdigest()[:32]
        return f"onnx:{Path(self.path).resolve().name}:{hashed}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text: float32 of shape ``(len(texts), d)``.

        Raises
        ------
        ModelError
            If the model cannot be loaded or fails; names the file.
        MissingExtraError
            If a library is not installed.
        """
        return self._embedded(texts, self._folder.prompts.passage)

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each query; raises as ``embed``."""
        return self._embedded(texts, self._folder.prompts.query)

    def _embedded(self, texts: Sequence[str], prompt: str | None) -> NDArray[np.floating[Any]]:
        import numpy as np

        given = checked_texts(texts)
        rows = {text: row for row, text in enumerate(dict.fromkeys(given))}
        if not rows:
            return np.zeros((0, 1), dtype=np.float32)
        tell = self.progress or tell_nobody
        tell(0, len(rows))
        told = lambda n_done: tell(n_done, len(rows))  # noqa: E731 - shorter than a function
        vectors = self._loaded().embed(list(rows), prompt or "", told)
        return vectors if len(rows) == len(given) else vectors[[rows[text] for text in given]]

    def _loaded(self) -> Model:
        from chunkwright.embed.onnx.model import Model

        with self._loading:
            if self._model is None:
                n_threads = self.workers or _core.available_workers()
                made = Model(
                    self._folder,
                    batch_tokens=self.batch_tokens,
                    n_threads=n_threads,
                    providers=self.providers,
                )
                object.__setattr__(self, "_model", made)
                return made
            return self._model


def _check_pooling(mode: str) -> None:
    from chunkwright.embed.onnx.pooling import MODES

    checked_name("pooling", mode, MODES)
