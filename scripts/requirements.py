"""Requirements of extras, one a line, without those on chunkwright itself."""

import sys
import tomllib
from pathlib import Path


def main() -> None:
    """Print the requirements of the extras that are named."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    found = [each for name in sys.argv[1:] for each in extras[name]]
    print("\n".join(each for each in found if not each.startswith("chunkwright[")))


if __name__ == "__main__":
    main()
