"""However a kept run or kept chunks are damaged, they are made again, and nothing raises."""

from __future__ import annotations

import io
import json
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.evaluation.chunk_cache import KeptChunks
from chunkwright.evaluation.chunkers import Cut
from chunkwright.evaluation.plan import Run
from chunkwright.retrieval import Retriever
from tests.support.damage import DAMAGES, Damage

from .samples import MILL
from .test_runs import once

PLAIN = Run(name="sentences", chunker=cw.Sentence(sentences=1))
TRIMMED = Run(name="trimmed", chunker=cw.Balanced(max_tokens=15), retriever=Retriever(trim=0.3))
RUNS = {"plain": PLAIN, "trimmed": TRIMMED}
Arrays = dict[str, Any]


class Whole:
    """A run, and the file that it is kept in."""

    def __init__(self, run: Run, folder: Path) -> None:
        self.run = run
        self.found = once(folder, run)
        (file,) = folder.glob("*.npz")
        self.name, self.content = file.name, file.read_bytes()

    def arrays(self) -> Arrays:
        with np.load(io.BytesIO(self.content)) as loaded:
            return dict(loaded)

    def check(self, content: bytes, *, is_refused: bool | None = True) -> None:
        """See that a file with that content changes nothing but what is said of it."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / self.name).write_bytes(content)
            said: list[str] = []
            again = once(Path(folder), self.run, tell=said.append)
            if is_refused is not None:
                assert bool(said) == is_refused, said
            assert all(line.isprintable() and len(line) < 400 for line in said)
            same(again, self.found)
            # Now there is a whole one.
            said.clear()
            same(once(Path(folder), self.run, tell=said.append), self.found)
            assert not said

    def check_arrays(self, arrays: Arrays, **changes: Any) -> None:
        self.check(packed({**arrays, **changes}))


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


def packed(arrays: Arrays) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=True, **arrays)
    return file.getvalue()


@pytest.fixture(scope="module", params=RUNS)
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return Whole(RUNS[request.param], tmp_path_factory.mktemp("whole"))


@given(damage=DAMAGES)
def test_any_damage(whole: Whole, damage: Damage) -> None:
    # A bit that says nothing, such as of a date, may change.
    whole.check(damage(whole.content), is_refused=None)


def test_what_is_not_damaged_is_taken(whole: Whole) -> None:
    whole.check(whole.content, is_refused=False)
    whole.check(packed(whole.arrays()), is_refused=False)


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
    assert len(list(tmp_path.iterdir())) == 1


NUMBERS = st.one_of(
    st.integers(-(2**63), -2), st.integers(2**31, 2**63 - 1), st.sampled_from([-2, 10**13])
)
COLUMNS = ["corpora", "starts", "ends", "n_tokens", "cut_from", "holding"]
OF_HITS = ["hit_offsets", "hit_indices", "hit_starts", "hit_ends", "hit_tokens"]


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


def json_bytes(value: object) -> Any:
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


@given(data=st.data())
def test_another_header(whole: Whole, data: st.DataObject) -> None:
    arrays = whole.arrays()
    header = json.loads(arrays["header"].tobytes())
    name = data.draw(st.sampled_from(sorted(set(header) - {"chunker", "retriever"})))
    value = data.draw(JSON)
    allowed = (name == "seconds" and value == {}) or value == header[name]
    if not allowed:
        whole.check_arrays(arrays, header=json_bytes({**header, name: value}))


@pytest.mark.parametrize(
    "content",
    [
        *(b"[" * 100_000, b'{"a":' * 100_000, b"1" * 10_000, b"\xff", b"", b"null", b"{}"),
        *(b'{"format": 2}', b'{"format": {}, "version": []}', b"[1e999]"),
    ],
    ids=lambda content: repr(content[:20]),
)
@pytest.mark.parametrize("name", ["header", "texts"])
def test_odd_json(whole: Whole, name: str, content: bytes) -> None:
    whole.check_arrays(whole.arrays(), **{name: np.frombuffer(content, np.uint8)})


@given(names=st.sets(st.sampled_from(["header", "texts", "scores", "hit_starts", "hit_tokens"])))
def test_other_arrays(whole: Whole, names: set[str]) -> None:
    arrays = whole.arrays()
    left = {name: array for name, array in arrays.items() if name not in names}
    if len(left) < len(arrays):
        whole.check(packed(left))
    whole.check_arrays(arrays, more=np.zeros(3))


def header_of(shape: str, kind: str = "<i8") -> bytes:
    """Return the beginning of a file of NumPy's that says how large it is."""
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    "content",
    [
        header_of("(10000000000000,)"),
        header_of("(10000000000000,)") + bytes(1000),
        header_of("(-1,)"),
        header_of("(1, 2, 0, 10000000000000)"),
        header_of("(" * 3000),
        header_of("(3,)", "O") + bytes(24),
        b"\x93NUMPY\x09\x00",
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
        b"no array",
        b"",
    ],
    ids=range(10),
)
@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_arrays_that_are_not_of_the_size_that_they_say(
    whole: Whole, content: bytes, compression: int
) -> None:
    for name in ("starts", "header"):
        whole.check(_with_member(whole, name, content, compression))


def test_an_array_that_inflates(whole: Whole) -> None:
    """A gigabyte of zeros, compressed into one megabyte."""
    file = io.BytesIO(whole.content)
    with (
        zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("more.npy", "w", force_zip64=True) as member,
    ):
        member.write(header_of(f"({1 << 27},)"))
        for _ in range(1 << 10):
            member.write(bytes(1 << 20))
    whole.check(file.getvalue())


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_unknown_compression(whole: Whole, compression: int) -> None:
    with zipfile.ZipFile(io.BytesIO(whole.content)) as archive:
        content = archive.read("starts.npy")
    whole.check(_with_member(whole, "starts", content, compression))


@pytest.mark.parametrize(("offset", "value"), [(8, 1), (8, 0x41), (10, 99), (10, 97), (10, 1)])
def test_flags_and_compressions_that_nobody_wrote(whole: Whole, offset: int, value: int) -> None:
    """In the directory, where the flags and the compression stand."""
    content = bytearray(whole.content)
    content[content.index(b"PK\x01\x02") + offset] = value
    whole.check(bytes(content))


def _with_member(whole: Whole, name: str, content: bytes, compression: int) -> bytes:
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(whole.content)) as old,
        zipfile.ZipFile(file, "w", compression) as new,
    ):
        for each in old.namelist():
            new.writestr(each, content if each == f"{name}.npy" else old.read(each))
    return file.getvalue()


# ---------------------------------------------------------------------- chunks

CUT = Cut(["The mill", "nowhere", "burnt"], [(0, 8), None, (31, 36)])


def check_chunks(change: Callable[[bytes], bytes], *, is_refused: bool | None) -> None:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kept = KeptChunks(Path(folder), "one")
        kept.put(MILL, CUT)
        (file,) = Path(folder).iterdir()
        file.write_bytes(change(file.read_bytes()))
        found = kept.get(MILL)
        assert found in (None, CUT)
        if is_refused is not None:
            assert (found is None) == is_refused
        assert (found is None) == bool(caught)
        kept.put(MILL, CUT)
        assert kept.get(MILL) == CUT


@given(damage=DAMAGES)
def test_any_damage_to_chunks(damage: Damage) -> None:
    check_chunks(damage, is_refused=None)


def signed(body: bytes) -> bytes:
    """Return a file with that body, and the checksum that it should have."""
    return b'{"version": 1, "sha256": "%s"}\n%s\n' % (sha256(body).hexdigest().encode(), body)


ODD_ROWS = [
    *([0, 10**30], [-5, -2], [8, 0], [0, 0], [5, 5], [0, 1, 2], [0], [], [0.0, 8.0], ["0", "8"]),
    *([False, True], [None, None], [[0], [8]], {}, {"0": 1}, None, 3, "", True, 1.5),
    *([0, len(MILL) + 1], [len(MILL), len(MILL) + 1], [10**400, 10**401]),
]


@given(odd=st.sampled_from(ODD_ROWS) | JSON.filter(lambda row: not isinstance(row, str)))
def test_chunks_that_cannot_be(odd: Any) -> None:
    if isinstance(odd, list) and odd in [[a, b] for a in range(9) for b in range(a + 1, 9)]:
        return

    def craft(data: bytes) -> bytes:
        body = json.loads(data.splitlines()[1])
        return signed(json.dumps({**body, "chunks": [*body["chunks"], odd]}).encode())

    check_chunks(craft, is_refused=True)


@pytest.mark.parametrize(
    "body",
    [b"[" * 100_000, b'{"chunks":' * 100_000, b"1" * 10_000, b"null", b'"', b"\xff", b"[1e999]"],
    ids=lambda body: repr(body[:20]),
)
def test_odd_json_of_chunks(body: bytes) -> None:
    check_chunks(lambda _: signed(body), is_refused=True)
    check_chunks(lambda _: body, is_refused=True)
    check_chunks(lambda _: b'{"version": ' + body + b"}\n", is_refused=True)
