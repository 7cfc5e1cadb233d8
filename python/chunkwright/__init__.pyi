# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright._core import __version__ as __version__
from chunkwright.chunking import (
    Auto as Auto,
    Balanced as Balanced,
    Basic as Basic,
    ByPage as ByPage,
    BySimilarity as BySimilarity,
    ByTitle as ByTitle,
    Cluster as Cluster,
    Code as Code,
    Discontinuity as Discontinuity,
    Hierarchical as Hierarchical,
    Hybrid as Hybrid,
    Json as Json,
    Kamradt as Kamradt,
    KamradtModified as KamradtModified,
    LLM as LLM,
    LineBased as LineBased,
    Recursive as Recursive,
    Sentence as Sentence,
    Separator as Separator,
    Structural as Structural,
    TablePart as TablePart,
    Window as Window,
    chunk as chunk,
    split_table as split_table,
)
from chunkwright.chunking.registry import strategy as strategy
from chunkwright.chunk_view import Chunk as Chunk, Piece as Piece
from chunkwright.chunks import Chunks as Chunks
from chunkwright.contextual import (
    Contextual as Contextual,
    ContextualChunk as ContextualChunk,
    contextualize as contextualize,
)
from chunkwright.document import Document as Document
from chunkwright.elements.box import Box as Box
from chunkwright.elements.element import Element as Element
from chunkwright.elements.elements import Elements as Elements
from chunkwright.embed import (
    Cached as Cached,
    Lexical as Lexical,
    Onnx as Onnx,
    OpenAICompatible as OpenAICompatible,
    Static as Static,
)
from chunkwright.errors import (
    ChunkwrightError as ChunkwrightError,
    ConfigError as ConfigError,
    EncryptedError as EncryptedError,
    MissingExtraError as MissingExtraError,
    ModelError as ModelError,
    NeedsOcrError as NeedsOcrError,
    NoTextError as NoTextError,
    ReadError as ReadError,
    StoreError as StoreError,
    TokenizerError as TokenizerError,
)
from chunkwright.elements.links import Link as Link
from chunkwright.readers.html import read_html as read_html
from chunkwright.retrieval.expansion import expand as expand
from chunkwright.retrieval.shadows import shadows as shadows
from chunkwright.elements.placed import elements_at as elements_at
from chunkwright.elements.table import (
    Table as Table,
    TableCell as TableCell,
)
from chunkwright.readers.docling import read_docling as read_docling
from chunkwright.readers.docx import read_docx as read_docx
from chunkwright.readers.markdown import read_markdown as read_markdown
from chunkwright.readers.rst import read_rst as read_rst
from chunkwright.readers.ocr.words import OcrWord as OcrWord
from chunkwright.readers.pdf.reader import read_pdf as read_pdf
from chunkwright.readers.read import read as read
from chunkwright.readers.delimited import read_csv as read_csv
from chunkwright.readers.unstructured import read_elements as read_elements
from chunkwright.retrieval import Retriever as Retriever
from chunkwright.sentences import split_sentences as split_sentences
from chunkwright.store import Store as Store
from chunkwright.tokens.index import TokenIndex as TokenIndex
from chunkwright.tokens.tokenizer import Tokenizer as Tokenizer, count_tokens as count_tokens

__all__: list[str]
