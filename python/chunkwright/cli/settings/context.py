"""Settings of contextual chunking."""

from dataclasses import dataclass, fields

from chunkwright.settings import setting


@dataclass(frozen=True, kw_only=True)
class ContextSettings:
    """The settings of snippets, as `chunkwright.Contextual` takes them, the prompt by its file."""

    context: str | None = setting(
        "What a model is shown: neighbours (the default) or the whole document; or structure: "
        "snippets of titles, headings and neighbours' first words, without a model."
    )
    neighbours: int | None = setting("Chunks before, and chunks behind. Default: 2.", kind=int)
    max_context_tokens: int | None = setting(
        "Tokens of neighbours at most. Default: 2000.", kind=int
    )
    max_document_tokens: int | None = setting(
        "A longer document is not shown as a whole. Default: 100000.", kind=int
    )
    max_snippet_tokens: int | None = setting("Tokens of a snippet at most. Default: 100.", kind=int)
    temperature: float | None = setting(
        "Chance in the model's words, from 0. Default: 0.3.", kind=float
    )
    snippet_prompt: str | None = setting("File with a prompt of your own for snippets.")


CONTEXT = tuple(each.name for each in fields(ContextSettings))
"""The names of the settings of contextual chunking."""
