"""Commands over stores: index, search, diff and cite, as a user runs them."""

import inspect
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.store import Filter
from chunkwright.store.settings import (
    ADD,
    FILTER,
    KEEP,
    KEEP_CITATIONS,
    N_LOOKED_AT,
    OVERWRITE,
    SEARCH,
    SHADOWS,
)
from chunkwright.store.store import Store
from tests.embed.made_models import write_model
from tests.support import postgres_server
from tests.support.stores import with_lines

from .commandline import COMMAND, Run

MILL = """\
# The mill

It was built in 1743.

## Wheels

It has two wheels of oak.

## Owners

The Millers own it.
"""
BOATS = "Boats float on the river.\n"
SUMS = "documents: 2 new\nblocks: 4 new, 0 kept, 0 gone, 0 moved\nembedded: 0\n"


@pytest.fixture
def notes(folder: Path) -> Path:
    """A folder of two documents."""
    (folder / "notes").mkdir()
    (folder / "notes" / "mill.md").write_text(MILL)
    (folder / "notes" / "boats.txt").write_text(BOATS)
    return folder / "notes"


@pytest.fixture
def kb(here: Run, notes: Path) -> str:
    """A store of these documents."""
    result = here("index", notes.name, "--to", "kb.db", "--metadata", "year=1921")
    assert (result.code, result.out, result.err) == (0, "", SUMS)
    return "kb.db"


def blocks(here: Run, kb: str, question: str, *more: str) -> list[dict[str, Any]]:
    return here("search", question, "--in", kb, *more).rows


def table(out: str) -> list[dict[str, str]]:
    names, *rows = [line.split("\t") for line in out.splitlines()]
    return [dict(zip(names, row, strict=True)) for row in rows]


# ---------------------------------------------------------------------- index


def test_unchanged_documents_are_no_work(here: Run, kb: str) -> None:
    result = here("index", "notes", "--to", kb, "--verbose")
    assert result.err == (
        "documents: 2 unchanged\nblocks: 0 new, 0 kept, 0 gone, 0 moved\nembedded: 0\n"
    )
    assert here("index", "notes", "--to", kb, "--quiet").err == ""


def test_changed_documents_are_told(here: Run, kb: str, notes: Path) -> None:
    (notes / "mill.md").write_text(MILL.replace("two", "three"))
    result = here("index", "notes", "--to", kb, "-v")
    assert result.err.splitlines()[:2] == [
        "notes/mill.md: changed, blocks: 1 new, 2 kept, 1 gone",
        "documents: 1 changed, 1 unchanged",
    ]


def test_a_dry_run_writes_nothing(here: Run, folder: Path, notes: Path) -> None:
    result = here("index", "notes", "--to", "kb.db", "--dry-run")
    assert result.code == 0
    assert [row["outcome"] for row in table(result.out)] == ["new", "new"]
    assert result.err == SUMS
    assert not (folder / "kb.db").exists()
    here("index", "notes", "--to", "kb.db")
    (notes / "boats.txt").write_text("Boats sink.")
    before = (folder / "kb.db").read_bytes()
    (row,) = table(here("index", "notes", "--to", "kb.db", "--dry-run").out)
    assert row == {
        "outcome": "changed",
        "new": "1",
        "kept": "0",
        "gone": "1",
        "moved": "0",
        "document": "notes/boats.txt",
    }
    assert (folder / "kb.db").read_bytes() == before


def test_documents_whose_files_are_gone_are_removed_on_demand(
    here: Run, kb: str, notes: Path
) -> None:
    (notes / "boats.txt").unlink()
    assert "1 unchanged\n" in here("index", "notes", "--to", kb).err
    assert blocks(here, kb, "boats")
    (row,) = table(here("index", "notes", "--to", kb, "--remove-missing", "--dry-run").out)
    assert (row["outcome"], row["document"]) == ("removed", "notes/boats.txt")
    said = here("index", "notes", "--to", kb, "--remove-missing").err.splitlines()
    assert said[0] == "To be removed, its file is gone: notes/boats.txt"
    assert "1 removed" in said[1]
    assert blocks(here, kb, "boats") == []


def test_a_renamed_file_is_said_to_be_the_same_document(here: Run, kb: str, notes: Path) -> None:
    (notes / "boats.txt").rename(notes / "ships.txt")
    offered = here("index", "notes", "--to", kb, "--dry-run").err
    assert "notes/ships.txt: the same bytes as notes/boats.txt, whose file is gone" in offered
    renamed = here("index", "notes", "--to", kb, "--remove-missing").err
    assert "Renamed: notes/boats.txt is notes/ships.txt now" in renamed
    assert "1 renamed" in renamed


def test_documents_of_a_folder_that_is_empty_are_said_to_be_left(
    here: Run, kb: str, notes: Path
) -> None:
    notes.rename(notes.parent / "elsewhere")
    notes.mkdir()
    result = here("index", "notes", "--to", kb, "--remove-missing")
    assert "not found, but left: 2 of notes: it is empty" in result.err
    assert blocks(here, kb, "boats")


def test_addresses_are_relative_to_the_root(here: Run, notes: Path) -> None:
    here("index", notes, "--to", "kb.db", "--root", notes)
    assert blocks(here, "kb.db", "wheels")[0]["document"] == "mill.md"


def test_options_of_a_strategy_are_those_of_chunk(here: Run, notes: Path) -> None:
    assert notes.is_dir()
    here("index", "notes", "--to", "kb.db", "--strategy", "sentence", "--max-chars", "30")
    with Store.open("kb.db", read_only=True) as store:
        assert max(map(len, store.chunks("notes/mill.md").texts())) <= 30
    Path("chunkwright.toml").write_text('strategy = "window"\nmax_chars = 10\n')
    here("index", "notes", "--to", "kb.db")
    with Store.open("kb.db", read_only=True) as store:
        assert len(store.chunks("notes/boats.txt")) == 3


def test_sizes_hold_for_texts_without_elements_as_well(here: Run, notes: Path) -> None:
    (notes / "boats.txt").write_text("Boats float.\n\nBoats sink.\n")
    here("index", "notes", "--to", "kb.db", "--max-chars", "15")
    with Store.open("kb.db", read_only=True) as store:
        assert store.chunks("notes/boats.txt").texts() == ["Boats float.", "Boats sink."]


def test_what_cannot_be_read_fails_alone(here: Run, notes: Path) -> None:
    (notes / "odd.txt").write_bytes(b"caf\xe9\x01")
    result = here("index", "notes", "missing.md", "--to", "kb.db")
    assert result.code == 1
    failed = [line for line in result.err.splitlines() if line.startswith("Failed: ")]
    assert len(failed) == 2
    assert failed[0].startswith("Failed: notes/odd.txt")
    assert "--encoding" in failed[0]
    assert failed[1] == "Failed: missing.md: no such file or folder"
    assert "documents: 2 new, 2 failed" in result.err


def test_the_embedder_is_remembered(here: Run, folder: Path, notes: Path) -> None:
    assert notes.is_dir()
    write_model(folder / "model")
    result = here("index", "notes", "--to", "kb.db", "--embedder", "model")
    assert (result.code, result.err.splitlines()[-1]) == (0, "embedded: 4")
    (hit, *_) = blocks(here, "kb.db", "wheels")
    assert hit["why"]["vectors"] is not None
    (hit, *_) = blocks(here, "kb.db", "wheels", "--embedder", "none")
    assert hit["why"]["vectors"] is None
    (notes / "more.txt").write_text("More.")
    assert here("index", "notes", "--to", "kb.db").err.endswith("embedded: 1\n")
    (folder / "elsewhere").mkdir()
    (folder / "model").rename(folder / "elsewhere" / "model")
    result = here("search", "wheels", "--in", "kb.db")
    assert result.code == 2
    assert f"{folder / 'model'}" in result.err
    assert "name it with --embedder, or say --embedder none" in result.err
    assert here("search", "wheels", "--in", "kb.db", "--embedder", "elsewhere/model").code == 0


def test_the_first_import_makes_a_store_in_postgresql(here: Run, notes: Path) -> None:
    if not postgres_server.is_there():
        pytest.skip(postgres_server.NO_SERVER)
    with postgres_server.empty_database() as address:
        result = here("index", str(notes), "--to", address)
        assert (result.code, result.err) == (0, SUMS)
        assert here("search", "boats", "--in", address).code == 0


def test_an_interrupted_import_goes_on(folder: Path) -> None:
    (folder / "many").mkdir()
    for number in range(400):
        (folder / "many" / f"{number:03}.md").write_text(f"# {number}\n\n{MILL * 20}")
    # Nobody writes to the last one: it is waited for until the interrupt comes.
    os.mkfifo(folder / "last.md")
    command = [*COMMAND, "index", "many", "last.md", "--to", "kb.db"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE) as process:
        try:
            while not n_documents(folder):
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, error = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, error.decode()) == (130, "Interrupted.\n")
    n_before = n_documents(folder)
    assert 0 < n_before <= 400
    (folder / "last.md").unlink()
    (folder / "last.md").write_text(MILL)
    done = subprocess.run(command, cwd=folder, stderr=subprocess.PIPE, check=True)
    assert f"{401 - n_before} new, {n_before} unchanged" in done.stderr.decode()


def n_documents(folder: Path) -> int:
    if not (folder / "kb.db").exists():
        return 0
    try:
        with Store.open(folder / "kb.db", read_only=True) as store:
            return len(store.documents())
    except Exception:  # noqa: BLE001 - it is being made
        return 0


# ---------------------------------------------------------------------- search


def test_hits_are_rows_for_programs(here: Run, kb: str) -> None:
    result = here("search", "How many wheels?", "--in", kb, "-k", "1")
    assert (result.code, result.err) == (0, "")
    (hit,) = result.rows
    assert hit["text"] == "## Wheels\n\nIt has two wheels of oak."
    assert (hit["document"], hit["line_start"], hit["headings"]) == (
        "notes/mill.md",
        5,
        ["The mill", "Wheels"],
    )
    assert hit["metadata"] == {"year": 1921}


def test_page_headers_are_hits_without_a_block(here: Run, on_terminal: Run, kb: str) -> None:
    with cw.Store.open(kb) as store:
        slates = cw.Document(text="They lie on roofs.", name="slates.md")
        store.add(with_lines(slates, [("page header", "Of slates", 3)]))
    hit = blocks(here, kb, "of slates")[0]
    assert (hit["block"], hit["block_type"], hit["text"]) == ("", "page header", "Of slates")
    assert (hit["document"], hit["pages"], hit["boxes"]) == ("slates.md", [3], [])
    (only,) = blocks(here, kb, "slates", "--type", "page header", "--expand", "section")
    assert only["text"] == "Of slates"
    shown = re.sub(r"\x1b\[[\d;?]*\w", "", on_terminal("search", "of slates", "--in", kb, "-v").out)
    assert "slates.md, page 3" in shown
    assert "page header, in no block" in shown
    refused = here("cite", "", "--in", kb)
    assert refused.code != 0
    assert "page headers and footers have none" in refused.err


def test_hits_are_shown_to_readers(on_terminal: Run, kb: str) -> None:
    shown = re.sub(r"\x1b\[[\d;?]*\w", "", on_terminal("search", "wheels", "--in", kb, "-k1").out)
    lines = [line.rstrip() for line in shown.splitlines()]
    assert re.fullmatch(r" 1  0\.\d{3}  notes/mill\.md, lines 5-7: The mill > Wheels", lines[0])
    assert "    It has two wheels of oak." in lines
    assert not any(line.startswith("    words") for line in lines)
    shown = on_terminal("search", "wheels", "--in", kb, "-k1", "-v").out
    assert "words 0." in shown
    (row,) = on_terminal("search", "wheels", "--in", kb, "-k1", "--json").rows
    assert row["ordinal"] == 1


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (["--document", "notes/b*"], ["notes/boats.txt"]),
        (["--document", "notes/mill.md"], ["notes/mill.md"]),
        (["--where", "year=1921", "--type", "paragraph"], ["notes/boats.txt"]),
        (["--where", "year=1922", "--where", "year=1921"], ["notes/boats.txt", "notes/mill.md"]),
        (["--where", "year=1922"], []),
        (["--where", 'year="1921"'], []),
        (["--page", "1"], []),
    ],
)
def test_filters_hold(here: Run, kb: str, filters: list[str], expected: list[str]) -> None:
    found = here("search", "the river and the mill", "--in", kb, *filters)
    assert sorted({row["document"] for row in found.rows}) == expected
    assert found.code == (0 if expected else 1)
    assert found.err == ("" if expected else "Nothing found.\n")


def test_hits_are_expanded(here: Run, kb: str) -> None:
    (hit, *_) = blocks(here, kb, "oak", "-k1", "--expand", "section")
    assert hit["text"].startswith("## Wheels")
    (hit, *_) = blocks(here, kb, "oak", "-k1", "--expand", "neighbours")
    assert "The Millers own it." in hit["text"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--in", "no.db"], "--in: there is no store no.db; chunkwright index makes one"),
        (["--in", "notes/boats.txt"], "notes/boats.txt: it is no store, and no database"),
        (["--in", "kb.db", "-k", "0"], "--k must be at least 1, got 0"),
        (["--in", "kb.db", "--where", "year"], "--where: 'year' is not NAME=VALUE"),
        (["--in", "kb.db", "--where", "year=[1]"], "--where: '[1]' is no single value"),
        (["--in", "kb.db", "--expand", "all"], "unknown --expand 'all'"),
        (["--in", "kb.db", "--embedder", "no/model"], "no/model"),
        (["--in", "kb.db", "--max-tokens", "0"], "--max-tokens must be at least 1, got 0"),
    ],
)
def test_wrong_usage_is_named(here: Run, kb: str, arguments: list[str], message: str) -> None:
    assert kb
    result = here("search", "wheels", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_the_environment_may_name_the_store(spawn: Run, kb: str) -> None:
    result = spawn("search", "wheels", CHUNKWRIGHT_STORE=kb)
    assert (result.code, result.err) == (0, "")
    assert spawn("search", "wheels").code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-"], "PATH: '-': a store knows documents by their paths"),
        (["notes", "--metadata", "a=1", "--metadata", "a=2"], "--metadata: 'a' has two values"),
        (["notes", "--metadata", "text=1"], "metadata 'text' is a column of chunks too"),
        (["notes", "--root", "missing"], "--root must be a folder, got 'missing'"),
        (["notes", "--strategy", "semantic"], "unknown --strategy 'semantic'"),
        (["notes", "--window", "2"], "'structural' has no --window"),
        (["notes", "--to", "no/kb.db"], "no/kb.db: no folder no"),
        (["notes", "--shadows", "-1"], "--shadows must be at least 1, got -1"),
    ],
)
def test_wrong_imports_are_named(
    here: Run, notes: Path, arguments: list[str], message: str
) -> None:
    assert notes.is_dir()
    result = here("index", "--to", "kb.db", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


# ---------------------------------------------------------------------- diff


def test_an_import_is_foreseen(here: Run, kb: str, notes: Path) -> None:
    assert table(here("diff", "notes", "--in", kb).out) == []
    (notes / "mill.md").write_text(MILL.replace("two", "three"))
    (notes / "new.md").write_text("# New\n\nWords.")
    rows = table(here("diff", "notes", "--in", kb).out)
    assert [(row["outcome"], row["document"]) for row in rows] == [
        ("changed", "notes/mill.md"),
        ("new", "notes/new.md"),
    ]
    result = here("diff", "notes", "--in", "no.db")
    assert (result.code, result.out) == (2, "")
    assert "there is no store no.db" in result.err


def test_versions_are_compared(here: Run, kb: str, notes: Path) -> None:
    (wheels,) = blocks(here, kb, "wheels", "-k1")
    here("cite", wheels["block"], "--in", kb)
    (notes / "mill.md").write_text(MILL.replace("two", "three"))
    here("index", "notes", "--to", kb)
    result = here("diff", "notes/mill.md", "--from", "1", "--in", kb)
    rows = table(result.out)
    assert [(row["change"], row["text"][:6]) for row in rows] == [
        ("-", "## Whe"),
        ("=", "# The "),
        ("+", "## Whe"),
        ("=", "## Own"),
    ]
    assert rows[0]["block"] == wheels["block"]
    assert result.err == "citations: 0 resolve, 0 moved, 1 broken (1 altered)\n"
    same = here("diff", "notes/mill.md", "--from", "1", "--until", "1", "--in", kb)
    assert {row["change"] for row in table(same.out)} == {"="}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["notes/mill.md", "--from", "9"], "'notes/mill.md' has no version 9"),
        (["mill.md", "--from", "1"], "no document 'mill.md'"),
        (["notes", "--until", "1"], "--until 1 needs --from"),
        (["a", "b", "--from", "1"], "--from 1: versions are of one document, got 2"),
    ],
)
def test_versions_that_are_not_there_are_named(
    here: Run, kb: str, arguments: list[str], message: str
) -> None:
    result = here("diff", *arguments, "--in", kb)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


# ---------------------------------------------------------------------- cite


def test_citations_are_found_again(here: Run, kb: str, notes: Path) -> None:
    (wheels,) = blocks(here, kb, "wheels", "-k1")
    made = here("cite", wheels["block"], "--quote", "two wheels", "--by", "answer 1", "--in", kb)
    number = made.out.strip()
    assert (made.code, made.err, len(number)) == (0, "", 32)
    (row,) = table(here("cite", "--list", "--in", kb).out)
    assert (row["id"], row["quote"], row["document"]) == (number, "two wheels", "notes/mill.md")
    assert here("cite", "--list", "--document", "notes/boats.txt", "--in", kb, "--json").out == ""
    same = here("cite", "--resolve", number, "--in", kb)
    assert (same.code, same.out.splitlines()) == (
        0,
        ["same\tnotes/mill.md, line 7: The mill > Wheels", "is\ttwo wheels"],
    )
    (notes / "mill.md").write_text(MILL.replace("two wheels", "no wheels"))
    here("index", "notes", "--to", kb)
    after = here("cite", "--resolve", number, "--in", kb)
    assert after.code == 1
    status, was, now = after.out.splitlines()
    assert status.startswith("superseded\t")
    assert was == "was\ttwo wheels"
    assert "no wheels of oak" in now
    (found,) = here("cite", "--resolve", number, "--in", kb, "--json").rows
    assert (found["status"], found["citation"]["cited_by"]) == ("superseded", "answer 1")
    here("index", "notes", "--to", kb)
    (notes / "mill.md").unlink()
    here("index", "notes", "--to", kb, "--remove-missing")
    gone = here("cite", "--resolve", number, "--in", kb)
    assert (gone.code, gone.out.splitlines()[1:]) == (1, ["was\ttwo wheels"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name BLOCK, --list or --resolve: one of them, got none of them"),
        (["x", "--list"], "one of them, got BLOCK and --list"),
        (["--list", "--quote", "words"], "--quote 'words' needs BLOCK"),
        (["x", "--document", "notes/mill.md"], "--document 'notes/mill.md' needs --list"),
        (["x"], "no block 'x'"),
        (["--resolve", "x"], "no citation 'x'"),
    ],
)
def test_wrong_citations_are_named(here: Run, kb: str, arguments: list[str], message: str) -> None:
    result = here("cite", *arguments, "--in", kb)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


# ---------------------------------------------------------------------- verify, calibrate


@pytest.mark.parametrize(
    ("quote", "more", "expected"),
    [
        ("it was BUILT in 1743", [], (0, "found")),
        ("It was built in 1743.", ["--document", "notes/mill.md"], (0, "found")),
        ("It was built in 1743.", ["--document", "notes/boats.txt"], (1, "elsewhere")),
        ("It was built … two wheels of oak", [], (0, "abridged")),
        ("It was built in 1743. The Millers own it.", [], (1, "stitched")),
        ("It was built in 1744", [], (1, "missing")),
    ],
)
def test_quotes_are_verified(
    here: Run, kb: str, quote: str, more: list[str], expected: tuple[int, str]
) -> None:
    result = here("verify", quote, "--in", kb, *more)
    assert (result.code, result.out.splitlines()[0], result.err) == (*expected, "")
    (row,) = here("verify", quote, "--in", kb, *more, "--json").rows
    assert row["verdict"] == expected[1]


def test_the_place_of_a_quote_is_told(here: Run, kb: str, notes: Path) -> None:
    result = here("verify", "two wheels of oak", "--in", kb)
    place = "at\tnotes/mill.md, line 7: The mill > Wheels\ttwo wheels of oak"
    assert result.out == f"found\n{place}\n"
    missing = here("verify", "It was built in 1744", "--in", kb).out.splitlines()
    assert missing[1].startswith("nearest\tnotes/mill.md, line 3: The mill\t")
    assert missing[2:] == ["quoted\t1744", "stands\t1743."]
    (notes / "mill.md").write_text(MILL.replace("two", "three"))
    here("index", "notes", "--to", kb)
    old = here("verify", "two wheels of oak", "--in", kb)
    assert (old.code, old.out.splitlines()[0]) == (1, "found, in an old version")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["short"], "12"),
        (["some words of it", "--document", "x.md"], "no document 'x.md'"),
    ],
)
def test_wrong_quotes_are_named(here: Run, kb: str, arguments: list[str], message: str) -> None:
    result = here("verify", *arguments, "--in", kb)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_thresholds_are_set_by_questions(here: Run, kb: str) -> None:
    rows = [
        {"question": "How many wheels has it?", "excerpts": ["two wheels"]},
        {
            "question": "When was it built?",
            "corpus": "notes/mill.md",
            "excerpts": [{"start": 12, "end": 32}],
        },
    ]
    Path("questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = here("calibrate", "questions.jsonl", "--in", kb)
    assert (result.code, result.err) == (0, "")
    (row,) = table(result.out)
    assert (row["questions"], row["answered"]) == ("2", "2")
    assert 0 < float(row["floor"]) <= float(row["gate"])
    found = blocks(here, kb, "How many wheels has it?", "-k9")
    assert found
    assert min(hit["score"] for hit in found) >= float(row["floor"]) - 1e-4
    assert len(blocks(here, kb, "How many wheels has it?", "-k9", "--floor", "0")) >= len(found)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('{"question": "Why?", "excerpts": ["nobody said that"]}', "no hit of 1 questions"),
        ('{"question": "Why?", "excerpts": [{"start": 1, "end": 4}]}', "line 1: an excerpt with"),
        ('{"question": "Why?", "excerpts": []}', "questions.jsonl, line 1: it has no excerpts"),
    ],
)
def test_wrong_questions_are_named(here: Run, kb: str, rows: str, message: str) -> None:
    Path("questions.jsonl").write_text(rows)
    result = here("calibrate", "questions.jsonl", "--in", kb)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


# ---------------------------------------------------------------------- store


def test_a_store_is_looked_after(here: Run, kb: str, notes: Path) -> None:
    rows = table(here("store", "list", "--in", kb).out)
    assert [row["uri"] for row in rows] == ["notes/boats.txt", "notes/mill.md"]
    assert json.loads(rows[0]["metadata"]) == {"year": 1921}
    (notes / "mill.md").write_text(MILL.replace("two", "three"))
    here("index", "notes", "--to", kb)
    versions = here("store", "versions", "notes/mill.md", "--in", kb, "--json").rows
    assert [(each["version"], each["is_current"]) for each in versions] == [(1, False), (2, True)]
    (wheels,) = blocks(here, kb, "wheels", "-k1")
    number = here("cite", wheels["block"], "--in", kb).out.strip()
    pruned = here("store", "prune", "--in", kb)
    assert (pruned.code, pruned.out.splitlines()[0]) == (0, "versions\t1")
    assert here("store", "uncite", number, "--in", kb).code == 0
    again = here("store", "uncite", number, "--in", kb)
    assert (again.code, again.err) == (1, f"unknown\t{number}\n")
    removed = here("store", "remove", "notes/boats.txt", "--in", kb)
    assert (removed.code, removed.out) == (0, "removed\tnotes/boats.txt\n")
    copied = here("store", "backup", "copy.db", "--in", kb)
    assert (copied.code, copied.out) == (0, "")
    assert copied.err == f"wrote copy.db: {Path('copy.db').stat().st_size:,} bytes\n"
    assert len(table(here("store", "list", "--in", "copy.db").out)) == 1
    number = here("cite", wheels["block"], "--in", kb).out.strip()
    erased = here("store", "erase", "notes/mill.md", "--keep-citations", "--in", kb)
    assert (erased.code, erased.err) == (0, "")
    assert erased.out.splitlines()[0] == "documents\t1"
    assert b"wheels" not in Path(kb).read_bytes()
    resolved = here("cite", "--resolve", number, "--in", kb)
    assert (resolved.code, resolved.out.split("\t")[0]) == (1, "erased")
    assert here("store", "list", "--in", kb).out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "--in", "no.db"], "there is no store no.db"),
        (["versions", "none", "--in", "kb.db"], "it has no document 'none'"),
        (["remove", "notes/mill.md", "none", "--in", "kb.db"], "it has no document 'none'"),
        (["erase", "notes/mill.md", "none", "--in", "kb.db"], "it has no document 'none'"),
        (["prune", "--keep", "-1", "--in", "kb.db"], "--keep must be at least 0"),
        (["backup", "kb.db", "--in", "kb.db"], "kb.db is there: --force replaces it"),
        (["erase", "--in", "kb.db"], "Missing argument"),
        (["lst", "--in", "kb.db"], "No such command 'lst'"),
    ],
)
def test_wrong_upkeep_is_named(here: Run, kb: str, arguments: list[str], message: str) -> None:
    result = here("store", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert len(table(here("store", "list", "--in", kb).out)) == 2


def test_texts_control_no_terminal(
    on_terminal: Run, here: Run, notes: Path, kb: str, is_clean: Callable[[str], bool]
) -> None:
    (notes / "evil.md").write_text("# Evil \x1b]0;x\x07\n\nRed \x1b[31m alert \u202e.\n")
    here("index", "notes", "--to", kb)
    for more in ([], ["--json"]):
        assert is_clean(on_terminal("search", "red alert", "--in", kb, *more).out)


@pytest.fixture
def is_clean() -> Callable[[str], bool]:
    return lambda shown: not {"\x07", "\u202e"} & set(shown) and "\x1b[31m alert" not in shown


def test_commands_and_methods_have_the_same_settings(here: Run) -> None:
    for method, command, rows in (
        (Store.add, "index", (SHADOWS, *ADD)),
        (Store.search, "search", tuple(one for one in SEARCH if one not in FILTER)),
        (Store.calibrate, "calibrate", (N_LOOKED_AT,)),
        (Store.prune, "store prune", (KEEP,)),
        (Store.erase, "store erase", (KEEP_CITATIONS,)),
        (Store.backup, "store backup", (OVERWRITE,)),
    ):
        parameters = inspect.signature(method).parameters
        shown = " ".join(here(*command.split(), "--help").out.split())
        for row in rows:
            assert parameters[row.name].default in {row.default, None}
            assert row.flag in shown
            assert row.help in shown
    assert {row.name for row in FILTER} <= {each.name for each in fields(Filter)}
