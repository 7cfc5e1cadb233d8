"""Recursive strategy: chunks that end at the strongest separator within reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack, get_args

from chunkwright.checks import checked_flag, checked_name
from chunkwright.chunking.bases.options import set_derived
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.chunking.languages import (
    checked_language_name,
    is_language,
    markup_of_language,
    separators_for_language,
)
from chunkwright.chunking.separators import Markup, Separator, as_data, checked_separators

if TYPE_CHECKING:
    from chunkwright.chunking.option_types import SizesOptions


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

    Headings stay with what follows them: a cut behind one is moved before it, and before all that
    stand right above it. Headings are lines that begin with ``#`` or ``=`` and a blank, underlined
    titles, and bare headings: lines of 3 to 70 characters between blank lines that end as no
    sentence or clause does, and are no list item, table row or code. More than eight in a row are a
    list and may be parted. A line that ends in a colon stays with the first line of the list, the
    code or the table below it, as long as both have room. Where a chunk begins with a heading, a
    weaker separator behind it is taken; only where the limit has no room for the first character of
    what follows, a heading ends the chunk. In Markdown and reStructuredText (``markup``), a code
    block with its fences stays whole where it fits, and is cut between lines where it does not.

    So does a table of Markdown, in a document of :func:`chunkwright.read_markdown` or a text whose
    ``markup`` is ``"markdown"``; over the limit, together with the headings above it, it is cut
    between its rows, and its parts repeat its header and the line below that, which count against
    the limit. They are no overlap, and nothing overlaps with them. A row over the limit is cut
    between its cells, the first of which is repeated, too.

    The idea is LangChain's ``RecursiveCharacterTextSplitter``; its own chunks, which are sums of
    separately measured parts, are in :mod:`chunkwright.compat.langchain`.

    Parameters
    ----------
    separators
        The strongest first, each a ``str`` or a :class:`chunkwright.Separator`; or the name of a
        programming or markup language, such as ``"python"`` or ``"markdown"``: one of
        :data:`chunkwright.chunking.languages.LANGUAGES`. By default those of Markdown in a document
        that was read as Markdown; paragraphs, lines and words in all others, and in a ``str``.
    markup
        What the text is written in, and so what is kept together: in any ``"text"`` headings with
        what follows; in ``"markdown"`` and ``"rst"`` code blocks, too; in ``"code"`` nothing, so
        that the separators alone say where chunks end. By default that of the language that
        ``separators`` names, else ``"text"``; without ``separators``, what a document is known to
        be. Given without ``separators``, those of a plain text are taken.
    repeat_headers
        Whether the parts of a table repeat its header.
    max_tokens, max_chars, soft_max, min_size, overlap, overlap_at, tokenizer
        See :class:`chunkwright.chunking.bases.options.Sizes`.

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
    >>> code = "import os\n\ndef f():\n    pass\n\ndef g():\n    return 1\n"
    >>> cw.Recursive(separators="python", max_chars=24)(code).texts()
    ['import os', 'def f():\n    pass', 'def g():\n    return 1']
    >>> text = "Text.\n\n# Title\n\n```\n# code\n\nx = 1\n```\n\nThe end."
    >>> cw.Recursive(separators="markdown", max_chars=32)(text).texts()
    ['Text.', '# Title\n\n```\n# code\n\nx = 1\n```', 'The end.']
    >>> document = cw.read_markdown(text)
    >>> cw.Recursive(max_chars=32)(document).texts()
    ['Text.', '# Title\n\n```\n# code\n\nx = 1\n```', 'The end.']
    >>> table = "|a|b|\n|-|-|\n|1|2|\n|3|4|\n|5|6|\n"
    >>> cw.Recursive(separators="markdown", max_chars=24)(table).texts()
    ['|a|b|\n|-|-|\n|1|2|\n|3|4|', '|a|b|\n|-|-|\n|5|6|']
    """

    name = "recursive"

    separators: str | Sequence[str | Separator] | None = None
    markup: Markup | None = None
    repeat_headers: bool = True

    @classmethod
    def for_language(cls, language: str, **options: Unpack[SizesOptions]) -> Recursive:
        """Return ``Recursive(separators=language, **options)``, as LangChain's users look for it.

        Raises
        ------
        ConfigError
            If the language is unknown, with the nearest that is known.
        """
        return cls(separators=checked_language_name("language", language), **options)

    def _checked(self) -> dict[str, Any]:
        spec, separators = super()._checked(), self.separators
        if isinstance(separators, str) and (separators.isidentifier() or is_language(separators)):
            # However they were written, equal separators are equal.
            set_derived(self, "separators", separators_for_language(separators))
            if self.markup is None:
                set_derived(self, "markup", markup_of_language(separators))
        elif separators is not None:
            set_derived(self, "separators", checked_separators(separators))
        if self.separators is not None:
            spec["separators"] = list(map(as_data, self.separators))
        if self.markup is not None:
            spec["markup"] = checked_name("markup", self.markup, get_args(Markup))
        return {**spec, "repeat_headers": checked_flag("repeat_headers", self.repeat_headers)}
