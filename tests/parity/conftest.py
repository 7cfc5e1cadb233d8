"""All tests of this folder compare with a peer."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them, so that a run can leave them out or give them fewer examples."""
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.differential)
