"""Runs Docling's chunkers and chunkwright's side by side and compares all that a caller can see."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import tiktoken
from docling_core.transforms.chunker import hierarchical_chunker
from docling_core.transforms.chunker.hybrid_chunker import HybridChunker as TheirHybrid
from docling_core.transforms.chunker.line_chunker import LineBasedTokenChunker as TheirLines
from docling_core.transforms.chunker.tokenizer.huggingface import HuggingFaceTokenizer as TheirHf
from docling_core.transforms.chunker.tokenizer.openai import OpenAITokenizer
from docling_core.transforms.serializer.markdown import MarkdownTableSerializer
from hypothesis import reject
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from chunkwright.compat.docling import HuggingFaceTokenizer, HybridChunker

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

# So often in a row nothing fits where the peer goes on: each time, a chunk of the prefix alone.
MOST_EMPTY = 50
_UNKNOWN = "[UNK]"
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_PIECES = ["the", "river", "##ing", "##er", "##s", "elbe", "one", "two", "##ton", "and", "lake"]


class MarkdownTables(hierarchical_chunker.ChunkingSerializerProvider):
    """The stock serializer, but for tables."""

    def get_serializer(self, doc: DoclingDocument) -> Any:
        """Return a serializer that writes tables as Markdown."""
        return hierarchical_chunker.ChunkingDocSerializer(
            doc=doc, table_serializer=MarkdownTableSerializer()
        )


@cache
def word_pieces() -> PreTrainedTokenizerFast:
    """A small tokenizer of BERT's kind."""
    tokens = ["[UNK]", *".,|=-#*`()[]", *_LETTERS, *(f"##{letter}" for letter in _LETTERS)]
    vocabulary = {token: i for i, token in enumerate([*tokens, *_PIECES])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=_UNKNOWN))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    make: Any = PreTrainedTokenizerFast
    made: PreTrainedTokenizerFast = make(tokenizer_object=tokenizer, unk_token=_UNKNOWN)
    return made


def pair_of(name: str, max_tokens: int) -> tuple[Any, Any]:
    """Our tokenizer of that name, and theirs."""
    if name == "cl100k_base":
        encoding = tiktoken.get_encoding(name)
        both = OpenAITokenizer(tokenizer=encoding, max_tokens=max_tokens)
        return both, both
    if name == "word pieces":
        given: Any = word_pieces()
        return (
            HuggingFaceTokenizer(tokenizer=given, max_tokens=max_tokens),
            TheirHf(tokenizer=given, max_tokens=max_tokens),
        )
    return (
        HuggingFaceTokenizer(tokenizer=name, max_tokens=max_tokens),
        TheirHf(tokenizer=_of_file(Path(name) / "tokenizer.json"), max_tokens=max_tokens),
    )


@cache
def _of_file(file: Path) -> PreTrainedTokenizerFast:
    make: Any = PreTrainedTokenizerFast
    made: PreTrainedTokenizerFast = make(tokenizer_file=str(file))
    return made


def outcome(work: Callable[[], Any]) -> tuple[Any, list[tuple[type, str]]]:
    """What ``work`` returns or raises, and what it warns of."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - any error is an outcome
            # Where semchunk recurses without end, ours says over which character.
            says = "" if isinstance(error, RecursionError) else str(error)
            result = (type(error), says)
    # What pandas says of the peer's own use of it is no warning of the peer's.
    own = [warning for warning in heard if not warning.category.__name__.startswith("Pandas")]
    return result, [(warning.category, str(warning.message)) for warning in own]


class EndlessError(BaseException):
    """The peer repeats its prefix without end."""


@contextmanager
def coming_to_an_end() -> Iterator[None]:
    """Let the peer raise where a character does not fit behind its prefix, and it would go on."""
    split, stuck, n_empty = TheirLines._split_by_token_limit, "", 0

    def split_or_end(self: TheirLines, text: str, **kwargs: Any) -> tuple[str, str]:
        nonlocal stuck, n_empty
        taken, rest = split(self, text, **kwargs)
        # What fits alone is given back where it does not fit behind the prefix, and that is tried.
        if kwargs["prefix"]:
            n_empty = n_empty + 1 if not taken and text == stuck else 0
            stuck = text
        if n_empty == MOST_EMPTY:
            raise EndlessError
        return taken, rest

    with mock.patch.object(TheirLines, "_split_by_token_limit", split_or_end):
        yield


def theirs_of(work: Callable[[], Any]) -> tuple[Any, list[tuple[type, str]]]:
    """What the peer's ``work`` comes to; an example at which it never ends is not compared."""
    try:
        with coming_to_an_end():
            return outcome(work)
    except EndlessError:
        reject()


def dumped(chunker: Any, document: Any, **kwargs: Any) -> list[tuple[str, Any]]:
    """What is counted of the chunks, and their JSON: of all fields and of those that are set."""
    return [
        (
            chunker.contextualize(chunk),
            (chunk.export_json_dict(), chunk.model_dump(mode="json", exclude_unset=True)),
        )
        for chunk in chunker.chunk(document, **kwargs)
    ]


def same(ours: Any, theirs: Any, document: Any, **kwargs: Any) -> Any:
    """Asserts that both chunkers have one outcome; returns it."""
    expected = theirs_of(lambda: dumped(theirs, document, **kwargs))
    found = outcome(lambda: dumped(ours, document, **kwargs))
    assert found == expected
    assert repr(found[0]) == repr(expected[0]), "keys are in another order"
    return found[0]


def same_hybrid(document: Any, tokenizer: str, max_tokens: int, **options: Any) -> Any:
    """Asserts that both hybrid chunkers have one outcome; returns it."""
    ours, theirs = pair_of(tokenizer, max_tokens)
    if options.pop("markdown_tables", False):
        options["serializer_provider"] = MarkdownTables()
    return same(
        HybridChunker(tokenizer=ours, **options),
        TheirHybrid(tokenizer=theirs, **options),
        document,
    )
