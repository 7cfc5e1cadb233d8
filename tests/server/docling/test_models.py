"""Models of requests have the fields and the defaults of docling-serve's."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

from chunkwright.server.dialects.docling import options, requests
from chunkwright.server.dialects.docling.options import (
    ConvertOptions,
    HierarchicalOptions,
    HybridOptions,
)

pytestmark = pytest.mark.filterwarnings("ignore")


def test_fields_and_defaults_are_those_of_docling_serve() -> None:
    peer = _peer()
    pairs: list[tuple[Any, Any]] = [
        (ConvertOptions, peer["options"].ConvertDocumentsOptions),
        (HybridOptions, peer["chunking"].HybridChunkerOptions),
        (HierarchicalOptions, peer["chunking"].HierarchicalChunkerOptions),
    ]
    for ours, theirs in pairs:
        found = json.loads(ours().model_dump_json())
        wanted = json.loads(theirs().model_dump_json())
        # The options of headings are an object there, whose defaults are taken here.
        for each in (found, wanted):
            each.pop("pdf_heading_hierarchy_options", None)
        assert found == wanted
    wanted_names = set(peer["requests"].ConvertDocumentsRequest.model_fields)
    assert set(requests.ConvertRequest.model_fields) == wanted_names
    asked = peer["requests"].make_request_model(peer["chunking"].HybridChunkerOptions)
    assert set(requests.HybridRequest.model_fields) == set(asked.model_fields)
    assert tuple(each.value for each in peer["base_models"].InputFormat) == options.FORMATS_IN


def _peer() -> dict[str, Any]:
    from docling.datamodel import base_models
    from docling.datamodel.service import chunking, options, requests

    from . import peer  # noqa: F401 - skips the test where there is no peer

    return {
        "options": options,
        "chunking": chunking,
        "requests": requests,
        "base_models": base_models,
    }
