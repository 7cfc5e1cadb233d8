"""Models that a configuration file of an evaluation names, each made once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.embed import EmbedderLike, as_embedder
from chunkwright.errors import ConfigError
from chunkwright.io.toml import Known, PlacedError, check_table
from chunkwright.retrieval.rerank.cross_encoder import CrossEncoder
from chunkwright.retrieval.rerank.endpoint import RerankEndpoint

if TYPE_CHECKING:
    from chunkwright.llm import Prompt, Runner
    from chunkwright.llm.run.runner import Progress
    from chunkwright.retrieval.rerank import Reranker

    MakeEmbedder = Callable[[str], EmbedderLike]
    KeepScores = Callable[[Reranker], Reranker]

LEXICAL = "lexical"
"""The embedder that has no path."""

_VARIABLE = re.compile("[A-Z_][A-Z0-9_]*")
ENDPOINT: Known = {
    "url": (str,),
    "model": (str,),
    "api_key_env": (str,),
    "form": (str,),
    "batch_size": (int,),
    "retries": (int,),
    "timeout": (float,),
}
"""The keys of a reranker behind a server."""
FOLDER: Known = {
    "path": (str,),
    "file": (str,),
    "max_tokens": (int,),
    "batch_tokens": (int,),
    "workers": (int,),
}
"""The keys of a reranker in a folder."""


class PlanModels:
    """Makes the models that a file names; one that several runs use is made once.

    Parameters
    ----------
    file
        The file: paths are relative to its folder.
    llm
        The table of the language model; None: the file has none.
    embedder
        Makes an embedder of ``"lexical"`` or a model's folder.
    reranker
        Is given each reranker, and returns what is used: say, one that keeps its scores.
    progress
        Is told of the counts of the language model.
    """

    def __init__(
        self,
        file: Path,
        llm: Mapping[str, Any] | None,
        *,
        embedder: MakeEmbedder = as_embedder,
        reranker: KeepScores | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._folder = file.parent
        self._place = f"{file}: [llm]"
        self._llm = llm
        self._make = embedder
        self._keep = reranker
        self._progress = progress
        self._embedders: dict[str, EmbedderLike] = {}
        self._rerankers: dict[str, Reranker] = {}
        self._runner: Runner | None = None

    def embedder(self, named: object) -> EmbedderLike:
        """Return the embedder of that name or path.

        Raises
        ------
        ConfigError, ModelError
            If it is none.
        """
        if not isinstance(named, str):
            raise ConfigError(f"embedder must be a string, got {named!r}")
        if named not in self._embedders:
            self._embedders[named] = self._make(named if named == LEXICAL else self._path(named))
        return self._embedders[named]

    def reranker(self, given: object) -> Reranker:
        """Return the reranker in a folder, or what a table describes.

        Parameters
        ----------
        given
            The path of a cross-encoder's folder; or a table: of such a ``path`` with options of
            `CrossEncoder`, or of the ``url`` of an endpoint with those of `RerankEndpoint`, where
            ``api_key_env`` names the variable of the environment that has the key.

        Raises
        ------
        ConfigError, ModelError
            If it is neither, or an option makes no sense; names it.
        """
        name = repr(given)
        if name not in self._rerankers:
            try:
                made = self._new_reranker({"path": given} if isinstance(given, str) else given)
            except ConfigError as error:
                raise ConfigError(f"reranker: {error}", option=error.option) from error
            self._rerankers[name] = made if self._keep is None else self._keep(made)
        return self._rerankers[name]

    def runner(self) -> Runner:
        """Return what asks the language model of the file.

        Raises
        ------
        ConfigError
            If the file names none, or an option makes no sense.
        """
        if self._runner is None:
            from chunkwright.llm.settings import runner_of

            if self._llm is None:
                raise ConfigError("a language model is needed, and the file has no table [llm]")
            try:
                self._runner = runner_of(self._llm, folder=self._folder, progress=self._progress)
            except ConfigError as error:
                raise PlacedError(self._place, error, option=error.option) from error
        return self._runner

    def prompt(self, given: object) -> Prompt:
        """Return a prompt of the package by its name, or that of a file that ends in ``.md``.

        Raises
        ------
        ConfigError, ReadError
            If it is neither.
        """
        if not isinstance(given, str):
            raise ConfigError(f"prompt must be a string, got {given!r}")
        from chunkwright.llm import Prompt

        return Prompt.read(self._path(given)) if given.endswith(".md") else Prompt.named(given)

    def _path(self, given: str) -> str:
        return str(self._folder / given)

    def _new_reranker(self, given: object) -> Reranker:
        if not isinstance(given, Mapping):
            raise ConfigError(f"it must be a folder or a table, got {given!r}")
        if ("path" in given) == ("url" in given):
            raise ConfigError(f"one of path and url is needed, got {dict(given)!r}")
        if "path" in given:
            check_table("a folder", given, FOLDER)
            return CrossEncoder(**{**given, "path": self._path(given["path"])})
        check_table("an endpoint", given, ENDPOINT)
        options = {key: value for key, value in given.items() if key != "api_key_env"}
        if "api_key_env" in given:
            options["api_key"] = _key(given["api_key_env"])
        return RerankEndpoint(**options)


def _key(variable: str) -> str:
    if not (key := os.environ.get(variable)):
        # A user who wrote the key itself here must not find it in a log.
        shown = f", got {variable!r}" if _VARIABLE.fullmatch(variable) else ""
        raise ConfigError(f"api_key_env must be a variable of the environment{shown}")
    return key
