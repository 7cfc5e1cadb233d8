"""`compat.langchain` where neither LangChain, tiktoken nor transformers is installed."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from typing import Any

WORK = """
    import asyncio, json

    text = "# One\\n\\nSome words here, and more.\\n\\n\\nclass A:\\n    def f(self): pass\\n" * 9
    limits = {"chunk_size": 30, "chunk_overlap": 8}
    document = Document("text", metadata={"a": 1})
    named = Document("text", id="n")

    def error(work):
        try:
            return work()
        except Exception as raised:
            return [type(raised).__name__, str(raised)]

    def plain(documents):
        return [[d.page_content, d.metadata] for d in documents]

    by_words = CharacterTextSplitter(separator=" ", add_start_index=True, **limits)
    headings = [("#", "one"), ("##", "two")]
    page = "<body><h1>A</h1><p>text <b>bold</b></p><h2>B</h2>more &amp; more</body>"
    data = {"a": {"b": [1, {"c": "text" * 9}], "d": "word " * 9}, "e": None}
    by_headings = MarkdownHeaderTextSplitter(headings, strip_headers=False)
    found = [
        plain(by_headings.split_text(text)),
        plain(ExperimentalMarkdownSyntaxTextSplitter(return_each_line=True).split_text(text)),
        plain(HTMLHeaderTextSplitter([("h1", "A"), ("h2", "B")]).split_text(page)),
        plain(RecursiveJsonSplitter(50).create_documents([data], True, metadatas=[{"n": [1]}])),
        plain(HTMLSectionSplitter([("h1", "A"), ("h2", "B")]).split_text(page)),
        plain(HTMLSemanticPreservingSplitter([("h1", "A")]).transform_documents([document])),
        JSFrameworkTextSplitter(chunk_size=20).split_text(page),
        error(lambda: RecursiveJsonSplitter().split_json([])),
        by_words.split_text(text),
        RecursiveCharacterTextSplitter(**limits).split_text(text),
        RecursiveCharacterTextSplitter.from_language(Language.PYTHON, **limits).split_text(text),
        MarkdownTextSplitter(**limits).split_text(text),
        plain(by_words.split_documents([document, named])),
        plain(by_words.transform_documents([document])),
        plain(asyncio.run(by_words.atransform_documents([document]))),
        [repr(document), str(document), repr(named), str(named), document == Document("text")],
        [language.value for language in Language],
        [str(Language.PERL), f"{Language.PERL}", repr(Language.PERL)],
        split_text_on_tokens(text="abcdefg", tokenizer=Tokenizer(
            chunk_overlap=1, tokens_per_chunk=3, decode="".join, encode=list)),
        error(lambda: Tokenizer()),
        error(lambda: TextSplitter()),
        error(lambda: TokenTextSplitter("p50k_base")),
        error(lambda: TokenTextSplitter(chunk_size=0)),
        error(lambda: RecursiveCharacterTextSplitter.from_tiktoken_encoder("p50k_base")),
        error(lambda: RecursiveCharacterTextSplitter.from_huggingface_tokenizer(None)),
        error(lambda: RecursiveCharacterTextSplitter.from_language("perl")),
        error(lambda: RecursiveCharacterTextSplitter.from_language(Language.PERL)),
        error(lambda: RecursiveCharacterTextSplitter.from_language("nonsense")),
    ]
    print(json.dumps(found))
"""

BLOCK = """
    import sys
    for name in {names}:
        sys.modules[name] = None
"""

TOKENS = """
    import json

    splitters = [
        RecursiveCharacterTextSplitter.from_tiktoken_encoder(
            "cl100k_base", chunk_size=50, chunk_overlap=9),
        TokenTextSplitter(model_name="gpt-4o", chunk_size=4, chunk_overlap=1),
    ]
    texts = ["One sentence. And more, " * 40, "\\ud83d\\ude00 \\ud800", "a <|endoftext|>", ""]

    def split(splitter, text):
        try:
            return splitter.split_text(text)
        except ValueError as error:
            return str(error)

    print(json.dumps([[split(s, text) for text in texts] for s in splitters]))
"""


def _run(*parts: str) -> Any:
    script = "".join(map(textwrap.dedent, parts))
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _without(*names: str) -> str:
    return BLOCK.format(names=names)


OURS = "from chunkwright.compat.langchain import *\n"
THEIRS = "from langchain_core.documents import Document\nfrom langchain_text_splitters import *\n"
NOTHING = ("langchain_core", "langchain_text_splitters", "tiktoken", "transformers")


def test_all_is_the_same() -> None:
    expected = _run(_without("tiktoken", "transformers"), THEIRS, WORK)
    found = _run(_without(*NOTHING), OURS, WORK)
    for i, (mine, other) in enumerate(zip(found, expected, strict=True)):
        assert (i, mine) == (i, other)


def test_tokens_are_counted_without_tiktoken() -> None:
    assert _run(_without(*NOTHING), OURS, TOKENS) == _run(OURS, TOKENS)
