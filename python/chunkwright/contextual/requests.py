"""Requests for snippets: what a model is shown of a document and a chunk of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from string import Template
from typing import ClassVar

from chunkwright.contextual.neighbours import Neighbourhood
from chunkwright.contextual.passages import Passages
from chunkwright.contextual.snippets import checked
from chunkwright.frames import without_surrogates
from chunkwright.llm.framing import Frames, framed
from chunkwright.llm.prompt import Prompt, PromptLike, as_prompt
from chunkwright.llm.protocol import Message
from chunkwright.llm.request import Request
from chunkwright.messages import logs
from chunkwright.tokens.tokenizer import Tokenizer

FRAMES = Frames("after", "before", "chunk", "context", "document", "path")
"""What the tags in prompts for snippets are called."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of what is shown and said, in tokens of one tokenizer.

    Parameters
    ----------
    tokenizer
        Counts.
    neighbours, max_context_tokens, max_document_tokens, max_snippet_tokens, temperature
        See `chunkwright.Contextual`.
    """

    tokenizer: Tokenizer
    neighbours: int
    max_context_tokens: int
    max_document_tokens: int
    max_snippet_tokens: int
    temperature: float


class Asking(ABC):
    """What is asked about the chunks of a document.

    Parameters
    ----------
    limits
        Its bounds.
    prompt
        The prompt, or the path of its file; None: that of the package.

    Raises
    ------
    ConfigError
        If the prompt has no place for what must be said.
    """

    _PROMPT: ClassVar[str]
    _SHARED: ClassVar[tuple[str, ...]]
    _NEEDED: ClassVar[tuple[str, ...]]

    def __init__(self, limits: Limits, prompt: PromptLike | None = None) -> None:
        self._limits = limits
        self._prompt = as_prompt(prompt, self._PROMPT)
        places = {*self._SHARED, *self._NEEDED, "path", "tokens"}
        self._prompt.check_placeholders(places, self._NEEDED)
        self._check = partial(checked, limits.tokenizer, limits.max_snippet_tokens)

    @property
    def fingerprint(self) -> str:
        """That of the prompt."""
        return self._prompt.fingerprint

    @abstractmethod
    def about(self, passages: Passages) -> tuple[str, Iterator[Request[str]]]:
        """Return the prompt's fingerprint, and a request for each chunk."""

    def _request(self, messages: tuple[Message, ...], about: str) -> Request[str]:
        limits = self._limits
        return Request(
            messages,
            self._check,
            max_tokens=limits.max_snippet_tokens,
            temperature=limits.temperature,
            about=about,
        )


class AskingByNeighbours(Asking):
    """Shows a chunk and its neighbours."""

    _PROMPT = "context-1"
    _SHARED = ()
    _NEEDED = ("context", "chunk")

    def about(self, passages: Passages) -> tuple[str, Iterator[Request[str]]]:
        """Return the prompt's fingerprint, and a request for each chunk."""
        return self.fingerprint, self._requests(passages)

    def _requests(self, passages: Passages) -> Iterator[Request[str]]:
        limits = self._limits
        neighbourhood = Neighbourhood(
            map(_under_section, passages.sections, passages.texts),
            n=limits.neighbours,
            max_tokens=limits.max_context_tokens,
            tokenizer=limits.tokenizer,
        )
        tokens = str(limits.max_snippet_tokens)
        usual = _Form(self._prompt, tokens=tokens)
        for i, (text, path) in enumerate(zip(passages.texts, passages.paths, strict=True)):
            before, after = neighbourhood.around(i)
            code = FRAMES.code((path, before, after, text))
            form = _Form(FRAMES.prompt(self._prompt, code), tokens=tokens) if code else usual
            around = (_if_any("before", before, code), _if_any("after", after, code))
            messages = form.messages(
                path=_if_any("path", path, code),
                context="\n\n".join(filter(None, around)),
                chunk=_if_any("chunk", text, code),
            )
            yield self._request(messages, f"chunk {i} of {passages.name}")


class AskingByDocument(Asking):
    """Shows the whole document, which all requests begin with, and then a chunk.

    A document over the limit is asked about by neighbours.
    """

    _PROMPT = "context-document-1"
    _SHARED = ("document",)
    _NEEDED = ("document", "chunk")

    def __init__(self, limits: Limits, prompt: PromptLike | None = None) -> None:
        super().__init__(limits, prompt)
        self._of_long = AskingByNeighbours(limits)

    def about(self, passages: Passages) -> tuple[str, Iterator[Request[str]]]:
        """Return the fingerprint of the prompt that is taken, and a request for each chunk."""
        if not passages:
            return self.fingerprint, iter(())
        document = without_surrogates(passages.document())
        limit = self._limits.max_document_tokens
        n_tokens = self._limits.tokenizer.count(document)
        if n_tokens > limit:
            name = passages.paths[0] or "a document"
            logs.skipped(
                f"the whole text of {name!r} as context",
                f"{n_tokens} tokens are more than max_document_tokens={limit}; "
                "neighbours are shown instead",
            )
            return self._of_long.about(passages)
        return self.fingerprint, self._requests(passages, document)

    def _requests(self, passages: Passages, document: str) -> Iterator[Request[str]]:
        # One code for all requests, which have the document in common.
        code = FRAMES.code((document, *passages.texts, *passages.paths))
        form = _Form(
            FRAMES.prompt(self._prompt, code),
            document=_if_any("document", document, code),
            tokens=str(self._limits.max_snippet_tokens),
        )
        for i, (text, path) in enumerate(zip(passages.texts, passages.paths, strict=True)):
            messages = form.messages(
                path=_if_any("path", path, code), chunk=_if_any("chunk", text, code)
            )
            yield self._request(messages, f"chunk {i} of {passages.name}")


class _Form:
    """A prompt in which the texts that all chunks of a document share are filled in, once.

    Parameters
    ----------
    prompt
        The prompt.
    **shared
        Those texts.
    """

    def __init__(self, prompt: Prompt, **shared: str) -> None:
        # The operator % fills in texts several times faster than a template does.
        texts = {name: text.replace("%", "%%") for name, text in shared.items()}
        self._parts: list[tuple[Message, str | None]] = []
        for each in prompt.templates:
            own = set(Template(each.content).get_identifiers()) - shared.keys()
            said = Template(each.content.replace("%", "%%")).substitute(
                texts, **{name: f"%({name})s" for name in own}
            )
            # What has none of a chunk's texts is one message for all of them.
            whole = Message(each.role, said % {} if not own else "", each.ends_prefix)
            self._parts.append((whole, said if own else None))

    def messages(self, **texts: str) -> tuple[Message, ...]:
        """Return the messages with the texts of one chunk."""
        return tuple(
            whole if form is None else Message(whole.role, form % texts, whole.ends_prefix)
            for whole, form in self._parts
        )


def _under_section(section: str, text: str) -> str:
    return without_surrogates(f"[{section}] {text}" if section else text)


def _if_any(name: str, text: str, code: str) -> str:
    return framed(name, text, code) if text else ""
