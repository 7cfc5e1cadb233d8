"""Budget of tokens or characters that the hits of a question fill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.checks import checked_int
from chunkwright.errors import ConfigError
from chunkwright.tokens.tokenizer import Tokenizer, TokenizerLike, as_tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Size = Callable[[int, int], int]


# What a token has in most texts, and how many hits are looked for beyond those expected.
_CHARS_OF_TOKEN, _MORE = 4, 5


@dataclass(frozen=True)
class Budget:
    """Budget of the texts of a question's hits together.

    Parameters
    ----------
    limit
        How much.
    tokenizer
        What counts; None: characters are counted, as code points.
    """

    limit: int
    tokenizer: Tokenizer | None

    @classmethod
    def of(
        cls,
        max_tokens: int | None,
        max_chars: int | None,
        tokenizer: TokenizerLike | None,
        usual: TokenizerLike,
    ) -> Budget:
        """Return the budget of a search's options, one of them.

        Parameters
        ----------
        max_tokens, max_chars
            How much; one is None.
        tokenizer
            What counts tokens; None: the usual one.
        usual
            The tokenizer that the chunks were cut with.

        Raises
        ------
        ConfigError
            If it is no positive int, or a tokenizer is given for characters.
        """
        if max_tokens is not None:
            counter = as_tokenizer(usual if tokenizer is None else tokenizer)
            return cls(checked_int("max_tokens", max_tokens, least=1), counter)
        if tokenizer is not None:
            raise ConfigError(f"max_chars counts no tokens: leave out tokenizer={tokenizer!r}")
        return cls(checked_int("max_chars", max_chars, least=1), None)

    @classmethod
    def by(cls, tokenizer: TokenizerLike | None) -> Budget:
        """Return what measures, with no limit of its own."""
        return cls(0, None if tokenizer is None else as_tokenizer(tokenizer))

    def sizes(self, texts: list[str]) -> NDArray[np.int64]:
        """Return the size of each text; several questions find the same, which is counted once."""
        import numpy as np

        if self.tokenizer is None:
            return np.fromiter(map(len, texts), np.int64, len(texts))
        known = dict.fromkeys(texts, 0)
        known.update(zip(known, self.tokenizer.count_batch(known), strict=True))
        return np.fromiter((known[text] for text in texts), np.int64, len(texts))

    def n_texts(self, mean_chars: float) -> int:
        """Return how many texts are likely to fill it, and a few more."""
        n_chars = self.limit * (1 if self.tokenizer is None else _CHARS_OF_TOKEN)
        return int(n_chars / max(mean_chars, 1.0)) + _MORE

    def size_within(self, text: str) -> Size:
        """Return what gives the size of any part of a text, by its start and end."""
        if self.tokenizer is None:
            return lambda start, end: end - start
        return self.tokenizer.index(text).count


def n_fitting(
    offsets: NDArray[np.int64], sizes: NDArray[np.int64], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many hits of each question fit, and how much room they leave.

    They are taken in order; the first that does not fit ends them, even if a later one would fit.

    Parameters
    ----------
    offsets
        The hits of question ``q`` are rows ``offsets[q]`` to ``offsets[q + 1]``.
    sizes
        The size of each row.
    limit
        What the hits of a question may have together.
    """
    import numpy as np

    used = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])
    fits = used[1:] - np.repeat(used[offsets[:-1]], np.diff(offsets)) <= limit
    counts = np.diff(np.concatenate([np.zeros(1, np.int64), np.cumsum(fits)])[offsets])
    return counts, limit - (used[offsets[:-1] + counts] - used[offsets[:-1]])
