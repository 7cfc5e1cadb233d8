"""Requests as the guards see them: headers, owners and keys, and how they are refused."""

from __future__ import annotations

import asyncio
import hmac
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import parse_qs

from chunkwright.server.problems import Problem
from chunkwright.server.settings import Settings

if TYPE_CHECKING:
    from chunkwright.server.dialect import Dialect


Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

_ENDED = "body_ended"
# A server that can answer what opens a websocket in HTTP.
_DENIAL = "websocket.http.response"

LINGER_SECONDS = 2.0
"""Seconds in which what a refused client still sends is thrown away."""

STALL_SECONDS = 30.0
"""Seconds in which a client has to take a part of its answer."""

BATCH = "/v1/chunk:batch"
STREAMS = frozenset({BATCH})
"""Paths whose bodies are read while they are answered."""

READY = frozenset({"/ready", "/readyz"})
"""Paths that say whether requests are to be sent here, also while the service ends."""


def owner_of(scope: Scope) -> str:
    """Return whose request it is: a hash of the key; empty where there are no keys."""
    owner: str = scope.get("state", {}).get("owner", "")
    return owner


def path_in(scope: Scope) -> str:
    """Return the path of a request below where the application is mounted."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")) or "/"


def dialect_in(scope: Scope) -> Dialect:
    """Return the dialect that the outermost guard has found a request to speak."""
    found: Dialect = scope["state"]["dialect"]
    return found


def is_socket(scope: Scope) -> bool:
    """Return whether a request opens a websocket."""
    return bool(scope["type"] == "websocket")


def header(scope: Scope, name: bytes) -> str | None:
    """Return the value of a header; None if it is not there.

    Several lines of one name are a list, as proxies may join them: what one reader takes for the
    first value, and another for the last, would be two requests.
    """
    values = [value for key, value in scope["headers"] if key == name]
    return str(b", ".join(values), "latin-1") if values else None


async def refuse(scope: Scope, receive: Receive, send: Send, problem: Problem) -> None:
    """Answer a problem, as the dialect of the path says it, and close the connection.

    What the client still sends is thrown away for a while: a connection that is closed on a client
    that sends would take the answer along.
    """
    answer = dialect_in(scope).answer(problem)
    answer.headers["Connection"] = "close"
    if is_socket(scope):
        if _DENIAL in scope.get("extensions", {}):
            await answer(scope, receive, send)
        else:
            await send({"type": "websocket.close"})
        return
    last: list[Message] = []

    async def send_but_last(message: Message) -> None:
        is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
        await send({**message, "more_body": True} if is_last else message)
        if is_last:
            last.append({"type": "http.response.body", "body": b""})

    await answer(scope, receive, send_but_last)
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            await _throw_away(scope, receive)
    for message in last:
        await send(message)


async def _throw_away(scope: Scope, receive: Receive) -> None:
    # A client that sent "Expect: 100-continue" has been told not to send its body.
    is_over = header(scope, b"expect") is not None
    while not (is_over or scope.get("state", {}).get(_ENDED)):
        is_over = (await receive())["type"] != "http.request"


def noting_end(scope: Scope, receive: Receive) -> Receive:
    """Return what gives a request's messages, and notes in its scope when its body has ended."""
    state = scope.setdefault("state", {})

    async def noted() -> Message:
        message = await receive()
        if not message.get("more_body", False):
            state[_ENDED] = True
        return message

    return noted


def replaying(message: Message, receive: Receive) -> Receive:
    """Return what gives a message first, and then what comes behind it."""
    first: Message | None = message

    async def given() -> Message:
        nonlocal first
        if first is None:
            return await receive()
        # What has been given takes no memory here.
        message, first = first, None
        return message

    return given


_NO_KEY = {"WWW-Authenticate": "Bearer"}
WRONG_KEY = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
"""Headers of the answer to a wrong key, by which RFC 6750 tells it from none."""
_MOST_PARAMETERS = 20
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names by which this machine calls itself."""
# RFC 6761, RFC 6762 and ICANN's reservation of 2024.
_INNER_DOMAINS = frozenset({"internal", "local", "localhost"})


class Gate(ABC):
    """A guard that lets a request pass, or refuses it.

    Parameters
    ----------
    app
        What stands behind the guard.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have it answered."""
        problem = None if scope["type"] == "lifespan" else self._problem(scope)
        if problem is None:
            await self._app(scope, receive, send)
        else:
            await refuse(scope, receive, send, problem)

    @abstractmethod
    def _problem(self, scope: Scope) -> Problem | None:
        """Return why a request is refused; None: it is not."""


class Keys(Gate):
    """Answers 401 without a key, and 421 to a name that a page in a browser has made up.

    A service without keys answers this machine, or a private network. A page of a stranger in a
    browser there could ask it too, by a name of its own that leads to the service; so only names
    that a stranger cannot have will do.

    Parameters
    ----------
    app
        What stands behind the guard.
    settings
        The keys and the names.
    """

    def __init__(self, app: App, settings: Settings) -> None:
        super().__init__(app)
        self._keys = [key.encode() for key in settings.keys]
        self._hosts = LOCAL_HOSTS | {host.lower() for host in settings.hosts}
        self._serves_network = settings.no_key
        self._origins = settings.cors_origins

    def _problem(self, scope: Scope) -> Problem | None:
        if is_socket(scope) and not self._is_own_page(scope):
            message = "pages of this origin open no websocket; the service takes --allow-origin"
            return Problem(403, "wrong_origin", message)
        return self._problem_of_key(scope) if self._keys else self._problem_of_host(scope)

    def _is_own_page(self, scope: Scope) -> bool:
        """Return whether no page of another site asks: browsers let those open websockets."""
        origin = header(scope, b"origin")
        if origin is None or "*" in self._origins or origin in self._origins:
            return True
        return origin.partition("://")[2].lower() == (header(scope, b"host") or "").lower()

    def _problem_of_key(self, scope: Scope) -> Problem | None:
        dialect = dialect_in(scope)
        if path_in(scope) in dialect.open_paths:
            return None
        given = _given_key(scope, dialect)
        # All keys are compared, so that the time tells nothing about which one is close.
        matches = [hmac.compare_digest(given.encode("latin-1"), key) for key in self._keys]
        if any(matches):
            scope.setdefault("state", {})["owner"] = sha256(given.encode("latin-1")).hexdigest()
            return None
        what = "the key is not one of the service's" if given else "the request brings no key"
        return Problem(401, "unauthorized", what, headers=WRONG_KEY if given else _NO_KEY)

    def _problem_of_host(self, scope: Scope) -> Problem | None:
        host = (header(scope, b"host") or "localhost").lower()
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if name in self._hosts or host in self._hosts:
            return None
        if self._serves_network and is_inner(name):
            return None
        message = "the service does not go by that name (Host); it is started with --allow-host"
        return Problem(421, "wrong_host", message)


def is_inner(name: str) -> bool:
    """Return whether a name is one that nobody can have in the public DNS: a browser's page cannot.

    Those are addresses, names without a dot, and names below domains that are for private use.

    Examples
    --------
    >>> is_inner("10.0.0.7"), is_inner("chunkwright"), is_inner("cut.ml.svc.cluster.local")
    (True, True, True)
    >>> is_inner("cut.example.org")
    False
    """
    labels = name.rstrip(".").split(".")
    if len(labels) == 1 or labels[-1] in _INNER_DOMAINS or labels[-2:] == ["home", "arpa"]:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _given_key(scope: Scope, dialect: Dialect) -> str:
    for name in dialect.key_headers:
        if (value := header(scope, name.encode())) is not None:
            return value
    scheme, _, token = (header(scope, b"authorization") or "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    if is_socket(scope) and dialect.key_parameter is not None:
        return _parameter(scope, dialect.key_parameter)
    return ""


def _parameter(scope: Scope, name: str) -> str:
    """Return a parameter of the query; empty if it is not there, or there are too many."""
    query: str = scope["query_string"].decode("latin-1")
    with suppress(ValueError):
        found = parse_qs(query, encoding="latin-1", max_num_fields=_MOST_PARAMETERS)
        return found.get(name, [""])[-1]
    return ""
