"""Chroma's synthetic evaluation: questions that a language model asks about one's own texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from chunkwright.checks import checked_int
from chunkwright.embed import EmbedderLike, OpenAICompatible
from chunkwright.errors import ConfigError, ModelError
from chunkwright.evaluation.data.questions import Excerpt, Question
from chunkwright.evaluation.synthetic.excerpts import Window, piece_starts
from chunkwright.evaluation.synthetic.filters import (
    repeated_similarities,
    worst_similarities,
)
from chunkwright.evaluation.synthetic.question_requests import (
    QuestionRequests,
    question_of,
    quotes_of,
    ranges_of,
)
from chunkwright.evaluation.synthetic.table import QuestionTable, row_of
from chunkwright.llm import InvalidReplyError, OpenAIChat, Reply, Runner, RunnerLike, as_runner

from .embedding import embedder_or_openai
from .evaluation import BaseEvaluation
from .questions import pandas
from .search import rigorous_document_search

if TYPE_CHECKING:
    import pandas as pd

_OPENAI = "https://api.openai.com/v1"
# Replies of a given form are what the peer's gpt-4-turbo cannot do.
_CHAT, _EMBEDDING = "gpt-4o", "text-embedding-3-large"
_WINDOW_CHARS = 4000
_N_SHOWN = 20
_MAX_EXCERPTS = 5
# So many windows in a row may bring nothing.
_MAX_WINDOWS = 50
# Columns that the peer's filters take away.
_OLD_COLUMNS = ("fixed", "worst_ref_score", "diff_score")

_Judge = Callable[[list[Question]], "list[float | None]"]
_Found = tuple[str, tuple[Excerpt, ...]]
_Ask = Callable[[Window, Sequence[str], int], "_Found | None"]


class SyntheticEvaluation(BaseEvaluation):
    """Makes questions about texts of one's own, and evaluates chunkers on them.

    Windows, and the questions that a model is shown, are drawn by Python's `random`: whoever seeds
    it gets the same ones as with the peer. `chunkwright.evaluation.synthetic` makes questions at
    once instead of one after the other, and goes on where it was interrupted.

    Parameters
    ----------
    corpora_paths
        The files, which are the ids of the corpora, too.
    queries_csv_path
        Where questions are kept; if there is a file, they are added to it.
    chroma_db_path
        Without effect: no database is needed.
    openai_api_key
        For OpenAI's gpt-4o and text-embedding-3-large; None: that of the environment.
    llm
        What is asked in place of OpenAI's model: see `chunkwright.llm.as_runner`.
    embedder
        What compares texts in place of OpenAI's model: see `chunkwright.embed.as_embedder`.

    Raises
    ------
    ConfigError
        If `llm` is no language model.
    ReadError
        If the file of questions has another form.
    """

    def __init__(  # noqa: PLR0913 - the peer's signature, and two options
        self,
        corpora_paths: Sequence[str],
        queries_csv_path: str,
        chroma_db_path: str | None = None,
        openai_api_key: str | None = None,
        *,
        llm: RunnerLike | None = None,
        embedder: EmbedderLike | None = None,
    ) -> None:
        super().__init__(queries_csv_path, chroma_db_path)
        self.corpora_paths = corpora_paths
        chat = OpenAIChat(_OPENAI, _CHAT, api_key=openai_api_key) if llm is None else llm
        self._runner: Runner = as_runner(chat)
        if embedder is None and openai_api_key is not None:
            embedder = OpenAICompatible(_OPENAI, _EMBEDDING, api_key=openai_api_key)
        self._embedder = embedder
        self._has_asked = False

    @property
    def synth_questions_df(self) -> pd.DataFrame | None:
        """The questions as a frame of pandas, references as JSON; None before any were asked for.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        if not self._has_asked:
            return None
        table = QuestionTable(self.questions_csv_path)
        return pandas().DataFrame(table.rows, columns=list(table.columns))

    def generate_queries_and_excerpts(
        self,
        approximate_excerpts: bool = False,
        num_rounds: int = -1,
        queries_per_corpus: int = 5,
    ) -> None:
        """Ask for questions about each corpus, and add them to the file one by one.

        Parameters
        ----------
        approximate_excerpts
            Whether the model names pieces of the text; else it copies passages, which are looked
            for in the whole corpus.
        num_rounds
            How often all corpora are gone through. It has to be given: -1, the peer's default,
            would never end.
        queries_per_corpus
            Questions about each corpus in a round.

        Raises
        ------
        ConfigError
            If there is no number of rounds.
        ModelError
            If the model fails, or brings no question in 50 windows one after the other. What was
            asked before is in the file.
        MissingExtraError
            If sentences have to be compared, and the library rapidfuzz is not installed.
        """
        if num_rounds == -1:
            raise ConfigError("num_rounds must be given: with -1 questions are asked for ever")
        checked_int("num_rounds", num_rounds, least=0)
        checked_int("queries_per_corpus", queries_per_corpus, least=0)
        table = QuestionTable(self.questions_csv_path)
        self._has_asked = True
        ask = self._approximate if approximate_excerpts else self._exact
        for _ in range(num_rounds):
            for corpus_id in self.corpora_paths:
                corpus = self._corpus(corpus_id)
                for _ in range(queries_per_corpus):
                    question = self._question(ask, corpus, corpus_id, table)
                    table.replace([*table.rows, row_of(question)])

    def _question(self, ask: _Ask, corpus: str, corpus_id: str, table: QuestionTable) -> Question:
        known = [row["question"] for row in table.rows if row["corpus_id"] == corpus_id]
        for number in range(_MAX_WINDOWS):
            # Drawn in the peer's order.
            last = len(corpus) - _WINDOW_CHARS
            start = random.randint(0, last) if last > 0 else 0  # noqa: S311
            shown = random.sample(known, _N_SHOWN) if len(known) > _N_SHOWN else known
            window = Window(corpus, start, min(start + _WINDOW_CHARS, len(corpus)))
            found = ask(window, shown, len(known) * _MAX_WINDOWS + number + 1)
            if found is not None:
                text, excerpts = found
                return Question(text, corpus_id, excerpts)
        raise ModelError(f"{_MAX_WINDOWS} windows of {corpus_id!r} brought no question")

    def _exact(self, window: Window, shown: Sequence[str], number: int) -> _Found | None:
        corpus = window.corpus

        def read(reply: Reply) -> _Found:
            question, quotes = question_of(reply), quotes_of(reply, _MAX_EXCERPTS)
            return question, tuple(_found(corpus, quote) for quote in quotes)

        return self._reply_of(
            QuestionRequests("exact", None, _MAX_EXCERPTS), window, shown, number, read
        )

    def _approximate(self, window: Window, shown: Sequence[str], number: int) -> _Found | None:
        starts = [window.start + start for start in piece_starts(window.text)]

        def read(reply: Reply) -> _Found:
            ranges = ranges_of(reply, _MAX_EXCERPTS, len(starts) - 1)
            places = [(starts[first], starts[last + 1]) for first, last in ranges]
            excerpts = (Excerpt(window.corpus[start:end], start, end) for start, end in places)
            return question_of(reply), tuple(excerpts)

        return self._reply_of(
            QuestionRequests("approximate", None, _MAX_EXCERPTS), window, shown, number, read
        )

    def _reply_of(
        self,
        requests: QuestionRequests,
        window: Window,
        shown: Sequence[str],
        number: int,
        read: Callable[[Reply], _Found],
    ) -> _Found | None:
        """Return what a reply says; None if it cannot be used: as with the peer, there is one."""

        def check(reply: Reply) -> _Found | None:
            try:
                return read(reply)
            except InvalidReplyError:
                return None

        (answer,) = self._runner.ask([requests.request(window.text, shown, number, check)])
        if answer.outcome in {"failed", "unpaid"}:
            raise ModelError(answer.why)
        return answer.value

    def filter_poor_excerpts(
        self, threshold: float = 0.36, corpora_subset: Sequence[str] | None = None
    ) -> None:
        """Leave out questions that are too little like one of their excerpts.

        As with the peer, the questions of a corpus that is filtered come last in the file.

        Parameters
        ----------
        threshold
            The least cosine similarity that a question may have with its worst excerpt.
        corpora_subset
            The corpora whose questions are looked at; None: all.

        Raises
        ------
        ValueError
            If there is neither an embedder nor a key for OpenAI's.
        ReadError
            If the file of questions has another form.
        ModelError
            If the embedder gives no vector of finite numbers for each text.
        """

        def judge(questions: list[Question]) -> list[float | None]:
            worst = worst_similarities(questions, embedder_or_openai(self._embedder))
            return [None if each >= threshold else each for each in worst]

        self._filter(judge, corpora_subset)

    def filter_duplicates(
        self, threshold: float = 0.78, corpora_subset: Sequence[str] | None = None
    ) -> None:
        """Leave out questions that are too much like an earlier one about the same corpus.

        As with the peer, the questions of a corpus that is filtered come last in the file.

        Parameters
        ----------
        threshold
            The cosine similarity above which the later one of two questions is left out.
        corpora_subset
            The corpora whose questions are looked at; None: all.

        Raises
        ------
        ValueError
            If there is neither an embedder nor a key for OpenAI's.
        ReadError
            If the file of questions has another form.
        ModelError
            If the embedder gives no vector of finite numbers for each text.
        """

        def judge(questions: list[Question]) -> list[float | None]:
            embedder = embedder_or_openai(self._embedder)
            return repeated_similarities(questions, embedder, threshold)

        self._filter(judge, corpora_subset)

    def _filter(self, judge: _Judge, subset: Sequence[str] | None) -> None:
        table = QuestionTable(self.questions_csv_path)
        if not table.rows:
            return
        pairs = list(zip(table.rows, table.questions(), strict=True))
        for corpus_id in dict.fromkeys(question.corpus for _, question in pairs):
            if subset and corpus_id not in subset:
                continue
            some = [pair for pair in pairs if pair[1].corpus == corpus_id]
            judged = judge([question for _, question in some])
            kept = [pair for pair, found in zip(some, judged, strict=True) if found is None]
            pairs = [pair for pair in pairs if pair[1].corpus != corpus_id] + kept
        table.columns = tuple(name for name in table.columns if name not in _OLD_COLUMNS)
        table.replace({name: row[name] for name in table.columns} for row, _ in pairs)

    def question_ref_filter(self) -> None:
        """Do nothing, as the peer's."""


def _found(corpus: str, quote: str) -> Excerpt:
    found = rigorous_document_search(corpus, quote)
    if found is None or not found[0]:
        raise InvalidReplyError("an excerpt does not stand in the corpus")
    return Excerpt(*found)
