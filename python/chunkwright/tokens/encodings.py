"""OpenAI's models by the encodings that count for them, and encodings that are not built in."""

from __future__ import annotations

# Models and their encodings, as far as these are built in.
MODELS = {
    "cl100k_base": frozenset({
        "gpt-4", "gpt-3.5-turbo", "gpt-3.5", "gpt-35-turbo", "davinci-002", "babbage-002",
        "text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large",
    }),
    "o200k_base": frozenset({"o1", "o3", "o4-mini", "gpt-5", "gpt-4.1", "gpt-4o"}),
    "gpt2": frozenset({"gpt2", "gpt-2"}),
    "r50k_base": frozenset({
        "davinci", "curie", "babbage", "ada",
        "text-davinci-001", "text-curie-001", "text-babbage-001", "text-ada-001",
        "text-similarity-davinci-001", "text-similarity-curie-001",
        "text-similarity-babbage-001", "text-similarity-ada-001",
        "text-search-davinci-doc-001", "text-search-curie-doc-001",
        "text-search-babbage-doc-001", "text-search-ada-doc-001",
        "code-search-babbage-code-001", "code-search-ada-code-001",
    }),
}  # fmt: skip

# What the names of their versions begin with. In this order: the first that fits decides.
_PREFIXES = (
    (("o1-", "o3-", "o4-mini-", "gpt-5", "gpt-4.5-", "gpt-4.1-", "chatgpt-4o-"), "o200k_base"),
    (("gpt-4o-",), "o200k_base"),
    (("gpt-4-", "gpt-3.5-turbo-", "gpt-35-turbo-"), "cl100k_base"),
    (("ft:gpt-4o",), "o200k_base"),
    (("ft:gpt-4", "ft:gpt-3.5-turbo", "ft:davinci-002", "ft:babbage-002"), "cl100k_base"),
)

NOT_BUILT_IN = ("p50k_base", "p50k_edit", "o200k_harmony")
"""tiktoken's other encodings."""


def encoding_of(model: str) -> str | None:
    """Name the built-in encoding of a model of OpenAI's, as tiktoken does.

    Parameters
    ----------
    model
        For example ``"gpt-4o"``, ``"gpt-4o-2024-08-06"`` or ``"text-embedding-3-small"``.

    Returns
    -------
    str | None
        For example ``"cl100k_base"``; None if the model is unknown or has another one.
    """
    exact = (name for name, models in MODELS.items() if model in models)
    prefixed = (name for prefixes, name in _PREFIXES if model.startswith(prefixes))
    return next(exact, None) or next(prefixed, None)
