"""Separators: what marks a place to cut, and where it goes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from chunkwright import _core
from chunkwright.checks import checked_name
from chunkwright.errors import ConfigError

Keep = Literal["start", "end", "drop"]
Markup = Literal["text", "markdown", "rst", "code"]

# Paragraphs, lines, words: the list that LangChain made common.
DEFAULT_SEPARATORS = ("\n\n", "\n", " ")


@dataclass(frozen=True, slots=True)
class Separator:
    """A mark at which a text may be cut.

    Parameters
    ----------
    pattern
        The text of the mark, or a regular expression.
    regex
        Whether ``pattern`` is a regular expression, in the syntax of Rust's ``regex`` crate: no
        look-around and no back-references, but linear time on every text. ``^`` and ``$`` match at
        lines.
    keep
        Where the mark goes when the text is cut there: to the ``"start"`` of the chunk after, to
        the ``"end"`` of the chunk before, or into neither (``"drop"``).

    Examples
    --------
    >>> import chunkwright as cw
    >>> rule = cw.Separator("---", keep="drop")
    >>> cw.chunk("one --- two", "recursive", max_chars=5, separators=[rule]).texts()
    ['one', 'two']
    """

    pattern: str
    regex: bool = False
    keep: Keep = "start"

    def __post_init__(self) -> None:
        if not isinstance(self.pattern, str):
            raise ConfigError(f"a separator must be a str, got {self.pattern!r}")
        checked_name("keep", self.keep, get_args(Keep))


def compiled(separators: Iterable[str | Separator]) -> _core.Separators:
    """Compile separators; an empty one means "anywhere", so that those after it are not reached.

    Raises
    ------
    ConfigError
        If one is no separator or no regular expression.
    """
    rows = []
    for separator in map(_as_separator, separators):
        if not separator.pattern:
            break
        rows.append((separator.pattern, separator.regex, separator.keep))
    return _core.Separators(rows)


def _as_separator(separator: str | Separator) -> Separator:
    return separator if isinstance(separator, Separator) else Separator(separator)
