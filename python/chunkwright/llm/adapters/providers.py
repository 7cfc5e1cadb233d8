"""Language models by their names: which provider serves a name, and what it needs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from chunkwright.llm.adapters.served import Served

BASE_URLS = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
}
"""The providers behind servers, each with the address of its own."""

# How the names of their models begin.
_BEGINNINGS = {
    "openai": ("gpt-", "chatgpt-", "o1", "o3", "o4"),
    "anthropic": ("claude-",),
}


def named_model(name: str) -> Served:
    """Return the model that has a name, behind its provider's server.

    The key comes from the environment (``OPENAI_API_KEY``, ``ANTHROPIC_API_KEY``), and so does
    another address of the server (``OPENAI_BASE_URL``, ``ANTHROPIC_BASE_URL``).

    Parameters
    ----------
    name
        ``"openai:gpt-4.1-mini"`` or ``"anthropic:claude-haiku-4-5"``; of names that begin as those
        of a provider do, the provider may be left out.

    Raises
    ------
    ConfigError
        If nothing tells the provider, or its key is missing; names the variable.
    """
    provider, model = _provider_and_model(name)
    base_url = os.environ.get(f"{provider.upper()}_BASE_URL") or BASE_URLS[provider]
    key = f"{provider.upper()}_API_KEY"
    # A server of one's own may need none.
    if base_url == BASE_URLS[provider] and not os.environ.get(key):
        raise ConfigError(f"llm={name!r} needs a key: set the environment's {key}")
    from chunkwright.llm.adapters.anthropic import AnthropicChat
    from chunkwright.llm.adapters.openai import OpenAIChat

    kind = AnthropicChat if provider == "anthropic" else OpenAIChat
    return kind(base_url, model)


def _provider_and_model(name: str) -> tuple[str, str]:
    """Return the provider and its name of a model."""
    provider, colon, model = name.partition(":")
    if colon and provider in BASE_URLS and model.strip():
        return provider, model
    for provider, beginnings in _BEGINNINGS.items():
        if name.startswith(beginnings):
            return provider, name
    raise ConfigError(
        f"llm={name[:80]!r} is no language model whose provider is known: say 'openai:...' or "
        "'anthropic:...', or llm=OpenAIChat(base_url, model) for a model on another server"
    )
