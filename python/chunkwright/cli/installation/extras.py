"""Extras of the installed package, by its metadata, and the packages that each brings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

PACKAGE = "chunkwright"
# For work on the package itself.
DEVELOPMENT = {"bench", "bench-torch", "test", "test-engines"}
# A requirement: its name, perhaps extras of its own, and the extra that brings it.
REQUIREMENT = re.compile(r"([\w.-]+)\s*(?:\[([^\]]*)\])?.*;.*extra\s*==\s*[\"']([^\"']+)[\"']")


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
