"""Settings of a language model, as configuration files have them, made into a runner."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from chunkwright.checks import checked_name, checked_number, checked_path, checked_text
from chunkwright.errors import ConfigError, OptionName, nearest
from chunkwright.llm.adapters.providers import BASE_URLS
from chunkwright.llm.run.ledger import Budget, Prices
from chunkwright.llm.run.reply_cache import replies_folder
from chunkwright.llm.run.runner import Progress, Runner
from chunkwright.objects import object_of

if TYPE_CHECKING:
    from chunkwright.llm.adapters.served import Served

T = TypeVar("T")

OBJECT = "object"
"""The provider of models that are objects of Python."""
PROVIDERS = (*BASE_URLS, OBJECT)
"""Interfaces that a model may be behind."""

_COMMON = ("provider", "model", "options", "concurrency", "timeout", "cache", "prices", "budget")
_SERVED = ("base_url", "api_key_env", "retries", "stream")
# A request may be repeated, so it takes longer than one answer.
_PER_REQUEST = 2.5
_HEX_DIGITS = 12
_VARIABLE = re.compile("[A-Z_][A-Z0-9_]*")


def runner_of(
    settings: Mapping[str, Any],
    *,
    folder: str | os.PathLike[str] = ".",
    progress: Progress | None = None,
) -> Runner:
    """Return the runner that settings describe.

    The key of a server comes from the environment, and from nowhere else.

    Parameters
    ----------
    settings
        Each has a default but ``model``:

        - ``provider``: what interface the model is behind, ``"openai"`` (the default) or
          ``"anthropic"``; or ``"object"``, for an object of Python
        - ``model``: what the server calls it; of an object ``"module:attribute"``: a function, a
          `LanguageModel`, or a class, which is called
        - ``base_url``: where the server is; by default the provider's own
        - ``api_key_env``: the variable of the environment that has the key; by default
          ``"OPENAI_API_KEY"`` or ``"ANTHROPIC_API_KEY"``
        - ``options``: further members of each request; what an object is called with
        - ``stream``: whether the server sends tokens as they come
        - ``retries``: how often a request that fails is repeated
        - ``timeout``: seconds that one answer may take; a request with its repetitions may take
          2.5 times as long
        - ``concurrency``: requests under way at once, at most
        - ``cache``: the folder that keeps replies, by default that of `replies_folder`; false:
          none. What an object replies is kept until its module's file or its options change.
        - ``prices``: ``input``, ``output``, perhaps ``cached`` and ``written``, see `Prices`
        - ``budget``: ``calls``, ``tokens`` and ``cost``, see `Budget`
    folder
        Relative paths, and the modules of objects, are looked for in it.
    progress
        Is told of the counts, from time to time.

    Raises
    ------
    ConfigError
        If a key is unknown, or a value makes no sense; names both.
    MissingExtraError
        If the default folder of replies needs a library that is not installed.

    Examples
    --------
    >>> from chunkwright.llm import runner_of
    >>> local = {"model": "llama3.2:3b", "base_url": "http://127.0.0.1:11434/v1", "cache": False}
    >>> runner_of(local).fingerprint
    'openai:http://127.0.0.1:11434/v1:llama3.2:3b'
    """
    provider = checked_name("provider", settings.get("provider", PROVIDERS[0]), PROVIDERS)
    _check_keys(settings, _COMMON if provider == OBJECT else (*_COMMON, *_SERVED), provider)
    if "model" not in settings:
        raise ConfigError(OptionName("model"), " is missing")
    options = _table("options", settings.get("options", {}))
    if provider == OBJECT:
        llm, name = _object(checked_text("model", settings["model"]), options, Path(folder))
    else:
        llm, name = _served(provider, settings, options), None
    return Runner(
        llm,
        name=name,
        cache=_cache(settings.get("cache"), Path(folder)),
        prices=_of_table(Prices, "prices", settings.get("prices")),
        budget=_of_table(Budget, "budget", settings.get("budget")),
        progress=progress,
        **_times(settings, is_served=provider != OBJECT),
    )


def _check_keys(settings: Mapping[str, Any], known: Iterable[str], provider: str) -> None:
    for key in settings:
        if key in known:
            continue
        if key in _SERVED:
            what = " is for models behind a server, not for provider"
            raise ConfigError(OptionName(key), f"{what} {provider!r}")
        raise ConfigError(f"unknown key {key!r}; {nearest(key, sorted(known))}")


def _table(name: str, value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigError.refused(name, "a table", value)
    return dict(value)


def _served(provider: str, settings: Mapping[str, Any], options: dict[str, Any]) -> Served:
    from chunkwright.llm.adapters.providers import AnthropicChat, OpenAIChat

    kind = AnthropicChat if provider == "anthropic" else OpenAIChat
    base_url = checked_text("base_url", settings.get("base_url", BASE_URLS[provider]))
    given = {key: settings[key] for key in ("retries", "stream", "timeout") if key in settings}
    key = _key(settings["api_key_env"]) if "api_key_env" in settings else None
    return kind(base_url, settings["model"], api_key=key, options=options, **given)


def _key(variable: object) -> str:
    name = checked_text("api_key_env", variable, is_secret=True)
    if not (key := os.environ.get(name)):
        # A user who wrote the key itself here must not find it in a log.
        shown = f", got {name!r}" if _VARIABLE.fullmatch(name) else ""
        what = f" must be a variable of the environment{shown}"
        raise ConfigError(OptionName("api_key_env"), what)
    return key


def _object(name: str, options: dict[str, Any], folder: Path) -> tuple[Any, str]:
    """Return an object, and a name for it that changes with its module and options."""
    try:
        made, described = object_of(name, options or None, folder)
    except ConfigError as error:
        parts = OptionName("model"), ": ", *error.parts
        raise ConfigError(*parts, option=error.option) from error
    whole = json.dumps([described, options], sort_keys=True, default=str)
    return made, f"{name}:{sha256(whole.encode()).hexdigest()[:_HEX_DIGITS]}"


def _times(settings: Mapping[str, Any], *, is_served: bool) -> dict[str, Any]:
    given = {key: settings[key] for key in ("concurrency", "timeout") if key in settings}
    if "timeout" in given:
        seconds = checked_number("timeout", given["timeout"], least=0)
        given["timeout"] = seconds * (_PER_REQUEST if is_served else 1)
    return given


def _cache(given: object, folder: Path) -> Path | None:
    if given is None:
        return replies_folder()
    return None if given is False else folder / checked_path("cache", given)


def _of_table(kind: type[T], name: str, given: object) -> T | None:
    """Return prices or a budget; None if there are none."""
    if given is None:
        return None
    table = _table(name, given)
    known = {field.name: field.default for field in fields(kind)}  # type: ignore[arg-type]
    for key in table.keys() - known.keys():
        raise ConfigError(f"{name}: unknown key {key!r}; {nearest(key, sorted(known))}")
    for key, default in known.items():
        if default is MISSING and key not in table:
            raise ConfigError(OptionName(f"{name}.{key}"), " is missing")
    try:
        return kind(**table)
    except ConfigError as error:
        error.spell(lambda option: OptionName(f"{name}.{option}"))
        raise
