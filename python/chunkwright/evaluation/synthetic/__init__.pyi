# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.evaluation.synthetic.filters import (
    Dropped as Dropped,
    Filtered as Filtered,
    filter_duplicates as filter_duplicates,
    filter_excerpts as filter_excerpts,
)
from chunkwright.evaluation.synthetic.generator import (
    GenerationCounts as GenerationCounts,
    QuestionGenerator as QuestionGenerator,
)

__all__: list[str]
