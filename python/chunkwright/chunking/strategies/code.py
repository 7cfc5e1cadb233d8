"""Code strategy: chunks of source code that end where definitions do, and name these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkwright import _core
from chunkwright.chunking.bases.options import set_derived
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.chunking.grammars import load, versions
from chunkwright.readers.kinds import HEAD_CHARS
from chunkwright.rows import OF_CODE

if TYPE_CHECKING:
    from chunkwright.chunking.batch import CoreSource
    from chunkwright.chunking.option_types import Language

_ROWS = _core.code_languages()
# The core knows languages by their numbers.
_NUMBERS = {name: number for number, (name, *_) in enumerate(_ROWS)}
_NAMES = {called: name for name, aliases, *_ in _ROWS for called in (name, *aliases)}


@dataclass(frozen=True, kw_only=True)
class Code(Strategy):
    r"""Cut source code between its definitions, which chunks name.

    A chunk is filled up to the limit, and ends at the strongest place within it: between two
    definitions rather than inside one; at a line that is less indented; after blank lines. So a
    function that fits is never cut, a class that does not fit is cut between its members, and a
    long function between its statements. Decorators, annotations, attributes and comments stay with
    the code that they belong to, and a multi-line string or comment is cut only if there is no
    other place. A chunk keeps the indentation of its first line. With ``soft_max``, the first
    definition of a chunk stays whole up to the limit.

    Chunks say what they are about, in columns of rows and as attributes:

    ============  =================================================================================
    ``scope``     the names of the definitions that hold all of it, joined by dots: ``Cart.add``
    ``name``      the name of the function that it is in, else of the first definition that begins
                  in it
    ``symbol``    what that is: ``module``, ``class`` (struct, enum, trait, interface …),
                  ``function``, ``method``, ``constant``, ``import``, ``comment`` (nothing else), or
                  ``block`` of a file that is no program: a table of TOML, a rule of CSS
    ``language``  the name of the language
    ============  =================================================================================

    If the metadata of documents have one of these names, rows have the metadata.

    Definitions are found by grammars of tree-sitter, which the extra ``code`` brings
    (``pip install 'chunkwright[code]'``). Without the extra or a grammar, and for a file that the
    grammar fails to parse, cuts follow the indentation, and chunks know only the language.

    Parameters
    ----------
    language
        The programming language of all texts. By default each document's name or first line tells
        its language; a text whose language is not known is cut by its indentation.
    repeat_heads
        Whether a chunk that continues a class or function repeats its head, and the heads of those
        around it. Heads are pieces with the role ``"heading"``, count towards the limit, and are
        left out where they take more than a quarter of it.
    max_tokens, max_chars, tokenizer, soft_max, min_size, overlap, overlap_at, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> code = '''import os
    ...
    ... class Cart:
    ...     def __init__(self):
    ...         self.items = []
    ...
    ...     # Prices are in cents.
    ...     def add(self, item, price):
    ...         self.items.append((item, price))
    ... '''
    >>> splitter = cw.Code(max_chars=130, repeat_heads=True)
    >>> for chunk in splitter(code, name="shop/cart.py"):
    ...     print(chunk.scope, chunk.symbol, chunk.lines)
    ...     print(chunk.text)
    None import (1, 1)
    import os
    Cart class (3, 5)
    class Cart:
        def __init__(self):
            self.items = []
    Cart.add method (7, 9)
    class Cart:
        # Prices are in cents.
        def add(self, item, price):
            self.items.append((item, price))
    """

    name = "code"
    columns: ClassVar[tuple[str, ...]] = OF_CODE
    _tells_kinds = True

    language: Language | None = None
    repeat_heads: bool = False

    @property
    def _environment(self) -> dict[str, str]:
        return versions()

    def _derive(self) -> int:
        known = _NAMES.get(self.language.lower()) if isinstance(self.language, str) else None
        if known is not None:
            set_derived(self, "language", known)
            load(known)
        return super()._derive()

    def _told(self, source: str | _core.Elements, name: str | None) -> CoreSource:
        if self.language is not None or not isinstance(source, str):
            return source
        found = _core.code_language_of(name or "", source[:HEAD_CHARS])
        if found is None:
            return source
        load(found[0])
        return source, _NUMBERS[found[0]]
