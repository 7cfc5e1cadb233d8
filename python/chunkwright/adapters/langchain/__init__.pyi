# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.adapters.langchain.text_splitter import (
    ChunkwrightTextSplitter as ChunkwrightTextSplitter,
)
from chunkwright.adapters.langchain.vector_store import (
    ChunkwrightRetriever as ChunkwrightRetriever,
    ChunkwrightVectorStore as ChunkwrightVectorStore,
)
