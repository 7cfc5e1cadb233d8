"""Providers of OpenTelemetry that send by OTLP over HTTP, as the environment says where.

They are not shut down by themselves when the process ends, which would wait half a minute for a
collector that is down: what is not sent yet is flushed then.
"""

from __future__ import annotations

import os

from opentelemetry import metrics, trace
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from chunkwright import __version__


def tracers() -> trace.TracerProvider:
    """Return the provider of the program, if it has set one up; else one that sends."""
    found = trace.get_tracer_provider()
    if isinstance(found, TracerProvider):
        return found
    made = TracerProvider(resource=_resource(), shutdown_on_exit=False)
    made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return made


def meters() -> metrics.MeterProvider:
    """Return the provider of the program, if it has set one up; else one that sends."""
    found = metrics.get_meter_provider()
    if isinstance(found, MeterProvider):
        return found
    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    return MeterProvider([reader], resource=_resource(), shutdown_on_exit=False)


def _resource() -> Resource:
    """Return what is recorded: the environment's name of it before our own."""
    named = os.environ.get("OTEL_SERVICE_NAME") or "service.name=" in os.environ.get(
        "OTEL_RESOURCE_ATTRIBUTES", ""
    )
    own = {} if named else {SERVICE_NAME: "chunkwright"}
    return Resource.create({**own, SERVICE_VERSION: __version__})
