"""The strategy of sentences: groups, windows, and overlaps at sentences."""

import itertools
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import STRATEGIES
from tests.laws import needed
from tests.support.texts import PROSE, WITH_SURROGATES

SENTENCES = st.lists(
    st.sampled_from(
        ["One two.", "Three, four!", "Five?", "Six seven eight, nine ten.", "Über 漢."]
    ),
    max_size=20,
).map(" ".join)


def _body(chunk: cw.Chunk) -> cw.Piece:
    (body,) = [piece for piece in chunk.pieces if piece.role == "body"]
    return body


@given(text=WITH_SURROGATES, n=st.integers(1, 4), window=st.integers(0, 3))
def test_without_a_limit_all_sentences_are_there(text: str, n: int, window: int) -> None:
    chunks = cw.Sentence(sentences=n, window=window)(text)
    bodies = [_body(chunk) for chunk in chunks]
    gaps = zip([0, *(b.end for b in bodies)], [*(b.start for b in bodies), len(text)], strict=True)
    assert not any(text[start:end].strip() for start, end in gaps)
    single = cw.Sentence(sentences=1)(text)
    assert len(chunks) == -(-len(single) // n)
    assert [body.start for body in bodies] == single.starts.tolist()[::n]


@given(text=SENTENCES, window=st.integers(1, 4))
def test_a_window_reaches_over_its_neighbours(text: str, window: int) -> None:
    single = cw.Sentence(sentences=1)(text)
    chunks = cw.Sentence(sentences=1, window=window)(text)
    assert len(chunks) == len(single)
    for i, chunk in enumerate(chunks):
        assert (_body(chunk).start, _body(chunk).end) == (single[i].start, single[i].end)
        assert chunk.start == single[max(0, i - window)].start
        assert chunk.end == single[min(len(single) - 1, i + window)].end
        assert [piece.role for piece in chunk.pieces] == (
            ["overlap"] * (i > 0) + ["body"] + ["overlap"] * (i < len(single) - 1)
        )


@given(
    text=st.one_of(SENTENCES, PROSE),
    limit=st.integers(1, 30),
    window=st.integers(1, 5),
    n=st.none() | st.integers(1, 3),
    unit=st.sampled_from(["max_tokens", "max_chars"]),
)
def test_a_window_counts_against_the_limit(
    text: str, limit: int, window: int, n: int | None, unit: str
) -> None:
    options: dict[str, Any] = {unit: limit, "sentences": n}
    plain, wide = cw.Sentence(**options)(text), cw.Sentence(**options, window=window)(text)
    assert [_body(chunk) for chunk in plain] == [_body(chunk) for chunk in wide]
    for chunk in wide:
        size = len(chunk.text) if unit == "max_chars" else cw.count_tokens(chunk.text)
        assert size <= limit or (chunk.oversize and len(chunk.pieces) == 1)
        assert chunk.n_tokens == cw.count_tokens(chunk.text)


@given(text=SENTENCES, limit=st.integers(30, 60))
def test_chunks_are_as_full_as_whole_sentences_allow(text: str, limit: int) -> None:
    single = cw.Sentence(sentences=1)(text)
    ends = set(single.ends.tolist())
    chunks = cw.Sentence(max_chars=limit)(text)
    assert {chunk.end for chunk in chunks} <= ends
    for chunk, after in itertools.pairwise(chunks):
        more = min(end for end in ends if end > after.start)
        assert more - chunk.start > limit


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@given(text=SENTENCES, limit=st.integers(20, 60), overlap=st.integers(1, 19))
def test_overlaps_begin_at_sentences(strategy: Any, text: str, limit: int, overlap: int) -> None:
    starts = set(cw.Sentence(sentences=1)(text).starts.tolist())
    options: dict[str, Any] = {"overlap": overlap, "overlap_at": "sentence", **needed(strategy)}
    for chunk in cw.chunk(text, strategy, max_chars=limit, **options):
        repeated = [piece for piece in chunk.pieces if piece.role == "overlap"]
        for piece in repeated:
            assert piece.start in starts
            assert piece.end - piece.start <= overlap


def test_a_group_keeps_its_sentences_beside_an_overlap() -> None:
    text = "One two. Three four five. Six."
    chunks = cw.Sentence(max_chars=20, sentences=1, overlap=12)(text)
    assert chunks.texts() == ["One two.", "Three four five.", "Six."]
    wider = cw.Sentence(max_chars=25, sentences=1, overlap=9)(text)
    assert wider.texts() == ["One two.", "One two. Three four five.", "Six."]


def test_pickled_windows_keep_their_pieces() -> None:
    chunks = cw.Sentence(sentences=1, window=1)("One. Two. Three.")
    copy = pickle.loads(pickle.dumps(chunks))
    assert copy == chunks
    assert [piece.role for piece in copy[1].pieces] == ["overlap", "body", "overlap"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sentences": 0, "max_chars": 9}, "sentences must be at least 1, got 0"),
        ({"sentences": 1.5}, "sentences must be an int, got 1.5"),
        ({"sentences": 1, "max_chars": 9, "max_tokens": 9}, "got max_tokens=9 and max_chars=9"),
        ({"sentences": 1, "window": -1}, "window must be at least 0"),
        ({"sentences": 1, "soft_max": 5}, "soft_max needs max_tokens or max_chars, got 5"),
        ({"sentences": 1, "overlap": 5}, "overlap needs max_tokens or max_chars, got 5"),
        ({"max_chars": 9, "window": 2, "overlap": 3}, "give one, got overlap=3 and window=2"),
    ],
)
def test_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError, match=message):
        cw.Sentence(**options)


@pytest.mark.parametrize("strategy", [cw.Sentence, cw.Balanced])
def test_a_language_knows_its_abbreviations(strategy: Any) -> None:
    text = "Sie kam am 3. Mai an. Es schneite."
    assert strategy(max_chars=24, language="de")(text).texts() == [
        "Sie kam am 3. Mai an.",
        "Es schneite.",
    ]
    assert pickle.loads(pickle.dumps(strategy(max_chars=24, language="de"))).language == "de"
    with pytest.raises(cw.ConfigError, match="unknown language 'xx'"):
        strategy(max_chars=24, language="xx")
    with pytest.raises(cw.ConfigError, match="language must be a code such as 'en', got None"):
        strategy(max_chars=24, language=None)


def test_an_overlap_begins_at_sentences_of_the_language() -> None:
    text = "Er kam am 3. Mai an. Es schneite."
    chunks = cw.Sentence(max_chars=24, overlap=9, language="de")(text)
    assert chunks.texts() == ["Er kam am 3. Mai an.", "Es schneite."]


def test_numbers_without_bound() -> None:
    text = "One. Two. Three."
    assert cw.Sentence(sentences=2**62)(text).texts() == [text]
    assert cw.Sentence(sentences=1, window=2**62)(text).texts() == [text] * 3


@pytest.mark.parametrize("indent", ["", " ", "   "])
@pytest.mark.parametrize("options", [{"sentences": 1}, {"sentences": 2}, {"window": 1}])
def test_indented_code_begins_a_group(indent: str, options: dict[str, Any]) -> None:
    code = f"{indent}```py\nx = 1\n{indent}```"
    strategy = cw.Sentence(max_tokens=60, **options)
    for text in (f"{code}\n\nThe end.\n", f"{indent}~~~\n", f"It is so.\n\n{code}\n"):
        said = "".join(
            text[piece.start : piece.end]
            for chunk in strategy(cw.read_markdown(text))
            for piece in chunk.pieces
            if piece.role == "body"
        )
        assert "".join(said.split()) == "".join(text.split())
    alone = cw.Sentence(max_tokens=60, sentences=1)(cw.read_markdown(f"It is so.\n\n{code}\n"))
    assert alone.texts() == ["It is so.", code.strip()]
