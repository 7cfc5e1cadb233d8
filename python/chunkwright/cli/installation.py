"""Diagnosis of the installation: versions, extras and their packages, keys, settings, caches."""

import os
import platform
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from chunkwright.cli.settings.file import read_config, used_config
from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.files.disk_cache import cache_folder_of, stored_files
from chunkwright.tokens.shipped import SHIPPED

PACKAGE = "chunkwright"
# For work on the package itself.
DEVELOPMENT = {"bench", "bench-torch", "test", "test-engines"}
# A requirement: its name, perhaps extras of its own, and the extra that brings it.
REQUIREMENT = re.compile(r"([\w.-]+)\s*(?:\[([^\]]*)\])?.*;.*extra\s*==\s*[\"']([^\"']+)[\"']")
VECTORS, REPLIES = "vectors", "replies"
"""The kinds of what is kept in caches."""
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")
"""The variables of the environment that have the keys of servers."""


@dataclass(frozen=True)
class Extra:
    """An extra, and for each package that it brings the version that is installed, if one is."""

    name: str
    packages: dict[str, str | None]

    @property
    def is_installed(self) -> bool:
        """Whether all of it is there."""
        return None not in self.packages.values()

    @property
    def install(self) -> str:
        """The line that installs it."""
        return f'pip install "{PACKAGE}[{self.name}]"'


def extras() -> list[Extra]:
    """Return the extras that the installed package has; none if it has no metadata."""
    try:
        found = metadata.metadata(PACKAGE)
    except metadata.PackageNotFoundError:
        return []
    needed = _packages_of_extras(found.get_all("Requires-Dist") or [])
    names = [name for name in found.get_all("Provides-Extra") or [] if name not in DEVELOPMENT]
    return [
        Extra(name, {p: _version(p) for p in _packages(name, needed, {name})}) for name in names
    ]


def _packages_of_extras(requirements: list[str]) -> dict[str, list[tuple[str, list[str]]]]:
    """Return for each extra the packages that it needs, with these packages' own extras."""
    needed: dict[str, list[tuple[str, list[str]]]] = {}
    for requirement in requirements:
        if match := REQUIREMENT.match(requirement):
            own = [name.strip() for name in (match[2] or "").split(",") if name.strip()]
            needed.setdefault(match[3], []).append((match[1], own))
    return needed


def _packages(
    extra: str, needed: dict[str, list[tuple[str, list[str]]]], seen: set[str]
) -> Iterator[str]:
    for package, own in needed.get(extra, []):
        if package != PACKAGE:
            yield package
            continue
        for name in own:
            if name not in seen:
                seen.add(name)
                yield from _packages(name, needed, seen)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


@dataclass(frozen=True)
class Model:
    """A model in a cache: what tells it from others, how much of it there is, in how many bytes."""

    name: str
    entries: int
    bytes: int


@dataclass(frozen=True)
class Cache:
    """A folder of vectors or replies that are kept."""

    folder: str | None
    models: list[Model]
    error: str | None = None


@dataclass(frozen=True)
class AddedStrategy:
    """A strategy that another package adds, and what is wrong with it, if anything is."""

    name: str
    package: str
    target: str
    error: str | None


@dataclass(frozen=True)
class Diagnosis:
    """All of it."""

    chunkwright: str
    python: str
    platform: str
    processors: int
    tokenizers: list[str]
    extras: list[Extra]
    strategies: list[AddedStrategy]
    keys: dict[str, bool]
    config: str | None
    config_error: str | None
    cache: Cache
    replies: Cache

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        of_extras = {
            extra.name: {
                "installed": extra.is_installed,
                "packages": extra.packages,
                "install": extra.install,
            }
            for extra in self.extras
        }
        return asdict(self) | {"extras": of_extras}


def diagnose(config: Path | None) -> Diagnosis:
    """Look at everything; what is missing or broken is said, not raised.

    Parameters
    ----------
    config
        The configuration file; None for the one in the current folder, if there is one.
    """
    from chunkwright import _core

    found = used_config(config)
    return Diagnosis(
        chunkwright=_core.__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=platform.platform(),
        processors=_core.available_workers(),
        tokenizers=[*_core.Tokenizer.names(), *SHIPPED],
        extras=extras(),
        strategies=added_strategies(),
        config=None if found is None else str(found),
        config_error=None if found is None else _problem_of_config(found),
        keys={name: bool(os.environ.get(name)) for name in KEYS},
        cache=look_at_cache(VECTORS),
        replies=look_at_cache(REPLIES),
    )


def _problem_of_config(config: Path) -> str | None:
    try:
        read_config(config)
    except ConfigError as error:
        return str(error)
    return None


def added_strategies() -> list[AddedStrategy]:
    """Return the strategies that other packages add; each is imported to see whether it works."""
    from chunkwright.chunking.plugins import plugin_class, plugins

    found = []
    for plugin in plugins():
        error = None
        try:
            plugin.load()
            plugin_class(plugin.name)
        except ConfigError as wrong:
            error = str(wrong)
        found.append(AddedStrategy(plugin.name, plugin.package, plugin.target, error))
    return found


def look_at_cache(kind: str) -> Cache:
    """Return what is kept of a kind, and where."""
    folder = None
    try:
        folder = str(cache_folder_of(kind))
        files = stored_files(Path(folder), kind)
        models = [Model(file.name or str(file.path), file.entries, file.bytes) for file in files]
    except MissingExtraError as error:
        return Cache(folder, [], str(error))
    except OSError as error:
        return Cache(folder, [], f"{folder} cannot be read: {error.strerror or error}")
    return Cache(folder, models)
