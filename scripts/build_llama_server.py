"""Build llama.cpp's server and a tiny random model, for the tests that are marked ``server``.

Run it once, or again after a change of ``VERSION``::

    CHUNKWRIGHT_SHARED=... python scripts/build_llama_server.py --jobs 2

The sources are those inside the release of llama-cpp-python (MIT) that is named here, verified by
SHA-256. A compiler is needed; CMake and the other tools come from PyPI, into an environment of
their own. It takes some seven minutes of one core. The server and the model stay in the user's
cache, in a folder that is called after the version.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

from chunkwright.files.disk_cache import cache_folder_of

VERSION = "0.3.36"
SHA256 = "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"
TOOLS = ("cmake==4.4.4", "ninja==1.13.2", "gguf==0.19.0")

FOLDER = cache_folder_of("llama-server") / VERSION
SERVER = FOLDER / "llama-server"
MODEL = FOLDER / "tiny-random.gguf"
# Writes the model to the path that it is given.
MODEL_WRITER = Path("tools") / "mk_tiny_gguf.py"

OPTIONS = {
    "CMAKE_BUILD_TYPE": "Release",
    # For a model of this size there is nothing to optimise but the time to compile.
    "CMAKE_C_FLAGS_RELEASE": "-O1",
    "CMAKE_CXX_FLAGS_RELEASE": "-O1",
    # One file that runs on every machine of its kind.
    "BUILD_SHARED_LIBS": "OFF",
    "GGML_NATIVE": "OFF",
    "GGML_OPENMP": "OFF",
    "LLAMA_BUILD_APP": "OFF",
    "LLAMA_BUILD_EXAMPLES": "OFF",
    "LLAMA_BUILD_TESTS": "OFF",
    "LLAMA_BUILD_UI": "OFF",
    "LLAMA_OPENSSL": "OFF",
    "LLAMA_USE_PREBUILT_UI": "OFF",
}


def main() -> None:
    """Build what is not there yet, and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at once")
    n_jobs = parser.parse_args().jobs
    if not (SERVER.exists() and MODEL.exists()):
        build(n_jobs)
    run(SERVER, "--version")
    print(f"{SERVER}: {SERVER.stat().st_size:,} bytes\n{MODEL}: {MODEL.stat().st_size:,} bytes")


def build(n_jobs: int) -> None:
    """Build the server and write the model, in a folder that is gone afterwards."""
    shared = os.environ.get("CHUNKWRIGHT_SHARED")
    if not shared and not MODEL.exists():
        sys.exit(f"CHUNKWRIGHT_SHARED must name the folder that has {MODEL_WRITER}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as made:
        tools = installed_tools(Path(made) / "tools")
        if not SERVER.exists():
            built = built_server(downloaded_sources(Path(made), tools), tools, n_jobs)
            built.replace(SERVER)
        if not MODEL.exists():
            new = Path(made) / MODEL.name
            run(tools / "python", Path(str(shared)) / MODEL_WRITER, new)
            new.replace(MODEL)


def installed_tools(folder: Path) -> Path:
    """Return the folder of the programs that an environment with the tools has."""
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    run(programs / "pip", "install", "--quiet", *TOOLS)
    return programs


def downloaded_sources(folder: Path, tools: Path) -> Path:
    """Return the folder of llama.cpp's sources."""
    wanted = folder / "requirements.txt"
    wanted.write_text(f"llama-cpp-python=={VERSION} --hash=sha256:{SHA256}\n", "ascii")
    pip = (tools / "pip", "download", "--quiet", "--no-deps", "--no-binary", "llama-cpp-python")
    run(*pip, "--require-hashes", "--dest", folder, "--requirement", wanted)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    return folder / f"llama_cpp_python-{VERSION}" / "vendor" / "llama.cpp"


def built_server(sources: Path, tools: Path, n_jobs: int) -> Path:
    """Return the path of the server that was built."""
    build = sources / "build"
    options = [f"-D{name}={value}" for name, value in OPTIONS.items()]
    cmake, ninja = tools / "cmake", f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}"
    run(cmake, "-S", sources, "-B", build, "-G", "Ninja", ninja, *options)
    run(cmake, "--build", build, "--target", "llama-server", "--parallel", n_jobs)
    server = build / "bin" / "llama-server"
    run(shutil.which("strip") or "strip", server)
    return server


def run(*command: object) -> None:
    """Run a command; a failure ends this program."""
    subprocess.run([str(part) for part in command], check=True)  # noqa: S603 - all named above


if __name__ == "__main__":
    main()
