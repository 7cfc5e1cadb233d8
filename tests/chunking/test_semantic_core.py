"""The core's semantic strategies: boundaries as columns, batches, a callable as embedder."""

import threading
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from chunkwright import ModelError, ReadError, _core
from chunkwright.chunking.arrow_tables import PlanColumns

Floats = NDArray[np.float32]

TEXT = (
    "Cats purr in the sun. The cat sleeps by the cats. "
    "\U0001f408 A naïve cat purrs.\n\nStocks fell today. Traders sold stocks. "
    "The traders fell asleep.\n\nRain falls here. The rain and the wind. Wind falls."
)


def words(texts: list[str]) -> Floats:
    """Count hashed words."""
    rows = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in text.lower().split():
            row[zlib.crc32(word.strip(".").encode()) % 64] += 1
    return rows


def cutters(
    embed: Callable[[list[str]], Any] = words, max_chars: int = 90, overlap: int = 0
) -> dict[str, _core.Cutter]:
    """Make one of each strategy."""
    unit, embedder = _core.Unit.named("chars"), _core.Embedder.called(embed)
    shared = {"max_chars": max_chars, "overlap": overlap}
    modified = {"strategy": "kamradt_modified", "piece_max": 30, "window": 1, "target_size": 60}
    specs: dict[str, dict[str, Any]] = {
        "kamradt": {"strategy": "kamradt", "window": 1, "amount": 80.0},
        "average": {**modified, "target": "average"},
        "max": {**modified, "target": "max"},
        "cluster": {"strategy": "cluster", "piece_max": 30, "mean": "local"},
        "discontinuity": {"strategy": "discontinuity", "window": 2},
    }
    return {
        name: _core.Cutter(unit, {**shared, **spec}, embedder=embedder)
        for name, spec in specs.items()
    }


NAMES = list(cutters())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("overlap", [0, 15])
def test_chunks_end_at_boundaries(name: str, overlap: int) -> None:
    columns = cutters(overlap=overlap)[name].cut(TEXT)
    boundaries = columns.boundaries()
    positions, verdicts = np.asarray(boundaries.positions()), np.asarray(boundaries.verdicts())
    ends = np.asarray(columns.ends)
    assert positions[verdicts > 0].tolist() == ends[:-1].tolist()
    assert len(columns) > 2
    assert np.asarray(columns.sizes()).max() <= 90
    n_bytes = [len(TEXT[:position].encode()) for position in positions]
    assert np.asarray(boundaries.byte_positions()).tolist() == n_bytes
    scores = np.asarray(boundaries.scores())
    assert scores.dtype == np.float64
    assert len(scores) == len(boundaries) == boundaries.text_ends()[0]
    assert memoryview(boundaries.scores()).format == "d"


@pytest.mark.parametrize("name", NAMES)
def test_pairs_of_surrogates_are_two_code_points(name: str) -> None:
    text = TEXT.replace("\U0001f408", "\ud83d\udc08")
    columns = cutters()[name].cut(text)
    boundaries = columns.boundaries()
    positions, verdicts = np.asarray(boundaries.positions()), np.asarray(boundaries.verdicts())
    assert positions[verdicts > 0].tolist() == np.asarray(columns.ends)[:-1].tolist()
    joined = [
        text[:position].encode("utf-16", "surrogatepass").decode("utf-16") for position in positions
    ]
    n_bytes = [len(before.encode()) for before in joined]
    assert np.asarray(boundaries.byte_positions()).tolist() == n_bytes


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_batch_is_its_texts(name: str, workers: int) -> None:
    texts = [TEXT, "", "One piece", TEXT.upper(), " \n"] * 8
    cutter = cutters()[name]
    columns, errors = cutter.cut_all(texts, workers, collects=False)
    boundaries = columns.boundaries()
    alone = [cutter.cut(text) for text in texts]
    assert not errors
    assert columns.texts() == [text for one in alone for text in one.texts()]
    ends = np.cumsum([len(one.boundaries()) for one in alone])
    assert boundaries.text_ends() == ends.tolist()
    thresholds = [threshold for one in alone for threshold in one.boundaries().thresholds()]
    assert np.array_equal(boundaries.thresholds(), thresholds, equal_nan=True)
    positions = [np.asarray(one.boundaries().positions()) for one in alone]
    assert np.asarray(boundaries.positions()).tolist() == np.concatenate(positions).tolist()


def test_columns_are_restored_with_their_boundaries() -> None:
    columns, _ = cutters()["kamradt"].cut_all([TEXT, "", TEXT], 1, collects=False)
    stored = columns.to_bytes()
    again = _core.Columns.from_bytes(stored, columns.sources())
    restored = again.boundaries()
    for name in ("positions", "byte_positions", "scores", "verdicts", "n_places"):
        expected = np.asarray(getattr(columns.boundaries(), name)())
        assert np.asarray(getattr(restored, name)()).tolist() == expected.tolist()
    assert repr(restored.thresholds()) == repr(columns.boundaries().thresholds())
    assert again.to_bytes() == stored


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda stored: (b"\0" + stored[1:], [TEXT, TEXT]), "another version of chunkwright"),
        (lambda _: (b"", [TEXT, TEXT]), "another version of chunkwright"),
        (lambda stored: (stored[:-1], [TEXT, TEXT]), "are damaged"),
        (lambda stored: (stored, [TEXT]), "belong to other texts"),
        (lambda stored: (stored, ["Short.", TEXT]), "do not lie in their texts"),
        (lambda stored: (stored, ["x\u00fc" * 999, TEXT]), "do not lie in their texts"),
    ],
)
def test_bytes_of_other_chunks_are_refused(change: Any, message: str) -> None:
    columns, _ = cutters()["kamradt"].cut_all([TEXT, TEXT], 1, collects=False)
    with pytest.raises(ReadError, match=message):
        _core.Columns.from_bytes(*change(columns.to_bytes()))


def test_damaged_bytes_are_refused_or_do_no_harm() -> None:
    columns, _ = cutters()["kamradt"].cut_all([TEXT, TEXT], 1, collects=False)
    stored = columns.to_bytes()
    for at in range(1, len(stored)):
        damaged = stored[:at] + bytes([stored[at] ^ 0x15]) + stored[at + 1 :]
        try:
            again = _core.Columns.from_bytes(damaged, columns.sources())
        except ReadError:
            continue
        assert len(again.texts()) == len(again.ids(["", ""]))
        again.endings()
        for row in range(len(again)):
            again.pieces(row)


def test_other_strategies_have_no_boundaries() -> None:
    cutter = _core.Cutter(_core.Unit.named("chars"), {"strategy": "window", "max_chars": 20})
    boundaries = cutter.cut(TEXT).boundaries()
    assert len(boundaries) == 0
    assert boundaries.text_ends() == boundaries.thresholds() == []


@pytest.mark.parametrize("workers", [1, 2])
def test_errors_are_collected(workers: int) -> None:
    def embed(texts: list[str]) -> Floats:
        is_odd = any(text.isupper() or text.islower() for text in texts)
        return words(texts)[1:] if is_odd else words(texts)

    texts = [TEXT, TEXT.upper(), TEXT, "lone", TEXT.lower()] * 5
    for name, cutter in cutters(embed).items():
        if name == "kamradt":
            columns, errors = cutter.cut_all(texts, workers, collects=True)
            assert [i for i, _ in errors] == [i for i in range(25) if i % 5 in (1, 4)]
            assert all(isinstance(error, ModelError) for _, error in errors)
            assert len(columns.boundaries().text_ends()) == len(texts)
        with pytest.raises(ModelError, match="vectors"):
            cutter.cut_all(texts, workers, collects=False)


@pytest.mark.parametrize("workers", [1, 2])
def test_nothing_is_embedded_behind_an_error(workers: int) -> None:
    calls: list[int] = []

    def embed(texts: list[str]) -> Floats:
        calls.append(len(texts))
        raise ModelError("no more")

    cutter = cutters(embed)["discontinuity"]
    with pytest.raises(ModelError, match="no more"):
        cutter.cut_all([TEXT * 40] * 100, workers, collects=False)
    # Once for all documents, then for the first ones by themselves.
    assert len(calls) <= 1 + workers
    calls.clear()
    _, errors = cutter.cut_all([TEXT] * 100, workers, collects=True)
    assert (len(errors), len(calls)) == (100, 1 + 100)


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("collects", [False, True])
def test_an_interrupt_of_the_embedder_stops_the_run(workers: int, collects: bool) -> None:
    calls: list[str] = []
    lock = threading.Lock()

    def embed(texts: list[str]) -> Floats:
        with lock:
            calls.append(threading.current_thread().name)
            if len(calls) == 4:
                raise KeyboardInterrupt("enough")
        return words(texts)

    cutter = cutters(embed)["cluster"]
    with pytest.raises(KeyboardInterrupt, match="enough"):
        cutter.cut_all([TEXT * 20] * 200, workers, collects)
    assert len(calls) < 20


def test_a_stream_is_read_below_a_function_of_ours_on_another_thread() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"text": [TEXT] * 3})

    def plan(cutter: _core.Cutter) -> _core.ArrowPlan:
        return _core.ArrowPlan(
            cutter,
            PlanColumns(
                text="text",
                name=None,
                document_id=None,
                name_from_id=False,
                ids=None,
                document_ids=False,
                n_tokens=False,
                counter=None,
                errors=False,
                kind="text",
                boundaries=None,
                contexts=None,
            ),
            workers=2,
            interrupt=list,
            metadata={},
        )

    # pyarrow lets the GIL go and asks the stream, which asks the embedder.
    reader = pa.RecordBatchReader.from_stream(plan(cutters()["kamradt"]).stream(table))
    schema = pa.schema({"text": pa.string()})

    class Source:
        def __arrow_c_schema__(self) -> object:
            return schema.__arrow_c_schema__()

        def __arrow_c_array__(self, requested: object = None) -> object:
            del requested
            texts = reader.read_all().select(["text"]).combine_chunks()
            return texts.to_batches()[0].__arrow_c_array__()

    spec = {"strategy": "window", "max_chars": 1000}
    window = plan(_core.Cutter(_core.Unit.named("chars"), spec))
    n_rows: list[int] = []
    thread = threading.Thread(target=lambda: n_rows.append(len(window.batch(Source()))))
    thread.start()
    thread.join()
    assert n_rows == [3 * len(cutters()["kamradt"].cut(TEXT))]


def test_a_users_counter_and_embedder_work_together() -> None:
    unit = _core.Unit.counter(lambda text: len(text.split()))
    embed: Any = words
    embedder = _core.Embedder.called(embed)
    spec = {"strategy": "cluster", "max_tokens": 12, "overlap": 3, "piece_max": 4}
    cutter = _core.Cutter(unit, spec, embedder=embedder)
    columns, _ = cutter.cut_all([TEXT, TEXT], 2, collects=False)
    assert max(len(text.split()) for text in columns.texts()) <= 12


def test_distances_of_neighbours_are_those_of_numpy() -> None:
    rng = np.random.default_rng(5)
    for dtype in (np.float32, np.float64):
        # Whole numbers: no sum is rounded.
        rows: Any = rng.integers(-9, 9, (40, 7)).astype(dtype)
        rows[7] = 0
        norms = np.linalg.norm(rows, axis=1)
        with np.errstate(invalid="ignore"):
            cosines = (rows[:-1] * rows[1:]).sum(axis=1) / (norms[:-1] * norms[1:])
        expected = 1 - np.nan_to_num(cosines)
        assert _core.neighbour_distances(rows) == expected.tolist()
    wrong: Any = np.array([[1, 2], [3, 4], [5, np.nan]])
    with pytest.raises(ModelError, match="nan as value 1 of row 2"):
        _core.neighbour_distances(wrong)


def peer_ends(rows: Any, max_pieces: int) -> list[int]:
    """Find the groups from the whole matrix."""
    n = len(rows)
    matrix = rows @ rows.T
    matrix -= matrix[np.triu_indices(n, 1)].mean() if n > 1 else 0
    np.fill_diagonal(matrix, 0)
    values, starts = [0.0], [0]
    for end in range(1, n + 1):
        values.append(0.0)
        starts.append(0)
        for start in range(end - 1, max(end - max_pieces, 0) - 1, -1):
            value = values[start] + matrix[start:end, start:end].sum()
            if value > values[end]:
                values[end], starts[end] = value, start
    ends = [n] if n else []
    while ends and starts[ends[-1]] > 0:
        ends.append(starts[ends[-1]])
    return ends[::-1]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 200])
@pytest.mark.parametrize("max_pieces", [0, 1, 2, 5, 300])
def test_groups_are_those_of_the_whole_matrix(n: int, max_pieces: int) -> None:
    rows: Any = np.random.default_rng(n).standard_normal((n, 12))
    assert _core.cluster_ends(rows, max_pieces) == peer_ends(rows, max_pieces)
