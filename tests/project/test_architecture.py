"""Architecture of the package: imports go one way, in no circle; files and folders are small."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import chunkwright

PACKAGE = Path(chunkwright.__file__).parent
ROOT = "chunkwright"

# Packages and modules of the root may import those of their own row and of the rows above.
ROWS = [
    {"_core", "_lazy", "_strategies", "checks", "errors", "settings"},
    {"concurrency", "files", "http", "messages", "objects", "telemetry", "tokens"},
    {"boundaries", "chunk_view", "chunks", "columns", "context", "document", "element_columns"}
    | {"elements", "frames", "origin", "plots", "render", "rows", "sentences"},
    {"embed", "readers"},
    {"llm", "retrieval"},
    {"chunking"},
    {"contextual"},
    {"io"},
    {"store"},
    {"corpus", "evaluation"},
    {"adapters", "cli", "compat", "server"},
    # The front door, and the entry of the command line.
    {"", "__main__"},
]

# The files beside the folders of a package that its rows do not name.
OTHERS = "*"
# Folders of each package that has any, and files beside them, which may import those of their own
# row and of the rows above.
ROWS_WITHIN = {
    "adapters": [{OTHERS}, {"haystack", "langchain", "llama_index"}],
    "chunking": [
        {OTHERS},
        {"bases"},
        {"strategies"},
        {"plugins", "registry", "table_splitter"},
    ],
    "cli": [
        {"settings", "streams"},
        {"installation", "show"},
        {"docling"},
        {"files"},
        {"language_model", "syntax"},
        {"evaluating", "storing"},
        {OTHERS},
    ],
    "compat": [
        {"semchunk", OTHERS},
        {"docling", "langchain"},
        {"langchain_experimental", "unstructured"},
        {"chroma"},
    ],
    "corpus": [
        {"arrow", "inputs", "report", "settings"},
        {"reading"},
        {"planning"},
        {"output"},
        {"pipeline", "result"},
        {"engines", "estimating"},
        {OTHERS},
    ],
    "embed": [{OTHERS}, {"onnx", "static"}, {"protocol"}, {"cache", "naming"}],
    "evaluation": [
        *({OTHERS}, {"data"}, {"chunkers"}, {"scores"}, {"confidence"}, {"run"}, {"intrinsic"}),
        {"report", "synthetic"},
    ],
    "llm": [{OTHERS}, {"adapters", "framing"}, {"run"}, {"settings"}],
    "readers": [{"ocr"}, {OTHERS}, {"mail", "office", "pdf"}],
    "render": [{OTHERS}, {"viewing"}, {"notebook"}],
    "retrieval": [
        {"budget", "expansion", "hits", "shadows"},
        {"rerank", "steps"},
        {OTHERS},
    ],
    "server": [
        {"log_lines", "problems", "reading_costs", "schemas", "settings"},
        {"children"},
        {"answers", "pool", "reading_roots"},
        {"known_strategies", "named_models", "refusals", "stored", "tasks"},
        {"service"},
        {"dialect"},
        {"guard"},
        {"bodies"},
        {"streams"},
        {"routes"},
        {"dialects"},
        {OTHERS},
        {"mcp"},
    ],
    "store": [
        {
            "content",
            "drafts",
            "duplicates",
            "negations",
            "quotes",
            "restored",
            "schema",
            "settings",
        },
        {"model"},
        {"database", "identities"},
        {"reading"},
        {"notes", "searched_texts", "versions"},
        {"citing"},
        {"edits", "erasing", "exporting", "importing"},
        {"pruning", "searching"},
        {"interface"},
        {"store"},
    ],
}

# Imports against the rows, each with what excuses it.
AGAINST_ROWS = {
    ("render.viewing.typeface", "readers.kinds"): "a kind tells the typeface, in the function",
    ("retrieval.trimming", "chunking"): "hits are trimmed to sentences, in the function",
}
# The same within a package.
AGAINST_ROWS_WITHIN = {
    ("cli.show.page", "cli.files"): "a page is an output like any other",
    ("server.service", "server.guard.metrics"): "the service holds what the guards count",
}
# Files of Python in one folder.
MOST_FILES = 20
# Imports that would close a circle, each with what excuses it. None of them runs at import time.
IN_CIRCLES = {
    **{
        (name, "render.notebook"): "what a notebook shows is made in the function that shows it"
        for name in ("chunks", "chunk_view", "document")
    },
    ("compat.unstructured.metadata", "compat.unstructured.staging"): "the peer's own shape",
}


class Import(NamedTuple):
    """An import of one module of the package by another, and whether it runs at import time."""

    module: str
    imported: str
    at_once: bool


@cache
def _modules() -> dict[str, Path]:
    """Return the files of the package by the names of their modules, its own name left out."""
    found = {}
    for file in PACKAGE.rglob("*.py"):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = file
    return found


@cache
def _imports() -> list[Import]:
    return [
        Import(module, imported, at_once)
        for module, file in sorted(_modules().items())
        for node, at_once in _nodes(ast.parse(file.read_text("utf-8")), at_once=True)
        for imported in _imported(node, module)
        if imported != module
    ]


def _nodes(tree: ast.AST, *, at_once: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Give all nodes, and whether each is run when the module is imported."""
    for node in ast.iter_child_nodes(tree):
        is_late = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        is_for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        yield node, at_once
        yield from _nodes(node, at_once=at_once and not (is_late or is_for_types))


def _imported(node: ast.AST, module: str) -> Iterator[str]:
    """Give the modules of the package that a statement imports."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names if alias.name.split(".")[0] == ROOT]
        yield from (name.removeprefix(ROOT).lstrip(".") for name in names)
    elif isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith(ROOT)):
        base = (node.module or "").removeprefix(ROOT).lstrip(".")
        if node.level:
            is_package = _modules()[module].name == "__init__.py"
            folders = module.split(".") if is_package else module.split(".")[:-1]
            folders = folders[: len(folders) - node.level + 1]
            base = ".".join([*folders, *([node.module] if node.module else [])])
        for alias in node.names:
            full = f"{base}.{alias.name}".lstrip(".")
            if full in _modules() or full == "_core":
                yield full
            else:
                yield base or _behind_the_door()[alias.name]


@cache
def _behind_the_door() -> dict[str, str]:
    """Return the modules of the names that the package itself gives."""
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text("utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom) and node.module]
    return {a.name: str(i.module).removeprefix(f"{ROOT}.") for i in imports for a in i.names}


def _row(module: str) -> int:
    unit = module.split(".", maxsplit=1)[0]
    rows = [i for i, row in enumerate(ROWS) if unit in row]
    assert rows, f"{unit} has no row in the table"
    return rows[0]


def test_imports_go_one_way() -> None:
    against = {
        (each.module, each.imported)
        for each in _imports()
        if _row(each.imported) > _row(each.module)
    }
    assert against - AGAINST_ROWS.keys() == set()
    assert AGAINST_ROWS.keys() - against == set(), "no longer needed: strike it out"


def test_each_package_with_folders_has_rows() -> None:
    folders = {
        package.parent.name: {path.parent.name for path in package.parent.glob("*/__init__.py")}
        for package in PACKAGE.glob("*/__init__.py")
    }
    assert ROWS_WITHIN.keys() == {package for package, within in folders.items() if within}
    for package, rows in ROWS_WITHIN.items():
        named = [unit for row in rows for unit in row]
        files = {path.stem for path in (PACKAGE / package).glob("*.py")}
        assert len(set(named)) == len(named)
        assert folders[package] <= set(named)
        assert set(named) <= folders[package] | files | {OTHERS}


def test_what_is_in_a_package_imports_one_way() -> None:
    against = {
        (each.module, each.imported)
        for each in _imports()
        for module, imported in [(each.module.split("."), each.imported.split("."))]
        if module[0] == imported[0] in ROWS_WITHIN and len(module) > 1 and len(imported) > 1
        if _row_within(imported) > _row_within(module)
    }
    assert against - AGAINST_ROWS_WITHIN.keys() == set()
    assert AGAINST_ROWS_WITHIN.keys() - against == set(), "no longer needed: strike it out"


def _row_within(parts: list[str]) -> int:
    """Return the number of the row that a module of a package is in."""
    rows = {unit: i for i, row in enumerate(ROWS_WITHIN[parts[0]]) for unit in row}
    assert parts[1] in rows or OTHERS in rows, f"{parts[0]}.{parts[1]} has no row in the table"
    return rows[parts[1] if parts[1] in rows else OTHERS]


def test_files_import_in_no_circle() -> None:
    imports = {(each.module, each.imported) for each in _imports()}
    assert _circle(imports - IN_CIRCLES.keys()) == []
    needed = {edge for edge in IN_CIRCLES if _circle((imports - IN_CIRCLES.keys()) | {edge})}
    assert IN_CIRCLES.keys() - needed == set(), "no longer needed: strike it out"
    at_once = {(each.module, each.imported) for each in _imports() if each.at_once}
    assert _circle(at_once) == []


def _circle(imports: set[tuple[str, str]]) -> list[str]:
    """Return the modules of a circle; none if there is none."""
    graph: dict[str, set[str]] = {}
    for module, imported in imports:
        graph.setdefault(module, set()).add(imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_files_stay_small() -> None:
    root = PACKAGE.parent.parent
    sources = [*PACKAGE.rglob("*.py"), *(root / "rust").rglob("src/**/*.rs")]
    long = {file.name: n for file in sources if (n := file.read_text("utf-8").count("\n")) > 500}
    assert not long


def test_folders_stay_small() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    crowded = {
        str(folder.relative_to(PACKAGE)): n
        for folder in folders
        if (n := len([*folder.glob("*.py")])) > MOST_FILES
    }
    assert not crowded
