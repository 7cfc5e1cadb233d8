"""Units of files: every row is in one of them, once, however they are cut."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.corpus import Corpus
from chunkwright.corpus.inputs import splitting
from chunkwright.corpus.inputs.listing import listed
from chunkwright.corpus.inputs.splitting import Unit, grouped, units_of
from chunkwright.corpus.reading.json_lines import placed_lines
from chunkwright.corpus.reading.units import batches_of
from chunkwright.errors import ConfigError
from chunkwright.io.sources import Reading
from tests.corpus.folders import text, unit_of, write_json, write_parquet

READING = Reading()
NONE = pa.schema([])


def texts_of(units: list[Unit], carried: Any = NONE) -> list[str]:
    found: list[str] = []
    for batch in batches_of(units, READING, carried):
        assert not batch.failures
        found += batch.rows["text"].to_pylist()
    return found


def parts_of(ends: list[int]) -> Iterator[tuple[int, int]]:
    return itertools.pairwise(ends)


@given(
    lines=st.lists(st.text(alphabet=" ab漢", max_size=12), max_size=12),
    newline=st.sampled_from(["\n", "\r\n"]),
    is_ended=st.booleans(),
    has_mark=st.booleans(),
    cuts=st.sets(st.integers(1, 200), max_size=20),
)
def test_byte_ranges_hold_each_line_once(
    lines: list[str], newline: str, is_ended: bool, has_mark: bool, cuts: set[int]
) -> None:
    data = newline.join(lines).encode() + (newline.encode() if is_ended else b"")
    data = (b"\xef\xbb\xbf" if has_mark else b"") + data
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        path.write_bytes(data)
        ends = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
        units = [unit_of(path, "jsonl", part) for part in parts_of(ends)]
        found = [line.decode() for unit in units for _, line in placed_lines(unit)]
        whole = [line.decode() for _, line in placed_lines(unit_of(path, "jsonl"))]
    assert found == whole
    assert [line for line in found if line] == [line for line in lines if line]


def test_places_of_lines_lead_back_to_them(tmp_path: Path) -> None:
    path = write_json(tmp_path / "rows.jsonl", ({"text": text(n, n)} for n in range(20)))
    data = path.read_bytes()
    [first, second] = [
        list(placed_lines(unit_of(path, "jsonl", part)))
        for part in [(0, len(data) // 2), (len(data) // 2, len(data))]
    ]
    lines = data.splitlines()
    for place, line in first:
        name, _, number = place.rpartition(":")
        assert (name, lines[int(number) - 1]) == ("rows.jsonl", line)
    for place, line in second:
        assert data[int(place.removeprefix("rows.jsonl, byte ")) :].startswith(line)


@pytest.fixture
def small_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "UNIT_BYTES", 1000)


def split(path: Path) -> list[Unit]:
    [file] = listed([str(path)], READING).files
    return list(units_of(file))


@pytest.mark.usefixtures("small_units")
def test_json_lines_are_split_by_bytes(tmp_path: Path) -> None:
    texts = [text(n, n % 17) for n in range(100)]
    path = write_json(tmp_path / "rows.jsonl", ({"text": each} for each in texts))
    units = split(path)
    assert len(units) == path.stat().st_size // 1000
    assert sum(unit.size for unit in units) == path.stat().st_size
    assert texts_of(units) == texts


@pytest.mark.usefixtures("small_units")
def test_a_line_longer_than_units_is_in_the_one_that_it_begins_in(tmp_path: Path) -> None:
    texts = ["a", "b" * 10_000, "c", "d" * 3000]
    path = write_json(tmp_path / "rows.jsonl", ({"text": each} for each in texts))
    units = split(path)
    assert texts_of(units) == texts
    assert [each for unit in units for each in texts_of([unit])] == texts


@pytest.mark.usefixtures("small_units")
def test_parquet_is_split_by_row_groups(tmp_path: Path) -> None:
    texts = [text(n, n % 13) for n in range(60)]
    path = write_parquet(tmp_path / "rows.parquet", {"text": texts})
    units = split(path)
    assert 1 < len(units) <= 9
    assert texts_of(units) == texts
    places = [
        (batch.places[row], each)
        for batch in batches_of(units, READING, NONE)
        for row, each in enumerate(batch.rows["text"].to_pylist())
    ]
    assert places == [(f"rows.parquet:{n}", each) for n, each in enumerate(texts, 1)]


@pytest.mark.usefixtures("small_units")
@pytest.mark.parametrize("is_file", [True, False], ids=["file", "stream"])
def test_arrow_is_split_where_it_says_where_batches_are(tmp_path: Path, is_file: bool) -> None:
    texts = [text(n, n % 11) for n in range(60)]
    path = tmp_path / "rows.arrow"
    whole = pa.table({"text": texts})
    with (pa.ipc.new_file if is_file else pa.ipc.new_stream)(path, whole.schema) as writer:
        writer.write_table(whole, max_chunksize=5)
    units = split(path)
    assert (len(units) > 1) == is_file
    assert texts_of(units) == texts


def test_tables_without_rows_have_none(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", {"text": pa.array([], pa.string())})
    (tmp_path / "b.jsonl").write_bytes(b"")
    empty = pa.table({"text": pa.array([], pa.string())})
    with pa.ipc.new_file(tmp_path / "c.arrow", empty.schema):
        pass
    result = Corpus(tmp_path).write(tmp_path / "out")
    assert (result.counts.documents, result.counts.failed, result.n_made) == (0, 0, 1)
    assert result.is_whole


def compressed(data: bytes, kind: str) -> bytes:
    return gzip.compress(data) if kind == "gz" else bytes(pa.compress(data, "zstd", asbytes=True))


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_compressed_lines_may_have_several_members(tmp_path: Path, kind: str) -> None:
    texts = [text(n) for n in range(30)]
    lines = [json.dumps({"text": each}).encode() + b"\n" for each in texts]
    path = tmp_path / f"rows.jsonl.{kind}"
    # The second member begins in the middle of a line.
    middle = b"".join(lines)[:1234], b"".join(lines)[1234:]
    path.write_bytes(b"".join(compressed(part, kind) for part in middle))
    assert texts_of(split(path)) == texts


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_what_stands_before_the_damage_of_a_compressed_file_is_read(
    tmp_path: Path, kind: str
) -> None:
    texts = [text(n) for n in range(3000)]
    lines = "".join(json.dumps({"text": each}) + "\n" for each in texts).encode()
    path = tmp_path / f"rows.jsonl.{kind}"
    data = compressed(lines, kind)
    path.write_bytes(data[: len(data) // 2])
    batches = list(batches_of(split(path), READING, NONE))
    found = [each for batch in batches if batch.rows for each in batch.rows["text"].to_pylist()]
    failures = [failure for batch in batches for failure in batch.failures]
    assert found == texts[: len(found)]
    assert 0 < len(found) < len(texts)
    assert [failure.kind for failure in failures if "not readable" in failure.message] == [
        "ReadError"
    ]


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_a_file_that_is_not_compressed_at_all_is_a_failure(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"rows.jsonl.{kind}"
    path.write_bytes(b'{"text": "plain"}\n')
    result = Corpus(path).write(tmp_path / "out")
    [failure] = result.failures
    assert failure.unit == path.name
    assert failure.kind == "ReadError"


@given(
    sizes=st.lists(st.integers(0, 50), min_size=5, max_size=300),
    at=st.integers(0, 299),
    most=st.integers(20, 120),
)
def test_groups_hold_all_units_in_order(sizes: list[int], at: int, most: int) -> None:
    units = [Unit(f"{n}", f"{n}", "file", "1", size) for n, size in enumerate(sizes)]
    groups = list(grouped(units, most))
    assert [unit for group in groups for unit in group] == units
    assert all(len(group) == 1 or sum(u.size for u in group) <= most for group in groups)
    at = min(at, len(units))
    more = [*units[:at], Unit("new", "new", "file", "1", 25), *units[at:]]
    again = list(grouped(more, most))
    # Groups before the one that it comes into stay as they are.
    n_before = sum(1 for group in itertools.accumulate(map(len, groups)) if group < at)
    assert again[:n_before] == groups[:n_before]


def test_a_file_more_changes_few_shards(tmp_path: Path) -> None:
    def names() -> set[str]:
        for path in tmp_path.iterdir():
            os.utime(path, (0, 0))
        return {shard.name for shard in Corpus(tmp_path, shard_bytes=4000).plan().shards}

    for n in range(400):
        (tmp_path / f"{n:03}.md").write_text(text(n))
    before = names()
    for name in ("1", "200b", "39"):
        (tmp_path / f"{name}.md").write_text(text(1000))
        after = names()
        assert len(before) > 20
        assert 0 < len(after - before) <= len(before) // 3
        before = after


def test_a_file_that_changes_changes_its_shard_alone(tmp_path: Path) -> None:
    def names(changed: Path | None = None) -> set[str]:
        for n, path in enumerate(sorted(tmp_path.iterdir())):
            # Shards end where hashes of what is known of files say so, the times among it.
            os.utime(path, (0, 1000 if path == changed else n))
        return {shard.name for shard in Corpus(tmp_path, shard_bytes=1000).plan().shards}

    for n in range(40):
        (tmp_path / f"{n:02}.md").write_text(text(n))
    before = names()
    new = [len(names(path) - before) for path in sorted(tmp_path.iterdir())]
    # Where it ends a shard, the next ones may end elsewhere, too.
    assert 0 < new[20] <= 3
    assert min(new) == 1
    assert (new.count(1), max(new)) == (35, 6)


def test_shards_with_marks_of_other_units_have_other_names() -> None:
    from chunkwright.corpus.inputs.splitting import shard_of

    units = tuple(Unit(name, name, "jsonl", "1", 1) for name in "ab")
    names = {
        shard_of(units, "", marks).name
        for marks in [{}, {units[0].key: {0: "x"}}, {units[1].key: {0: "x"}}]
    }
    assert len(names) == 3


def test_standard_input_and_no_inputs_are_refused() -> None:
    with pytest.raises(ConfigError, match="standard input"):
        Corpus("-").plan()
    with pytest.raises(ConfigError, match="inputs must name") as told:
        Corpus([]).plan()
    assert told.value.option == "inputs"


def test_a_table_that_could_not_be_split_is_read_whole(tmp_path: Path) -> None:
    texts = [text(n) for n in range(20)]
    path = write_parquet(tmp_path / "rows.parquet", {"text": texts})
    assert pq.ParquetFile(path).num_row_groups > 1
    assert texts_of([replace(unit_of(path, "parquet"), part=None)]) == texts
