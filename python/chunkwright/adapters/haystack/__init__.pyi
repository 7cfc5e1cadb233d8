# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.adapters.haystack.document_store import (
    ChunkwrightDocumentStore as ChunkwrightDocumentStore,
    ChunkwrightRetriever as ChunkwrightRetriever,
)
from chunkwright.adapters.haystack.splitter import ChunkwrightSplitter as ChunkwrightSplitter
