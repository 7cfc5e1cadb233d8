"""Tests of recognition, which may have the engine that is installed."""

import pytest


@pytest.fixture(autouse=True)
def engine_of_ocr() -> None:
    """Leave the engine where it is."""
