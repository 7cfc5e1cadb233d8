"""Memory of documents that are read at once: counted by what their kinds may take."""

import pytest

from chunkwright.server import Settings
from chunkwright.server.problems import Problem
from chunkwright.server.service import Service


def test_documents_are_read_together_as_far_as_they_fit() -> None:
    service = Service(Settings(max_held=1000))
    with service.reading(600):
        with service.reading(400):
            assert service.n_read == 1000
            with pytest.raises(Problem) as raised, service.reading(8):
                pass
        assert (raised.value.status, raised.value.code) == (503, "busy")
        with pytest.raises(ValueError, match="damaged"), service.reading(400):
            raise ValueError("damaged")
    assert service.n_read == 0


def test_a_document_by_itself_is_read_whatever_it_takes() -> None:
    service = Service(Settings(max_held=1000))
    with service.reading(5000):
        assert service.n_read == 5000


def test_a_small_document_is_read_beside_one_that_takes_all() -> None:
    service = Service(Settings(max_held=1280))
    with service.reading(5000), service.reading(10), service.reading(10):
        with pytest.raises(Problem), service.reading(11):
            pass
        assert service.n_read == 5020
    assert service.n_read == 0
