# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.compat.semchunk.chunker import (
    Chunker as Chunker,
    chunkerify as chunkerify,
)
from chunkwright.compat.semchunk.chunking import chunk as chunk

__all__: list[str]
