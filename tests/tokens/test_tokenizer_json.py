"""Tokenizers of ``tokenizer.json`` files count as the library that owns the format."""

import json
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, models, pre_tokenizers
from tokenizers import Tokenizer as Theirs

import chunkwright as cw
from tests.support.made_tokenizers import CORPUS, END, KINDS, changed, made
from tests.support.texts import TEXTS

# What the made tokenizers have tokens for, and what their added tokens and normalisers change.
pytestmark = pytest.mark.differential

PARTS = [*CORPUS[:6], END, "<mask>", " word ", "sword", "<r>  ", "cafe\u0301", "[SEP]", "  \n", "x"]
OWN = st.lists(st.sampled_from(PARTS), max_size=5).map("".join)


def _their_count(theirs: Theirs, text: str) -> int:
    return len(theirs.encode(text, add_special_tokens=False).ids)


@pytest.mark.parametrize("name", KINDS)
def test_how_it_is_counted(name: str) -> None:
    assert _kind(cw.Tokenizer(made(name))) == KINDS[name][0]


def _kind(tokenizer: cw.Tokenizer) -> str:
    """Return how the core counts, or ``other`` if the library does."""
    core = getattr(tokenizer._backend, "core", None)
    return "other" if core is None else str(core.kind)


@pytest.mark.parametrize("name", KINDS)
@given(text=TEXTS | OWN)
def test_whole_texts(name: str, text: str) -> None:
    theirs, ours = made(name), cw.Tokenizer(made(name))
    ids = theirs.encode(text, add_special_tokens=False).ids
    assert ours.encode(text) == ids
    assert ours.count(text) == len(ids)
    # The library reads an added token as if written in the alphabet of bytes: docs/differences.md
    if KINDS[name][0] != "bpe" or theirs.token_to_id("caf\u00e9") not in ids:
        assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False)


def test_an_added_token_is_decoded_to_its_content() -> None:
    ours, theirs = cw.Tokenizer(made("added")), made("added")
    ids = ours.encode("cafe\u0301")
    assert ids == [theirs.token_to_id("caf\u00e9")]
    assert ours.decode(ids) == "caf\u00e9"
    assert theirs.decode(ids) == "caf\ufffd"


@pytest.mark.parametrize("name", KINDS)
@given(text=TEXTS | OWN, data=st.data())
def test_spans(name: str, text: str, data: st.DataObject) -> None:
    theirs, index = made(name), cw.Tokenizer(made(name)).index(text)
    for _ in range(4):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        assert index.count(start, end) == _their_count(theirs, text[start:end])


@pytest.mark.parametrize("name", [name for name in KINDS if KINDS[name][0] == "bpe"])
@given(text=(TEXTS | OWN).filter(lambda text: len(text) < 120), data=st.data())
def test_longest_prefix(name: str, text: str, data: st.DataObject) -> None:
    theirs, index = made(name), cw.Tokenizer(made(name)).index(text)
    start, most = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 12))
    fits = [e for e in range(start, len(text) + 1) if _their_count(theirs, text[start:e]) <= most]
    found = index.longest(start, most)
    # Where a span is counted by itself, bisection may stop at an end before the last one.
    is_plain = not any(part in text for part in (END, "<", "word", "\u0301", "é"))
    assert found == max(fits) if is_plain else found in fits


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("strategy", ["recursive", "window"])
def test_chunks_keep_the_limit(name: str, strategy: Any) -> None:
    text = "".join(CORPUS)
    chunks = cw.chunk(text, strategy, max_tokens=20, overlap=5, tokenizer=made(name))
    counts = [_their_count(made(name), chunk) for chunk in chunks.texts()]
    assert chunks.n_tokens.tolist() == counts
    assert all(count <= 20 or chunk.oversize for count, chunk in zip(counts, chunks, strict=True))
    assert len(chunks) > 5


def _with(name: str, *added: str, **flags: bool) -> str:
    """Return a tokenizer with tokens added, which take what is not said to be otherwise."""
    unset = dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized", "special"], False)
    tokens = [{"id": 0, "content": content, **unset, **flags} for content in added]
    return changed(name, added_tokens=tokens)


@given(text=st.text(" \n\ta<", max_size=12))
@pytest.mark.parametrize("added", [("\n",), ("  ", "a"), ("<", "a\n", "\t")])
def test_added_tokens_that_are_whitespace(added: tuple[str, ...], text: str) -> None:
    source = _with("gpt2", *added, lstrip=True, rstrip=True)
    assert cw.Tokenizer(source).encode(text) == _their_ids(source, text)


def _their_ids(source: str, text: str) -> list[int]:
    return Theirs.from_str(source).encode(text, add_special_tokens=False).ids


def test_added_whitespace_takes_linear_time() -> None:
    # In quadratic time this would take half an hour.
    for flags in ({"lstrip": True}, {"rstrip": True}):
        tokenizer = cw.Tokenizer(_with("gpt2", "\n", **flags))
        assert tokenizer.count("\n" * 3_000_000) == 3_000_000


def test_an_added_token_with_the_id_of_another() -> None:
    # Ids are numbered on behind as many as there are, which are those of others if there are gaps.
    vocab = json.loads(made("gpt2").to_str())["model"]["vocab"]
    source = json.loads(_with("gpt2", "<x>", "<y>"))
    source["model"]["vocab"] = {token: 2 * i for token, i in vocab.items()}
    ours, theirs = cw.Tokenizer(json.dumps(source)), Theirs.from_str(json.dumps(source))
    ids = theirs.encode("<x><y> words", add_special_tokens=False).ids
    assert ours.encode("<x><y> words") == ids
    assert ours.decode(ids) == theirs.decode(ids) == "<x><y> words"


def test_code() -> None:
    code = Path(__file__).read_text("utf-8") + Path(json.__file__).read_text("utf-8")
    for name in KINDS:
        assert cw.Tokenizer(made(name)).encode(code) == (
            made(name).encode(code, add_special_tokens=False).ids
        )


# ---------------------------------------------------------------------- merges and ranks


def _bpe(merges: list[str], **model: Any) -> str:
    """Return a byte-level tokenizer with these merges."""
    vocab = json.loads(made("gpt2").to_str())["model"]["vocab"]
    characters = [token for token in vocab if len(token) == 1]
    made_tokens = [merge.replace(" ", "") for merge in merges]
    tokens = dict.fromkeys([*characters, *made_tokens, *model.pop("more", [])])
    ids = {token: i for i, token in enumerate(tokens)}
    if "yx" in ids:
        ids["yx"] = ids["xy"]
    model = {"vocab": ids, "merges": merges, **model}
    return changed("gpt2", added_tokens=[], model=model)


@pytest.mark.parametrize(
    ("merges", "model", "kind"),
    [
        # Each token's last joint is its merge, whether its parts are listed before it or behind it.
        (["a b", "ab c", "c d"], {}, "bpe"),
        (["ab c", "a b"], {}, "bpe"),
        # `bc` takes the `b` first, so that `abcd` is never made: as if it were no token.
        (["b c", "a b", "c d", "ab cd"], {}, "bpe"),
        (["b c", "a b", "c d", "ab cd"], {"ignore_merges": True}, "bpe"),
        # All pairs that make a token, as transformers writes them.
        (["a b", "b c", "ab c", "a bc"], {}, "bpe"),
        # `a` and `bc` become neighbours that make a token, but not by a merge.
        (["b c", "a b", "ab c"], {}, "other"),
        (["b c"], {"more": ["abc"], "ignore_merges": True}, "other"),
        # `abc` has a merge of low rank, but is made by another one.
        (["a bc", "a b", "c d", "ab c"], {"more": ["bc"]}, "other"),
        # Two tokens have one id.
        (["x y", "y x"], {}, "other"),
    ],
)
@given(text=st.text("abcdxy ", max_size=30))
def test_merges_are_ranks_or_left_to_the_library(
    merges: list[str], model: dict[str, Any], kind: str, text: str
) -> None:
    source = _bpe(merges, **model)
    ours, theirs = cw.Tokenizer(source), Theirs.from_str(source)
    assert _kind(ours) == kind
    assert ours.count(text) == _their_count(theirs, text)
    index = ours.index(text)
    for start in range(0, len(text), 5):
        assert index.count(start, len(text)) == _their_count(theirs, text[start:])


# ---------------------------------------------------------------------- regular expressions

# cl100k_base's as tiktoken writes it, and two that no vocabulary has.
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
DIGITS = r"\p{N}{1,3}+|\P{N}+"
LINE_ENDS = r" +$|\S+|\s"


@pytest.mark.parametrize(
    ("pattern", "kind", "merges", "text", "tokens", "their_tokens"),
    [
        (CL100K, "bpe", ["1 2", "3 4"], "1234", ["12", "3", "4"], ["12", "34"]),
        (DIGITS, "other", ["1 2", "3 4"], "1234", ["12", "34"], ["12", "34"]),
        (LINE_ENDS, "other", ["Ġ Ġ"], "a  \nb", ["a", "ĠĠ", *"Ċb"], ["a", "ĠĠ", *"Ċb"]),
        (LINE_ENDS, "other", ["Ġ Ġ"], "a  ", ["a", "ĠĠ"], ["a", "ĠĠ"]),
    ],
)
def test_the_pattern_of_cl100k_is_read_as_tiktoken_reads_it(  # noqa: PLR0913, PLR0917
    pattern: str,
    kind: str,
    merges: list[str],
    text: str,
    tokens: list[str],
    their_tokens: list[str],
) -> None:
    theirs = Theirs.from_str(_bpe(merges))
    theirs.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    ours = cw.Tokenizer(theirs)
    assert _kind(ours) == kind
    assert [theirs.id_to_token(token) for token in ours.encode(text)] == tokens
    assert theirs.encode(text, add_special_tokens=False).tokens == their_tokens


# ---------------------------------------------------------------------- what a file carries


def test_truncation_padding_and_dropout_are_left_out() -> None:
    text = "".join(CORPUS)
    for name in ("gpt2", "bert", "unigram"):
        plain = cw.Tokenizer(made(name)).count(text)
        theirs = Theirs.from_str(made(name).to_str())
        theirs.enable_truncation(16)
        theirs.enable_padding(length=16)
        assert _their_count(theirs, text) == 16
        assert cw.Tokenizer(theirs).count(text) == plain
        assert (theirs.truncation or {})["max_length"] == 16
    for name in ("gpt2", "roberta"):
        ours = cw.Tokenizer(changed(name, model={"dropout": 0.5}))
        assert ours.count(text) == cw.Tokenizer(made(name)).count(text)


def test_special_tokens() -> None:
    theirs = made("bert")
    plain, special = cw.Tokenizer(theirs), cw.Tokenizer(theirs, special_tokens=True)
    text = "words of a sentence"
    assert special.encode(text) == theirs.encode(text).ids
    assert special.count(text) == plain.count(text) + 2 == len(theirs.encode(text).ids)
    assert special.index(text).count(0, 5) == plain.index(text).count(0, 5) + 2
    assert special.index(text).longest(0, 3) == plain.index(text).longest(0, 1)
    assert special.index(text).longest(0, 1) == 0
    chunks = cw.chunk("".join(CORPUS), max_tokens=16, tokenizer=special)
    counts = [len(theirs.encode(chunk).ids) for chunk in chunks.texts()]
    assert chunks.n_tokens.tolist() == counts
    assert max(counts) <= 16
    assert special != plain
    assert pickle.loads(pickle.dumps(cw.Tokenizer(theirs.to_str(), special_tokens=True))).count(
        text
    ) == special.count(text)


@pytest.mark.parametrize(
    ("post_processor", "ids"),
    [
        (None, [[], []]),
        ({"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True}, [[], []]),
        ({"type": "BertProcessing", "sep": ["[SEP]", 8], "cls": ["[CLS]", 7]}, [[7], [8]]),
        (
            {
                "type": "RobertaProcessing",
                "sep": ["</s>", 2],
                "cls": ["<s>", 1],
                "trim_offsets": True,
                "add_prefix_space": True,
            },
            [[1], [2]],
        ),
        (
            {
                "type": "Sequence",
                "processors": [
                    {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False},
                    {
                        "type": "TemplateProcessing",
                        "single": [
                            {"SpecialToken": {"id": "<s>", "type_id": 0}},
                            {"Sequence": {"id": "A", "type_id": 0}},
                        ],
                        "pair": [
                            {"Sequence": {"id": "A", "type_id": 0}},
                            {"Sequence": {"id": "B", "type_id": 1}},
                        ],
                        "special_tokens": {
                            "<s>": {"id": "<s>", "ids": [3, 4], "tokens": ["<", "s"]}
                        },
                    },
                ],
            },
            [[3, 4], []],
        ),
    ],
    ids=["none", "bytelevel", "bert", "roberta", "sequence"],
)
@pytest.mark.parametrize("name", ["gpt2", "unigram"])
def test_post_processors(name: str, post_processor: Any, ids: list[list[int]]) -> None:
    source = changed(name, post_processor=None)
    source = json.dumps({**json.loads(source), "post_processor": post_processor})
    ours = cw.Tokenizer(source, special_tokens=True)
    text = "a sentence"
    assert ours.encode(text) == Theirs.from_str(source).encode(text).ids
    assert ours.encode(text) == [*ids[0], *cw.Tokenizer(source).encode(text), *ids[1]]


def test_a_limit_has_room_for_special_tokens() -> None:
    special = cw.Tokenizer(made("bert"), special_tokens=True)
    assert cw.Recursive(max_tokens=3, tokenizer=special)("words of").n_tokens.max() <= 3
    for limit in (1, 2):
        with pytest.raises(cw.ConfigError, match=f"more than 2, got {limit}: the model adds 2"):
            cw.Recursive(max_tokens=limit, tokenizer=special)
    assert cw.Recursive(max_chars=1, tokenizer=special)("words").texts() == list("words")


def test_special_tokens_that_depend_on_the_text() -> None:
    twice = {
        "type": "TemplateProcessing",
        "single": [{"Sequence": {"id": "A", "type_id": 0}}] * 2,
        "pair": [{"Sequence": {"id": name, "type_id": 0}} for name in "AB"],
        "special_tokens": {},
    }
    source = json.dumps({**json.loads(made("gpt2").to_str()), "post_processor": twice})
    assert cw.Tokenizer(source).count("a") == 1
    with pytest.raises(cw.ConfigError, match="depends on the text"):
        cw.Tokenizer(source, special_tokens=True)
    assert cw.Tokenizer("cl100k_base", special_tokens=True).count("a") == 1
    for plain in (len, "chars"):
        with pytest.raises(cw.ConfigError, match="does not"):
            cw.Tokenizer(plain, special_tokens=True)


# ---------------------------------------------------------------------- sources


def test_sources_are_the_same(tmp_path: Path) -> None:
    import transformers

    theirs = made("llama3")
    file = tmp_path / "tokenizer.json"
    file.write_text(theirs.to_str(), "utf-8")
    fast: Any = transformers.PreTrainedTokenizerFast
    fast = fast(tokenizer_object=theirs)
    sources: list[Any] = [theirs, theirs.to_str(), file, str(file), tmp_path, fast]
    for source in sources:
        tokenizer = cw.Tokenizer(source)
        assert tokenizer.encode("a sentence") == theirs.encode("a sentence").ids
        assert pickle.loads(pickle.dumps(tokenizer)).count("a sentence") == 2
        assert cw.Tokenizer(tokenizer).source is source
        assert len(repr(tokenizer)) < 120
        assert cw.count_tokens("a sentence", source) == 2
    assert cw.Tokenizer(str(file)) == cw.Tokenizer(str(file))


def test_a_padded_call_of_transformers_changes_no_count() -> None:
    import transformers

    backend = Theirs.from_str(made("bert").to_str())
    fast: Any = transformers.PreTrainedTokenizerFast
    fast = fast(tokenizer_object=backend, pad_token="[UNK]")  # noqa: S106 - no password
    before = cw.Tokenizer(fast).count("a word")
    fast(["a word"], padding="max_length", max_length=64)
    assert cw.Tokenizer(fast).count("a word") == before


def test_an_object_counts_as_its_own_copy() -> None:
    # `ab` is as good as `a` and `b`, until the library reads the score that it wrote.
    score = -1.0915488472946557
    vocab = [("<unk>", 0.0), ("a", score), ("b", score), ("ab", 2 * score)]
    theirs = Theirs(models.Unigram(vocab, unk_id=0))
    copy = Theirs.from_str(theirs.to_str())
    assert theirs.encode("ab").tokens == ["ab"]
    assert copy.encode("ab").tokens == ["a", "b"]
    assert cw.Tokenizer(theirs).encode("ab") == copy.encode("ab").ids
    assert cw.Tokenizer(theirs).count("ab") == 2


def test_a_tokenizer_written_in_python() -> None:
    import transformers

    base: Any = transformers.PreTrainedTokenizer

    class Letters(base):  # type: ignore[misc]
        vocab_size = 300

        def get_vocab(self) -> dict[str, int]:
            return {chr(i): i for i in range(self.vocab_size)}

        def _tokenize(self, text: str) -> list[str]:
            return list(text)

        def _convert_token_to_id(self, token: str) -> int:
            return ord(token)

        def _convert_id_to_token(self, index: int) -> str:
            return chr(index)

        def build_inputs_with_special_tokens(self, ids: list[int], *_: Any) -> list[int]:
            return [1, *ids, 2]

    letters = Letters()
    ours, special = cw.Tokenizer(letters), cw.Tokenizer(letters, special_tokens=True)
    assert ours.encode("abc") == [97, 98, 99]
    assert special.encode("abc") == letters.encode("abc")
    assert special.count("abc") == len(letters.encode("abc"))
    assert ours.index("letters").count(1, 4) == 3
    assert max(cw.chunk("a few letters", max_tokens=5, tokenizer=letters).n_tokens) <= 5


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_text(made("gpt2").to_str(), "utf-8")
    assert cw.Tokenizer(file).count("abcd") < 4
    file.write_text(changed("gpt2", model={"merges": []}), "utf-8")
    assert cw.Tokenizer(file).count("abcd") == 4


def test_errors_name_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(cw.TokenizerError, match=r"missing\.json"):
        cw.Tokenizer(str(tmp_path / "missing.json"))
    with pytest.raises(cw.TokenizerError, match=r"missing\.json"):
        cw.Tokenizer("missing.json")
    with pytest.raises(cw.TokenizerError, match="cannot be read"):
        cw.Tokenizer(tmp_path)
    broken = tmp_path / "broken.json"
    broken.write_text('{"version": "1.0"')
    with pytest.raises(cw.TokenizerError, match=r"broken\.json cannot be used.*line 1"):
        cw.Tokenizer(broken)
    broken.write_bytes(b"\xff\xfe")
    with pytest.raises(cw.TokenizerError, match=r"broken\.json"):
        cw.Tokenizer(broken)
    with pytest.raises(cw.ConfigError, match="did you mean 'cl100k_base'"):
        cw.Tokenizer("cl100k")
    with pytest.raises(cw.TokenizerError, match="is no tokenizer"):
        cw.Tokenizer(3)  # type: ignore[arg-type]
    import transformers

    with pytest.raises(cw.TokenizerError, match="is no tokenizer"):
        cw.Tokenizer(transformers.BertConfig())
    with pytest.raises(cw.TokenizerError, match="token id 99999999"):
        cw.Tokenizer(made("unigram")).decode([99999999])
    with pytest.raises(cw.TokenizerError, match="ids must be ints"):
        cw.Tokenizer(made("gpt2")).decode([-1])
    theirs = Theirs.from_str(made("gpt2").to_str())
    theirs.encode_special_tokens = True
    with pytest.raises(cw.TokenizerError, match="encode_special_tokens"):
        cw.Tokenizer(theirs)


def test_surrogates() -> None:
    for name in ("gpt2", "bert", "unigram"):
        ours = cw.Tokenizer(made(name))
        halves, whole = "a\ud83d\ude80b \ude80", "a\U0001f680b \ufffd"
        assert ours.encode(halves) == ours.encode(whole)
        assert ours.index(halves).count(0, 6) == ours.count(whole)


def test_many_threads_share_one() -> None:
    text = "".join(CORPUS)
    for name in ("qwen2", "bert", "unigram"):
        tokenizer = cw.Tokenizer(made(name))
        with ThreadPoolExecutor(8) as threads:
            counts = set(threads.map(tokenizer.count, [text] * 32))
        assert counts == {_their_count(made(name), text)}


FORKS = """
import os, signal, sys, threading
import chunkwright as cw

tokenizer = cw.Tokenizer(sys.argv[1])

def keep_counting():
    while True:
        tokenizer.count(sys.argv[2])

def status():
    if child := os.fork():
        return os.waitpid(child, 0)[1]
    signal.alarm(60)
    os._exit(tokenizer.count("words") == 0)

for _ in range(3):
    threading.Thread(target=keep_counting, daemon=True).start()
print({status() for _ in range(40)})
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("name", ["qwen2", "bert"])
def test_a_fork_while_threads_count(name: str, tmp_path: Path) -> None:
    # A child finds every lock as it was, though the threads that held them are not in it.
    made(name).save(str(tmp_path / "tokenizer.json"))
    # In a small process, of which a copy is soon made.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKS]
    command += [str(tmp_path / "tokenizer.json"), CORPUS[0]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("{0}\n", "")


def test_minilm(shared: Path, corpora: dict[str, str]) -> None:
    path = shared / "models" / "all-MiniLM-L6-v2" / "tokenizer.json"
    ours, theirs = cw.Tokenizer(path), Theirs.from_file(str(path))
    theirs.no_truncation()
    theirs.no_padding()
    for corpus in corpora.values():
        text = corpus[:20_000]
        assert ours.count(text) == _their_count(theirs, text)
    assert cw.Tokenizer(path, special_tokens=True).count("Hello") == 3
