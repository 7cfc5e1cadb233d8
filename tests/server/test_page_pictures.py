"""Pictures of pages: pages that take long to draw hold up nobody for longer than a time."""

from __future__ import annotations

from base64 import b64encode

import pytest

pytest.importorskip("pypdfium2", reason="needs the extra pdf")
pytest.importorskip("fastapi", reason="the service is made of it")

from chunkwright.readers.pdf import pictures
from tests.server.calls import served


def pdf(content: bytes) -> str:
    """Return a PDF document of one page with that content, in Base64."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<<>>>>",
        b"<</Length %d>>stream\n%b\nendstream" % (len(content), content),
    )
    parts = [b"%d 0 obj\n%b\nendobj\n" % each for each in enumerate(objects, 1)]
    return b64encode(b"%PDF-1.7\n" + b"".join(parts) + b"trailer<</Root 1 0 R/Size 5>>").decode()


def test_a_page_is_drawn_for_a_time_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST_SECONDS", 0.05)
    strokes = b"0 0 m 600 700 l 100 300 400 500 20 20 c S\n" * 20_000
    with served() as client:
        answer = client.post("/v1/page", json={"data": pdf(strokes), "page": 1})
        assert answer.status_code == 422, answer.text
        assert "longer than 0.05 seconds" in answer.json()["error"]["message"]
        plain = client.post("/v1/page", json={"data": pdf(b"0 0 300 300 re f"), "page": 1})
        assert plain.json()["image"].startswith("data:image/png;base64,")
