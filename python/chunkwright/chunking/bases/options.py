"""Options that strategies share, checked when a strategy is made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args

from chunkwright import _core
from chunkwright._strategies import CLASSES
from chunkwright.checks import MAX_SIZE, checked_int, checked_name
from chunkwright.chunking.peer_terms import peers_option
from chunkwright.errors import ConfigError
from chunkwright.tokens.tokenizer import Tokenizer, TokenizerLike, as_tokenizer

OverlapAt = Literal["word", "sentence", "any"]
Takes = Literal["text", "elements", "json"]
Size = int
"""A size in the unit of the limit, which has no meaning under a limit in another one."""

_PLACES = get_args(OverlapAt)

DEFAULT_MAX_TOKENS = 512
"""The limit where none is given."""


@dataclass(frozen=True, kw_only=True)
class Limited(ABC):
    """How large chunks may be, and what that is counted in.

    Parameters
    ----------
    max_tokens
        The largest chunk, in tokens; 512 by default. They are those of ``tokenizer``.
    max_chars
        The largest chunk in code points, instead. One of the two is the limit.
    tokenizer
        What counts tokens; see :class:`chunkwright.Tokenizer`.

    Raises
    ------
    ConfigError
        If a value is out of range, naming it.
    """

    max_tokens: int | None = None
    max_chars: int | None = None
    tokenizer: TokenizerLike = "cl100k_base"
    _tokenizer: Tokenizer = field(init=False, repr=False, compare=False)

    # For type checkers the fields are the arguments.
    if not TYPE_CHECKING:

        def __new__(cls, *_: Any, **options: Any) -> Self:
            """Say what another library's option is called here, before Python refuses it."""
            known = cls.__dataclass_fields__
            for option in options:
                if option not in known and (hint := peers_option(option, known)):
                    raise TypeError(f"{cls.__name__}() has no {option}: {hint}")
            return super().__new__(cls)

    def __post_init__(self) -> None:
        set_derived(self, "_tokenizer", as_tokenizer(self.tokenizer))
        if self._needs_limit and self.max_tokens is None and self.max_chars is None:
            set_derived(self, "max_tokens", DEFAULT_MAX_TOKENS)
        self._derive()

    def __reduce__(self) -> tuple[Any, ...]:
        # What is derived from the options is derived anew.
        options = {f.name: getattr(self, f.name) for f in fields(self) if f.init}
        return _remade, (type(self), options)

    @abstractmethod
    def _derive(self) -> None:
        """Check the options and make what cuts by them."""

    def _checked_limit(self) -> tuple[str, int]:
        """Return the name and the value of the limit."""
        if self.max_tokens is not None and self.max_chars is not None:
            both = f"max_tokens={self.max_tokens!r} and max_chars={self.max_chars!r}"
            raise ConfigError(
                f"exactly one of max_tokens and max_chars can be the limit, got {both}",
                option="max_chars",
            )
        name = "max_tokens" if self._in_tokens else "max_chars"
        limit = checked_int(name, getattr(self, name), least=1)
        if self._in_tokens and self._tokenizer.special_tokens:
            n_special = self._tokenizer.count("")
            if limit <= n_special:
                reason = f"the model adds {n_special} special tokens to each text"
                raise ConfigError(
                    f"max_tokens must be more than {n_special}, got {limit}: {reason}",
                    option="max_tokens",
                )
        return name, limit

    @property
    def _needs_limit(self) -> bool:
        """Whether there is nothing else to say where a chunk ends."""
        return True

    @property
    def _in_tokens(self) -> bool:
        return self.max_chars is None

    @property
    def _unit(self) -> _core.Unit:
        """What sizes are counted in."""
        return self._tokenizer.unit if self._in_tokens else CHARS


@dataclass(frozen=True, kw_only=True)
class Sizes(Limited):
    """How large chunks may be and how far they overlap, whatever the strategy over text.

    Parameters
    ----------
    max_tokens, max_chars, tokenizer
        See :class:`Limited`.
    soft_max
        The size at which a chunk is full; the limit itself by default.
    min_size
        Chunks with less text of their own are joined with a neighbour, if both fit into one and
        nothing keeps them apart; 0 by default. In the unit of the limit.
    overlap
        How much of the chunk before is repeated, at most. It counts against the limit, and is in
        its unit, as all sizes are.
    overlap_at
        Where an overlap may begin: at a ``"word"``, a ``"sentence"``, or ``"any"`` grapheme. Where
        none begins within reach, there is no overlap.

    Raises
    ------
    ConfigError
        If a value is out of range, naming it.
    """

    soft_max: Size | None = None
    min_size: Size | None = None
    overlap: Size = 0
    overlap_at: OverlapAt = "word"
    name: ClassVar[str]
    """The name of the strategy, in the registry and in :attr:`spec`."""
    takes: ClassVar[tuple[Takes, ...]] = ("text",)
    """The documents that it cuts."""
    columns: ClassVar[tuple[str, ...]] = ()
    """The columns that its rows have beside those of all chunks."""
    models: ClassVar[tuple[str, ...]] = ()
    """The names of its options that are models."""
    # The name of what cuts in the core: of the nearest built-in strategy that it is derived from.
    _native: ClassVar[str]

    _cutter: _core.Cutter = field(init=False, repr=False, compare=False)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if vars(cls).get("name") in CLASSES:
            cls._native = cls.name

    @property
    def spec(self) -> dict[str, Any]:
        """The strategy as data: ``strategy``, its name, and the options that are not the default.

        JSON can write it where all values are numbers, texts, flags and separators: an embedder, a
        tokenizer or a language model that is an object stays what it is.
        ``chunkwright.strategy(**spec)`` is an equal strategy.

        Examples
        --------
        >>> import chunkwright as cw
        >>> splitter = cw.Recursive(max_chars=90, separators=["---", cw.Separator(";", keep="end")])
        >>> splitter.spec["separators"]
        ['---', {'pattern': ';', 'regex': False, 'keep': 'end'}]
        >>> cw.strategy(**splitter.spec) == splitter
        True
        """
        checked = self._checked()
        return {"strategy": self.name} | {
            each.name: checked.get(each.name, value)
            for each in fields(self)
            if each.init and (value := getattr(self, each.name)) != each.default
        }

    def _derive(self) -> None:
        set_derived(self, "_cutter", _core.Cutter(self._unit, self._checked(), **self._beside()))

    def _checked_limit(self) -> tuple[str, int]:
        if self._needs_limit or self.max_tokens is not None or self.max_chars is not None:
            return super()._checked_limit()
        for option in ("soft_max", "min_size", "overlap"):
            if value := getattr(self, option):
                raise ConfigError(
                    f"{option} needs max_tokens or max_chars, got {value!r}", option=option
                )
        return "max_tokens", MAX_SIZE

    def _checked(self) -> dict[str, Any]:
        """Check the options, and return them for the core: the spec without what is no data."""
        limit, hard_max = self._checked_limit()
        spec: dict[str, Any] = {"strategy": self._native, limit: hard_max}
        full = hard_max
        if self.soft_max is not None:
            limit = "soft_max"
            full = spec[limit] = checked_int(limit, self.soft_max, least=1, most=hard_max)
        overlap = checked_int("overlap", self.overlap, least=0)
        if overlap >= full:
            raise ConfigError(
                f"overlap must be less than {limit}={full}, got {overlap}", option="overlap"
            )
        if self.min_size is not None:
            spec["min_size"] = checked_int("min_size", self.min_size, least=0, most=hard_max)
        spec["overlap_at"] = checked_name("overlap_at", self.overlap_at, _PLACES)
        if overlap:
            spec["overlap"] = overlap
        return spec

    def _beside(self) -> dict[str, Any]:
        """Return what the core needs beside the spec: an embedder, who is asked."""
        return {}


CHARS = _core.Unit.named("chars")


def set_derived(options: object, name: str, value: object) -> None:
    """Set a field that is derived from the others, on a frozen dataclass."""
    object.__setattr__(options, name, value)


def _remade(strategy: type[Limited], options: dict[str, Any]) -> Limited:
    return strategy(**options)
