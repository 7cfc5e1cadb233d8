"""Vocabulary that ships with the package, and the models whose tokenizer it makes."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

SHIPPED = ("sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2")
"""Names of the models whose tokenizer is there without a file: BERT's WordPiece."""

VOCABULARY = Path(__file__).parent / "data" / "bert_base_uncased.txt.gz"
"""The tokens, one a line in the order of their ids; ``scripts/generate_bert_vocabulary.py``."""

VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
"""The hash of its lines."""


def _special(name: str, number: int) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": number, "special": True, "content": name, **flags}


def _piece(name: str, segment: int) -> dict[str, Any]:
    kind = "SpecialToken" if name.startswith("[") else "Sequence"
    return {kind: {"id": name, "type_id": segment}}


_CLS, _SEP = 101, 102
_FIRST = [_piece("[CLS]", 0), _piece("A", 0), _piece("[SEP]", 0)]

BERT_UNCASED: dict[str, Any] = {
    "added_tokens": [
        _special("[PAD]", 0),
        _special("[UNK]", 100),
        _special("[CLS]", _CLS),
        _special("[SEP]", _SEP),
        _special("[MASK]", 103),
    ],
    "normalizer": {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {
        "type": "TemplateProcessing",
        "single": _FIRST,
        "pair": [*_FIRST, _piece("B", 1), _piece("[SEP]", 1)],
        "special_tokens": {
            name: {"id": name, "ids": [number], "tokens": [name]}
            for name, number in (("[CLS]", _CLS), ("[SEP]", _SEP))
        },
    },
    "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
}
"""What a ``tokenizer.json`` of bert-base-uncased says beside its vocabulary."""


def vocabulary() -> list[str]:
    """Return the tokens in the order of their ids."""
    return gzip.decompress(VOCABULARY.read_bytes()).decode().split("\n")[:-1]


@cache
def longest_token() -> int:
    """Return the code points of the longest token."""
    return max(map(len, vocabulary()))


@cache
def tokenizer_json() -> str:
    """Return the tokenizer of `SHIPPED` as the text of a ``tokenizer.json``."""
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {token: number for number, token in enumerate(vocabulary())},
    }
    parts = {"version": "1.0", "truncation": None, "padding": None, **BERT_UNCASED, "model": model}
    return json.dumps(parts, ensure_ascii=False)
