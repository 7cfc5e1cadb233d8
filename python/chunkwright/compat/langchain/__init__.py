r"""LangChain's text splitters: the same chunks from the same calls, many times faster.

Change ``from langchain_text_splitters import ...`` to
``from chunkwright.compat.langchain import ...``. Chunks, errors and warnings are those of
langchain-text-splitters 1.1.3. Where LangChain is installed, the splitters are instances of its
`TextSplitter` and return its `Document`; where it is not, they return a dataclass like it.

Examples
--------
>>> from chunkwright.compat.langchain import RecursiveCharacterTextSplitter
>>> splitter = RecursiveCharacterTextSplitter(chunk_size=14, chunk_overlap=0)
>>> splitter.split_text("First line.\nSecond line.\nThird.")
['First line.', 'Second line.', 'Third.']
"""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "base": ["Document", "Language", "TextSplitter", "Tokenizer"],
        "splitters": [
            "CharacterTextSplitter",
            "LatexTextSplitter",
            "MarkdownTextSplitter",
            "PythonCodeTextSplitter",
            "RecursiveCharacterTextSplitter",
            "TokenTextSplitter",
            "split_text_on_tokens",
        ],
    },
)
