# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.contextual.prefixed import (
    ContextualChunk as ContextualChunk,
    contextualize as contextualize,
)
from chunkwright.contextual.chunker import Contextual as Contextual

__all__: list[str]
