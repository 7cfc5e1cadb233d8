# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.compat.langchain.base import (
    Document as Document,
    Language as Language,
    TextSplitter as TextSplitter,
    Tokenizer as Tokenizer,
)
from chunkwright.compat.langchain.html_headings import (
    ElementType as ElementType,
    HTMLHeaderTextSplitter as HTMLHeaderTextSplitter,
)
from chunkwright.compat.langchain.html_headings import HTMLSectionSplitter as HTMLSectionSplitter
from chunkwright.compat.langchain.html_semantic import (
    HTMLSemanticPreservingSplitter as HTMLSemanticPreservingSplitter,
)
from chunkwright.compat.langchain.json import RecursiveJsonSplitter as RecursiveJsonSplitter
from chunkwright.compat.langchain.jsx import JSFrameworkTextSplitter as JSFrameworkTextSplitter
from chunkwright.compat.langchain.markdown import (
    ExperimentalMarkdownSyntaxTextSplitter as ExperimentalMarkdownSyntaxTextSplitter,
    HeaderType as HeaderType,
    LineType as LineType,
    MarkdownHeaderTextSplitter as MarkdownHeaderTextSplitter,
    MarkdownTextSplitter as MarkdownTextSplitter,
)
from chunkwright.compat.langchain.sentence_transformers import (
    SentenceTransformersTokenTextSplitter as SentenceTransformersTokenTextSplitter,
)
from chunkwright.compat.langchain.sentences import (
    KonlpyTextSplitter as KonlpyTextSplitter,
    NLTKTextSplitter as NLTKTextSplitter,
    SpacyTextSplitter as SpacyTextSplitter,
)
from chunkwright.compat.langchain.splitters import (
    CharacterTextSplitter as CharacterTextSplitter,
    LatexTextSplitter as LatexTextSplitter,
    PythonCodeTextSplitter as PythonCodeTextSplitter,
    RecursiveCharacterTextSplitter as RecursiveCharacterTextSplitter,
    TokenTextSplitter as TokenTextSplitter,
    split_text_on_tokens as split_text_on_tokens,
)

__all__: list[str]
