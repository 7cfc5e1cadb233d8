"""Token counters: those that the core can stand in for, and memos of a caller's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from chunkwright import _core
from chunkwright.errors import ChunkwrightError
from chunkwright.tokens.sources import is_of
from chunkwright.tokens.tokenizer import Tokenizer, as_tokenizer

# What a memo without a size of its own keeps: so many texts of at most so many code points.
_REMEMBERED = 1024
_SHORT = 4096


class NativeCounter:
    """A token counter that the core can stand in for.

    Parameters
    ----------
    function
        What it counts when it is called.
    unit
        What the core counts in.
    prefix
        The size of the chunks, and the code points of the longest token: a long text is known to be
        too large by its beginning. None where every text is counted whole.
    """

    __slots__ = ("function", "prefix", "unit")

    def __init__(
        self,
        function: Callable[[str], Any],
        unit: _core.Unit,
        prefix: tuple[int, int] | None = None,
    ) -> None:
        self.function: Callable[[str], Any] = function
        self.unit: _core.Unit = unit
        self.prefix: tuple[int, int] | None = prefix

    def __call__(self, text: str) -> Any:
        """Count the tokens of ``text``."""
        return self.function(text)

    def __deepcopy__(self, memo: object) -> NativeCounter:
        """Return itself, as functions do."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the function, which is recognised again; a closure is an error, as ever."""
        return recognised, (self.function,)


def recognised(counter: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return ``counter``, as one that the core can stand in for if it is known."""
    if counter is len:
        return NativeCounter(len, as_tokenizer("chars").unit)
    owner = getattr(counter, "__self__", None)
    if isinstance(owner, Tokenizer) and counter == owner.count:
        return NativeCounter(counter, owner.unit)
    return counter


def unit_of(tokenizer: Any, options: dict[str, Any]) -> _core.Unit | None:
    """Return the unit that counts as ``tokenizer.encode(text, **options)``, if there is one."""
    if not _counts_plainly(tokenizer, options):
        return None
    try:
        return as_tokenizer(tokenizer).unit
    except ChunkwrightError:
        return None


def _counts_plainly(tokenizer: Any, options: dict[str, Any]) -> bool:
    """Return whether each text has the tokens that it has for the core, and no more and no less."""
    if isinstance(tokenizer, Tokenizer):
        return not options
    if is_of(tokenizer, "tiktoken", "Encoding"):
        return type(tokenizer).__name__ == "Encoding" and options == {"disallowed_special": ()}
    if options != {"add_special_tokens": False}:
        return False
    if is_of(tokenizer, "tokenizers", "Tokenizer"):
        return tokenizer.truncation is None and tokenizer.padding is None
    return (
        is_of(tokenizer, "transformers", "PreTrainedTokenizerBase")
        and getattr(tokenizer, "backend_tokenizer", None) is not None
        and not getattr(tokenizer, "split_special_tokens", False)
        # A class of the caller's may encode in a way of its own.
        and type(tokenizer).__module__.partition(".")[0] == "transformers"
    )


def remembered(counter: Callable[[str], Any], maxsize: int | None) -> Callable[[str], Any]:
    """Return ``counter`` with a memo, bounded also where no size is given; the core needs none."""
    memo = lru_cache(_REMEMBERED if maxsize is None else maxsize)
    if isinstance(counter, NativeCounter):
        return counter
    counted = memo(counter)
    if maxsize is not None:
        return counted

    def count(text: str) -> Any:
        return counted(text) if len(text) <= _SHORT else counter(text)

    return count
