"""Pictures in a DoclingDocument's JSON: whether it has any, and as files beside it."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

_FOLDER = "artifacts"
_DATA = re.compile(r"data:image/(?P<kind>[a-z]+)[^,]*;base64,(?P<data>.*)", re.DOTALL)


def has_pictures(document: bytes) -> bool:
    """Return whether a DoclingDocument's JSON holds pictures, which it may just name."""
    return any(True for _ in _images(_read(document)))


def referenced(document: bytes) -> tuple[bytes, dict[str, bytes]]:
    """Return a DoclingDocument's JSON that names its pictures, and these by their names.

    Pictures of whole pages are left out, as Docling does.

    Parameters
    ----------
    document
        The JSON, whose pictures are data in their addresses; others are left as they are.
    """
    read = _read(document)
    files: dict[str, bytes] = {}
    for image in _images(read):
        found = _DATA.fullmatch(image["uri"])
        if found is None:
            continue
        try:
            data = base64.b64decode(found["data"], validate=True)
        except (binascii.Error, ValueError):
            continue
        number = len(files)
        name = f"{_FOLDER}/image_{number:06}_{sha256(data).hexdigest()}.{found['kind']}"
        files[name] = data
        image["uri"] = name
    return (json.dumps(read).encode(), files) if files else (document, files)


def _read(document: bytes) -> Any:
    try:
        return json.loads(document)
    except (ValueError, RecursionError):
        # The reader refuses what is no JSON.
        return None


def _images(document: Any) -> Iterator[dict[str, Any]]:
    """Yield the images of pictures and tables."""
    if not isinstance(document, dict):
        return
    for field in ("pictures", "tables"):
        items = document.get(field)
        for item in items if isinstance(items, list) else ():
            image = item.get("image") if isinstance(item, dict) else None
            if isinstance(image, dict) and isinstance(image.get("uri"), str):
                yield image
