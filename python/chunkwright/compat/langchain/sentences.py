"""LangChain's splitters at sentences, which NLTK, spaCy or KoNLPy find."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any

from .base import TextSplitter


class NLTKTextSplitter(TextSplitter):
    """Merges the sentences that NLTK finds.

    Parameters
    ----------
    separator
        What stands between sentences of a chunk.
    language
        The language of NLTK's model.
    use_span_tokenize
        Whether the whitespace between sentences is kept; the separator must be ``""``.
    **kwargs
        As for `TextSplitter`.

    Raises
    ------
    ImportError
        If NLTK is not installed.
    ValueError
        For a separator with ``use_span_tokenize``, and as `TextSplitter` does.
    """

    def __init__(
        self,
        separator: str = "\n\n",
        language: str = "english",
        *,
        use_span_tokenize: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._separator = separator
        if use_span_tokenize and separator:
            raise ValueError("When use_span_tokenize is True, separator should be ''")
        tokenize = _installed("nltk", "NLTK").tokenize
        self._tokenizer: Callable[[str], list[str]] = (
            _Spans(tokenize._get_punkt_tokenizer(language))  # noqa: SLF001 - NLTK has no other
            if use_span_tokenize
            else _Sentences(language)
        )

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks."""
        return self._merge_splits(self._tokenizer(text), self._separator)


class SpacyTextSplitter(TextSplitter):
    """Merges the sentences that spaCy finds.

    Parameters
    ----------
    separator
        What stands between sentences of a chunk.
    pipeline
        A model of spaCy, or ``"sentencizer"`` for its rules, which are faster.
    max_length
        Code points that the model takes.
    strip_whitespace
        Whether whitespace is taken off sentences and chunks.
    **kwargs
        As for `TextSplitter`.

    Raises
    ------
    ImportError
        If spaCy is not installed.
    OSError
        If the model is not.
    ValueError
        As `TextSplitter` does.
    """

    def __init__(
        self,
        separator: str = "\n\n",
        pipeline: str = "en_core_web_sm",
        max_length: int = 1_000_000,
        *,
        strip_whitespace: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._tokenizer = _pipeline(pipeline, max_length)
        self._separator = separator
        self._strip_whitespace = strip_whitespace

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks."""
        sentences = self._tokenizer(text).sents
        pieces = (s.text if self._strip_whitespace else s.text_with_ws for s in sentences)
        return self._merge_splits(pieces, self._separator)


class KonlpyTextSplitter(TextSplitter):
    """Merges the sentences that KoNLPy's Kkma finds in Korean text.

    Parameters
    ----------
    separator
        What stands between sentences of a chunk.
    **kwargs
        As for `TextSplitter`.

    Raises
    ------
    ImportError
        If KoNLPy is not installed.
    ValueError
        As `TextSplitter` does.
    """

    def __init__(self, separator: str = "\n\n", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._separator = separator
        self.kkma: Any = _installed("konlpy", "Konlpy").tag.Kkma()

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks."""
        return self._merge_splits(self.kkma.sentences(text), self._separator)


class _Sentences:
    """Sentences by NLTK, without what stands between them."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __call__(self, text: str) -> list[str]:
        found: list[str] = import_module("nltk").tokenize.sent_tokenize(text, self._language)
        return found


class _Spans:
    """Sentences by NLTK, each with what stands before it; nothing before the first one."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def __call__(self, text: str) -> list[str]:
        spans = list(self._tokenizer.span_tokenize(text))
        first = [text[start:end] for start, end in spans[:1]]
        return first + [text[before:end] for (_, before), (_, end) in pairwise(spans)]


def _installed(module: str, name: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError as error:
        message = f"{name} is not installed, please install it with `pip install {module}`."
        raise ImportError(message) from error


def _pipeline(name: str, max_length: int) -> Any:
    spacy = _installed("spacy", "Spacy")
    if name != "sentencizer":
        model = spacy.load(name, exclude=["ner", "tagger"])
        model.max_length = max_length
        return model
    rules = import_module("spacy.lang.en").English()
    rules.add_pipe("sentencizer")
    return rules
