"""Documents that are the same as one before them: kept, left out, or marked."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.corpus import Corpus
from chunkwright.corpus.inputs import places, splitting
from chunkwright.corpus.planning import duplicates
from chunkwright.corpus.reading import json_lines
from chunkwright.io.batches import LINES, ROWS
from tests.corpus.folders import errors, files, marks, rows, text, write_json, write_parquet

WINDOW = cw.Window(max_chars=30)
# Texts that are equal but for whitespace, ones that are not, and ones that say nothing.
TEXTS = st.sampled_from(
    ["one two", "one  two", " one two\n", "onetwo", "three", "three ", "", " \n"]
)


def plain(each: str) -> str:
    return " ".join(each.split())


def firsts(texts: list[str]) -> list[int | None]:
    """Return for each text the number of the first that is the same, if there is one before it."""
    seen: dict[str, int] = {}
    found: list[int | None] = []
    for number, each in enumerate(texts):
        first = seen.setdefault(plain(each), number) if plain(each) else number
        found.append(None if first == number else first)
    return found


@given(
    tables=st.lists(st.lists(TEXTS, max_size=8), min_size=1, max_size=5),
    n_bytes=st.tuples(st.integers(1, 400), st.integers(20, 200), st.integers(1, 100)),
    has_ids=st.booleans(),
    is_parquet=st.booleans(),
)
def test_they_are_those_of_a_set(
    tables: list[list[str]],
    n_bytes: tuple[int, int, int],
    has_ids: bool,
    is_parquet: bool,
) -> None:
    shard_bytes, unit_bytes, batch_bytes = n_bytes
    texts = [each for table in tables for each in table]
    ids = [f"d{n}" for n in range(len(texts))]
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        patch.setattr(splitting, "UNIT_BYTES", unit_bytes)
        patch.setattr(json_lines, "LINES", LINES._replace(n_bytes=batch_bytes))
        patch.setattr("chunkwright.corpus.reading.tables.ROWS", ROWS._replace(n_bytes=batch_bytes))
        left = iter(ids)
        for number, table in enumerate(tables):
            own = [next(left) for _ in table]
            path = folder / "in" / f"{number}"
            if is_parquet:
                columns = {"text": pa.array(table, pa.string()), "id": pa.array(own, pa.string())}
                write_parquet(path.with_suffix(".parquet"), columns, 2)
            else:
                pairs = zip(table, own, strict=True)
                write_json(path.with_suffix(".jsonl"), ({"text": a, "id": b} for a, b in pairs))
        options: dict[str, Any] = {"id_column": "id"} if has_ids else {"drop_columns": ["id"]}
        options["shard_bytes"] = shard_bytes
        dropped = Corpus(folder / "in", WINDOW, **options, duplicates="drop")
        counts = dropped.write(folder / "drop").counts
        marked = Corpus(folder / "in", WINDOW, **options, duplicates="mark")
        marked_counts = marked.write(folder / "mark").counts
        Corpus(folder / "in", WINDOW, **options).write(folder / "keep")
        kept = rows(folder / "keep")
        of_drop, of_mark = rows(folder / "drop"), rows(folder / "mark")
    first = firsts(texts)
    says = [n for n, each in enumerate(texts) if plain(each)]
    # One chunk each, whose text says which it is.
    assert [row["text"] for row in kept] == [texts[n][:30] for n in says]
    id_of = dict(zip(says, (row["document_id"] for row in kept), strict=True))
    assert [(row["text"], row["document_id"]) for row in of_drop] == [
        (texts[n][:30], id_of[n]) for n in says if first[n] is None
    ]
    wanted = [None if first[n] is None else id_of[first[n]] for n in says]  # type: ignore[index]
    assert [row.pop("duplicate_of") for row in of_mark] == wanted
    assert of_mark == kept
    n_duplicates = len([each for each in first if each is not None])
    n_empty = len(texts) - len(says)
    assert (counts.duplicates, counts.empty, counts.documents) == (
        n_duplicates,
        n_empty,
        len(texts) - n_duplicates,
    )
    assert (marked_counts.duplicates, marked_counts.documents) == (n_duplicates, len(texts))


def test_files_are_the_same_if_their_bytes_are(folder: Path, tmp_path: Path) -> None:
    contents = {"a.md": "# One", "b.md": "# Two", "c.md": "# One", "d.txt": "# One", "e.md": ""}
    for name, content in {**contents, "f.md": ""}.items():
        (folder / name).write_text(content)
    result = Corpus(folder, WINDOW, duplicates="drop").write(tmp_path / "drop")
    assert [row["document"] for row in rows(tmp_path / "drop")] == ["a.md", "b.md"]
    assert (result.counts.duplicates, result.counts.empty, result.counts.documents) == (2, 2, 4)
    Corpus(folder, WINDOW, duplicates="mark", shard_bytes=1).write(tmp_path / "mark")
    assert [(row["document"], row["duplicate_of"]) for row in rows(tmp_path / "mark")] == [
        ("a.md", None),
        ("b.md", None),
        ("c.md", "a.md"),
        ("d.txt", "a.md"),
    ]


@pytest.mark.parametrize("kind", [None, "markdown"])
def test_marks_are_ids_of_documents(folder: Path, tmp_path: Path, kind: str | None) -> None:
    write_json(folder / "a.jsonl", [{"text": f"# A\n\n{text(1)}"}, {"text": f"# A\n\n {text(1)}"}])
    Corpus(folder, WINDOW, kind=kind, duplicates="mark").write(tmp_path / "out")
    found = rows(tmp_path / "out")
    originals = {row["document_id"] for row in found if row["duplicate_of"] is None}
    assert len(originals) == 1
    assert {row["duplicate_of"] for row in found if row["duplicate_of"]} == originals


def test_a_document_that_fails_stands_for_no_other(folder: Path, tmp_path: Path) -> None:
    write_parquet(
        folder / "a.parquet",
        {"text": ["Same.", "Same.", None, None, "Same."], "id": [None, "b", "c", "d", "e"]},
    )
    result = Corpus(folder, WINDOW, id_column="id", duplicates="drop").write(tmp_path / "out")
    assert [row["document_id"] for row in rows(tmp_path / "out")] == ["b"]
    assert (result.counts.duplicates, result.counts.failed, result.counts.documents) == (1, 3, 1)


def test_tables_without_texts_have_none(folder: Path, tmp_path: Path) -> None:
    write_parquet(folder / "a.parquet", {"text": ["Same.", "Same."]})
    write_parquet(folder / "b.parquet", {"other": [1, 2]})
    options: dict[str, Any] = {"drop_columns": ["other"], "duplicates": "drop"}
    result = Corpus(folder, WINDOW, **options).write(tmp_path / "out")
    assert (result.counts.duplicates, result.counts.failed) == (1, 2)
    assert len(errors(tmp_path / "out")) == 2


def test_rows_are_numbered_anew_where_other_rows_fail(folder: Path, tmp_path: Path) -> None:
    first: list[dict[str, Any]] = [{"text": text(n), "a": n} for n in range(1000)]
    late: list[dict[str, Any]] = [
        {"text": "Late.", "b": 1},
        {"text": "Good."},
        {"text": "Good."},
        {"text": "Other."},
    ]
    write_json(folder / "a.jsonl", [*first, *late])
    out = tmp_path / "out"
    Corpus(folder, WINDOW, duplicates="drop").write(out)
    assert [row["text"] for row in rows(out)[-2:]] == ["Good.", "Other."]
    # Now the first of them is no failure: what was hashed before is of other rows.
    Corpus(folder, WINDOW, duplicates="drop", drop_columns=["a", "b"]).write(out, force=True)
    assert [row["text"] for row in rows(out)[-3:]] == ["Late.", "Good.", "Other."]


def test_a_new_file_before_others_takes_their_place(folder: Path, tmp_path: Path) -> None:
    write_json(folder / "b.jsonl", [{"text": "Same."}, {"text": "B."}])
    write_json(folder / "c.jsonl", [{"text": "Same."}, {"text": "C."}])
    options: dict[str, Any] = {"duplicates": "drop", "shard_bytes": 1}
    out = tmp_path / "out"
    Corpus(folder, WINDOW, **options).write(out)
    assert [row["text"] for row in rows(out)] == ["Same.", "B.", "C."]
    write_json(folder / "a.jsonl", [{"text": "A."}, {"text": "Same."}])
    result = Corpus(folder, WINDOW, **options).write(out)
    # That of c.jsonl is a duplicate as before.
    assert (result.n_made, result.n_skipped) == (2, 1)
    assert [row["text"] for row in rows(out)] == ["A.", "Same.", "B.", "C."]
    Corpus(folder, WINDOW, **options).write(tmp_path / "fresh")
    assert files(out) == files(tmp_path / "fresh")


def test_inputs_are_hashed_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(6):
        write_json(folder / f"{n}.jsonl", [{"text": text(n % 3)}])
    hashed: list[str] = []
    inner = duplicates._of_rows

    def counted(unit: Any, *options: Any) -> Any:
        hashed.append(unit.name)
        return inner(unit, *options)

    monkeypatch.setattr(duplicates, "_of_rows", counted)
    out = tmp_path / "out"
    Corpus(folder, WINDOW, duplicates="drop").write(out)
    assert len(hashed) == 6
    write_json(folder / "3.jsonl", [{"text": text(100)}])
    Corpus(folder, WINDOW, duplicates="mark").write(out, force=True)
    assert hashed[6:] == ["3.jsonl"]
    for path in (out / "_run" / "hashes").iterdir():
        path.write_bytes(path.read_bytes()[:50])
    Corpus(folder, WINDOW, duplicates="drop").write(out, force=True)
    assert len(hashed) == 7 + 6
    Corpus(folder, WINDOW, duplicates="drop").write(tmp_path / "fresh")
    assert (files(out), marks(out)) == (files(tmp_path / "fresh"), marks(tmp_path / "fresh"))


def test_documents_are_marked_in_time_that_grows_with_their_number(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(60):
        (folder / f"{n:02}.txt").write_text(f"Text {n % 7}.")
    opened: list[str] = []
    inner = places.LocalPlace.open

    def counted(self: places.LocalPlace, path: str) -> Any:
        opened.append(path)
        return inner(self, path)

    monkeypatch.setattr(places.LocalPlace, "open", counted)
    result = Corpus(folder, WINDOW, duplicates="drop").write(tmp_path / "out")
    assert (result.counts.documents, result.counts.duplicates) == (7, 53)
    assert len([path for path in opened if path.endswith(".txt")]) == 60
