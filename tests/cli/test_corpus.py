"""`chunkwright corpus`: runs over folders of mixed files, that go on, and what is said of them."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.cli.settings.merging import default_strategy
from chunkwright.settings import bytes_of
from tests.embed.made_models import write_model

from .asked import model_of
from .commandline import COMMAND, Run

pa = pytest.importorskip("pyarrow", reason="corpora are tables of Arrow")
import pyarrow.parquet as pq  # noqa: E402 - only where it is installed

SMALL = ("--strategy", "recursive", "--max-tokens", "20")
SENTENCES = 12


def rows(name: str, n: int) -> list[dict[str, Any]]:
    """Rows whose texts have several chunks each."""
    return [
        {"text": " ".join(f"{name} {i} says {j}." for j in range(SENTENCES)), "year": 2000 + i}
        for i in range(n)
    ]


def lines(name: str, n: int) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows(name, n))


@pytest.fixture
def mixed(folder: Path) -> Path:
    """A folder with documents of all kinds: 4 in each table, and a file of Markdown."""
    made = folder / "in"
    made.mkdir()
    (made / "a.jsonl").write_text(lines("A", 4))
    (made / "b.jsonl.gz").write_bytes(gzip.compress(lines("B", 4).encode()))
    pq.write_table(pa.Table.from_pylist(rows("C", 4)), made / "c.parquet")
    (made / "d.md").write_text("# Title\n\nA text in a file.\n")
    return made


def read(out: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(out).to_pylist()
    return found


def values(text: str) -> dict[str, str]:
    return dict(line.split("\t") for line in text.splitlines())


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_of_mixed_files_is_cut(here: Run, mixed: Path) -> None:
    result = here("corpus", mixed.name, "--out", "out", *SMALL)
    assert (result.code, result.out) == (0, "")
    found = read("out")
    assert result.err.startswith(f"{len(found)} chunks of 13 documents written in ")
    assert f"\nout holds {len(found)} chunks of 13 documents, " in result.err
    text = rows("C", 4)[2]["text"]
    document = cw.Document(text=text, name=cw.Document(text=text).id)
    chunks = cw.chunk(document, "recursive", max_tokens=20)
    own = [row for row in found if row["document"] == document.name]
    assert [row["chunk_id"] for row in own] == chunks.ids
    assert {row["year"] for row in own} == {2002}
    assert {row["document"] for row in found if row["year"] is None} == {"d.md"}


def test_a_second_run_does_nothing_and_says_so(here: Run, mixed: Path) -> None:
    here("corpus", mixed.name, "--out", "out", *SMALL)
    before = tree(Path("out"))
    result = here("corpus", mixed.name, "--out", "out", *SMALL)
    assert result.code == 0
    assert result.err.startswith("Nothing to do: done already are all of 1 shard\nout holds ")
    after = tree(Path("out"))
    changed = {name for name in before if before[name] != after[name]}
    assert {Path(name).name for name in changed} <= {"run.json", "lock", "settings.json"}


def test_a_change_of_settings_is_told_and_done(here: Run, mixed: Path) -> None:
    here("corpus", mixed.name, "--out", "out", *SMALL)
    before = tree(Path("out"))
    flags = ("corpus", mixed.name, "--out", "out", *SMALL[:-1], "40", "--overlap", "4")
    was, now = "'max_tokens': 20, 'overlap': 0", "'max_tokens': 40, 'overlap': 4"
    told = f"Changed since the last run: strategy: {was} -> {now}"
    refused = here(*flags)
    assert refused.code == 2
    assert refused.err.splitlines()[0] == told
    assert "say --force to have it replaced" in refused.err
    planned = here(*flags, "--dry-run").err.splitlines()
    assert planned[:2] == [told, "All of out would be made anew: that takes --force"]
    unchanged = {name for name in before if not name.endswith("lock")}
    assert {name: tree(Path("out"))[name] for name in unchanged} == {
        name: before[name] for name in unchanged
    }
    first, *others = here(*flags, "--force").err.splitlines()
    assert first == told
    assert others[:2] == [
        "Made again: all of 1 shard",
        "Kept until all of it is made: 1 shard of settings before",
    ]
    assert max(row["n_tokens"] for row in read("out")) > 20
    assert len(list(Path("out").glob("*.parquet"))) == 1


def test_shards_of_inputs_that_are_gone_are_removed(here: Run, mixed: Path) -> None:
    flags = ("--out", "out", "--shard-size", "1", *SMALL)
    here("corpus", mixed.name, *flags)
    n_shards = len(list(Path("out").glob("*.parquet")))
    (mixed / "b.jsonl.gz").unlink()
    result = here("corpus", mixed.name, *flags)
    assert result.code == 0
    assert "Removed: 1 shard of inputs before" in result.err
    assert len(list(Path("out").glob("*.parquet"))) == n_shards - 1
    (mixed / "new.md").write_text("A new one.")
    result = here("corpus", mixed.name, *flags)
    assert f"Done already: {n_shards - 1} of {n_shards} shards" in result.err
    assert "1 chunk of 1 document written" in result.err


def test_a_dry_run_estimates_and_writes_nothing(here: Run, mixed: Path, folder: Path) -> None:
    before = tree(folder)
    result = here(
        "corpus", mixed.name, "--out", "out", "--dry-run", "--price", "20", "--shard-size", "1kB",
        *SMALL,
    )  # fmt: skip
    assert (result.code, tree(folder)) == (0, before)
    assert not Path("out").exists()
    estimated, total = result.err.splitlines()
    assert estimated.startswith("Estimated by 100.0% of ")
    assert re.fullmatch(r"It would take some [\d.]+ m?s on this machine, and cost 0.02", total)
    found = values(result.out)
    assert found["documents"] == "13"
    here("corpus", mixed.name, "--out", "out", "--shard-size", "1kB", *SMALL)
    rows_ = read("out")
    assert int(found["chunks"]) == len(rows_)
    assert int(found["tokens"]) == sum(row["n_tokens"] for row in rows_)
    assert float(found["cost"]) == pytest.approx(int(found["tokens"]) * 20e-6, rel=1e-3)
    assert int(found["shards"]) == len(list(Path("out").glob("*.parquet")))


def test_a_dry_run_needs_no_output(here: Run, mixed: Path) -> None:
    result = here("corpus", mixed.name, "--dry-run", "--quiet", *SMALL)
    assert (result.code, result.err) == (0, "")
    assert "cost" not in values(result.out)


def test_the_state_of_an_output_is_shown(here: Run, mixed: Path) -> None:
    here("corpus", mixed.name, "--out", "out", "--shard-size", "1", *SMALL)
    found = values(here("corpus", "--status", "out").out)
    n_shards = str(len(list(Path("out").glob("*.parquet"))))
    assert found["shards"] == found["shards_done"] == n_shards
    assert found["input_bytes"] == found["done_bytes"]
    assert (found["documents"], found["running"]) == ("13", "no")
    next(Path("out", "_run", "shards").iterdir()).unlink()
    found = values(here("corpus", "--status", "out").out)
    assert int(found["shards_done"]) == int(n_shards) - 1
    assert int(found["done_bytes"]) < int(found["input_bytes"])


def test_a_run_that_is_going_on_is_named_and_may_be_waited_for(
    here: Run, spawn: Run, mixed: Path
) -> None:
    from chunkwright.corpus.output.lock import locked

    here("corpus", mixed.name, "--out", "out", *SMALL)
    with locked("out/_run/lock"):
        own = f"process {os.getpid()} on "
        assert own in values(spawn("corpus", "--status", "out").out)["running"]
        result = spawn("corpus", mixed.name, "--out", "out", *SMALL)
        assert result.code == 1
        assert result.err.startswith(f"Error: out is written by {own}")
        waiting = subprocess.Popen(
            [*COMMAND, "corpus", mixed.name, "--out", "out", "--wait", *SMALL],
            stderr=subprocess.PIPE,
        )
        assert waiting.stderr is not None
        assert waiting.stderr.readline().startswith(f"Waiting: out is written by {own}".encode())
        assert waiting.poll() is None
    _, error = waiting.communicate(timeout=60)
    assert (waiting.returncode, error[:14]) == (0, b"Nothing to do:")


def test_what_fails_is_named_and_in_files(here: Run, mixed: Path) -> None:
    with (mixed / "a.jsonl").open("a") as file:
        file.write("no JSON\n" + json.dumps({"txt": "no text", "year": 1}) + "\n")
    result = here("corpus", mixed.name, "nothing", "--out", "out", *SMALL)
    assert result.code == 1
    assert "Failed: a.jsonl:5: not JSON at column 1" in result.err
    assert "Failed: a.jsonl:6: no field 'text'" in result.err
    assert "Failed: nothing: no such file or folder" in result.err
    assert "Failed: 2 in all; why, say the files in out/_errors" in result.err
    failures = pq.read_table("out/_errors").to_pylist()
    assert [failure["place"] for failure in failures] == ["a.jsonl:5", "a.jsonl:6"]
    # What failed is known also to who comes later.
    again = here("corpus", mixed.name, "--out", "out", *SMALL)
    assert again.code == 1
    assert values(here("corpus", "--status", "out").out)["failed"] == "2"


def test_of_many_failures_some_are_named(here: Run, mixed: Path) -> None:
    (mixed / "a.jsonl").write_text("no JSON\n" * 99)
    result = here("corpus", mixed.name, "--out", "out", *SMALL)
    assert result.err.count("not JSON") == 20
    assert "Failed: 99 in all" in result.err


@pytest.mark.parametrize("flags", [("--max-errors", "0"), ("--fail-fast",)])
def test_too_many_failures_end_the_run(here: Run, mixed: Path, flags: tuple[str, ...]) -> None:
    (mixed / "a.jsonl").write_text("no JSON\n")
    result = here("corpus", mixed.name, "--out", "out", *SMALL, *flags)
    assert result.code == 1
    assert "Error: 1 documents and inputs failed, and 0 may (--max-errors)" in result.err
    again = ("corpus", mixed.name, "--out", "out", "--max-errors", "1", *SMALL)
    assert here(*again).code == 1
    assert here(*again, "--allow-errors").code == 0
    (mixed / "b.jsonl.gz").write_bytes(b"")
    assert here("corpus", mixed.name, "none.md", "--out", "o", "--allow-errors", *SMALL).code == 1
    assert len(read("out")) > 9


def test_an_input_that_is_missing_is_one_of_the_failures(here: Run, mixed: Path) -> None:
    result = here("corpus", mixed.name, "nothing", "--out", "out", "--fail-fast", *SMALL)
    assert result.code == 1
    assert "(--max-errors)" in result.err
    assert not list(Path("out").glob("*.parquet"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "INPUT: name a file, a folder or an address to read"),
        (("in",), "--out: name the folder to write"),
        (("in", "--out", "in/d.md"), "--out: in/d.md is a file, and a run writes a folder"),
        (("in", "--out", "out", "--engine", "lokal"), "unknown --engine 'lokal': did you mean"),
        (("in", "--out", "out", "--duplicates", "no"), "unknown --duplicates 'no'"),
        (("in", "--out", "out", "--shard-size", "big"), "--shard-size: 'big' is no number of"),
        (("in", "--out", "out", "--max-errors", "-1"), "--max-errors must be"),
        (("in", "--out", "out", "--workers", "0"), "--workers must be"),
        (("in", "--out", "out", "--price", "1"), "--price is for --dry-run"),
        (("in", "--dry-run", "--price", "-1"), "--price must be"),
        (("in", "--status", "out"), "--status takes no INPUT"),
        (("--status", "in"), "--status: in is not the output of a run over a corpus"),
        (("-", "--out", "out"), "a corpus is read in parts"),
        (("out", "--out", "out"), "out is in the output, out: name another folder"),
        (("in", "--out", "out", "--vectors", "lexical"), '"lexical" weighs words by the texts'),
        (("in", "--out", "out", "--root", "in/deep"), "--root must be a folder"),
    ],
)
def test_wrong_usage(here: Run, mixed: Path, arguments: tuple[str, ...], message: str) -> None:
    assert mixed.is_dir()
    result = here("corpus", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in " ".join(result.err.split())
    assert not list(Path().glob("out/*.parquet"))


def test_an_output_in_the_input_is_not_read(here: Run, mixed: Path) -> None:
    result = here("corpus", mixed.name, "--out", "in/out", *SMALL)
    n_chunks = len(read("in/out"))
    Path("link").symlink_to(mixed)
    for path in (mixed.name, str(mixed), "in/", "in/**/*", "link"):
        again = here("corpus", path, "--out", "in/out", *SMALL)
        assert (again.code, "Nothing to do" in again.err) == (0, True), path
    assert result.code == 0
    assert len(read("in/out")) == n_chunks
    assert values(here("corpus", "in", "--out", "in/out", "--dry-run", *SMALL).out)[
        "documents"
    ] == "13"  # fmt: skip
    # Another output is an input like any other, if one asks for it.
    assert here("corpus", "in", "--out", "other", *SMALL).code == 2


def test_a_folder_with_files_of_others_is_left_alone(here: Run, mixed: Path) -> None:
    theirs = Path("out", "part-00000.parquet")
    theirs.parent.mkdir()
    theirs.write_bytes(b"theirs")
    result = here("corpus", mixed.name, "--out", "out", *SMALL)
    assert result.code == 1
    assert "no run over a corpus has written, such as part-00000.parquet" in result.err
    assert theirs.read_bytes() == b"theirs"


def test_settings_may_be_in_a_file_or_in_the_environment(
    here: Run, mixed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("chunkwright.toml").write_text('max_tokens = 20\nshard_size = "1"\nduplicates = "mark"\n')
    (mixed / "a.jsonl").write_text(lines("A", 1) * 2)
    assert here("corpus", mixed.name, "--out", "out").code == 0
    found = read("out")
    assert len(list(Path("out").glob("*.parquet"))) == 4
    original = {row["document_id"] for row in found if row["duplicate_of"] is None}
    marked = {row["duplicate_of"] for row in found if row["duplicate_of"] is not None}
    assert len(marked) == 1
    assert marked < original
    monkeypatch.setenv("CHUNKWRIGHT_DUPLICATES", "drop")
    result = here("corpus", mixed.name, "--out", "out", "--force")
    assert "Duplicates are looked for: all inputs are read once before" in result.err
    assert "duplicates: mark -> drop" in result.err
    assert "1 duplicate" in result.err.splitlines()[-1]
    assert len(read("out")) < len(found)


def test_an_embedder_writes_vectors_unless_the_strategy_takes_it(
    here: Run, mixed: Path, folder: Path
) -> None:
    model = str(write_model(folder / "model", tokenizer="bert"))
    by_meaning = ("--strategy", "kamradt", "--max-tokens", "20")
    for flags in ((*SMALL, "--embedder", model), (*SMALL, "--vectors", model)):
        result = here("corpus", mixed.name, "--out", "out", *flags)
        assert result.code == 0, result.err
        (vector,) = {len(row["vector"]) for row in read("out")}
        assert vector > 1
    assert "Nothing to do" in result.err
    assert here("corpus", mixed.name, "--out", "b", *by_meaning, "--embedder", model).code == 0
    assert "vector" not in read("b")[0]
    flags = ("--embedder", "lexical", "--vectors", model, "--vector-column", "v")
    assert here("corpus", mixed.name, "--out", "c", *by_meaning, *flags).code == 0
    assert len(read("c")[0]["v"]) == vector
    found = values(here("corpus", mixed.name, "--dry-run", *SMALL, "--vectors", model).out)
    assert float(found["embed_seconds"]) > 0


def test_a_model_that_cuts_is_asked(here: Run, mixed: Path, folder: Path) -> None:
    flags = ("--strategy", "llm", "--max-tokens", "60", "--piece-max", "12")
    model = model_of("cut", folder)
    found = values(here("corpus", mixed.name, "--dry-run", *flags, *model).out)
    assert "chunks" not in found
    result = here("corpus", mixed.name, "--out", "out", *flags, *model)
    assert result.code == 0
    assert f"Model: {found['calls']} answered; " in result.err
    assert {row["reason"] for row in read("out")} >= {"given", "end"}
    refused = here("corpus", mixed.name, "--out", "x", *flags, *model, "--budget-calls", "3")
    assert (refused.code, "--budget-calls is not for corpus" in refused.err) == (2, True)
    refused = here("corpus", mixed.name, "--out", "x", *flags, *model, "--engine", "ray")
    assert (refused.code, "--engine ray is not for --strategy llm" in refused.err) == (2, True)


def interrupted(folder: Path, flags: tuple[str, ...]) -> tuple[int, list[str]] | None:
    """Interrupt a run after its first shard; return how it ended, None if it was over by then."""
    shards = folder / "out" / "_run" / "shards"
    shutil.rmtree(folder / "out", ignore_errors=True)
    with subprocess.Popen(
        [*COMMAND, "corpus", *flags, "--out", "out"], cwd=folder, stderr=subprocess.PIPE
    ) as process:
        try:
            while process.poll() is None and not (shards.exists() and any(shards.iterdir())):
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            _, error = process.communicate(timeout=60)
        finally:
            process.kill()
    return (process.returncode, error.decode().splitlines()) if process.returncode else None


@pytest.mark.slow
def test_an_interrupted_run_leaves_whole_files_and_goes_on(folder: Path, spawn: Run) -> None:
    (folder / "in").mkdir()
    for i in range(30):
        (folder / "in" / f"{i}.jsonl").write_text(lines(f"Text {i}", 250))
    flags = ("in", "--strategy", "kamradt", "--max-tokens", "60", "--shard-size", "40kB")
    # On a busy machine a run may be over before it is interrupted: then there is another.
    ended = next(filter(None, (interrupted(folder, flags) for _ in range(9))))
    assert ended == (130, ["What is done in out stays: the same command resumes", "Interrupted."])
    shards = folder / "out" / "_run" / "shards"
    out = folder / "out"
    assert not [path for path in out.rglob("*") if path.name.startswith(".")]
    done = {path.stem for path in shards.iterdir()}
    assert {path.stem.removeprefix("part-") for path in out.glob("*.parquet")} >= done
    kept = {name: (out / f"part-{name}.parquet").stat().st_mtime_ns for name in done}
    result = spawn("corpus", *flags, "--out", "out")
    assert result.code == 0
    assert re.match(rf"Done already: {len(done)} of \d+ shards\n", result.err)
    assert kept == {name: (out / f"part-{name}.parquet").stat().st_mtime_ns for name in done}
    spawn("corpus", *flags, "--out", "whole")
    names = {path.name for path in out.glob("*.parquet")}
    assert names == {path.name for path in (folder / "whole").glob("*.parquet")}
    for name in names:
        assert pq.read_table(out / name).equals(pq.read_table(folder / "whole" / name))


@pytest.mark.slow
def test_the_bar_is_on_a_terminal(on_terminal: Run, mixed: Path) -> None:
    arguments = ("corpus", mixed.name, "--shard-size", "1", *SMALL)
    shown = on_terminal(*arguments, "--out", "out", streams="err", COLUMNS="160").out
    assert re.search(r"\d/4", shown)
    assert "documents/s" in shown
    assert re.search(r"\d+% of [\d.]+ kB", shown)
    assert "out holds " in shown
    assert on_terminal(*arguments, "--out", "b", "--quiet", streams="err").out == ""
    shown = on_terminal("corpus", mixed.name, "--dry-run", *SMALL, streams="out").out
    assert re.search(r"sampled_share +100\.0%\n", shown)
    assert re.search(r"output_bytes +[\d.]+ kB\n", shown)


def test_sizes_are_read() -> None:
    assert [bytes_of(text) for text in ("12", "1.5 kB", "64MB", "2MiB", "1gib")] == [
        12,
        1500,
        64_000_000,
        2 * 2**20,
        2**30,
    ]
    for text in ("kB", "MB", "-1", "1 XB", "1e3", "1,5MB"):
        with pytest.raises(ValueError, match=re.escape(text)):
            bytes_of(text)


@pytest.mark.parametrize(
    ("path", "strategy"),
    [
        ("s3://bucket/docs", "auto"),
        ("s3://bucket/*/a.md", "auto"),
        ("s3://bucket/rows.parquet", "recursive"),
        ("s3://bucket/a.md", "recursive"),
    ],
)
def test_an_address_without_a_suffix_is_taken_for_a_folder(path: str, strategy: str) -> None:
    assert default_strategy([path], []) == strategy
