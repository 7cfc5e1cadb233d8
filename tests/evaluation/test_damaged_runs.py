"""However a kept run or kept chunks are damaged, they are made again, and nothing raises."""

from __future__ import annotations

import json
import tempfile
import tracemalloc
import warnings
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.evaluation.chunkers.adapter import ChunkerOutput
from chunkwright.evaluation.chunkers.cache import ChunkCache
from chunkwright.evaluation.run import cache as run_cache
from chunkwright.evaluation.run.plan import Plan, Run
from chunkwright.evaluation.run.stored_runs import key_of
from chunkwright.files.disk_cache import DamagedError, DiskCache, digest, stored_files
from chunkwright.retrieval import Retriever
from tests.support.damage import DAMAGES, Damage

from .samples import MILL
from .test_runs import CUTOFFS, DATA, once

PLAIN = Run(name="sentences", chunker=cw.Sentence(sentences=1))
TRIMMED = Run(name="trimmed", chunker=cw.Balanced(max_tokens=15), retriever=Retriever(trim=0.3))


class ByLength:
    """A reranker that can be told from others."""

    fingerprint = "by length"

    def scores(self, _question: str, texts: Sequence[str]) -> Any:
        return np.array([len(text) for text in texts], np.float64)


RERANKED = replace(TRIMMED, retriever=Retriever(trim=0.3, reranker=ByLength(), candidates=3))
RUNS = {"plain": PLAIN, "trimmed": TRIMMED, "reranked": RERANKED}
Arrays = dict[str, Any]


class Whole:
    """A run, the file that it is kept in, and its value there."""

    def __init__(self, run: Run, folder: Path) -> None:
        self.run = run
        self.found = once(folder, run)
        key = key_of(run, Plan(dataset=DATA, runs=(run,), cutoffs=CUTOFFS))
        assert key is not None
        self.key = bytes.fromhex(key)
        store = DiskCache(folder / "runs", "runs", DATA.fingerprint)
        self.name, self.file = store.file.name, store.file.read_bytes()
        self.value = store.get([self.key])[self.key]

    def header(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(zlib.decompress(self.value).partition(b"\n")[0])
        return found

    def arrays(self) -> Arrays:
        return run_cache._unpacked(self.value)[1]

    def check_file(self, content: bytes) -> None:
        """See that a file with that content changes nothing but what is said of it."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "runs").mkdir()
            (Path(folder) / "runs" / self.name).write_bytes(content)
            self._check(Path(folder), is_refused=None)

    def check(self, value: bytes, *, is_refused: bool | None = True) -> None:
        """See that a value, its checksum right, changes nothing but what is said of it."""
        with tempfile.TemporaryDirectory() as folder:
            DiskCache(Path(folder) / "runs", "runs", DATA.fingerprint).put({self.key: value})
            self._check(Path(folder), is_refused=is_refused)

    def _check(self, folder: Path, *, is_refused: bool | None) -> None:
        said: list[str] = []
        again = once(folder, self.run, tell=said.append)
        if is_refused is not None:
            assert bool(said) == is_refused, said
        assert all(line.isprintable() and len(line) < 500 for line in said)
        same(again, self.found)
        # Now there is a whole one.
        said.clear()
        same(once(folder, self.run, tell=said.append), self.found)
        assert not said

    def check_arrays(self, arrays: Arrays, **changes: Any) -> None:
        self.check(packed(self.header(), {**arrays, **changes}))

    def check_header(self, **changes: Any) -> None:
        self.check(packed({**self.header(), **changes}, self.arrays(), changes.get("arrays")))


def same(a: Any, b: Any) -> None:
    """See that two runs found the same, by all that is shown of them."""
    one, other = a.summary(), b.summary()
    one.pop("seconds")
    other.pop("seconds")
    assert one == other
    assert (a.hits, a.chunks.texts) == (b.hits, b.chunks.texts)
    assert all(np.array_equal(a.scores[name], b.scores[name]) for name in b.scores)
    assert a.passages[0] == b.passages[0]
    assert a.passages[1].texts == b.passages[1].texts
    assert np.array_equal(a.holding, b.holding)


def packed(header: dict[str, Any], arrays: Arrays, described: Any = None) -> bytes:
    """Return a value with that header and those arrays, as it describes them or as they are."""
    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    if described is None:
        described = {name: [each.dtype.str, each.shape] for name, each in arrays.items()}
    head = json.dumps({**header, "arrays": described}).encode()
    return zlib.compress(head + b"\n" + b"".join(each.tobytes() for each in arrays.values()))


@pytest.fixture(scope="module", params=RUNS)
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return Whole(RUNS[request.param], tmp_path_factory.mktemp("whole"))


@given(damage=DAMAGES)
def test_any_damage(whole: Whole, damage: Damage) -> None:
    whole.check_file(damage(whole.file))


@given(damage=DAMAGES)
def test_any_damage_with_the_right_checksum(whole: Whole, damage: Damage) -> None:
    # What stands behind the end is not looked at, and seconds are not compared.
    whole.check(damage(whole.value), is_refused=None)


def test_what_is_not_damaged_is_taken(whole: Whole) -> None:
    whole.check(whole.value, is_refused=False)
    whole.check(packed(whole.header(), whole.arrays()), is_refused=False)


def words(text: str) -> list[str]:
    """Cut words, and say some that stand nowhere."""
    return [*text.split(), "nowhere", text.upper()]


@pytest.mark.parametrize("placement", ["offsets", "first_occurrence", "any_occurrence"])
@pytest.mark.parametrize("chunker", [cw.Window(max_tokens=7, overlap=3), words, lambda _: []])
@pytest.mark.parametrize("trim", [None, 0.5])
def test_every_run_is_taken_again(
    tmp_path: Path, placement: Any, chunker: Any, trim: float | None
) -> None:
    run = Run(
        name="x",
        chunker=chunker,
        retriever=Retriever(trim=trim),
        placement=placement,
        described={"is": "known"},
    )
    said: list[str] = []
    first = once(tmp_path, run, tell=said.append)
    same(once(tmp_path, run, tell=said.append), first)
    assert not said
    assert [file.entries for file in stored_files(tmp_path / "runs", "runs")] == [1]


NUMBERS = st.one_of(
    st.integers(-(2**63), -2), st.integers(2**31, 2**63 - 1), st.sampled_from([-2, 10**13])
)
COLUMNS = ["corpora", "starts", "ends", "n_tokens", "cut_from", "holding"]
OF_HITS = ["hit_offsets", "hit_indices", "hit_starts", "hit_ends", "hit_tokens", "hit_ranks_before"]


@given(data=st.data())
def test_numbers_out_of_range(whole: Whole, data: st.DataObject) -> None:
    arrays = whole.arrays()
    name = data.draw(st.sampled_from([each for each in COLUMNS + OF_HITS if each in arrays]))
    column = arrays[name].copy()
    column[data.draw(st.integers(0, len(column) - 1))] = data.draw(NUMBERS)
    whole.check_arrays(arrays, **{name: column})


@given(data=st.data())
def test_scores_out_of_range(whole: Whole, data: st.DataObject) -> None:
    arrays = whole.arrays()
    scores = arrays["scores"].copy()
    odd = st.one_of(st.floats(1, exclude_min=True), st.floats(max_value=-1e-300))
    scores.flat[data.draw(st.integers(0, scores.size - 1))] = data.draw(odd | st.just(float("nan")))
    whole.check_arrays(arrays, scores=scores)


KINDS = ["float32", "int32", ">i8", ">f8", "U3", "S5", "O", "M8[s]", "c16", "bool", "V8"]


@given(data=st.data())
def test_other_types_and_shapes(whole: Whole, data: st.DataObject) -> None:
    arrays = whole.arrays()
    name = data.draw(st.sampled_from(sorted(arrays)))
    column = arrays[name]
    shapes: list[Callable[[], Any]] = [
        lambda: column[:-1],
        lambda: np.concatenate([column, column[:1]]),
        lambda: column[None],
        lambda: column.ravel()[0],
        lambda: column[:0],
        lambda: np.zeros(column.shape, data.draw(st.sampled_from(KINDS))),
        lambda: np.broadcast_to(column, (3, *column.shape)),
    ]
    whole.check_arrays(arrays, **{name: data.draw(st.sampled_from(shapes))()})


PLAIN_JSON = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
LISTS = st.lists(PLAIN_JSON, max_size=3)
JSON = st.one_of(
    PLAIN_JSON,
    LISTS,
    st.lists(LISTS, max_size=3),
    st.dictionaries(st.text(max_size=3), PLAIN_JSON | LISTS, max_size=3),
)


@given(data=st.data())
def test_another_header(whole: Whole, data: st.DataObject) -> None:
    header = whole.header()
    name = data.draw(st.sampled_from(sorted(set(header) - {"chunker", "retriever"})))
    value = data.draw(JSON)
    if value != header[name] and not (name == "arrays" and value is None):
        whole.check_header(**{name: value})


ODD_JSON = [
    *(b"[" * 100_000, b'{"a":' * 100_000, b"1" * 10_000, b"\xff", b"", b"null", b"{}"),
    *(b'{"arrays": 2}', b'{"arrays": {}, "version": []}', b"[1e999]"),
]


@pytest.mark.parametrize("content", ODD_JSON, ids=lambda content: repr(content[:20]))
def test_odd_json(whole: Whole, content: bytes) -> None:
    whole.check(zlib.compress(content))
    body = zlib.decompress(whole.value).partition(b"\n")[2]
    whole.check(zlib.compress(content + b"\n" + body))


@given(names=st.sets(st.sampled_from(["scores", "starts", "hit_starts", "hit_tokens"])))
def test_other_arrays(whole: Whole, names: set[str]) -> None:
    arrays = whole.arrays()
    left = {name: array for name, array in arrays.items() if name not in names}
    if len(left) < len(arrays):
        whole.check(packed(whole.header(), left))
    whole.check_arrays(arrays, more=np.zeros(3))


@pytest.mark.parametrize(
    "described",
    [
        *(["<i8", [10**13]], ["<i8", [-1]], ["<i8", [1, 2, 0, 10**13]], ["<i8", [-(10**13), -1]]),
        *(["<i8", [10**400]], ["<i8", [1.5]], ["<i8", ["3"]], ["<i8", [None]], ["<i8", 3]),
        *(["O", [3]], ["<M8[s]", [3]], ["S1000000000", [10**9]], ["(3,)i8,O", [1]], [3, [3]]),
        *(["<i8"], [], None, 3, "<i8", {}, ["<i8", [0] * 100], ["<i8", [1] * 100]),
    ],
    ids=repr,
)
@pytest.mark.parametrize("name", ["starts", "hit_scores"])
def test_arrays_that_are_not_of_the_size_that_they_say(
    whole: Whole, name: str, described: Any
) -> None:
    whole.check_header(arrays={**whole.header()["arrays"], name: described})


def test_too_little_and_too_much(whole: Whole) -> None:
    plain = zlib.decompress(whole.value)
    for content in (plain[:-8], plain + bytes(8), plain.partition(b"\n")[0], b""):
        whole.check(zlib.compress(content))
    whole.check(whole.value[:-3])


def test_what_inflates(whole: Whole, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen megabytes of zeros, compressed into a few kilobytes, are not written out."""
    monkeypatch.setattr(run_cache, "MAX_BYTES", 1 << 22)
    value = zlib.compress(zlib.decompress(whole.value) + bytes(1 << 24))
    tracemalloc.start()
    try:
        with pytest.raises(DamagedError, match="larger than 4,194,304 bytes"):
            run_cache._unpacked(value)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()
    whole.check(value)


# ---------------------------------------------------------------------- chunks

CUT = ChunkerOutput(["The mill", "nowhere", "burnt"], [(0, 8), None, (31, 36)])
ROWS = [[0, 8], "nowhere", [31, 36]]


@given(damage=DAMAGES)
def test_any_damage_to_a_file_of_chunks(damage: Damage) -> None:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kept = ChunkCache(Path(folder), "one")
        kept.put(MILL, CUT)
        (file,) = Path(folder).iterdir()
        whole = file.read_bytes()
        file.write_bytes(damage(whole))
        is_empty = file.stat().st_size == 0
        found = kept.get([MILL])
        assert found in ({}, {MILL: CUT})
        # One row may be lost without a trace; a file may be as if it were new.
        assert (not found) >= bool(caught) or is_empty
        kept = ChunkCache(Path(folder), "one")
        kept.put(MILL, CUT)
        assert kept.get([MILL]) == {MILL: CUT}


def check_chunks(value: bytes) -> None:
    """See that a value, its checksum right, is refused with a warning, and can be replaced."""
    with tempfile.TemporaryDirectory() as folder:
        kept = ChunkCache(Path(folder), "one")
        DiskCache(Path(folder), "chunks", "one").put({digest(MILL): value})
        with pytest.warns(RuntimeWarning, match="has chunks that cannot be, a text is cut again"):
            assert kept.get([MILL]) == {}
        kept.put(MILL, CUT)
        assert kept.get([MILL]) == {MILL: CUT}


@given(damage=DAMAGES)
def test_any_damage_to_chunks_with_the_right_checksum(damage: Damage) -> None:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = damage(json.dumps(ROWS).encode())
        DiskCache(Path(folder), "chunks", "one").put({digest(MILL): value})
        found = ChunkCache(Path(folder), "one").get([MILL])
        assert bool(found) != bool(caught)
        for cut in found.values():
            for text, place in zip(cut.texts, cut.places, strict=True):
                assert text == (text if place is None else MILL[slice(*place)]) != ""


ODD_ROWS = [
    *([0, 10**30], [-5, -2], [8, 0], [0, 0], [5, 5], [0, 1, 2], [0], [], [0.0, 8.0], ["0", "8"]),
    *([False, True], [None, None], [[0], [8]], {}, {"0": 1}, None, 3, "", True, 1.5),
    *([0, len(MILL) + 1], [len(MILL), len(MILL) + 1], [10**400, 10**401]),
]


@given(odd=st.sampled_from(ODD_ROWS) | JSON.filter(lambda row: not isinstance(row, str)))
def test_chunks_that_cannot_be(odd: Any) -> None:
    if isinstance(odd, list) and odd in [[a, b] for a in range(9) for b in range(a + 1, 9)]:
        return
    check_chunks(json.dumps([*ROWS, odd]).encode())


@pytest.mark.parametrize("value", [*ODD_JSON, b'"'], ids=lambda value: repr(value[:20]))
def test_odd_json_of_chunks(value: bytes) -> None:
    check_chunks(value)
