"""Corpora and the questions that they answer."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from chunkwright.errors import ConfigError
from chunkwright.evaluation.corpora import CorporaLike, checked_corpora, read_corpora
from chunkwright.evaluation.questions import (
    Excerpt,
    Problem,
    Question,
    check_question,
    read_questions,
)


@dataclass(frozen=True)
class Dataset:
    """Corpora and the questions that they answer.

    Excerpts of one question that overlap are made one.

    Parameters
    ----------
    corpora
        The texts, by name.
    questions
        The questions; each has an excerpt, and each excerpt is the slice of its corpus that it says
        it is.
    name
        What the dataset is called.
    problems
        What was left out, or not taken as it is, when it was read.

    Raises
    ------
    ConfigError
        If a question's corpus is not among them, or an excerpt is not what stands in it, or there
        is none.

    Examples
    --------
    >>> from chunkwright.evaluation import Dataset, Excerpt, Question
    >>> text = "The mill was built in 1743. It burnt down twice."
    >>> built = Question("When was the mill built?", "mill", (Excerpt(text[:27], 0, 27),))
    >>> Dataset({"mill": text}, (built,), name="mills")
    <Dataset 'mills': 1 question, 1 excerpt, 1 corpus>
    """

    corpora: Mapping[str, str]
    questions: tuple[Question, ...]
    name: str = ""
    problems: tuple[Problem, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "corpora", checked_corpora(self.corpora))
        if not isinstance(self.questions, Iterable):
            got = type(self.questions).__name__
            raise ConfigError(f"questions must be made of Question, got {got}")
        object.__setattr__(self, "questions", tuple(map(self._checked, self.questions)))
        object.__setattr__(self, "problems", tuple(self.problems))

    def _checked(self, question: Question) -> Question:
        """Return a question whose excerpts are in order and disjoint."""
        check_question(question, self.corpora)
        text = self.corpora[question.corpus]
        return Question(question.text, question.corpus, disjoint(question.excerpts, text))

    @classmethod
    def read(
        cls, corpora: CorporaLike, questions: str | os.PathLike[str], *, name: str | None = None
    ) -> Dataset:
        """Read corpora and questions from files.

        Parameters
        ----------
        corpora
            A folder, a glob, a list of paths, or a mapping from names to texts; see
            :func:`chunkwright.evaluation.corpora.read_corpora`.
        questions
            A file of JSON lines (``.jsonl``) or the report's CSV (``.csv``).
        name
            What the dataset is called; the file of questions, without its ending, by default.

        Raises
        ------
        ConfigError
            If there is no such file, or two corpora have one name.
        ReadError
            If a file cannot be read, or a row is not what it should be; names it. What is well said
            but cannot be asked is among the `problems` instead.
        """
        texts = read_corpora(corpora, without=questions)
        asked, problems = read_questions(questions, texts)
        return cls(texts, asked, Path(questions).stem if name is None else name, problems)

    @classmethod
    def chroma_report(cls, folder: str | os.PathLike[str]) -> Dataset:
        """Read the set of the report "Evaluating Chunking Strategies for Retrieval" of Chroma.

        Parameters
        ----------
        folder
            Holds ``questions_df.csv`` and the folder ``corpora`` with five texts.

        Raises
        ------
        ConfigError
            If they are not there.
        ReadError
            If they cannot be read.
        """
        root = Path(folder)
        return cls.read(root / "corpora", root / "questions_df.csv", name="chroma-report")

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256, in hexadecimal, of all corpora and questions, their order included."""
        parts = [
            [[name, _hash(text)] for name, text in self.corpora.items()],
            [[q.text, q.corpus, [[e.start, e.end] for e in q.excerpts]] for q in self.questions],
        ]
        return _hash(json.dumps(parts))

    @property
    def n_excerpts(self) -> int:
        """How many excerpts the questions have together."""
        return sum(len(question.excerpts) for question in self.questions)

    def __repr__(self) -> str:
        counts = (
            _counted(len(self.questions), "question"),
            _counted(self.n_excerpts, "excerpt"),
            _counted(len(self.corpora), "corpus", "corpora"),
            *([_counted(len(self.problems), "problem")] if self.problems else []),
        )
        name = f" {self.name!r}" if self.name else ""
        return f"<Dataset{name}: {', '.join(counts)}>"


def disjoint(excerpts: Iterable[Excerpt], text: str) -> tuple[Excerpt, ...]:
    """Return excerpts in order, those that overlap made one.

    Parameters
    ----------
    excerpts
        Of one question.
    text
        The corpus that they stand in.
    """
    kept: list[Excerpt] = []
    for excerpt in sorted(excerpts, key=lambda excerpt: (excerpt.start, excerpt.end)):
        if not kept or excerpt.start >= kept[-1].end:
            kept.append(excerpt)
        elif excerpt.end > kept[-1].end:
            start = kept[-1].start
            kept[-1] = Excerpt(text[start : excerpt.end], start, excerpt.end)
    return tuple(kept)


def _counted(n: int, one: str, many: str | None = None) -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
