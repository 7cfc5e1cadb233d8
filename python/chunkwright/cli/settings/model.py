"""Settings of a language model, and of the context that it or the structure gives to chunks."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from chunkwright.settings import setting


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """The settings of a language model, as `chunkwright.llm.runner_of` takes them."""

    model: str | None = setting("Name of the language model, as the server calls it.")
    provider: str | None = setting(
        "openai (the default: OpenAI's interface, as most servers have it), anthropic, or object: "
        "--model is then module:attribute, a function of your own."
    )
    base_url: str | None = setting("Address of the server. Default: the provider's own.")
    api_key_env: str | None = setting(
        "Environment variable with the key. Default: OPENAI_API_KEY or ANTHROPIC_API_KEY."
    )
    request_options: Sequence[str] = setting(
        "Further field of each request, such as seed=1; may be repeated.", default=()
    )
    stream: bool = setting(
        "Stream the tokens, for proxies that end silent connections.", default=False
    )
    concurrency: int | None = setting("Concurrent requests. Default: 8.", kind=int)
    timeout: float | None = setting(
        "Timeout of a request in seconds; with its retries it may take 2.5 times as long. "
        "Default: 120.",
        kind=float,
    )
    retries: int | None = setting("Most retries of a failed request. Default: 5.", kind=int)
    reply_cache: bool = setting(
        "Cache replies on disk (the default); doctor shows where.", default=True
    )
    price_input: float | None = setting(
        "Price of a million tokens of requests (input).", kind=float
    )
    price_output: float | None = setting(
        "Price of a million tokens of replies (output).", kind=float
    )
    price_cached: float | None = setting(
        "Price of a million tokens that the provider reads from its cache.", kind=float
    )
    price_written: float | None = setting(
        "Price of a million tokens that the provider writes to its cache.", kind=float
    )
    budget_calls: int | None = setting("Budget: most requests that are sent.", kind=int)
    budget_tokens: int | None = setting("Budget: most tokens of requests and replies.", kind=int)
    budget_cost: float | None = setting(
        "Budget: most money, in the unit of the prices.", kind=float
    )


MODEL = tuple(each.name for each in fields(ModelSettings))
"""The names of the settings of a language model."""
TRUSTED = ("provider", "base_url", "api_key_env")
"""Those that say where texts and keys go, and what code is run."""


@dataclass(frozen=True, kw_only=True)
class ContextSettings:
    """The settings of snippets, as `chunkwright.Contextual` takes them, the prompt by its file."""

    context: str | None = setting(
        "What the model is shown beside the chunk: neighbours (the default) or the whole document. "
        "structure makes snippets of titles, headings and neighbours' first words, without a "
        "model."
    )
    neighbours: int | None = setting(
        "Number of chunks before, and of chunks after. Default: 2.", kind=int
    )
    max_context_tokens: int | None = setting(
        "Most tokens of all neighbours. Default: 2000.", kind=int
    )
    max_document_tokens: int | None = setting(
        "Longest document, in tokens, that is shown whole; of a longer one, the neighbours. "
        "Default: 100000.",
        kind=int,
    )
    max_snippet_tokens: int | None = setting("Most tokens of a snippet. Default: 100.", kind=int)
    temperature: float | None = setting(
        "Sampling temperature of the model, from 0. Default: 0.3.", kind=float
    )
    snippet_prompt: str | None = setting("File with a prompt of your own for snippets.")


CONTEXT = tuple(each.name for each in fields(ContextSettings))
"""The names of the settings of contextual chunking."""
