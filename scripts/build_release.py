"""Build what a release publishes, wheels and a source distribution, and check each of them.

    python scripts/build_release.py --out dist

Wheels are those of manylinux for x86-64 and aarch64, linked by zig. The source distribution holds
the crates that it is built from, so that it can be built without a network. maturin and ziglang
must be installed, and the compiler must know both targets (``rustup target add``). Building takes
some ten minutes of two cores; ``--check`` looks only at what lies in the folder already.

The wheel for this machine is tried. So is that for the other one with a command that runs a Python
of that machine, such as qemu's emulator over the files of another system::

    --emulated "qemu-aarch64-static -L /srv/arm64 /srv/arm64/usr/bin/python3"
"""

from __future__ import annotations

import argparse
import io
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]
# Of the C library that a wheel needs at least.
COMPATIBILITY = "manylinux_2_17"
# For each target of the compiler: the machine in a wheel's tags, and its number in ELF headers.
TARGETS = {
    "x86_64-unknown-linux-gnu": ("x86_64", 62),
    "aarch64-unknown-linux-gnu": ("aarch64", 183),
}
# The package index takes no larger files without being asked.
MOST_MEGABYTES = 25
CONFIG = """\
[source.crates-io]
replace-with = "vendored-sources"

[source.vendored-sources]
directory = "vendor"
"""
TEXT = "It rained for two days. Then the river rose.\n\nNobody was hurt."
# What a bare environment must do, each with a part of what it prints.
SMOKE = (
    (("-m", "chunkwright", "--version"), "chunkwright"),
    (("-m", "chunkwright", "chunk", "{file}", "--max-tokens", "8"), "Nobody was hurt."),
    (("-c", f"import chunkwright as cw; print(cw.count_tokens({TEXT!r}))"), "16"),
)


def main() -> None:
    """Build and check, or only check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder of the files")
    parser.add_argument("--check", action="store_true", help="build nothing")
    parser.add_argument("--emulated", type=shlex.split, help="Python of the other machine")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if not options.check:
        build_sdist(options.out)
        for target in TARGETS:
            build_wheel(target, options.out)
    problems = list(check(options.out, options.emulated))
    sys.exit("\n".join(problems) if problems else 0)


def build_wheel(target: str, out: Path) -> None:
    """Build the wheel of a target, whose name says which C library it needs."""
    how = ("--release", "--locked", "--zig", "--compatibility", COMPATIBILITY)
    # Messages of panics name files: by where they are in the sources, and not on this machine.
    cargo = os.environ.get("CARGO_HOME", Path.home() / ".cargo")
    flags = [f"--remap-path-prefix={folder}=" for folder in (ROOT, Path(cargo) / "registry")]
    # maturin finds zig beside the first Python of the path.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    variables = {**os.environ, "PATH": path, "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags)}
    build = (sys.executable, "-m", "maturin", "build")
    run(*build, *how, "--target", target, "--out", out, env=variables)


def build_sdist(out: Path) -> None:
    """Build the source distribution, and add the crates that it is built from."""
    run(sys.executable, "-m", "maturin", "sdist", "--out", out)
    (archive,) = out.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as made:
        with tarfile.open(archive) as files:
            files.extractall(made, filter="data")
        (sources,) = Path(made).iterdir()
        run("cargo", "vendor", "--locked", "--quiet", sources / "vendor", cwd=sources)
        (sources / ".cargo").mkdir()
        (sources / ".cargo" / "config.toml").write_text(CONFIG, "ascii")
        pack(sources, archive)


def pack(folder: Path, archive: Path) -> Path:
    """Pack a folder, the same content in the same way, and return the archive."""
    with tarfile.open(archive, "w:gz") as files:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                member = files.gettarinfo(path, str(path.relative_to(folder.parent)))
                member.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
                member.uid = member.gid = 0
                member.uname = member.gname = ""
                files.addfile(member, io.BytesIO(path.read_bytes()))
    return archive


def check(out: Path, emulated: Sequence[str] | None = None) -> Iterator[str]:
    """Yield what is wrong with a release; `emulated` runs Python of the other machine."""
    wheels, archives = sorted(out.glob("*.whl")), sorted(out.glob("*.tar.gz"))
    if len(wheels) != len(TARGETS) or len(archives) != 1:
        yield f"{out} has {len(wheels)} wheels and {len(archives)} source distributions"
    for path in (*wheels, *archives):
        megabytes = path.stat().st_size / 1e6
        print(f"{path.name}: {megabytes:.1f} MB")
        if megabytes > MOST_MEGABYTES:
            yield f"{path.name} has {megabytes:.1f} MB, over {MOST_MEGABYTES}"
    for wheel in wheels:
        yield from check_wheel(wheel)
    for wheel in wheels:
        if wheel.stem.endswith(os.uname().machine):
            yield from smoke(wheel)
        elif emulated is not None:
            yield from smoke_emulated(wheel, emulated)


def check_wheel(wheel: Path) -> Iterator[str]:
    """Yield what is wrong with a wheel: its name, its extension, its list of crates."""
    machines = dict(TARGETS.values())
    machine = next((each for each in machines if wheel.stem.endswith(each)), None)
    if machine is None or f"{COMPATIBILITY}_{machine}" not in wheel.name:
        yield f"{wheel.name} is not of {COMPATIBILITY}, or of none of {', '.join(machines)}"
        return
    with ZipFile(wheel) as files:
        names = files.namelist()
        (extension,) = (name for name in names if name.endswith(".so"))
        with files.open(extension) as file:
            head = file.read(20)
    if head[:4] != b"\x7fELF" or int.from_bytes(head[18:20], "little") != machines[machine]:
        yield f"{wheel.name}: {extension} is not for {machine}"
    if not any(name.endswith(".cyclonedx.json") for name in names):
        yield f"{wheel.name} has no list of the crates in it"
    if not any(name.endswith("py.typed") for name in names):
        yield f"{wheel.name} has no py.typed"


def smoke(wheel: Path) -> Iterator[str]:
    """Yield what a wheel does not do in an environment that has nothing but its requirements."""
    with tempfile.TemporaryDirectory() as made:
        python = Path(made) / "venv" / "bin" / "python"
        venv.create(Path(made) / "venv", with_pip=True)
        run(python, "-m", "pip", "install", "--quiet", wheel)
        yield from tried(wheel, [str(python)], {}, Path(made))


def smoke_emulated(wheel: Path, python: Sequence[str]) -> Iterator[str]:
    """Yield what a wheel of the other machine does not do, in a Python of that machine."""
    version = bare(python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
    machine = wheel.stem.rpartition(f"{COMPATIBILITY}_")[2]
    platforms = [f"--platform=manylinux_2_{minor}_{machine}" for minor in (17, 27, 28)]
    with tempfile.TemporaryDirectory() as made:
        # By the pip of this machine, for pip starts its Python again, and an emulator is no file.
        how = ("--only-binary=:all:", f"--python-version={version}", *platforms)
        folder = Path(made) / "packages"
        run(sys.executable, "-m", "pip", "install", "--quiet", *how, "--target", folder, wheel)
        yield from tried(wheel, python, {"PYTHONPATH": str(folder)}, Path(made))


def tried(
    wheel: Path, python: Sequence[str], variables: Mapping[str, str], folder: Path
) -> Iterator[str]:
    """Yield what a Python that has the wheel does not do as it must."""
    file = folder / "rain.txt"
    file.write_text(TEXT, "utf-8")
    for command, expected in SMOKE:
        said = bare(
            python, *(str(file) if part == "{file}" else part for part in command), **variables
        )
        print(f"$ {' '.join(command)}\n{said}")
        if expected not in said:
            yield f"{wheel.name}: {' '.join(command)} does not print {expected!r}"


def bare(python: Sequence[str], *command: str, **variables: str) -> str:
    """Return what a command prints that knows no variable but those given."""
    done = subprocess.run(  # noqa: S603 - all named above
        [*python, *command], check=False, env=variables, capture_output=True, text=True
    )
    return (done.stdout + done.stderr).strip()


def run(*command: object, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> None:
    """Run a command; a failure ends this program."""
    program = shutil.which(str(command[0])) or str(command[0])
    parts = [program, *(str(part) for part in command[1:])]
    subprocess.run(parts, check=True, cwd=cwd, env=env)  # noqa: S603 - all named above


if __name__ == "__main__":
    main()
