"""Settings as a strategy, ready to cut."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from chunkwright.chunking import registry
from chunkwright.cli.settings.embedder import Progress, named_embedder
from chunkwright.cli.settings.flags import calling
from chunkwright.cli.settings.runner import named_runner
from chunkwright.cli.settings.table import LLM, Settings, cutting
from chunkwright.messages.logs import SLOW_SECONDS, timed

if TYPE_CHECKING:
    from chunkwright.chunking import AnyStrategy
    from chunkwright.llm import Runner

    MakeRunner = Callable[[], Runner]


def describe(settings: Settings, language: str | None = None) -> str:
    """Say how is cut, on one line; of a document in a language with the separators that it has."""
    if language is not None and heeds_language(settings):
        settings = replace(settings, options={**settings.options, "separators": language})
    options = ", ".join(f"{name}={value!r}" for name, value in _options(settings).items())
    return f"{settings.strategy}, {options}"


def strategy_of(
    settings: Settings,
    progress: Progress | None = None,
    keys: Collection[str] = (),
    llm: "MakeRunner | None" = None,
) -> "AnyStrategy":
    """Make the strategy that the settings describe.

    Parameters
    ----------
    settings
        The settings.
    progress
        Is told by a model how many texts of a call it has embedded.
    keys
        Settings that errors name by these keys, and not by flags.
    llm
        Gives the runner of a strategy that asks a language model; None: that of the settings.

    Raises
    ------
    ConfigError, TokenizerError, ModelError
        If a setting, or two together, make no sense, or a model cannot be used; names it.
    """
    make = partial(named_embedder, is_cached=settings.vector_cache, progress=progress)
    table = {"strategy": settings.strategy, **_options(settings)}
    if takes_model(settings.strategy):
        table[LLM] = llm() if llm is not None else named_runner(settings)
    making = timed(f"making strategy {settings.strategy!r}", least=SLOW_SECONDS)
    with calling({key: key for key in keys}), making:
        return registry.strategy_of(table, embedder=make)


def takes_model(strategy: str) -> bool:
    """Return whether a strategy of that name asks a language model."""
    return LLM in registry.strategy_class(strategy).models


def strategies_of(
    settings: Settings,
    progress: Progress | None = None,
    keys: Collection[str] = (),
    llm: "MakeRunner | None" = None,
) -> "Callable[[str | None], AnyStrategy]":
    """Return what makes the strategy for texts in a language; None is any.

    Where a strategy takes separators and the settings name none, those of the language are taken.

    Raises
    ------
    ConfigError, TokenizerError, ModelError
        As :func:`strategy_of`.
    """
    by_language = heeds_language(settings)
    plain = strategy_of(settings, progress, keys, llm)

    @cache
    def made(language: str | None) -> "AnyStrategy":
        if language is None or not by_language:
            return plain
        options = {**settings.options, "separators": language}
        return strategy_of(replace(settings, options=options), progress, keys, llm)

    return made


def heeds_language(settings: Settings) -> bool:
    """Return whether separators are those of a document's language: settings name none."""
    takes_language = "separators" in registry.options_of(settings.strategy)
    return takes_language and "separators" not in settings.options


def _options(settings: Settings) -> dict[str, Any]:
    own = {name: settings.options[name] for name in cutting() if name in settings.options}
    own.pop("tokenizer", None)
    return {**settings.limit, **own, "tokenizer": settings.tokenizer}
