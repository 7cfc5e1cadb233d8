"""Traces and metrics: a span for each stage, in the trace of the caller, and no text in them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk", reason="needs the extra otel")
pytest.importorskip("fastapi", reason="needs the extra server")

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import chunkwright as cw
from chunkwright import telemetry
from chunkwright.corpus import Corpus
from tests.server.calls import served
from tests.server.running import serving

TRACE = "0af7651916cd43dd8448eb211c80319c"
SECRET = "the rain in Bern that nobody should read"  # noqa: S105 - a text


class Recorded:
    """What is recorded."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.reader = InMemoryMetricReader()
        tracers = TracerProvider()
        tracers.add_span_processor(SimpleSpanProcessor(self.exporter))
        telemetry.use(tracers, MeterProvider([self.reader]))

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self.exporter.get_finished_spans())

    def named(self, name: str) -> list[ReadableSpan]:
        return [each for each in self.spans if each.name == name]

    def one(self, name: str) -> ReadableSpan:
        (found,) = self.named(name)
        return found

    def numbers(self, name: str) -> list[Any]:
        data = self.reader.get_metrics_data()
        metrics = [
            metric
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
        ]
        return [point for each in metrics if each.name == name for point in each.data.data_points]


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    yield Recorded()
    telemetry.use()


def below(span: ReadableSpan, parent: ReadableSpan) -> bool:
    """Return whether a span is right below another one."""
    return span.parent is not None and span.parent.span_id == parent.context.span_id


def test_a_request_is_a_span_in_the_trace_of_its_client(recorded: Recorded) -> None:
    asked = {"text": f"# A\n\n{SECRET}", "kind": "markdown", "chunking": {"strategy": "hybrid"}}
    headers = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
    with served() as client:
        assert client.post("/v1/chunk", json=asked, headers=headers).status_code == 200
    server = recorded.one("POST /v1/chunk")
    assert f"{server.context.trace_id:032x}" == TRACE
    assert dict(server.attributes or {}) == {
        "http.request.method": "POST",
        "http.route": "/v1/chunk",
        "http.response.status_code": 200,
        "url.scheme": "http",
        "client.address": "testclient",
    }
    for name in ("chunkwright.read", "chunkwright.chunk"):
        assert below(recorded.one(name), server)
    chunk = recorded.one("chunkwright.chunk").attributes or {}
    assert (chunk["chunkwright.strategy"], chunk["chunkwright.chunks"]) == ("hybrid", 1)
    (seconds,) = recorded.numbers("http.server.request.duration")
    assert (seconds.count, seconds.attributes["http.route"]) == (1, "/v1/chunk")
    assert [point.value for point in recorded.numbers("chunkwright.chunks")] == [1]


def test_each_stage_of_a_dialect_and_of_citations_is_a_span(
    recorded: Recorded, tmp_path: Path
) -> None:
    path = tmp_path / "kb.db"
    with cw.Store.open(path) as store:
        store.add(cw.read(b"It rained on the mill.", name="rain.txt"))
        block = store.blocks("rain.txt")[0].id
    with served(store=str(path), allow_edits=True) as client:
        headers = {"X-Filename": "rain.txt"}
        client.put("/recursive/100/process", content=b"It rained.", headers=headers)
        form = {"file": ("rain.txt", b"It rained.")}
        client.post("/fastgpt/parse?strategy=recursive", files=form)
        side = {"strategy": "recursive"}
        client.post("/v1/compare", json={"text": "It rained.", "a": side, "b": side})
        made = client.post("/v1/cite", json={"block": block}).json()
        client.get(f"/v1/cite/{made['citation']}")
        client.post("/v1/verify", json={"quote": "rained on the mill"})
        client.post("/v1/store/edit", json={"block": block, "text": "It snowed."})
    cutting = recorded.named("chunkwright.chunk")
    assert [(each.attributes or {})["chunkwright.strategy"] for each in cutting] == [
        "recursive"
    ] * 4
    for name in ("cite", "resolve", "verify", "edit"):
        assert recorded.one(f"chunkwright.store.{name}").parent is not None


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/general/v0/general", {"chunking_strategy": "basic"}),
        ("/v1/chunk/hierarchical/file", {}),
    ],
    ids=["unstructured", "docling"],
)
def test_chunks_of_other_services_are_a_span(
    recorded: Recorded, path: str, form: dict[str, str]
) -> None:
    files = {"files": ("rain.md", b"# Rain\n\nIt rained.")}
    with served() as client:
        assert client.post(path, files=files, data=form).status_code == 200
    assert len(recorded.named("chunkwright.chunk")) == 1


def test_no_span_says_what_a_client_has_sent(recorded: Recorded) -> None:
    with served() as client:
        client.get(f"/{SECRET}")
        client.request("BREW", "/v1/chunk")
        client.post("/v1/chunk", json={"text": SECRET, "chunking": {"strategy": "no"}})
        client.post("/v1/read", json={"data": "JVBERi0x", "name": f"{SECRET}.pdf"})
    assert {span.name for span in recorded.spans if not span.name.startswith("chunkwright")} == {
        *("GET unmatched", "_OTHER /v1/chunk", "POST /v1/chunk", "POST /v1/read")
    }
    assert not any(SECRET in span.to_json() for span in recorded.spans)
    (reading,) = recorded.named("chunkwright.read")
    assert (reading.attributes or {})["error.type"] == "ReadError"
    assert not reading.status.is_ok


def test_a_fault_is_an_error_of_the_span(recorded: Recorded) -> None:
    with served() as client:
        assert client.post("/v1/search", json={"query": "rain"}).status_code == 501
    server = recorded.one("POST /v1/search")
    assert not server.status.is_ok
    assert (server.attributes or {})["error.type"] == "501"


def test_each_stage_of_an_import_and_of_a_search_is_a_span(
    recorded: Recorded, tmp_path: Path
) -> None:
    with cw.Store.open(tmp_path / "kb.db") as store:
        store.add(cw.Document(text=SECRET, name="rain.txt"))
        assert store.search("rain in Bern", k=1)
    imported, searched = recorded.one("chunkwright.store.import"), "chunkwright.store.search"
    for stage in ("read", "cut", "write"):
        assert below(recorded.one(f"chunkwright.store.import.{stage}"), imported)
    for stage in ("open", "filter", "embed", "rank"):
        assert below(recorded.one(f"{searched}.{stage}"), recorded.one(searched))
    assert (recorded.one(searched).attributes or {})["chunkwright.hits"] == 1
    assert not any(SECRET in span.to_json() for span in recorded.spans)


def test_each_stage_of_a_shard_is_a_span(recorded: Recorded, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra arrow")
    pytest.importorskip("fsspec", reason="needs the extra corpus")
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(SECRET)
    Corpus(str(tmp_path / "*.txt"), strategy="sentence").write(tmp_path / "out")
    run, shard = recorded.one("chunkwright.corpus.run"), recorded.one("chunkwright.corpus.shard")
    assert below(shard, run)
    for stage in ("read", "cut", "write", "end"):
        assert all(below(each, shard) for each in recorded.named(f"chunkwright.corpus.{stage}"))
        assert recorded.named(f"chunkwright.corpus.{stage}")
    facts = shard.attributes or {}
    assert (facts["chunkwright.documents"], facts["chunkwright.chunks"]) == (2, 2)
    assert [point.value for point in recorded.numbers("chunkwright.corpus.documents")] == [2]


def test_nothing_is_loaded_or_recorded_without_an_endpoint() -> None:
    program = (
        "import sys; from chunkwright import telemetry; a = telemetry.span('read', kind='pdf');"
        "assert a is telemetry.NOTHING; a.set(n=1); telemetry.add('chunks', 1); telemetry.flush();"
        "assert not [name for name in sys.modules if name.startswith('opentelemetry')]"
    )
    plain = {name: value for name, value in os.environ.items() if not name.startswith("OTEL")}
    for more in ({}, {telemetry.ENDPOINT: "http://localhost:1", "OTEL_SDK_DISABLED": "true"}):
        subprocess.run([sys.executable, "-c", program], env={**plain, **more}, check=True)


def test_a_run_belongs_to_the_trace_of_the_program_that_starts_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TRACEPARENT", f"00-{TRACE}-b7ad6b7169203331-01")
    recorded = Recorded()
    try:
        with telemetry.span("outer"), telemetry.span("inner"):
            pass
    finally:
        telemetry.use()
    outer, inner = recorded.one("chunkwright.outer"), recorded.one("chunkwright.inner")
    assert f"{outer.context.trace_id:032x}" == TRACE
    assert below(inner, outer)


def test_a_service_sends_what_it_records() -> None:
    httpserver = pytest.importorskip("pytest_httpserver", reason="needs pytest-httpserver")
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra otel")
    with httpserver.HTTPServer() as collector:
        for kind in ("traces", "metrics"):
            collector.expect_request(f"/v1/{kind}", method="POST").respond_with_data(b"")
        with serving(**{telemetry.ENDPOINT: collector.url_for("").rstrip("/")}) as running:
            assert running.cut().status == 200
            running.stop(15)
        sent = {request.path: request.get_data() for request, _ in collector.log}
    assert b"POST /v1/chunk" in sent["/v1/traces"]
    assert b"http.server.request.duration" in sent["/v1/metrics"]
    assert b"chunkwright" in sent["/v1/traces"]


def test_a_child_sends_what_it_records_before_it_ends() -> None:
    httpserver = pytest.importorskip("pytest_httpserver", reason="needs pytest-httpserver")
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra otel")
    if not sys.platform.startswith("linux"):
        pytest.skip("needs Linux, which says what memory a process has")
    with httpserver.HTTPServer() as collector:
        for kind in ("traces", "metrics"):
            collector.expect_request(f"/v1/{kind}", method="POST").respond_with_data(b"")
        named = {telemetry.ENDPOINT: collector.url_for("").rstrip("/")}
        with serving("--max-memory", "400MB", **named) as running:
            long = {"text": "# Rain\n\nIt rained. " * 5000, "kind": "markdown"}
            assert running.ask("POST", "/v1/read", long).status == 200
            running.stop(15)
        sent = b"".join(request.get_data() for request, _ in collector.log)
    assert b"chunkwright.read" in sent


def test_a_collector_that_does_not_answer_holds_up_no_end(tmp_path: Path) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra otel")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        program = (
            "from chunkwright import telemetry\n"
            "with telemetry.span('a'): pass\n"
            "telemetry.add('chunks', 1)\n"
        )
        started = time.monotonic()
        environment = {**os.environ, telemetry.ENDPOINT: endpoint}
        subprocess.run([sys.executable, "-c", program], env=environment, check=True, cwd=tmp_path)
    # By itself OpenTelemetry waits for half a minute.
    assert time.monotonic() - started < 20
