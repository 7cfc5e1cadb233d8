"""Tables that are cut a batch at a time: the rows of their documents, cut one by one."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.io import run as io_run
from chunkwright.io import table_rows
from chunkwright.io.finding import find
from chunkwright.io.outputs import opened
from chunkwright.io.progress import Step
from chunkwright.io.rows import names_of
from chunkwright.io.run import Run
from chunkwright.io.sources import Reading
from chunkwright.io.table_rows import READ

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

TEXTS = ["One two three four.", None, "", "  \n", "Rain. " * 50, "é ü 漢字 " * 20]


class Seen:
    """What a run tells of."""

    def __init__(self) -> None:
        self.done = 0
        self.errors: list[str] = []

    def __call__(self, step: Step[None]) -> None:
        self.done += step.n_documents
        if step.error is not None:
            self.errors.append(f"{step.name}: {step.error}")


def written(source: Path, out: Path, reading: Reading, strategy: Any) -> tuple[Any, Seen]:
    seen = Seen()
    names = names_of(strategy.spec["strategy"])
    with opened(out, "parquet", names) as writer:
        run = Run(reading, lambda _: strategy, names, seen)
        n_rows = run.write(find([str(source)]), writer)
    table = pq.read_table(out)
    assert n_rows == table.num_rows
    return table, seen


def both(
    table: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, reading: Reading, strategy: Any
) -> tuple[tuple[Any, Seen], tuple[Any, Seen]]:
    source = folder / "rows.parquet"
    pq.write_table(table, source)
    at_once = written(source, folder / "a.parquet", reading, strategy)
    with monkeypatch.context() as patched:
        patched.setattr(io_run, "asks_no_model", lambda _: False)
        one_by_one = written(source, folder / "b.parquet", reading, strategy)
    return at_once, one_by_one


@pytest.mark.parametrize("strategy", [cw.Recursive(max_tokens=8), cw.Balanced(max_chars=40)])
@pytest.mark.parametrize("ids", [None, pa.array(range(6)), pa.array(list("abcdef"))])
def test_rows_are_those_of_documents_cut_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: Any, ids: Any
) -> None:
    # Documents are numbered on over batches.
    monkeypatch.setattr(table_rows, "READ", READ._replace(n=2))
    columns = {"text": pa.array(TEXTS), "year": pa.array([1, 2, 3, 4, 5, None])}
    columns |= {} if ids is None else {"key": ids}
    reading = Reading(id_column=None if ids is None else "key")
    fast, slow = both(pa.table(columns), tmp_path, monkeypatch, reading, strategy)
    assert fast[0].equals(slow[0], check_metadata=True)
    assert vars(fast[1]) == vars(slow[1])
    assert len(fast[1].errors) == 1
    assert fast[1].done == 5


def test_a_null_id_and_a_text_that_is_not_utf_8_fail_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = pa.array([b"fine", b"\xff\xfe", b"also fine"], pa.binary()).view(pa.string())
    table = pa.table({"text": texts, "key": pa.array(["a", "b", None])})
    strategy = cw.Recursive(max_tokens=8)
    fast, slow = both(table, tmp_path, monkeypatch, Reading(drop_columns=["key"]), strategy)
    assert fast[0].equals(slow[0], check_metadata=True)
    assert fast[1].done == slow[1].done == 2
    assert [message.split(":")[2] for message in fast[1].errors] == ["2"]

    fast, slow = both(table, tmp_path, monkeypatch, Reading(id_column="key"), strategy)
    assert fast[0].equals(slow[0], check_metadata=True)
    assert vars(fast[1]) == vars(slow[1])
    assert len(fast[1].errors) == 2


@given(texts=st.lists(st.none() | st.text(max_size=60), max_size=12))
def test_any_texts_have_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str | None]
) -> None:
    texts = [text and text.encode("utf-8", "replace").decode() for text in texts]
    table = pa.table({"text": pa.array(texts, pa.string())})
    with pytest.MonkeyPatch.context() as monkeypatch:
        folder = tmp_path_factory.mktemp("rows")
        fast, slow = both(table, folder, monkeypatch, Reading(), cw.Sentence(max_tokens=8))
    assert fast[0].equals(slow[0], check_metadata=True)
    assert vars(fast[1]) == vars(slow[1])
