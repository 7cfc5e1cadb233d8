"""Why chunks end where they do: boundaries as columns, and their picture."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import chunkwright as cw
from tests.support.element_lists import element

CATS = "A cat naps. A cat purrs. A cat plays."
ENGINES = "An engine hums. An engine stops."


def about_cats(texts: list[str]) -> list[list[float]]:
    return [[text.count("cat"), text.count("engine"), 0.1] for text in texts]


@pytest.fixture
def splitter() -> cw.Kamradt:
    return cw.Kamradt(max_chars=60, embedder=about_cats, window=0)


def test_boundaries_of_one_text(splitter: cw.Kamradt) -> None:
    text = f"  {CATS}\n\n{ENGINES}"
    chunks = splitter(text)
    boundaries = chunks.boundaries
    assert boundaries is not None
    assert len(boundaries) == 4
    assert [text[:at].rsplit(maxsplit=1)[-1] for at in boundaries.positions] == [
        "naps.",
        "purrs.",
        "plays.",
        "hums.",
    ]
    assert boundaries.scores.round(2).tolist() == [0.0, 0.0, 0.99, 0.0]
    assert boundaries.verdicts.tolist() == ["whole", "whole", "score", "whole"]
    assert boundaries.doc_index.tolist() == [0, 0, 0, 0]
    assert boundaries.thresholds.shape == (1,)
    assert 0.0 < boundaries.thresholds[0] < 0.99
    assert chunks.reasons == ["score", "end"]
    assert chunks.scores.round(2).tolist()[0] == 0.99
    assert (chunks[0].score, chunks[0].reason) == (chunks.scores[0], "score")
    assert np.isnan(chunks[1].score)


def test_positions_count_code_points(splitter: cw.Kamradt) -> None:
    text = "Ein \U0001f408 schläft, a cat.\ud800 An engine hümmt. A cat."
    boundaries = splitter(text).boundaries
    assert boundaries is not None
    assert [text[:at][-6:] for at in boundaries.positions] == ["hümmt."]


def test_the_limit_is_a_reason() -> None:
    text = "A cat naps. " * 20
    chunks = cw.Kamradt(max_chars=50, embedder=about_cats, window=0)(text)
    assert len(chunks) > 4
    assert chunks.reasons == ["limit"] * (len(chunks) - 1) + ["end"]
    assert np.all(chunks.scores[:-1] == 0)
    long = cw.Kamradt(max_chars=10, embedder=about_cats, window=0)("wordy " * 9)
    assert long.reasons == ["limit"] * (len(long) - 1) + ["end"]


def test_overlaps_change_no_reason() -> None:
    text = f"{CATS} {ENGINES}"
    options: dict[str, Any] = {"max_chars": 60, "embedder": about_cats, "window": 0}
    chunks = cw.Kamradt(**options, overlap=15)(text)
    assert [piece.role for piece in chunks[1].pieces] == ["overlap", "body"]
    assert chunks.reasons == cw.Kamradt(**options)(text).reasons == ["score", "end"]


def test_boundaries_of_a_batch_and_its_views(splitter: cw.Kamradt) -> None:
    chunks = splitter.batch([f"{CATS} {ENGINES}", "", "One.", f"{ENGINES} {CATS}"])
    boundaries = chunks.boundaries
    assert boundaries is not None
    assert boundaries.doc_index.tolist() == [0] * 4 + [3] * 4
    assert len(boundaries.thresholds) == 4
    assert np.isnan(boundaries.thresholds[1:3]).all()
    assert chunks.reasons == ["score", "end", "end", "score", "end"]
    last = boundaries.of_document(3)
    assert last.doc_index.tolist() == [0] * 4
    assert last.verdicts.tolist() == ["whole", "score", "whole", "whole"]
    assert last.thresholds.tolist() == boundaries.thresholds[3:].tolist()
    view = chunks[::-2]
    assert view.reasons == ["end", "end", "score"]
    assert np.array_equal(view.scores, chunks.scores[::-2], equal_nan=True)
    assert view.boundaries is not None
    assert len(view.boundaries) == 8


def test_boundaries_survive_pickling(splitter: cw.Kamradt) -> None:
    for chunks in (splitter(f"{CATS} {ENGINES}"), splitter.batch([CATS, "", ENGINES])):
        copy = pickle.loads(pickle.dumps(chunks))
        assert copy == chunks
        assert copy.reasons == chunks.reasons
        assert np.array_equal(copy.scores, chunks.scores, equal_nan=True)
        for column in ("positions", "scores", "verdicts", "doc_index", "thresholds"):
            own, other = (getattr(one.boundaries, column) for one in (chunks, copy))
            assert own.tolist() == pytest.approx(other.tolist(), nan_ok=True) or (
                column == "verdicts" and own.tolist() == other.tolist()
            )
    alone = pickle.loads(pickle.dumps(splitter(f"{CATS} {ENGINES}").boundaries))
    assert alone.verdicts.tolist() == ["whole", "whole", "score", "whole"]


def test_other_strategies_have_none() -> None:
    elements = [element("Text", "One."), element("Text", "Two.")]
    for chunks in (
        cw.chunk(f"{CATS} {ENGINES}", max_chars=30),
        cw.Recursive(max_chars=30).batch([CATS, ENGINES]),
        cw.Basic(max_chars=5)(elements),
    ):
        assert chunks.boundaries is None
        assert chunks.reasons == [None] * len(chunks)
        assert chunks[0].reason is None
        assert np.isnan(chunks.scores).all()
        assert pickle.loads(pickle.dumps(chunks)).boundaries is None


def test_nothing_has_no_boundaries(splitter: cw.Kamradt) -> None:
    for chunks in (splitter(""), splitter("  \n"), splitter.batch([""])):
        assert chunks.boundaries is not None
        assert len(chunks.boundaries) == 0
        assert (chunks.reasons, chunks.scores.tolist()) == ([], [])


def test_columns_are_views_of_the_cores_memory(splitter: cw.Kamradt) -> None:
    boundaries = splitter(f"{CATS} {ENGINES}").boundaries
    assert boundaries is not None
    assert boundaries.scores.dtype == np.float64
    assert boundaries.positions.dtype == np.int64
    assert not boundaries.scores.flags.owndata
    assert not boundaries.scores.flags.writeable


# ---------------------------------------------------------------------- the picture


@pytest.fixture
def axes() -> Any:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


def test_the_curve_the_threshold_and_the_cuts_are_drawn(axes: Any, splitter: cw.Kamradt) -> None:
    from chunkwright.plots import plot_boundaries

    chunks = splitter.batch([ENGINES, f"{CATS} {ENGINES}"])
    assert plot_boundaries(chunks, axes, document=1) is axes
    boundaries = chunks.boundaries
    assert boundaries is not None
    curve, threshold = axes.lines
    assert curve.get_xdata().tolist() == boundaries.of_document(1).positions.tolist()
    assert curve.get_ydata().tolist() == boundaries.of_document(1).scores.tolist()
    assert set(threshold.get_ydata()) == {boundaries.thresholds[1]}
    (cuts,) = axes.collections
    assert [segment[0, 0] for segment in cuts.get_segments()] == [len(CATS)]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "cut: score",
        "threshold",
    ]
    axes.figure.canvas.draw()


def test_cuts_for_the_limit_look_otherwise(axes: Any) -> None:
    from chunkwright.plots import plot_boundaries

    chunks = cw.Discontinuity(max_chars=50, embedder=about_cats)("A cat naps. " * 20)
    plot_boundaries(chunks, axes)
    # There is no threshold.
    assert len(axes.lines) == 1
    assert axes.get_xlim() == (0, 240)


def test_what_distances_are_not_compared_with_is_no_threshold(axes: Any) -> None:
    from chunkwright.plots import plot_boundaries

    text = f"{CATS} {ENGINES} {CATS}"
    gradient = cw.Kamradt(
        max_chars=500, embedder=about_cats, window=0, threshold="gradient", amount=50
    )
    chunks = gradient(text)
    assert "score" in chunks.reasons
    plot_boundaries(chunks, axes)
    assert len(axes.lines) == 1


def test_a_figure_of_its_own(axes: Any, splitter: cw.Kamradt) -> None:
    from matplotlib import pyplot as plt

    from chunkwright.plots import plot_boundaries

    ax = plot_boundaries(splitter(""))
    assert ax is not axes
    ax.figure.canvas.draw()
    plt.close(ax.figure)


def test_what_cannot_be_drawn(splitter: cw.Kamradt) -> None:
    from chunkwright.plots import plot_boundaries

    with pytest.raises(cw.ConfigError, match="their strategy does not say why it cuts"):
        plot_boundaries(cw.chunk(CATS, max_chars=9), object())
    for document in (1, -1):
        with pytest.raises(cw.ConfigError, match=f"between 0 and 0, got {document}"):
            plot_boundaries(splitter(CATS), object(), document=document)


def test_without_matplotlib() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import chunkwright as cw; from chunkwright.plots import plot_boundaries\n"
        "try:\n    plot_boundaries(cw.Cluster(max_chars=9)('One. Two.'))\n"
        "except cw.MissingExtraError as error:\n    print(error)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "chunkwright[plots]" in shown.stdout


# ---------------------------------------------------------------------- Arrow


def test_arrow_has_scores_and_reasons(splitter: cw.Kamradt) -> None:
    chunks = splitter.batch([f"{CATS} {ENGINES}", "One."])
    batch = pa.record_batch(chunks)
    batch.validate(full=True)
    assert batch.schema == pa.schema(chunks)
    assert batch.schema.names[-3:] == ["score", "reason", "threshold"]
    assert batch["reason"].to_pylist() == chunks.reasons
    assert batch["score"].is_null().to_pylist() == np.isnan(chunks.scores).tolist()
    assert batch["score"][0].as_py() == chunks.scores[0]
    assert pa.record_batch(chunks[::-1])["reason"].to_pylist() == chunks.reasons[::-1]
    assert pa.schema(splitter("")) == pa.schema(splitter("One."))


def test_what_is_handed_out_cannot_be_written() -> None:
    text = f"{CATS} {ENGINES} " * 9
    for chunks in (
        cw.Kamradt(max_chars=60)(text),
        cw.Recursive(max_chars=60)(text),
        cw.Basic(max_chars=60)([element("Text", text), element("Title", "End")]),
    ):
        names = ("starts", "ends", "byte_starts", "byte_ends", "line_starts", "line_ends")
        for name in (*names, "n_tokens", "scores", "n_places", "doc_index"):
            for view in (chunks, chunks[1:]):
                assert not getattr(view, name).flags.writeable, name
    chunks = cw.Kamradt(max_chars=60).batch([text, text])
    boundaries = chunks.boundaries
    assert boundaries is not None
    for columns in (boundaries, boundaries.of_document(1)):
        for name in ("positions", "scores", "codes", "verdicts", "n_places"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(columns, name)[0] = 0
        assert not columns.doc_index.flags.writeable
        assert not columns.thresholds.flags.writeable


def test_a_cut_for_the_limit_tells_its_places(splitter: cw.Kamradt) -> None:
    chunks = cw.Kamradt(max_chars=24, soft_max=11, embedder=about_cats, window=0)(CATS)
    boundaries = chunks.boundaries
    assert boundaries is not None
    # One sentence fits, or two; of the other two, only one does.
    assert (chunks.reasons, chunks.n_places.tolist()) == (["limit", "limit", "end"], [2, 1, 0])
    assert boundaries.n_places.tolist() == [2, 1]
    again = pickle.loads(pickle.dumps(chunks))
    assert again.n_places.tolist() == [2, 1, 0]
    assert again.boundaries.n_places.tolist() == [2, 1]
    assert splitter(f"{CATS} {ENGINES}").n_places.tolist() == [0, 0]
    assert cw.Recursive(max_chars=24)(CATS).n_places.tolist() == [0, 0]
