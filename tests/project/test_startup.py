"""Start of the package and of its command line: which modules are left unloaded."""

import ast
import json
import pickle
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.cli.syntax.commands import COMMANDS, STORE, Row
from chunkwright.compat import langchain

PACKAGE = Path(cw.__file__).parent
TEXT = "One sentence. And one more."
ROWS = {
    name: row
    for name, row in (
        *COMMANDS.items(),
        *((f"store {name}", row) for name, row in STORE.rows.items()),
    )
    if isinstance(row, Row)
}
# The modules of the commands.
MODULES = {name: f"chunkwright.cli.{row.folder}{row.module or name}" for name, row in ROWS.items()}
RUN = "from chunkwright.cli import run; run"
# Of all that starts, and of what is no command line.
HEAVY = {"numpy", "pyarrow", "tiktoken", "tokenizers", "rich", "asyncio", "sqlite3", "ssl"}
MODELS = {f"chunkwright.embed.{name}" for name in ("cache", "onnx", "openai", "static")}
ROOMS = {f"chunkwright.{name}" for name in ("retrieval", "evaluation", "compat")}
COMMAND_LINE = {"typer", "chunkwright.cli"}
SHOWN_AT = """
import atexit, json, os, sys
before = set(sys.modules)
atexit.register(lambda: os.write(2, json.dumps(sorted(set(sys.modules) - before)).encode()))
"""


def _loaded_by(code: str) -> set[str]:
    """Return the modules that a program loads beside those of the interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", SHOWN_AT + code], capture_output=True, text=True, check=False
    )
    return set(json.loads(done.stderr))


def test_the_import_loads_nothing_but_itself() -> None:
    loaded = _loaded_by("import chunkwright")
    ours = {name for name in loaded if name.startswith("chunkwright")}
    assert ours == {"chunkwright", "chunkwright._lazy", "chunkwright._strategies"}
    assert not loaded & {"dataclasses", "inspect", "re", "typing", "pathlib", *HEAVY}


@pytest.mark.parametrize(
    "code",
    [
        f"import chunkwright as cw; [c.text for c in cw.chunk({TEXT!r})]",
        f"from chunkwright import Sentence; Sentence(max_tokens=9)({TEXT!r})[0].id",
        f"import chunkwright as cw; cw.count_tokens({TEXT!r})",
    ],
    ids=["chunk", "sentence", "count"],
)
def test_a_first_chunk_loads_no_column(code: str) -> None:
    assert not _loaded_by(code) & (HEAVY | MODELS | ROOMS | COMMAND_LINE)


def test_a_column_loads_numpy() -> None:
    assert "numpy" in _loaded_by(f"import chunkwright as cw; cw.chunk({TEXT!r}).starts")


@pytest.mark.parametrize("arguments", [[], ["chunk"], ["corpus"], ["doctor"]], ids=str)
def test_help_loads_no_rich(arguments: list[str]) -> None:
    assert not _loaded_by(f"{RUN}({[*arguments, '--help']})") & (HEAVY | MODELS | ROOMS)


def test_help_loads_no_command() -> None:
    loaded = _loaded_by(f"{RUN}(['--help'])")
    assert not loaded & {*MODULES.values()}
    assert not loaded & {"chunkwright._core", "chunkwright.chunking", "chunkwright.cli.settings"}


def test_count_loads_what_counts() -> None:
    loaded = _loaded_by(f"{RUN}(['count', {str(Path(__file__))!r}])")
    assert not loaded & (HEAVY | MODELS | ROOMS)
    assert not loaded & ({*MODULES.values()} - {MODULES["count"]})


def test_each_command_is_there() -> None:
    for name, row in ROWS.items():
        file = PACKAGE.parent / f"{MODULES[name].replace('.', '/')}.py"
        tree = ast.parse(file.read_text("utf-8"))
        assert row.function in {
            node.name for node in tree.body if isinstance(node, ast.FunctionDef)
        }


def test_langchain_is_loaded_by_its_own_names_alone() -> None:
    peers = {"langchain_core", "langchain_text_splitters"}
    assert not _loaded_by("from chunkwright.compat.chroma import *") & peers
    assert not _loaded_by("import chunkwright.compat.langchain") & (peers | {"chunkwright._core"})


def test_splitters_are_of_the_module_that_programs_import() -> None:
    for name in ("CharacterTextSplitter", "TokenTextSplitter", "split_text_on_tokens"):
        found = getattr(langchain, name)
        assert found.__module__ == "chunkwright.compat.langchain"
        assert pickle.loads(pickle.dumps(found)) is found
    splitter = langchain.MarkdownTextSplitter(chunk_size=20, chunk_overlap=0)
    again = pickle.loads(pickle.dumps(splitter))
    assert isinstance(again, langchain.RecursiveCharacterTextSplitter)
    assert again.split_text(TEXT) == splitter.split_text(TEXT)


@pytest.mark.parametrize("missing", ["typer", "rich"])
@pytest.mark.parametrize(
    "entry",
    [
        "import runpy; runpy.run_module('chunkwright', run_name='__main__')",
        "from chunkwright.__main__ import main; main()",
    ],
    ids=["module", "script"],
)
def test_the_command_line_says_that_its_extra_is_missing(entry: str, missing: str) -> None:
    called = ["chunkwright", "compare", __file__, "recursive:max_tokens=9", "window:max_tokens=9"]
    code = f"import sys; sys.modules[{missing!r}] = None; sys.argv = {called}; {entry}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    wanted = 'Error: the command line needs an extra: pip install "chunkwright[cli]"\n'
    assert (done.returncode, done.stdout, done.stderr) == (3, "", wanted)


def test_the_mcp_server_says_that_its_extra_is_missing() -> None:
    entry = "import runpy; runpy.run_module('chunkwright', run_name='__main__')"
    code = f"import sys; sys.modules['orjson'] = None; sys.argv = ['chunkwright', 'mcp']; {entry}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    wanted = 'Error: the MCP server needs an extra: pip install "chunkwright[mcp]"\n'
    assert (done.returncode, done.stdout, done.stderr) == (3, "", wanted)


def test_the_library_needs_numpy_alone() -> None:
    text = (PACKAGE.parents[1] / "pyproject.toml").read_text("utf-8")
    project = tomllib.loads(text)["project"]
    extras = project["optional-dependencies"]
    assert [each.partition(">")[0] for each in project["dependencies"]] == ["numpy"]
    assert [each.partition(">")[0] for each in extras["cli"]] == ["rich", "typer"]
    assert "cli" in extras["server"][0]
    assert project["scripts"] == {"chunkwright": "chunkwright.__main__:main"}


# Of the packages whose names are all given lazily.
STUBS = [PACKAGE / folder / "__init__.pyi" for folder in ("", "compat/chroma", "compat/langchain")]


@pytest.mark.parametrize("stub", STUBS, ids=[stub.parent.name for stub in STUBS])
def test_stubs_of_packages_name_what_they_give(stub: Path) -> None:
    parts = stub.parent.relative_to(PACKAGE.parent).parts
    package = __import__(".".join(parts), fromlist=["__all__"])
    imports = [n for n in ast.parse(stub.read_text("utf-8")).body if isinstance(n, ast.ImportFrom)]
    assert sorted(alias.name for node in imports for alias in node.names) == package.__all__
    assert all(alias.asname == alias.name for node in imports for alias in node.names)
    for node in imports:
        module = __import__(str(node.module), fromlist=["*"])
        for alias in node.names:
            assert getattr(package, alias.name) is getattr(module, alias.name)
    assert set(package.__all__) <= set(dir(package))


def test_names_are_what_they_were() -> None:
    splitter = cw.Recursive(max_chars=9)
    again = pickle.loads(pickle.dumps(splitter))
    assert again == splitter
    assert isinstance(again, cw.Recursive)
    assert issubclass(cw.ConfigError, cw.ChunkwrightError)
    assert cw.retrieval.Retriever is cw.Retriever
    with pytest.raises(AttributeError, match="'chunkwright' has no attribute 'Onyx'"):
        _ = cw.Onyx  # type: ignore[attr-defined]
    with pytest.raises(ImportError, match="cannot import name 'onyx'"):
        from chunkwright import onyx  # type: ignore[attr-defined]  # noqa: F401
