"""Tools over a store: what they offer, answer, and say of what is wrong."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from threading import Event
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import chunkwright as cw
from tests.support.stores import with_lines

from .asking import Answer, answer_of, ask, ask_each, with_client
from .conftest import MILL, MakeService

READING = {
    *("search", "list_documents", "get_document", "get_block", "verify_quote"),
    *("resolve_citation", "chunk_text"),
}
FILES = {"list_files", "read_file"}
WRITING = {"cite", "import_file"}


def listed(service: Any) -> list[Any]:
    async def use(client: Any) -> list[Any]:
        return list((await client.list_tools()).tools)

    return with_client(service, use)


def names(service: Any) -> set[str]:
    return {tool.name for tool in listed(service)}


def block_with(service: Any, words: str) -> str:
    (hit, *_) = ask(service, "search", query=words).value["hits"]
    return str(hit["block"])


def test_page_headers_are_shown_without_a_block(written: Path, make_service: MakeService) -> None:
    with cw.Store.open(written) as store:
        boats = cw.Document(text="They float.", name="boats.md")
        store.add(with_lines(boats, [("page header", "Of boats", 3)]))
    answer = ask(make_service(written), "search", query="of boats")
    where = "[1] boats.md (version 1), page 3"
    assert answer.text.startswith(f"{where}\npage header, in no block\nOf boats")


def test_only_what_can_be_answered_is_offered(
    built: Path, root: Path, make_service: MakeService
) -> None:
    assert names(make_service()) == {"chunk_text"}
    assert names(make_service(None, root)) == {"chunk_text", *FILES}
    assert names(make_service(built)) == READING
    assert names(make_service(built, root)) == READING | FILES


def test_tools_that_write_are_offered_only_if_that_is_asked_for(
    written: Path, root: Path, make_service: MakeService
) -> None:
    reading = make_service(written, root)
    for tool in WRITING:
        assert "unknown tool" in ask(reading, tool, block="x").text
    with pytest.raises(cw.ChunkwrightError, match="reading only"):
        reading.store.cite(block_with(reading, "wheels of oak"))
    assert names(make_service(written, root, is_writing=True)) == READING | FILES | WRITING


def test_descriptions_say_when_and_how_and_what_is_written(
    written: Path, root: Path, make_service: MakeService
) -> None:
    tools = listed(make_service(written, root, is_writing=True))
    for tool in tools:
        assert len(tool.description.split()) > 10
        assert tool.annotations.read_only_hint is (tool.name not in WRITING)


def test_answers_fit_their_schemas(written: Path, root: Path, make_service: MakeService) -> None:
    service = make_service(written, root, is_writing=True)
    schemas = {tool.name: tool.output_schema for tool in listed(service)}
    block = block_with(service, "wheels of oak")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "ledger", "fields": ["boxes", "metadata", "why"]}),
        ("list_documents", {}),
        ("get_document", {"document": "reports/1.md"}),
        ("get_block", {"block": block}),
        ("verify_quote", {"quote": "two wheels of pine"}),
        ("cite", {"block": block, "quote": "two wheels"}),
        ("list_files", {}),
        ("read_file", {"path": "mill.md"}),
        ("import_file", {"path": "mill.md"}),
        ("chunk_text", {"text": MILL}),
    ]
    answers = ask_each(service, calls)
    cited = answers[5].value["citation"]
    answers.append(ask(service, "resolve_citation", citation=cited))
    for (name, _), answer in zip([*calls, ("resolve_citation", {})], answers, strict=True):
        assert not answer.is_error, answer.text
        jsonschema.validate(answer.value, schemas[name])
        assert answer.text
        assert not answer.text.startswith("{")


def test_search_finds_words_with_their_place(built: Path, make_service: MakeService) -> None:
    answer = ask(make_service(built), "search", query="How many wheels has it?", k=1)
    (hit,) = answer.value["hits"]
    assert (hit["document"], hit["version"]) == ("notes/mill.md", 1)
    assert hit["headings"] == ["The mill", "Wheels"]
    assert "It has two wheels of oak." in hit["text"]
    for said in ("notes/mill.md (version 1)", "The mill > Wheels", hit["block"], hit["text"]):
        assert said in answer.text


def test_hits_are_widened_as_far_as_is_asked(built: Path, make_service: MakeService) -> None:
    service = make_service(built)

    def text(expand: str | None) -> str:
        answer = ask(service, "search", query="wheels of oak", k=1, expand=expand)
        return str(answer.value["hits"][0]["text"])

    assert text(None) == "## Wheels\n\nIt has two wheels of oak."
    assert "built in 1743" in text("neighbours")
    assert "The Millers own it." in text("neighbours")
    assert text("section") == text(None)


def test_pages_of_hits_are_all_hits_once(built: Path, make_service: MakeService) -> None:
    service = make_service(built)
    pages, offset = [], 0
    while offset is not None:
        answer = ask(service, "search", query="ledger", k=4, offset=offset, expand=None).value
        pages.append([hit["block"] for hit in answer["hits"]])
        offset = answer["next_offset"]
        assert (answer["more"] is None) == (offset is None)
    blocks = [block for page in pages for block in page]
    assert len(blocks) == len(set(blocks)) > 50


def test_searches_are_narrowed(built: Path, make_service: MakeService) -> None:
    service = make_service(built)

    def found(**where: Any) -> set[str]:
        answer = ask(service, "search", query="ledger harbour wheels", k=50, expand=None, **where)
        assert not answer.is_error, answer.text
        return {hit["document"] for hit in answer.value["hits"]}

    assert found(documents=["reports/1.md"]) == {"reports/1.md"}
    assert found(documents=["reports/*"]) == {f"reports/{n}.md" for n in range(3)}
    assert found(metadata={"year": 2021}) == {"reports/1.md"}
    assert found(metadata={"year": [2020, 1743]}) == {"reports/0.md", "notes/mill.md"}
    assert found(metadata={"year": {"operator": ">", "value": 2020}}) == {
        "reports/1.md",
        "reports/2.md",
    }
    assert found(types=["table"]) == set()


def test_documents_are_listed_with_their_metadata(built: Path, make_service: MakeService) -> None:
    service = make_service(built)
    answer = ask(service, "list_documents").value
    assert answer["n_total"] == 4
    assert answer["documents"][0] == {
        "document": "notes/mill.md",
        "version": 1,
        "n_blocks": 3,
        "metadata": {"year": 1743},
    }
    part = ask(service, "list_documents", limit=1, offset=1).value
    assert [row["document"] for row in part["documents"]] == ["reports/0.md"]
    assert part["next_offset"] == 2


def test_parts_of_a_document_are_all_of_it(built: Path, make_service: MakeService) -> None:
    service = make_service(built)
    blocks, offset, n_parts = [], 0, 0
    while offset is not None:
        asked = {"document": "reports/1.md", "offset": offset, "max_tokens": 1500}
        answer = ask(service, "get_document", **asked).value
        blocks += answer["blocks"]
        offset, n_parts = answer["next_offset"], n_parts + 1
    with cw.Store.open(built, read_only=True) as store:
        rows = list(store.rows("reports/1.md"))
    assert n_parts > 2
    assert [block["block"] for block in blocks] == [row["block"] for row in rows]
    assert [block["text"] for block in blocks] == [row["text"] for row in rows]


def test_a_block_comes_with_its_section_and_those_beside_it(
    built: Path, make_service: MakeService
) -> None:
    service = make_service(built)
    block = block_with(service, "wheels of oak")
    near = ask(service, "get_block", block=block, expand="neighbours").value
    assert near["text"] == "## Wheels\n\nIt has two wheels of oak."
    assert "built in 1743" in near["before"]
    assert "The Millers own it." in near["behind"]
    assert near["place"]["headings"] == ["The mill", "Wheels"]
    owners = ask(service, "get_block", block=near["next"], expand=None).value
    assert owners["text"] == "## Owners\n\nThe Millers own it."
    assert (owners["before"], owners["behind"], owners["next"]) == ("", "", None)
    assert owners["previous"] == block


def test_old_blocks_and_versions_say_that_they_are_old(
    written: Path, make_service: MakeService
) -> None:
    service = make_service(written, is_writing=True)
    old = block_with(service, "wheels of oak")
    cited = ask(service, "cite", block=old, quote="two wheels of oak").value
    changed = MILL.replace("two wheels of oak", "three wheels of steel")
    service.store.add(cw.read(changed.encode(), name="notes/mill.md"))
    block = ask(service, "get_block", block=old)
    assert block.value["is_current"] is False
    assert "Not in the current version" in block.text
    assert block.value["superseded_by"]
    verdict = ask(service, "verify_quote", quote="It has two wheels of oak.")
    assert verdict.value["verdict"] == "found"
    assert verdict.value["is_current"] is False
    assert "old version" in verdict.text
    status = ask(service, "resolve_citation", citation=cited["citation"]).value
    assert (status["status"], status["cited"]["version"]) == ("superseded", 1)
    first = ask(service, "get_document", document="notes/mill.md", version=1).value
    assert first["is_current"] is False
    assert "two wheels of oak" in first["blocks"][1]["text"]
    wrong = ask(service, "get_document", document="notes/mill.md", version=3)
    assert wrong.is_error
    assert "it has 1, 2" in wrong.text


def test_a_removed_document_is_said_to_be_removed(written: Path, make_service: MakeService) -> None:
    service = make_service(written, is_writing=True)
    block = block_with(service, "wheels of oak")
    service.store.remove("notes/mill.md")
    answer = ask(service, "get_document", document="notes/mill.md")
    assert answer.is_error
    assert "was removed" in answer.text
    assert ask(service, "get_block", block=block).value["is_current"] is False


def test_quotes_are_verified_word_for_word(built: Path, make_service: MakeService) -> None:
    service = make_service(built)
    right = ask(service, "verify_quote", quote="It has two wheels of oak.").value
    assert (right["verdict"], right["is_verbatim"], right["is_current"]) == ("found", True, True)
    assert right["places"][0]["line_start"] == 7
    wrong = ask(service, "verify_quote", quote="It has two wheels of pine.")
    assert wrong.value["verdict"] == "missing"
    assert (wrong.value["quoted"], wrong.value["stands"]) == ("pine.", "oak.")
    assert "Do not quote" in wrong.text
    other = ask(
        service, "verify_quote", quote="It has two wheels of oak.", document="reports/1.md"
    ).value
    assert other["verdict"] == "elsewhere"


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("serch", {"query": "x"}, "did you mean 'search'?"),
        ("search", {}, "needs the argument 'query'"),
        ("search", {"q": "x"}, "search has no argument 'q': known are"),
        ("search", {"q": "x"}, "; search needs the argument 'query'"),
        ("search", {"query": ""}, "query must not be empty"),
        ("get_document", {"document": ""}, "document must not be empty"),
        ("search", {"query": " "}, "query has no words"),
        ("search", {"query": "x", "offset": 10**30}, "less than or equal to 1000000000"),
        ("search", {"query": "x", "max_token": 500}, "did you mean 'max_tokens'?"),
        ("search", {"query": "x", "max_tokens": 1}, "greater than or equal to 300, got 1"),
        ("search", {"query": "x", "expand": "all"}, "expand: "),
        ("search", {"query": "x", "documents": ["mill.md"]}, "did you mean 'notes/mill.md'?"),
        ("get_document", {"document": "report/1.md"}, "did you mean 'reports/1.md'"),
        ("get_block", {"block": "no such"}, "no block 'no such': hits of search"),
        ("resolve_citation", {"citation": "none"}, "no citation 'none': cite answers with"),
        ("verify_quote", {"quote": "short"}, "12"),
        ("verify_quote", {"quote": "x" * 12, "document": "no"}, "no document 'no'"),
        ("chunk_text", {"text": "x", "strategy": "struct"}, "did you mean 'structural'?"),
        ("chunk_text", {"text": "x", "options": {"overlpa": 1}}, "unknown option 'overlpa'"),
        ("chunk_text", {"text": "x", "tokenizer": "/etc/passwd"}, "no tokenizer '/etc/passwd'"),
        ("chunk_text", {"text": "x", "strategy": "llm"}, "asks a language model"),
        ("chunk_text", {"text": "x", "strategy": "nope"}, "known are 'recursive', 'sentence'"),
        ("chunk_text", {"text": "x", "strategy": "by_similarity"}, "embedder, one of 'lexical'"),
    ],
)
def test_errors_say_what_would_be_right(
    tool: str, arguments: dict[str, Any], said: str, built: Path, make_service: MakeService
) -> None:
    answer = ask(make_service(built), tool, **arguments)
    assert answer.is_error
    assert said in answer.text
    assert str(built) not in answer.text


def test_errors_name_arguments_as_the_tool_has_them(make_service: MakeService) -> None:
    for options in ({"overlpa": 1}, {"max_tokens": 0}, {"tokenizer": "none"}):
        assert "chunking" not in ask(make_service(), "chunk_text", text="x", options=options).text


@pytest.mark.parametrize("tool", ["read_file", "import_file"])
def test_advice_that_a_tool_cannot_take_is_said_to_be_none(
    tool: str, root: Path, written: Path, make_service: MakeService
) -> None:
    (root / "noise.txt").write_bytes(bytes(range(256)))
    service = make_service(written, root, is_writing=True)
    said = ask(service, tool, path="noise.txt").text
    assert "encoding='utf-16'" in said
    assert f"({tool} has no such argument)" in said
    assert "see list_files" in ask(service, tool, path="no/such.file").text


def test_an_offset_past_the_end_is_said_to_be_one(
    root: Path, built: Path, make_service: MakeService
) -> None:
    service = make_service(built, root)
    for tool, arguments, said in (
        ("list_documents", {}, "There are 4 documents"),
        ("get_document", {"document": "notes/mill.md"}, "There are 3 blocks"),
        ("list_files", {}, "files: offset=100000 is past the last."),
        ("read_file", {"path": "mill.md"}, "characters: offset=100000 is past the last."),
        ("chunk_text", {"text": "x"}, "There are 1 chunks"),
    ):
        answer = ask(service, tool, **arguments, offset=100_000)
        assert said in answer.text
        assert answer.value["next_offset"] is None


def test_no_strategy_is_offered_that_is_refused_next(make_service: MakeService) -> None:
    service = make_service()
    for wrong in ("nope", "llm"):
        said = ask(service, "chunk_text", text="x", strategy=wrong).text.partition("'recursive'")
        offered = re.findall(r"'(\w+)'", "".join(said[1:]))
        assert len(offered) > 15
        assert "llm" not in offered
    sources = {"json": ("[1, 2]", "text"), "by_similarity": (MILL, "markdown")}
    for name in offered:
        text, kind = sources.get(name, (MILL, "markdown"))
        options = {"embedder": "lexical"} if name == "by_similarity" else {}
        asked = {"text": text, "kind": kind, "strategy": name, "options": options}
        answer = ask(service, "chunk_text", **asked)
        assert not answer.is_error, (name, answer.text)


def test_faults_are_no_texts_for_clients(
    built: Path, make_service: MakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = make_service(built)

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError(f"{built}: two wheels of oak")

    monkeypatch.setattr(service.store, "search", fails)
    answer = ask(service, "search", query="wheels")
    assert answer.is_error
    assert answer.text == "a fault; its log says more"


def test_names_of_documents_begin_no_line_of_their_own(
    written: Path, make_service: MakeService
) -> None:
    service = make_service(written, is_writing=True)
    name = "odd\n[2] notes/mill.md (version 1), line 1"
    service.store.add(cw.read(b"A zeppelin landed.", name=name))
    answer = ask(service, "search", query="zeppelin", documents=["odd*"])
    assert [hit["document"] for hit in answer.value["hits"]] == [name]
    for text in (answer.text, ask(service, "list_documents").text):
        assert not any(line.startswith("[2]") for line in text.splitlines())


def test_many_calls_at_once_are_all_answered(built: Path, make_service: MakeService) -> None:
    service = make_service(built, threads=2)
    calls = [("search", {"query": f"ledger {n}", "k": 3}) for n in range(40)]
    answers = ask_each(service, calls)
    one_by_one = [ask(service, name, **arguments) for name, arguments in calls[:5]]
    assert not any(answer.is_error for answer in answers)
    assert [json.dumps(each.value) for each in answers[:5]] == [
        json.dumps(each.value) for each in one_by_one
    ]


def test_more_calls_than_may_wait_are_told_so(
    built: Path, make_service: MakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = make_service(built, threads=1, most_waiting=0)
    has_begun, may_end = Event(), Event()

    def waits(*_: object, **__: object) -> list[Any]:
        has_begun.set()
        may_end.wait()
        return []

    monkeypatch.setattr(service.store, "search", waits)

    async def use(client: Any) -> list[Answer]:
        first = asyncio.ensure_future(client.call_tool("search", {"query": "ledger"}))
        await asyncio.to_thread(has_begun.wait)
        second = await client.call_tool("search", {"query": "ledger"})
        may_end.set()
        return [answer_of(await first), answer_of(second)]

    served, refused = with_client(service, use)
    assert not served.is_error
    assert served.text == "Nothing found."
    assert refused.is_error
    assert refused.text == "the service is busy: too many requests wait"


def test_chunks_are_cut_as_asked(make_service: MakeService) -> None:
    service = make_service()
    text = "One two three. " * 40
    asked = {"text": text, "strategy": "sentence", "max_tokens": 20, "kind": "text"}
    answer = ask(service, "chunk_text", **asked)
    chunks = answer.value["chunks"]
    assert answer.value["n_total"] == len(chunks) > 5
    assert all(chunk["n_tokens"] <= 20 for chunk in chunks)
    assert all(text[chunk["start"] : chunk["end"]] == chunk["text"] for chunk in chunks)
    twice = ask(service, "chunk_text", **asked, options={"max_tokens": 9})
    assert twice.is_error
    assert "max_tokens=20 is given in options, too" in twice.text
    part = ask(service, "chunk_text", **asked, offset=2, limit=2).value
    assert part["chunks"] == chunks[2:4]
    assert part["next_offset"] == 4
