"""Requests for questions: what a model is shown, and what is kept of its reply."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from chunkwright.evaluation.data.questions import Question
from chunkwright.evaluation.synthetic.excerpts import numbered, quoted
from chunkwright.evaluation.synthetic.pieces import piece_starts, tagged
from chunkwright.evaluation.synthetic.replies import (
    NUMBERING,
    QUOTING,
    question_of,
    quotes_of,
    ranges_of,
)
from chunkwright.evaluation.synthetic.windows import Window
from chunkwright.llm.framing import Frames, framed
from chunkwright.llm.prompt import Prompt, PromptLike, as_prompt
from chunkwright.llm.protocol import Reply
from chunkwright.llm.request import InvalidReplyError, Request

Mode: TypeAlias = Literal["exact", "approximate"]
MODES = ("exact", "approximate")
T = TypeVar("T")

_NAMES = {"exact": "questions-1", "approximate": "questions-tagged-1"}
_PLACES = {"exact": "document", "approximate": "pieces"}
_MAX_TOKENS = 1500
# Some chance: another window of the same passage brings another question.
_TEMPERATURE = 0.7
_NO_QUESTIONS = "(none)"
_FRAMES = Frames("document", "piece", "piece #", "questions")


@dataclass(frozen=True)
class QuestionRequests:
    """Requests for questions about texts, and the reading of their replies.

    Parameters
    ----------
    mode
        ``"exact"``: the model copies the passages; ``"approximate"``: it names pieces.
    prompt
        What it is told; None: the package's own.
    max_excerpts
        Passages of a question at most.

    Raises
    ------
    ConfigError
        If the prompt has no place for the document, or a place for something else.
    """

    mode: Mode
    prompt: PromptLike | None
    max_excerpts: int
    template: Prompt = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "template", as_prompt(self.prompt, _NAMES[self.mode]))
        needed = {_PLACES[self.mode]}
        self.template.check_placeholders({*needed, "questions", "max_excerpts", "number"}, needed)

    def request(
        self, text: str, shown: Sequence[str], number: int, check: Callable[[Reply], T]
    ) -> Request[T]:
        """Return the request for a question about a text.

        Parameters
        ----------
        text
            What the model is shown of a corpus.
        shown
            Questions that it must not ask again.
        number
            One that no other request about the corpus has: so none is answered from the cache in
            place of another.
        check
            Returns what the reply says, or raises `InvalidReplyError`.
        """
        is_exact = self.mode == "exact"
        questions = "\n".join(shown) or _NO_QUESTIONS
        code = _FRAMES.code((text, questions))
        messages = _FRAMES.prompt(self.template, code).messages(
            **{
                _PLACES[self.mode]: (
                    framed("document", text, code) if is_exact else tagged(text, code)
                )
            },
            questions=framed("questions", questions, code),
            max_excerpts=self.max_excerpts,
            number=number,
        )
        schema = QUOTING if is_exact else NUMBERING
        return Request(messages, check, schema, _MAX_TOKENS, _TEMPERATURE)

    def question(self, reply: Reply, window: Window, corpus: str) -> Question:
        """Return the question of a reply, on one line, with its excerpts where they stand.

        Raises
        ------
        InvalidReplyError
            If there is no question, or an excerpt does not stand in the window.
        """
        text = " ".join(question_of(reply).split())
        if self.mode == "exact":
            excerpts = quoted(quotes_of(reply, self.max_excerpts), window)
        else:
            starts = piece_starts(window.text)
            ranges = ranges_of(reply, self.max_excerpts, len(starts) - 1)
            excerpts = numbered(ranges, starts, window)
        return Question(text, corpus, excerpts)


def check_is_new(question: Question, known: Collection[str]) -> Question:
    """Return a question that is none of those that are known.

    Raises
    ------
    InvalidReplyError
        If it is one of them.
    """
    if question.text in known:
        raise InvalidReplyError("that question is there already")
    return question
