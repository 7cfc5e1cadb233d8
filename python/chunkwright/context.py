"""Context of a chunk: a text that says where the chunk stands, and how it came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from chunkwright.frames import without_surrogates

if TYPE_CHECKING:
    from chunkwright.rows import ContextRow

ContextOutcome: TypeAlias = Literal[
    "answered", "cached", "repaired", "invalid", "failed", "unpaid", "structure"
]
"""The outcome of a request, see `chunkwright.llm.Answer`; ``"structure"``: no model was asked."""


class Context(NamedTuple):
    """A context, and how it came about.

    Attributes
    ----------
    text
        One line; empty where there is none.
    outcome
        That of the request, or ``"structure"``.
    prompt
        The fingerprint of the prompt; empty if no model was asked.
    why
        Why there is none, if a model was asked.
    """

    text: str
    outcome: ContextOutcome
    prompt: str = ""
    why: str = ""

    def before(self, text: str) -> str:
        """Return the text of a chunk with the context in front: see `contextual_text`."""
        return contextual_text(self.text, text)

    def row(self, n_tokens: int) -> ContextRow:
        """Return what rows have of it, beside the tokens of context and text."""
        text = without_surrogates(self.text) or None
        return text, n_tokens, self.outcome, without_surrogates(self.why) or None, self.prompt


def contextual_text(context: str, text: str) -> str:
    """Return the text of a chunk with its context; a text without one stays as it is.

    Examples
    --------
    >>> contextual_text("On ACME in 2023.", "Revenue grew."), contextual_text("", "Revenue grew.")
    ('[On ACME in 2023.] Revenue grew.', 'Revenue grew.')
    """
    return f"[{context}] {text}" if context else text
