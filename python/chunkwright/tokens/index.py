"""Token index: counts of any span of one text."""

from typing import Protocol


class TokenIndex(Protocol):
    """Token counts of the spans of one text; positions are code points."""

    @property
    def text(self) -> str:
        """The text."""

    def count(self, start: int, end: int) -> int:
        """Count the tokens of ``text[start:end]``, as if it stood alone.

        Raises
        ------
        IndexError
            Unless ``0 <= start <= end <= len(text)``.
        """

    def longest(self, start: int, max_tokens: int) -> int:
        """Return the greatest ``end`` for which ``text[start:end]`` has at most ``max_tokens``.

        With a tokenizer that is counted natively this is exact, although counts are not monotone;
        otherwise it is the result of a bisection.

        Raises
        ------
        IndexError
            Unless ``0 <= start <= len(text)``.
        """
