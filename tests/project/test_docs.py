"""The pages of the documentation: each is listed, and what they refer to exists."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.support.markdown import ROOT, anchors, bullets, links, pages, section

PAGES = pages()
TREES = (*(ROOT / "rust").glob("*/src"), ROOT / "python" / "chunkwright")
SOURCES = [file for tree in TREES for file in tree.rglob("*.*")]
MODULES = [file for file in SOURCES if file.suffix in {".rs", ".py"}]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_resolve(page: Path) -> None:
    broken = []
    for link in links(page.read_text("utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        is_there = target.is_relative_to(ROOT) and target.exists()
        if not is_there or (anchor and anchor not in anchors(target.read_text("utf-8"))):
            broken.append(link)
    assert not broken


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("hybrid search", "retrieval"),
        ("rerank", "reranking"),
        ("citation", "citations"),
        ("incremental indexing", "imports"),
        ("deduplicate", "store-search"),
        ("threshold", "store-search"),
        ("chunk size", "choosing"),
        ("chunk size", "sizes"),
        ("resume", "corpus"),
        ("checkpoint", "corpus"),
        ("deduplicate", "batches"),
        ("resume", "batches"),
        ("checkpoint", "batches"),
        ("semantic chunking", "semantic"),
        ("recall", "evaluation"),
        ("vector store", "recipes"),
        ("ocr", "reading/ocr"),
        ("scan", "reading/ocr"),
        ("table", "reading/tables"),
        ("attachment", "reading/mail"),
        ("resume", "cli/corpus"),
        ("checkpoint", "cli/corpus"),
        ("threshold", "semantic"),
        ("configuration file", "cli/settings"),
    ],
)
def test_the_words_of_the_field_find_their_page(word: str, name: str) -> None:
    text = (ROOT / "docs" / f"{name}.md").read_text("utf-8").lower()
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert any(word in said for said in (text[:1500], *headings))


# What programs have printed.
LONG = {"benchmarks-tables"}
MOST_WORDS = 2500


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.stem)
def test_a_page_can_be_read_in_one_go(page: Path) -> None:
    text = re.sub("<!--.*?-->", "", page.read_text("utf-8"), flags=re.DOTALL)
    if page.stem not in LONG:
        assert len(re.findall(r"[^\s|]*\w[^\s|]*", text)) <= MOST_WORDS


def test_the_index_lists_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    listed = [link.partition("#")[0] for link in links(index.read_text("utf-8"))]
    guides = {path.name for path in (ROOT / "docs").glob("*.md")} - {index.name}
    in_docs = [name for name in listed if "/" not in name]
    assert sorted(in_docs) == sorted(guides)  # each once
    lines = bullets(index.read_text("utf-8"))
    assert all(": " in line for line in lines), "a page without a word on what it is for"


@cache
def _tests_of(path: str) -> set[str]:
    """Return the names of the tests in a file, methods with and without their class's name."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names.add(node.name)
            names |= {f"{node.name}::{f.name}" for f in node.body if isinstance(f, ast.FunctionDef)}
    return names


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_tests_that_pages_name_exist(page: Path) -> None:
    missing = []
    file = ""
    # `tests/test_x.py::test_a`, `::test_b` of the same file
    for reference in re.findall(r"`((?:tests/[\w/*.]+\.py)?(?:::\w+)*)`", page.read_text("utf-8")):
        if not reference:
            continue
        path, *names = reference.split("::")
        file = path or file
        if "*" in file:
            if not list(ROOT.glob(file)):
                missing.append(reference)
        elif not (ROOT / file).is_file() or (
            names and re.sub(r"\[.*", "", "::".join(names)) not in _tests_of(file)
        ):
            missing.append(reference)
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_extras_that_pages_name_exist(page: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].keys()
    named = re.findall(r'(?:chunkwright|"\.)\[([\w,-]+)\]', page.read_text("utf-8"))
    assert {extra for names in named for extra in names.split(",")} <= extras


def test_every_difference_names_its_test() -> None:
    texts = [page.read_text("utf-8") for page in (ROOT / "docs" / "differences").glob("*.md")]
    found = [(text, name) for text in texts for name in re.findall(r"(?m)^### (.+)$", text)]
    assert len(found) > 70
    assert not [name for text, name in found if "Test:" not in section(text, name)]


def test_every_difference_of_the_service_names_its_test() -> None:
    text = (ROOT / "docs" / "differences" / "service.md").read_text("utf-8")
    # Behind the head of each table.
    rows = re.findall(r"(?m)^\| (?!.*\| test \|$)(.+) \|$", text)
    assert len(rows) > 70
    assert not [row for row in rows if not re.search(r"\| `(?:tests/[\w/]+\.py)?::\w+`", row)]


def test_the_index_of_differences_lists_every_page() -> None:
    listed = links((ROOT / "docs" / "differences.md").read_text("utf-8"))
    pages_of_peers = (ROOT / "docs" / "differences").glob("*.md")
    assert {f"differences/{page.name}" for page in pages_of_peers} <= set(listed)


@cache
def _map_of_modules() -> list[str]:
    script = [sys.executable, "scripts/architecture_map.py"]
    done = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=True)
    return [line.lstrip() for line in done.stdout.splitlines() if line]


def test_every_module_begins_with_a_sentence_that_names_it() -> None:
    """A noun, and what it is for: the line that the map of the modules has for it."""
    questions = {"What", "How", "Whether", "Where", "Which", "When", "This", "Module"}
    sentences = [line.partition(": ")[::2] for line in _map_of_modules()]
    silent = [module for module, sentence in sentences if not sentence]
    long = [module for module, sentence in sentences if len(sentence) > 200]
    riddles = [module for module, sentence in sentences if sentence.split(" ")[0] in questions]
    assert (silent, long, riddles) == ([], [], [])


def test_no_module_has_both_a_file_and_a_folder() -> None:
    """A module with parts is the `mod.rs`, or the `__init__.py`, of their folder."""
    assert not [module for module in MODULES if module.with_suffix("").is_dir()]


def test_the_map_has_a_line_for_every_module() -> None:
    assert len(_map_of_modules()) == len(MODULES)


def test_files_that_the_walks_name_exist() -> None:
    files = [ROOT / "docs" / "architecture.md", *(ROOT / "docs" / "architecture").glob("*.md")]
    page = "\n".join(file.read_text("utf-8") for file in files)
    named = set(re.findall(r"`([\w/]+(?:\.rs|\.py|/)|[a-z_]+(?:/[a-z_]+)+)`", page))
    assert len(named) > 50
    paths = {f"/{file.relative_to(ROOT)}" for file in SOURCES}
    # `engine/lib.rs` is short for `rust/engine/src/lib.rs`, `cut/elements` for the folder.
    paths |= {path.replace("/src/", "/") for path in paths}
    paths |= {path.rpartition("/")[0] + "/" for path in paths}
    missing = [
        name
        for name in sorted(named)
        if not (ROOT / name).exists()
        and not any(path.endswith((f"/{name}", f"/{name}/")) for path in paths)
    ]
    assert missing == []
