"""Registry of the strategies: what names, classes and options there are, and the call by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from chunkwright._strategies import CLASSES, MODULES
from chunkwright.chunking.peer_terms import nearest_option, peers_strategy, plain_name
from chunkwright.chunking.plugins import plugin_class, plugins
from chunkwright.errors import ConfigError, OptionName, nearest

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Source
    from chunkwright.chunking.bases.options import Takes
    from chunkwright.chunking.bases.strategy import Strategy
    from chunkwright.chunking.strategies.elements import ElementStrategy
    from chunkwright.chunking.strategies.sections import SectionStrategy
    from chunkwright.chunks import Chunks
    from chunkwright.embed import EmbedderLike

    AnyStrategy: TypeAlias = Strategy | ElementStrategy | SectionStrategy

T = TypeVar("T")


class Strategies(Mapping[str, type[T]], Generic[T]):
    """Classes by the names of their strategies, each imported when it is looked up.

    Iteration gives the built-in ones. Those that other packages add are found by their names; see
    :mod:`chunkwright.chunking.plugins`.

    Parameters
    ----------
    takes
        Of all strategies those that cut such documents; None: all.
    """

    def __init__(self, takes: Takes | None = None) -> None:
        self._takes = takes

    def __getitem__(self, name: str) -> type[T]:
        found: Any = _class_named(name)
        if found is None:
            raise KeyError(name)
        if self._takes is not None and self._takes not in found.takes:
            raise KeyError(name)
        return found  # type: ignore[no-any-return]

    def __contains__(self, name: object) -> bool:
        if name in CLASSES:
            return self._takes is None or name in self._names
        found = plugin_class(name) if isinstance(name, str) else None
        return found is not None and (self._takes is None or self._takes in found.takes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @cached_property
    def _names(self) -> list[str]:
        takes = self._takes
        return [name for name in CLASSES if takes is None or takes in ALL_STRATEGIES[name].takes]


def _class_named(name: str) -> type[Any] | None:
    if name not in CLASSES:
        return plugin_class(name)
    found: type[Any] = getattr(import_module(f"{__package__}.{MODULES[name]}"), CLASSES[name])
    return found


STRATEGIES: Strategies[Strategy] = Strategies("text")
"""The strategies over any text, by name."""

ELEMENT_STRATEGIES: Strategies[ElementStrategy | SectionStrategy] = Strategies("elements")
"""The strategies over elements, by name; some cut a text without elements as well."""

ALL_STRATEGIES: Strategies[AnyStrategy] = Strategies()
"""All strategies, by name: also that over JSON alone."""


def options_of(strategy: str) -> tuple[str, ...]:
    """Return the names of a strategy's options.

    Raises
    ------
    ConfigError
        If there is no such strategy, with the nearest that there is.
    """
    if isinstance(strategy, str) and strategy in CLASSES:
        from chunkwright.chunking.option_table import option_table

        return tuple(option_table(strategy))
    from dataclasses import fields

    return tuple(field.name for field in fields(strategy_class(strategy)) if field.init)


def make_strategy(strategy: str, options: Mapping[str, Any]) -> AnyStrategy:
    """Return the strategy of that name with ``options``.

    Raises
    ------
    ConfigError
        If the strategy or an option is unknown, with the nearest right name, or the strategies
        that have such an option.
    """
    _check_options(strategy, options)
    return strategy_class(strategy)(**options)


def strategy(strategy: str, **options: Any) -> AnyStrategy:
    """Return a strategy by its name, for names that are known only at run time.

    ``strategy.spec`` is the name of a strategy with its options, which a file, a request or a
    message to another process can hold.

    Parameters
    ----------
    strategy
        One of :data:`chunkwright.chunking.ALL_STRATEGIES`.
    **options
        Those of the strategy.

    Raises
    ------
    ConfigError
        As :func:`make_strategy`.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from_a_request = {"strategy": "window", "max_chars": 8}
    >>> splitter = cw.strategy(**from_a_request)
    >>> cw.chunk("One two three.", splitter).texts()
    ['One two ', 'three.']
    >>> splitter.spec
    {'strategy': 'window', 'max_chars': 8}
    """
    return make_strategy(strategy, options)


def strategy_of(
    table: Mapping[str, Any], *, embedder: Callable[[str], EmbedderLike]
) -> AnyStrategy:
    """Return the strategy that a table of settings describes: its name, and its options.

    Parameters
    ----------
    table
        ``strategy``, which is ``"recursive"`` where there is none, and options of it.
    embedder
        Makes an embedder of the name that the table has for it.

    Raises
    ------
    ConfigError
        As :func:`make_strategy` does, before an embedder is made.
    """
    options = dict(table)
    strategy = options.pop("strategy", "recursive")
    _check_options(strategy, options)
    if "embedder" in options:
        options["embedder"] = embedder(options["embedder"])
    return make_strategy(strategy, options)


def chunk(
    text: Source,
    strategy: str | AnyStrategy = "recursive",
    *,
    name: str | None = None,
    **options: Any,
) -> Chunks:
    """Cut ``text`` into chunks.

    Type checkers know the names of the strategies and the options of each. For a name that is known
    only at run time, use :func:`chunkwright.strategy`.

    Parameters
    ----------
    text
        The text, or a :class:`chunkwright.Document`; for a strategy over elements also a list of
        elements.
    strategy
        The name of one of :data:`chunkwright.chunking.ALL_STRATEGIES`: ``"recursive"`` is
        :class:`chunkwright.Recursive`, ``"by_title"`` is :class:`chunkwright.ByTitle`. Or a
        strategy, with the options that it was made with.
    name
        The document's name, from which ids are derived.
    **options
        The options of the strategy. Without ``max_tokens``, ``max_chars`` or ``sentences``, the
        limit is 512 tokens.

    Returns
    -------
    Chunks
        The chunks; none for an empty text, or for whitespace only.

    Raises
    ------
    ConfigError
        If the strategy or an option is unknown, or a value makes no sense; if there are options
        beside a strategy that has its own.
    ReadError
        If a list is not made of elements.
    TokenizerError
        If a callable tokenizer gives no count.
    ModelError
        If an embedder gives no vectors that can be used.

    Examples
    --------
    >>> import chunkwright as cw
    >>> chunks = cw.chunk("One sentence. And one more.", "recursive", max_tokens=4)
    >>> [(c.text, c.start, c.end, c.n_tokens) for c in chunks]
    [('One sentence. And', 0, 17, 4), ('one more.', 18, 27, 3)]
    """
    cut: Callable[..., Chunks] = as_strategy(strategy, options)
    return cut(text, name=name)


def as_strategy(strategy: str | AnyStrategy, options: Mapping[str, Any]) -> AnyStrategy:
    """Return a strategy as it is, or that of a name with options.

    Raises
    ------
    ConfigError
        As :func:`make_strategy`; if there are options beside a strategy that has its own.
    """
    from chunkwright.chunking.bases.strategy import Strategy

    if not isinstance(strategy, Strategy):
        return make_strategy(strategy, options)
    if options:
        called = type(strategy).__name__
        given = ", ".join(f"{option}={value!r}" for option, value in options.items())
        raise ConfigError(f"pass options to {called}(...) itself, got {given} beside it")
    return strategy


def unknown_strategy(name: object, known: Iterable[str] = CLASSES) -> str:
    """Return a hint for the unknown name of a strategy.

    Parameters
    ----------
    name
        What was given.
    known
        What could have been given.

    Returns
    -------
    str
        What does here what another library's strategy of that name does; else the nearest right
        name, or all.

    Examples
    --------
    >>> unknown_strategy("semantic")
    "by meaning there are 'kamradt', 'kamradt_modified', 'cluster', 'discontinuity'"
    >>> unknown_strategy("recursiv")
    "did you mean 'recursive'?"
    >>> unknown_strategy("TokenTextSplitter")
    "other libraries' 'token' is here 'window'"
    """
    if isinstance(name, type):
        return f"it is a class: make a strategy of it, {name.__name__}(max_tokens=...)"
    if not isinstance(name, str):
        return nearest(name, list(known))
    known = [*known, *(plugin.name for plugin in plugins())]
    words = ("semantic", "meaning", "embedding", "vector", "topic")
    if any(word in name.lower() for word in words):
        by_meaning = [name for name, kind in STRATEGIES.items() if "embedder" in kind.models]
        return f"by meaning there are {', '.join(map(repr, by_meaning))}"
    if (plain := plain_name(name)) in CLASSES:
        return f"did you mean {plain!r}?"
    return peers_strategy(name) or nearest(name, known)


def strategy_class(strategy: object) -> type[AnyStrategy]:
    """Return the class of a strategy, which says what it takes, gives and asks.

    Raises
    ------
    ConfigError
        If there is no such strategy, with the nearest that there is.
    """
    if isinstance(strategy, str) and strategy in ALL_STRATEGIES:
        return ALL_STRATEGIES[strategy]
    parts = "unknown ", OptionName("strategy"), f" {strategy!r}: {unknown_strategy(strategy)}"
    raise ConfigError(*parts, value=strategy, allowed=tuple(CLASSES))


def _check_options(strategy: str, options: Iterable[str]) -> None:
    known = options_of(strategy)
    for option in options:
        if option not in known:
            owners = [name for name in ALL_STRATEGIES if option in options_of(name)]
            if owners:
                have = ", ".join(map(repr, owners))
                lacks = f" {strategy!r} has no ", OptionName(option), f", which is for {have}"
                is_code = option == "language" and "separators" in known
                code = "; for code say, for example, ", OptionName("separators"), "='python'"
                parts = OptionName("strategy"), *lacks, *(code if is_code else ())
                raise ConfigError(*parts, option=option)
            what = f"unknown option {option!r} of {strategy!r}: "
            raise ConfigError(what, *nearest_option(option, known), option=option)
