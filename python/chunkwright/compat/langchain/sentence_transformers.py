"""LangChain's splitter into windows of tokens of a model of sentence-transformers."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .base import TextSplitter, Tokenizer
from .splitters import split_text_on_tokens

# More than any text has tokens; the tokenizer would warn where it is not told.
_ENDLESS = 2**32


class SentenceTransformersTokenTextSplitter(TextSplitter):
    """Cuts windows of the tokens that a model of sentence-transformers counts.

    Parameters
    ----------
    chunk_overlap
        Tokens repeated from the window before.
    model_name
        The model's name or folder.
    tokens_per_chunk
        Tokens of a window; as many as the model reads by default.
    model_kwargs
        Options of ``SentenceTransformer``.
    **kwargs
        As for `TextSplitter`.

    Raises
    ------
    ImportError
        If sentence-transformers is not installed.
    ValueError
        For windows that the model cannot read, and as `TextSplitter` does.
    """

    def __init__(
        self,
        chunk_overlap: int = 50,
        model_name: str = "sentence-transformers/all-mpnet-base-v2",
        tokens_per_chunk: int | None = None,
        model_kwargs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs, chunk_overlap=chunk_overlap)
        self.model_name = model_name
        self._model = _model_class()(model_name, **(model_kwargs or {}))
        self.tokenizer: Any = self._model.tokenizer
        self.maximum_tokens_per_chunk: int | None = self._model.max_seq_length
        self.tokens_per_chunk: int = self._checked(tokens_per_chunk)

    def _checked(self, wanted: int | None) -> int:
        most = self.maximum_tokens_per_chunk
        if wanted is None:
            if most is None:
                raise ValueError(
                    "The model does not have a maximum token limit, "
                    "and tokens_per_chunk was not provided. "
                    "Please provide a value for tokens_per_chunk."
                )
            return most
        if most is not None and wanted > most:
            raise ValueError(
                f"The token limit of the models '{self.model_name}' is: {most}."
                f" Argument tokens_per_chunk={wanted} > maximum token limit."
            )
        return wanted

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into windows, as the tokenizer decodes them.

        Raises
        ------
        ValueError
            For an overlap as large as the window.
        """
        tokenizer = Tokenizer(
            chunk_overlap=self._chunk_overlap,
            tokens_per_chunk=self.tokens_per_chunk,
            decode=self.tokenizer.decode,
            encode=lambda text: self._encode(text)[1:-1],
        )
        return split_text_on_tokens(text=text, tokenizer=tokenizer)

    def count_tokens(self, *, text: str) -> int:
        """Return the number of tokens of ``text``, with those that start and end it."""
        return len(self._encode(text))

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(
            text, max_length=_ENDLESS, truncation="do_not_truncate"
        )
        return ids


def _model_class() -> Any:
    try:
        return import_module("sentence_transformers").SentenceTransformer
    except ImportError as error:
        raise ImportError(
            "Could not import sentence_transformers python package. "
            "This is needed in order to use SentenceTransformersTokenTextSplitter. "
            "Please install it with `pip install sentence-transformers`."
        ) from error
