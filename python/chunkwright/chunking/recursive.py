"""Chunks that end at the strongest separator within reach."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from chunkwright import _core
from chunkwright.chunking.languages import separators_for_language
from chunkwright.chunking.options import set_derived
from chunkwright.chunking.separators import DEFAULT_SEPARATORS, Separator, compiled
from chunkwright.chunking.strategy import Strategy
from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from chunkwright.chunking.option_types import SizeOptions


@dataclass(frozen=True, kw_only=True)
class Recursive(Strategy):
    r"""Cut at the first separator of a list that stands within reach.

    From a chunk's start as much is taken as the limit allows; within that, the chunk ends at the
    last place of the first separator that has one: after a paragraph if there is one, else after a
    line, else after a word, else after a grapheme. A chunk is measured as a whole, without the
    whitespace at both ends, and never exceeds the limit unless it is one grapheme that does
    (:attr:`chunkwright.Chunk.oversize`).

    With ``soft_max``, a chunk ends at the last separator up to it; what has none stays whole up to
    the limit before a weaker separator is tried.

    The idea is LangChain's ``RecursiveCharacterTextSplitter``; its own chunks, which are sums of
    separately measured parts, are in :mod:`chunkwright.compat.langchain`.

    Parameters
    ----------
    separators
        The strongest first; each a ``str`` or a :class:`chunkwright.Separator`.
    max_tokens, max_chars, soft_max, overlap, overlap_at, tokenizer
        See :class:`chunkwright.chunking.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> splitter = cw.Recursive(max_chars=24, overlap=12)
    >>> chunks = splitter("First paragraph.\n\nA second one, which is longer.")
    >>> for chunk in chunks:
    ...     print(chunk.start, repr(chunk.text))
    0 'First paragraph.'
    6 'paragraph.\n\nA second'
    18 'A second one, which is'
    32 'which is longer.'
    """

    separators: Sequence[str | Separator] = DEFAULT_SEPARATORS

    @classmethod
    def for_language(cls, language: str, **options: Unpack[SizeOptions]) -> Recursive:
        r"""Cut source code or markup at what divides it.

        Parameters
        ----------
        language
            One of :data:`chunkwright.chunking.languages.LANGUAGES`, for example ``"python"``.
        **options
            All other options.

        Raises
        ------
        ConfigError
            If the language is unknown.

        Examples
        --------
        >>> import chunkwright as cw
        >>> code = "import os\n\ndef f():\n    pass\n\ndef g():\n    return 1\n"
        >>> cw.Recursive.for_language("python", max_chars=24)(code).texts()
        ['import os', 'def f():\n    pass', 'def g():\n    return 1']
        """
        return cls(separators=separators_for_language(language), **options)

    def _make_cutter(self, unit: _core.Unit, limits: _core.Limits) -> _core.Cutter:
        if isinstance(self.separators, str) or not isinstance(self.separators, Iterable):
            raise ConfigError(f"separators must be a list, got {self.separators!r}")
        set_derived(self, "separators", tuple(self.separators))
        return _core.Cutter.recursive(unit, limits, compiled(self.separators))
