"""Chroma's chunker that asks a language model after which small pieces to split a text."""

from __future__ import annotations

import logging
import os
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError, ModelError

from .base import BaseChunker, openai_token_count
from .tokens import RecursiveTokenChunker

if TYPE_CHECKING:
    from chunkwright.llm import Reply
    from chunkwright.llm.framing import Frames
    from chunkwright.llm.run.runner import Runner, RunnerLike

PIECE_TOKENS = 50
WINDOW_TOKENS = 800  # of a window, but for its last piece
UNSEEN = 4  # so many pieces at the end of a text begin no window
MAX_TOKENS = 200  # of a reply
TEMPERATURE = 0.2
# The peer asks until it gets on.
MAX_TRIES = 10

_PROMPT = "chroma-splits-1"
_ORGANISATIONS = {
    "openai": ("gpt-4o", "OPENAI_API_KEY"),
    "anthropic": ("claude-3-5-sonnet-20240620", "ANTHROPIC_API_KEY"),
}
# Of the first tag that is shown.
_CODE = re.compile(r"<\|start_chunk_\d+(-[a-p]+)\|>")
_log = logging.getLogger("chunkwright")

Messages = list[dict[str, str]]


class LLMSemanticChunker(BaseChunker):
    """Asks a language model after which of a text's small pieces a new theme begins.

    The model is shown one window of pieces after another, each of a little more than 800 tokens;
    the next one begins behind the last piece that the model named. A window about which ten
    replies lead nowhere is not split, which is logged.

    Parameters
    ----------
    organisation
        Whose model is asked: ``"openai"`` or ``"anthropic"``.
    api_key
        The key; None: that of the environment.
    model_name
        The model; None: ``gpt-4o`` or ``claude-3-5-sonnet-20240620``.
    llm
        A model, a function, or a `chunkwright.llm.Runner`, in place of the three.

    Attributes
    ----------
    splitter
        What makes the pieces.
    runner
        What asks the model, and counts.

    Raises
    ------
    ValueError
        If there is no such organisation, or no key.

    Examples
    --------
    >>> from chunkwright.compat.chroma import LLMSemanticChunker
    >>> chunker = LLMSemanticChunker(llm=lambda messages: "split_after: 2, 9")
    >>> text = " ".join(f"Sentence number {i} is about as long as that." for i in range(60))
    >>> [chunk.count(" about ") for chunk in chunker.split_text(text)]
    [8, 28, 24]
    """

    def __init__(
        self,
        organisation: str = "openai",
        api_key: str | None = None,
        model_name: str | None = None,
        *,
        llm: RunnerLike | None = None,
    ) -> None:
        from chunkwright.llm.run.runner import as_runner

        model = _served(organisation, api_key, model_name) if llm is None else llm
        self.runner: Runner = as_runner(model)
        self.splitter: RecursiveTokenChunker = RecursiveTokenChunker(
            PIECE_TOKENS, 0, length_function=openai_token_count
        )

    def get_prompt(
        self, chunked_input: str, current_chunk: int = 0, invalid_response: list[int] | None = None
    ) -> Messages:
        """Return the messages that ask after which pieces to split.

        Parameters
        ----------
        chunked_input
            The pieces, between tags with their numbers.
        current_chunk
            The least number that may be named.
        invalid_response
            The numbers of the reply before, if they were not such.
        """
        from chunkwright.llm.prompt import Prompt

        code = _CODE.match(chunked_input)
        again = (
            f"\n\nThe reply {invalid_response} was not valid. Do not repeat it."
            if invalid_response
            else ""
        )
        prompt = _frames().prompt(Prompt.named(_PROMPT), code[1] if code else "")
        messages = prompt.messages(chunks=chunked_input, least=current_chunk, again=again)
        return [message.to_dict() for message in messages]

    def split_text(self, text: str) -> list[str]:
        """Split ``text`` into chunks, of pieces joined by blanks.

        Raises
        ------
        ModelError
            If the model cannot be asked.
        """
        pieces = self.splitter.split_text(text)
        splits: set[int] = set()
        current = 0
        while current < len(pieces) - UNSEEN:
            shown, end = _tagged_window(pieces, current)
            named = self._named(shown, current)
            splits.update(named)
            last = max(named, default=current)
            if last == current:
                _log.warning(
                    "%d replies of the model name no end behind piece %d of %d: those up to piece "
                    "%d are not split",
                    MAX_TRIES,
                    current,
                    len(pieces),
                    end,
                )
            current = end if last == current else last
        ends = [end for end in sorted(splits) if 0 < end < len(pieces)]
        groups = pairwise([0, *ends, len(pieces)]) if pieces else ()
        return [" ".join(pieces[start:end]).strip() for start, end in groups]

    def _named(self, shown: str, current: int) -> list[int]:
        """Return the pieces that the model names; it is asked until one is behind ``current``."""
        named: list[int] = []
        invalid: list[int] | None = None
        for _ in range(MAX_TRIES):
            numbers = self._answer(self.get_prompt(shown, current, invalid))
            if numbers and numbers == sorted(numbers) and numbers[0] >= current:
                named += numbers
                invalid = None
                if numbers[-1] > current:
                    break
            else:
                invalid = numbers
        return named

    def _answer(self, messages: Messages) -> list[int]:
        from chunkwright.llm import Message, Request

        request = Request(
            tuple(Message(_role(each), each["content"]) for each in messages),
            _numbers,
            max_tokens=MAX_TOKENS,
            temperature=TEMPERATURE,
        )
        [answer] = self.runner.ask([request])
        if answer.value is None:
            raise ModelError(f"the model gave no reply: {answer.why}")
        return answer.value


def _role(message: dict[str, str]) -> Any:
    return message["role"]


def _frames() -> Frames:
    from chunkwright.llm.framing import Frames

    return Frames("start_chunk_#", "end_chunk_#")


def _tagged_window(pieces: list[str], current: int) -> tuple[str, int]:
    """Return pieces between tags with their numbers, and the number of the last one."""
    n_tokens, end = 0, current
    while end < len(pieces) and n_tokens <= WINDOW_TOKENS:
        n_tokens += openai_token_count(pieces[end])
        end += 1
    shown = pieces[current:end]
    code = _frames().code(shown)
    numbered = enumerate(shown, current + 1)
    return "".join(_tagged(f"{i}{code}", piece) for i, piece in numbered), end


def _tagged(number: str, piece: str) -> str:
    return f"<|start_chunk_{number}|>{piece}<|end_chunk_{number}|>"


def _numbers(reply: Reply) -> list[int]:
    """Return the numbers of the first line that says where to split; none if there is none."""
    lines = (line for line in reply.text.split("\n") if "split_after:" in line)
    try:
        return [int(number) for number in re.findall(r"\d+", next(lines, ""))]
    except ValueError:
        # No number has thousands of digits.
        return []


def _served(organisation: str, api_key: str | None, model_name: str | None) -> Any:
    if organisation not in _ORGANISATIONS:
        raise ValueError("Invalid organisation. Please choose either 'openai' or 'anthropic'.")
    usual, variable = _ORGANISATIONS[organisation]
    if not api_key and not os.environ.get(variable):
        raise ConfigError(
            f"a language model is needed: pass llm or api_key, or set the environment variable "
            f"{variable}"
        )
    model = usual if model_name is None else model_name
    if organisation == "openai":
        from chunkwright.llm.adapters.providers import OpenAIChat

        return OpenAIChat("https://api.openai.com/v1", model, api_key=api_key)
    from chunkwright.llm.adapters.providers import AnthropicChat

    return AnthropicChat("https://api.anthropic.com", model, api_key=api_key)
