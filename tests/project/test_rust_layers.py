"""Rust modules import one way, without circles of files; only the binding knows Python."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

RUST = Path(__file__).parents[2] / "rust"

# Each module of `text` may import those above its own row, and those beside it.
TEXT = [
    {"error", "panics", "unicode"},
    {"pulse", "span"},
    {"boundaries", "grid", "identity", "offsets"},
    {"elements", "markup", "source_map"},
    {"document", "heading_paths", "subject", "turns"},
    {"segment"},
    {"measure", "options"},
    {"overlap"},
    {"chunks", "rows"},
    {"read", "syntax"},
    {"sections"},
    {"vectors"},
    {"cut"},
    {"block_types"},
]
# Edges against that order, each with the reason why it stays: {("from", "to"): "reason"}.
EXCEPTIONS: dict[tuple[str, str], str] = {}
# Circles of files, each with the reason why it stays.
CIRCLES: dict[str, str] = {}
# The crates of this workspace that each of them may name, and whether it may name Python.
CRATES = {
    "text": (set[str](), False),
    "read": ({"text"}, False),
    "code": ({"text"}, False),
    "search": ({"text"}, False),
    "parity": ({"read", "text"}, False),
    "engine": ({"read", "text"}, False),
    "fuzz": ({"engine", "read", "text"}, False),
    "py": ({"code", "engine", "parity", "read", "search", "text"}, True),
}

Module = tuple[str, ...]


def _tree(paths: str) -> Iterator[str]:
    """Each path of a use declaration: `a::{b, c::d}` is `a::b` and `a::c::d`."""
    head, brace, rest = paths.strip().partition("{")
    if not brace:
        yield head
        return
    depth, item = 0, ""
    for char in rest[: rest.rindex("}")] + ",":
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            yield from (head + path for path in _tree(item))
            item = ""
        else:
            item += char


class Crate:
    """Source files of a crate as modules, tests left out."""

    def __init__(self, name: str) -> None:
        """Read all files."""
        root = RUST / name / "src"
        sources = {self._module(root, file): file.read_text("utf-8") for file in root.rglob("*.rs")}
        tests = {
            (*module, test)
            for module, source in sources.items()
            for test in re.findall(r"#\[cfg\(test\)\]\s*(?:pub\S* )?mod (\w+);", source)
        }
        self.sources = {
            module: self._code(source)
            for module, source in sources.items()
            if not any(module[: len(test)] == test for test in tests)
        }

    @staticmethod
    def _module(root: Path, file: Path) -> Module:
        parts = file.relative_to(root).with_suffix("").parts
        return parts[:-1] if parts[-1] in {"mod", "lib"} else parts

    @staticmethod
    def _code(source: str) -> str:
        """The source without comments and what is compiled for tests and docs alone."""
        source = re.sub(r"//.*", "", source)
        source = re.sub(r"#\[cfg\(test\)\]\s*mod \w+ \{.*", "", source, flags=re.DOTALL)
        return re.sub(r"#\[cfg\((?:test|doc)\)\]\s*(?:pub\S* )?(?:use|mod) [^;]*;", "", source)

    def edges(self) -> dict[Module, set[Module]]:
        """The modules that each one names, its parents and children left out."""
        return {module: set(self._named(module)) for module in self.sources}

    def _named(self, module: Module) -> Iterator[Module]:
        source = self.sources[module]
        uses = r"(?m)^\s*(?:pub\S* )?use\s+([^;]+);"
        paths = [path for use in re.findall(uses, source) for path in _tree(use)]
        paths += re.findall(r"\b(?:crate|super)(?:::\w+)+", re.sub(uses, "", source))
        for path in paths:
            named = self._resolved(module, path.split("::"))
            shared = min(len(named), len(module))
            if named[:shared] != module[:shared]:
                yield named

    def _resolved(self, module: Module, path: list[str]) -> Module:
        at: Module = () if path[0] == "crate" else module
        for name in path:
            if name == "super":
                at = at[:-1]
            elif (*at, name.strip()) in self.sources:
                at = (*at, name.strip())
            elif name not in {"crate", "self"}:
                break
        return at


def _circles(edges: dict[Module, set[Module]]) -> Iterator[str]:
    """Groups of modules of which each one reaches each other."""

    def reached(start: Module) -> set[Module]:
        found, waiting = set[Module](), [start]
        while waiting:
            new = edges.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    reach = {module: reached(module) for module in edges}
    for module, behind in reach.items():
        circle = sorted(other for other in behind if module in reach.get(other, set()))
        if circle and module == circle[0]:
            yield " ".join("::".join(name) for name in circle)


def test_modules_of_text_import_one_way() -> None:
    row = {name: i for i, names in enumerate(TEXT) for name in names}
    wrong = set()
    for module, named in Crate("text").edges().items():
        for other in named:
            if module and other and module[0] != other[0]:
                edge = (module[0], other[0])
                assert set(edge) <= row.keys(), f"give {edge} a row"
                if row[edge[1]] > row[edge[0]] and edge not in EXCEPTIONS:
                    wrong.add(f"{'::'.join(module)} imports {'::'.join(other)}")
    assert not wrong


@pytest.mark.parametrize("crate", sorted(path.parent.name for path in RUST.glob("*/src")))
def test_no_files_import_each_other(crate: str) -> None:
    assert set(_circles(Crate(crate).edges())) <= CIRCLES.keys()


@pytest.mark.parametrize("crate", sorted(path.parent.name for path in RUST.glob("*/src")))
def test_crates_name_those_below_them(crate: str) -> None:
    allowed, may_name_python = CRATES[crate]
    for module, source in Crate(crate).sources.items():
        named = set(re.findall(r"\bchunkwright_(\w+)", source))
        assert named <= allowed, module
        assert may_name_python or not re.search(r"\bpyo3\b", source), module


@pytest.mark.parametrize("crate", ["text", "search"])
def test_what_cuts_and_searches_names_no_peer(crate: str) -> None:
    """Formats have readers in `rust/read`; other chunkers are the matter of `rust/parity`."""
    peer = r"(?i)langchain|semchunk|chroma|docling|unstructured"
    for file in (RUST / crate / "src").rglob("*.rs"):
        assert not re.search(peer, file.read_text("utf-8")), file


def test_what_is_looked_for_is_found() -> None:
    assert list(_tree("a::{b, c::{d, self}}")) == ["a::b", "a::c::d", "a::c::self"]
    assert list(_circles({("a",): {("b",)}, ("b",): {("a",), ("c",)}})) == ["a b"]
    edges = Crate("text").edges()
    assert ("span",) in edges["chunks",]
    assert ("error",) in edges["segment", "sentence"]
