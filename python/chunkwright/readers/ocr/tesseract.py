"""The engine Tesseract, as the command of that name."""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.ocr.words import OcrEngine, OcrWord

_SECONDS = 300
_WORD = "5"
_PLACE = ("block_num", "par_num", "line_num")


def engine(languages: tuple[str, ...]) -> OcrEngine:
    """Return the engine for some languages, whose data are installed.

    Raises
    ------
    ConfigError
        If the command or the data of a language are not there.
    """
    command = shutil.which("tesseract")
    if command is None:
        raise ConfigError(
            "there is no command tesseract: install it, for example with apt install tesseract-ocr",
            option="ocr_engine",
        )
    installed = _languages(command)
    for code in languages:
        if code not in installed:
            raise ConfigError(
                f"ocr_languages: tesseract has no data for {code!r} here, only for "
                f"{', '.join(sorted(installed))}",
                option="ocr_languages",
            )
    chosen = ["-l", "+".join(languages)] if languages else []
    call = [command, "stdin", "stdout", *chosen, "--dpi", "300", "tsv"]

    def recognise(picture: np.ndarray[Any, Any]) -> Iterator[OcrWord]:
        height, width = picture.shape[:2]
        sent = b"P6 %d %d 255\n" % (width, height) + np.ascontiguousarray(picture).tobytes()
        yield from _words(_answer(call, sent))

    return recognise


def _answer(call: list[str], sent: bytes = b"") -> str:
    """Return what the command says.

    Raises
    ------
    ReadError
        If it fails, or takes too long.
    """
    try:
        done = subprocess.run(call, input=sent, capture_output=True, check=True, timeout=_SECONDS)  # noqa: S603 - a command of the caller's machine
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip()
        raise ReadError(f"tesseract cannot read the picture: {said}") from error
    except subprocess.TimeoutExpired as error:
        raise ReadError(f"tesseract did not read a page within {_SECONDS} s") from error
    return done.stdout.decode("utf-8", "replace")


@cache
def _languages(command: str) -> frozenset[str]:
    lines = _answer([command, "--list-langs"]).splitlines()
    return frozenset(line.strip() for line in lines[1:] if line.strip())


def _words(table: str) -> Iterator[OcrWord]:
    lines: dict[tuple[str, ...], int] = {}
    for row in csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] != _WORD or not (row["text"] or "").strip():
            continue
        left, top = float(row["left"]), float(row["top"])
        box = (left, top, left + float(row["width"]), top + float(row["height"]))
        line = lines.setdefault(tuple(row[each] for each in _PLACE), len(lines))
        confidence = min(max(float(row["conf"]) / 100, 0.0), 1.0)
        yield OcrWord(row["text"].strip(), box, confidence, line)
