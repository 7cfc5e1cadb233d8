"""Guard of keys: who may ask, and by which name a service may be called."""

from __future__ import annotations

import hmac
from hashlib import sha256

from chunkwright.server.guard.requests import (
    App,
    Receive,
    Scope,
    Send,
    dialect_in,
    header,
    path_in,
    refuse,
)
from chunkwright.server.problems import Problem
from chunkwright.server.settings import Settings

_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})


class Keys:
    """Answers 401 without a key, and 421 to a name that a page in a browser has made up.

    A service without keys answers this machine alone. A page of a stranger in a browser on this
    machine could ask it too, by a name of its own that leads to 127.0.0.1; so only names of this
    machine will do there.

    Parameters
    ----------
    app
        What stands behind the guard.
    settings
        The keys and the names.
    """

    def __init__(self, app: App, settings: Settings) -> None:
        self._app = app
        self._keys = [key.encode() for key in settings.keys]
        self._hosts = _LOCAL_HOSTS | {host.lower() for host in settings.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have it answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        problem = self._problem_of_key(scope) if self._keys else self._problem_of_host(scope)
        if problem is None:
            await self._app(scope, receive, send)
        else:
            await refuse(scope, receive, send, problem)

    def _problem_of_key(self, scope: Scope) -> Problem | None:
        dialect = dialect_in(scope)
        if path_in(scope) in dialect.open_paths:
            return None
        given = _given_key(scope, dialect.key_headers)
        # Each is compared, so that the time says nothing of which one is near.
        matches = [hmac.compare_digest(given.encode("latin-1"), key) for key in self._keys]
        if any(matches):
            scope.setdefault("state", {})["owner"] = sha256(given.encode("latin-1")).hexdigest()
            return None
        what = "the key is not one of the service's" if given else "the request brings no key"
        headers = {"WWW-Authenticate": "Bearer"}
        return Problem(401, "unauthorized", what, headers=headers)

    def _problem_of_host(self, scope: Scope) -> Problem | None:
        host = (header(scope, b"host") or "localhost").lower()
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if name in self._hosts or host in self._hosts:
            return None
        message = "the service does not go by that name (Host); it is started with --allow-host"
        return Problem(421, "wrong_host", message)


def _given_key(scope: Scope, names: tuple[str, ...]) -> str:
    for name in names:
        if (value := header(scope, name.encode())) is not None:
            return value
    scheme, _, token = (header(scope, b"authorization") or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
