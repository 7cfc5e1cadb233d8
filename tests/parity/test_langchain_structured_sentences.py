"""`compat.langchain`: sentences of NLTK, spaCy, KoNLPy, and tokens of a model, as LangChain's."""

from __future__ import annotations

import importlib
import pickle
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from chunkwright.compat import langchain as ours
from tests.support.examples import n_examples

from .langchain_pair import documents, same, same_chunks

NLTK, SPACY, KONLPY = "NLTKTextSplitter", "SpacyTextSplitter", "KonlpyTextSplitter"
MODEL = "SentenceTransformersTokenTextSplitter"
WORDS = ["One", "two", "Dr.", "end.", "What?", "No!", "\n\n", "  ", "é", "漢字。", "🚀", '"Quote."']
TEXTS = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
SIZES = st.integers(1, 40).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size)))


@pytest.fixture(scope="module")
def punkt() -> Any:
    """Let NLTK find sentences by its rules alone: its models are downloads."""
    nltk = pytest.importorskip("nltk")
    tokenizer = nltk.tokenize.punkt.PunktSentenceTokenizer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk.tokenize, "_get_punkt_tokenizer", lambda _: tokenizer)
        patch.setattr(nltk.tokenize, "sent_tokenize", lambda text, _: tokenizer.tokenize(text))
        yield tokenizer


@pytest.mark.usefixtures("punkt")
@given(TEXTS, SIZES, st.sampled_from(["\n\n", " ", ""]), st.booleans(), st.booleans())
def test_nltk(text: str, sizes: tuple[int, int], sep: str, spans: bool, strip: bool) -> None:
    options: dict[str, Any] = {"chunk_size": sizes[0], "chunk_overlap": sizes[1]}
    options |= {"use_span_tokenize": spans, "strip_whitespace": strip}
    same_chunks(NLTK, text, sep, "english", **options)


@pytest.mark.usefixtures("punkt")
def test_nltk_splits_documents() -> None:
    def create(module: Any) -> Any:
        splitter = module.NLTKTextSplitter("", use_span_tokenize=True, add_start_index=True)
        return documents(splitter.create_documents(["One. Two.  Three. "], [{"a": 1}]))

    same(create)


def test_a_splitter_by_nltk_pickles() -> None:
    pytest.importorskip("nltk")
    splitter = ours.NLTKTextSplitter(chunk_size=50, chunk_overlap=0)
    assert vars(pickle.loads(pickle.dumps(splitter)))["_chunk_size"] == 50


@pytest.mark.slow
@given(TEXTS, SIZES, st.sampled_from(["\n\n", ""]), st.booleans())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=n_examples(0.4))
def test_spacy(text: str, sizes: tuple[int, int], separator: str, strip: bool) -> None:
    pytest.importorskip("spacy")
    options: dict[str, Any] = {"chunk_size": sizes[0], "chunk_overlap": sizes[1]}
    same_chunks(SPACY, text, separator, "sentencizer", strip_whitespace=strip, **options)


def test_spacys_models_are_loaded_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    spacy = pytest.importorskip("spacy")
    same_chunks(SPACY, "One. Two.", pipeline="no_such_model")
    loaded = []

    def load(name: str, exclude: list[str]) -> Any:
        pipeline = spacy.blank("en")
        pipeline.add_pipe("sentencizer")
        loaded.append((name, exclude, pipeline))
        return pipeline

    monkeypatch.setattr(spacy, "load", load)
    same_chunks(SPACY, "One. Two. " * 9, max_length=90, chunk_size=20, chunk_overlap=0)
    same_chunks(SPACY, "One. Two. " * 10, max_length=90, chunk_size=20, chunk_overlap=0)
    assert {(name, tuple(exclude)) for name, exclude, _ in loaded} == {
        ("en_core_web_sm", ("ner", "tagger"))
    }
    assert {pipeline.max_length for *_, pipeline in loaded} == {90}


class Kkma:
    def sentences(self, text: str) -> list[str]:
        return [
            sentence.strip() for sentence in re.split(r"(?<=[.?!。])", text) if sentence.strip()
        ]


@given(TEXTS, SIZES)
def test_konlpy(text: str, sizes: tuple[int, int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "konlpy", SimpleNamespace(tag=SimpleNamespace(Kkma=Kkma)))
        same_chunks(KONLPY, text, " ", chunk_size=sizes[0], chunk_overlap=sizes[1])


class Model:
    """What the splitter uses of sentence-transformers: a tokenizer and a limit."""

    limit: int | None = 16

    def __init__(self, name: str, *, limit: int | None = 16) -> None:
        if name == "none":
            raise OSError(f"no such model: {name}")
        self.max_seq_length = limit
        self.tokenizer = _tokenizer(name)


def _tokenizer(name: str) -> Any:
    if Path(name).is_dir():
        return importlib.import_module("transformers").AutoTokenizer.from_pretrained(name)
    return Letters()


class Letters:
    """A tokenizer whose tokens are code points, one before and one behind the text."""

    def encode(self, text: str, *, max_length: int, truncation: str) -> list[int]:
        assert (max_length, truncation) == (2**32, "do_not_truncate")
        return [0, *map(ord, text), 1]

    def decode(self, ids: list[int]) -> str:
        return "".join(map(chr, ids))


@pytest.fixture(scope="module")
def models() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(
            sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Model)
        )
        yield Model


@pytest.mark.usefixtures("models")
@given(TEXTS, st.none() | st.integers(0, 20), st.integers(-1, 12), st.sampled_from([None, 5, 16]))
@example("some text", None, 2, None)
def test_windows_of_tokens(text: str, wanted: int | None, overlap: int, limit: int | None) -> None:
    options: dict[str, Any] = {"tokens_per_chunk": wanted, "model_kwargs": {"limit": limit}}

    def split(module: Any) -> Any:
        splitter = getattr(module, MODEL)(overlap, "letters", **options)
        chunks = documents(splitter.create_documents([text], [{"a": 1}]))
        limits = splitter.maximum_tokens_per_chunk, splitter.tokens_per_chunk, splitter.model_name
        return chunks, splitter.count_tokens(text=text), limits

    same(split)


@pytest.mark.usefixtures("models")
def test_windows_of_a_real_tokenizer(shared: Path) -> None:
    pytest.importorskip("transformers")
    name = str(shared / "models" / "all-MiniLM-L6-v2")
    for size in (3, 16):
        same_chunks(MODEL, "Ünüsual wördings, and numbers 12345. " * 9, 2, name, size)


@pytest.mark.usefixtures("models")
def test_models_that_are_not_there() -> None:
    same_chunks(MODEL, "text", model_name="none")


@pytest.mark.parametrize(
    ("name", "library"),
    [(NLTK, "nltk"), (SPACY, "spacy"), (KONLPY, "konlpy"), (MODEL, "sentence_transformers")],
)
def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, name: str, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    error, message = same_chunks(name, "text")
    assert error is ImportError
    assert f"pip install {library.replace('_', '-')}`" in message
    same_chunks(name, "text", chunk_size=0)


def test_a_separator_with_spans_is_refused() -> None:
    error, _ = same_chunks(NLTK, "text", " ", use_span_tokenize=True)
    assert error is ValueError
