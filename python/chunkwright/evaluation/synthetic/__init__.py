"""Synthetic questions: a language model asks about your own documents and says what answers it."""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "filters": ["Dropped", "Filtered", "filter_duplicates", "filter_excerpts"],
        "generator": ["GenerationCounts", "QuestionGenerator"],
    },
)
