"""Strategies over text: separators, sentences, balanced sizes, windows, lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from chunkwright.chunking.bases.options import set_derived
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.chunking.languages import (
    checked_language_name,
    is_language,
    markup_of_language,
    separators_for_language,
)
from chunkwright.chunking.separators import Separator, as_data, checked_separators

if TYPE_CHECKING:
    from chunkwright.chunking.option_types import Markup, OverlapAt, SizesOptions


@dataclass(frozen=True, kw_only=True)
class Recursive(Strategy):
    r"""Cut at the strongest separator within the limit.

    From the start of a chunk, the text up to the limit is searched for the first separator of the
    list that occurs in it, and the chunk ends at its last occurrence: after a paragraph if
    possible, else after a line, else after a word, else after a grapheme. A chunk is measured as a
    whole, without the whitespace at both ends, and never exceeds the limit, unless a single
    grapheme does (:attr:`chunkwright.Chunk.oversize`).

    With ``soft_max``, a chunk ends at the last separator up to that size. Text without this
    separator stays whole up to the limit before a weaker one is tried.

    A paragraph that fits into a chunk beside the overlap is not cut, unless ``separators`` say so.
    Headings stay with the paragraph after them if both fit into one chunk, or if that paragraph is
    cut anyway: a cut behind a heading is moved before it, and before the headings right above it.
    Headings are lines that begin with ``#`` or ``=`` and a blank, underlined titles, and bare
    headings: lines of 3 to 70 characters between blank lines that do not end like a sentence or
    clause, and are not a list item, table row or code. More than eight headings in a row, or more
    than two bare ones, are a list that may be cut: the turns of a chat, an address, a poem. A line
    that ends in a colon stays with the first line of the list, the code or the table below it, as
    long as both have room. Paragraphs end at blank lines, form feeds, U+0085 and U+2029. In
    Markdown and reStructuredText (``markup``), a code block with its fences stays whole where it
    fits, and is cut between lines where it does not.

    A table of Markdown, in a document of :func:`chunkwright.read_markdown` or a text whose
    ``markup`` is ``"markdown"``, also stays whole where it fits. Otherwise it is cut between its
    rows, together with the headings above it. Each part repeats the header of the table and the
    line below it, which count against the limit; there is no other overlap. A row over the limit is
    cut between its cells, and each part repeats the first cell.

    In source code whose language ``separators`` or ``markup`` names, comments, decorators,
    annotations and attributes stay with the line below them, also across blank lines. If not all of
    them fit beside that line, the farthest are cut off first. A comment that is indented deeper
    than the line below it belongs to the code above it, and so does a comment above the end of a
    block, such as ``}`` or ``end``. No grammar is used: comment signs inside multi-line strings are
    recognised in most languages, those in heredocs are not.

    The idea is LangChain's ``RecursiveCharacterTextSplitter``. For its own chunks, whose parts are
    measured separately and added up, see :mod:`chunkwright.compat.langchain`.

    Parameters
    ----------
    separators
        The separators, the strongest first, each a ``str`` or a :class:`chunkwright.Separator`; or
        the name of a programming or markup language, such as ``"python"`` or ``"markdown"``: one of
        :data:`chunkwright.chunking.languages.NAMES`. By default those of its markup in a document
        that was read as Markdown or reStructuredText; paragraphs, lines and words in all others,
        and in a ``str``.
    markup
        The language of the text, which says what stays together. In ``"text"``, a heading stays
        with what follows it; in ``"markdown"`` and ``"rst"``, code blocks stay whole as well; in a
        programming language, such as ``"python"``, comments, decorators, annotations and attributes
        stay with the code below them; in ``"code"``, only the separators decide. By default that of
        the language that ``separators`` names, else ``"text"``; without ``separators``, what a
        document is known to be. Given without ``separators``, those of a plain text are taken.
    repeat_headers
        Whether each part of a split table repeats the header.
    max_tokens, max_chars, tokenizer, soft_max, min_size, overlap, overlap_at, split_at, keep_mark
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

    def _derive(self) -> int:
        separators = self.separators
        if isinstance(separators, str) and (separators.isidentifier() or is_language(separators)):
            # However they were written, equal separators are equal.
            set_derived(self, "separators", separators_for_language(separators))
            if self.markup is None:
                set_derived(self, "markup", markup_of_language(separators))
        elif separators is not None:
            set_derived(self, "separators", checked_separators(separators))
        return super()._derive()

    def _data(self) -> dict[str, Any]:
        data = super()._data()
        if self.separators is not None:
            data["separators"] = list(map(as_data, self.separators))
        return data


@dataclass(frozen=True, kw_only=True)
class Sentence(Strategy):
    """Cut between sentences.

    A chunk holds as many whole sentences as the limit allows, or exactly ``sentences`` of them. It
    is measured as a whole, without the whitespace at both ends. A sentence over the limit is cut
    after its last line that fits, else after a clause, else after a word, else after a grapheme;
    the rest of it begins a chunk, to which the following sentences are added. Headings (see
    :class:`chunkwright.Recursive`) belong to the sentence after them, and are not counted. A table
    of Markdown stays whole where it fits; over the limit, it is cut between its rows as
    :class:`chunkwright.Recursive` does it, unless ``sentences`` is given.

    Parameters
    ----------
    language
        The language of the text, as :func:`chunkwright.split_sentences` takes it.
    repeat_headers
        Whether each part of a split table repeats the header. Beside a ``window`` they do not.
    sentences
        The number of sentences in each chunk. With it, no limit is needed. If there is one,
        sentences that exceed it together are cut as if they were a text of their own.
    window
        The number of neighbouring sentences that a chunk shows on each side, as pieces with the
        role ``"overlap"`` (sentence-window retrieval). They count towards the limit: if they do not
        all fit, the outermost are left out, first the one in front. A ``soft_max`` leaves room for
        them.
    overlap_at
        Where an overlap may begin: at a ``"sentence"`` by default.
    max_tokens, max_chars, tokenizer, soft_max, min_size, overlap, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = "It rained. We stayed in. Then the sun came out, and we left."
    >>> cw.Sentence(max_chars=30)(text).texts()
    ['It rained. We stayed in.', 'Then the sun came out,', 'and we left.']
    >>> chunks = cw.Sentence(sentences=1, window=1)(text)
    >>> chunks[0].text
    'It rained. We stayed in.'
    >>> [text[piece.start : piece.end] for piece in chunks[1].pieces]
    ['It rained. ', 'We stayed in.', ' Then the sun came out, and we left.']
    """

    name = "sentence"

    overlap_at: OverlapAt = "sentence"
    language: str = "en"
    repeat_headers: bool = True
    sentences: int | None = None
    window: int = 0


@dataclass(frozen=True, kw_only=True)
class Balanced(Strategy):
    r"""Choose all cuts of a text together: chunks of similar size that begin at strong boundaries.

    Each way to cut the text has a cost. It adds up, for each chunk, how far its size is from the
    target and how weak the boundary at its end is (heading, paragraph, line, sentence, clause,
    word, grapheme). The cheapest way is found in linear time. No chunk exceeds the limit. A
    sentence that fits into a chunk is not cut, a heading (see :class:`chunkwright.Recursive`) stays
    with the sentence after it if both fit, and no small rest is left at the end. An edit changes
    few chunks.
    ``docs/balanced.md`` has the costs, a picture, and measurements.

    In a document of :func:`chunkwright.read_markdown`, a table stays whole where it fits; over the
    limit, it is cut between its rows as :class:`chunkwright.Recursive` does it.

    The overlap is added after the cuts are chosen, as far as the limit allows; it moves none of
    them.

    Parameters
    ----------
    language
        The language of the text, as :func:`chunkwright.split_sentences` takes it.
    repeat_headers
        Whether each part of a split table repeats the header.
    soft_max
        The target size, overlap included: by default three quarters of what the overlap leaves of
        the limit.
    max_tokens, max_chars, tokenizer, min_size, overlap, overlap_at, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = "One two three four. Five six seven eight. Nine ten."
    >>> cw.Recursive(max_tokens=10)(text).texts()
    ['One two three four. Five six seven eight.', 'Nine ten.']
    >>> cw.Balanced(max_tokens=10)(text).texts()
    ['One two three four.', 'Five six seven eight. Nine ten.']
    """

    name = "balanced"

    language: str = "en"
    repeat_headers: bool = True


@dataclass(frozen=True, kw_only=True)
class Window(Strategy):
    """Cut into windows as long as the limit allows, whatever the text says.

    The windows tile the text; those of whitespace only are left out. None ends inside a grapheme.
    With ``soft_max``, a window ends before the last word that begins between it and the limit.

    Parameters
    ----------
    max_tokens, max_chars, tokenizer, soft_max, min_size, overlap, overlap_at, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> cw.Window(max_chars=10)("The quick brown fox.").texts()
    ['The quick ', 'brown fox.']
    >>> cw.Window(max_tokens=4, overlap=2)("The quick brown fox jumps over.").texts()
    ['The quick brown fox', 'brown fox jumps over', 'over.']
    """

    name = "window"


@dataclass(frozen=True, kw_only=True)
class LineBased(Strategy):
    r"""Cut between lines, for texts whose lines make sense alone: logs, lists, records.

    A chunk holds as many whole lines as the limit allows, with their indentation. A line over the
    limit is cut between words, and a word between graphemes; the rest of it begins a chunk, to
    which the following lines are added. Lines end at ``"\n"``.

    The first ``header_lines`` lines are repeated in front of each later chunk, as a piece with the
    role ``"header"``, so that a chunk of a log names its columns. They count against the limit, and
    are repeated only if they take at most three quarters of it and 65,536 bytes. If a line does not
    fit beside the overlap, the overlap is left out.

    The idea is Docling's ``LineBasedTokenChunker``. Its ``prefix`` may be any text; here the prefix
    is taken from the document, since a chunk holds only text of the document. To put a text of your
    own in front of each chunk, see :func:`chunkwright.contextualize`.

    Parameters
    ----------
    header_lines
        The number of lines at the start of the text that each later chunk repeats; 0 by default.
        Blank lines are not counted.
    omit_header_on_overflow
        Whether a line that fits only without the repeated lines stays whole and goes without them.
        If not, the line is cut, and each part repeats them.
    max_tokens, max_chars, tokenizer, soft_max, min_size, overlap, overlap_at, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> log = "time  event\n09:00 started\n09:05 stopped\n09:10 started\n"
    >>> cw.LineBased(max_chars=30)(log).texts()
    ['time  event\n09:00 started', '09:05 stopped\n09:10 started']
    >>> chunks = cw.LineBased(max_chars=30, header_lines=1)(log)
    >>> chunks[1].text, log[chunks[1].start : chunks[1].end]
    ('time  event\n09:05 stopped', '09:05 stopped')
    """

    name = "line_based"

    header_lines: int = 0
    omit_header_on_overflow: bool = False
