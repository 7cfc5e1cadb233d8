"""A release: its version, its workflows, the licences of what it needs, checks of its files."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from email.message import Message
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, cast
from zipfile import ZipFile

import pytest
import yaml  # type: ignore[import-untyped]

import chunkwright

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]["version"]


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


build_release, check_licences = script("build_release"), script("check_licences")


def test_the_changelog_begins_with_the_version() -> None:
    (first, *_) = re.findall(r"(?m)^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert re.fullmatch(rf"{re.escape(VERSION)} \(\d{{4}}-\d\d-\d\d\)", first)


def test_the_package_has_one_version() -> None:
    assert chunkwright.__version__ == metadata.version("chunkwright")
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text("utf-8"))
    own = [each for each in lock["package"] if each["name"].startswith("chunkwright-")]
    assert {each["version"] for each in own} == {VERSION}


def jobs(workflow: Path) -> dict[str, dict[str, Any]]:
    return cast("dict[str, dict[str, Any]]", yaml.safe_load(workflow.read_text("utf-8"))["jobs"])


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_what_is_there(workflow: Path) -> None:
    commands = [step.get("run", "") for job in jobs(workflow).values() for step in job["steps"]]
    named = [
        name for command in commands for name in re.findall(r"scripts/\w+\.py|\.ci/run", command)
    ]
    assert named
    assert all((ROOT / name).exists() for name in named)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_only_what_publishes_may_write(workflow: Path) -> None:
    allowed = {"id-token", "attestations"} if workflow.stem == "release" else set()
    shared = yaml.safe_load(workflow.read_text("utf-8"))["permissions"]
    for name, job in jobs(workflow).items():
        rights = job.get("permissions", shared)
        written = {right for right, how in rights.items() if how == "write"}
        assert written <= (allowed if name == "publish" else set())
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_a_release_is_published_without_a_secret_once_it_was_checked() -> None:
    release = ROOT / ".github" / "workflows" / "release.yml"
    assert "secrets." not in release.read_text("utf-8")
    publish = jobs(release)["publish"]
    assert set(publish["needs"]) == set(jobs(release)) - {"publish"}
    assert publish["environment"]["name"] == "pypi"


class Package:
    """A package of some metadata, as far as licences go."""

    requires = None

    def __init__(self, **told: str) -> None:
        self.metadata = Message()
        for key, value in {"Name": "some-package", **told}.items():
            self.metadata[key.replace("_", "-")] = value


@pytest.mark.parametrize(
    ("told", "is_allowed"),
    [
        ({"License_Expression": "MIT"}, True),
        ({"License_Expression": "MPL-2.0 AND (Apache-2.0 OR MIT)"}, True),
        ({"License_Expression": "BSD-2-Clause AND Apache-2.0 WITH LLVM-exception"}, True),
        ({"Classifier": "License :: OSI Approved :: MIT License"}, True),
        ({"License": "MIT License\n\nPermission is hereby granted"}, True),
        ({"License_Expression": "GPL-3.0-only"}, False),
        ({"License_Expression": "MIT AND AGPL-3.0-or-later"}, False),
        ({"License_Expression": "LGPL-3.0-only"}, False),
        ({"License_Expression": "LGPL-3.0-only", "Name": "Psycopg_Binary"}, True),
        ({"License": "Proprietary"}, False),
        ({}, False),
    ],
)
def test_a_licence_must_be_allowed(told: dict[str, str], *, is_allowed: bool) -> None:
    assert check_licences.may_be_there(Package(**told)) is is_allowed


def test_what_packages_need_is_checked_too() -> None:
    found, missing = check_licences.installed([check_licences.Requirement("rich")])
    assert {"rich", "pygments", "markdown-it-py", "mdurl"} <= set(found)
    assert not missing
    found, missing = check_licences.installed([check_licences.Requirement("no-such-package-xyz")])
    assert (found, missing) == ({}, {"no-such-package-xyz"})


def test_extras_for_developers_are_not_what_users_install() -> None:
    project = {
        "dependencies": ["numpy>=2"],
        "optional-dependencies": {"test": ["pytest"], "pdf": ["pypdfium2", "chunkwright[arrow]"]},
    }
    assert [each.name for each in check_licences.requirements(project)] == ["numpy", "pypdfium2"]


def wheel(folder: Path, machine: str, number: int, *, sbom: bool = True) -> Path:
    path = folder / f"chunkwright-{VERSION}-cp311-abi3-manylinux_2_17_{machine}.whl"
    head = b"\x7fELF" + bytes(14) + number.to_bytes(2, "little")
    with ZipFile(path, "w") as files:
        files.writestr("chunkwright/_core.abi3.so", head)
        files.writestr("chunkwright/py.typed", "")
        if sbom:
            files.writestr("chunkwright.dist-info/sboms/chunkwright-py.cyclonedx.json", "{}")
    return path


def test_a_wheel_must_be_for_the_machine_that_it_names(tmp_path: Path) -> None:
    assert not list(build_release.check_wheel(wheel(tmp_path, "aarch64", 183)))
    (wrong,) = build_release.check_wheel(wheel(tmp_path, "aarch64", 62))
    assert "_core.abi3.so is not for aarch64" in wrong
    (without,) = build_release.check_wheel(wheel(tmp_path, "x86_64", 62, sbom=False))
    assert "no list of the crates" in without
    other = tmp_path / "chunkwright-1-cp311-abi3-linux_x86_64.whl"
    (unnamed,) = build_release.check_wheel(wheel(tmp_path, "x86_64", 62).rename(other))
    assert "is not of manylinux_2_17" in unnamed


def test_a_release_lacks_nothing(tmp_path: Path) -> None:
    wheel(tmp_path, "aarch64", 183)
    (missing,) = build_release.check(tmp_path)
    assert "1 wheels and 0 source distributions" in missing


def test_the_same_sources_are_packed_in_the_same_way(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    (folder / "sub").mkdir(parents=True)
    for name in ("b.txt", "a.txt", "sub/c.txt"):
        (folder / name).write_text(name, "ascii")
    with build_release.tarfile.open(build_release.pack(folder, tmp_path / "x.tar.gz")) as files:
        members = files.getmembers()
    assert [each.name for each in members] == ["made/a.txt", "made/b.txt", "made/sub/c.txt"]
    assert {(each.mtime, each.uid, each.uname) for each in members} == {(0, 0, "")}
