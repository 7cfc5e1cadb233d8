"""Length functions: tokens of built-in vocabularies, of tiktoken's others, of Hugging Face's."""

from __future__ import annotations

import re
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from chunkwright import _core
from chunkwright.tokens.sources import encoding_of

Allowed = Literal["all"] | AbstractSet[str]
Disallowed = Literal["all"] | Collection[str]

# What tiktoken's `encode` takes for a special token, by vocabulary.
SPECIAL_TOKENS: dict[str, tuple[str, ...]] = {
    "cl100k_base": (
        "<|endoftext|>",
        "<|fim_prefix|>",
        "<|fim_middle|>",
        "<|fim_suffix|>",
        "<|endofprompt|>",
    ),
    "o200k_base": ("<|endoftext|>", "<|endofprompt|>"),
    "gpt2": ("<|endoftext|>",),
    "r50k_base": ("<|endoftext|>",),
}

_NO_TIKTOKEN = (
    "Could not import tiktoken python package. This is needed in order to {purpose}. "
    "Please install it with `pip install tiktoken`."
)


def built_in(encoding_name: object, model_name: object) -> str | None:
    """Name the built-in vocabulary that is meant, if it is one.

    Parameters
    ----------
    encoding_name
        tiktoken's name of an encoding.
    model_name
        A model's name, which goes before.

    Returns
    -------
    str | None
        A key of `SPECIAL_TOKENS`, or None.
    """
    if model_name is None:
        return next((name for name in SPECIAL_TOKENS if name == encoding_name), None)
    if not isinstance(model_name, str):
        return None
    return encoding_of(model_name)


def import_tiktoken(purpose: str = "calculate max_tokens_for_prompt") -> Any:
    """Import tiktoken.

    Raises
    ------
    ImportError
        If it is not installed; the message is LangChain's.
    """
    try:
        import tiktoken
    except ImportError as error:
        raise ImportError(_NO_TIKTOKEN.format(purpose=purpose)) from error
    return tiktoken


def encoding(encoding_name: str, model_name: str | None, **purpose: str) -> Any:
    """Load a `tiktoken.Encoding`; tiktoken's own errors say what is wrong with a name."""
    tiktoken = import_tiktoken(**purpose)
    if model_name is not None:
        return tiktoken.encoding_for_model(model_name)
    return tiktoken.get_encoding(encoding_name)


@cache
def bpe(name: str) -> _core.Tokenizer:
    """Return a built-in vocabulary, which stays warm."""
    return _core.Tokenizer.named(name)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a vocabulary, as many as ``tiktoken.Encoding.encode`` gives.

    Parameters
    ----------
    encoding_name, model_name
        The vocabulary; the model's name goes before.
    allowed_special, disallowed_special
        As in tiktoken.
    """

    encoding_name: str
    model_name: str | None = None
    allowed_special: Allowed | None = None
    disallowed_special: Disallowed = "all"
    vocabulary: str | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.allowed_special is None:
            object.__setattr__(self, "allowed_special", frozenset())
        name = built_in(self.encoding_name, self.model_name)
        if name is not None and self._is_usual():
            object.__setattr__(self, "vocabulary", name)
        if self.vocabulary is None or self.allowed_special:
            self.tiktoken()

    def _is_usual(self) -> bool:
        """Return whether a text without special tokens has just its ordinary tokens."""
        allowed = self.allowed_special == "all" or isinstance(self.allowed_special, set | frozenset)
        return allowed and (self.disallowed_special == "all" or not self.disallowed_special)

    def tiktoken(self) -> Any:
        """Return the `tiktoken.Encoding`."""
        return encoding(self.encoding_name, self.model_name)

    def built_in_for(self, text: str) -> str | None:
        """Name the built-in vocabulary if it gives the tokens of every slice of ``text``."""
        name = self.vocabulary
        if name is None or "<|" not in text:
            return name
        if not self.allowed_special and not self.disallowed_special:
            return name
        return None if any(token in text for token in SPECIAL_TOKENS[name]) else name

    def encode(self, text: str) -> list[int]:
        """Encode ``text``.

        Raises
        ------
        ValueError
            For a special token that is not allowed; the message is tiktoken's.
        """
        name = self.built_in_for(text)
        if name is not None:
            return bpe(name).encode(text)
        self._refuse_special(text)
        return self.tiktoken().encode(  # type: ignore[no-any-return]
            text,
            allowed_special=self.allowed_special,
            disallowed_special=self.disallowed_special,
        )

    def decode(self, ids: list[int]) -> str:
        """Decode tokens; bytes that are no UTF-8 become U+FFFD."""
        if self.vocabulary is None or self.allowed_special:
            return self.tiktoken().decode(ids)  # type: ignore[no-any-return]
        return bpe(self.vocabulary).decode(ids).decode("utf-8", "replace")

    def _refuse_special(self, text: str) -> None:
        """Raise what tiktoken does by default, also where it is not installed."""
        if self.vocabulary is not None and not self.allowed_special:
            tokens = map(re.escape, SPECIAL_TOKENS[self.vocabulary])
            if found := re.search("|".join(tokens), text):
                raise ValueError(_refusal(found[0]))

    def __call__(self, text: str) -> int:
        """Return how many tokens ``text`` has."""
        name = self.built_in_for(text)
        return len(self.encode(text)) if name is None else bpe(name).count(text)


def _refusal(token: str) -> str:
    return (
        f"Encountered text corresponding to disallowed special token {token!r}.\n"
        "If you want this text to be encoded as a special token, "
        f"pass it to `allowed_special`, e.g. `allowed_special={{{token!r}, ...}}`.\n"
        f"If you want this text to be encoded as normal text, disable the check for this token "
        f"by passing `disallowed_special=(enc.special_tokens_set - {{{token!r}}})`.\n"
        "To disable this check for all special tokens, pass `disallowed_special=()`.\n"
    )


@dataclass(frozen=True, slots=True)
class HuggingFaceTokens:
    """Tokens that a tokenizer of `transformers` cuts a text into, special ones not added.

    Parameters
    ----------
    tokenizer
        A ``PreTrainedTokenizerBase``.

    Raises
    ------
    ValueError
        If it is something else, or transformers is not installed.
    """

    tokenizer: Any

    def __post_init__(self) -> None:
        try:
            from transformers.tokenization_utils_base import PreTrainedTokenizerBase
        except ImportError as error:
            raise ValueError(
                "Could not import transformers python package. "
                "Please install it with `pip install transformers`."
            ) from error
        if not isinstance(self.tokenizer, PreTrainedTokenizerBase):
            raise ValueError(  # noqa: TRY004 - LangChain's own
                "Tokenizer received was not an instance of PreTrainedTokenizerBase"
            )

    def __call__(self, text: str) -> int:
        """Return how many tokens ``text`` has."""
        return len(self.tokenizer.tokenize(text))
