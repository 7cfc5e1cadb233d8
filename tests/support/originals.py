"""What a chunk keeps of its elements, unpacked without the code under test."""

import base64
import json
import zlib
from typing import Any


def decoded(original_elements: str) -> Any:
    """Return the elements that ``orig_elements`` holds."""
    return json.loads(zlib.decompress(base64.b64decode(original_elements)))
