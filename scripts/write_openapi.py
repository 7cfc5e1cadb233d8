"""Writer of docs/openapi.json: what a service with the default settings says of itself.

A test fails while that file is not what this writes.
"""

import json
from pathlib import Path

from chunkwright.server import create_app

FILE = Path(__file__).parent.parent / "docs" / "openapi.json"


def text() -> str:
    """Return what the file holds."""
    app = create_app()
    found = app.openapi()
    app.state.service.close()
    # That of the routes; the package's own would make it another file with each release.
    found["info"]["version"] = "1"
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
