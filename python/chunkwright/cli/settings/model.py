"""Settings of a language model, and of the context that it or the structure gives to chunks."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from chunkwright.settings import setting


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """The settings of a language model, as `chunkwright.llm.runner_of` takes them."""

    model: str | None = setting("Language model, as the server calls it.")
    provider: str | None = setting(
        "openai (the default: OpenAI's interface, as most servers have it), anthropic, or object: "
        "--model is then module:attribute, a function of your own."
    )
    base_url: str | None = setting("Where the server is. Default: the provider's own.")
    api_key_env: str | None = setting(
        "Environment variable with the key. Default: OPENAI_API_KEY or ANTHROPIC_API_KEY."
    )
    request_options: Sequence[str] = setting(
        "Further member of each request, such as seed=1; may be repeated.", default=()
    )
    stream: bool = setting("Have the server send tokens as they come.", default=False)
    concurrency: int | None = setting("Requests at once. Default: 8.", kind=int)
    timeout: float | None = setting("Seconds that an answer may take. Default: 120.", kind=float)
    retries: int | None = setting(
        "How often a request that fails is repeated. Default: 5.", kind=int
    )
    reply_cache: bool = setting(
        "Keep replies on disk (the default); doctor shows where.", default=True
    )
    price_input: float | None = setting("Price of a million tokens of the requests.", kind=float)
    price_output: float | None = setting("Price of a million tokens of the replies.", kind=float)
    price_cached: float | None = setting(
        "Price of a million tokens that the provider reads from its cache.", kind=float
    )
    price_written: float | None = setting(
        "Price of a million tokens that the provider puts into its cache.", kind=float
    )
    budget_calls: int | None = setting("Requests that are sent, at most.", kind=int)
    budget_tokens: int | None = setting("Tokens of requests and replies, at most.", kind=int)
    budget_cost: float | None = setting("Money, at most; needs the prices.", kind=float)


MODEL = tuple(each.name for each in fields(ModelSettings))
"""The names of the settings of a language model."""
TRUSTED = ("provider", "base_url", "api_key_env")
"""Those that say where texts and keys go, and what code is run."""


@dataclass(frozen=True, kw_only=True)
class ContextSettings:
    """The settings of snippets, as `chunkwright.Contextual` takes them, the prompt by its file."""

    context: str | None = setting(
        "What a model is shown: neighbours (the default) or the whole document; or structure: "
        "snippets of titles, headings and neighbours' first words, without a model."
    )
    neighbours: int | None = setting("Chunks before, and chunks behind. Default: 2.", kind=int)
    max_context_tokens: int | None = setting(
        "Tokens of neighbours at most. Default: 2000.", kind=int
    )
    max_document_tokens: int | None = setting(
        "A longer document is not shown as a whole. Default: 100000.", kind=int
    )
    max_snippet_tokens: int | None = setting("Tokens of a snippet at most. Default: 100.", kind=int)
    temperature: float | None = setting(
        "Chance in the model's words, from 0. Default: 0.3.", kind=float
    )
    snippet_prompt: str | None = setting("File with a prompt of your own for snippets.")


CONTEXT = tuple(each.name for each in fields(ContextSettings))
"""The names of the settings of contextual chunking."""
