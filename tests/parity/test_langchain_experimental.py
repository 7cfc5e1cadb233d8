"""`compat.langchain_experimental` gives what LangChain's `SemanticChunker` gives."""

from __future__ import annotations

import asyncio
import inspect
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_core.embeddings import Embeddings

from chunkwright.compat import langchain_experimental as ours
from chunkwright.compat.langchain_experimental import SemanticChunker
from chunkwright.errors import ModelError

from .chroma_pair import outcome
from .langchain_pair import documents
from .test_chroma_semantic import checksum, of_words
from .test_langchain_alone import NOTHING, _run, _without

with warnings.catch_warnings():
    # It says that nobody looks after it any more.
    warnings.simplefilter("ignore", DeprecationWarning)
    import langchain_experimental.text_splitter as theirs


class InOrder(Embeddings):
    """Gives the texts of each call these vectors in order, again and again."""

    def __init__(self, vectors: Any) -> None:
        self.vectors = vectors

    def embed_documents(self, texts: list[str]) -> Any:
        return [self.vectors[i % len(self.vectors)] for i in range(len(texts))]

    def embed_query(self, text: str) -> list[float]:
        raise AssertionError(text)


class ByText(InOrder):
    """Gives equal texts equal vectors."""

    def embed_documents(self, texts: list[str]) -> Any:
        return [self.vectors[checksum(text) % len(self.vectors)] for text in texts]


class OfWords(InOrder):
    """Gives texts that share words similar vectors."""

    def __init__(self) -> None:
        super().__init__([])

    def embed_documents(self, texts: list[str]) -> Any:
        return of_words(texts)


def same(work: Any) -> Any:
    """Asserts that ``work`` has one outcome for both modules."""
    expected, found = outcome(lambda: work(theirs)), outcome(lambda: work(ours))
    assert found == expected, f"expected {expected!r:.999}, found {found!r:.999}"
    return found


def same_chunks(text: str, embeddings: Any, **kwargs: Any) -> Any:
    return same(lambda module: module.SemanticChunker(embeddings, **kwargs).split_text(text))


SENTENCES = st.lists(
    st.sampled_from(
        ["One.", "Two words!", "Why?", "no end", "3.14 is pi.", "", "Zwölf.", "猫。", "\n"]
    ),
    max_size=30,
)
TEXTS = st.one_of(SENTENCES.map(" ".join), st.text(st.sampled_from("ab.?! \n"), max_size=40))
# Products, sums and squares of these are exact, so that equal cosines are equal for both.
NUMBERS = st.integers(-3, 3).map(float)
VECTORS = st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=1, max_size=12)
TOPICS = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [3.0, 4.0], [0.0, 0.0]]
STEP = [[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]]
KINDS = list(ours.BREAKPOINT_DEFAULTS)


@st.composite
def thresholds(draw: st.DrawFn) -> dict[str, Any]:
    """A type of threshold with and without an amount, or a number of chunks."""
    kind = draw(st.sampled_from(KINDS))
    most = 100 if kind in {"percentile", "gradient"} else 4
    kwargs: dict[str, Any] = {"breakpoint_threshold_type": kind}
    if draw(st.booleans()):
        amounts = st.one_of(st.integers(0, most), st.floats(0, most))
        kwargs["breakpoint_threshold_amount"] = draw(amounts)
    if draw(st.integers(0, 2)) == 0:
        kwargs["number_of_chunks"] = draw(st.one_of(st.integers(-1, 40), st.floats(0, 40)))
    return kwargs


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    """All that a chunker takes but embeddings."""
    patterns = [r"(?<=[.?!])\s+", r"\s+", r"\. ", "", r"(\s)"]
    return {
        **draw(thresholds()),
        "buffer_size": draw(st.integers(-1, 3)),
        "sentence_split_regex": draw(st.sampled_from(patterns)),
        "min_chunk_size": draw(st.one_of(st.none(), st.integers(-1, 60))),
    }


@given(TEXTS, VECTORS, options())
@example("One. Two.", [[0.0, 0.0, 0.0]], {"breakpoint_threshold_type": "gradient"})
@example("A. B. C.", [[1.0, 1.0, 0.0]], {"breakpoint_threshold_type": "gradient"})
@example("A. B. C. D. E.", [[1.0, 0, 0], [-1.0, 0, 0]], {"breakpoint_threshold_amount": 0})
@example("A. B. C. D. E.", [[0.0] * 3, [1.0] * 3], {"number_of_chunks": 3})
def test_chunks(text: str, vectors: Any, kwargs: dict[str, Any]) -> None:
    same_chunks(text, InOrder(vectors), **kwargs)
    same_chunks(text, ByText(vectors), **kwargs)


@given(st.integers(0, 60), st.integers(0, 2**32 - 1), thresholds(), st.booleans())
def test_vectors_of_any_numbers(n: int, seed: int, kwargs: dict[str, Any], as_array: bool) -> None:
    vectors: Any = np.random.default_rng(seed).standard_normal((max(n, 1), 5))
    text = " ".join(f"Sentence {i}." for i in range(n))
    same_chunks(text, InOrder(vectors if as_array else vectors.tolist()), **kwargs)


@given(st.integers(0, 40), st.integers(0, 2**32 - 1))
def test_vectors_in_single_precision(n: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).standard_normal((max(n, 1), 5)).astype(np.float32)
    same_chunks(" ".join(f"Sentence {i}." for i in range(n)), InOrder(vectors))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("topics", [TOPICS, TOPICS[:1], TOPICS[:3:2], TOPICS[-1:], TOPICS[-2:]])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 25])
def test_few_vectors(kind: Any, topics: Any, n: int) -> None:
    """All equal, opposed, zero; no sentence, one, two."""
    text = "A sentence. " * n
    for amount in (None, 0, 1, 50, 100):
        kwargs = {"breakpoint_threshold_type": kind, "breakpoint_threshold_amount": amount}
        same_chunks(text, InOrder(topics), **kwargs)
        same_chunks(text.strip(), InOrder(topics), **kwargs)


@pytest.mark.parametrize("kind", KINDS)
def test_long_texts(long_texts: dict[str, str], kind: Any) -> None:
    counts = []
    for text in long_texts.values():
        counts.append(len(same_chunks(text[:30_000], OfWords(), breakpoint_threshold_type=kind)))
        same_chunks(
            text[:9_000],
            OfWords(),
            breakpoint_threshold_type=kind,
            breakpoint_threshold_amount=0.5,
            min_chunk_size=300,
        )
    assert max(counts) > 1


@pytest.mark.parametrize("number", [1, 2, 10, 40, 10_000])
def test_numbers_of_chunks(long_texts: dict[str, str], number: int) -> None:
    chunks = same_chunks(long_texts["guides"][:20_000], OfWords(), number_of_chunks=number)
    assert 1 <= len(chunks) <= 1000


TEXT_LISTS = st.lists(TEXTS, max_size=4)


@given(TEXT_LISTS, options(), st.booleans(), st.sampled_from([None, "shared", "each"]))
def test_documents(texts: list[str], kwargs: dict[str, Any], starts: bool, metadata: Any) -> None:
    metadatas = {"shared": [{"a": {"b": [1]}}] * len(texts), "each": [{"i": i} for i in range(9)]}
    inputs = [Document(text, metadata={"i": [i]}) for i, text in enumerate(texts)]

    def create(module: Any) -> Any:
        chunker = module.SemanticChunker(ByText(TOPICS), add_start_index=starts, **kwargs)
        return [
            documents(chunker.create_documents(texts, metadatas.get(metadata))),
            documents(chunker.split_documents(iter(inputs))),
            documents(chunker.transform_documents(inputs, ignored=True)),
        ]

    same(create)


def test_starts_are_sums_of_sizes() -> None:
    """As LangChain has them: blanks between chunks are not counted."""
    chunker = SemanticChunker(InOrder(STEP), buffer_size=0, add_start_index=True)
    found = documents(chunker.create_documents(["One.  Two. Three."]))
    assert found == [("One. Two.", {"start_index": 0}), ("Three.", {"start_index": 9})]


@pytest.mark.parametrize("metadata", [{"flat": 1}, {"deep": [1]}])
def test_each_document_has_metadata_of_its_own(metadata: dict[str, Any]) -> None:
    chunker = SemanticChunker(InOrder(STEP), buffer_size=0)
    first, second = chunker.create_documents(["One. Two. Three."], [metadata])
    first.metadata["new"] = 1
    first.metadata.get("deep", []).append(2)
    assert second.metadata == metadata
    assert "new" not in metadata


def test_asynchronously() -> None:
    inputs = [Document("One. Two. Three.", metadata={"a": 1})]

    def transform(module: Any) -> Any:
        chunker = module.SemanticChunker(InOrder(TOPICS))
        return documents(list(asyncio.run(chunker.atransform_documents(inputs))))

    same(transform)


def _parameters(function: Any) -> list[tuple[str, Any, Any]]:
    found = inspect.signature(function).parameters.values()
    return [(p.name, p.kind, p.default) for p in found]


def test_names_and_signatures() -> None:
    for name in ("SemanticChunker", "combine_sentences", "calculate_cosine_distances"):
        assert _parameters(getattr(ours, name)) == _parameters(getattr(theirs, name))
    for name, method in vars(theirs.SemanticChunker).items():
        if inspect.isfunction(method):
            assert _parameters(getattr(SemanticChunker, name)) == _parameters(method), name
    assert ours.BREAKPOINT_DEFAULTS == theirs.BREAKPOINT_DEFAULTS
    assert ours.BreakpointThresholdType == theirs.BreakpointThresholdType
    assert ours.Document is Document
    assert issubclass(SemanticChunker, BaseDocumentTransformer)


def test_attributes() -> None:
    def attributes(module: Any) -> Any:
        arguments = (TOPICS, 2, True, "gradient", None, 7, r"\s", 5)
        return vars(module.SemanticChunker(*arguments))

    same(attributes)


@given(SENTENCES, st.integers(-2, 40))
def test_combined_sentences(texts: list[str], size: int) -> None:
    def combine(module: Any) -> Any:
        sentences = [{"sentence": text, "kept": text} for text in texts]
        combined = module.combine_sentences(sentences, size)
        assert combined is sentences
        return combined, module.combine_sentences([{"sentence": text} for text in texts])

    same(combine)


@given(VECTORS)
def test_distances(vectors: Any) -> None:
    def calculate(module: Any) -> Any:
        sentences = [{"combined_sentence_embedding": vector} for vector in vectors]
        distances, same_sentences = module.calculate_cosine_distances(sentences)
        assert same_sentences is sentences
        return distances, sentences

    same(calculate)
    same(lambda module: module.calculate_cosine_distances([]))
    same(lambda module: module.calculate_cosine_distances([{}]))


def test_subclasses() -> None:
    """Sentences of another splitter, and the distances, are taken by LangChain's own names."""

    def split(module: Any) -> Any:
        class Lines(module.SemanticChunker):  # type: ignore[misc]
            def _get_single_sentences_list(self, text: str) -> Any:
                return text.split("\n")

        chunker = Lines(InOrder(TOPICS), breakpoint_threshold_amount=50)
        distances, sentences = chunker._calculate_sentence_distances(["a b", "b c", "d"])
        threshold = chunker._calculate_breakpoint_threshold(distances)
        chunker.number_of_chunks = 2
        clusters = chunker._threshold_from_clusters(distances)
        return chunker.split_text("a b\nb c\nd e\ne f"), distances, sentences, threshold, clusters

    same(split)


def test_a_subclass_may_leave_out_the_last_sentence() -> None:
    def split(module: Any) -> Any:
        class Shorter(module.SemanticChunker):  # type: ignore[misc]
            def _calculate_sentence_distances(self, sentences: list[str]) -> Any:
                distances, found = super()._calculate_sentence_distances(sentences)
                return distances, found[:-1]

        chunker = Shorter(InOrder(TOPICS), breakpoint_threshold_amount=0)
        return [chunker.split_text("One. Two. Three. Four."[:end]) for end in (9, 16, 22)]

    same(split)


def test_no_sentences_are_no_chunks() -> None:
    class NoEmptyOnes(SemanticChunker):
        def _get_single_sentences_list(self, text: str) -> list[str]:
            return [each for each in super()._get_single_sentences_list(text) if each]

    assert NoEmptyOnes(InOrder(TOPICS)).split_text("") == []
    same(lambda module: module.SemanticChunker(InOrder(TOPICS))._calculate_sentence_distances([]))


@pytest.mark.parametrize(
    "kwargs",
    [
        {"breakpoint_threshold_type": "nonsense"},
        {"breakpoint_threshold_type": "nonsense", "breakpoint_threshold_amount": 1},
        {"breakpoint_threshold_amount": 101},
        {"breakpoint_threshold_amount": -0.5},
        {"breakpoint_threshold_amount": float("nan")},
        {"breakpoint_threshold_type": "gradient", "breakpoint_threshold_amount": 101},
        {"sentence_split_regex": None},
        {"nonsense": 1},
    ],
)
def test_errors(kwargs: dict[str, Any]) -> None:
    found = same_chunks("One. Two. Three.", InOrder(TOPICS), **kwargs)
    assert issubclass(found[0], Exception)


@pytest.mark.parametrize("text", [None, 5, b"One. Two."])
def test_what_is_no_text(text: Any) -> None:
    assert same_chunks(text, InOrder(TOPICS))[0] is TypeError


def test_an_error_of_the_embeddings_is_its_own() -> None:
    class Failing(InOrder):
        def embed_documents(self, texts: list[str]) -> Any:
            raise TimeoutError(len(texts))

    assert same_chunks("One. Two.", Failing([]))[0] is TimeoutError


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0, 2.0]] * 2 + [[1.0, float("nan")]], "nan as value 1 of row 2"),
        ([[float("inf"), 2.0]] * 3, "inf as value 0 of row 0"),
        ([[1.0, 2.0]] * 2, "2 vectors for 3 texts"),
        ([[1.0, 2.0]] * 4, "4 vectors for 3 texts"),
        ([[1.0, 2.0], [1.0], [1.0]], "row 1 has 1 values, row 0 has 2"),
        ([["a"], ["b"], ["c"]], "no numbers"),
        (None, "no numbers"),
    ],
)
def test_vectors_that_are_none(vectors: Any, message: str) -> None:
    class Given(InOrder):
        def embed_documents(self, texts: list[str]) -> Any:
            del texts
            return self.vectors

    with pytest.raises(ModelError, match=message):
        SemanticChunker(Given(vectors)).split_text("One. Two. Three.")


def test_whatever_is_an_embedder() -> None:
    class Encoder:
        def encode(self, texts: list[str]) -> Any:
            return np.array(of_words(texts))

    text = "A cat sleeps. A cat purrs. Tax is due. Tax is high. A cat eats."
    kwargs: dict[str, Any] = {"buffer_size": 0, "breakpoint_threshold_amount": 50}
    expected = SemanticChunker(OfWords(), **kwargs).split_text(text)
    assert len(expected) > 1
    for embedder in (Encoder(), of_words):
        assert SemanticChunker(embedder, **kwargs).split_text(text) == expected
    assert " ".join(SemanticChunker("lexical").split_text(text)) == text


def test_it_pickles() -> None:
    chunker = pickle.loads(pickle.dumps(SemanticChunker(OfWords(), min_chunk_size=9)))
    text = "One two. Two three. Four!"
    assert chunker.split_text(text) == SemanticChunker(OfWords(), min_chunk_size=9).split_text(text)


def test_a_least_size_that_is_never_reached() -> None:
    """LangChain joins the sentences anew at each break, which takes minutes for so many."""
    chunker = SemanticChunker(
        InOrder(TOPICS[:2]), 0, min_chunk_size=10**9, breakpoint_threshold_amount=0
    )
    text = "A sentence, and more of it. " * 20_000
    assert chunker.split_text(text.strip()) == [text.strip()]


ALONE = """
    import asyncio, json, warnings

    warnings.simplefilter("ignore")
    {imports}

    class Lengths:
        def embed_documents(self, texts):
            return [[float(len(text)), 9.0] for text in texts]

    chunker = SemanticChunker(Lengths(), buffer_size=0, add_start_index=True)
    inputs = [Document("One. Two words. Three. Four. Five and more.", metadata={{"a": [1]}})]
    found = [chunker.split_documents(inputs), asyncio.run(chunker.atransform_documents(inputs))]
    print(json.dumps([[[d.page_content, d.metadata] for d in documents] for documents in found]))
"""


def test_without_langchain() -> None:
    theirs_too = """from langchain_experimental.text_splitter import Document, SemanticChunker"""
    expected = _run(ALONE.format(imports=theirs_too))
    imports = "from chunkwright.compat.langchain_experimental import Document, SemanticChunker"
    names = (*NOTHING, "langchain_community", "langchain_experimental")
    found = _run(_without(*names), ALONE.format(imports=imports))
    assert found == expected
    assert len(found[0]) > 1
