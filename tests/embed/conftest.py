"""What tests of embedders share."""

from pathlib import Path

import pytest

from .made_models import write_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small model with mean pooling."""
    return write_model(tmp_path / "made")
