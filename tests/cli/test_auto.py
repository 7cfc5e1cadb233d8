"""Mixed folders: each file is cut by what it is, if no setting says how."""

import json
from pathlib import Path
from typing import Any

import pytest

from chunkwright.cli.settings.merging import default_strategy
from tests.cli.commandline import Run

PRICES = {"items": [{"id": i, "price": [i, "euro"]} for i in range(30)]}
DOCLING = {
    "schema_name": "DoclingDocument",
    "version": "1.0.0",
    "name": "report",
    "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}], "name": "_root_"},
    "texts": [
        {
            "self_ref": "#/texts/0",
            "label": "text",
            "text": "It rained.",
            "orig": "It rained.",
            "prov": [],
            "parent": {"$ref": "#/body"},
        }
    ],
}
CODE = "import os\n\n\n" + "".join(f"def f{i}():\n    return {i}\n\n\n" for i in range(9))
FILES = {
    "a.md": "# Rain\n\nIt rained.\n\n" + "For days. " * 30,
    "b.html": "<nav>Menu</nav><h1>Sun</h1><p>It shone.</p>",
    "c.csv": "stone,kg\nslate,7\nchalk,5\n",
    "d.json": json.dumps(PRICES),
    "e.yaml": "items:\n" + "".join(f"  - id: {i}\n    price: 3\n" for i in range(30)),
    "f.txt": "A text. " * 60,
    "g.py": CODE,
    "h.json": json.dumps(DOCLING),
    "i.json": "// no JSON\n{}\n",
    "j.jsonc.txt": "[1] A note. " * 9,
}


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder with files of all kinds."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def _texts(rows: list[dict[str, Any]], name: str) -> list[str]:
    return [row["text"] for row in rows if row["document"].endswith(name)]


def test_a_mixed_folder_is_cut_by_what_files_are(here: Run, mixed: Path) -> None:
    done = here("chunk", str(mixed), "--max-tokens", "40")
    assert (done.code, done.err) == (0, "")
    assert {Path(row["document"]).name for row in done.rows} == {*FILES}
    assert here("chunk", str(mixed), "--max-tokens", "40", "--strategy", "auto") == done
    parts = [json.loads(text) for text in _texts(done.rows, "d.json")]
    assert [item for part in parts for item in part["items"]] == PRICES["items"]
    assert all(text.startswith("items:\n  - id: ") for text in _texts(done.rows, "e.yaml"))
    assert [text.startswith("def ") for text in _texts(done.rows, "g.py")][1:] == [True] * (
        len(_texts(done.rows, "g.py")) - 1
    )
    # A DoclingDocument is read, although it is valid JSON.
    assert _texts(done.rows, "h.json") == ["It rained."]
    assert _texts(done.rows, "i.json") == ["// no JSON\n{}"]
    assert [row["headings"] is not None for row in done.rows if row["document"].endswith("a.md")]


def test_workers_and_globs_say_the_same(here: Run, mixed: Path) -> None:
    one = here("chunk", str(mixed), "--max-tokens", "40", "--workers", "1")
    assert here("chunk", str(mixed), "--max-tokens", "40", "--workers", "4") == one
    assert here("chunk", f"{mixed}/*", "--max-tokens", "40") == one
    assert here("chunk", *sorted(map(str, mixed.iterdir())), "--max-tokens", "40") == one


def test_options_pass_on_or_are_refused(here: Run, mixed: Path) -> None:
    done = here("chunk", str(mixed), "--max-chars", "90", "--overlap", "20", "--min-size", "9")
    assert done.code == 0
    assert max(len(row["text"]) for row in done.rows) <= 90
    refused = here("chunk", str(mixed), "--strategy", "auto", "--merge-peers")
    assert refused.code == 2
    assert "strategy 'auto' has no --merge-peers, which is for 'hybrid'" in refused.err
    # What is recursive's own makes it recursive, as it always was.
    code = here("chunk", str(mixed), "--separators", "python", "--dry-run")
    assert "recursive, max_tokens=512, separators='python'" in code.err


def test_each_failure_names_its_file(here: Run, mixed: Path) -> None:
    done = here("chunk", str(mixed), "--strategy", "json")
    lines = done.err.splitlines()
    assert done.code == 1
    assert lines
    for line in lines:
        assert line.startswith(f"Failed: {mixed}/"), line


def test_drop_leaves_parts_of_pages_out(here: Run, mixed: Path) -> None:
    page = str(mixed / "b.html")
    assert here("chunk", page, "--strategy", "hybrid").rows[0]["text"] == "Menu"
    for drop in (["--drop", "nav,aside"], ["--drop", "nav", "--drop", "aside"]):
        rows = here("chunk", page, "--strategy", "hybrid", *drop).rows
        assert [row["text"] for row in rows] == ["Sun\n\nIt shone."]
        assert "Menu" not in here("view", page, *drop).out
    (mixed / "chunkwright.toml").write_text('drop = ["nav"]\n')
    configured = here("chunk", page, "--config", str(mixed / "chunkwright.toml"))
    assert "Menu" not in configured.out
    wrong = here("chunk", page, "--drop", "navs")
    assert (wrong.code, wrong.err) == (
        2,
        "Error: unknown part 'navs' to drop; did you mean 'nav'?\n",
    )


def test_rows_of_pages_are_read_without_these_parts(here: Run, mixed: Path) -> None:
    rows = mixed / "pages.jsonl"
    rows.write_text(json.dumps({"text": FILES["b.html"]}) + "\n")
    done = here("chunk", str(rows), "--text-kind", "html", "--drop", "nav")
    assert "Menu" not in done.out
    assert done.rows


@pytest.mark.parametrize(
    ("paths", "given", "strategy"),
    [
        (["."], [], "auto"),
        (["*.md"], [], "auto"),
        (["a.md", "b.md"], [], "auto"),
        (["a.json"], [], "auto"),
        (["a.YML"], [], "auto"),
        (["a.md"], [], "recursive"),
        (["-"], [], "recursive"),
        (["none.txt"], ["max_tokens"], "recursive"),
        (["a.parquet", "b.jsonl.gz", "c/*.arrow"], [], "recursive"),
        (["a.parquet", "a.md"], [], "recursive"),
        (["a.parquet", "."], [], "auto"),
        (["."], ["separators"], "recursive"),
        (["."], ["max_tokens", "overlap", "quiet"], "auto"),
        (["x" * 5000], [], "recursive"),
        (["a\0b"], [], "recursive"),
    ],
)
def test_the_default(paths: list[str], given: list[str], strategy: str) -> None:
    assert default_strategy(paths, given) == strategy
