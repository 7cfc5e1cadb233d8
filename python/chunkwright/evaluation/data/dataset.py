"""Dataset of an evaluation: corpora and the questions that they answer."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from chunkwright.document import Document
from chunkwright.errors import ConfigError
from chunkwright.evaluation.data.corpora import (
    STEM,
    CorporaLike,
    Naming,
    checked_corpora,
    knows_more,
    read_corpora,
    read_structured,
)
from chunkwright.evaluation.data.questions import (
    Excerpt,
    Problem,
    Question,
    check_question,
    read_questions,
)
from chunkwright.messages.terminal_text import counted


@dataclass(frozen=True)
class Dataset:
    """Corpora and the questions that they answer.

    Overlapping excerpts of one question are merged.

    Parameters
    ----------
    corpora
        The texts by name; or documents, such as :func:`chunkwright.read_elements` returns, which
        give chunkers more than the text.
    questions
        The questions. Each has at least one excerpt, and each excerpt equals the text at its place.
    name
        The name of the dataset.
    problems
        What was left out or changed when the files were read.
    documents
        The corpora that are documents, by name. Documents among ``corpora`` are moved here, and
        their texts stay there.
    found_structured
        Names of documents that were read from files with structure. Strategies cut these documents;
        functions get their texts, as for all files.

    Raises
    ------
    ConfigError
        If a corpus is neither a text nor a document, if the corpus of a question is unknown, or if
        an excerpt is missing or differs from the text at its place.

    Examples
    --------
    >>> from chunkwright.evaluation import Dataset, Excerpt, Question
    >>> text = "The mill was built in 1743. It burnt down twice."
    >>> built = Question("When was the mill built?", "mill", (Excerpt(text[:27], 0, 27),))
    >>> Dataset({"mill": text}, (built,), name="mills")
    <Dataset 'mills': 1 question, 1 excerpt, 1 corpus>
    """

    corpora: Mapping[str, Any]
    questions: tuple[Question, ...]
    name: str = ""
    problems: tuple[Problem, ...] = ()
    documents: Mapping[str, Document] = field(default_factory=dict)
    found_structured: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        texts, documents = _texts_and_documents(self.corpora)
        object.__setattr__(self, "corpora", checked_corpora(texts))
        object.__setattr__(self, "documents", {**self.documents, **documents})
        for name, document in self.documents.items():
            if self.corpora.get(name) != document.text:
                raise ConfigError(f"the document {name!r} is not the text of a corpus of that name")
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
        cls,
        corpora: CorporaLike | Mapping[str, str | Document],
        questions: str | os.PathLike[str] | None,
        *,
        name: str | None = None,
        names: Naming = STEM,
    ) -> Dataset:
        """Read corpora and questions from files.

        Files with structure, such as Markdown, HTML and PDF, are read as :func:`chunkwright.read`
        reads them, so that strategies see their headings and tables as they do elsewhere. All other
        files, and ``str``, are plain texts.

        Parameters
        ----------
        corpora
            A folder, a glob, a list of paths, or a mapping from names to texts or documents; see
            :func:`chunkwright.evaluation.data.corpora.read_corpora`. Pass its result to measure all
            files as plain texts.
        questions
            A file of JSON (``.json``), JSON lines (``.jsonl``) or CSV (``.csv``); None: no
            questions, so that only the chunks can be measured.
        name
            The name of the dataset; by default that of the file of questions, without its suffix.
        names
            How corpora are named after their files: ``"stem"``, or ``"path"`` for the files of a
            folder of code; see
            :func:`chunkwright.evaluation.data.corpora.read_corpora`. Mappings have names.

        Raises
        ------
        ConfigError
            If there is no such file, or two corpora have one name.
        ReadError
            If a file cannot be read, or a row is malformed; names it. Well-formed questions that
            cannot be used are among the `problems` instead.
        """
        is_given = isinstance(corpora, Mapping)
        read: Any = corpora
        if not is_given:
            read = read_structured(corpora, without=questions, names=names)
        given, documents = _texts_and_documents(read)
        texts = checked_corpora(given)
        asked, problems = ((), ()) if questions is None else read_questions(questions, texts)
        named = Path(questions or "").stem if name is None else name
        found = frozenset[str]() if is_given else frozenset(documents)
        return cls(texts, asked, named, problems, documents, found)

    @classmethod
    def chroma_report(cls, folder: str | os.PathLike[str]) -> Dataset:
        """Read the set of the report "Evaluating Chunking Strategies for Retrieval" of Chroma.

        Parameters
        ----------
        folder
            The folder with ``questions_df.csv`` and the folder ``corpora`` of five texts.

        Raises
        ------
        ConfigError
            If they are not there.
        ReadError
            If they cannot be read.
        """
        root = Path(folder)
        # The report's chunkers know texts alone, though its files are called Markdown.
        corpora, questions = read_corpora(root / "corpora"), root / "questions_df.csv"
        return cls.read(corpora, questions, name="chroma-report")

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256, in hexadecimal, of all corpora and questions in their order."""
        parts = [
            [[name, *self._hashes(name)] for name in self.corpora],
            [[q.text, q.corpus, [[e.start, e.end] for e in q.excerpts]] for q in self.questions],
        ]
        return _hash(json.dumps(parts))

    def _hashes(self, corpus: str) -> list[str]:
        """Return hashes of all that chunks of a corpus may depend on."""
        hashes, document = [_hash(self.corpora[corpus])], self.documents.get(corpus)
        if document is not None and knows_more(document):
            hashes.append(sha256(pickle.dumps(document)).hexdigest())
        if corpus in self.found_structured:
            # Functions are given the text of it.
            hashes.append("found structured")
        return hashes

    @property
    def n_excerpts(self) -> int:
        """The number of excerpts of all questions."""
        return sum(len(question.excerpts) for question in self.questions)

    def __repr__(self) -> str:
        counts = (
            counted(len(self.questions), "question"),
            counted(self.n_excerpts, "excerpt"),
            counted(len(self.corpora), "corpus", "corpora"),
            *([counted(len(self.problems), "problem")] if self.problems else []),
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


def _texts_and_documents(corpora: Any) -> tuple[Any, dict[str, Document]]:
    """Return corpora with texts in the place of documents, and these; what is no mapping stays."""
    if not isinstance(corpora, Mapping):
        return corpora, {}
    documents = {name: each for name, each in corpora.items() if isinstance(each, Document)}
    return {**corpora, **{name: each.text for name, each in documents.items()}}, documents


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
