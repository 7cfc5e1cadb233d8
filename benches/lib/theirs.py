"""The peers' calls, each as it stands in the peer's own manual."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from typing import Any

from lib.contenders import Check, Outcome, Work
from lib.corpus import minilm_json
from lib.measure import tokens, word_pieces
from lib.tokie_vocab import tokenizer_json

ENCODING = "cl100k_base"
KONAN = "konan"
LANGCHAIN = "langchain_text_splitters"
CHROMA = "chunking_evaluation.chunking"
SEMCHUNK = "semchunk"

# Docling needs an older version of semchunk in the same environment.
if folder := os.environ.get("CHUNKWRIGHT_SEMCHUNK"):
    sys.path.insert(0, folder)


def tiktoken_count(name: str) -> Work:
    """Count with tiktoken's `encode_ordinary`."""
    import tiktoken

    encode = tiktoken.get_encoding(name).encode_ordinary
    return lambda text: len(encode(text))


def toktok_count(name: str) -> Work:
    """Count with toktok-rs on one thread."""
    import toktok

    return lambda text: toktok.batch_count([text], name, threads=1)[0]


def tokie_count() -> Work:
    """Count with tokie."""
    count: Work = tokie_tokenizer().count_tokens
    return count


def tokenizers_count() -> Work:
    """Count word pieces with tokenizers."""
    from lib.measure import minilm

    encode = minilm().encode
    return lambda text: len(encode(text, add_special_tokens=False).ids)


def langchain_word_pieces(size: int) -> Work:
    """Split with LangChain by the tokens of a transformers tokenizer."""
    import transformers
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    kind: Any = transformers.PreTrainedTokenizerFast
    tokenizer = kind(tokenizer_file=str(minilm_json()))
    make = RecursiveCharacterTextSplitter.from_huggingface_tokenizer
    split: Work = make(tokenizer, chunk_size=size, chunk_overlap=0).split_text
    return split


def llama_index_sentences(size: int) -> Work:
    """Pack sentences with llama-index."""
    import tiktoken
    from llama_index.core.node_parser import SentenceSplitter

    encode = tiktoken.get_encoding(ENCODING).encode_ordinary
    split: Work = SentenceSplitter(
        chunk_size=size, chunk_overlap=0, tokenizer=encode, include_metadata=False
    ).split_text
    return split


def langchain(kind: str, size: int, overlap: int, module: str = LANGCHAIN) -> Work:
    """Split with LangChain's class for ``"characters"``, ``"tokens"`` or ``"windows"``."""
    split: Work = _splitter(module, kind, chunk_size=size, chunk_overlap=overlap).split_text
    return split


def langchain_headers(form: str, module: str = LANGCHAIN) -> Work:
    """Split with LangChain's class at the headings of ``"Markdown"`` or ``"HTML"``."""
    name, marks = _HEADERS[form]
    headers = [(mark, mark) for mark in marks]
    split: Work = getattr(import_module(module), name)(headers).split_text
    return split if form == "Markdown" else lambda text: split(_page(text))


_HEADERS = {
    "Markdown": ("MarkdownHeaderTextSplitter", ["#", "##", "###"]),
    "HTML": ("HTMLHeaderTextSplitter", ["h1", "h2", "h3"]),
}


def _page(text: str) -> str:
    """Make a page of a text, cheaply: every twentieth paragraph is a heading."""
    paragraphs = [f"<p>{paragraph}</p>" for paragraph in text.split("\n\n")]
    paragraphs[::20] = [f"<h2>{paragraph[3:-4]}</h2>" for paragraph in paragraphs[::20]]
    return f"<body>{''.join(paragraphs)}</body>"


def documents(_text: str, result: list[Any]) -> Outcome:
    """Take the texts of LangChain's documents."""
    return Outcome(texts=[document.page_content for document in result])


def semchunk(size: int, module: str = SEMCHUNK) -> Work:
    """Split with semchunk by tokens."""
    split: Work = import_module(module).chunkerify(ENCODING, size)
    return split


def _splitter(module: str, kind: str, **options: Any) -> Any:
    library = import_module(module)
    if kind == "windows":
        return library.TokenTextSplitter(encoding_name=ENCODING, **options)
    recursive = library.RecursiveCharacterTextSplitter
    if kind == "tokens":
        return recursive.from_tiktoken_encoder(ENCODING, **options)
    return recursive(**options)


def chroma(kind: str, size: int, overlap: int, module: str = CHROMA) -> Work:
    """Split with Chroma's chunker for ``"characters"``, ``"tokens"`` or ``"windows"``."""
    library = import_module(module)
    sizes = {"chunk_size": size, "chunk_overlap": overlap}
    recursive, fixed = library.RecursiveTokenChunker, library.FixedTokenChunker
    if kind == "windows":
        chunker = fixed(encoding_name=ENCODING, **sizes)
    elif kind == "tokens":
        chunker = recursive.from_tiktoken_encoder(ENCODING, **sizes)
    else:
        chunker = recursive(**sizes)
    split: Work = chunker.split_text
    return split


def chonkie_recursive(size: int) -> Work:
    """Cut with chonkie's recursive chunker; a new one, because it remembers counts."""
    from chonkie import RecursiveChunker

    chunk: Work = RecursiveChunker(tokie_tokenizer(), size).chunk
    return chunk


def chonkie_word_pieces(size: int) -> Work:
    """Cut with chonkie's recursive chunker, in word pieces."""
    from chonkie import RecursiveChunker

    chunk: Work = RecursiveChunker(_tokie(str(minilm_json())), size).chunk
    return chunk


def chonkie_sentences(size: int) -> Work:
    """Pack sentences with chonkie."""
    from chonkie import SentenceChunker

    chunk: Work = SentenceChunker(tokie_tokenizer(), size, 0).chunk
    return chunk


def chonkie_overlapping(size: int, overlap: int) -> Work:
    """Cut with chonkie, leaving room for the overlap that its refinery then adds."""
    from chonkie import OverlapRefinery, RecursiveChunker

    chunker = RecursiveChunker(tokie_tokenizer(), size - overlap)
    refinery = OverlapRefinery(tokie_tokenizer(), context_size=overlap, method="prefix")
    return lambda text: refinery.refine(chunker.chunk(text))


def chonkie_window(size: int, overlap: int) -> Work:
    """Cut with chonkie's token windows."""
    from chonkie import TokenChunker

    chunk: Work = TokenChunker(tokie_tokenizer(), size, overlap).chunk
    return chunk


def konan_chunks(size: int) -> Work:
    """Cut with konan into its chunks."""
    chunk: Work = import_module(KONAN).RecursiveChunker(size, 0).chunk
    return chunk


def konan_texts(size: int) -> Work:
    """Cut with konan into strings."""
    chunk = konan_chunks(size)
    return lambda text: [piece.text for piece in chunk(text)]


def konan_window(size: int, overlap: int) -> Work:
    """Cut into windows with konan, into strings."""
    chunk = import_module(KONAN).TokenChunker(size, overlap, ENCODING).chunk
    return lambda text: [piece.text for piece in chunk(text)]


def chunkr_documents(size: int) -> Work:
    """Cut with chunkr-rs into its documents."""
    import chunkr

    chunk: Work = chunkr.RecursiveChunker(size, 0).chunk
    return chunk


def chunkr_texts(size: int) -> Work:
    """Cut with chunkr-rs into strings."""
    chunk = chunkr_documents(size)
    return lambda text: [document.content for document in chunk(text)]


def chunkr_sentences(sentences: int) -> Work:
    """Join so many sentences with chunkr-rs, into strings; its limit drops what is behind it."""
    import chunkr

    chunk = chunkr.SentenceChunker(sentences, 0).chunk
    return lambda text: [document.content for document in chunk(text)]


def chunkr_window(size: int, overlap: int) -> Work:
    """Cut with chunkr-rs into token windows."""
    import chunkr

    chunk: Work = chunkr.TokenChunker(size, overlap, ENCODING).chunk
    return chunk


def tokie_tokenizer() -> Any:
    """Load tokie's tokenizer once."""
    return _tokie(str(tokenizer_json()))


@cache
def _tokie(path: str) -> Any:
    import tokie

    return tokie.Tokenizer.from_json(path)


def counted(name: str) -> Check:
    """Return a check of a count against tiktoken."""

    def outcome(text: str, result: int) -> Outcome:
        wrong = result - tokens(text, name)
        return Outcome(note=f"{result:,} tokens, {f'{wrong:+} wrong' if wrong else 'exact'}")

    return outcome


def counted_word_pieces(text: str, result: int) -> Outcome:
    """Check a count against tokenizers."""
    wrong = result - word_pieces(text)
    return Outcome(note=f"{result:,} word pieces, {f'{wrong:+} wrong' if wrong else 'exact'}")


def strings(_text: str, result: list[str]) -> Outcome:
    """Take the chunks of a library that gives nothing else."""
    return Outcome(texts=result)


def contents(_text: str, result: list[Any]) -> Outcome:
    """Take the chunks of chunkr's documents."""
    return Outcome(texts=[document.content for document in result])


def placed(_text: str, result: list[Any]) -> Outcome:
    """Take konan's chunks and offsets."""
    spans = [(chunk.start, chunk.end) for chunk in result]
    return Outcome(texts=[chunk.text for chunk in result], spans=spans)


def indexed(_text: str, result: list[Any]) -> Outcome:
    """Take chonkie's chunks and offsets."""
    spans = [(chunk.start_index, chunk.end_index) for chunk in result]
    return Outcome(texts=[chunk.text for chunk in result], spans=spans)


def langchain_indexed(kind: str, size: int, overlap: int, module: str = LANGCHAIN) -> Check:
    """Return a check that takes the offsets which `add_start_index` gives."""

    def outcome(text: str, result: list[str]) -> Outcome:
        options = {"chunk_size": size, "chunk_overlap": overlap, "add_start_index": True}
        documents = _splitter(module, kind, **options).create_documents([text])
        starts = [document.metadata["start_index"] for document in documents]
        ends = [s + len(d.page_content) for s, d in zip(starts, documents, strict=True)]
        return Outcome(texts=result, spans=list(zip(starts, ends, strict=True)))

    return outcome
