"""Questions, and the passages that answer them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from chunkwright.errors import ConfigError, ReadError, nearest
from chunkwright.evaluation.data.question_rows import (
    GivenExcerpt,
    QuestionRow,
    needed_key,
    rows_of,
)
from chunkwright.evaluation.locating import Lookup
from chunkwright.evaluation.loose_match import Place
from chunkwright.messages.terminal_text import short_repr


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage that answers a question: ``corpus[start:end]``.

    Parameters
    ----------
    text
        The text of the passage.
    start, end
        Its place in the corpus, in code points.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the passages that answer it.

    Parameters
    ----------
    text
        The question.
    corpus
        The name of the corpus that answers it.
    excerpts
        The passages.
    """

    text: str
    corpus: str
    excerpts: tuple[Excerpt, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a file of questions: something was left out or changed.

    Parameters
    ----------
    place
        The place in the file, such as ``"questions.jsonl, line 3"``.
    question
        The question.
    what
        The problem, with the value, and what was done about it.
    """

    place: str
    question: str
    what: str


def read_questions(
    path: str | os.PathLike[str], corpora: Mapping[str, str]
) -> tuple[tuple[Question, ...], tuple[Problem, ...]]:
    """Read questions, and find their excerpts in the corpora.

    Parameters
    ----------
    path
        A file of JSON lines (``.jsonl``), a list in JSON (``.json``), or CSV (``.csv``), as the
        report's. A row that names no corpus is looked up in all of them.
    corpora
        The texts, by name.

    Returns
    -------
    tuple
        The usable questions, and a problem for everything that was left out or changed.

    Raises
    ------
    ConfigError
        If the name of the file has another ending.
    ReadError
        If the file cannot be read, or a row is malformed; names file, line and value.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> from chunkwright.evaluation import read_questions
    >>> row = {"question": "When was it built?", "excerpts": ["built in 1743", "by whom"]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "questions.jsonl")
    ...     _ = file.write_text(json.dumps(row))
    ...     questions, problems = read_questions(file, {"mill": "It was built in 1743."})
    >>> questions[0].excerpts
    (Excerpt(text='built in 1743', start=7, end=20),)
    >>> problems[0].what
    "the excerpt 'by whom' does not stand in 'mill': it is left out"
    """
    reader = _Reader(corpora)
    for row in rows_of(Path(path)):
        reader.read(row)
    return tuple(reader.questions), tuple(reader.problems)


class _Reader:
    """Finds what rows say in the corpora, and gathers what it finds and what it does not."""

    def __init__(self, corpora: Mapping[str, str]) -> None:
        self.questions: list[Question] = []
        self.problems: list[Problem] = []
        self._lookup = Lookup(corpora)
        self._searched = self._lookup.searched
        self._asked: dict[tuple[str, str], str] = {}

    def read(self, row: QuestionRow) -> None:
        """Take in a row.

        Raises
        ------
        ReadError
            If it names no corpus where there are several, and an excerpt has no text to be looked
            up; or a place behind a corpus's end.
        """
        if not row.excerpts:
            self._leave_out(row, needed_key(row))
            return
        corpus = self._corpus(row)
        if corpus is None:
            n = len(self._searched)
            shown = short_repr(row.excerpts[0].text)
            self._leave_out(row, f"the excerpt {shown} does not stand in any of {n:,} corpora")
        elif corpus not in self._searched:
            hint = nearest(corpus, list(self._searched))
            self._leave_out(row, f"unknown corpus {corpus!r}: {hint}")
        elif first := self._asked.get((corpus, row.question)):
            self._leave_out(row, f"it is asked before, in {first}")
        else:
            self._asked[corpus, row.question] = row.place
            self._ask(row, corpus)

    def _corpus(self, row: QuestionRow) -> str | None:
        """Return the corpus that a row names, or else the first one that holds its excerpts."""
        if row.corpus is not None:
            return self._lookup.named(row.corpus)
        if len(self._searched) == 1:
            return next(iter(self._searched))
        texts = [each.text for each in row.excerpts if each.text is not None]
        if len(texts) < len(row.excerpts):
            names = f"{len(self._searched)} corpora"
            raise ReadError(f"{row.place}: 'corpus' must name one of {names}, and is missing")
        ids = self._lookup.holding(texts)
        if len(ids) > 1:
            stands = f"{short_repr(texts[0])} stands in {ids[0]!r} and {len(ids) - 1:,} more"
            self._note(row, f"{stands}: {ids[0]!r} is taken; 'corpus' can name another")
        return ids[0] if ids else None

    def _ask(self, row: QuestionRow, corpus: str) -> None:
        places = [self._place(given, row, corpus) for given in row.excerpts]
        text = self._searched[corpus].document
        found = (Excerpt(text[start:end], start, end) for start, end in filter(None, places))
        if excerpts := tuple(found):
            self.questions.append(Question(row.question, corpus, excerpts))
        else:
            self._leave_out(row, "none of its excerpts is left")

    def _place(self, given: GivenExcerpt, row: QuestionRow, corpus: str) -> Place | None:
        """Return where an excerpt stands, or note that it does not."""
        text = self._searched[corpus].document
        if given.place is not None:
            start, end = given.place
            if end > len(text):
                where = f"{start}:{end} of {corpus!r}, which has {len(text)} code points"
                raise ReadError(f"{row.place}: an excerpt stands at {where}")
            if given.text is None or given.text == text[start:end]:
                return start, end
            stands = f"{short_repr(text[start:end])} stands at {start}:{end} of {corpus!r}"
            self._note(row, f"{stands}, not {short_repr(given.text)}: that is searched for")
        return self._found(given.text or "", row, corpus)

    def _found(self, text: str, row: QuestionRow, corpus: str) -> Place | None:
        searched = self._searched[corpus]
        if not text.strip():
            self._note(row, f"the excerpt {short_repr(text)} is empty: it is left out")
            return None
        if place := searched.exact(text) or searched.spaced(text):
            return place
        place = searched.sentence(text)
        absent = f"the excerpt {short_repr(text)} does not stand in {corpus!r}"
        if place is None:
            other = self._lookup.elsewhere(text, corpus)
            but = "" if other is None else f", but in {other!r}"
            self._note(row, f"{absent}{but}: it is left out")
        else:
            sentence = short_repr(searched.document[slice(*place)])
            self._note(row, f"{absent}: {sentence} is taken for it")
        return place

    def _leave_out(self, row: QuestionRow, why: str) -> None:
        self._note(row, f"{why}: the question is left out")

    def _note(self, row: QuestionRow, what: str) -> None:
        self.problems.append(Problem(row.place, row.question, what))


def check_question(question: object, corpora: Mapping[str, str]) -> None:
    """See that a question's excerpts are what stands in its corpus.

    Raises
    ------
    ConfigError
        If they are not, or there is no such corpus.
    """
    if not isinstance(question, Question):
        raise ConfigError(f"questions must be made of Question, got {short_repr(question)}")
    for what, value in (("text", question.text), ("corpus", question.corpus)):
        if not isinstance(value, str):
            raise ConfigError(f"a question's {what} must be a text, got {short_repr(value)}")
    text = corpora.get(question.corpus)
    whose = f"of the question {short_repr(question.text)}"
    if text is None:
        hint = nearest(question.corpus, list(corpora))
        raise ConfigError(f"unknown corpus {question.corpus!r} {whose}: {hint}")
    if not isinstance(question.excerpts, tuple | list):
        raise ConfigError(
            f"the excerpts {whose} must be a tuple, got {short_repr(question.excerpts)}"
        )
    if not question.excerpts:
        raise ConfigError(f"there are no excerpts {whose}")
    for excerpt in question.excerpts:
        _check_excerpt(excerpt, text, f"{whose} about {question.corpus!r}")


def _check_excerpt(excerpt: object, text: str, whose: str) -> None:
    if not isinstance(excerpt, Excerpt):
        raise ConfigError(f"excerpts must be made of Excerpt, got {short_repr(excerpt)} {whose}")
    start, end = excerpt.start, excerpt.end
    if type(start) is not int or type(end) is not int:
        got = f"start={short_repr(start)} and end={short_repr(end)}"
        raise ConfigError(f"an excerpt must start and end at an int, got {got} {whose}")
    if not 0 <= start < end <= len(text):
        raise ConfigError(f"excerpt {start}:{end} {whose} is no range of {len(text)} code points")
    stands = text[start:end]
    if stands != excerpt.text:
        said = f"{short_repr(stands)} stands at {start}:{end}"
        raise ConfigError(f"{said}, not the excerpt {short_repr(excerpt.text)} {whose}")
