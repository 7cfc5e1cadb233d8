"""Prepared data of ContextBench: issues, the lines that people say answer them, and files of code.

ContextBench (arXiv 2602.05892, Apache-2.0; `data/contextbench_verified_test.parquet` of the
repository Nobbettt/ContextBench) names a commit of a public repository for each issue. This program
reads the files of that commit out of clones with history, and writes what `contextbench.py` reads:

- `tasks.jsonl`: a task a line: `id`, `language`, `half`, `question`, and `gold`, the ranges of
  lines, each with `file`, `first` and `last`, from 1
- `files/ID/...`: source files and prose of the commit, under their paths

Halves are told by the order of ids within each language: every second task is of the half on which
options are chosen, all others of the one on which results are stated.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow.parquet as pq

from chunkwright.readers.kinds import language_of

# Repositories that the table names without their owner.
OWNERS = {
    "clap": "clap-rs",
    "cli": "cli",
    "core": "vuejs",
    "dayjs": "iamkun",
    "jackson-core": "FasterXML",
    "jackson-databind": "FasterXML",
    "jq": "jqlang",
    "material-ui": "mui",
    "rayon": "rayon-rs",
    "svelte": "sveltejs",
    "tracing": "tokio-rs",
    "zstd": "facebook",
}
PROSE = {".md", ".rst", ".txt"}
MAX_BYTES = 1_000_000
HALVES = ("chosen", "stated")


def main() -> None:
    """Write the tasks whose repositories are there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", type=Path, help="contextbench_verified_test.parquet")
    parser.add_argument("clones", type=Path, help="folder with clones, bare or not: OWNER+NAME/")
    parser.add_argument("out", type=Path, help="folder that the data are written into")
    args = parser.parse_args()
    tasks = [task for row in read_rows(args.table) if (task := prepared(row, args)) is not None]
    args.out.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(task, ensure_ascii=False) for task in halved(tasks)]
    (args.out / "tasks.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(tasks)} tasks")


def read_rows(table: Path) -> list[dict[str, Any]]:
    """Return the rows of the table."""
    columns = ["instance_id", "repo", "language", "base_commit", "gold_context"]
    read = pq.read_table(table, columns=[*columns, "problem_statement"])
    rows: list[dict[str, Any]] = read.to_pylist()
    return rows


def prepared(row: dict[str, Any], args: argparse.Namespace) -> dict[str, Any] | None:
    """Write the files of a task, and return it; None if its repository or its lines are missing."""
    repo = row["repo"] if "/" in row["repo"] else f"{OWNERS[row['repo']]}/{row['repo']}"
    clone = clone_of(args.clones / repo.replace("/", "+"))
    if clone is None:
        print(f"{row['instance_id']}: no clone of {repo}")
        return None
    paths = paths_at(clone, row["base_commit"])
    gold = list(gold_of(json.loads(row["gold_context"]), set(paths)))
    if not gold:
        print(f"{row['instance_id']}: none of its lines is in {repo}")
        return None
    named = {each["file"] for each in gold}
    wanted = [path for path in paths if path in named or is_searched(path)]
    folder = args.out / "files" / row["instance_id"]
    there = set(written(clone, row["base_commit"], wanted, folder))
    gold = [each for each in gold if each["file"] in there]
    n = len(there)
    print(f"{row['instance_id']}: {n} files, {len(gold)} ranges")
    return {
        "id": row["instance_id"],
        "language": row["language"],
        "question": row["problem_statement"],
        "gold": gold,
    }


def clone_of(folder: Path) -> Path | None:
    """Return the folder that git reads, which is the clone or a folder in it; None without one."""
    return next((each for each in (folder, folder / "repo") if is_clone(each)), None)


def is_clone(folder: Path) -> bool:
    """Return whether a folder is a repository by itself, with a work tree or without."""
    return (folder / "HEAD").is_file() or (folder / ".git").exists()


def paths_at(clone: Path, commit: str) -> list[str]:
    """Return the paths of the files of a commit."""
    out = git(clone, "ls-tree", "-r", "--name-only", "-z", commit)
    return [path for path in out.decode("utf-8", "replace").split("\0") if path]


def is_searched(path: str) -> bool:
    """Return whether a file is code of a language that is known, or prose."""
    return language_of(path) is not None or PurePosixPath(path).suffix in PROSE


def gold_of(ranges: list[dict[str, Any]], paths: set[str]) -> Iterator[dict[str, Any]]:
    """Yield ranges with their paths in the repository, without the folder that it was kept in."""
    for each in ranges:
        parts = PurePosixPath(each["file"]).parts
        ends = ("/".join(parts[at:]) for at in range(len(parts)))
        path = next((end for end in ends if end in paths), None)
        if path is not None:
            yield {"file": path, "first": each["start_line"], "last": each["end_line"]}


def written(clone: Path, commit: str, wanted: list[str], folder: Path) -> Iterator[str]:
    """Write files of a commit that are UTF-8 and not large, and yield their paths.

    A file that the clone lacks is left out.
    """
    command = ["git", "-C", str(clone), "cat-file", "--batch"]
    names = "".join(f"{commit}:{path}\n" for path in wanted if "\n" not in path)
    out = subprocess.run(command, check=False, capture_output=True, input=names.encode()).stdout
    reader = io.BytesIO(out)
    for path in wanted:
        *_, kind, size = reader.readline().rsplit(maxsplit=2) or [b"", b"missing"]
        if kind != b"blob" or not size.isdigit():
            continue
        data = reader.read(int(size))
        reader.read(1)
        if len(data) <= MAX_BYTES and is_text(data):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            yield path


def is_text(data: bytes) -> bool:
    """Return whether data are UTF-8 without a null."""
    try:
        return "\0" not in data.decode("utf-8")
    except UnicodeDecodeError:
        return False


def git(clone: Path, *arguments: str) -> bytes:
    """Return what git prints."""
    command = ["git", "-C", str(clone), *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def halved(tasks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield tasks with their halves."""
    seen: dict[str, int] = defaultdict(int)
    for task in sorted(tasks, key=lambda task: str(task["id"])):
        language = task["language"]
        yield {**task, "half": HALVES[seen[language] % len(HALVES)]}
        seen[language] += 1


if __name__ == "__main__":
    main()
