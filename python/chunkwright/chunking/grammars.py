"""Grammars of source code: packages bring them, and the core has them when it needs them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from threading import Lock
from typing import NamedTuple

from chunkwright import _core


class _Package(NamedTuple):
    """A package with a grammar: its name on PyPI, and the function that gives the grammar."""

    distribution: str
    function: str = "language"

    @property
    def module(self) -> str:
        return self.distribution.replace("-", "_")


PACKAGES = {
    "bash": _Package("tree-sitter-bash"),
    "c": _Package("tree-sitter-c"),
    "cpp": _Package("tree-sitter-cpp"),
    "csharp": _Package("tree-sitter-c-sharp"),
    "css": _Package("tree-sitter-css"),
    "dart": _Package("tree-sitter-dart"),
    "dockerfile": _Package("tree-sitter-dockerfile"),
    "elixir": _Package("tree-sitter-elixir"),
    "go": _Package("tree-sitter-go"),
    "haskell": _Package("tree-sitter-haskell"),
    "hcl": _Package("tree-sitter-hcl"),
    "html": _Package("tree-sitter-html"),
    "java": _Package("tree-sitter-java"),
    "js": _Package("tree-sitter-javascript"),
    "julia": _Package("tree-sitter-julia"),
    "kotlin": _Package("tree-sitter-kotlin"),
    "lua": _Package("tree-sitter-lua"),
    "php": _Package("tree-sitter-php", "language_php"),
    "python": _Package("tree-sitter-python"),
    "ruby": _Package("tree-sitter-ruby"),
    "rust": _Package("tree-sitter-rust"),
    "scala": _Package("tree-sitter-scala"),
    "sol": _Package("tree-sitter-solidity"),
    "sql": _Package("tree-sitter-sql"),
    "svelte": _Package("tree-sitter-svelte"),
    "swift": _Package("tree-sitter-swift"),
    "toml": _Package("tree-sitter-toml"),
    "ts": _Package("tree-sitter-typescript", "language_typescript"),
    "tsx": _Package("tree-sitter-typescript", "language_tsx"),
    # Components of Vue have the syntax of HTML.
    "vue": _Package("tree-sitter-html"),
    "yaml": _Package("tree-sitter-yaml"),
    "zig": _Package("tree-sitter-zig"),
}
"""The package with the grammar of each language, by our names."""

# Capsules keep the address of their name, so it lives as long as the module.
_CAPSULE_NAME = b"tree_sitter.Language"
_lock = Lock()
_loaded: dict[str, bool] = {}


def load(language: str) -> bool:
    """Hand the grammar of ``language`` over to the core, once in a process.

    Returns
    -------
    Whether the core has it now: not if no package has one, or the package is not installed.

    Raises
    ------
    ConfigError
        If what is installed cannot be read: names the version of its tables.
    """
    with _lock:
        if language not in _loaded:
            _loaded[language] = _handed_over(language)
        return _loaded[language]


def _handed_over(language: str) -> bool:
    grammar = grammar_of(language)
    if grammar is None:
        return False
    _core.add_grammar(language, grammar)
    return True


def grammar_of(language: str) -> object | None:
    """Return the capsule that holds the grammar of ``language``; none if it is not installed."""
    package = PACKAGES.get(language)
    if package is None:
        return None
    try:
        module = import_module(package.module)
    except ModuleNotFoundError as error:
        if error.name != package.module:
            raise
        return None
    return _capsule(getattr(module, package.function)())


def _capsule(grammar: object) -> object:
    """Return a capsule for a grammar: older packages give the address of its tables instead."""
    if not isinstance(grammar, int):
        return grammar
    import ctypes

    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(grammar, _CAPSULE_NAME, None)


@cache
def versions() -> dict[str, str]:
    """Return the versions of the packages of grammars that are installed, by their names."""
    found = {}
    for name in sorted({package.distribution for package in PACKAGES.values()}):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
