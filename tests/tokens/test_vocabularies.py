"""Tests run without network: tiktoken has its own vocabularies, and no other host is reached."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import sys
import urllib.request
import uuid

import pytest
import tiktoken
import tiktoken.load

from tests.offline.sitecustomize import NetworkError
from tests.support.vocabularies import (
    FILES,
    content_of,
    downloaded,
    encodings_not_built_in,
    gpt2_files,
    tokens_of,
)

# As tiktoken 0.14 has them in `tiktoken_ext/openai_public.py`.
SHA256 = {
    "r50k_base": "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "encoder.json": "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
    "vocab.bpe": "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
}
ELSEWHERE = ["192.0.2.1", "2001:db8::1", "example.org", b"example.org"]


@pytest.mark.parametrize("name", FILES)
def test_the_core_holds_the_files_of_tiktoken(name: str) -> None:
    content = content_of(name)
    assert hashlib.sha256(content).hexdigest() == SHA256[name]
    if file := downloaded(name):
        assert file.read_bytes() == content
    ranks = tiktoken.get_encoding(name)._mergeable_ranks
    assert len(ranks) == content.count(b"\n")


def test_the_core_holds_what_the_files_of_gpt2_say() -> None:
    for name, content in gpt2_files().items():
        assert hashlib.sha256(content).hexdigest() == SHA256[name]
    ranks = tiktoken.get_encoding("gpt2")._mergeable_ranks
    assert ranks == {token: rank for rank, token in enumerate(tokens_of("gpt2"))}


def test_encodings_that_are_not_built_in() -> None:
    for name in encodings_not_built_in():
        encoding = tiktoken.get_encoding(name)
        assert encoding.name == name
        assert encoding.decode(encoding.encode("any text 🚀")) == "any text 🚀"


@pytest.mark.parametrize("host", ELSEWHERE)
def test_no_other_host_is_reached(host: str | bytes) -> None:
    with pytest.raises(NetworkError, match="without network, and something asks for"):
        socket.create_connection((host, 443), timeout=1)  # type: ignore[arg-type]


def test_no_packet_leaves() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        with pytest.raises(NetworkError):
            one.sendto(b"", ("192.0.2.1", 53))
        with pytest.raises(NetworkError):
            one.connect(("192.0.2.1", 53))


def test_nothing_is_downloaded() -> None:
    with pytest.raises(NetworkError):
        tiktoken.load.read_file_cached(f"https://example.org/{uuid.uuid4()}.tiktoken")
    with pytest.raises(NetworkError):
        urllib.request.urlopen("https://example.org")


def test_children_reach_no_other_host() -> None:
    code = "import socket; socket.create_connection(('example.org', 443))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert b"NetworkError: tests run without network" in done.stderr


def test_this_machine_is_reached() -> None:
    assert "PYTHONPATH" in os.environ
    with socket.create_server(("localhost", 0)) as server:
        for host in ("127.0.0.1", "localhost"):
            socket.create_connection((host, server.getsockname()[1]), timeout=5).close()
