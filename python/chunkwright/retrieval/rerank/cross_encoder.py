"""Cross-encoders in the ONNX format: question and text go through one graph together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from chunkwright import _core
from chunkwright.checks import checked_int, checked_path
from chunkwright.embed.files import digest
from chunkwright.objects import MadeOfOptions
from chunkwright.retrieval.rerank.scores import checked_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.embed.onnx.folder import ModelFolder
    from chunkwright.embed.onnx.pairs import PairModel


@dataclass(frozen=True)
class CrossEncoder(MadeOfOptions):
    """A cross-encoder in a folder, run by ONNX Runtime; needs the extra ``onnx``.

    The folder is one as hubs hold it: a graph that gives one number, or two, for a pair, and
    ``tokenizer.json``. Nothing is downloaded. It is loaded with the first question.

    Parameters
    ----------
    path
        The folder.
    file
        Which graph, if not ``onnx/model.onnx`` or ``model.onnx``.
    max_tokens
        How many tokens of a pair are read, special ones included; None: what the folder says.
    batch_tokens
        How many tokens go through the graph at once, padding included.
    workers
        How many threads; None: as many as there are processors for this process.

    Raises
    ------
    ConfigError
        If an option makes no sense.
    ModelError
        If a file of the folder is missing or odd: names it.
    """

    path: str | os.PathLike[str]
    file: str | None = field(default=None, kw_only=True)
    max_tokens: int | None = field(default=None, kw_only=True)
    batch_tokens: int = field(default=4096, kw_only=True)
    workers: int | None = field(default=None, kw_only=True)
    _folder: ModelFolder = field(init=False, repr=False, compare=False)
    _loading: Lock = field(init=False, repr=False, compare=False, default_factory=Lock)
    _model: PairModel | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        from dataclasses import replace

        from chunkwright.embed.onnx.folder import Prompts, read_folder

        checked_int("batch_tokens", self.batch_tokens, least=1)
        for name in ("max_tokens", "workers"):
            if getattr(self, name) is not None:
                checked_int(name, getattr(self, name), least=1)
        folder = read_folder(checked_path("path", self.path), self.file, Prompts("", ""))
        limits = [n for n in (self.max_tokens, folder.max_tokens) if n is not None]
        object.__setattr__(self, "_folder", replace(folder, max_tokens=min(limits, default=None)))

    @property
    def fingerprint(self) -> str:
        """Names the content of the model's files, and how much of a pair is read."""
        return f"cross-encoder:{digest(self._folder.files)}:{self._folder.max_tokens}"

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return the score of each text: what the graph says, greater being better.

        Raises
        ------
        ModelError
            If the model cannot be loaded or fails; names the file.
        MissingExtraError
            If a library is not installed.
        """
        return checked_scores(self._loaded().scores(question, list(texts)), len(texts))

    def _loaded(self) -> PairModel:
        from chunkwright.embed.onnx.pairs import PairModel

        with self._loading:
            if self._model is None:
                n_threads = self.workers or _core.available_workers()
                made = PairModel(self._folder, self.batch_tokens, n_threads)
                object.__setattr__(self, "_model", made)
                return made
            return self._model
