"""Random documents and random edits of them, as plain text, as Markdown and with pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from hypothesis import strategies as st

import chunkwright as cw

if TYPE_CHECKING:
    from collections.abc import Callable

# Few words, so that sentences and paragraphs are often said twice.
WORDS = [
    "rain",
    "sun",
    "wind",
    "the",
    "of",
    "Monday",
    "snow,",
    "fell;",
    "Grüße",
    "漢字",
    "naïve",
    "😀",
    "was",
    "1,5",
    "e.g.",
    "not",
]

Form = Literal["text", "markdown"]


@dataclass(frozen=True)
class Paragraph:
    """A paragraph: its sentences, and what stands before it."""

    sentences: tuple[str, ...]
    before: str = "\n\n"
    heading: str = ""

    def said(self, form: Form) -> str:
        """Return the paragraph with its heading."""
        heading = f"## {self.heading}\n\n" if self.heading and form == "markdown" else ""
        return f"{self.before}{heading}{' '.join(self.sentences)}"


Paragraphs = list[Paragraph]


def written(paragraphs: Paragraphs, form: Form) -> cw.Document:
    """Return the document of some paragraphs."""
    text = "".join(each.said(form) for each in paragraphs)
    if form == "markdown":
        return cw.read(text.encode(), kind="markdown", name="doc")
    return cw.Document(text=text, name="doc")


SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(
    lambda words: f"{' '.join(words).capitalize()}."
)
PARAGRAPHS = st.builds(
    Paragraph,
    st.lists(SENTENCES, min_size=1, max_size=5).map(tuple),
    heading=st.sampled_from(["", "", "", "Rain", "Sun", "Notes"]),
)
DOCUMENTS = st.lists(PARAGRAPHS, max_size=12)


def _inserted(draw: st.DrawFn, own: Paragraphs) -> Paragraphs:
    at = draw(st.integers(0, len(own)))
    return [*own[:at], draw(PARAGRAPHS), *own[at:]]


def _deleted(draw: st.DrawFn, own: Paragraphs) -> Paragraphs:
    at = draw(st.integers(0, len(own) - 1))
    return own[:at] + own[at + 1 :]


def _moved(draw: st.DrawFn, own: Paragraphs) -> Paragraphs:
    at = draw(st.integers(0, len(own) - 1))
    left = own[:at] + own[at + 1 :]
    to = draw(st.integers(0, len(left)))
    return [*left[:to], own[at], *left[to:]]


def _doubled(draw: st.DrawFn, own: Paragraphs) -> Paragraphs:
    at = draw(st.integers(0, len(own) - 1))
    to = draw(st.integers(0, len(own)))
    return [*own[:to], own[at], *own[to:]]


def _spaced(draw: st.DrawFn, own: Paragraphs) -> Paragraphs:
    at = draw(st.integers(0, len(own) - 1))
    blank = draw(st.sampled_from(["  ", "\n", " \t"]))
    sentences = tuple(each.replace(" ", blank, 2) for each in own[at].sentences)
    before = draw(st.sampled_from(["\n\n", "\n\n\n", "\n\n \n", "\n\n\f\n"]))
    return [*own[:at], replace(own[at], sentences=sentences, before=before), *own[at + 1 :]]


def _said_more(draw: st.DrawFn, own: Paragraphs) -> Paragraphs:
    at = draw(st.integers(0, len(own) - 1))
    sentences = list(own[at].sentences)
    sentences.insert(draw(st.integers(0, len(sentences))), draw(SENTENCES))
    return [*own[:at], replace(own[at], sentences=tuple(sentences)), *own[at + 1 :]]


def _headed(draw: st.DrawFn, own: Paragraphs) -> Paragraphs:
    at = draw(st.integers(0, len(own) - 1))
    heading = draw(st.sampled_from(["", "Rain", "Other"]))
    return [*own[:at], replace(own[at], heading=heading), *own[at + 1 :]]


_OF_WORDS: list[Callable[[st.DrawFn, Paragraphs], Paragraphs]] = [
    *(_inserted, _deleted, _moved, _doubled, _said_more, _headed),
]


@st.composite
def histories(draw: st.DrawFn, *, of_words: bool = False) -> list[Paragraphs]:
    """Make a document, and versions of it that follow by a few edits each.

    Parameters
    ----------
    draw
        Draws.
    of_words
        Whether no edit is one of whitespace alone.
    """
    edits = _OF_WORDS if of_words else [*_OF_WORDS, _spaced]
    versions = [draw(DOCUMENTS)]
    for _ in range(draw(st.integers(1, 4))):
        own = versions[-1]
        for _ in range(draw(st.integers(1, 3))):
            edit = draw(st.sampled_from(edits)) if own else _inserted
            own = edit(draw, own)
        versions.append(own)
    if draw(st.booleans()):
        # An old version comes back.
        versions.append(versions[0])
    return versions
