"""The configuration of an evaluation: what it becomes, and what is said of wrong ones."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given

import chunkwright as cw
from chunkwright.chunks import Chunks
from chunkwright.embed import Lexical
from chunkwright.errors import ChunkwrightError, ConfigError
from chunkwright.evaluation.run.config import DATA as DATA_KEYS
from chunkwright.evaluation.run.config import OBJECT, RETRIEVAL, TOP, read_plan
from chunkwright.evaluation.run.config import ROW as ROW_KEYS
from chunkwright.evaluation.run.plan import Plan
from tests.support.odd_toml import DEEP, odd_tables, written

Table = dict[str, Any]

DATA = '[data]\ncorpora = "corpora"\nquestions = "q.jsonl"\n'
ROW = '[[chunker]]\nstrategy = "recursive"\nmax_tokens = 20\n'
SPLITTER = """
class Every:
    def __init__(self, size):
        if size < 1:
            raise ValueError("size")
        self.size = size

    def split_text(self, text):
        return [text[i : i + self.size] for i in range(0, len(text), self.size)]


def lines(text):
    return text.splitlines()


def make(embedder):
    assert embedder.embed(["x"]).shape[0] == 1
    return lines
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "corpora").mkdir()
    (tmp_path / "corpora" / "pets.md").write_text("Cats purr.\nDogs bark at the postman.\n")
    (tmp_path / "q.jsonl").write_text('{"question": "Who barks?", "excerpts": ["Dogs bark"]}\n')
    (tmp_path / "own_splitter.py").write_text(SPLITTER)
    yield tmp_path
    sys.modules.pop("own_splitter", None)


def plan(folder: Path, text: str) -> Plan:
    (folder / "eval.toml").write_text(text)
    return read_plan(folder / "eval.toml")


def test_all_that_can_be_set(folder: Path) -> None:
    found = plan(
        folder,
        'embedder = "lexical"\ncutoffs = [1, "min", "30t"]\nplacement = "any_occurrence"\n'
        'tokenizer = "o200k_base"\nbaseline = "small"\n'
        + DATA
        + 'name = "pets"\n[retrieval]\nword_weight = 0.25\ntrim = 0.4\n'
        '[[chunker]]\nname = "small"\nstrategy = "recursive"\nmax_tokens = 5\n'
        'retrieval = { words = false, embedder = "lexical" }\n'
        '[[chunker]]\nstrategy = "cluster"\nmax_chars = 200\npiece_max = 50\n'
        'placement = "offsets"\nretrieval = { embedder = "none" }\n'
        '[[chunker]]\nobject = "own_splitter:Every"\noptions = { size = 9 }\n'
        '[[chunker]]\nobject = "own_splitter:lines"\n'
        '[[chunker]]\nname = "made"\nobject = "own_splitter:make"\n'
        'options = { embedder = "{embedder}" }\n',
    )
    assert (found.baseline, found.cutoffs) == ("small", (1, "min", "30t"))
    assert found.tokenizer == "o200k_base"
    assert found.dataset.name == "pets"
    assert list(found.dataset.corpora) == ["pets"]
    small, cluster, every, lines, made = found.runs
    assert small.chunker == cw.Recursive(max_tokens=5, tokenizer="o200k_base")
    assert (small.placement, small.retriever.words) == ("any_occurrence", False)
    assert {run.retriever.trim for run in found.runs} == {0.4}
    assert small.retriever.embedder == Lexical()
    assert small.retriever.word_weight == every.retriever.word_weight == 0.25
    assert cluster.name == "cluster:max_chars=200,piece_max=50"
    assert (cluster.placement, cluster.retriever.embedder) == ("offsets", None)
    assert every.name == "own_splitter:Every:size=9"
    assert every.chunker.split_text("0123456789") == ["012345678", "9"]
    assert lines.chunker("a\nb") == made.chunker("a\nb") == ["a", "b"]
    assert made.described is not None
    assert made.described["options"] == {"embedder": Lexical().fingerprint}


@pytest.mark.parametrize("subwords", ["prefix", "4-grams", "none"])
def test_subwords_can_be_turned_off(folder: Path, subwords: str) -> None:
    (run,) = plan(folder, DATA + f'[retrieval]\nsubwords = "{subwords}"\n' + ROW).runs
    assert run.retriever.subwords == (None if subwords == "none" else subwords)


def test_what_is_said_when_nothing_is(folder: Path) -> None:
    found = plan(folder, DATA + ROW)
    (run,) = found.runs
    assert (run.name, run.placement) == ("recursive:max_tokens=20", "offsets")
    assert run.retriever == type(run.retriever)()
    assert found.cutoffs == (5, 10, "min", "500t", "1000t")
    assert (found.baseline, found.dataset.name) == (None, "eval")


def test_separators_of_a_language(folder: Path) -> None:
    (run,) = plan(folder, DATA + ROW + 'separators = "python"\n').runs
    made: Chunks = run.chunker("def a():\n    pass\n")
    assert run.chunker == cw.Recursive(separators="python", max_tokens=20)
    assert len(made) == 1


def test_corpora_may_be_named_one_by_one(folder: Path) -> None:
    text = DATA.replace('"corpora"', '["corpora/pets.md"]') + ROW
    assert list(plan(folder, text).dataset.corpora) == ["pets"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cutofs = [5]\n" + DATA + ROW, "unknown key 'cutofs'; did you mean 'cutoffs'?"),
        ("cutoffs = [0]\n" + DATA + ROW, "got 0"),
        ("cutoffs = 5\n" + DATA + ROW, "cutoffs must be a list, got 5"),
        ("embedder = 5\n" + DATA + ROW, "embedder must be a string, got 5"),
        ('embedder = "nowhere"\n' + DATA + ROW, "nowhere"),
        ('placement = "offset"\n' + DATA + ROW, "did you mean 'offsets'?"),
        ('baseline = "recursive"\n' + DATA + ROW, "no chunker is called 'recursive'"),
        (DATA + "nam = 'x'\n" + ROW, "unknown key 'nam'; did you mean 'name'?"),
        ("[data]\nquestions = 'questions.jsonl'\n" + ROW, "corpora is missing"),
        (DATA + "documents = 'corpora'\n" + ROW, "documents takes the place of corpora"),
        ("rank_by = 'recall@7'\n" + DATA + ROW, "runs cannot be ranked by 'recall@7'"),
        ("size_limit = 0\n" + DATA + ROW, "size_limit must be"),
        (DATA + "language = 'xx'\n" + ROW, "unknown language 'xx'"),
        (
            DATA.replace('"corpora"', "[5]") + ROW,
            "corpora must be a string or a list of strings, got [5]",
        ),
        ("[data]\nchroma_report = 'x'\nname = 'y'\n" + ROW, "takes the place of name"),
        (DATA + "[retrieval]\nword = true\n" + ROW, "unknown key 'word'; did you mean 'words'?"),
        (DATA + '[retrieval]\nsubwords = "stem"\n' + ROW, "unknown subwords 'stem'"),
        (DATA + "[retrieval]\nwords = 1\n" + ROW, "words must be True or False, got 1"),
        (DATA + "[retrieval]\ntrim = 4\n" + ROW, "trim must be between 0 and 1, got 4"),
        (DATA, "there is no [[chunker]]"),
        ("chunker = [5]\n" + DATA, "chunker 1 must be a table, got 5"),
        (DATA + "[[chunker]]\nname = 'x'\n", "one of strategy and object is needed"),
        (DATA + ROW + "object = 'x:y'\n", "one of strategy and object is needed"),
        (DATA + ROW + "overlp = 5\n", "did you mean 'overlap'?"),
        (
            DATA + ROW + "separators = 'pyton'\n",
            "unknown separators 'pyton': did you mean 'python'?",
        ),
        (DATA + ROW + "language = 'de'\n", "strategy 'recursive' has no language, which is for"),
        (DATA + ROW.replace("recursive", "recursiv"), "did you mean 'recursive'?"),
        (DATA + "[[chunker]]\nstrategy = 5\n", "unknown strategy 5: known are"),
        (DATA + ROW.replace("20", "-1"), "max_tokens"),
        (DATA + ROW.replace("20", "'x'"), "max_tokens"),
        (DATA + ROW + ROW, "two runs are called 'recursive:max_tokens=20'"),
        (DATA + ROW + "name = 5\n", "name must be a string, got 5"),
        (DATA + ROW + "tokenizer = 'cl100k'\n", "cl100k_base"),
        (DATA + "[[chunker]]\nobject = 'own_splitter'\n", "'module:attribute', got"),
        (DATA + "[[chunker]]\nobject = 'own_splitte:x'\n", "cannot import 'own_splitte'"),
        (DATA + "[[chunker]]\nobject = 'own_splitter:Evry'\n", "did you mean 'Every'?"),
        (DATA + "[[chunker]]\nobject = 'own_splitter:Every'\n", "cannot be made: TypeError"),
        (
            DATA + "[[chunker]]\nobject = 'own_splitter:Every'\noptions = { size = 0 }\n",
            "cannot be made: ValueError('size')",
        ),
        (
            DATA + "[[chunker]]\nobject = 'own_splitter:make'\noptions = {embedder='{embedder}'}\n",
            "the embedder of the file, which names none",
        ),
        (DATA + "[[chunker]]\nobject = 'own_splitter:lines'\nsize = 1\n", "unknown key 'size'"),
        ("cutoffs = [", "is not TOML"),
    ],
)
def test_wrong_ones_are_named(folder: Path, text: str, message: str) -> None:
    with pytest.raises(ChunkwrightError) as raised:
        plan(folder, text)
    assert message in str(raised.value)
    assert isinstance(raised.value, ConfigError)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*no\.toml"):
        read_plan(tmp_path / "no.toml")


def test_the_path_of_imports_is_left_as_it_was(folder: Path) -> None:
    before = list(sys.path)
    plan(folder, DATA + "[[chunker]]\nobject = 'own_splitter:lines'\n")
    assert sys.path == before


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_depth_is_named(folder: Path, text: str) -> None:
    with pytest.raises(ConfigError, match=r"eval\.toml is nested too deeply"):
        plan(folder, text)


@given(
    top=odd_tables(TOP),
    data=odd_tables(DATA_KEYS),
    retrieval=odd_tables(RETRIEVAL),
    row=odd_tables([*ROW_KEYS, *OBJECT, "strategy", "max_tokens", "language", "separators"]),
)
@example(top={}, data={}, retrieval={"embedder": "x" * 300}, row={})
@example(top={}, data={}, retrieval={"embedder": "/"}, row={})
@example(top={}, data={}, retrieval={"reranker": "x" * 300}, row={})
@example(top={}, data={}, retrieval={"reranker": "/"}, row={})
def test_any_values_are_taken_or_named(
    folder: Path, top: Table, data: Table, retrieval: Table, row: Table
) -> None:
    whole: Table = {
        "data": {"corpora": "corpora", "questions": "q.jsonl", **data},
        "retrieval": retrieval,
        "chunker": [{"strategy": "recursive", "max_tokens": 20, **row}],
        **top,
    }
    with suppress(ChunkwrightError):
        found = plan(folder, written(whole))
        # What is taken must not fail when all runs are done and are to be written.
        json.dumps(found.settings, allow_nan=False)
        for run in found.runs:
            json.dumps(run.described, allow_nan=False)
