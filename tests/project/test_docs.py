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
    text = (ROOT / "docs" / "differences.md").read_text("utf-8")
    headings = re.findall(r"^### (.+)$", text, re.MULTILINE)
    assert headings
    silent = [name for name in headings if "Test:" not in section(text, name)]
    assert not silent


def test_the_map_of_modules_is_current() -> None:
    script = [sys.executable, "scripts/architecture_map.py", "--check"]
    done = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_module_of_the_map_says_what_it_is_for() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    lines = page.split("<!-- map")[1].split("<!-- end of the map")[0].splitlines()
    modules = [line for line in lines if line.lstrip().startswith("- `")]
    assert len(modules) > 100
    assert [line for line in modules if line.endswith(": ")] == []
