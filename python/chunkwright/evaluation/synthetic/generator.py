"""Generator of questions about one's own documents, by a language model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib.util import find_spec
from typing import Any

from chunkwright.checks import checked_int, checked_name
from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.evaluation.data.corpora import CorporaLike, checked_corpora, read_documents
from chunkwright.evaluation.synthetic.question_requests import MODES, Mode, QuestionRequests
from chunkwright.evaluation.synthetic.rounds import Rounds
from chunkwright.evaluation.synthetic.table import make_writable, read_files
from chunkwright.llm.prompt import PromptLike
from chunkwright.llm.run.ledger import Estimate
from chunkwright.llm.run.runner import Runner, RunnerLike, as_runner

_MAX_EXCERPTS = 20


@dataclass(frozen=True, slots=True)
class GenerationCounts:
    """Counts of a run of a generator.

    Parameters
    ----------
    n_questions
        Questions that are in the file now.
    n_new
        Those of this run.
    n_repeated
        Replies that were left out since their question was there already.
    n_rejected
        Windows that were given up, since the second reply could not be used either: it was no
        JSON, or had no question, or an excerpt that does not stand in the window.
    n_failed
        Requests without a reply.
    n_given_up
        Questions that no window brought, those of earlier runs included: they are not asked for
        again.
    is_complete
        Whether all rounds are done. If not, requests failed or the budget did not suffice: another
        run resumes.
    """

    n_questions: int
    n_new: int
    n_repeated: int
    n_rejected: int
    n_failed: int
    n_given_up: int
    is_complete: bool


@dataclass(frozen=True)
class QuestionGenerator:
    """Asks a model for questions about documents, and for the passages that answer them.

    The model is shown a random window of a corpus and some of the earlier questions. Of a reply
    only one line of text and slices of the window are kept: a question with an excerpt that does
    not stand in the window is left out.

    Parameters
    ----------
    corpora
        A folder, a glob, a list of paths, or a mapping from names to texts; see
        `chunkwright.evaluation.data.corpora.read_corpora`. Files are read when needed; those
        that are blank are not asked about.
    llm
        A model, a function, or a `chunkwright.llm.Runner`, which keeps replies and has a budget.
    mode
        ``"exact"``: the model copies the passages, which are looked up as they are, then ignoring
        case and whitespace, then as a sentence of nearly the same words. ``"approximate"``:
        it names numbered pieces of some 100 code points, for models that do not copy well.
    window_chars
        Code points of a window.
    max_excerpts
        The largest number of passages of a question, up to 20.
    n_shown
        The largest number of earlier questions that the model is shown.
    seed
        Draws windows and the questions that are shown. The same seed, corpora and replies give the
        same questions, whatever the number of requests at once.
    prompt
        The prompt, or the path of its file; None: the package's
        ``questions-1`` or ``questions-tagged-1``.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> from chunkwright.evaluation import Dataset
    >>> from chunkwright.evaluation.synthetic import QuestionGenerator
    >>> def model(messages):
    ...     return json.dumps({"question": "When was it built?", "excerpts": ["built in 1743"]})
    >>> generator = QuestionGenerator({"mill": "The mill was built in 1743."}, llm=model)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "questions.csv")
    ...     counts = generator.generate(path, rounds=1, per_corpus_and_round=1)
    ...     counts.n_new, Dataset.read(generator.corpora, path).questions[0].excerpts
    (1, (Excerpt(text='built in 1743', start=13, end=26),))
    """

    corpora: CorporaLike = field(repr=False)
    llm: RunnerLike = field(kw_only=True)
    mode: Mode = field(default="exact", kw_only=True)
    window_chars: int = field(default=4000, kw_only=True)
    max_excerpts: int = field(default=5, kw_only=True)
    n_shown: int = field(default=20, kw_only=True)
    seed: int = field(default=0, kw_only=True)
    prompt: PromptLike | None = field(default=None, kw_only=True)
    _runner: Runner = field(init=False, repr=False, compare=False)
    _requests: QuestionRequests = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        checked_name("mode", self.mode, MODES)
        checked_int("window_chars", self.window_chars, least=1)
        checked_int("max_excerpts", self.max_excerpts, least=1, most=_MAX_EXCERPTS)
        checked_int("n_shown", self.n_shown, least=0)
        checked_int("seed", self.seed, least=0)
        object.__setattr__(self, "_runner", as_runner(self.llm))
        object.__setattr__(
            self, "_requests", QuestionRequests(self.mode, self.prompt, self.max_excerpts)
        )

    def generate(
        self, path: str | os.PathLike[str], *, rounds: int, per_corpus_and_round: int = 5
    ) -> GenerationCounts:
        """Add questions to a file until it has so many rounds of them.

        In a round so many questions are asked for about each corpus. What earlier runs did is
        counted and not asked for again, even if questions were filtered out since; rows that were
        there before the first run count as well. Three windows are tried for a question, then it is
        given up. Each question is on the disk before the next reply is looked at. Only one run at
        a time may write a file.

        Parameters
        ----------
        path
            A CSV file with the columns of Chroma's report; made if there is none. A file beside it,
            with ``.journal`` behind its name, says what was asked, and the fingerprints of the
            model and the prompt.
        rounds
            How many rounds, those of earlier runs included.
        per_corpus_and_round
            Questions about each corpus in a round.

        Raises
        ------
        ConfigError
            If there is no corpus, or one has changed since it was asked about, or the file cannot
            be written.
        ReadError
            If a file cannot be read, or is not what it should be.
        ModelError
            If the model refuses all requests, or 20 fail one after the other.
        MissingExtraError
            If excerpts are to be copied, and the library rapidfuzz is not installed.
        """
        _check_counts(rounds, per_corpus_and_round)
        if self.mode == "exact" and find_spec("rapidfuzz") is None:
            raise MissingExtraError("the search for copied excerpts", "evaluation")
        state = self._state(path)
        table, journal = state.table, state.journal
        n_before = len(table.rows)
        make_writable(table, journal)
        journal.note("run", self._facts(state.texts))
        state.run(rounds, per_corpus_and_round)
        counts = state.counts
        done = GenerationCounts(
            n_questions=len(table.rows),
            n_new=len(table.rows) - n_before,
            n_repeated=counts["repeated"],
            n_rejected=counts["rejected"],
            n_failed=counts["failed"],
            n_given_up=counts["given up"],
            is_complete=not counts["failed"] and not counts["unpaid"],
        )
        journal.note("done", asdict(done))
        return done

    def estimate(
        self, path: str | os.PathLike[str], *, rounds: int, per_corpus_and_round: int = 5
    ) -> Estimate:
        """Return what `generate` would cost; nothing is sent or written.

        There is one request for each question that is still to be asked for, with as many and as
        long questions shown as there may be and the longest reply: an upper bound for it, and for
        the run if all replies can be used. A question takes six requests at most: two for each of
        three windows.

        Raises
        ------
        ConfigError
            If there is no corpus, or one has changed since it was asked about.
        ReadError
            If a file cannot be read, or is not what it should be.
        """
        _check_counts(rounds, per_corpus_and_round)
        return self._runner.estimate(self._state(path).planned(rounds, per_corpus_and_round))

    def _state(self, path: str | os.PathLike[str]) -> Rounds:
        """Return the rounds as the files have them."""
        table, journal = read_files(path)
        corpora = self.corpora
        if isinstance(corpora, Mapping):
            texts = checked_corpora(corpora)
        else:
            read = read_documents(corpora, without=path)
            texts = {name: each.text for name, each in read.items()}
        # Nothing can be asked about a blank text.
        texts = {name: text for name, text in texts.items() if text.strip()}
        if not texts:
            raise ConfigError("there is no corpus to ask about: all are blank")
        for name, text in texts.items():
            if journal.corpora.get(name, _hash(text)) != _hash(text):
                raise ConfigError(
                    f"the corpus {name!r} has changed since {journal.path} was written: places of "
                    "excerpts would be wrong; make another file of questions"
                )
        return Rounds(
            texts,
            self._requests,
            self._runner,
            table,
            journal,
            self.window_chars,
            self.n_shown,
            self.seed,
        )

    def _facts(self, texts: Mapping[str, str]) -> dict[str, Any]:
        return {
            "model": self._runner.fingerprint,
            "prompt": self._requests.template.fingerprint,
            "mode": self.mode,
            "window_chars": self.window_chars,
            "max_excerpts": self.max_excerpts,
            "n_shown": self.n_shown,
            "seed": self.seed,
            "corpora": {name: _hash(text) for name, text in texts.items()},
        }


def _check_counts(rounds: int, per_corpus_and_round: int) -> None:
    checked_int("rounds", rounds, least=0)
    checked_int("per_corpus_and_round", per_corpus_and_round, least=1)


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
