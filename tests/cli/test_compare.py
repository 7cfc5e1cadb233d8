"""`chunkwright compare`: two settings side by side."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import chunkwright as cw
from chunkwright.cli.settings.spec import settings_of
from chunkwright.render.comparison import Summary, boundaries, histogram

from .commandline import GUIDE, Run

TEXT = "One two three.\n\nFour five six seven.\nEight nine.\n"
ESCAPE = "\x1b"


def table(out: str) -> dict[str, list[str]]:
    """The sizes: a row's name, and its values in A and B."""
    rows = (
        re.match(r" *(chunks|mean|min|p50|p90|max) +(\S+) +(\S+)\s*$", line)
        for line in out.splitlines()
    )
    return {row[1]: [row[2], row[3]] for row in rows if row}


def test_sizes_are_those_of_the_chunks(here: Run) -> None:
    result = here("compare", "docs/guide.md", "recursive:max_tokens=40", "window:max_chars=50")
    assert (result.code, result.err) == (0, "")
    a, b = cw.chunk(GUIDE, max_tokens=40).n_tokens, cw.chunk(GUIDE, "window", max_chars=50).n_tokens
    rows = table(result.out)
    assert rows["chunks"] == [str(len(a)), str(len(b))]
    assert rows["mean"] == [f"{a.mean():.1f}", f"{b.mean():.1f}"]
    assert rows["min"] == [str(a.min()), str(b.min())]
    assert rows["max"] == [str(a.max()), str(b.max())]
    head = result.out.splitlines()[:3]
    assert head == [
        "docs/guide.md",
        "A  recursive, max_tokens=40, tokenizer='cl100k_base'",
        "B  window, max_chars=50, tokenizer='cl100k_base'",
    ]
    assert ESCAPE not in result.out


def test_boundaries_that_differ_are_shown_with_line_and_context(here: Run) -> None:
    Path("x.txt").write_text(TEXT)
    out = here(
        "compare",
        "x.txt",
        "max_chars=21,separator=\\n",
        "separator=\\n\\n,max_chars=40",
        "--boundaries",
    ).out
    shown = out[out.index("boundaries:") :].splitlines()
    assert shown == [
        "boundaries: 1 shared (50% of all), 1 only in A, 0 only in B",
        "A  line 4  wo three.␊␊Four five six seven.␊│Eight nine.␊",
    ]


def columns(out: str) -> list[tuple[str, str]]:
    """What stands side by side: what is left and right of the line between the columns."""
    rows = (line.partition(" │") for line in out.splitlines() if " │" in line)
    return [(left.rstrip(), right.strip()) for left, _, right in rows]


def test_the_text_side_by_side(here: Run) -> None:
    Path("x.txt").write_text(TEXT)
    out = here(
        "compare", "x.txt", "max_chars=21,separator=\\n", "separator=\\n\\n,max_chars=40"
    ).out
    shown = out[out.index("boundaries:") :].splitlines()
    assert shown[1:3] == ["", "⋯ line 3"]
    assert [(left.rstrip("─ "), right.rstrip("─ ")) for left, right in columns(out)] == [
        ("── A 0 · 4 tokens", "── B 0 · 4 tokens"),
        ("Four five six seven.", "Four five six seven."),
        ("── A 1 · 5 tokens", ""),
        ("Eight nine.", "Eight nine."),
        ("── A 2 · 3 tokens", "── B 1 · 8 tokens"),
    ]


def test_all_of_the_text(here: Run) -> None:
    both = ("recursive:max_tokens=40", "window:max_chars=50")
    some = columns(here("compare", "docs/guide.md", *both).out)
    found = columns(here("compare", "docs/guide.md", *both, "--all").out)
    assert set(some) <= set(found)
    texts = [pair for pair in found if "─" not in "".join(pair)]
    assert [left for left, _ in texts] == [right for _, right in texts]
    assert "".join("".join(left.split()) for left, _ in texts) == "".join(GUIDE.split())
    same = columns(here("compare", "docs/guide.md", both[0], both[0], "--all").out)
    assert len([pair for pair in same if "─" not in "".join(pair)]) > 30
    assert not columns(here("compare", "docs/guide.md", both[0], both[0]).out)


def test_a_cut_by_meaning_says_why(here: Run) -> None:
    Path("x.txt").write_text("The cat naps. The cat purrs. Rust is a language. It has types. " * 3)
    out = here("compare", "x.txt", "kamradt:max_chars=99,amount=50", "window:max_chars=40").out
    said = " ".join(left for left, _ in columns(out) if left)
    assert re.search(r"── A 0 · \d+ tokens · \S cut: distance \d\.\d\d", said)
    assert "end of the text" in said


def test_far_from_a_difference_nothing_is_shown(here: Run) -> None:
    lines = [f"Line {i} of many.\n" for i in range(400)]
    lines[200] = "A line of the middle that is longer than all the others of this text.\n"
    Path("x.txt").write_text("".join(lines))
    a, b = (f"separator=\\n{more},max_chars=30" for more in ("", ",separator= "))
    out = here("compare", "x.txt", a, b).out
    assert "⋯ line 201" in out
    assert 4 < len(columns(out)) < 20
    assert len(columns(here("compare", "x.txt", a, b, "--all").out)) > 400


@pytest.mark.parametrize("width", [20, 53, 80, 100, 200])
def test_columns_are_as_wide_as_the_terminal(
    here: Run, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    Path("x.txt").write_text("日本語のテキスト。" * 20 + "\n" + "שלום עולם " * 20 + "\ta" * 30)
    out = here("compare", "x.txt", "max_chars=50", "window:max_chars=33").out
    rows = [line for line in out.splitlines() if " │" in line and line[:3] not in {"A  ", "B  "}]
    # Too narrow for two columns is shown as a list.
    assert bool(rows) == (width >= 53)
    places = {cell_len(row.partition(" │")[0]) for row in rows}
    assert places <= {(width - 3) // 2}
    assert all(cell_len(row) <= width for row in rows)


def test_the_same_settings_have_no_differences(here: Run) -> None:
    out = here("compare", "docs/guide.md", "recursive", "recursive", "--max-tokens", "40").out
    assert out.rstrip().endswith("shared (100% of all), 0 only in A, 0 only in B")


def test_flags_and_files_hold_for_both_and_a_setting_goes_before(here: Run) -> None:
    Path("chunkwright.toml").write_text(
        "max_tokens = 70\noverlap = 8\n[small]\nmax_tokens = 20\n[other]\nstrategy = 'window'\n"
    )
    out = here("compare", "docs/guide.md", "small", "other:overlap=3", "--overlap", "5").out
    assert out.splitlines()[1:3] == [
        "A  recursive, max_tokens=20, overlap=5, tokenizer='cl100k_base'",
        "B  window, max_tokens=70, overlap=3, tokenizer='cl100k_base'",
    ]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("recursiv", "did you mean 'recursive'?"),
        ("smal", "did you mean 'small'?"),
        ("", "'' is neither a strategy nor a table"),
        (":max_tokens=3", "'' is neither a strategy nor a table"),
        ("recursive:max_token=3", "unknown key 'max_token'; did you mean 'max_tokens'?"),
        ("recursive:quiet=true", "unknown key 'quiet'"),
        ("recursive:max_tokens", "'max_tokens' is not KEY=VALUE"),
        ("recursive:max_tokens=x", "max_tokens must be an integer, got 'x'"),
        ("recursive:max_tokens=0", "max_tokens must be"),
        ("recursive:max_tokens=5,max_chars=5", "exactly one of"),
        ("wrong", "table 'wrong': unknown key 'max'"),
        ("odd", "table 'odd': max_tokens must be an integer, got '5'"),
        ("recursive:tokenizer=cl100k", "did you mean 'cl100k_base'?"),
    ],
)
def test_a_wrong_setting_is_wrong_usage(here: Run, spec: str, message: str) -> None:
    Path("chunkwright.toml").write_text(
        "[small]\nmax_tokens = 9\n[wrong]\nmax = 9\n[odd]\nmax_tokens = '5'\n"
    )
    for pair in ((spec, "window"), ("window", spec)):
        result = here("compare", "docs/guide.md", *pair)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
        assert len(result.err.splitlines()) == 1


def test_what_cannot_be_read_is_named(here: Run) -> None:
    result = here("compare", "none.txt", "recursive", "window")
    assert (result.code, result.out) == (1, "")
    assert result.err == "Failed: none.txt: No such file or directory\n"


@pytest.mark.parametrize("arguments", [[], ["docs/guide.md"], ["docs/guide.md", "recursive"]])
def test_all_three_are_needed(here: Run, arguments: list[str]) -> None:
    assert here("compare", *arguments).code == 2


def test_an_empty_text(here: Run) -> None:
    Path("x.txt").write_text(" \n")
    out = here("compare", "x.txt", "recursive", "window").out
    assert table(out)["mean"] == ["-", "-"]
    assert "boundaries: 0 shared, 0 only in A, 0 only in B" in out


@pytest.mark.parametrize("view", [[], ["--all"], ["--boundaries"]])
def test_nothing_in_a_text_steers_the_terminal(here: Run, view: list[str]) -> None:
    steering = "a\x1b[31mb\x07c d\re [bold]f\x9bg \u202ehi\u2066 \tj\u2028k\x0c"
    Path("x.txt").write_text(steering * 9, newline="")
    out = here("compare", "x.txt", "max_chars=9", "window:max_chars=7", *view).out
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", out)
    if view != ["--boundaries"]:
        assert not re.search("[\u2028\u202a-\u202e\u2066-\u2069]", out)
    assert "bold" in out


@pytest.mark.parametrize(
    "text", ["", " \n", "a", "\n\na\n\n", "a" * 500, "\u0301" * 3000, "a\n" * 300]
)
def test_odd_texts(here: Run, text: str) -> None:
    Path("x.txt").write_text(text, newline="")
    for view in ([], ["--all"]):
        assert here("compare", "x.txt", "max_chars=9", "window:max_chars=7", *view).code == 0


def test_standard_input_and_a_pager(spawn: Run, on_terminal: Run) -> None:
    out = spawn("compare", "-", "recursive", "window", stdin=b"one").out
    assert out.startswith("standard input\n")
    paged = on_terminal("compare", "docs/guide.md", "max_tokens=9", "window", PAGER="sed s/^/P/")
    assert paged.out.startswith("P")
    assert ESCAPE in paged.out


@given(st.text(alphabet="ab \n\u3000", max_size=60), st.integers(1, 9), st.integers(0, 4))
def test_boundaries_are_where_bodies_begin(text: str, size: int, overlap: int) -> None:
    chunks = cw.chunk(text, "window", max_chars=size, overlap=min(overlap, size - 1))
    found = list(boundaries(text, chunks))
    assert found == sorted(set(found))
    assert all(not text[position].isspace() and text[:position].strip() for position in found)
    assert len(found) == max(0, len(chunks) - 1)


def test_boundaries_in_one_gap_are_the_same() -> None:
    text = "one    two"
    cuts = [boundaries(text, cw.chunk(text, "window", max_chars=n)) for n in (5, 6, 7)]
    assert cuts == [{7: 0}] * 3


@given(st.lists(st.integers(1, 10_000), min_size=1))
def test_a_histogram_counts_every_size_once(sizes: list[int]) -> None:
    bins = histogram([sizes, []])
    assert len(bins) <= 11
    assert sum(counts[0] for _, _, counts in bins) == len(sizes)
    assert all(after[0] == before[1] + 1 for before, after in pairwise(bins))


@given(st.lists(st.integers(1, 99), min_size=1))
def test_a_summary_says_sizes_that_are_there(sizes: list[int]) -> None:
    summary = Summary.of(sizes)
    assert {summary.least, summary.median, summary.p90, summary.most} <= set(sizes)
    assert summary.p90 is not None
    assert sum(size <= summary.p90 for size in sizes) >= 0.9 * len(sizes)
    assert (summary.least, summary.most) == (min(sizes), max(sizes))


def test_settings_in_one_word() -> None:
    assert settings_of("window", {}) == [{"strategy": "window"}]
    assert settings_of("max_chars=5", {}) == [{"max_chars": 5}]
    assert settings_of(r"recursive:separator=\n\n,separator=\,,separator=:", {}) == [
        {"strategy": "recursive"},
        {"separators": ["\n\n", ",", ":"]},
    ]
    assert settings_of("t:overlap=5", {"t": {"strategy": "window"}}) == [
        {"strategy": "window"},
        {"overlap": 5},
    ]
