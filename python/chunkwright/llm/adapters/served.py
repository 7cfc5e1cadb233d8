"""Language models behind a server: options and errors that all adapters share."""

from __future__ import annotations

import inspect
import json
import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NoReturn

from chunkwright.checks import checked_flag, checked_int, checked_number, checked_text
from chunkwright.concurrency.daemon_threads import in_thread
from chunkwright.embed.texts import repaired
from chunkwright.errors import ConfigError, MissingExtraError, ModelError, OptionName
from chunkwright.http.server import Clients, Server, check_key, check_url, status_of
from chunkwright.llm.adapters.adapter import Adapter, reply_of
from chunkwright.llm.protocol import Message, ModelAccessError, Reply, Schema
from chunkwright.objects import MadeOfOptions

# Bytes of an answer: a line for each token of a long one.
_MAX_BYTES = 64 << 20
# Characters of a value that is no client, in a message.
_SHOWN = 80
# The key, the model or the path is wrong, for all requests alike.
NO_ACCESS = (401, 403, 404)
# Servers on one's own machine want some key, and look at none.
_NO_KEY = "none"
# What the providers' libraries and their answers raise where a server has another interface.
_NO_REPLY = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)


@dataclass(frozen=True)
class Served(Adapter, MadeOfOptions):
    """A model behind a server.

    Parameters
    ----------
    base_url
        Where the server is.
    model
        What the server calls the model.
    api_key
        The key; None: that of the environment. It is never shown, but is part of a pickled object.
    retries
        How often a request that fails is repeated, as the server asks.
    timeout
        Seconds that an answer may take, from the connection to its last byte.
    stream
        Whether the server sends tokens as they come, for servers and proxies that end a silent
        connection. The reply is the same.
    options
        Further members of each request, such as ``{"seed": 1}``.

    Raises
    ------
    ConfigError
        If an option makes no sense.
    """

    base_url: str
    model: str
    api_key: str | None = field(default=None, kw_only=True, repr=False)
    retries: int = field(default=5, kw_only=True)
    timeout: float = field(default=120.0, kw_only=True)
    stream: bool = field(default=False, kw_only=True)
    options: Mapping[str, Any] = field(default_factory=dict, kw_only=True, hash=False)
    _clients: Clients[Any] = field(init=False, repr=False, compare=False, default_factory=Clients)

    # The variable of the environment that has the key, and the provider's name.
    _KEY: ClassVar[str]
    _PROVIDER: ClassVar[str]

    def __post_init__(self) -> None:
        check_url(self.base_url)
        checked_text("model", self.model)
        if self.api_key is not None:
            check_key("api_key", self.api_key)
        checked_int("retries", self.retries, least=0)
        checked_number("timeout", self.timeout, least=0)
        checked_flag("stream", self.stream)
        try:
            json.dumps(dict(self.options))
        except (TypeError, ValueError) as error:
            message = f" must be members of JSON: {error}"
            raise ConfigError(OptionName("options"), message) from error

    @property
    def fingerprint(self) -> str:
        """Identifies the server, the model and the further options."""
        options = json.dumps(dict(self.options), sort_keys=True) if self.options else ""
        return f"{self._PROVIDER}:{self.base_url.rstrip('/')}:{self.model}{options}"

    @classmethod
    def from_client(
        cls, client: Any, model: str, *, options: Mapping[str, Any] | None = None
    ) -> OfClient:
        """Return a model behind a client of the provider's library that the caller made.

        Parameters
        ----------
        client
            A client, plain or ``async``, for Azure as well, or an object with the same methods. It
            keeps its own key, headers, retries and timeouts. An ``async`` client runs on the event
            loop of the runner; do not use it on another one.
        model
            The server's name of the model.
        options
            Further members of each request.

        Raises
        ------
        ConfigError
            If `client` is not such a client, or an option makes no sense.
        """
        base_url = getattr(client, "base_url", None)
        if isinstance(client, type) or base_url is None:
            raise ConfigError(f"{repr(client)[:_SHOWN]} is no client: it has no base_url")
        return OfClient(client, cls(str(base_url), model, options=options or {}))

    async def _reply(
        self, messages: Sequence[Message], schema: Schema | None, limits: dict[str, Any]
    ) -> Reply:
        def read() -> Reply:
            with self._clients.one(self._connect) as client:
                return self.read(self.sent(client, repaired_messages(messages), schema, limits))

        return _with_json(await in_thread(read), schema)

    def _raise(self, error: Exception) -> NoReturn:
        raise_failed(error, Server(self.base_url, self.model, self._key))

    @abstractmethod
    def sent(
        self,
        client: Any,
        messages: Sequence[Message],
        schema: Schema | None,
        limits: dict[str, Any],
    ) -> Any:
        """Send a request; return the answer of the provider's library.

        Parameters
        ----------
        client
            The provider's.
        messages, schema
            The request.
        limits
            ``max_tokens`` and ``temperature``.
        """

    @abstractmethod
    def read(self, answer: Any) -> Reply:
        """Return the reply in an answer, without interpreting its text.

        Raises
        ------
        RefusalError
            If the answer is a refusal.
        """

    @abstractmethod
    def _connect(self) -> Any:
        """Return a new client of the provider's library."""

    @property
    def _key(self) -> str | None:
        return self.api_key or os.environ.get(self._KEY) or None

    def _checked_key(self) -> str:
        key = self._key or _NO_KEY
        try:
            check_key(self._KEY, key)
        except ConfigError as error:
            raise ModelAccessError(str(error)) from None
        return key

    def _client_options(self, refused: type[Exception]) -> dict[str, Any]:
        from chunkwright.http.bounded import BoundedClient

        return {
            "base_url": self.base_url,
            "api_key": self._checked_key(),
            "max_retries": self.retries,
            "timeout": self.timeout,
            "http_client": BoundedClient(self.timeout, _MAX_BYTES, refused),
        }


@dataclass(frozen=True)
class OfClient(Adapter):
    """A model behind a client of the provider's library that the caller made.

    Parameters
    ----------
    client
        The client, plain or ``async``: its connections, retries and limits of time are its own.
    adapter
        Makes requests and reads answers.
    """

    client: Any = field(repr=False)
    adapter: Served

    @property
    def fingerprint(self) -> str:
        """Names the server, the model and the further options."""
        return self.adapter.fingerprint

    async def _reply(
        self, messages: Sequence[Message], schema: Schema | None, limits: dict[str, Any]
    ) -> Reply:
        adapter, client, asked = self.adapter, self.client, repaired_messages(messages)
        answer = await in_thread(lambda: adapter.sent(client, asked, schema, limits))
        return _with_json(
            adapter.read(await answer if inspect.isawaitable(answer) else answer), schema
        )

    def _raise(self, error: Exception) -> NoReturn:
        key = getattr(self.client, "api_key", None)
        server = self.adapter.base_url, self.adapter.model
        raise_failed(error, Server(*server, key if isinstance(key, str) else None))


def repaired_messages(messages: Sequence[Message]) -> list[Message]:
    """Return messages that can be sent: half of a surrogate pair cannot."""
    return [replace(each, content=repaired(each.content)) for each in messages]


def raise_failed(error: Exception, server: Server) -> NoReturn:
    """Raise what a request to a server that failed is to its caller.

    Parameters
    ----------
    error
        What the provider's library raised.
    server
        Says what is wrong, without the key.

    Raises
    ------
    ModelError, MissingExtraError
        Always one of them.
    """
    if isinstance(error, MissingExtraError | ModelError):
        raise error
    if isinstance(error, _NO_REPLY):
        raise server.error(f"gave an answer of another form: {error}") from None
    kind = ModelAccessError if status_of(error) in NO_ACCESS else ModelError
    # The cause is left out where it shows the key.
    raise server.failed(error, "a request", kind) from server.cause(error)


def _with_json(reply: Reply, schema: Schema | None) -> Reply:
    read = reply_of(reply.text, schema)
    return replace(reply, text=read.text, parsed=read.parsed)


def n_tokens(usage: object, name: str) -> int:
    """Return a count of an answer's usage; 0 if it is none."""
    count = getattr(usage, name, None)
    return count if type(count) is int and count >= 0 else 0
