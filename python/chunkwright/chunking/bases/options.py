"""Options that strategies share, checked by the core when a strategy is made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from chunkwright import _core
from chunkwright._strategies import CLASSES
from chunkwright.checks import MAX_SIZE
from chunkwright.chunking.option_table import BESIDE, Option, option_table
from chunkwright.chunking.peer_terms import peers_option
from chunkwright.chunking.separators import Separator, checked_marks, marks_as_data
from chunkwright.tokens.tokenizer import Tokenizer, TokenizerLike, as_tokenizer

if TYPE_CHECKING:
    from chunkwright.chunking.option_types import KeepMark, OverlapAt, Size

Takes = Literal["text", "elements", "json"]
DEFAULT_MAX_TOKENS = _core.DEFAULT_MAX_TOKENS
"""The limit where none is given."""


@dataclass(frozen=True, kw_only=True)
class Limited(ABC):
    """How large chunks may be, and what that is counted in; see :class:`Sizes`.

    Raises
    ------
    ConfigError
        If a value is out of range, naming it.
    """

    max_tokens: int | None = None
    max_chars: int | None = None
    tokenizer: TokenizerLike = "cl100k_base"
    _tokenizer: Tokenizer = field(init=False, repr=False, compare=False)
    _limit: int = field(init=False, repr=False, compare=False)

    # For type checkers the fields are the arguments.
    if not TYPE_CHECKING:

        def __new__(cls, *_: Any, **options: Any) -> Self:
            """Say what another library's option is called here, before Python refuses it."""
            known = cls.__dataclass_fields__
            for option in options:
                if option not in known and (hint := peers_option(option, known)):
                    raise TypeError(f"{cls.__name__}() has no {option}: {''.join(hint)}")
            return super().__new__(cls)

    def __post_init__(self) -> None:
        set_derived(self, "_tokenizer", as_tokenizer(self.tokenizer))
        set_derived(self, "_limit", self._derive())
        if self.max_tokens is None and self.max_chars is None and self._limit < MAX_SIZE:
            set_derived(self, "max_tokens", self._limit)

    def __reduce__(self) -> tuple[Any, ...]:
        # What is derived from the options is derived anew.
        options = {f.name: getattr(self, f.name) for f in fields(self) if f.init}
        return _remade, (type(self), options)

    @abstractmethod
    def _derive(self) -> int:
        """Have the options checked, make what cuts by them, and return the limit."""

    @property
    def limit(self) -> int:
        """The size of the largest chunk, in tokens or, with ``max_chars``, in code points."""
        return self._limit

    @property
    def counter(self) -> Tokenizer:
        """What counts the tokens of chunks: the option ``tokenizer`` as an object."""
        return self._tokenizer

    @property
    def sizes_are_tokens(self) -> bool:
        """Whether sizes are tokens, and not code points."""
        return self.max_chars is None

    def measure(self, text: str) -> int:
        """Return the size of a text in the unit of :attr:`limit`.

        Raises
        ------
        TokenizerError
            If a callable tokenizer gives no count.
        """
        return self._tokenizer.count(text) if self.sizes_are_tokens else len(text)

    @property
    def _n_special(self) -> int:
        """How many special tokens a model adds to each text, where they count."""
        is_marked = self.sizes_are_tokens and self._tokenizer.special_tokens
        return self._tokenizer.count("") if is_marked else 0

    @property
    def unit(self) -> _core.Unit:
        """The unit of sizes."""
        return self._tokenizer.unit if self.sizes_are_tokens else CHARS


@dataclass(frozen=True, kw_only=True)
class Sizes(Limited):
    """How large chunks may be and how far they overlap, whatever the strategy over text.

    Parameters
    ----------
    max_tokens
        The largest chunk, in tokens; 512 by default. ``tokenizer`` counts them.
    max_chars
        The largest chunk, in characters, instead of tokens. Characters are code points. Give one of
        the two, not both.
    tokenizer
        The tokenizer that counts tokens; see :class:`chunkwright.Tokenizer`.
    soft_max
        The size at which a chunk is full; the limit itself by default.
    min_size
        The smallest size of a chunk: a smaller one joins a neighbour if both fit into one chunk and
        nothing keeps them apart; 0 by default. In the unit of the limit.
    overlap
        How much of the previous chunk is repeated, at most. It counts towards the limit, and is in
        the unit of the limit, as all sizes are.
    overlap_at
        Where an overlap may begin: at a ``"word"``, a ``"sentence"``, or ``"any"`` grapheme. If
        none begins within the overlap, nothing is repeated.
    split_at
        Marks at which a text is always cut: a ``str``, a :class:`chunkwright.Separator` (which may
        be a pattern), or several of them. Each part between two marks is cut as a text of its own:
        no chunk and no overlap crosses a mark, and small chunks are not joined across it.
    keep_mark
        Where a mark of ``split_at`` goes: to the ``"start"`` of the next chunk, to the ``"end"`` of
        the previous one, or into neither (``"drop"``). A :class:`chunkwright.Separator` has its own
        setting for this.

    Raises
    ------
    ConfigError
        If a value is out of range, naming it.
    """

    soft_max: Size | None = None
    min_size: Size | None = None
    overlap: Size = 0
    overlap_at: OverlapAt = "word"
    split_at: str | Separator | Sequence[str | Separator] | None = None
    keep_mark: KeepMark = "start"
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

        It can be written as JSON if all values are numbers, texts, flags or separators. An
        embedder, a tokenizer or a language model that is an object stays that object.
        ``chunkwright.strategy(**spec)`` makes an equal strategy.

        Examples
        --------
        >>> import chunkwright as cw
        >>> splitter = cw.Recursive(max_chars=90, separators=["---", cw.Separator(";", keep="end")])
        >>> splitter.spec["separators"]
        ['---', {'pattern': ';', 'regex': False, 'keep': 'end'}]
        >>> cw.strategy(**splitter.spec) == splitter
        True
        """
        data, known = self._data(), option_table(self._native)
        return {"strategy": self.name} | {
            each.name: _plain(known.get(each.name), data.get(each.name, value))
            for each in fields(self)
            if each.init and (value := getattr(self, each.name)) != each.default
        }

    def _derive(self) -> int:
        if self.split_at is not None:
            set_derived(self, "split_at", checked_marks(self.split_at))
        data = self._data()
        if self.models:
            # Before a model is read.
            _core.check_options(data)
        n_special, beside = self._n_special, self._beside()
        cutter = _core.Cutter(self.unit, data, special_tokens=n_special, **beside)
        set_derived(self, "_cutter", cutter)
        return cutter.hard_max

    def _data(self) -> dict[str, Any]:
        """Return the spec for the core: the options that are data, and not as the core has them."""
        own = vars(self)
        data = {"strategy": self._native} | {
            name: value
            for name, usual in _usual(self._native)
            if (value := own[name]) is not usual
            and (type(value) is not type(usual) or value != usual)
        }
        if "split_at" in data:
            data["split_at"] = marks_as_data(data["split_at"])
        return data

    def _beside(self) -> dict[str, Any]:
        """Return what the core needs beside the spec: an embedder, who is asked."""
        option = option_table(self._native).get("embedder")
        embedder: Any = getattr(self, "embedder", None)
        if option is None or (embedder is None and option.takes_none):
            return {}
        from chunkwright.embed import core_embedder

        return {"embedder": core_embedder(embedder)}


CHARS = _core.Unit.named("chars")
_PLAIN: dict[str, Callable[[Any], Any]] = {"size": index, "int": index, "number": float}


def set_derived(options: object, name: str, value: object) -> None:
    """Set a field that is derived from the others, on a frozen dataclass."""
    object.__setattr__(options, name, value)


@cache
def _usual(strategy: str) -> tuple[tuple[str, object], ...]:
    """Return the options of a strategy that are data, each with what the core takes it for."""
    known = option_table(strategy).values()
    return tuple((option.name, option.default) for option in known if option.kind not in BESIDE)


def _plain(option: Option | None, value: Any) -> Any:
    """Return a value as JSON has it, so that equal strategies have equal specs."""
    plain = _PLAIN.get(option.kind) if option else None
    return value if plain is None or value is None else plain(value)


def _remade(strategy: type[Limited], options: dict[str, Any]) -> Limited:
    return strategy(**options)
