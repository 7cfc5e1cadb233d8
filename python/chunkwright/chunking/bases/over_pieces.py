"""Base classes of the strategies that cut between pieces of a text: shared options, vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from chunkwright.checks import checked_int, checked_language
from chunkwright.chunking.bases.options import Size
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.embed import EmbedderLike, core_embedder
from chunkwright.errors import ConfigError
from chunkwright.rows import OF_ENDINGS

# Each piece is embedded once for every window that it is in.
MAX_WINDOW = 100


@dataclass(frozen=True, kw_only=True)
class OverPieces(Strategy):
    """Cuts between pieces of a text.

    Parameters
    ----------
    language
        What the text is in, as :func:`chunkwright.split_sentences` takes it.

    Raises
    ------
    ConfigError
        If a value is out of range, naming it.
    """

    language: str = "en"

    def _checked(self) -> dict[str, Any]:
        return {**super()._checked(), "language": checked_language(self.language)}

    @property
    def _hard_max(self) -> int:
        return self._checked_limit()[1]

    def _checked_size(self, name: str, value: object) -> int:
        """Return a size in the unit of the limit, which a text can have and the limit allows."""
        size = checked_int(name, value, least=1, most=self._hard_max)
        is_marked = self._in_tokens and self._tokenizer.special_tokens
        n_special = self._tokenizer.count("") if is_marked else 0
        if size <= n_special:
            reason = f"the model adds {n_special} special tokens to each text"
            message = f"{name} must be more than {n_special}, got {size}: {reason}"
            raise ConfigError(message, option=name)
        return size


@dataclass(frozen=True, kw_only=True)
class Semantic(OverPieces):
    """Cuts between pieces of a text, by what their vectors say.

    Pieces are whole sentences, whatever the line breaks; only a sentence over the limit is divided.
    A heading is in one piece with what follows it.

    Parameters
    ----------
    embedder
        What gives texts their vectors: ``"lexical"`` (the text's own words, no model; see
        :class:`chunkwright.Lexical`), the path of a folder with a model, an embedder such as
        :class:`chunkwright.Onnx`, or a callable ``list[str] -> array`` with a row for each text.
        It is given the text as it is; lone surrogates are U+FFFD.
    language
        See :class:`OverPieces`.

    Raises
    ------
    ConfigError
        If a value is out of range, naming it.
    ModelError
        If the folder of a model cannot be read.
    """

    columns = OF_ENDINGS
    models: ClassVar[tuple[str, ...]] = ("embedder",)

    embedder: EmbedderLike = "lexical"

    def _beside(self) -> dict[str, Any]:
        return {"embedder": core_embedder(self.embedder)}


@dataclass(frozen=True, kw_only=True)
class SmallPieces(Semantic):
    """Cuts between pieces of one or a few sentences.

    Parameters
    ----------
    piece_max
        The size up to which sentences of a paragraph are joined, in the unit of the limit; a piece
        of less than a fifth of it is joined with a neighbour wherever the limit allows. A longer
        sentence is a piece by itself. By default 50 tokens or 200 characters, but at least a
        sixteenth of the limit and at most all of it.
    embedder, language
        See :class:`Semantic`.
    """

    piece_max: Size | None = None

    def _checked(self) -> dict[str, Any]:
        spec = super()._checked()
        if self.piece_max is not None:
            spec["piece_max"] = self._checked_size("piece_max", self.piece_max)
        return spec
