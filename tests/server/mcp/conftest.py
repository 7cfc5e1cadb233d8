"""A store and a folder of files that agents ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.server.mcp.service import AgentService
from chunkwright.server.settings import Settings

pytest.importorskip("mcp", reason="the official SDK speaks the protocol")

MILL = """# The mill

It was built in 1743, on the river.

## Wheels

It has two wheels of oak.

## Owners

The Millers own it.
"""
SECRET = "the key is 4711"  # noqa: S105 - the text of a file

MakeService = Callable[..., AgentService]


def report(number: int, n_sections: int = 20) -> str:
    """Return a document of many sections with long paragraphs."""
    sections = (
        f"## Part {part}\n\n" + f"Harbour {number} had ledger {part} in winter. " * 20
        for part in range(n_sections)
    )
    return f"# Report {number}\n\n" + "\n\n".join(sections)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store that nobody writes to."""
    return fill(tmp_path_factory.mktemp("store") / "kb.db")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Return a store of the test's own."""
    return fill(tmp_path / "kb.db")


def fill(path: Path) -> Path:
    with cw.Store.open(path) as store:
        store.add(cw.read(MILL.encode(), name="notes/mill.md"), metadata={"year": 1743})
        for number in range(3):
            store.add(
                cw.read(report(number).encode(), name=f"reports/{number}.md"),
                metadata={"year": 2020 + number},
            )
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder that may be read, beside one that may not."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(SECRET)
    root = tmp_path / "docs"
    (root / "more").mkdir(parents=True)
    (root / "mill.md").write_text(MILL)
    (root / "more" / "long.md").write_text(report(7))
    (root / ".hidden.md").write_text(SECRET)
    (root / "link.md").symlink_to(outside / "secret.md")
    (root / "linked").symlink_to(outside)
    (root / "alias.md").symlink_to(root / "mill.md")
    return root


@pytest.fixture
def make_service() -> Iterator[MakeService]:
    """Return what makes a service, which is closed behind the test."""
    made: list[AgentService] = []

    def make(
        store: Path | None = None, *roots: Path, is_writing: bool = False, **more: object
    ) -> AgentService:
        settings = Settings(
            store=None if store is None else str(store),
            roots=tuple(map(str, roots)),
            **more,  # type: ignore[arg-type]
        )
        made.append(AgentService(settings, is_writing=is_writing))
        return made[-1]

    yield make
    for service in made:
        service.close()
