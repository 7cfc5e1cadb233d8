"""Requests for questions: what a model is shown, and what is kept or wrong of its reply."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

from chunkwright.evaluation.data.questions import Question
from chunkwright.evaluation.synthetic.excerpts import Window, numbered, piece_starts, quoted, tagged
from chunkwright.llm.framing import Frames, framed
from chunkwright.llm.prompt import Prompt, PromptLike, as_prompt
from chunkwright.llm.protocol import Reply, Schema
from chunkwright.llm.request import InvalidReplyError, Request, member
from chunkwright.messages.terminal_text import short_repr

MAX_QUESTION_CHARS = 400
"""Code points of a question at most."""

# Control characters and halves of surrogate pairs: no text that people read has them.
_UNREADABLE = {"Cc", "Cs"}


def _object(members: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _schema(excerpt: dict[str, Any]) -> Schema:
    excerpts = {"type": "array", "items": excerpt}
    return _object({"question": {"type": "string"}, "excerpts": excerpts})


QUOTING = _schema({"type": "string"})
"""The form of a reply with the passages themselves."""

NUMBERING = _schema(_object({"first": {"type": "integer"}, "last": {"type": "integer"}}))
"""The form of a reply with the numbers of pieces."""


def question_of(reply: Reply) -> str:
    """Return the question in a reply, as it stands there.

    Raises
    ------
    InvalidReplyError
        If there is none that can be asked.
    """
    question = member(reply, "question")
    if not isinstance(question, str) or not question.strip():
        raise InvalidReplyError('"question" must be a text that is not empty')
    if len(question) > MAX_QUESTION_CHARS:
        raise InvalidReplyError(f"the question has more than {MAX_QUESTION_CHARS} characters")
    if any(unicodedata.category(c) in _UNREADABLE and not c.isspace() for c in question):
        raise InvalidReplyError("the question has characters that cannot be read")
    return question


def quotes_of(reply: Reply, most: int) -> list[str]:
    """Return the passages in a reply.

    Raises
    ------
    InvalidReplyError
        If there is none, or one is no text, or there are too many.
    """
    quotes = _excerpts(reply, most)
    for quote in quotes:
        if not isinstance(quote, str) or not quote.strip():
            raise InvalidReplyError(
                f"an excerpt must be a text of the document, not {short_repr(quote)}"
            )
    return quotes


def ranges_of(reply: Reply, most: int, n_pieces: int) -> list[tuple[int, int]]:
    """Return the numbers of the first and the last piece of each passage in a reply.

    Raises
    ------
    InvalidReplyError
        If there is no passage, or there are too many, or a number is that of no piece.
    """
    return [_range(each, n_pieces) for each in _excerpts(reply, most)]


def _excerpts(reply: Reply, most: int) -> list[Any]:
    excerpts = member(reply, "excerpts")
    if not isinstance(excerpts, list) or not excerpts:
        raise InvalidReplyError('"excerpts" must be a list with an excerpt at least')
    if len(excerpts) > most:
        raise InvalidReplyError(f"there are {len(excerpts)} excerpts, and may be {most} at most")
    return excerpts


def _range(excerpt: object, n_pieces: int) -> tuple[int, int]:
    if isinstance(excerpt, dict):
        first, last = excerpt.get("first"), excerpt.get("last")
        # True is an int, too.
        if type(first) is int and type(last) is int and 0 <= first <= last < n_pieces:
            return first, last
    said = f'"first" and "last" must be numbers of pieces, from 0 to {n_pieces - 1}, in this order'
    raise InvalidReplyError(f"{said}, not {short_repr(excerpt)}")


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
