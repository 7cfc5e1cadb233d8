"""Base class of LangChain's splitters: sizes and documents."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Self

from .engine import Engine, as_printed
from .lengths import Allowed, Disallowed, HuggingFaceTokens, Tokens
from .peer_documents import copier, made

if TYPE_CHECKING:
    from langchain_core.documents import Document
    from langchain_text_splitters import Language, Tokenizer
    from langchain_text_splitters import TextSplitter as _Base
else:
    try:
        from langchain_core.documents import Document
        from langchain_text_splitters import Language, Tokenizer
        from langchain_text_splitters import TextSplitter as _Base
    except ImportError:
        from .fallback import Document, Language, Tokenizer
        from .fallback import TextSplitter as _Base

__all__ = ["Document", "Language", "TextSplitter", "Tokenizer"]


def __getattr__(name: str) -> Any:
    """Give what LangChain's module of this name has too, and which stands on this one here."""
    if name in {"TokenTextSplitter", "split_text_on_tokens"}:
        return getattr(import_module(".splitters", __package__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# LangChain's own logger: filters that were set for it hold.
_logger = logging.getLogger("langchain_text_splitters.base")


class TextSplitter(Engine, _Base):
    """Base of the splitters; a subclass says how a text is split.

    Parameters
    ----------
    chunk_size
        What a chunk may hold, in units of ``length_function``.
    chunk_overlap
        How much of the chunk before may be repeated.
    length_function
        Measures a text; code points by default. It is called once for each piece.
    keep_separator
        Whether a separator stays in the text: True or ``"start"`` with the piece that follows,
        ``"end"`` with the piece before.
    add_start_index
        Whether documents say where in the text they begin (``metadata["start_index"]``), in code
        points.
    strip_whitespace
        Whether whitespace is taken off both ends of a chunk.

    Raises
    ------
    ValueError
        For a size under 1, or an overlap that is negative or larger than the size.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - LangChain's signature
        self,
        chunk_size: int = 4000,
        chunk_overlap: int = 200,
        length_function: Callable[[str], int] = len,
        keep_separator: bool | Literal["start", "end"] = False,
        add_start_index: bool = False,
        strip_whitespace: bool = True,
    ) -> None:
        if chunk_size <= 0:
            raise ValueError(f"chunk_size must be > 0, got {chunk_size}")
        if chunk_overlap < 0:
            raise ValueError(f"chunk_overlap must be >= 0, got {chunk_overlap}")
        if chunk_overlap > chunk_size:
            raise ValueError(
                f"Got a larger chunk overlap ({chunk_overlap}) than chunk size "
                f"({chunk_size}), should be smaller."
            )
        self._chunk_size = chunk_size
        self._chunk_overlap = chunk_overlap
        self._length_function = length_function
        self._keep_separator = keep_separator
        self._add_start_index = add_start_index
        self._strip_whitespace = strip_whitespace

    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Split texts into documents.

        Parameters
        ----------
        texts
            What to split.
        metadatas
            One for each text; each document gets a copy of its own.

        Returns
        -------
        list[Document]
            The chunks of all texts in order.
        """
        all_metadata = metadatas or [{}] * len(texts)
        documents: list[Document] = []
        for i, text in enumerate(texts):
            chunks, starts = self._with_starts(text) if self._add_start_index else self._bare(text)
            copied = copier(all_metadata[i]) if chunks else dict
            for chunk, start in zip(chunks, starts, strict=True):
                metadata = copied()
                if self._add_start_index:
                    metadata["start_index"] = start
                documents.append(made(chunk, metadata))
        return documents

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Split documents; chunks inherit the metadata of theirs."""
        pairs = [(document.page_content, document.metadata) for document in documents]
        return self.create_documents(
            [text for text, _ in pairs], metadatas=[metadata for _, metadata in pairs]
        )

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> Sequence[Document]:
        """Split documents, as LangChain's pipelines call it."""
        del kwargs
        return self.split_documents(list(documents))

    @classmethod
    def from_huggingface_tokenizer(cls, tokenizer: Any, **kwargs: Any) -> TextSplitter:
        """Make a splitter that counts tokens of a tokenizer of `transformers`.

        Raises
        ------
        ValueError
            If it is something else, or transformers is not installed.
        """
        return cls(length_function=HuggingFaceTokens(tokenizer), **kwargs)

    @classmethod
    def from_tiktoken_encoder(
        cls,
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Allowed | None = None,
        disallowed_special: Disallowed = "all",
        **kwargs: Any,
    ) -> Self:
        """Make a splitter that counts tokens of one of tiktoken's encodings.

        Those of ``cl100k_base``, ``o200k_base``, ``gpt2`` and ``r50k_base`` are counted by
        chunkwright: tiktoken need not be installed.

        Raises
        ------
        ImportError
            If tiktoken is needed and not installed.
        """
        return cls(
            length_function=Tokens(encoding_name, model_name, allowed_special, disallowed_special),
            **kwargs,
        )

    def _bare(self, text: str) -> tuple[list[str], Sequence[int]]:
        chunks = list(self.split_text(text))
        return chunks, range(len(chunks))

    def _with_starts(self, text: str) -> tuple[list[str], Sequence[int]]:
        """Split ``text`` and look for the chunks: a subclass's own chunks have no known place."""
        chunks = list(self.split_text(text))
        starts: list[int] = []
        start, length = 0, 0
        for chunk in chunks:
            start = text.find(chunk, max(0, start + length - self._chunk_overlap))
            starts.append(start)
            length = len(chunk)
        return chunks, starts

    def _warn(self, total: float) -> None:
        _logger.warning(
            "Created a chunk of size %d, which is longer than the specified %d",
            as_printed(total),
            self._chunk_size,
        )
