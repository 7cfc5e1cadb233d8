# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.adapters.llama_index.node_parser import (
    ChunkwrightNodeParser as ChunkwrightNodeParser,
)
from chunkwright.adapters.llama_index.vector_store import (
    ChunkwrightVectorStore as ChunkwrightVectorStore,
)
