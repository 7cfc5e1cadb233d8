"""Scripted models that answer from the structure of texts that they know: no model's quality."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Messages = Sequence[Mapping[str, str]]

_CHUNK = re.compile(r"<chunk>\n?(.*?)\n?</chunk>", re.DOTALL)
_PIECE = re.compile(r"<p(\d+)>(.*?)</p\1>", re.DOTALL)


@dataclass(frozen=True)
class Section:
    """A part of a text: the path of its headings, and where it begins and ends."""

    path: str
    start: int
    end: int


def sections_of(text: str, heading: str) -> list[Section]:
    """Return the sections of a text.

    Parameters
    ----------
    text
        The text.
    heading
        A pattern of whole lines that are headings, with the groups ``marks``, whose length is the
        level, and ``title``.
    """
    found = list(re.finditer(heading, text, re.MULTILINE))
    ends = [match.start() for match in found[1:]] + [len(text)]
    titles: dict[int, str] = {}
    sections = []
    for match, end in zip(found, ends, strict=True):
        level = len(match["marks"].replace(" ", ""))
        titles = {other: said for other, said in titles.items() if other < level}
        titles[level] = match["title"].strip()
        sections.append(Section(": ".join(titles.values()), match.start(), end))
    return sections


@dataclass
class ContextOracle:
    """Says of a chunk in which section of which text it stands.

    Parameters
    ----------
    texts
        The texts.
    heading
        See `sections_of`.
    """

    texts: Iterable[str]
    heading: str
    _sections: list[tuple[str, list[Section]]] = field(init=False)

    def __post_init__(self) -> None:
        self._sections = [(text, sections_of(text, self.heading)) for text in self.texts]

    def __call__(self, messages: Messages) -> str:
        """Answer the request for a snippet."""
        found = _CHUNK.search(messages[-1]["content"])
        chunk = found[1] if found else ""
        for text, sections in self._sections:
            if (at := text.find(chunk)) >= 0:
                # What the chunk ends in is what most of it is about.
                number = bisect_right([each.start for each in sections], at + len(chunk) // 2) - 1
                if number >= 0:
                    return f"From {sections[number].path}."
        return "From an unknown place."


@dataclass
class BoundaryOracle:
    """Says which pieces begin a section, by how sections begin.

    Parameters
    ----------
    beginnings
        What the sections of all texts begin with.
    """

    beginnings: Sequence[str]

    def __call__(self, messages: Messages) -> dict[str, list[int]]:
        """Answer the request for boundaries."""
        pieces = _PIECE.findall(messages[-1]["content"])
        first, last = _range(messages[-1]["content"])
        starts = [
            int(number)
            for number, piece in pieces
            if first <= int(number) <= last
            and any(piece.lstrip().startswith(each) for each in self.beginnings)
        ]
        return {"starts": starts}


def _range(request: str) -> tuple[int, int]:
    found = re.search(r"each from (\d+) to (\d+)", request)
    return (int(found[1]), int(found[2])) if found else (0, -1)
