r"""LangChain's text splitters: the same chunks from the same calls, many times faster.

Change ``from langchain_text_splitters import ...`` to
``from chunkwright.compat.langchain import ...``; the paths of its modules, such as
``langchain_text_splitters.character``, are here too. Chunks, errors and warnings are those of
langchain-text-splitters 1.1.3. Where LangChain is installed, the splitters are instances of its
`TextSplitter` and return its `Document`; where it is not, they return a dataclass like it.

Examples
--------
>>> from chunkwright.compat.langchain import RecursiveCharacterTextSplitter
>>> splitter = RecursiveCharacterTextSplitter(chunk_size=14, chunk_overlap=0)
>>> splitter.split_text("First line.\nSecond line.\nThird.")
['First line.', 'Second line.', 'Third.']

>>> from chunkwright.compat.langchain import MarkdownHeaderTextSplitter
>>> splitter = MarkdownHeaderTextSplitter([("#", "title"), ("##", "section")])
>>> [part] = splitter.split_text("# Rivers\n## Elbe\nIt is long.")
>>> part.page_content, part.metadata
('It is long.', {'title': 'Rivers', 'section': 'Elbe'})
"""

from chunkwright._lazy import attach
from chunkwright.compat.peers import add_paths, with_hints

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "base": ["Document", "Language", "TextSplitter", "Tokenizer"],
        "html_headings": ["ElementType", "HTMLHeaderTextSplitter", "HTMLSectionSplitter"],
        "html_semantic": ["HTMLSemanticPreservingSplitter"],
        "json": ["RecursiveJsonSplitter"],
        "jsx": ["JSFrameworkTextSplitter"],
        "markdown": [
            "ExperimentalMarkdownSyntaxTextSplitter",
            "HeaderType",
            "LineType",
            "MarkdownHeaderTextSplitter",
            "MarkdownTextSplitter",
        ],
        "sentence_transformers": ["SentenceTransformersTokenTextSplitter"],
        "sentences": ["KonlpyTextSplitter", "NLTKTextSplitter", "SpacyTextSplitter"],
        "splitters": [
            "CharacterTextSplitter",
            "LatexTextSplitter",
            "PythonCodeTextSplitter",
            "RecursiveCharacterTextSplitter",
            "TokenTextSplitter",
            "split_text_on_tokens",
        ],
    },
)

# Modules of LangChain that have no file of their own here.
add_paths(
    __name__,
    {
        "character": ["CharacterTextSplitter", "RecursiveCharacterTextSplitter"],
        "html": [
            "ElementType",
            "HTMLHeaderTextSplitter",
            "HTMLSectionSplitter",
            "HTMLSemanticPreservingSplitter",
        ],
        "konlpy": ["KonlpyTextSplitter"],
        "latex": ["LatexTextSplitter"],
        "nltk": ["NLTKTextSplitter"],
        "python": ["PythonCodeTextSplitter"],
        "spacy": ["SpacyTextSplitter"],
    },
)

__getattr__ = with_hints(
    __name__,
    __getattr__,
    {"SemanticChunker": "it is in chunkwright.compat.langchain_experimental"},
)
