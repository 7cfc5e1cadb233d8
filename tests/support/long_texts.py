"""Long texts that somebody wrote: guides and code of this repository, and shared corpora."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NO_SHARED_DATA = "needs data that the repository does not hold: CONTRIBUTING.md, Data of others"


def shared_data() -> Path | None:
    """Return the folder of data that are not ours to give away, if it is there."""
    folder = os.environ.get("CHUNKWRIGHT_SHARED")
    return Path(folder) if folder else None


def long_files() -> list[Path]:
    """Return files of text: some of this repository, and the shared corpora where they are."""
    own = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))[:4]]
    return [*own, ROOT / "python" / "chunkwright" / "chunks.py", *_corpora()]


def long_texts() -> dict[str, str]:
    """Return all guides, code, and the shared corpora where they are."""
    guides = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    code = sorted((ROOT / "python" / "chunkwright" / "cli").glob("*.py"))
    texts = {"guides": "".join(map(_read, guides)), "code": "".join(map(_read, code))}
    return texts | {file.stem: _read(file) for file in _corpora()}


def _corpora() -> list[Path]:
    folder = shared_data()
    return [] if folder is None else sorted((folder / "data/chroma-report/corpora").glob("*.md"))


def _read(file: Path) -> str:
    return file.read_bytes().decode()
