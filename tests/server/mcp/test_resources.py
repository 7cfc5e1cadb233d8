"""Resources of the server: current documents, listed in pages and read in parts, and blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

import chunkwright as cw
from chunkwright.server.mcp import resources
from chunkwright.server.mcp.protocol import RESOURCE_NOT_FOUND

from .asking import ask, with_client
from .conftest import MILL, MakeService

ODD = "odd/ä b?#%.md"


def listed(service: Any) -> list[Any]:
    """Return all resources, page by page."""

    async def use(client: Any) -> list[Any]:
        found, cursor, is_first = [], None, True
        while is_first or cursor is not None:
            page = await client.list_resources(cursor=cursor)
            found += page.resources
            cursor, is_first = page.next_cursor, False
        return found

    return with_client(service, use)


def read(service: Any, uri: str) -> str:
    async def use(client: Any) -> Any:
        return (await client.read_resource(uri)).contents

    (content,) = with_client(service, use)
    assert (content.uri, content.mime_type) == (uri, "text/plain")
    return str(content.text)


def refused(service: Any, uri: str) -> MCPError:
    async def use(client: Any) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
        return caught.value

    return with_client(service, use)


def test_all_current_documents_are_listed_in_pages(
    written: Path, make_service: MakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "_AT_ONCE", 2)
    service = make_service(written, is_writing=True)
    service.store.add(cw.read(b"Odd.", name=ODD))
    service.store.remove("reports/0.md")
    found = listed(service)
    titles = ["notes/mill.md", "reports/1.md", "reports/2.md", ODD]
    assert [each.title for each in found] == titles
    assert [each.name for each in found][:2] == ["mill.md", "1.md"]
    assert found[0].description == "version 1, 3 blocks"
    assert "Odd." in read(service, found[3].uri)


def test_a_cursor_of_no_page_is_refused(built: Path, make_service: MakeService) -> None:
    async def use(client: Any) -> Any:
        with pytest.raises(MCPError, match=r"cursor '-1' is of no page") as caught:
            await client.list_resources(cursor="-1")
        return caught.value.code

    assert with_client(make_service(built), use) == -32602


def test_the_current_version_is_read_with_the_ids_of_its_blocks(
    written: Path, make_service: MakeService
) -> None:
    service = make_service(written, is_writing=True)
    (hit,) = ask(service, "search", query="wheels of oak", k=1).value["hits"]
    changed = MILL.replace("two wheels of oak", "three wheels of steel")
    service.store.add(cw.read(changed.encode(), name="notes/mill.md"))
    text = read(service, "chunkwright://document/notes%2Fmill.md")
    assert text.startswith("notes/mill.md (version 2), 3 blocks")
    assert "three wheels of steel" in text
    assert "two wheels of oak" not in text
    new = next(line for line in text.splitlines() if line.startswith("block "))
    assert "built in 1743" in read(service, f"chunkwright://block/{new.removeprefix('block ')}")
    old = refused(service, f"chunkwright://block/{hit['block']}")
    assert old.code == RESOURCE_NOT_FOUND
    assert "is in no current version: chunkwright://block/" in old.message


def test_parts_of_a_long_document_are_all_of_it(built: Path, make_service: MakeService) -> None:
    service = make_service(built)
    count = cw.Tokenizer("cl100k_base").count
    uri, texts = "chunkwright://document/reports%2F1.md?max_tokens=1500", []
    while uri:
        texts.append(read(service, uri))
        assert count(texts[-1]) <= 1500
        _, _, last = texts[-1].rpartition("\n")
        uri = last.partition(": ")[2] if " blocks more: " in last else ""
    assert len(texts) > 2
    with cw.Store.open(built, read_only=True) as store:
        for row in store.rows("reports/1.md"):
            assert sum(row["text"] in text for text in texts) == 1


@pytest.mark.parametrize(
    ("uri", "code", "said"),
    [
        ("chunkwright://document/mill.md", RESOURCE_NOT_FOUND, "did you mean 'notes/mill.md'?"),
        ("chunkwright://document/no", RESOURCE_NOT_FOUND, "no document 'no'"),
        ("chunkwright://block/no", RESOURCE_NOT_FOUND, "no block 'no'"),
        ("chunkwright://block/", -32602, "block must not be empty"),
        ("chunkwright://else/x", RESOURCE_NOT_FOUND, "{?offset,max_tokens}"),
        ("file:///etc/passwd", RESOURCE_NOT_FOUND, "there is no resource"),
        ("chunkwright://document/notes%2Fmill.md?offset=x", -32602, "offset: "),
        ("chunkwright://document/notes%2Fmill.md?max_tokens=1", -32602, "equal to 300, got '1'"),
    ],
)
def test_addresses_of_nothing_are_refused_with_what_would_do(
    uri: str, code: int, said: str, built: Path, make_service: MakeService
) -> None:
    error = refused(make_service(built), uri)
    assert (error.code, error.data) == (code, {"uri": uri})
    assert said in error.message
    assert str(built) not in error.message


def test_templates_and_prompts_complete_addresses(built: Path, make_service: MakeService) -> None:
    async def use(client: Any) -> list[Any]:
        (document, block) = (await client.list_resource_templates()).resource_templates
        assert block.uri_template == "chunkwright://block/{block}"
        template = ResourceTemplateReference(uri=document.uri_template)
        prompt = PromptReference(name="compare_versions")
        return [
            (await client.complete(ref, argument)).completion.values
            for ref, argument in (
                (template, {"name": "document", "value": "REPORTS/"}),
                (prompt, {"name": "document", "value": "mill"}),
                (prompt, {"name": "old", "value": "1"}),
            )
        ]

    reports, mill, none = with_client(make_service(built), use)
    assert reports == [f"reports/{n}.md" for n in range(3)]
    assert (mill, none) == (["notes/mill.md"], [])


def test_without_a_store_there_are_no_resources_and_prompts(make_service: MakeService) -> None:
    async def use(client: Any) -> Any:
        found = client.server_capabilities
        return found.resources, found.prompts, found.tools

    resources_, prompts, tools = with_client(make_service(), use)
    assert (resources_, prompts) == (None, None)
    assert tools is not None
