"""Strategies that cut by meaning: their settings, the rows they write, and why they cut."""

import json
import math
import re
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.cli.show.report import Embedded
from chunkwright.rows import BASE as NAMES
from chunkwright.rows import OF_ENDINGS as SEMANTIC_NAMES

from .commandline import Run

CATS = "The cat naps on the sofa. The cat purrs on the sofa. The cat leaves the sofa."
RUST = "Rust is a language. The language has types. Types are checked by the compiler."
FARM = "A cow stands in the field. The cow eats grass of the field. Grass grows in the field."
TEXT = f"{CATS} {RUST}\n\n{FARM} {CATS}"
ESCAPE = "\x1b"
SMALL = ("--max-chars", "100", "--piece-max", "30")


@pytest.fixture(autouse=True)
def _text(folder: Path) -> None:
    (folder / "x.txt").write_text(TEXT)


CASES: list[tuple[str, dict[str, Any]]] = [
    ("kamradt", {"max_chars": 200}),
    ("kamradt", {"max_chars": 200, "threshold": "interquartile", "amount": 0.25, "window": 0}),
    ("kamradt", {"max_chars": 200, "n_chunks": 4, "min_size": 40, "language": "de"}),
    ("kamradt", {"max_chars": 120, "threshold": "gradient", "overlap": 20, "window": 2}),
    ("kamradt_modified", {"max_chars": 100, "piece_max": 30}),
    ("kamradt_modified", {"max_chars": 200, "target": "max", "target_size": 90, "window": 0}),
    ("cluster", {"max_chars": 100, "piece_max": 30}),
    ("cluster", {"max_tokens": 30, "piece_max": 9, "mean": "local", "overlap": 5}),
    ("discontinuity", {"max_chars": 120, "soft_max": 50, "window": 2}),
]


def flags(options: dict[str, Any]) -> list[str]:
    named = {f"--{name.replace('_', '-')}": value for name, value in options.items()}
    given = [[flag] if value is True else [flag, str(value)] for flag, value in named.items()]
    return [part for parts in given for part in parts]


@pytest.mark.parametrize(("strategy", "options"), CASES)
def test_rows_say_what_the_library_says(here: Run, strategy: Any, options: dict[str, Any]) -> None:
    result = here("chunk", "x.txt", "--strategy", strategy, *flags(options))
    assert (result.code, result.err) == (0, "")
    chunks = cw.chunk(TEXT, strategy, name="x.txt", **options)
    assert len(chunks) > 1
    assert [row["chunk_id"] for row in result.rows] == chunks.ids
    assert [row["text"] for row in result.rows] == chunks.texts()
    assert [row["reason"] for row in result.rows] == chunks.reasons
    scores = [None if math.isnan(score) else score for score in chunks.scores.tolist()]
    assert [row["score"] for row in result.rows] == scores
    assert scores[-1] is None
    assert chunks.boundaries is not None
    threshold = float(chunks.boundaries.thresholds[0])
    assert {row["threshold"] for row in result.rows} == {
        None if math.isnan(threshold) else threshold
    }


def test_the_columns_are_behind_the_others(here: Run) -> None:
    rows = here("chunk", "x.txt", "--strategy", "cluster", *SMALL).rows
    assert [*rows[0]] == [*(name for name in NAMES if name != "oversize"), *SEMANTIC_NAMES]


def test_each_document_has_its_own_threshold(here: Run) -> None:
    Path("y.txt").write_text(f"{RUST} {FARM}")
    rows = here("chunk", "x.txt", "y.txt", "--strategy", "kamradt", "--max-chars", "90").rows
    thresholds = {(row["document"], row["threshold"]) for row in rows}
    assert len(thresholds) == len({threshold for _, threshold in thresholds}) == 2


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_tables_hold_what_jsonl_holds(here: Run, suffix: str) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.feather as pf
    import pyarrow.parquet as pq

    Path("empty.txt").write_text("")
    arguments = ["chunk", "empty.txt", "x.txt", "--strategy", "cluster", *SMALL]
    expected = here(*arguments).rows
    out = f"chunks{suffix}"
    assert here(*arguments, "--out", out).code == 0
    table = pq.read_table(out) if suffix == ".parquet" else pf.read_table(out)
    assert table.schema.field("score").type == table.schema.field("threshold").type == pa.float64()
    assert table.schema.field("reason").type == pa.string()
    for name in SEMANTIC_NAMES:
        assert table[name].to_pylist() == [row[name] for row in expected]


def test_other_strategies_have_no_such_columns(here: Run) -> None:
    for strategy in ("recursive", "sentence"):
        rows = here("chunk", "x.txt", "--strategy", strategy, "--max-chars", "90").rows
        assert not set(SEMANTIC_NAMES) & rows[0].keys()


def test_a_row_that_carries_such_a_column(here: Run) -> None:
    Path("rows.jsonl").write_text(
        "\n".join(map(json.dumps, [{"text": TEXT, "score": 5}, {"text": TEXT, "mark": 5}]))
    )
    arguments = ("chunk", "rows.jsonl", "--strategy", "cluster", *SMALL)
    result = here(*arguments)
    assert result.code == 1
    assert "column 'score' is a column of chunks too" in result.err
    assert {row["mark"] for row in result.rows} == {5}
    assert here(*arguments, "--drop-column", "score").code == 0
    assert {row["score"] for row in here("chunk", "rows.jsonl").rows if "score" in row} == {5}


def test_the_same_bytes_for_any_number_of_workers(here: Run) -> None:
    for i in range(20):
        Path(f"{i}.txt").write_text(f"{TEXT} {i} " * (i % 4))
    arguments = ("chunk", "*.txt", "--strategy", "cluster", *SMALL)
    expected = here(*arguments, "--workers", "1")
    assert expected.code == 0
    assert here(*arguments, "--workers", "5") == expected


def test_settings_from_file_and_environment(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("chunkwright.toml").write_text(
        "strategy = 'kamradt'\nmax_chars = 200\nthreshold = 'standard_deviation'\namount = 1\n"
        "embedder = 'lexical'\nvector_cache = false\n"
    )
    options: dict[str, Any] = {"max_chars": 200, "threshold": "standard_deviation"}

    def thresholds(*arguments: str) -> set[float]:
        return {row["threshold"] for row in here("chunk", "x.txt", *arguments).rows}

    def expected(**more: Any) -> set[float]:
        boundaries = cw.chunk(TEXT, "kamradt", **options, **more).boundaries
        assert boundaries is not None
        return set(boundaries.thresholds.tolist())

    assert thresholds() == expected(amount=1)
    monkeypatch.setenv("CHUNKWRIGHT_AMOUNT", "0.5")
    assert thresholds() == expected(amount=0.5)
    assert thresholds("--amount", "0.25") == expected(amount=0.25)
    # Of a percentile, half a deviation is nothing.
    monkeypatch.delenv("CHUNKWRIGHT_AMOUNT")
    options["threshold"] = "percentile"
    assert thresholds("--threshold", "percentile") == expected()


def test_compare_takes_all_settings(here: Run) -> None:
    Path("chunkwright.toml").write_text(
        "[mine]\nstrategy = 'cluster'\nmean = 'local'\npiece_max = 30"
    )
    out = here(
        "compare", "x.txt", "kamradt:threshold=interquartile,amount=0.5", "mine", "--max-chars=90"
    ).out
    assert out.splitlines()[1:3] == [
        "A  kamradt, max_chars=90, threshold='interquartile', amount=0.5, tokenizer='cl100k_base'",
        "B  cluster, max_chars=90, piece_max=30, mean='local', tokenizer='cl100k_base'",
    ]
    assert here("compare", "x.txt", "cluster:mean=global", "cluster:mean=local").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kamradt", "--amount", "much"], "--amount: 'much' is not a number"),
        (["kamradt", "--amount", "101"], "amount must be"),
        (["kamradt", "--amount", "nan"], "nan"),
        (["kamradt", "--threshold", "percentil"], "did you mean 'percentile'?"),
        (
            ["kamradt", "--n-chunks", "2", "--amount", "3"],
            "--n-chunks takes the place",
        ),
        (["kamradt", "--piece-max", "30"], "strategy 'kamradt' has no --piece-max"),
        (["kamradt", "--mean", "local"], "strategy 'kamradt' has no --mean"),
        (["cluster", "--mean", "locl"], "did you mean 'local'?"),
        (["cluster", "--window", "3"], "strategy 'cluster' has no --window"),
        (["cluster", "--piece-max", "600"], "--piece-max must be"),
        (["kamradt_modified", "--target", "avg"], "target"),
        (["discontinuity", "--window", "0"], "window must be"),
        (["cluster", "--embedder", "lexicl"], "did you mean 'lexical'?"),
        (["cluster", "--embedder", "docs"], "docs"),
        (["recursive", "--embedder", "lexical"], "strategy 'recursive' has no --embedder"),
        (["kamradd"], "did you mean 'kamradt'?"),
    ],
)
def test_wrong_usage(here: Run, arguments: list[str], message: str) -> None:
    for command in ("chunk", "view"):
        result = here(command, "x.txt", "--strategy", *arguments)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
        assert len(result.err.splitlines()) == 1


def test_a_wrong_file_is_wrong_usage(here: Run) -> None:
    wrong = {
        "amount = '5'": "amount must be a number, got '5'",
        "amount = true": "amount must be a number, got True",
        "n_chunks = 1.5": "n_chunks must be an integer, got 1.5",
    }
    for text, message in wrong.items():
        Path("chunkwright.toml").write_text(text)
        assert message in here("chunk", "x.txt").err
    Path("chunkwright.toml").unlink()
    result = here("compare", "x.txt", "cluster:piece_max=x", "kamradt:amount=x")
    assert "piece_max must be an integer, got 'x'" in result.err


def test_elements_are_joined_by_similarity(here: Run) -> None:
    items = [{"type": "Text", "text": text} for text in (CATS, CATS[:51], RUST, RUST[:39])]
    Path("e.json").write_text(json.dumps(items))
    arguments = ("--strategy", "by_similarity", "--embedder", "lexical", "--max-chars", "300")
    texts = {}
    for threshold in (0.01, 0.99):
        rows = here("chunk", "e.json", *arguments, "--similarity-threshold", str(threshold)).rows
        texts[threshold] = [row["text"] for row in rows]
        strategy = cw.BySimilarity(
            max_chars=300, embedder="lexical", similarity_threshold=threshold
        )
        assert texts[threshold] == strategy(items).texts()
    assert len(texts[0.01]) < len(texts[0.99])


# ---------------------------------------------------------------------- why


def test_reasons_are_shown_in_the_text_and_under_it(here: Run) -> None:
    options: dict[str, Any] = {"max_chars": 200, "n_chunks": 3, "window": 0}
    result = here("view", "x.txt", "--strategy", "kamradt", *flags(options), "--reasons")
    assert result.code == 0
    chunks = cw.chunk(TEXT, "kamradt", **options)
    boundaries = chunks.boundaries
    assert boundaries is not None
    whole = boundaries.scores[boundaries.verdicts == "whole"]
    marks = re.findall("[▁▂▃▄▅▆▇█](\\d\\.\\d\\d)", result.out)
    assert marks == [f"{score:.2f}" for score in whole]
    cuts = re.findall("^. cut: distance (\\S+) over (\\S+)$", result.out, re.MULTILINE)
    threshold = f"{boundaries.thresholds[0]:.2f}"
    expected = boundaries.scores[boundaries.verdicts == "score"]
    assert cuts == [(f"{score:.2f}", threshold) for score in expected]
    lines = result.out.splitlines()
    assert lines[2] == (
        f"{len(cuts)} cuts by score and {chunks.reasons.count('limit')} by the limit, "
        f"{len(boundaries)} boundaries, threshold {threshold}"
    )
    assert lines[-2] == "end of the text"
    assert ESCAPE not in result.out
    # Without the marks it is the text.
    assert re.sub("[▁▂▃▄▅▆▇█]\\d\\.\\d\\d", "", result.out).count(CATS) == TEXT.count(CATS)


def test_the_manual_shows_what_is_shown(here: Run) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "cli" / "looking.md").read_text("utf-8")
    example = re.search(r"\$ chunkwright (view pets.txt .*)\n([^`]*)```", manual)
    assert example is not None
    Path("pets.txt").write_text(f"{CATS} {RUST}\n")
    assert here(*example[1].split()).out.rstrip() == example[2].rstrip()


def test_a_cut_for_the_limit_says_so(here: Run) -> None:
    arguments = ("--strategy", "kamradt", "--max-chars", "60", "--amount", "100", "--reasons")
    out = here("view", "x.txt", *arguments).out
    chosen = "limit: (the only place|best of \\d+ places), distance \\d\\.\\d\\d"
    assert re.search(f"^. {chosen}$", out, re.MULTILINE)
    assert " 0 cuts by score" in out.replace("\n", " ")


def test_a_sentence_cut_for_the_limit_has_no_distance(here: Run) -> None:
    Path("long.txt").write_text("word " * 50)
    out = here("view", "long.txt", "--strategy", "kamradt", "--max-chars", "60", "--reasons").out
    assert re.search("^. limit: ", out, re.MULTILINE)


def test_a_gradient_is_called_one(here: Run) -> None:
    arguments = ("--strategy", "kamradt", "--threshold", "gradient", "--amount", "50", "--reasons")
    out = here("view", "x.txt", "--max-chars", "300", *arguments).out
    assert "threshold of the gradient" in out
    assert re.search("cut: distance \\S+, gradient over", out)


def test_clusters_are_compared_with_a_mean(here: Run) -> None:
    out = here("view", "x.txt", "--strategy", "cluster", *SMALL, "--reasons").out
    boundaries = cw.chunk(TEXT, "cluster", max_chars=100, piece_max=30).boundaries
    assert boundaries is not None
    mean = f"{boundaries.thresholds[0]:.2f}"
    assert out.splitlines()[2].endswith(f", mean distance {mean}")
    assert re.search(f"cut: distance \\S+, mean {mean}$", out, re.MULTILINE)


def test_without_a_threshold_none_is_named(here: Run) -> None:
    arguments = ("--strategy", "discontinuity", "--max-chars", "120", "--reasons")
    out = here("view", "x.txt", *arguments).out
    assert out.splitlines()[2].endswith(" boundaries")
    assert re.search("cut: distance \\d\\.\\d\\d$", out, re.MULTILINE)


def test_an_overlap_has_no_marks(here: Run) -> None:
    options = {"max_chars": 120, "overlap": 50, "overlap_at": "sentence", "n_chunks": 2}
    out = here("view", "x.txt", "--strategy", "kamradt", *flags(options), "--reasons").out
    repeated = re.findall("⟪(.*?)⟫", out, re.DOTALL)
    assert repeated
    assert not any(re.search("[▁▂▃▄▅▆▇█]", part) for part in repeated)


def test_reasons_have_colours_on_a_terminal(on_terminal: Run) -> None:
    options = {"max_chars": 200, "n_chunks": 3}
    arguments = ("view", "x.txt", "--strategy", "kamradt", *flags(options), "--reasons")
    out = on_terminal(*arguments, COLORTERM="truecolor").out
    assert re.search("\x1b\\[1;31m. cut: distance", out)
    assert re.search("\x1b\\[38;2;180;35;24;48;2;[\\d;]+m[▁▂▃▄▅▆▇█]\\d\\.\\d\\d", out)
    plain = on_terminal(*arguments, NO_COLOR="1").out
    assert not re.search("\x1b\\[[\\d;]*3[18]", plain)
    assert "cut: distance" in plain


def test_an_empty_text_has_no_reasons(here: Run) -> None:
    Path("x.txt").write_text(" \n")
    out = here("view", "x.txt", "--strategy", "cluster", "--reasons").out
    assert out.startswith("x.txt: no chunks\n")
    assert "0 boundaries" in out


@pytest.mark.parametrize("strategy", ["recursive", "by_title"])
@pytest.mark.parametrize("option", [["--reasons"], ["--plot", "x.png"]])
def test_strategies_without_scores_have_no_reasons(
    here: Run, strategy: Any, option: list[str]
) -> None:
    result = here("view", "none.txt", "--strategy", strategy, "--max-chars", "90", *option)
    assert (result.code, result.out) == (2, "")
    assert f"strategy {strategy!r} has no scores to show; known are 'kamradt'" in result.err


@pytest.mark.parametrize(("name", "magic"), [("x.png", b"\x89PNG"), ("x.SVG", b"<?xml")])
def test_scores_are_drawn(here: Run, name: str, magic: bytes) -> None:
    pytest.importorskip("matplotlib")
    result = here("view", "x.txt", "--strategy", "cluster", *SMALL, "--plot", name)
    assert (result.code, result.err) == (0, "")
    assert Path(name).read_bytes().startswith(magic)
    assert "cut:" not in result.out


def test_a_plot_of_no_kind_is_wrong_usage(here: Run) -> None:
    pytest.importorskip("matplotlib")
    for name, message in {
        "x.gif": "cannot tell the format of x.gif",
        "none/x.png": "cannot write none/x.png",
    }.items():
        result = here("view", "x.txt", "--strategy", "cluster", "--plot", name)
        assert (result.code, result.out) == (2, "")
        assert message in result.err


# ---------------------------------------------------------------------- how far


def test_calls_of_an_embedder_are_counted_together() -> None:
    shown: list[tuple[int, int]] = []
    embedded = Embedded()
    embedded(0, 3)
    embedded(3, 3)
    embedded.show = lambda done, total: shown.append((done, total))
    for done, total in [(0, 2), (0, 2), (1, 2), (2, 2), (0, 4), (4, 4), (1, 1)]:
        embedded(done, total)
    assert shown == [(3, 5), (3, 5), (4, 5), (5, 5), (5, 9), (9, 9), (10, 10)]
    # One that fails has done what it has done.
    for done, total in [(2, 8), (0, 3), (3, 3)]:
        embedded(done, total)
    assert shown[-3:] == [(12, 18), (12, 15), (15, 15)]


def test_calls_side_by_side_are_counted_together() -> None:
    shown: list[tuple[int, int]] = []
    embedded = Embedded()
    embedded.show = lambda done, total: shown.append((done, total))
    embedded(1, 4)

    def call() -> None:
        for i in range(7):
            embedded(i, 6)

    other = Thread(target=call)
    other.start()
    other.join()
    embedded(4, 4)
    assert shown[1:] == [*((1 + i, 10) for i in range(7)), (10, 10)]
