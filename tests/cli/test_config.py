"""Where a setting comes from: flag, environment, file, default."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import chunkwright as cw
from chunkwright.cli.settings.merging import merge
from chunkwright.cli.settings.table import rows
from tests.support.odd_toml import DEEP, odd_tables, written

from .commandline import Run


def most(here: Run, *arguments: str) -> int:
    """The largest chunk of a text of one-token words, in tokens."""
    Path("long.txt").write_text("word " * 2000)
    result = here("chunk", "long.txt", *arguments)
    assert result.code == 0, result.err
    sizes: list[int] = [row["n_tokens"] for row in result.rows]
    return max(sizes)


def test_flag_over_environment_over_file_over_default(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert most(here) == 512
    Path("pyproject.toml").write_text("[tool.chunkwright]\nmax_tokens = 300\n")
    assert most(here) == 300
    Path("chunkwright.toml").write_text("max_tokens = 200\n")
    assert most(here) == 200
    Path("mine.toml").write_text("max_tokens = 150\n")
    assert most(here, "--config", "mine.toml") == 150
    monkeypatch.setenv("CHUNKWRIGHT_MAX_TOKENS", "100")
    assert most(here, "--config", "mine.toml") == 100
    assert most(here, "--max-tokens", "50") == 50


def test_config_may_be_named_by_the_environment(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("mine.toml").write_text("max_tokens = 150\n")
    monkeypatch.setenv("CHUNKWRIGHT_CONFIG", "mine.toml")
    assert most(here) == 150


def test_a_pyproject_may_be_named_and_may_say_nothing(here: Run) -> None:
    Path("sub").mkdir()
    Path("sub/pyproject.toml").write_text("[tool.chunkwright]\nmax_tokens = 70\n")
    assert most(here, "--config", "sub/pyproject.toml") == 70
    Path("pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert most(here) == 512


def test_every_kind_of_value(here: Run) -> None:
    Path("x.txt").write_bytes(b"a;b;c\xe9")
    Path("chunkwright.toml").write_text(
        'max_chars = 3\nseparators = [";"]\nencoding = "latin-1"\nquiet = true\nfail_fast = true\n'
    )
    result = here("chunk", "x.txt", "--out", "x.jsonl")
    assert (result.code, result.err) == (0, "")
    assert "é" in Path("x.jsonl").read_text(encoding="utf-8")


def test_a_file_says_a_spec(here: Run) -> None:
    text = "one;two:three"
    Path("x.txt").write_text(text)
    marks: list[str | cw.Separator] = [";", cw.Separator("[:]", regex=True, keep="end")]
    splitter = cw.Recursive(max_chars=5, separators=marks)
    spec = splitter.spec
    assert spec["separators"][1] == {"pattern": "[:]", "regex": True, "keep": "end"}
    Path("chunkwright.toml").write_text(
        f'strategy = "{spec["strategy"]}"\nmax_chars = {spec["max_chars"]}\n'
        'separators = [";", { pattern = "[:]", regex = true, keep = "end" }]\n'
    )
    rows = here("chunk", "x.txt").rows
    assert [row["text"] for row in rows] == splitter(text).texts()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max-tokens = 5", "unknown key 'max-tokens'; did you mean 'max_tokens'?"),
        ("overlp = 5", "unknown key 'overlp'; did you mean 'overlap'?"),
        ("max_tokens = '5'", "max_tokens must be an integer, got '5'"),
        ("max_tokens = true", "max_tokens must be an integer, got True"),
        ("strategy = 5", "strategy must be a string, got 5"),
        ("quiet = 1", "quiet must be true or false, got 1"),
        ("separators = ';'", "--separators must be a list, or a name such as 'python', got ';'"),
        ("separators = 'pyton'", "unknown --separators 'pyton': did you mean 'python'?"),
        ("separators = [1]", "a separator must be a str, got 1"),
        ("isolate_tables = 1", "isolate_tables must be true or false, got 1"),
        ("max_tokens = ", "is not TOML"),
        ("max_tokens = 0", "--max-tokens must be"),
    ],
)
def test_a_wrong_file_is_wrong_usage(here: Run, text: str, message: str) -> None:
    Path("chunkwright.toml").write_text(text)
    for command in ("chunk", "view"):
        result = here(command, "docs/guide.md")
        assert (result.code, result.out) == (2, "")
        assert message in result.err


def test_a_wrong_key_names_its_file(here: Run) -> None:
    Path("pyproject.toml").write_text("[tool.chunkwright]\nmax = 5\n")
    assert here("chunk", "docs").err.startswith("Error: pyproject.toml: unknown key 'max'; ")


def test_a_file_that_is_no_utf8_is_wrong_usage(here: Run) -> None:
    Path("chunkwright.toml").write_bytes(b"\xff")
    assert here("chunk", "docs").code == 2


def test_a_wrong_variable_is_wrong_usage(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKWRIGHT_OVERLAP", "much")
    result = here("chunk", "docs")
    assert result.code == 2
    assert result.err == "Error: CHUNKWRIGHT_OVERLAP: 'much' is not an integer\n"


def test_a_limit_replaces_the_sizes_that_were_in_the_other_unit() -> None:
    lower = {"max_tokens": 512, "overlap": 64, "soft_max": 400, "tokenizer": "o200k_base"}
    assert merge([lower, {"max_chars": 90}]) == {"max_chars": 90, "tokenizer": "o200k_base"}
    assert merge([lower, {"max_tokens": 90}]) == {**lower, "max_tokens": 90}
    assert merge([{"overlap": 5}, {"max_chars": 90}]) == {"overlap": 5, "max_chars": 90}
    assert merge([lower, {"max_chars": 90, "overlap": 9}]) == {
        "max_chars": 90,
        "overlap": 9,
        "tokenizer": "o200k_base",
    }


def test_both_limits_at_one_level_stay_for_the_library_to_refuse() -> None:
    both = {"max_tokens": 5, "max_chars": 5}
    assert merge([{"max_tokens": 9}, both]) == both


def test_separators_by_name_and_one_by_one_replace_each_other(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "import os\n\ndef f():\n    pass\n\ndef g():\n    return 1\n"
    Path("f.py").write_text(code)
    named = cw.Recursive(separators="python", max_chars=24)(code).texts()
    listed = cw.Recursive(separators=["p", "r"], max_chars=24)(code).texts()
    assert named != listed

    def cut(*arguments: str) -> list[str]:
        return [row["text"] for row in here("chunk", "f.py", "--max-chars", "24", *arguments).rows]

    assert cut("--separators", "python") == named
    assert cut("--separator", "p", "--separator", "r") == listed
    Path("chunkwright.toml").write_text('separators = ["p", "r"]\n')
    assert cut() == listed
    monkeypatch.setenv("CHUNKWRIGHT_SEPARATORS", "python")
    assert cut() == named
    assert cut("--separator", "p", "--separator", "r") == listed
    Path("chunkwright.toml").write_text('separators = "python"\n')
    monkeypatch.delenv("CHUNKWRIGHT_SEPARATORS")
    assert cut() == named
    both = here("chunk", "f.py", "--separators", "python", "--separator", "p")
    assert (both.code, both.out) == (2, "")
    assert both.err == "Error: --separator takes the place of --separators: give one of the two\n"


def test_a_language_of_code_is_a_value_of_separators(here: Run) -> None:
    result = here("chunk", "docs/guide.md", "--language", "python")
    assert (result.code, result.out) == (2, "")
    assert "has no --language, which is for 'sentence', 'balanced'" in result.err
    assert "--separators='python'" in result.err


def test_every_option_of_a_strategy_is_a_setting(here: Run) -> None:
    items = [{"type": "Text", "text": "One two."}, {"type": "Text", "text": "Three four."}]
    Path("e.json").write_text(json.dumps(items))
    arguments = ("chunk", "e.json", "--strategy", "basic", "--max-chars", "40")
    joined = here(*arguments, "--soft-max", "40").rows
    assert [row["text"] for row in joined] == ["One two.\n\nThree four."]
    # Of a higher level, false replaces true.
    Path("chunkwright.toml").write_text("overlap_all = true\noverlap = 6\nsoft_max = 7\n")
    assert here(*arguments).rows[1]["text"] != "Three four."
    assert here(*arguments, "--no-overlap-all").rows[1]["text"] == "Three four."


def test_another_strategy_replaces_what_it_lacks() -> None:
    one = {"strategy": "sentence", "sentences": 3, "window": 1, "language": "de"}
    assert merge([one, {"strategy": "recursive"}]) == {"strategy": "recursive"}
    assert merge([one, {"strategy": "sentence"}]) == one
    assert merge([one, {"strategy": "window", "sentences": 2}]) == {
        "strategy": "window",
        "sentences": 2,
    }


def test_a_window_and_an_overlap_replace_each_other() -> None:
    assert merge([{"overlap": 5}, {"window": 1}]) == {"window": 1}
    assert merge([{"window": 1}, {"overlap": 5}]) == {"overlap": 5}


def test_what_one_strategy_has_does_not_leak_into_another() -> None:
    one = {
        "strategy": "kamradt",
        "max_tokens": 200,
        "embedder": "models/mine",
        "language": "de",
        "window": 2,
        "threshold": "gradient",
        "min_size": 20,
    }
    shared = {"max_tokens": 200, "embedder": "models/mine", "language": "de", "min_size": 20}
    for other in ("cluster", "discontinuity", "kamradt_modified"):
        # A window is not the same in two strategies.
        assert merge([one, {"strategy": other}]) == {**shared, "strategy": other}
    assert merge([one, {"strategy": "kamradt", "window": 3}]) == {**one, "window": 3}
    assert merge([one, {"strategy": "sentence"}]) == {
        "strategy": "sentence",
        "max_tokens": 200,
        "language": "de",
        "min_size": 20,
    }
    assert merge([one, {"strategy": "recursive"}]) == {
        "strategy": "recursive",
        "max_tokens": 200,
        "min_size": 20,
    }
    # What nobody has said is of which strategy may be of any that has it.
    assert merge([{"window": 2, "piece_max": 30}, {"strategy": "kamradt_modified"}]) == {
        "strategy": "kamradt_modified",
        "window": 2,
        "piece_max": 30,
    }


def test_a_threshold_comes_with_its_amount() -> None:
    lower = {"strategy": "kamradt", "threshold": "interquartile", "amount": 2.0}
    assert merge([lower, {"threshold": "percentile"}]) == {
        "strategy": "kamradt",
        "threshold": "percentile",
    }
    assert merge([lower, {"amount": 1.0}]) == {**lower, "amount": 1.0}
    assert merge([lower, {"n_chunks": 5}]) == {"strategy": "kamradt", "n_chunks": 5}
    assert merge([lower, {"n_chunks": 5}, {"amount": 3.0}]) == {
        "strategy": "kamradt",
        "amount": 3.0,
    }


def test_a_window_of_embedding_and_an_overlap_stay_together() -> None:
    one = {"strategy": "kamradt", "overlap": 20}
    assert merge([one, {"window": 2}]) == {**one, "window": 2}
    assert merge([{"overlap": 20}, {"window": 2}, {"strategy": "kamradt"}]) == {**one, "window": 2}
    assert merge([{"strategy": "sentence", "overlap": 20}, {"window": 2}]) == {
        "strategy": "sentence",
        "window": 2,
    }


def test_sizes_of_meaning_are_in_the_limits_unit_too() -> None:
    lower = {"strategy": "cluster", "max_tokens": 200, "piece_max": 30, "mean": "local"}
    assert merge([lower, {"max_chars": 900}]) == {
        "strategy": "cluster",
        "max_chars": 900,
        "mean": "local",
    }


def test_tables_are_other_settings(here: Run) -> None:
    Path("chunkwright.toml").write_text("max_tokens = 70\n\n[small]\nmax_tokens = 9\n")
    assert most(here) == 70
    Path("chunkwright.toml").write_text("[separators]\nfirst = ';'\n")
    message = "separators must be a list, or a name such as 'python', got {"
    assert message in here("chunk", "docs").err


@pytest.mark.parametrize("name", ["chunkwright.toml", "pyproject.toml"])
@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("chunk]\nmax_tokens = 3", "unknown table [chunk]: chunk takes its settings from outside"),
        ("chunks]\nmax_tokens = 3", "unknown table [chunks]: chunk takes"),
        ("Index]", "unknown table [Index]: index takes"),
        ("small]\nmax_token = 3", "table 'small': unknown key 'max_token'; did you mean"),
        ("small]\nmax_tokens = '3'", "table 'small': max_tokens must be an integer, got '3'"),
        ("recursive]\nchunk_size = 3", "table 'recursive': unknown key 'chunk_size'; here it is"),
    ],
)
def test_tables_that_no_command_takes_are_refused(
    here: Run, name: str, table: str, message: str
) -> None:
    begin = "[" if name == "chunkwright.toml" else "[tool.chunkwright."
    Path(name).write_text(begin + table + "\n")
    for command in ("chunk", "count"):
        result = here(command, "docs")
        assert (result.code, result.out) == (2, "")
        assert message in result.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tool = 5", "tool must be a table, got 5"),
        ("[[tool]]\nx = 1", "tool must be a table, got [{'x': 1}]"),
        ("[tool]\nchunkwright = 'x'", "chunkwright must be a table, got 'x'"),
        ("[[tool.chunkwright]]\nmax_tokens = 5", "chunkwright must be a table, got [{"),
        ("[tool.chunkwright]\nmax = 5", "unknown key 'max'"),
    ],
)
def test_a_wrong_project_file_is_wrong_usage(here: Run, text: str, message: str) -> None:
    Path("pyproject.toml").write_text(text)
    result = here("chunk", "docs")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"Error: pyproject.toml: {message}")
    result = here("doctor")
    assert (result.code, result.err) == (0, "")
    assert f"configuration\tpyproject.toml: {message}" in result.out


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
@pytest.mark.parametrize("name", ["chunkwright.toml", "pyproject.toml"])
def test_depth_is_wrong_usage(here: Run, name: str, text: str) -> None:
    Path(name).write_text(text)
    message = f"{name} is nested too deeply: more than 32 tables and arrays in one"
    assert here("chunk", "docs") == (2, "", f"Error: {message}\n")
    result = here("doctor")
    assert result.code == 0
    assert message in result.out
    assert json.loads(here("doctor", "--json").out)["config_error"] == message


@given(table=odd_tables({row.name for row in rows()} - {"workers", "format", "quiet"}))
def test_any_values_are_taken_or_named(here: Run, table: dict[str, Any]) -> None:
    Path("chunkwright.toml").write_text(written(table), encoding="utf-8")
    result = here("chunk", "docs/deep/notes.txt")
    if result.code:
        assert len(result.err.splitlines()) == 1
        assert result.err.startswith(("Error: ", "Failed: "))
    shown = here("doctor")
    assert shown.code == 0


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("CHUNKWRIGHT_MAX_TOKEN", "did you mean CHUNKWRIGHT_MAX_TOKENS?"),
        ("CHUNKWRIGHT_MAXTOKENS", "did you mean CHUNKWRIGHT_MAX_TOKENS?"),
        ("CHUNKWRIGHT_CHUNK_SIZE", "here it is max_tokens or max_chars"),
    ],
)
def test_a_misspelt_variable_is_told(
    here: Run, monkeypatch: pytest.MonkeyPatch, variable: str, said: str
) -> None:
    monkeypatch.setenv(variable, "5")
    for command in ("chunk", "count", "view"):
        done = here(command, "docs/guide.md")
        assert (done.code, done.err) == (0, f"Warning: {variable} is no setting: {said}\n")


@pytest.mark.parametrize(
    "variable",
    ["SHARED", "CACHE", "EXAMPLES", "SEMCHUNK", "PORT", "SERVICE_HOST", "PORT_80_TCP", "", "MODEL"],
)
def test_variables_of_others_are_left_alone(
    here: Run, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(f"CHUNKWRIGHT_{variable}", "x")
    assert here("count", "docs/guide.md").err == ""


def test_words_of_other_libraries_are_told_as_flags_and_keys(here: Run) -> None:
    Path("other.toml").write_text("chunk_size = 100\n")
    done = here("chunk", "docs/guide.md", "--config", "other.toml")
    said = "here it is max_tokens or max_chars"
    assert (done.code, done.err) == (2, f"Error: other.toml: unknown key 'chunk_size'; {said}\n")
    done = here("compare", "docs/guide.md", "recursive:chunk_size=100", "window")
    assert (done.code, done.err) == (
        2,
        f"Error: 'recursive:chunk_size=100': unknown key 'chunk_size'; {said}\n",
    )
    done = here("chunk", "docs/guide.md", "--chunk-size", "100")
    said = "No such option: --chunk-size: here it is --max-tokens or --max-chars"
    assert (done.code, done.err.splitlines()[-1]) == (2, f"Error: {said}")
    done = here("count", "docs/guide.md", "--chunk-size", "100")
    assert "max-tokens" not in done.err
    done = here("chunk", "docs/guide.md", "--strategy", "markdown")
    assert done.code == 2
    assert "is here 'recursive' with separators='markdown', or 'hybrid'" in done.err
