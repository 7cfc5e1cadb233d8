"""Settings as a strategy, ready to cut."""

from collections.abc import Collection, Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from chunkwright.cli.flags import FLAGS, named_as_flags
from chunkwright.cli.settings.embedder import Progress, with_embedder
from chunkwright.cli.settings.table import BY_MEANING, Settings
from chunkwright.errors import ConfigError
from chunkwright.logs import timed

if TYPE_CHECKING:
    from chunkwright.chunking import AnyStrategy

OPTIONAL = (
    *("soft_max", "overlap", "overlap_at", "separators", "sentences", "window"),
    *BY_MEANING,
)


def describe(settings: Settings) -> str:
    """Say how is cut, on one line."""
    options = _options(settings)
    if settings.language is not None:
        options["language"] = settings.language
    return ", ".join([settings.strategy, *(f"{name}={value!r}" for name, value in options.items())])


def strategy_of(
    settings: Settings, progress: Progress | None = None, keys: Collection[str] = ()
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

    Raises
    ------
    ConfigError, TokenizerError, ModelError
        If a setting, or two together, make no sense, or a model cannot be used; names it.
    """
    from chunkwright import Recursive
    from chunkwright.chunking import make_strategy

    options, language = _options(settings), settings.language
    if language is not None and settings.strategy != "recursive":
        options["language"] = language
    _check_options(settings.strategy, options, keys)
    with named_as_flags(keys), timed(f"making strategy {settings.strategy!r}"):
        options = with_embedder(options, settings, progress)
        if language is None or settings.strategy != "recursive":
            return make_strategy(settings.strategy, options)
        if settings.separators is not None:
            both = f"language {language!r} brings its own separators"
            raise ConfigError(f"{both}: give one of the two")
        return Recursive.for_language(language, **options)


def _check_options(strategy: str, options: Iterable[str], keys: Collection[str]) -> None:
    """Check that a strategy has the options; that it is known, others check."""
    from chunkwright.chunking import ALL_STRATEGIES

    known = {name: {field.name for field in fields(kind)} for name, kind in ALL_STRATEGIES.items()}
    known["recursive"].add("language")
    for option in options:
        if option not in known.get(strategy, {option}):
            owners = ", ".join(repr(name) for name, names in known.items() if option in names)
            called = option if option in keys else FLAGS[option][0]
            raise ConfigError(f"strategy {strategy!r} has no {called}, which is for {owners}")


def _options(settings: Settings) -> dict[str, Any]:
    values = {name: getattr(settings, name) for name in OPTIONAL}
    given = {name: value for name, value in values.items() if value is not None}
    return {**settings.limit, **given, "tokenizer": settings.tokenizer}
