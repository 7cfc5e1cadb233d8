# The names of the package for type checkers; __init__.py gives them lazily.

from chunkwright.compat.langchain.base import (
    Document as Document,
    Language as Language,
    TextSplitter as TextSplitter,
    Tokenizer as Tokenizer,
)
from chunkwright.compat.langchain.splitters import (
    CharacterTextSplitter as CharacterTextSplitter,
    LatexTextSplitter as LatexTextSplitter,
    MarkdownTextSplitter as MarkdownTextSplitter,
    PythonCodeTextSplitter as PythonCodeTextSplitter,
    RecursiveCharacterTextSplitter as RecursiveCharacterTextSplitter,
    TokenTextSplitter as TokenTextSplitter,
    split_text_on_tokens as split_text_on_tokens,
)

__all__: list[str]
