"""Run the parity suites against the newest release of each peer, beside the one that is followed.

    python scripts/check_newest_peers.py [PEER ...] [--all] [--markdown FILE]

A peer that has no release behind the one that is followed is only named, unless ``--all`` is given.
Of the others the newest release is installed into a folder of its own, which the tests look in
first. Ends with 1 if a suite fails. Needs the extra ``test`` and ``packaging``.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
# Of what pytest prints last: how many tests passed and failed.
SUMMARY = re.compile(r"(\d+) (passed|failed|error)")


@dataclass(frozen=True)
class Peer:
    """A peer whose results a drop-in gives.

    Parameters
    ----------
    package
        Its name in the package index.
    suites
        Patterns of the tests that compare the drop-in with it.
    variable
        The environment variable that tells these tests in which folder it is; by default the
        folder comes first on their path.
    """

    package: str
    suites: tuple[str, ...]
    variable: str = "PYTHONPATH"


PEERS = (
    Peer("unstructured", ("tests/parity/test_unstructured_*.py",)),
    Peer(
        "langchain-text-splitters",
        ("tests/parity/test_langchain_[!e]*.py", "tests/adapters/test_langchain*.py"),
    ),
    Peer("langchain-experimental", ("tests/parity/test_langchain_experimental.py",)),
    Peer("docling-core", ("tests/parity/test_docling_*.py",)),
    # Docling needs another version, which stays on the path.
    Peer("semchunk", ("tests/parity/test_semchunk*.py",), "CHUNKWRIGHT_SEMCHUNK"),
    Peer("llama-index-core", ("tests/adapters/test_llama_index*.py",)),
    Peer("haystack-ai", ("tests/adapters/test_haystack*.py",)),
    Peer("tiktoken", ("tests/tokens/test_tokens.py",)),
    Peer("tokenizers", ("tests/tokens/test_tokenizer_json*.py",)),
)


@dataclass(frozen=True)
class Outcome:
    """What became of the suites of a peer.

    Parameters
    ----------
    peer
        The peer.
    followed, newest
        The release that the drop-in follows, and the newest one.
    said
        What the tests said; empty if they were not run.
    is_good
        Whether none failed.
    """

    peer: Peer
    followed: str
    newest: str
    said: str = ""
    is_good: bool = True


def followed_version(package: str) -> str:
    """Return the release that is followed: the one that is pinned, or that is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for text in project["optional-dependencies"]["test"]:
        requirement = Requirement(text)
        pins = [each.version for each in requirement.specifier if each.operator == "=="]
        if requirement.name == package and pins:
            return pins[0]
    pinned = re.search(rf"\b{package}==([\w.]+)", (ROOT / ".ci" / "run").read_text("utf-8"))
    return metadata.version(package) if pinned is None else pinned[1]


def newest_version(package: str) -> str:
    """Return the newest release in the package index."""
    command = [sys.executable, "-m", "pip", "index", "versions", package]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    return done.stdout.split("(", 1)[1].split(")", 1)[0]


def install(package: str, version: str, folder: Path) -> None:
    """Install a release into a folder, with what it needs that is not installed as it needs it."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([*command, str(folder), f"{package}=={version}"], check=True)  # noqa: S603 - our own
    (found,) = metadata.distributions(name=package, path=[str(folder)])
    requirements = [Requirement(text) for text in found.requires or ()]
    missing = [str(each) for each in requirements if not _is_met(each)]
    if missing:
        subprocess.run([*command, str(folder), *missing], check=True)  # noqa: S603 - our own


def _is_met(requirement: Requirement) -> bool:
    if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
        return True
    try:
        installed = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return False
    return requirement.specifier.contains(installed, prereleases=True)


def run_suites(peer: Peer, folder: Path) -> tuple[str, bool]:
    """Run the suites of a peer that is in a folder; return what they say."""
    files = sorted(str(path) for suite in peer.suites for path in ROOT.glob(suite))
    value = os.pathsep.join(filter(None, [str(folder), os.environ.get(peer.variable, "")]))
    settings = os.environ | {peer.variable: value}
    command = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "worksteal", *files]
    done = subprocess.run(  # noqa: S603 - our own
        command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False
    )
    last = done.stdout.rstrip().rpartition("\n")[2]
    counts = ", ".join(f"{n} {what}" for n, what in SUMMARY.findall(last))
    if done.returncode:
        print(done.stdout[-8000:], done.stderr[-2000:], file=sys.stderr)
    return counts or last, done.returncode == 0


def check(peer: Peer, *, always: bool) -> Outcome:
    """Check a peer."""
    followed, newest = followed_version(peer.package), newest_version(peer.package)
    if Version(newest) <= Version(followed) and not always:
        return Outcome(peer, followed, newest)
    with tempfile.TemporaryDirectory() as folder:
        install(peer.package, newest, Path(folder))
        return Outcome(peer, followed, newest, *run_suites(peer, Path(folder)))


def table(outcomes: list[Outcome]) -> str:
    """Return a table in Markdown."""
    lines = ["| peer | followed | newest | tests |", "|---|---|---|---|"]
    for each in outcomes:
        said = each.said or "the newest is followed"
        lines.append(f"| {each.peer.package} | {each.followed} | {each.newest} | {said} |")
    return "\n".join(lines)


def main() -> int:
    """Check the peers that are named, or all."""
    names = [peer.package for peer in PEERS]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("peers", nargs="*", metavar="PEER", help=f"of {', '.join(names)}")
    parser.add_argument("--all", action="store_true", help="run what is followed already, too")
    parser.add_argument("--markdown", type=Path, help="append the table to this file")
    given = parser.parse_args()
    if unknown := set(given.peers) - set(names):
        parser.error(f"unknown peers: {', '.join(sorted(unknown))}; known are {', '.join(names)}")
    chosen = [peer for peer in PEERS if not given.peers or peer.package in given.peers]
    outcomes = [check(peer, always=given.all) for peer in chosen]
    print(table(outcomes))
    if given.markdown is not None:
        with given.markdown.open("a", encoding="utf-8") as file:
            file.write(table(outcomes) + "\n")
    return 0 if all(each.is_good for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
