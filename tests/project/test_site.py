"""The site of the documentation: its contents, its reference, and that it builds."""

import contextlib
import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import chunkwright as cw
from tests.pages.browser import CHROMIUM, NO_CHROMIUM, PATIENCE
from tests.support.markdown import ROOT, links
from tests.support.served_site import first_found, served

DOCS = ROOT / "docs"
MIGRATE = sorted((DOCS / "migrate").glob("*.md"))
NAMES = [page.stem for page in MIGRATE]
# What people type into the site's search, and the guide that it shows first.
ASKED = tomllib.loads(Path(__file__).with_name("site_questions.toml").read_text("utf-8"))
DROP_INS = {
    "langchain": ["langchain", "langchain_experimental"],
    "unstructured": ["unstructured"],
    "docling": ["docling"],
    "semchunk": ["semchunk"],
    "chroma": ["chroma"],
}


def names_of(module: ModuleType) -> Iterator[str]:
    """Give a module's public names, those of its classes' members, and the options of all."""
    for name in module.__all__:
        yield name
        value = getattr(module, name)
        methods = vars(value).values() if inspect.isclass(value) else [value]
        for method in filter(callable, methods):
            with contextlib.suppress(ValueError, TypeError):
                yield from inspect.signature(method).parameters
        yield from dir(value) if inspect.isclass(value) else ()
        yield from getattr(value, "model_fields", ())


@pytest.fixture
def extension(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give the function that imports one of the site's own extensions."""
    monkeypatch.syspath_prepend(DOCS / "_extensions")
    return importlib.import_module


def test_every_public_name_stands_once_in_the_reference(extension: Any) -> None:
    rooms = extension("rooms")
    sections = [part for room in rooms.ROOMS for part in rooms.sections(room)]
    of_root = [name for module, names in sections if module == "chunkwright" for name in names]
    assert sorted(of_root) == sorted(set(cw.__all__) - {"__version__"})
    every = [f"{module}.{name}" for module, names in sections for name in names]
    assert len(every) == len(set(every))


def test_what_packages_export_is_in_the_reference(extension: Any) -> None:
    rooms = extension("rooms")
    shown = {
        id(getattr(importlib.import_module(module), name))
        for room in rooms.ROOMS
        for module, names in rooms.sections(room)
        for name in names
    }
    for package in ("embed", "retrieval", "store", "corpus", "evaluation", "llm", "server"):
        module = importlib.import_module(f"chunkwright.{package}")
        missing = [name for name in module.__all__ if id(getattr(module, name)) not in shown]
        assert missing == [], package


def test_the_contents_list_every_guide_once(extension: Any) -> None:
    guides = (DOCS / "README.md").read_text("utf-8")
    listed = "".join(extension("guides").contents(guides, "index")).splitlines()
    pages = [file.relative_to(DOCS).with_suffix("").as_posix() for file in DOCS.rglob("*.md")]
    for page in pages:
        assert listed.count(page) == (page != "index"), page


def test_links_out_of_the_guides_become_files_to_load(extension: Any) -> None:
    class App:
        srcdir = str(DOCS)

        class env:  # noqa: N801 - as Sphinx has it
            @staticmethod
            def doc2path(page: str) -> str:
                return str(DOCS / f"{page}.md")

    source = ["[`a`](../../NOTICE#x), [b](../../examples/evaluation), [c](../store.md#cite)"]
    extension("outside").rewrite(App, "migrate/chroma", source)
    assert source == ["{download}`a <../../NOTICE>`, b, [c](../store.md#cite)"]


def test_of_two_classes_with_one_name_the_nearer_is_meant(extension: Any) -> None:
    pytest.importorskip("sphinx", reason="the site is built with Sphinx")
    full_name = extension("short_names").full_name
    assert full_name("Report", "chunkwright.evaluation.report") == "chunkwright.evaluation.Report"
    assert full_name("Report", "chunkwright.store") == "chunkwright.store.Report"
    inherited = full_name("chunkwright.Recursive.batch", "chunkwright")
    assert inherited == "chunkwright.chunking.Strategy.batch"
    assert full_name("Recursive.nothing", "chunkwright") is None


@pytest.mark.parametrize(
    "task",
    [
        "migrate/langchain.md",
        "choosing.md",
        "recipes.md#how-long-ids-hold",
        "corpus.md",
        "service.md",
    ],
)
def test_the_first_page_leads_to_what_a_stranger_looks_for(task: str) -> None:
    assert task in links((DOCS / "index.md").read_text("utf-8"))


def test_each_migration_is_offered_on_the_first_page() -> None:
    offered = links((DOCS / "index.md").read_text("utf-8"))
    assert {f"migrate/{name}.md" for name in NAMES} <= set(offered)


@pytest.mark.parametrize("page", MIGRATE, ids=NAMES)
def test_migrations_say_names_differences_gains_and_where_the_peer_is_better(page: Path) -> None:
    text = page.read_text("utf-8")
    for wanted in ("Before", "After:", "## Names", "## What differs", "## What it brings"):
        assert wanted in text, wanted
    assert re.search(r"^## Where .+ is better$", text, re.MULTILINE)
    assert "python benches/" in text, "no command that reproduces the figures"
    assert "benchmarks.md" in text


@pytest.mark.parametrize("page", MIGRATE, ids=NAMES)
def test_names_of_ours_in_migrations_exist(page: Path) -> None:
    named = re.findall(r"\bcw\.(\w+)(?:\.(\w+))?", page.read_text("utf-8"))
    assert named
    for name, member in named:
        assert hasattr(cw, name), name
        assert not member or hasattr(getattr(cw, name), member), f"{name}.{member}"


@pytest.mark.parametrize("page", DROP_INS)
def test_names_that_a_drop_in_keeps_exist_in_it(page: str) -> None:
    modules = [importlib.import_module(f"chunkwright.compat.{name}") for name in DROP_INS[page]]
    ours = {name for module in modules for name in names_of(module)}
    text = (DOCS / "migrate" / f"{page}.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| same names? ?[^|]*\|", text, re.MULTILINE)
    kept = {name for row in rows for name in re.findall(r"`(\w+)[`(=]", row)}
    assert kept, "no row of a name that is kept"
    assert kept <= ours


def test_questions_are_asked_of_all_parts_of_the_guides() -> None:
    pages = set(ASKED["questions"].values())
    assert len(ASKED["questions"]) >= 40
    assert len(pages) >= 30
    assert [name for name in pages if not (DOCS / f"{name}.md").is_file()] == []


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str]:
    """Give the folder of the built site, the status of the build, and what it warned of."""
    for name in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(name, reason="the site is built with the extra docs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "docs", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return folder, done.returncode, done.stderr


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """Give a page of a headless browser."""
    api = pytest.importorskip("playwright.sync_api", reason="the site is searched with playwright")
    if not CHROMIUM.exists():
        pytest.skip(NO_CHROMIUM)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        found = browser.new_page()
        found.set_default_timeout(PATIENCE)
        yield found
        browser.close()


@pytest.mark.slow
def test_the_site_builds_without_warnings_and_loads_nothing_from_elsewhere(
    built: tuple[Path, int, str],
) -> None:
    folder, status, warnings = built
    assert (status, warnings) == (0, "")
    reference = (folder / "reference" / "store.html").read_text("utf-8")
    assert 'id="chunkwright.Store.search"' in reference
    pages = [page.read_text("utf-8") for page in folder.rglob("*.html")]
    loaded = [
        found for page in pages for found in re.findall(r'<(?:script|img)[^>]+src="http', page)
    ]
    loaded += [found for page in pages for found in re.findall(r'<link[^>]+href="http', page)]
    assert loaded == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["questions", "names"])
def test_the_search_finds_the_right_page_first(
    kind: str, page: Any, built: tuple[Path, int, str]
) -> None:
    with served(built[0]) as address:
        found = {asked: first_found(page, address, asked) for asked in ASKED[kind]}
    assert found == ASKED[kind]
