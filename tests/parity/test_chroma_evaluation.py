"""`compat.chroma`: the evaluation of Chroma's report, its ranges and its search."""

from __future__ import annotations

import csv
import json
import logging
import math
import re
import warnings
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.compat import chroma
from chunkwright.compat.chroma import BaseEvaluation, GeneralEvaluation, RateLimiter, embedding
from chunkwright.compat.chroma.questions import Row
from chunkwright.compat.chroma.scores import hit_scores, omega_scores
from chunkwright.compat.chroma.search import nearest
from chunkwright.errors import ConfigError, ModelError, ReadError

from . import chroma_naive_evaluation as naive

TEXT = "Rain fell for days. The river rose.\nNobody slept. The bridge held, and the town was dry."
OTHER = "A cat naps on the sofa. The cat dreams of rain and of mice."
KEYS = ["corpora_scores"] + [
    f"{name}_{what}"
    for name in ("iou", "recall", "precision_omega", "precision")
    for what in ("mean", "std")
]


class Sentences:
    """Cuts behind full stops."""

    def split_text(self, text: str) -> list[str]:
        return re.findall(r"[^.\s][^.]*\.", text)


def letters(texts: list[str]) -> list[list[float]]:
    return [[float(text.lower().count(letter)) for letter in "abcdefghijklm"] for text in texts]


def reference(text: str, content: str) -> dict[str, Any]:
    start = text.index(content)
    return {"content": content, "start_index": start, "end_index": start + len(content)}


def write(folder: Path, rows: list[tuple[str, list[dict[str, Any]], str]]) -> Path:
    path = folder / "questions.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question", "references", "corpus_id"])
        writer.writerows((question, json.dumps(refs), corpus) for question, refs, corpus in rows)
    return path


@pytest.fixture
def evaluation(tmp_path: Path) -> BaseEvaluation:
    (tmp_path / "river.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "cat.md").write_text(OTHER, encoding="utf-8")
    path = write(
        tmp_path,
        [
            ("Did the river rise?", [reference(TEXT, "The river rose.")], "river"),
            ("What does the cat do?", [reference(OTHER, "naps"), reference(OTHER, "mice")], "cat"),
            ("Was the town dry?", [reference(TEXT, "town was dry")], "river"),
        ],
    )
    paths = {name: str(tmp_path / f"{name}.md") for name in ("river", "cat")}
    return BaseEvaluation(str(path), corpora_id_paths=paths)


def expected(evaluation: BaseEvaluation, chunks: list[tuple[str, int, int]], k: int) -> Any:
    """The scores of a run, from the chunks' places."""
    texts = {"river": TEXT, "cat": OTHER}
    metas = [{"start_index": a, "end_index": b, "corpus_id": c} for c, a, b in chunks]
    vectors = np.array(letters([texts[c][a:b] for c, a, b in chunks]))
    scores = []
    for question, references, corpus in evaluation._questions():
        omega, count = naive.omega(references, corpus, metas)
        distances = ((vectors - letters([question])) ** 2).sum(axis=1)
        hits = [metas[i] for i in np.argsort(distances, kind="stable")[: k if k > 0 else count]]
        scores.append((corpus, omega, *naive.scores(references, corpus, hits)))
    return scores


@pytest.mark.parametrize("retrieve", [1, 2, 5, 99, -1])
def test_a_run(evaluation: BaseEvaluation, retrieve: int) -> None:
    found = evaluation.run(Sentences(), letters, retrieve=retrieve)
    assert list(found) == KEYS
    places = [
        (corpus, *match.span())
        for corpus, text in (("river", TEXT), ("cat", OTHER))
        for match in re.finditer(r"[^.\s][^.]*", text)
    ]
    rows = expected(evaluation, places, retrieve)
    columns = dict(
        zip(
            ("precision_omega", "iou", "recall", "precision"),
            zip(*[r[1:] for r in rows], strict=True),
            strict=True,
        )
    )
    for name, scores in columns.items():
        assert type(found[f"{name}_mean"]) is np.float64
        assert found[f"{name}_mean"] == np.mean(scores)
        assert found[f"{name}_std"] == np.std(scores)
        for corpus, of_corpus in found["corpora_scores"].items():
            own = [score for row, score in zip(rows, scores, strict=True) if row[0] == corpus]
            assert of_corpus[f"{name}_scores"] == own
    assert list(found["corpora_scores"]) == ["river", "cat"]


def test_both_forms_of_a_result(evaluation: BaseEvaluation) -> None:
    found = evaluation.run(Sentences(), letters)
    assert found["stats"] == {
        name.replace("precision_omega", "omega"): found[name] for name in KEYS[1:]
    }
    assert list(found["stats"])[-2:] == ["omega_mean", "omega_std"]
    assert found["scores"]["highlighted_chunks_counts"] == [5, 5, 5]
    assert len(found["scores"]["iou_scores"]) == 3
    assert set(found["scores"]["corpora_scores"]["cat"]) == {
        *("omega_scores", "iou_scores", "recall_scores", "precision_scores")
    }
    assert "stats" not in found
    assert dict(found) == found
    with pytest.raises(KeyError, match="nothing"):
        found["nothing"]


class TestQuestions:
    def test_a_frame_of_pandas(self, evaluation: BaseEvaluation) -> None:
        frame = evaluation.questions_df
        assert list(frame.columns) == ["question", "references", "corpus_id"]
        assert frame["corpus_id"].tolist() == ["river", "cat", "river"]
        assert frame["references"][0][0]["content"] == "The river rose."
        assert evaluation.corpus_list == ["river", "cat"]

    def test_a_subclass_may_take_some(self, evaluation: BaseEvaluation) -> None:
        class Cats(BaseEvaluation):
            def _load_questions_df(self) -> None:
                super()._load_questions_df()
                self.questions_df = self.questions_df[self.questions_df["corpus_id"] == "cat"]
                self.corpus_list = ["cat"]

        cats = Cats(evaluation.questions_csv_path, corpora_id_paths=evaluation.corpora_id_paths)
        found = cats.run(Sentences(), letters)
        assert list(found["corpora_scores"]) == ["cat"]
        assert len(found["scores"]["iou_scores"]) == 1

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        evaluation = BaseEvaluation(str(tmp_path / "none.csv"))
        assert evaluation.corpus_list == []
        assert list(evaluation.questions_df.columns) == ["question", "references", "corpus_id"]
        with pytest.raises(ConfigError, match=r"there are no questions in '.*none\.csv'"):
            evaluation.run(Sentences(), letters)

    def test_numbers_and_names_stay_texts(self, tmp_path: Path) -> None:
        (tmp_path / "1").write_text(TEXT, encoding="utf-8")
        path = write(tmp_path, [("NA", [reference(TEXT, "Rain")], "1")])
        evaluation = BaseEvaluation(str(path), corpora_id_paths={"1": str(tmp_path / "1")})
        assert evaluation.run(Sentences(), letters)["recall_mean"] == 1
        assert evaluation.questions_df.iloc[0].tolist()[0::2] == ["NA", "1"]

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("question,corpus_id\na,b\n", "there is no column 'references'"),
            ("question,references,corpus_id\na,[,b\n", "row 1: Expecting value"),
            ("question,references,corpus_id\na,[],b\nc\n", "row 2: "),
        ],
    )
    def test_another_form(self, tmp_path: Path, content: str, message: str) -> None:
        (tmp_path / "q.csv").write_text(content)
        with pytest.raises(ReadError, match=re.escape(message)):
            BaseEvaluation(str(tmp_path / "q.csv"))


class TestRuns:
    def test_a_chunk_that_stands_nowhere(self, evaluation: BaseEvaluation) -> None:
        class Rewrites:
            def split_text(self, _: str) -> list[str]:
                return ["Something else"]

        with pytest.raises(ConfigError, match="Error in finding Something else in river"):
            evaluation.run(Rewrites(), letters)

    def test_no_chunk_holds_an_answer(self, evaluation: BaseEvaluation) -> None:
        class First:
            def split_text(self, text: str) -> list[str]:
                return [text[:4]]

        found = evaluation.run(First(), letters, retrieve=-1)
        assert [found[name] for name in KEYS[1:]] == [0] * 8

    def test_no_chunk_at_all(self, evaluation: BaseEvaluation) -> None:
        class Nothing:
            def split_text(self, _: str) -> list[str]:
                return []

        found = evaluation.run(Nothing(), letters)
        assert [found[name] for name in KEYS[1:]] == [0] * 8

    @pytest.mark.parametrize("retrieve", [0, -2, 1.5, "5", True, None])
    def test_how_many_is_a_number(self, evaluation: BaseEvaluation, retrieve: Any) -> None:
        with pytest.raises(ConfigError, match="retrieve must be at least 1, or -1, got"):
            evaluation.run(Sentences(), letters, retrieve=retrieve)

    def test_without_a_function(
        self, evaluation: BaseEvaluation, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        with pytest.raises(ValueError, match="OPENAI_API_KEY"):
            evaluation.run(Sentences())

    def test_vectors_that_are_none(self, evaluation: BaseEvaluation) -> None:
        with pytest.raises(ModelError, match="gave nan in the vector of chunk 0"):
            evaluation.run(Sentences(), lambda texts: [[math.nan]] * len(texts))
        with pytest.raises(ModelError, match="6 values for the chunks, 3 for the questions"):
            evaluation.run(Sentences(), lambda texts: np.ones((len(texts), len(texts))))

    def test_progress(self, evaluation: BaseEvaluation, capfd: pytest.CaptureFixture[str]) -> None:
        quiet = evaluation.run(Sentences(), letters)
        assert capfd.readouterr() == ("", "")
        assert evaluation.run(Sentences(), letters, use_tqdm=True) == quiet
        out, err = capfd.readouterr()
        assert not out
        assert "embedding chunks" in err
        assert "6/6" in err

    def test_newlines_are_those_of_python(self, evaluation: BaseEvaluation) -> None:
        before = evaluation.run(Sentences(), letters)
        assert evaluation.corpora_id_paths is not None
        Path(evaluation.corpora_id_paths["river"]).write_bytes(TEXT.replace("\n", "\r\n").encode())
        assert evaluation.run(Sentences(), letters) == before


class Model:
    """Counts what it embeds, and says which model it is."""

    def __init__(self, name: str, factor: float = 1) -> None:
        self.texts: list[str] = []
        self.model_name, self._factor = name, factor

    def __call__(self, input: list[str]) -> Any:  # noqa: A002 - Chroma's protocol
        self.texts += input
        return np.array(letters(input)) * self._factor


class TestKeptVectors:
    def test_a_text_is_embedded_once(self, evaluation: BaseEvaluation, tmp_path: Path) -> None:
        folder, model = tmp_path / "kept", Model("a")
        first = evaluation.run(Sentences(), model, db_to_save_chunks=folder)
        n_questions, n_all = 3, len(model.texts)
        assert evaluation.run(Sentences(), model, db_to_save_chunks=folder) == first
        assert len(model.texts) - n_all == n_questions

    def test_another_model_is_another(self, evaluation: BaseEvaluation, tmp_path: Path) -> None:
        for model in (Model("a"), Model("b", -1)):
            kept = evaluation.run(Sentences(), model, db_to_save_chunks=tmp_path / "kept")
            assert kept == evaluation.run(Sentences(), model)

    def test_other_chunks_are_others(self, evaluation: BaseEvaluation, tmp_path: Path) -> None:
        class Fixed:
            def __init__(self, n: int) -> None:
                self.n = n

            def split_text(self, text: str) -> list[str]:
                return [text[i : i + self.n] for i in range(0, len(text), self.n)]

        for n in (20, 30):
            kept = evaluation.run(Fixed(n), Model("a"), db_to_save_chunks=tmp_path / "kept")
            assert kept == evaluation.run(Fixed(n), Model("a"))

    def test_of_a_function_nothing_is_kept(
        self, evaluation: BaseEvaluation, tmp_path: Path
    ) -> None:
        with pytest.warns(RuntimeWarning, match="does not say which model it is"):
            found = evaluation.run(Sentences(), letters, db_to_save_chunks=tmp_path / "kept")
        assert found == evaluation.run(Sentences(), letters)
        assert not (tmp_path / "kept").exists()


class TestRateLimits:
    def test_it_waits_for_the_next_minute(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now, slept = [0.0], []

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            now[0] += seconds

        monkeypatch.setattr(f"{embedding.__name__}.time.monotonic", lambda: now[0])
        monkeypatch.setattr(f"{embedding.__name__}.time.sleep", sleep)
        limiter = RateLimiter(max_tokens_per_minute=100, max_requests_per_minute=2)
        for tokens in (40, 30, 1, 90, 90):
            limiter.wait_for_available_quota(tokens, 1)
            now[0] += 1
        # The third request is one too many; of 80 tokens the others want more than there are.
        assert slept == [58, 59, 59]

    def test_batches_fit_a_minute(
        self, evaluation: BaseEvaluation, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(f"{embedding.__name__}.time.sleep", lambda _: None)
        sizes: list[int] = []

        def function(texts: list[str]) -> Any:
            sizes.append(sum(map(chroma.openai_token_count, texts)))
            return letters(texts)

        found = evaluation.run(Sentences(), function, rate_limiter=RateLimiter(20))
        assert found == evaluation.run(Sentences(), letters)
        assert len(sizes) > 2
        assert max(sizes) <= 16

    def test_a_limit_is_one(self) -> None:
        with pytest.raises(ConfigError, match="max_requests_per_minute must be at least 1, got 0"):
            RateLimiter(None, 0)


class TestGeneralEvaluation:
    @pytest.fixture
    def data(self, tmp_path: Path) -> Path:
        (tmp_path / "corpora").mkdir()
        (tmp_path / "corpora" / "cat.md").write_text(OTHER, encoding="utf-8")
        write(tmp_path, [("What?", [reference(OTHER, "naps")], "cat")]).rename(
            tmp_path / "questions_df.csv"
        )
        return tmp_path

    def test_where_the_data_is(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("CHUNKWRIGHT_CHROMA_DATA", raising=False)
        given = GeneralEvaluation(data_path=data)
        assert given.is_general
        assert given.corpora_id_paths == {"cat": str(data / "corpora" / "cat.md")}
        monkeypatch.setenv("CHUNKWRIGHT_CHROMA_DATA", str(data))
        assert GeneralEvaluation().corpus_list == ["cat"]
        assert GeneralEvaluation().run(Sentences(), letters)["recall_mean"] == 1

    def test_it_is_nowhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CHUNKWRIGHT_CHROMA_DATA", str(tmp_path))
        monkeypatch.setattr("chunkwright.compat.chroma.evaluation.find_spec", lambda _: None)
        with pytest.raises(ConfigError, match=r"data_path.*CHUNKWRIGHT_CHROMA_DATA.*install"):
            GeneralEvaluation()
        with pytest.raises(ConfigError, match=r"data_path: there is no questions_df\.csv"):
            GeneralEvaluation(data_path=tmp_path)

    def test_the_report(self, shared: Path) -> None:
        """Omega needs no vectors: the report prints 21.0 +- 11.9 for windows of 200 tokens."""
        evaluation = GeneralEvaluation(data_path=shared / "data" / "chroma-report")
        chunker = chroma.FixedTokenChunker(chunk_size=200, chunk_overlap=0)
        chunks, metadatas = evaluation._get_chunks_and_metadata(chunker)
        omega, counts = evaluation._full_precision_score(metadatas)
        assert (len(chunks), len(omega)) == (1644, 472)
        assert round(100 * np.mean(omega), 1) == 21.0
        assert round(100 * np.std(omega), 1) == 11.9
        assert min(counts) >= 1


spans = st.tuples(st.integers(0, 40), st.integers(1, 15)).map(lambda s: (s[0], s[0] + s[1]))
NAMES = st.sampled_from(["a", "b"])
references = st.lists(spans, min_size=0, max_size=4)
places = st.lists(st.tuples(NAMES, spans), max_size=8)


def metadatas(of: list[tuple[str, tuple[int, int]]]) -> list[dict[str, Any]]:
    return [{"start_index": a, "end_index": b, "corpus_id": name} for name, (a, b) in of]


def of_spans(of: list[tuple[int, int]]) -> list[dict[str, Any]]:
    return [{"content": "", "start_index": a, "end_index": b} for a, b in of]


@given(st.lists(st.tuples(NAMES, references), max_size=4), places, st.data())
def test_scores_are_those_of_sets_of_characters(
    questions: list[Any], chunks: Any, data: st.DataObject
) -> None:
    rows = [Row("?", of_spans(refs), name) for name, refs in questions]
    metas = metadatas(chunks)
    one_of = st.lists(st.sampled_from(metas), max_size=5) if metas else st.just([])
    hits = [data.draw(one_of) for _ in rows]
    wanted = [naive.omega(row.references, row.corpus_id, metas) for row in rows]
    found = omega_scores(rows, metas)
    assert list(zip(*found, strict=True)) == wanted
    expected = [
        naive.scores(row.references, row.corpus_id, some)
        for row, some in zip(rows, hits, strict=True)
    ]
    assert list(zip(*hit_scores(rows, hits), strict=True)) == expected


@given(references, places)
def test_both_ways_give_the_same(refs: list[Any], chunks: Any) -> None:
    """What the core does not take for an odd question is scored alike, question by question."""
    odd = Row("?", of_spans([(9, 3)]), "b")
    rows, metas = [Row("?", of_spans(refs), "a")], metadatas(chunks)
    fast, slow = omega_scores(rows, metas), omega_scores([*rows, odd], metas)
    assert fast == (slow[0][:1], slow[1][:1])
    of_core, of_steps = hit_scores(rows, [metas]), hit_scores([*rows, odd], [metas, metas])
    assert list(of_core) == [scores[:1] for scores in of_steps]


def test_odd_references_are_scored_as_the_peer_does() -> None:
    chunk = metadatas([("a", (0, 10))])
    # Lengths are those of the numbers as they are, what is shared that of whole numbers.
    rows = [
        Row("?", [{"content": "", "start_index": 2.5, "end_index": 4.5}], "a"),
        Row("?", of_spans([(6, 4)]), "a"),
        Row("?", of_spans([(5, 5)]), "a"),
    ]
    assert omega_scores(rows, chunk) == ([0.2, 0.0, 0.0], [1, 0, 1])
    assert hit_scores(rows, [chunk] * 3).recall == [1.0, 0.0, 0.0]


numbers = st.one_of(st.integers(-9, 9), st.floats(-9, 9))
ranges = st.lists(st.tuples(numbers, numbers), max_size=6)


class TestRanges:
    @given(st.lists(spans, max_size=6))
    def test_a_union_holds_what_its_ranges_hold(self, given_: list[Any]) -> None:
        joined = chroma.union_ranges(given_)
        assert naive.characters(joined) == naive.characters(given_)  # type: ignore[arg-type]
        assert chroma.sum_of_ranges(joined) == len(naive.characters(given_))
        assert all(a[1] < b[0] for a, b in pairwise(joined))

    @given(st.lists(spans, max_size=6), spans)
    def test_a_difference_holds_what_is_left(self, given_: list[Any], taken: Any) -> None:
        left = chroma.difference(given_, taken)
        kept = [naive.characters([each]) - naive.characters([taken]) for each in given_]
        assert naive.characters(left) == set().union(*kept)  # type: ignore[arg-type]
        assert chroma.sum_of_ranges(left) == sum(map(len, kept))

    @given(ranges, st.tuples(numbers, numbers))
    def test_odd_ranges_are_no_error(self, given_: list[Any], target: Any) -> None:
        left = chroma.difference(given_, target)
        assert [each for each in given_ if each[1] < target[0] or each[0] > target[1]] == [
            each for each in left if each in given_ and (each[1] < target[0] or each[0] > target[1])
        ]
        assert len(chroma.union_ranges(given_)) <= len(given_)

    def test_ranges_that_touch_share_an_empty_one(self) -> None:
        assert chroma.intersect_two_ranges((0, 5), (5, 9)) == (5, 5)
        assert chroma.intersect_two_ranges((0, 4), (5, 9)) is None
        assert chroma.intersect_two_ranges((0, 7), (5, 9)) == (5, 7)
        assert chroma.intersect_two_ranges((9, 0), (0, 9)) is None

    def test_a_target(self) -> None:
        assert chroma.find_target_in_document("one two two", "two") == (4, 7)
        assert chroma.find_target_in_document("one", "two") is None


documents = st.lists(
    st.sampled_from(["one", "Two", "tHree", " ", "\n", "\u3000", ".", "!", "é", "ſ", "ß", "_", ","])
).map("".join)


class TestSearch:
    @given(documents, documents)
    def test_despite_whitespace(self, document: str, query: str) -> None:
        found = chroma.find_query_despite_whitespace(document, query)
        assert found == naive.despite_whitespace(document, query)

    @pytest.mark.parametrize(
        ("document", "target", "found"),
        [
            ("One. Two.", "Two.", ("Two", 5, 8)),
            ("One. Two.", "two.", ("Two", 5, 8)),
            ("On\ne. Two.", "One", None),
            ("one  two\nthree", "ONE twothree", None),
            ("one  two\nthree", "ONE two three", ("one  two\nthree", 0, 14)),
            ("The cat sat. It rained.", "sat, the cat", ("The cat sat", 0, 11)),
            ("The cat sat. It rained.", "a dog sat", None),
            ("a", "", ("", 0, 0)),
            ("a", ".", ("", 0, 0)),
            ("a", " ", ("", 0, 0)),
            ("A\udc80 \ud83d B", "\ud83d b", ("\ud83d B", 3, 6)),
            ("A\udc80 \ud83d B", "a\ud83d", None),
            # Nothing is like nothing: a sentence of nothing is behind the last full stop.
            ("one. two", "?!", None),
            ("one. two!", "-", ("", 0, 0)),
            ("two", "-", None),
        ],
    )
    def test_places(self, document: str, target: str, found: Any) -> None:
        assert chroma.rigorous_document_search(document, target) == found

    @given(documents, documents, st.randoms())
    def test_sentences_are_found_as_fuzzywuzzy_finds_them(
        self, document: str, query: str, random: Any
    ) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            why = "fuzzywuzzy is under the GPL and not installed: where it is, it is compared"
            process = pytest.importorskip("fuzzywuzzy.process", reason=why)
            pytest.importorskip("Levenshtein", reason=why)
        logging.getLogger().setLevel(logging.ERROR)
        words = query.split()
        random.shuffle(words)
        target = " ".join(words).removesuffix(".")
        if target in document or naive.despite_whitespace(document, target):
            return
        sentences = re.split(r"[.!?]\s*|\n", document)
        best, ratio = process.extractOne(target, sentences, scorer=process.fuzz.token_sort_ratio)
        start = document.find(best)
        wanted = None if ratio < 98 else (best, start, start + len(best))
        assert chroma.rigorous_document_search(document, f"{target}.") == wanted


@given(st.integers(1, 30), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_the_nearest_are_found_exactly(n: int, k: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    vectors = random.integers(-2, 3, (n, 3)).astype(np.float32)
    asked = random.integers(-2, 3, (4, 3)).astype(np.float32)
    for row, found in zip(asked, nearest(vectors, asked, k), strict=True):
        distances = ((vectors - row) ** 2).sum(axis=1)
        assert found == sorted(range(n), key=lambda i: (distances[i], i))[:k]


def test_equal_vectors_are_in_order() -> None:
    vector: Callable[..., Any] = np.random.default_rng(0).standard_normal
    vectors = np.repeat(vector((1, 384)), 1000, axis=0)
    assert nearest(vectors, vector((3, 384)), 7) == [list(range(7))] * 3


def test_a_splitter_may_give_any_iterable_of_texts(evaluation: BaseEvaluation) -> None:
    class Halves:
        give: Callable[[str], Any] = staticmethod(lambda text: [text[:30], text[30:]])

        def split_text(self, text: str) -> Any:
            return type(self).give(text)

    listed = evaluation.run(Halves(), letters)
    Halves.give = staticmethod(lambda text: (part for part in (text[:30], text[30:])))
    assert evaluation.run(Halves(), letters) == listed
    for odd, shown in ((None, "None"), ("text", "'text'"), ([1], r"\[1\]")):
        Halves.give = staticmethod(lambda _, odd=odd: odd)
        with pytest.raises(ConfigError, match=f"must give a list of texts, got {shown}"):
            evaluation.run(Halves(), letters)


@pytest.mark.parametrize(
    ("references", "why"),
    [
        ("3", "references must be a list, got 3"),
        ("null", "must be a list, got None"),
        ('["a"]', "a reference needs start_index and end_index, got 'a'"),
        ('[{"start_index": 1}]', "a reference needs start_index and end_index"),
        ('[{"start_index": "1", "end_index": 2}]', "a reference needs start_index"),
        ("[" * 100_000, "row 1: maximum recursion"),
    ],
)
def test_references_of_another_form_are_named(tmp_path: Path, references: str, why: str) -> None:
    with (tmp_path / "q.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [["question", "references", "corpus_id"], ["q", references, "c"]]
        )
    with pytest.raises(ReadError, match=why):
        BaseEvaluation(str(tmp_path / "q.csv"))


def test_bytes_in_front_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(b"\xef\xbb\xbfquestion,references,corpus_id\nWhy?,[],c\n")
    assert BaseEvaluation(str(path)).corpus_list == ["c"]
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ReadError, match="decode byte 0xff"):
        BaseEvaluation(str(path))


def test_a_corpus_without_a_file_is_named(evaluation: BaseEvaluation) -> None:
    evaluation.corpora_id_paths = {"other": "x.md"}
    with pytest.raises(ConfigError, match=r"corpora_id_paths has no corpus .*'other'"):
        evaluation.run(chroma.RecursiveTokenChunker(), letters)
