"""`compat.chroma`: questions that a model asks, as the peer keeps and filters them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from chunkwright.compat import chroma
from chunkwright.compat.chroma import SyntheticEvaluation
from chunkwright.errors import ConfigError, ModelError
from chunkwright.evaluation import Dataset
from chunkwright.llm import Budget, Runner
from tests.support.toy_embedders import dice

pytest.importorskip("pandas")

from . import chroma_naive_synthetic as naive

MODULE = "chunking_evaluation.evaluation_framework.synthetic_evaluation"
CORPORA = {
    "cats.md": " ".join(f"Cat {i} sleeps for {i * 3} hours, and hunts mice." for i in range(300)),
    "mühle.md": "\n".join(f"Die Mühle {i} mahlt {i} Säcke Korn." for i in range(40)),
}


def number(n: int, *said: Any) -> int:
    return int.from_bytes(sha256(repr(said).encode()).digest()[:4]) % n


class Exactly:
    """Now and then something that cannot be used; else questions that often come again."""

    def __init__(self) -> None:
        self._n = 0

    def __call__(self, document: str, shown: list[str]) -> str:
        self._n += 1
        at = number(len(document) - 120, document, shown, self._n)
        if at % 4 == 0:
            bad = ["Sorry.", '{"question": "?"', "", '{"question": "?", "excerpts": ["nowhere"]}']
            return bad[at // 4 % 4]
        quotes = [document[at : at + 60].strip(), document[at + 30 : at + 90].strip().upper()]
        quotes *= 3 if at % 7 == 0 else 1
        question = f"What about {document[at : at + 25].strip()}?" if at % 3 else "Which cat?"
        return json.dumps({"question": question, "excerpts": quotes})


class Roughly:
    """Names pieces, but for the last: the peer's reaches beyond what is shown."""

    def __call__(self, document: str, shown: list[str]) -> str:
        first = number(len(naive.pieces(document)) - 2, document, shown)
        ranges = [{"first": first, "last": first + 1}, {"first": 0, "last": 0}]
        question = f"{document[:20].strip()} {first}?"
        return json.dumps({"question": question, "excerpts": ranges})


ANSWERS: dict[bool, Any] = {False: Exactly, True: Roughly}


def as_model(answer: naive.Answer) -> Callable[[list[dict[str, str]]], str]:
    """Let our prompts ask what the peer's client is asked."""

    def model(messages: list[dict[str, str]]) -> str:
        said = messages[1]["content"]
        document = re.search(r"<document>\n(.*)\n</document>", said, re.DOTALL)
        pieces = re.findall(r"<piece \d+>(.*?)</piece \d+>", said, re.DOTALL)
        shown = re.search(r"<questions>\n(.*)\n</questions>", said, re.DOTALL)
        assert shown
        known = [] if shown[1] == "(none)" else shown[1].split("\n")
        return answer(document[1] if document else "".join(pieces), known)

    return model


class Client:
    """What stands for OpenAI's client, if the peer is here."""

    def __init__(self, answer: naive.Answer, approximate: bool) -> None:
        self.chat = SimpleNamespace(completions=self)
        self.embeddings = SimpleNamespace(create=self._embed)
        self._answer, self._approximate = answer, approximate

    def create(self, messages: list[dict[str, str]], **_options: Any) -> Any:
        document, _, questions = messages[1]["content"].partition("\0")
        document = re.sub(r"<(start|end)_chunk_\d+>", "", document)
        said = self._answer(document, questions.split("\n") if questions else [])
        try:
            reply = json.loads(said)
        except ValueError:
            content = said
        else:
            reply["references"] = reply.pop("excerpts")
            if self._approximate:
                reply["references"] = [
                    {"content": "", "start_chunk": each["first"], "end_chunk": each["last"]}
                    for each in reply["references"]
                ]
            content = json.dumps(reply)
        message = SimpleNamespace(content=content)
        return SimpleNamespace(choices=[SimpleNamespace(message=message)])

    @staticmethod
    def _embed(input: list[str], **_options: Any) -> Any:  # noqa: A002 - OpenAI's name
        return {"data": [{"embedding": dice([text])[0]} for text in input]}


def the_peers(paths: list[str], path: Path, approximate: bool) -> Any:
    peer = import_module(MODULE).SyntheticEvaluation
    made = peer.__new__(peer)
    made.corpora_paths, made.questions_csv_path = paths, str(path)
    made.client = Client(ANSWERS[approximate](), approximate)
    for name in ("question_maker", "question_maker_approx"):
        setattr(made, f"{name}_system_prompt", "")
        setattr(made, f"{name}_user_prompt", "{document}\0{prev_questions_str}")
    return SimpleNamespace(
        generate=made.generate_queries_and_excerpts,
        filter_poor_excerpts=made.filter_poor_excerpts,
        filter_duplicates=made.filter_duplicates,
    )


def the_naive(paths: list[str], path: Path, approximate: bool) -> Any:
    return naive.SyntheticEvaluation(paths, path, ANSWERS[approximate](), dice)


REFERENCES = [
    pytest.param(the_naive, id="naive"),
    pytest.param(
        the_peers,
        id="peer",
        marks=pytest.mark.skipif(
            find_spec("chunking_evaluation") is None,
            reason="chunking_evaluation is not on PyPI; where it is installed, it is compared, too",
        ),
    ),
]


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    for name, text in CORPORA.items():
        (tmp_path / name).write_text(text, "utf-8")
    return [str(tmp_path / name) for name in CORPORA]


def ours(paths: list[str], path: Path, approximate: bool = False) -> SyntheticEvaluation:
    model = as_model(ANSWERS[approximate]())
    return SyntheticEvaluation(paths, str(path), llm=model, embedder=dice)


@pytest.mark.parametrize("approximate", [False, True])
@pytest.mark.parametrize("reference", REFERENCES)
def test_the_same_questions(
    tmp_path: Path, paths: list[str], reference: Any, approximate: bool
) -> None:
    files = tmp_path / "expected.csv", tmp_path / "found.csv"
    both = reference(paths, files[0], approximate), ours(paths, files[1], approximate)
    random.seed(17)
    both[0].generate(approximate, 4, 7)
    after = random.random()
    random.seed(17)
    assert both[1].synth_questions_df is None
    both[1].generate_queries_and_excerpts(approximate, 4, 7)
    assert files[0].read_bytes() == files[1].read_bytes()
    # As much was drawn.
    assert random.random() == after
    frame = both[1].synth_questions_df
    assert frame is not None
    assert len(frame) == 56
    assert list(frame) == naive.COLUMNS
    for evaluation, path in zip(both, files, strict=True):
        copy = path.read_bytes()
        evaluation.filter_poor_excerpts(0.05, [paths[0]])
        assert path.read_bytes() != copy
        evaluation.filter_duplicates(0.6)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert 2 < len(files[1].read_text("utf-8").splitlines()) < 40


def test_old_columns_are_taken_away(tmp_path: Path, paths: list[str]) -> None:
    text = (
        "question,fixed,references,corpus_id,diff_score\n"
        'Why?,1,"[{""content"": ""x"", ""start_index"": 0, ""end_index"": 1}]",a,0.5\n'
    )
    files = tmp_path / "expected.csv", tmp_path / "found.csv"
    for path in files:
        path.write_text(text)
    the_naive(paths, files[0], approximate=False).filter_duplicates()
    ours(paths, files[1]).filter_duplicates()
    assert files[0].read_bytes() == files[1].read_bytes()
    assert "fixed" not in files[1].read_text()


def test_filters_without_questions(tmp_path: Path, paths: list[str]) -> None:
    path = tmp_path / "none.csv"
    evaluation = ours(paths, path)
    evaluation.filter_poor_excerpts()
    evaluation.filter_duplicates()
    evaluation.question_ref_filter()
    assert not path.exists()


def test_chunkers_are_evaluated_on_them(tmp_path: Path, paths: list[str]) -> None:
    evaluation = ours(paths, tmp_path / "questions.csv")
    evaluation.generate_queries_and_excerpts(num_rounds=1, queries_per_corpus=3)
    results = evaluation.run(chroma.RecursiveTokenChunker(400, 0), dice, retrieve=5)
    assert results["corpora_scores"].keys() == set(paths)
    assert 0 <= results["recall_mean"] <= 1
    # And by the evaluation that is not the peer's.
    corpora = {path: Path(path).read_text("utf-8") for path in paths}
    assert len(Dataset.read(corpora, tmp_path / "questions.csv").questions) >= 4


def test_rounds_have_an_end(tmp_path: Path, paths: list[str]) -> None:
    evaluation = ours(paths, tmp_path / "questions.csv")
    with pytest.raises(ConfigError, match="num_rounds must be given"):
        evaluation.generate_queries_and_excerpts()
    with pytest.raises(ConfigError, match="num_rounds must be at least 0, got -2"):
        evaluation.generate_queries_and_excerpts(num_rounds=-2)
    evaluation.generate_queries_and_excerpts(num_rounds=0)
    assert not (tmp_path / "questions.csv").exists()


NEVER = [
    '{"question": "Q?", "excerpts": []}',
    '{"question": "Q?", "excerpts": [""]}',
    '{"question": "", "excerpts": ["Cat"]}',
    '{"question": 7, "excerpts": ["Cat"]}',
    '{"question": "Q?", "excerpts": [{"first": -1, "last": -1}]}',
    '{"question": "Q?", "excerpts": [{"first": 2, "last": 1}]}',
    '{"question": "Q?", "excerpts": [{"first": 5000, "last": 5000}]}',
    "[]",
]


@pytest.mark.parametrize("reply", NEVER)
@pytest.mark.parametrize("approximate", [False, True])
def test_windows_that_bring_nothing(
    tmp_path: Path, paths: list[str], reply: str, approximate: bool
) -> None:
    calls: list[Any] = []

    def model(messages: Any) -> str:
        calls.append(messages)
        return reply

    path = tmp_path / "questions.csv"
    evaluation = SyntheticEvaluation(paths, str(path), llm=model)
    with pytest.raises(ModelError, match=r"50 windows of .*cats\.md' brought no question"):
        evaluation.generate_queries_and_excerpts(approximate, num_rounds=1)
    assert len(calls) == 50
    assert not path.exists()


def test_the_last_piece_ends_where_the_window_does(tmp_path: Path, paths: list[str]) -> None:
    def model(messages: list[dict[str, str]]) -> dict[str, Any]:
        n_pieces = messages[1]["content"].count("<piece ")
        ranges = [{"first": n_pieces - 1, "last": n_pieces - 1}, {"first": 0, "last": 0}] * 2
        return {"question": "Which?", "excerpts": ranges}

    path = tmp_path / "questions.csv"
    SyntheticEvaluation(paths, str(path), llm=model).generate_queries_and_excerpts(
        approximate_excerpts=True, num_rounds=1, queries_per_corpus=1
    )
    frame = chroma.questions.read_frame(path)
    for corpus_id, references in zip(frame["corpus_id"], frame["references"], strict=True):
        text = Path(corpus_id).read_text("utf-8")
        last, first, *again = references
        assert again == [last, first]
        for each in references:
            assert each["content"] == text[each["start_index"] : each["end_index"]]
        assert last["end_index"] - first["start_index"] == min(4000, len(text))


def test_a_model_that_fails(tmp_path: Path, paths: list[str]) -> None:
    path = tmp_path / "questions.csv"
    runner = Runner(as_model(lambda document, _: _good(document)), budget=Budget(calls=3))
    evaluation = SyntheticEvaluation(paths, str(path), llm=runner)
    with pytest.raises(ModelError, match="budget"):
        evaluation.generate_queries_and_excerpts(num_rounds=1)
    assert len(path.read_text("utf-8").splitlines()) == 4


def _good(document: str) -> str:
    return json.dumps({"question": f"{document[:9]}?", "excerpts": [document[3:9]]})


def test_openais_models_unless_others_are_given(
    tmp_path: Path, paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluation = SyntheticEvaluation(paths, str(tmp_path / "q.csv"), openai_api_key="secret-key")
    assert evaluation._runner.fingerprint == "openai:https://api.openai.com/v1:gpt-4o"
    assert "secret-key" not in repr(vars(evaluation))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "q.csv").write_text("question,references,corpus_id\nWhy?,[],a\n")
    with pytest.raises(ValueError, match="OPENAI_API_KEY"):
        SyntheticEvaluation(paths, str(tmp_path / "q.csv"), llm=_good).filter_duplicates()
    with pytest.raises(ConfigError, match="7 is no language model"):
        SyntheticEvaluation(paths, str(tmp_path / "q.csv"), llm=7)  # type: ignore[arg-type]
