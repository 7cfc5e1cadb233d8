"""Check the licences of all that chunkwright needs to run: of each extra, and of what those need.

    python scripts/check_licences.py

Looks at what is installed beside this program; what is not, is named and not checked. ``cargo
deny`` does the same for crates.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
# What is only there for those who develop chunkwright.
DEVELOPMENT = {"docs", "release", "test", "test-engines", "bench", "bench-torch"}

PERMISSIVE = "asks for its notice alone"
# Each licence that may be there, by its identifier in SPDX, and why.
ALLOWED = {
    "0BSD": PERMISSIVE,
    "AFL-2.1": PERMISSIVE,
    "Apache-2.0": PERMISSIVE,
    "BSD-2-Clause": PERMISSIVE,
    "BSD-3-Clause": PERMISSIVE,
    "CC0-1.0": PERMISSIVE,
    "CNRI-Python": PERMISSIVE,
    "ISC": PERMISSIVE,
    "MIT": PERMISSIVE,
    "MIT-0": PERMISSIVE,
    "MIT-CMU": PERMISSIVE,
    "PSF-2.0": PERMISSIVE,
    "Zlib": PERMISSIVE,
    "LLVM-exception": "an exception that allows more",
    "MPL-2.0": "covers changes of its own files alone, and none is changed or shipped",
}
# Packages whose licence is none of those, and why they may be there all the same.
PACKAGES = {
    "psycopg": "LGPL-3.0: of the extra postgres alone, imported as it is, replaceable, not shipped",
    "psycopg-binary": "LGPL-3.0: as psycopg; libpq and OpenSSL, both permissive, are in it",
}
# Identifiers of licences that packages name in other words.
NAMES = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Academic Free License (AFL)": "AFL-2.1",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "BSD-3-Clause, Apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


def main() -> None:
    """Check all packages, and name those that may not be there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found, missing = installed(requirements(project))
    refused = {name: licence(each) for name, each in found.items() if not may_be_there(each)}
    for name, said in sorted(refused.items()):
        print(f"{name}: {said or 'no licence is stated'}", file=sys.stderr)
    for name in sorted(missing):
        print(f"{name} is not installed, and was not checked")
    print(f"{len(found):,} packages, {len(refused):,} with a licence that is not allowed")
    sys.exit(bool(refused))


def requirements(project: dict[str, Any]) -> list[Requirement]:
    """Return the direct requirements, those of extras included that users may install."""
    extras = project["optional-dependencies"].items()
    used = [each for name, all_of in extras if name not in DEVELOPMENT for each in all_of]
    parsed = (Requirement(each) for each in (*project["dependencies"], *used))
    return [each for each in parsed if each.name != "chunkwright"]


def installed(
    wanted: Iterable[Requirement],
) -> tuple[dict[str, metadata.Distribution], set[str]]:
    """Return what is installed of some requirements and of all that those need, and what is not."""
    found: dict[str, metadata.Distribution] = {}
    missing: set[str] = set()
    seen: set[tuple[str, tuple[str, ...]]] = set()
    left = list(wanted)
    while left:
        requirement = left.pop()
        name, extras = canonicalize_name(requirement.name), tuple(sorted(requirement.extras))
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            missing.add(name)
            continue
        left += needed(found[name], extras)
    return found, missing


def needed(package: metadata.Distribution, extras: tuple[str, ...]) -> Iterator[Requirement]:
    """Yield what a package needs on this machine, with some of its extras."""
    for each in map(Requirement, package.requires or ()):
        if each.marker is None or any(
            each.marker.evaluate({"extra": extra}) for extra in (*extras, "")
        ):
            yield each


def licence(package: metadata.Distribution) -> str:
    """Return what a package says its licence is, in the words of SPDX as far as they are known."""
    told = package.metadata
    if "License-Expression" in told:
        return told["License-Expression"]
    marks = [each.rpartition("::")[2].strip() for each in told.get_all("Classifier") or ()]
    named = [NAMES[mark] for mark in marks if mark in NAMES]
    if named:
        return " AND ".join(named)
    # Some give the whole text.
    first = "".join(told.get_all("License") or ()).strip().partition("\n")[0].strip()
    return NAMES.get(first, first)


def may_be_there(package: metadata.Distribution) -> bool:
    """Whether all licences that a package names are allowed, or the package itself is."""
    identifiers = re.findall(r"[\w.+-]+", licence(package))
    named = [each for each in identifiers if each not in {"AND", "OR", "WITH"}]
    name = canonicalize_name(package.metadata["Name"])
    return name in PACKAGES or (bool(named) and all(each in ALLOWED for each in named))


if __name__ == "__main__":
    main()
