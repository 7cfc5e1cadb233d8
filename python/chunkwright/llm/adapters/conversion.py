"""Conversion to language models: functions, names, and objects of other libraries."""

from __future__ import annotations

from typing import Any

from chunkwright.errors import ConfigError
from chunkwright.llm.adapters.function import Function
from chunkwright.llm.protocol import LanguageModel, LanguageModelLike

# Of what is no model, so much is shown.
_SHOWN = 80
_OF_LANGCHAIN = ("invoke", "ainvoke")
# The adapters that take a client of a provider's library, what tells such a client, and a model.
_OF_CLIENTS = {
    "OpenAIChat": (("chat", "completions", "create"), "gpt-4.1-mini"),
    "AnthropicChat": (("messages", "create"), "claude-haiku-4-5"),
}


def as_language_model(like: LanguageModelLike, *, name: str | None = None) -> LanguageModel:
    """Return an object as a language model.

    Parameters
    ----------
    like
        - a model
        - a function, plain or ``async``: see `chunkwright.llm.Function`
        - the name of one of OpenAI's or Anthropic's models, such as ``"gpt-4.1-mini"`` or
          ``"anthropic:claude-haiku-4-5"``; the key is that of the environment
        - a chat model of LangChain's kind: what has ``invoke`` or ``ainvoke``

        A client of the libraries openai or anthropic names no model: see
        `chunkwright.llm.OpenAIChat.from_client`.
    name
        What a function is known by, so that its replies are kept: another behaviour needs another
        name.

    Raises
    ------
    ConfigError
        If it is none of these, or a key is missing.

    Examples
    --------
    >>> from chunkwright.llm import as_language_model
    >>> as_language_model(lambda messages: "Yes.").fingerprint
    ''
    """
    if isinstance(like, type):
        raise ConfigError(f"llm must be an object, got the class {like.__name__}", option="llm")
    if isinstance(like, str):
        from chunkwright.llm.adapters.providers import named_model

        return named_model(like)
    if callable(getattr(like, "complete", None)):
        return _checked_model(like)
    _check_no_client(like)
    if any(callable(getattr(like, method, None)) for method in _OF_LANGCHAIN):
        from chunkwright.llm.adapters.langchain import LangChainModel

        return LangChainModel(like, name=name or "")
    if not callable(like):
        raise ConfigError(
            f"{repr(like)[:_SHOWN]} is no language model: it has no complete()", option="llm"
        )
    return Function(like, name=name or "")


def _check_no_client(like: object) -> None:
    """Refuse a client of a provider's library, which names no model."""
    for adapter, (methods, model) in _OF_CLIENTS.items():
        if _has_method(like, *methods):
            kind = type(like).__name__
            raise ConfigError(
                f"llm is a client ({kind}) and names no model: say "
                f"llm={adapter}.from_client(client, {model!r})"
            )


def _has_method(like: object, *names: str) -> bool:
    """Return whether an attribute of an attribute, and so on, can be called."""
    found: Any = like
    for name in names:
        found = getattr(found, name, None)
    return callable(found)


def _checked_model(like: Any) -> LanguageModel:
    if not isinstance(getattr(like, "fingerprint", None), str):
        raise ConfigError(
            f"{repr(like)[:_SHOWN]} is no language model: it has no fingerprint", option="llm"
        )
    model: LanguageModel = like
    return model
