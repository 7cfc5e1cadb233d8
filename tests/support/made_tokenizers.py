"""Small tokenizers of every kind, trained on a few lines: no model files are needed."""

# ruff: noqa: S106 - the tokens are no passwords

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2 = LLAMA3.replace("{1,3}", "")
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

CORPUS = [
    "We don't know what they'll say, and we've said that it's 1,234 times 56.",
    "def count(self, text: str) -> int:\n    return len(self.encode(text))  # 0 or more\n\n",
    "Die Straße führt über den Fluß. Où est le café? 漢字かな交じり文 한국어 🚀",
    "the then there these that those their words word sentence sentences and then\t\ttabs\r\n",
    "HTTPServer GetURL parseJSON x86_64 2024-11-21 3.14159 100000 !!! ... /usr/bin/env -- ==",
    "cafe\u0301 e\u0301t\u0065\u0301 \u1112\u1161\u11ab   three   blanks    and\n\n\nlines",
] * 3
END = "<|end|>"

ByteLevel = pre_tokenizers.ByteLevel


def _split(pattern: str, behavior: str = "isolated", *, invert: bool = False) -> Any:
    split = pre_tokenizers.Split(Regex(pattern), behavior, invert)
    return pre_tokenizers.Sequence([split, ByteLevel(add_prefix_space=False, use_regex=False)])


def byte_level(pre_tokenizer: Any, normalizer: Any = None, **model: Any) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(**model))
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.decoder = decoders.ByteLevel()
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    trainer = trainers.BpeTrainer(
        vocab_size=700,
        special_tokens=[END],
        initial_alphabet=ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


@cache
def nmt_nfkc() -> bytes:
    """Return the map of characters that SentencePiece 0.2.3 writes for its rule ``nmt_nfkc``."""
    file = Path(__file__).parents[1] / "data" / "nmt_nfkc.charsmap.xz"
    return lzma.decompress(file.read_bytes())


def _unigram(normalizer: Any = None, pre_tokenizer: Any = None) -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizer or normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizer or pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=250, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def precompiled(*more: Any, before: Any = ()) -> Any:
    return normalizers.Sequence([*before, normalizers.Precompiled(nmt_nfkc()), *more])


def blanks_as(content: str) -> Any:
    return normalizers.Replace(Regex(" {2,}"), content)


def _xlm_roberta() -> Tokenizer:
    splits = [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    tokenizer = _unigram(precompiled(), pre_tokenizers.Sequence(splits))
    tokenizer.add_special_tokens(["<s>", "</s>", AddedToken("<mask>", lstrip=True)])
    ids = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=ids
    )
    return tokenizer


def _albert() -> Tokenizer:
    quotes = [normalizers.Replace("``", '"'), normalizers.Replace("''", '"')]
    steps = [*quotes, normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase()]
    return _unigram(precompiled(blanks_as(" "), before=steps))


def _with_bytes() -> Tokenizer:
    trained = json.loads(_unigram().to_str())
    trained["model"]["vocab"] += [[f"<0x{byte:02X}>", 0.0] for byte in range(256)]
    trained["model"]["byte_fallback"] = True
    return Tokenizer.from_str(json.dumps(trained))


def _llama2() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    all_bytes = [f"<0x{byte:02X}>" for byte in range(256)]
    trainer = trainers.BpeTrainer(
        vocab_size=600, special_tokens=["<unk>", *all_bytes], show_progress=False
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def _word_level() -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordLevelTrainer(special_tokens=["[UNK]"], show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def _bert() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    specials = ["[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(
        vocab_size=300, special_tokens=specials, show_progress=False
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    template = "[CLS] $A [SEP]"
    ids = [(token, tokenizer.token_to_id(token)) for token in specials[1:]]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=template, pair=f"{template} $B", special_tokens=ids
    )
    return tokenizer


def _with_odd_added_tokens() -> Tokenizer:
    tokenizer = byte_level(_split(LLAMA3), normalizers.NFC())
    tokenizer.add_tokens(
        [
            AddedToken("<mask>", lstrip=True, normalized=False),
            AddedToken("word", single_word=True, normalized=True),
            AddedToken("<r>", rstrip=True, normalized=True),
            AddedToken("caf\u00e9", normalized=True),
        ]
    )
    return tokenizer


# Name, how it is counted, and what makes it.
KINDS: dict[str, tuple[str, Any]] = {
    "gpt2": ("bpe", lambda: byte_level(ByteLevel(add_prefix_space=False))),
    "llama3": ("bpe", lambda: byte_level(_split(LLAMA3), ignore_merges=True)),
    "inverted": ("bpe", lambda: byte_level(_split(LLAMA3, "removed", invert=True))),
    "qwen2": ("bpe", lambda: byte_level(_split(QWEN2), normalizers.NFC())),
    "o200k": ("bpe", lambda: byte_level(_split(O200K))),
    "added": ("bpe", _with_odd_added_tokens),
    "bert": ("wordpiece", _bert),
    "roberta": ("other", lambda: byte_level(ByteLevel(add_prefix_space=True))),
    "digits": (
        "other",
        lambda: byte_level(
            pre_tokenizers.Sequence(
                [pre_tokenizers.Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]
            )
        ),
    ),
    "unigram": ("unigram", _unigram),
    "xlm-roberta": ("unigram", _xlm_roberta),
    "bge-m3": ("unigram", lambda: _unigram(precompiled(blanks_as(" ")))),
    "t5": (
        "unigram",
        lambda: _unigram(precompiled(normalizers.Strip(left=False), blanks_as("\u2581"))),
    ),
    "albert": ("unigram", _albert),
    "unigram, first": (
        "unigram",
        lambda: _unigram(None, pre_tokenizers.Metaspace(prepend_scheme="first")),
    ),
    "unigram, whole": ("unigram", lambda: _unigram(None, pre_tokenizers.Metaspace(split=False))),
    "unigram, bytes": ("unigram", _with_bytes),
    "llama2": ("other", _llama2),
    "wordlevel": ("other", _word_level),
}


@cache
def made(name: str) -> Tokenizer:
    """Return the tokenizer of that name, made once, as it comes out of JSON.

    The library does not read all numbers that it has written as what they were: its own copy of a
    Unigram model may break a tie in another way.  After a few rounds the numbers stay.
    """
    tokenizer: Tokenizer = KINDS[name][1]()
    written = ""
    while written != (again := tokenizer.to_str()):
        written = again
        tokenizer = Tokenizer.from_str(written)
    return tokenizer


def changed(name: str, **parts: Any) -> str:
    """Return the JSON of a tokenizer with parts replaced; a dict changes the part it names."""
    content = json.loads(made(name).to_str())
    for part, value in parts.items():
        content[part] = {**content[part], **value} if isinstance(value, dict) else value
    return json.dumps(content)
