"""LangChain's splitter of JSX, Vue and Svelte: at the tags of a text, and at JavaScript's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .splitters import RecursiveCharacterTextSplitter

_STATEMENTS = [
    "\nexport ",
    " export ",
    "\nfunction ",
    "\nasync function ",
    " async function ",
    *(
        f"{before}{word} "
        for word, befores in [
            ("const", "\n"),
            ("let", "\n"),
            ("var", "\n"),
            ("class", "\n "),
            ("if", "\n "),
            ("for", "\n "),
            ("while", "\n "),
            ("switch", "\n "),
            ("case", "\n "),
            ("default", "\n "),
        ]
        for before in befores
    ),
]
_OPENING = re.compile(r"<\s*([a-zA-Z0-9]+)")


class JSFrameworkTextSplitter(RecursiveCharacterTextSplitter):
    """Splits components at JavaScript's statements, and at the tags that occur in them.

    Parameters
    ----------
    separators
        What to split at first.
    chunk_size, chunk_overlap
        As for `TextSplitter`.
    **kwargs
        As for `RecursiveCharacterTextSplitter`.

    Raises
    ------
    ValueError
        As `TextSplitter` does.
    """

    def __init__(
        self,
        separators: list[str] | None = None,
        chunk_size: int = 2000,
        chunk_overlap: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(chunk_size=chunk_size, chunk_overlap=chunk_overlap, **kwargs)
        self._separators = separators or []

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks."""
        tags = [f"<{tag}" for tag in dict.fromkeys(_opening_tags(text))]
        rest = [*_STATEMENTS, *tags, "<>", "\n\n", "&&\n", "||\n"]
        return self._split_text(text, self._separators + rest)


def _opening_tags(text: str) -> Iterator[str]:
    """Give the names of the tags that are closed by a ``>``, with no work done twice."""
    end = 0
    while tag := _OPENING.search(text, end):
        end = text.find(">", tag.end()) + 1
        if not end:
            return
        yield tag[1]
