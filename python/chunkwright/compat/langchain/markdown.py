"""LangChain's splitters of Markdown: at separators, and at headings, which become metadata."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypedDict

from .base import Language
from .peer_documents import Document
from .splitters import RecursiveCharacterTextSplitter


class HeaderType(TypedDict):
    """A heading: its level, the metadata key it goes under, and its text."""

    level: int
    name: str
    data: str


class LineType(TypedDict):
    """A paragraph or a line, and the headings above it."""

    metadata: dict[str, str]
    content: str


class MarkdownTextSplitter(RecursiveCharacterTextSplitter):
    """Splits at the separators of Markdown, taken literally, as LangChain does."""

    def __init__(self, **kwargs: Any) -> None:
        separators = self.get_separators_for_language(Language.MARKDOWN)
        super().__init__(separators=separators, **kwargs)


# What pickles and messages say is where a program imports it from.
MarkdownTextSplitter.__module__ = "chunkwright.compat.langchain"


class _Mark(NamedTuple):
    """Mark that makes a line a heading, and the meaning of such a heading."""

    sep: str
    name: str | None
    level: int
    may_enclose: bool

    def text_of(self, line: str) -> str | None:
        """Return the heading that ``line`` is by this mark, None if it is none."""
        if self.may_enclose and (enclosed := self._enclosed(line)):
            return enclosed
        size = len(self.sep)
        is_header = len(line) == size or line[size] == " "
        return line[size:].strip() if is_header else None

    def _enclosed(self, line: str) -> str:
        """Return what stands between the mark at the start and the one at the end of ``line``."""
        sep, start = self.sep, len(self.sep)
        end = len(line) - start
        if end <= start or not line.endswith(sep):
            return ""
        if line.startswith(sep, start) or line.endswith(sep, 0, end):
            return ""
        text = line[start:end].strip()
        return "" if set(sep).issuperset(text.replace(" ", "")) else text


class _Headings:
    """The headings above a line, and the metadata that they make."""

    def __init__(self) -> None:
        self.metadata: dict[str, str] = {}
        self._stack: list[tuple[int, str]] = []

    def enter(self, level: int, name: str, text: str) -> None:
        while self._stack and self._stack[-1][0] >= level:
            self.metadata.pop(self._stack.pop()[1], None)
        self._stack.append((level, name))
        self.metadata[name] = text


class _Joined:
    """A chunk that grows by lines, joined at the end alone."""

    def __init__(self, line: LineType) -> None:
        self.contents = [line["content"]]
        self.metadata = line["metadata"]

    def ends_in_heading(self) -> bool:
        return self.contents[-1].rpartition("\n")[2][0] == "#"

    def document(self) -> Document:
        return _document("  \n".join(self.contents), self.metadata)


class MarkdownHeaderTextSplitter:
    """Splits Markdown at headings; the headings above a chunk are its metadata.

    Parameters
    ----------
    headers_to_split_on
        Pairs of a mark, such as ``"##"``, and the metadata key of its headings; a key of None
        keeps them out of the metadata.
    return_each_line
        Whether each paragraph is a document of its own; else those of one section are joined.
    strip_headers
        Whether headings are left out of the text.
    custom_header_patterns
        Levels of marks that also enclose headings, as ``{"**": 1}`` for ``**Heading**``.
    """

    def __init__(
        self,
        headers_to_split_on: list[tuple[str, str]],
        return_each_line: bool = False,
        strip_headers: bool = True,
        custom_header_patterns: dict[str, int] | None = None,
    ) -> None:
        self.return_each_line = return_each_line
        self.headers_to_split_on: list[tuple[str, str]] = sorted(
            headers_to_split_on, key=lambda pair: len(pair[0]), reverse=True
        )
        self.strip_headers = strip_headers
        self.custom_header_patterns: dict[str, int] = custom_header_patterns or {}

    def split_text(self, text: str) -> list[Document]:
        """Split Markdown into documents; lines are stripped, as LangChain strips them."""
        paragraphs = self._paragraphs(text)
        if not self.return_each_line:
            return self.aggregate_lines_to_chunks(list(paragraphs))
        return [_document(line["content"], line["metadata"]) for line in paragraphs]

    def aggregate_lines_to_chunks(self, lines: list[LineType]) -> list[Document]:
        """Join neighbouring lines of equal metadata.

        Raises
        ------
        IndexError
            For a line that is empty, or ends in an empty one, before one with more metadata.
        """
        chunks: list[_Joined] = []
        for line in lines:
            metadata = line["metadata"]
            last = chunks[-1] if chunks else None
            if last and last.metadata == metadata:
                last.contents.append(line["content"])
            elif (
                last
                and len(last.metadata) < len(metadata)
                and last.ends_in_heading()
                and not self.strip_headers
            ):
                last.contents.append(line["content"])
                last.metadata = metadata
            else:
                chunks.append(_Joined(line))
        return [chunk.document() for chunk in chunks]

    def _marks(self) -> list[_Mark]:
        levels = self.custom_header_patterns
        return [
            _Mark(sep, name, levels.get(sep, sep.count("#")), sep in levels)
            for sep, name in self.headers_to_split_on
        ]

    def _paragraphs(self, text: str) -> Iterator[LineType]:
        """Give runs of lines between headings and blank lines; code is never looked into."""
        marks, headings = self._marks(), _Headings()
        starts = tuple(mark.sep for mark in marks)
        lines: list[str] = []
        fence = ""
        for line in _visible(text.split("\n")):
            opening = "" if fence else _fence(line)
            if opening or (fence and not line.startswith(fence)):
                fence = fence or opening
                lines.append(line)
                continue
            fence = ""
            heading = _heading(line, marks) if line.startswith(starts) else None
            if heading is None and line:
                lines.append(line)
                continue
            if lines:
                yield {"content": "\n".join(lines), "metadata": headings.metadata.copy()}
                lines = []
            if heading is not None:
                mark, title = heading
                if mark.name is not None:
                    headings.enter(mark.level, mark.name, title)
                if not self.strip_headers:
                    lines.append(line)
        if lines:
            yield {"content": "\n".join(lines), "metadata": headings.metadata.copy()}


def _visible(lines: Iterable[str]) -> Iterator[str]:
    """Strip lines, and take out what is not printable."""
    for line in lines:
        stripped = line.strip()
        yield stripped if stripped.isprintable() else "".join(filter(str.isprintable, stripped))


def _fence(line: str) -> str:
    """Return the fence of code that ``line`` opens; code in one line opens none."""
    if line.startswith("```"):
        return "```" if line.count("```") == 1 else ""
    return "~~~" if line.startswith("~~~") else ""


def _heading(line: str, marks: list[_Mark]) -> tuple[_Mark, str] | None:
    for mark in marks:
        if line.startswith(mark.sep):
            text = mark.text_of(line)
            if text is not None:
                return mark, text
    return None


def _document(text: str, metadata: dict[str, str]) -> Document:
    return Document(page_content=text, metadata=metadata)


_HEADINGS = {"#" * level: f"Header {level}" for level in range(1, 7)}
_HEADING = re.compile(r"(#{1,6}) (.*)")
_CODE = re.compile(r"(?:```|~~~)(.*)")
_RULE = re.compile(r"(?:\*{3,}|-{3,}|_{3,})\n")


class ExperimentalMarkdownSyntaxTextSplitter:
    """Splits Markdown at headings, code blocks and rules, and keeps its whitespace.

    The headings above a chunk are its metadata, the language of a code block too (``"Code"``).

    Parameters
    ----------
    headers_to_split_on
        Pairs of a mark, such as ``"##"``, and the metadata key of its headings; the six levels by
        default, with the keys ``"Header 1"`` to ``"Header 6"``.
    return_each_line
        Whether each line is a document of its own.
    strip_headers
        Whether headings are left out of the text.
    """

    def __init__(
        self,
        headers_to_split_on: list[tuple[str, str]] | None = None,
        return_each_line: bool = False,
        strip_headers: bool = True,
    ) -> None:
        self.chunks: list[Document] = []
        self.current_header_stack: list[tuple[int, str]] = []
        self.strip_headers = strip_headers
        self.splittable_headers: dict[str, str] = dict(headers_to_split_on or _HEADINGS)
        self.return_each_line = return_each_line

    def split_text(self, text: str) -> list[Document]:
        """Split Markdown into documents; a code block that is not closed is left out."""
        self.chunks = []
        self.current_header_stack = []
        lines = iter(text.splitlines(keepends=True))
        chunk: list[str] = []
        for line in lines:
            first = line[0]
            if first == "#" and (heading := self._heading(line)):
                self._close(chunk)
                chunk = [] if self.strip_headers else [line]
                self._enter(len(heading[1]), heading[2])
            elif first in "`~" and (code := _CODE.match(line)):
                self._close(chunk)
                self._close(_code_block(line, lines), {"Code": code[1]})
                chunk = []
            elif first in "*-_" and _RULE.match(line):
                self._close(chunk)
                chunk = []
            else:
                chunk.append(line)
        self._close(chunk)
        return self._each_line() if self.return_each_line else self.chunks

    def _heading(self, line: str) -> re.Match[str] | None:
        found = _HEADING.match(line)
        return found if found and found[1] in self.splittable_headers else None

    def _enter(self, level: int, text: str) -> None:
        """Put a heading under those above it, in place of those of its level and below."""
        stack = self.current_header_stack
        above = next((i for i, (other, _) in enumerate(stack) if other >= level), len(stack))
        self.current_header_stack = [*stack[:above], (level, text)]

    def _close(self, lines: list[str], metadata: dict[str, str] | None = None) -> None:
        """Make a chunk of ``lines``, unless they are blank."""
        content = "".join(lines)
        if not content or content.isspace():
            return
        metadata = metadata or {}
        for level, text in self.current_header_stack:
            key = self.splittable_headers.get("#" * level)
            if key is not None:
                metadata[key] = text
        self.chunks.append(_document(content, metadata))

    def _each_line(self) -> list[Document]:
        return [
            _document(line, chunk.metadata.copy())
            for chunk in self.chunks
            for line in chunk.page_content.splitlines()
            if line and not line.isspace()
        ]


def _code_block(opening: str, lines: Iterator[str]) -> list[str]:
    """Take the lines of a code block, up to the next fence of any kind; none if there is none."""
    block = [opening]
    for line in lines:
        block.append(line)
        if _CODE.match(line):
            return block
    return []
