"""Words of other libraries for options and strategies, with what is called so here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from chunkwright._strategies import CLASSES
from chunkwright.errors import OptionName, nearest


class Ours(NamedTuple):
    """What another library's option is here.

    Attributes
    ----------
    names
        Our options; one of them has the meaning of the other library's.
    remark
        What is to be known about it, or what there is in place of an option.
    """

    names: tuple[str, ...] = ()
    remark: str = ""

    @property
    def sentence(self) -> tuple[str, ...]:
        """What a message says of it, in which our options are named."""
        parts: list[str] = []
        for name in self.names:
            parts += [" or " if parts else "here it is ", OptionName(name)]
        if self.remark:
            parts.append(f", {self.remark}" if parts else self.remark)
        return tuple(parts)


_LIMIT = Ours(("max_tokens", "max_chars"))
_OVERLAP = Ours(("overlap",), "in the unit of the limit")
_SOFT = Ours(("soft_max",))
_MIN = Ours(("min_size",))
_TOKENIZER = Ours(("tokenizer",), "the name of one, or an object that counts")
_COUNTER = Ours(("tokenizer",), "which takes a callable too")
_THRESHOLD = Ours(("threshold",))
_EMBEDDER = Ours(("embedder",))
_KEPT = Ours(remark="all offsets are kept: chunk.start and chunk.end")

OPTIONS: Mapping[str, Ours] = {
    # LangChain
    "chunk_size": _LIMIT,
    "chunk_overlap": _OVERLAP,
    "length_function": _COUNTER,
    "encoding_name": _TOKENIZER,
    "model_name": Ours(("tokenizer", "embedder"), "the former counts, the latter gives vectors"),
    "add_start_index": _KEPT,
    "keep_separator": Ours(("separators",), "each a cw.Separator(text, keep=...)"),
    "is_separator_regex": Ours(("separators",), "each a cw.Separator(pattern, regex=True)"),
    "strip_whitespace": Ours(remark="whitespace at cuts is in no chunk"),
    "strip_headers": Ours(("repeat_headings",)),
    "headers_to_split_on": Ours(remark="strategy 'hybrid' cuts under the headings of cw.read(...)"),
    "tokens_per_chunk": _LIMIT,
    "max_chunk_size": _LIMIT,
    "min_chunk_size": _MIN,
    "breakpoint_threshold_type": _THRESHOLD,
    "breakpoint_threshold_amount": Ours(("amount",)),
    "breakpoint_percentile_threshold": Ours(("amount",)),
    "number_of_chunks": Ours(("n_chunks",)),
    "buffer_size": Ours(("window",)),
    "embeddings": _EMBEDDER,
    # Unstructured
    "max_characters": Ours(("max_chars",)),
    "new_after_n_chars": _SOFT,
    "new_after_n_tokens": _SOFT,
    "combine_text_under_n_chars": _MIN,
    "combine_under_n_chars": _MIN,
    "repeat_table_headers": Ours(("repeat_headers",)),
    # LlamaIndex, Haystack
    "chunk_sizes": _LIMIT,
    "separator": Ours(("separators",), "a list"),
    "secondary_chunking_regex": Ours(("separators",), "a list"),
    "paragraph_separator": Ours(("separators",), "a list"),
    "window_size": Ours(("window",)),
    "embed_model": _EMBEDDER,
    "split_length": _LIMIT,
    "split_overlap": _OVERLAP,
    "split_threshold": _MIN,
    "split_by": Ours(("strategy",), "by its name"),
    # semchunk, Chonkie, Chroma
    "token_counter": _COUNTER,
    "similarity_window": Ours(("window",)),
    "embedding_model": _EMBEDDER,
    "embedding_function": _EMBEDDER,
    "embed_function": _EMBEDDER,
    "avg_chunk_size": Ours(("target_size",)),
    "min_sentences_per_chunk": Ours(("sentences",)),
    # Words that anybody would try
    "size": _LIMIT,
    "max_size": _LIMIT,
    "max_length": _LIMIT,
    "max_len": _LIMIT,
    "token_limit": _LIMIT,
    "hard_max": _LIMIT,
    "min_tokens": _MIN,
    "min_chars": _MIN,
    "combine_under": _MIN,
    "overlap_size": _OVERLAP,
    "encoding_model": _TOKENIZER,
    "lang": Ours(("language", "separators"), "the latter for code"),
}
"""Options of other libraries by their names, each with ours."""

_SEPARATORS = "'recursive' with separators={!r}"
_DOCUMENT = "'hybrid' or 'by_title' over cw.read(...)"
_TITLES = f"{_SEPARATORS.format('markdown')}, or {_DOCUMENT}"
STRATEGIES: Mapping[str, str] = {
    "markdown": _TITLES,
    "markdown_header": _DOCUMENT,
    "html": _DOCUMENT,
    "html_header": _DOCUMENT,
    "html_section": _DOCUMENT,
    "document": _DOCUMENT,
    "structure": _DOCUMENT,
    "heading": _DOCUMENT,
    "section": _DOCUMENT,
    "title": "'by_title'",
    "page": "'by_page'",
    "language": "'code', or 'recursive' with separators='python' or the name of another language",
    "python": _SEPARATORS.format("python"),
    "latex": _SEPARATORS.format("latex"),
    "recursive_json": "'json'",
    "yaml": "'json' with syntax='yaml'",
    "jsonl": "'json'",
    "csv": "'hybrid' over cw.read(...), which repeats the header",
    "table": "'hybrid' over cw.read(...), which repeats the header",
    "token": "'window'",
    "sentence_transformers_token": "'window' with the tokenizer of the model",
    "sentence_transformers": "'window' with the tokenizer of the model",
    "fixed": "'window'",
    "fixed_size": "'window'",
    "sliding_window": "'window' with an overlap",
    "length": "'window'",
    "character": "'recursive' with max_chars",
    "recursive_character": "'recursive' with max_chars",
    "recursive_text": "'recursive'",
    "text": "'recursive'",
    "paragraph": "'recursive', which cuts at paragraphs first",
    "semchunk": "'recursive' or 'balanced'",
    "line": "'line_based'",
    "word": "'window', or 'recursive' with separators=[' ']",
    "nltk": "'sentence'",
    "spacy": "'sentence'",
    "sentence_window": "'sentence' with sentences=1 and window=3",
    "similarity": "'by_similarity' over elements; over texts 'kamradt' or 'cluster'",
    "agentic": "'llm'",
    "propositional": "'llm'",
    "slumber": "'llm'",
    "contextual": "cw.Contextual(strategy, llm=...), over any strategy",
    "default": "'recursive'",
}
"""What does here what other libraries' splitters do, by their names."""
_ENDINGS = ("_splitter", "_chunker", "_node_parser", "_parser", "_chunking", "_code", "_text")
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\s-]+")


def nearest_option(name: object, known: Iterable[str]) -> tuple[str, ...]:
    """Return a hint for the unknown name of an option.

    Parameters
    ----------
    name
        What was given.
    known
        What could have been given.

    Returns
    -------
    tuple of str
        What the option of another library is called here, if it is one; else as
        :func:`chunkwright.errors.nearest`. The parts of a message.

    Examples
    --------
    >>> nearest_option("chunk_size", ["max_tokens", "max_chars", "min_size"])
    ('here it is ', 'max_tokens', ' or ', 'max_chars')
    >>> nearest_option("min_sise", ["max_tokens", "min_size"])
    ("did you mean 'min_size'?",)
    """
    known = list(known)
    if hint := peers_option(name, known):
        return hint
    ours = _ours(name)
    return (*ours.sentence, ", of other strategies") if ours else (nearest(name, known),)


def peers_option(name: object, known: Iterable[str]) -> tuple[str, ...]:
    """Return what another library's option is called here; nothing if it is none, or not known."""
    ours = _ours(name)
    if ours is None:
        return ()
    has_ours = not ours.names or any(each in known for each in ours.names)
    return ours.sentence if has_ours else ()


def _ours(name: object) -> Ours | None:
    return OPTIONS.get(name.replace("-", "_")) if isinstance(name, str) else None


def peers_strategy(name: str) -> str | None:
    """Return what does here what another library's strategy of that name does; None if it is none.

    Examples
    --------
    >>> peers_strategy("markdown_header")
    "other libraries' 'markdown_header' is here 'hybrid' or 'by_title' over cw.read(...)"
    """
    word = plain_name(name)
    found = STRATEGIES.get(word)
    return None if found is None else f"other libraries' {word!r} is here {found}"


def peers_class(name: str) -> str | None:
    """Return which class does here what another library's class does; None if none is known.

    Examples
    --------
    >>> peers_class("RecursiveChunker"), peers_class("Recursion")
    ('here it is cw.Recursive', None)
    >>> peers_class("TokenTextSplitter")
    "other libraries' 'token' is here 'window'"
    """
    ours = CLASSES.get(plain_name(name))
    return peers_strategy(name) if ours is None else f"here it is cw.{ours}"


def plain_name(name: str) -> str:
    """Return the name of a class or a strategy as names of strategies are written.

    Examples
    --------
    >>> plain_name("RecursiveCharacterTextSplitter"), plain_name("HTML-header")
    ('recursive_character', 'html_header')
    """
    word = _WORDS.sub("_", name.strip()).lower()
    for ending in _ENDINGS:
        word = word.removesuffix(ending)
    return word
