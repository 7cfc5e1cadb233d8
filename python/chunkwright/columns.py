"""The columns behind chunks: what the core owns, and what is computed once when asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from chunkwright import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.tokenizer import Tokenizer


class Columns:
    """The chunks of one text as columns; views share them.

    Parameters
    ----------
    core
        What a strategy of the core gave.
    tokenizer
        Counts tokens, if the core did not.
    sizes_are_tokens
        Whether the core measured in that tokenizer's tokens.
    name
        The document's name.
    """

    def __init__(
        self,
        core: _core.Columns,
        *,
        tokenizer: Tokenizer,
        sizes_are_tokens: bool,
        name: str | None,
    ) -> None:
        self.core = core
        self.tokenizer = tokenizer
        self.sizes_are_tokens = sizes_are_tokens
        self.name = name

    def __len__(self) -> int:
        return len(self.core)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Starts in code points."""
        return _array(self.core.starts)

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Ends in code points."""
        return _array(self.core.ends)

    @cached_property
    def byte_starts(self) -> NDArray[np.int64]:
        """Starts in UTF-8 bytes."""
        return _array(self.core.byte_starts())

    @cached_property
    def byte_ends(self) -> NDArray[np.int64]:
        """Ends in UTF-8 bytes."""
        return _array(self.core.byte_ends())

    @cached_property
    def lines(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Lines, from 1, of the starts and the ends."""
        starts, ends = self.core.lines()
        return _array(starts), _array(ends)

    @cached_property
    def n_tokens(self) -> NDArray[np.int64]:
        """Tokens of each text."""
        if self.sizes_are_tokens:
            return _array(self.core.sizes())
        import numpy as np

        return np.array(self.tokenizer.count_batch(self.core.texts()), dtype=np.int64)

    @cached_property
    def ids(self) -> list[str]:
        """Ids derived from name, text and occurrence."""
        return self.core.ids(self.name or "")

    @cached_property
    def oversize(self) -> frozenset[int]:
        """The rows that are over the limit."""
        return frozenset(self.core.oversize())

    def __reduce__(self) -> tuple[object, ...]:
        core = (self.core.source, self.core.rows(), self.core.oversize())
        return _restore, (core, self.tokenizer, self.sizes_are_tokens, self.name)


def _restore(
    core: tuple[str, list[list[int]], list[int]],
    tokenizer: Tokenizer,
    sizes_are_tokens: bool,
    name: str | None,
) -> Columns:
    return Columns(
        _core.Columns.restore(*core),
        tokenizer=tokenizer,
        sizes_are_tokens=sizes_are_tokens,
        name=name,
    )


def _array(column: _core.Column) -> NDArray[np.int64]:
    import numpy as np

    return np.asarray(column)
