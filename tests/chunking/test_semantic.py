"""The semantic strategies: the laws with any vectors, and what each of them promises."""

from __future__ import annotations

import itertools
import math
import pickle
import re
import textwrap
from itertools import product
from random import Random
from typing import Any, get_args

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import STRATEGIES, make_strategy
from chunkwright.chunking.option_types import Threshold
from chunkwright.chunking.strategies.semantic import Semantic
from tests import laws
from tests.support import toy_embedders
from tests.support.mostly_slow import mostly_slow
from tests.support.texts import WITH_SURROGATES

SEEDS = st.integers(0, 2**32 - 1)

SEMANTIC = sorted(name for name, kind in STRATEGIES.items() if issubclass(kind, Semantic))

# Scores that differ by less are equal.
TOLERANCE = 1e-6

CATS = "A cat naps here. A cat purrs here. A cat plays here."
ENGINES = "An engine hums. An engine stops. An engine starts."


def about_cats(texts: list[str]) -> list[list[float]]:
    """Embed by two words; every text has a little of a third thing."""
    return [[text.count("cat"), text.count("engine"), 0.1] for text in texts]


def test_there_are_four() -> None:
    assert SEMANTIC == ["cluster", "discontinuity", "kamradt", "kamradt_modified"]


# ---------------------------------------------------------------------- the laws


@pytest.mark.parametrize("strategy", SEMANTIC)
@given(
    data=st.data(),
    text=WITH_SURROGATES,
    options=laws.options(),
    embedder=st.sampled_from(toy_embedders.EMBEDDERS),
)
def test_laws_with_any_vectors(
    strategy: Any, data: st.DataObject, text: str, options: dict[str, Any], embedder: Any
) -> None:
    limit = options.get("max_chars") or options["max_tokens"]
    own = data.draw(toy_embedders.semantic_options(strategy, limit))
    chunks = cw.chunk(text, strategy, embedder=embedder, **(options | own))
    laws.hold(text, chunks, options)
    _boundaries_say_why(text, chunks)
    assert chunks == cw.chunk(text, strategy, embedder=embedder, **(options | own))


def _boundaries_say_why(text: str, chunks: cw.Chunks) -> None:
    boundaries = chunks.boundaries
    assert boundaries is not None
    positions = boundaries.positions.tolist()
    assert all(0 < position < len(text) for position in positions)
    assert positions == sorted(set(positions))
    assert np.all((boundaries.scores >= 0) & (boundaries.scores <= 2))
    assert set(boundaries.verdicts.tolist()) <= {"whole", "score", "limit"}
    assert len(boundaries.thresholds) == 1
    # Every cut that a boundary tells of is the end of a chunk, and no other boundary is.
    cuts = {
        at for at, verdict in zip(positions, boundaries.verdicts, strict=True) if verdict != "whole"
    }
    inner = [chunk.end for chunk in chunks[:-1]]
    assert cuts <= set(inner)
    assert not (set(positions) - cuts) & set(inner)
    for chunk in chunks[:-1]:
        if chunk.end in cuts:
            at = positions.index(chunk.end)
            assert chunk.score == boundaries.scores[at]
            assert chunk.reason == boundaries.verdicts[at]
        else:
            assert (chunk.reason, math.isnan(chunk.score)) == ("limit", True)
    if chunks:
        assert (chunks[-1].reason, math.isnan(chunks[-1].score)) == ("end", True)


@pytest.mark.parametrize("strategy", SEMANTIC)
@pytest.mark.parametrize("embedder", ["lexical", toy_embedders.dice])
@given(texts=st.lists(WITH_SURROGATES, max_size=6))
def test_many_texts_are_cut_as_one_by_one(strategy: Any, embedder: Any, texts: list[str]) -> None:
    splitter: Any = make_strategy(strategy, {"max_chars": 30, "overlap": 5, "embedder": embedder})
    each = [splitter(text) for text in texts]
    one = splitter.batch(texts, workers=1)
    two = splitter.batch(texts, workers=2)
    assert list(one) == list(two) == list(itertools.chain.from_iterable(each))
    assert one.reasons == two.reasons == [reason for c in each for reason in c.reasons]
    scores = [score for chunks in each for score in chunks.scores.tolist()]
    assert np.array_equal(one.scores, two.scores, equal_nan=True)
    assert np.array_equal(one.scores, scores, equal_nan=True)
    assert list(splitter.stream(texts, workers=2)) == each
    # Arrow has no lone surrogates.
    repaired = [
        text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts
    ]
    table = pa.record_batch({"text": pa.array(repaired, pa.string())})
    cut = pa.record_batch(splitter.arrow(table))
    batch = splitter.batch(repaired)
    assert cut["text"].to_pylist() == batch.texts()
    assert cut["reason"].to_pylist() == batch.reasons
    scores = [None if math.isnan(score) else score for score in batch.scores.tolist()]
    assert cut["score"].to_pylist() == scores
    assert cut.schema.field("score") == pa.field("score", pa.float64())
    if texts:
        boundaries = two.boundaries
        assert boundaries is not None
        own = [chunks.boundaries for chunks in each]
        assert [len(of) for of in own] == np.bincount(
            boundaries.doc_index, minlength=len(texts)
        ).tolist()
        assert boundaries.positions.tolist() == [at for of in own for at in of.positions]
        thresholds = [threshold for of in own for threshold in of.thresholds]
        assert np.array_equal(boundaries.thresholds, thresholds, equal_nan=True)


@pytest.mark.parametrize("strategy", SEMANTIC)
def test_a_long_text_is_cut_alike_by_any_number_of_workers(strategy: Any) -> None:
    text = "".join(
        f"Sentence {i} is about {'cats' if i % 50 < 25 else 'rust'}.\n" for i in range(60_000)
    )
    assert len(text) > 1_500_000
    splitter: Any = make_strategy(strategy, {"max_tokens": 200, "overlap": 20})
    chunks = splitter(text)
    for workers in (1, 2):
        batch = splitter.batch([text], workers=workers)
        assert batch[:] == chunks
        assert np.array_equal(batch.scores, chunks.scores, equal_nan=True)


# ---------------------------------------------------------------------- odd vectors


@pytest.mark.parametrize("strategy", SEMANTIC)
@pytest.mark.parametrize("embedder", toy_embedders.EMBEDDERS)
@pytest.mark.parametrize("text", ["", " \n", "One.", "One sentence only", "Two. Sentences."])
def test_short_texts(strategy: Any, embedder: Any, text: str) -> None:
    chunks = cw.chunk(text, strategy, max_chars=100, embedder=embedder)
    assert " ".join(chunks.texts()) == text.strip()
    assert len(chunks) <= 2
    assert chunks.boundaries is not None
    assert len(chunks.boundaries) <= 1


@pytest.mark.parametrize("embedder", [toy_embedders.equal, toy_embedders.zeros])
def test_equal_distances_cut_nowhere(embedder: Any) -> None:
    text = "The same. " * 30
    threshold: Any
    for threshold in get_args(Threshold):
        chunks = cw.chunk(text, "kamradt", max_chars=1000, embedder=embedder, threshold=threshold)
        assert chunks.texts() == [text.strip()]
    # The limit cuts: of equal boundaries the first that leaves half of it.
    parts = cw.Kamradt(max_chars=100, embedder=embedder)(text)
    assert len(parts) > 2
    assert set(parts.reasons) == {"limit", "end"}


@pytest.mark.parametrize("strategy", SEMANTIC)
@pytest.mark.parametrize("noise", [1e-8, -1e-8])
def test_ties_within_the_tolerance_are_ties(strategy: Any, noise: float) -> None:
    """A model's vectors differ in the last digits from one machine to another."""
    text = " ".join(f"Sentence number {i:02} is standing here." for i in range(40))
    options: dict[str, Any] = {"max_chars": 200, "soft_max": 80}
    if strategy in ("cluster", "kamradt_modified"):
        options["piece_max"] = 40
    if strategy == "kamradt_modified":
        options["target"] = "max"

    def turned(by: float) -> Any:
        # One step of a radian from each to the next: all distances are equal.
        return lambda texts: [
            [math.cos(i + by * i * i), math.sin(i + by * i * i)] for i in range(len(texts))
        ]

    even = cw.chunk(text, strategy, embedder=turned(0.0), **options)
    assert len(even) > 1
    assert cw.chunk(text, strategy, embedder=turned(noise), **options) == even


@pytest.mark.parametrize("scale", [1.0, 1e-30, 1e30])
def test_the_length_of_vectors_does_not_matter(scale: float) -> None:
    text = f"{CATS} {ENGINES}"
    strategy: Any
    for strategy in SEMANTIC:
        expected = cw.chunk(text, strategy, max_chars=60, embedder=about_cats)
        scaled = cw.chunk(
            text,
            strategy,
            max_chars=60,
            embedder=lambda texts: np.array(about_cats(texts)) * scale,
        )
        assert scaled == expected


# ---------------------------------------------------------------------- what each promises


@pytest.mark.parametrize("strategy", SEMANTIC)
def test_a_turn_of_the_text_is_found(strategy: Any) -> None:
    own: dict[str, dict[str, Any]] = {
        "kamradt": {"window": 0},
        "kamradt_modified": {"window": 0, "piece_max": 20, "target": "max"},
        "cluster": {"piece_max": 20},
        "discontinuity": {"soft_max": 20},
    }
    options = {"max_chars": 60, "embedder": about_cats, **own[strategy]}
    chunks = cw.chunk(f"{CATS}\n\n{ENGINES}", strategy, **options)
    assert chunks.texts() == [CATS, ENGINES]
    assert chunks.reasons == ["score", "end"]
    assert chunks.scores[0] > 0.9


@given(text=WITH_SURROGATES, amount=st.floats(0, 100))
def test_kamradt_cuts_above_its_threshold(text: str, amount: float) -> None:
    chunks = cw.Kamradt(max_chars=10_000, embedder=toy_embedders.dice, amount=amount)(text)
    boundaries = chunks.boundaries
    assert boundaries is not None
    threshold = boundaries.thresholds[0]
    if len(boundaries):
        assert threshold == pytest.approx(np.percentile(boundaries.scores, amount), abs=1e-9)
    for score, verdict in zip(boundaries.scores, boundaries.verdicts, strict=True):
        assert verdict == ("score" if score > threshold + TOLERANCE else "whole") or (
            abs(score - threshold) <= TOLERANCE
        )


@given(n_sentences=st.integers(2, 40), n_chunks=st.integers(1, 45))
def test_kamradt_makes_so_many_chunks(n_sentences: int, n_chunks: int) -> None:
    text = " ".join(f"Sentence number {i} says it." for i in range(n_sentences))
    chunks = cw.Kamradt(max_chars=10_000, embedder=toy_embedders.dice, n_chunks=n_chunks)(text)
    # Interpolation between distances, and the two at the ends, may miss it by one.
    assert abs(len(chunks) - min(n_chunks, n_sentences)) <= 1


def test_kamradt_keeps_chunks_of_a_size() -> None:
    text = " ".join(f"Sentence number {i} says it." for i in range(100))
    options: dict[str, Any] = {"max_chars": 1000, "embedder": toy_embedders.dice, "amount": 30}
    small = cw.Kamradt(**options)(text)
    large = cw.Kamradt(**options, min_size=150)(text)
    assert min(len(t) for t in small.texts()[:-1]) < 150
    assert all(len(t) >= 150 for t in large.texts()[:-1])


@given(size=st.integers(60, 400))
def test_kamradt_modified_makes_chunks_of_the_target(size: int) -> None:
    text = " ".join(f"Sentence number {i} says it." for i in range(120))
    options: dict[str, Any] = {
        "max_chars": 2000,
        "piece_max": 30,
        "embedder": toy_embedders.dice,
        "target_size": size,
    }
    largest = cw.KamradtModified(**options, target="max")(text)
    assert max(map(len, largest.texts())) <= size
    average = cw.KamradtModified(**options, target="average")(text)
    mean = np.mean([len(chunk) for chunk in average.texts()])
    assert mean >= size * 0.75
    # One more cut would have gone below it.
    assert mean <= size * 1.5 + 60


def test_cluster_is_the_best_of_all_ways() -> None:
    """Compare with every way to cut, for vectors that have no ties."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 9))
        vectors = rng.standard_normal((n, 4))
        words = [f"Word{i:02}." for i in range(n)]
        text = " ".join(words)
        chunks = cw.Cluster(max_chars=31, piece_max=7, embedder=Given(vectors))(text)
        assert [len(chunk.split()) for chunk in chunks.texts()] == _best_groups(vectors, most=4)


class Given:
    """An embedder that gives the same vectors whatever it is asked."""

    def __init__(self, vectors: Any) -> None:
        self._vectors = vectors

    def __call__(self, texts: list[str]) -> Any:
        assert len(texts) == len(self._vectors)
        return self._vectors


def _best_groups(vectors: Any, most: int) -> list[int]:
    n = len(vectors)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    above = cosines - cosines[np.triu_indices(n, 1)].mean()
    best: tuple[float, list[int]] = (-math.inf, [])
    for cuts in itertools.product([False, True], repeat=n - 1):
        ends = [i + 1 for i, cut in enumerate(cuts) if cut] + [n]
        sizes = np.diff([0, *ends]).tolist()
        if max(sizes) > most:
            continue
        worth = sum(
            above[i, j]
            for start, end in itertools.pairwise([0, *ends])
            for i in range(start, end)
            for j in range(start, end)
            if i != j
        )
        best = max(best, (worth, sizes), key=lambda found: found[0])
    return best[1]


def test_discontinuity_cuts_between_the_limits() -> None:
    text = " ".join(f"Sentence number {i} says it." for i in range(200))
    chunks = cw.Discontinuity(max_chars=400, soft_max=200, embedder=toy_embedders.dice)(text)
    assert all(200 <= len(t) <= 400 for t in chunks.texts()[:-1])
    default = cw.Discontinuity(max_chars=400, embedder=toy_embedders.dice)(text)
    assert default == chunks


@pytest.mark.parametrize("strategy", SEMANTIC)
def test_texts_are_embedded_once_and_never_rewritten(strategy: Any) -> None:
    text = "One  sentence\nhere. \ud800 Another\tone!\n\nA third, \u3000 last. " * 8
    repaired = text.replace("\ud800", "\ufffd")
    asked: list[list[str]] = []

    def embedder(texts: list[str]) -> Any:
        asked.append(texts)
        return toy_embedders.dice(texts)

    window: dict[str, Any] = {} if strategy == "cluster" else {"window": 2}
    cw.chunk(text, strategy, max_chars=60, embedder=embedder, **window)
    assert len(asked) == 1
    assert all(piece.strip() and piece in repaired for piece in asked[0])
    # A window holds each piece at most five times.
    assert sum(map(len, asked[0])) <= 5 * len(text)


@pytest.mark.parametrize(
    ("strategy", "part"),
    mostly_slow(
        product(SEMANTIC, ["A sentence. ", "word ", "a", "漢字。", "x\n\n", ". "]), quick=9
    ),
)
def test_what_is_measured_and_embedded_grows_with_the_text(strategy: Any, part: str) -> None:
    def work(n_parts: int) -> tuple[int, int]:
        counted, embedded = 0, 0

        def count(text: str) -> int:
            nonlocal counted
            counted += len(text)
            return len(text)

        def embedder(texts: list[str]) -> Any:
            nonlocal embedded
            embedded += sum(map(len, texts))
            return toy_embedders.dice(texts)

        options: dict[str, Any] = {"max_tokens": 100, "tokenizer": count, "embedder": embedder}
        cw.chunk(part * n_parts, strategy, **options)
        return counted, embedded

    # Eight times the text: a measure may be asked once more here and there, never for all of it.
    small, large = work(2000), work(16_000)
    assert large[0] <= 16 * small[0]
    assert large[1] <= 9 * small[1]


# ---------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("strategy", "options", "message"),
    [
        ("kamradt", {"window": -1}, "window must be between 0 and 100, got -1"),
        ("kamradt", {"window": 1.5}, "window must be an int, got 1.5"),
        ("kamradt", {"threshold": "percent"}, "'percent': did you mean 'percentile'?"),
        ("kamradt", {"threshold": ["gradient"]}, "unknown threshold ['gradient']"),
        ("kamradt", {"amount": 101}, "amount must be between 0 and 100, got 101"),
        ("kamradt", {"amount": "95"}, "amount must be a number, got '95'"),
        ("kamradt", {"amount": True}, "amount must be a number, got True"),
        ("kamradt", {"amount": math.nan}, "amount must be finite, got nan"),
        (
            "kamradt",
            {"amount": math.inf, "threshold": "interquartile"},
            "amount must be finite, got inf",
        ),
        ("kamradt", {"n_chunks": 0}, "n_chunks must be at least 1, got 0"),
        ("kamradt", {"n_chunks": 3, "amount": 5}, "n_chunks takes the place of threshold"),
        ("kamradt", {"n_chunks": 3, "threshold": "gradient"}, "got n_chunks=3 with 'gradient'"),
        ("kamradt", {"min_size": 51}, "min_size must be between 0 and 50, got 51"),
        ("kamradt_modified", {"target": "mean"}, "unknown target 'mean': known are 'average'"),
        ("kamradt_modified", {"target_size": 51}, "target_size must be between 1 and 50, got 51"),
        ("kamradt_modified", {"target_size": 0}, "target_size must be between 1 and 50, got 0"),
        ("kamradt_modified", {"piece_max": 51}, "piece_max must be between 1 and 50, got 51"),
        ("kamradt_modified", {"window": 101}, "window must be between 0 and 100, got 101"),
        ("cluster", {"piece_max": 0}, "piece_max must be between 1 and 50, got 0"),
        ("cluster", {"mean": "locale"}, "'locale': did you mean 'local'?"),
        ("cluster", {"window": 3}, "strategy 'cluster' has no window, which is for 'sentence'"),
        ("discontinuity", {"window": 0}, "window must be between 1 and 100, got 0"),
        ("discontinuity", {"language": "xx"}, "xx"),
        ("cluster", {"language": 3}, "language must be a code such as 'en', got 3"),
        ("cluster", {"embedder": "lexicl"}, "'lexicl'"),
        ("cluster", {"embedder": 7}, "7"),
        ("cluster", {"embedder": None}, "None"),
    ],
)
def test_refused(strategy: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError, match=re.escape(message)):
        cw.chunk(CATS, strategy, max_chars=50, **options)


def test_a_model_that_adds_tokens_needs_room_in_pieces(shared: Any) -> None:
    folder = shared / "models" / "all-MiniLM-L6-v2" / "tokenizer.json"
    tokenizer = cw.Tokenizer(str(folder), special_tokens=True)
    with pytest.raises(
        cw.ConfigError, match="piece_max must be more than 2, got 2: the model adds"
    ):
        cw.Cluster(max_tokens=50, piece_max=2, tokenizer=tokenizer)
    assert cw.Cluster(max_tokens=50, piece_max=9, tokenizer=tokenizer)(CATS * 9)


def test_a_strategy_is_its_options() -> None:
    splitter = cw.Cluster(max_chars=60, piece_max=20, embedder=toy_embedders.letters)
    assert splitter == cw.Cluster(max_chars=60, piece_max=20, embedder=toy_embedders.letters)
    assert splitter != cw.Cluster(max_chars=60, piece_max=20)
    text = f"{CATS} {ENGINES}"
    for name in SEMANTIC:
        for embedder in ("lexical", cw.Lexical(dimensions=64), toy_embedders.letters):
            made: Any = make_strategy(name, {"max_chars": 60, "embedder": embedder})
            copy = pickle.loads(pickle.dumps(made))
            assert copy == made
            assert copy(text) == made(text)
            assert "_cutter" not in repr(made)


def test_defaults() -> None:
    """Without options of their own strategies are the ones with the values that are documented."""
    text = " ".join(f"Sentence number {i} is about {i // 9} things." for i in range(300))
    same: list[tuple[Any, Any]] = [
        (
            cw.Kamradt(max_chars=900),
            cw.Kamradt(max_chars=900, window=1, threshold="percentile", amount=95, min_size=0),
        ),
        (
            cw.Kamradt(max_chars=900, threshold="standard_deviation"),
            cw.Kamradt(max_chars=900, threshold="standard_deviation", amount=3),
        ),
        (
            cw.Kamradt(max_chars=900, threshold="interquartile"),
            cw.Kamradt(max_chars=900, threshold="interquartile", amount=1.5),
        ),
        (
            cw.KamradtModified(max_chars=900),
            cw.KamradtModified(max_chars=900, piece_max=200, window=3, target_size=450),
        ),
        (
            cw.KamradtModified(max_tokens=1600, target="max", soft_max=800),
            cw.KamradtModified(
                max_tokens=1600, target="max", soft_max=800, target_size=800, piece_max=100
            ),
        ),
        (cw.Cluster(max_tokens=200), cw.Cluster(max_tokens=200, piece_max=50)),
        (cw.Cluster(max_tokens=30), cw.Cluster(max_tokens=30, piece_max=30)),
        (cw.Discontinuity(max_chars=600), cw.Discontinuity(max_chars=600, soft_max=300)),
    ]
    for default, given_ in same:
        assert default(text).texts() == given_(text).texts()


def test_clusters_join_pieces_up_to_the_soft_limit() -> None:
    text = "The cat naps. A dog barks! Rain falls? Trains run.\n\n" * 40
    options: dict[str, Any] = {"max_tokens": 200, "piece_max": 20}
    assert max(cw.Cluster(**options)(text).n_tokens) > 60
    assert max(cw.Cluster(**options, soft_max=60)(text).n_tokens) <= 60
    # A piece by itself may have more.
    assert max(cw.Cluster(max_tokens=200, piece_max=40, soft_max=10)(text).n_tokens) > 10


# ---------------------------------------------------------------------- structure

WORDS = [
    "the",
    "cat",
    "naps",
    "engine",
    "hums",
    "on",
    "warm",
    "days",
    "while",
    "it",
    "rains",
    "and",
    "nobody",
    "stops",
    "it",
]


def wrapped_prose(seed: int) -> str:
    """Make paragraphs of sentences, wrapped at some width, some of them under a heading."""
    random = Random(seed)
    blocks = []
    for number in range(random.randint(2, 8)):
        title = f"About part {number}"
        forms = {"mark": f"## {title}", "line": f"{title}\n{'=' * len(title)}", "bare": title}
        kind = random.choice(["none", "none", *forms])
        if kind in forms:
            blocks.append(forms[kind])
        lengths = [random.randint(2, 14) for _ in range(random.randint(1, 6))]
        sentences = (" ".join(random.choices(WORDS, k=n)).capitalize() for n in lengths)
        prose = " ".join(f"{sentence} sofa." for sentence in sentences)
        blocks.append("\n".join(textwrap.wrap(prose, random.randint(20, 78))))
    return "\n\n".join(blocks)


@pytest.mark.parametrize("strategy", SEMANTIC)
@given(
    seed=SEEDS,
    limit=st.integers(30, 300),
    embedder=st.sampled_from(["lexical", about_cats]),
)
def test_sentences_and_headings_stay_whole(
    strategy: Any, seed: int, limit: int, embedder: Any
) -> None:
    text = wrapped_prose(seed)
    ends = [chunk.end for chunk in cw.chunk(text, strategy, max_chars=limit, embedder=embedder)]
    at = 0
    for found in re.finditer(r"sofa\.", text):
        # A heading counts as a part of the sentence below it.
        inside = [end for end in ends if at < end < found.end()]
        assert not inside or len(text[at : found.end()].strip()) > limit
        at = found.end()
    for heading in re.finditer(r"About part \d(\n=+)?", text):
        below = re.search(r"sofa\.", text[text.rfind("\n", 0, heading.start()) + 1 :])
        # A sentence that fits is not cut for its heading.
        if below is None or below.end() > limit:
            continue
        assert heading.end() not in ends
        assert heading.end(0) - len(heading[1] or "") not in ends


@pytest.mark.parametrize("strategy", SEMANTIC)
@given(seed=SEEDS, limit=st.integers(30, 300))
def test_reasons_are_the_real_ones(strategy: Any, seed: int, limit: int) -> None:
    chunks = cw.chunk(wrapped_prose(seed), strategy, max_chars=limit)
    assert chunks.boundaries is not None
    (threshold,) = chunks.boundaries.thresholds
    starts, ends, scores = chunks.starts.tolist(), chunks.ends.tolist(), chunks.scores.tolist()
    for i, reason in enumerate(chunks.reasons):
        if reason == "limit":
            assert 1 <= chunks.n_places[i] <= len(chunks.boundaries)
            # The limit forces no cut between chunks that would fit into one.
            assert strategy != "cluster" or ends[i + 1] - starts[i] > limit
            continue
        assert chunks.n_places[i] == 0
        if reason == "score" and not math.isnan(threshold):
            fits = strategy == "cluster" and ends[i + 1] - starts[i] <= limit
            assert fits or scores[i] >= threshold - TOLERANCE
