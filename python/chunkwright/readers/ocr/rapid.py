"""The engine RapidOCR: models of PaddleOCR that its wheel brings, run by ONNX Runtime."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.readers.ocr.languages import LATIN_AND_CJK
from chunkwright.readers.ocr.words import OcrEngine, OcrWord

# Its boxes reach so many pixels, and so much of their height, beyond the letters.
_MARGIN_PIXELS, _MARGIN = 3.0, 0.06
# A line that is so many times as high as it is wide runs down the page, or up on its head.
_UPRIGHT = 1.5
# A line of a lower score is read on its head as well; of a still lower one it is none.
_SURE, _LEAST = 0.8, 0.5
# An engine holds its state, and uses all cores for one page.
_LOCK = Lock()


class _Line(NamedTuple):
    """A line that was read: its corners, its text, how sure that is, and where its pieces stand."""

    box: np.ndarray[Any, Any]
    text: str
    score: float
    pieces: Any


def engine(languages: tuple[str, ...]) -> OcrEngine:
    """Return the engine; one model reads all of its languages.

    Raises
    ------
    ConfigError
        If the model knows no letters of a language.
    MissingExtraError
        If it is not installed.
    """
    for code in languages:
        if code not in LATIN_AND_CJK:
            raise ConfigError(
                f"ocr_languages: the models of rapidocr do not read {code!r}, only languages in "
                "Latin or Greek letters, Chinese and Japanese, by codes such as 'en'; others need "
                'ocr_engine="tesseract"',
                option="ocr_languages",
            )
    # A process that was forked has none of the threads of its parent's engine.
    model = _model(os.getpid())

    def recognise(picture: np.ndarray[Any, Any]) -> Iterator[OcrWord]:
        with _LOCK:
            # It takes blue first.
            lines = _lines(model, picture[:, :, ::-1])
        for number, line in enumerate(lines):
            yield from _words(line, number)

    return recognise


@lru_cache(maxsize=1)
def _model(_process: int) -> Any:
    """Return the engine with the models that are in its package: none is fetched.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    try:
        import rapidocr
    except ImportError as error:
        raise MissingExtraError("recognising text", "ocr") from error
    folder = Path(rapidocr.__file__).parent / "models"
    params: dict[str, object] = {"Global.log_level": "error"}
    for step in ("Det", "Cls", "Rec"):
        models = sorted(folder.glob(f"*_{step.lower()}_*.onnx"))
        if not models:
            raise MissingExtraError(f"recognising text without {folder}/*_{step.lower()}_*", "ocr")
        params[f"{step}.model_path"] = str(models[-1])
    return rapidocr.RapidOCR(params=params)


def _lines(model: Any, picture: np.ndarray[Any, Any]) -> list[_Line]:
    """Return the lines of a picture that can be read, each the way up it reads best."""
    # Its own model for lines on their heads turns over many that are long.
    found = model(
        picture,
        use_cls=False,
        return_word_box=True,
        return_single_char_box=False,
        text_score=0.0,
    )
    if found.boxes is None or found.txts is None:
        return []
    lines = []
    # Lines without pieces are left out there.
    of_lines = iter([line for line in found.word_results or () if line])
    pieces = next(of_lines, ())
    for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True):
        is_own = "".join(piece for piece, _, _ in pieces) == "".join(text.split())
        own = pieces if is_own else ()
        lines.append(_Line(np.asarray(box, np.float32), text, float(score), own))
        pieces = next(of_lines, ()) if is_own else pieces
    lines = [line if line.score >= _SURE else _over(model, picture, line) for line in lines]
    return [line for line in lines if line.score >= _LEAST]


def _over(model: Any, picture: np.ndarray[Any, Any], line: _Line) -> _Line:
    """Return a line as it reads on its head, if that is surer; its first corner is another one."""
    boxes = line.box[None, [2, 3, 0, 1]]
    crops = model.crop_text_regions(picture, boxes)
    found = model.recognize_txt(crops)
    (text,), (score,) = found.txts, found.scores
    if score <= line.score or not text.strip():
        return line
    pieces = model.calc_word_boxes(crops, boxes, found)
    return _Line(boxes[0], text, float(score), pieces[0] if pieces else ())


def _words(found: _Line, line: int) -> Iterator[OcrWord]:
    """Return the words of a line, by the places of its pieces, each a word or a part of one."""
    box, text, score, pieces = found
    lengths = np.linalg.norm(box[3] - box[0]), np.linalg.norm(box[1] - box[0])
    is_upright = lengths[0] >= _UPRIGHT * lengths[1] and len(text) > 1
    box = _tight(box)
    # A line that runs down the page begins at its upper right corner.
    corners = box[[1, 2, 3, 0]] if is_upright else box
    start, end = (corners[0] + corners[3]) / 2, (corners[1] + corners[2]) / 2
    length = max(float(np.linalg.norm(end - start)), 1.0)
    along = (end - start) / length
    places = [_reach(np.asarray(quad, float), start, along, length) for _, _, quad in pieces]
    n_of_pieces = [len(piece) for piece, _, _ in pieces]
    scores = [float(each) for _, each, _ in pieces]
    words, n_chars = text.split(), max(len("".join(text.split())), 1)
    at, piece = 0, 0
    for word in words:
        own = []
        n = 0
        while piece < len(n_of_pieces) and n + n_of_pieces[piece] <= len(word):
            own.append(piece)
            n += n_of_pieces[piece]
            piece += 1
        if n == len(word):
            first, last = places[own[0]][0], places[own[-1]][1]
            confidence = min(scores[each] for each in own)
        else:
            piece = len(n_of_pieces)
            first, last = at / n_chars, (at + len(word)) / n_chars
            confidence = score
        at += len(word)
        quad = _part(corners, first, last)
        yield OcrWord(word, quad, min(max(confidence, 0.0), 1.0), line)


def _tight(box: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the box of a line without the margin around its letters."""
    across = box[3] - box[0]
    height = float(np.linalg.norm(across))
    along = box[1] - box[0]
    width = float(np.linalg.norm(along))
    if width < 1 or height < 1:
        return box
    by = min(_MARGIN_PIXELS + _MARGIN * min(height, width), 0.3 * min(height, width))
    # Above and below something is left: there the ink tells more.
    down, right = across / height * by / 2, along / width * by
    moves = np.stack([down + right, down - right, -down - right, right - down])
    tight: np.ndarray[Any, Any] = box + moves
    return tight


def _reach(
    quad: np.ndarray[Any, Any], start: np.ndarray[Any, Any], along: np.ndarray[Any, Any], n: float
) -> tuple[float, float]:
    """Return from where to where a piece reaches along its line, as shares of it."""
    shares = np.clip((quad - start) @ along / n, 0, 1)
    return float(shares.min()), float(shares.max())


def _part(corners: np.ndarray[Any, Any], first: float, last: float) -> list[list[float]]:
    """Return the corners of a part of a line."""
    upper, lower = corners[1] - corners[0], corners[2] - corners[3]
    quad = [
        corners[0] + first * upper,
        corners[0] + last * upper,
        corners[3] + last * lower,
        corners[3] + first * lower,
    ]
    return [[float(x), float(y)] for x, y in quad]
