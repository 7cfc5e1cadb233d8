"""Guard of the MCP server over HTTP: no page of another origin, and no stream that never ends."""

from __future__ import annotations

from urllib.parse import urlsplit

from chunkwright.server.guard.requests import App, Receive, Scope, Send, header, refuse
from chunkwright.server.problems import Problem
from chunkwright.server.settings import Settings

_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


class Origins:
    """Answers 403 to a page of another origin in a browser, and 405 to all but POST.

    Each call of a tool is one request with one answer; a stream that only waits is not offered.

    Parameters
    ----------
    app
        What stands behind the guard.
    settings
        The hosts and origins that are allowed beside this machine.
    """

    def __init__(self, app: App, settings: Settings) -> None:
        self._app = app
        self._hosts = _LOCAL | {host.lower().partition(":")[0] for host in settings.hosts}
        self._origins = frozenset(settings.cors_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have it answered."""
        problem = self._problem(scope) if scope["type"] == "http" else None
        if problem is None:
            await self._app(scope, receive, send)
        else:
            await refuse(scope, receive, send, problem)

    def _problem(self, scope: Scope) -> Problem | None:
        origin = header(scope, b"origin")
        if origin is not None and not self._is_allowed(origin):
            message = "pages of this origin may not ask; the server is started with --allow-origin"
            return Problem(403, "wrong_origin", message)
        if scope["method"] not in {"POST", "OPTIONS"}:
            headers = {"Allow": "POST"}
            return Problem(405, "method_not_allowed", "only POST is answered", headers=headers)
        return None

    def _is_allowed(self, origin: str) -> bool:
        try:
            host = urlsplit(origin).hostname
        except ValueError:
            return False
        return origin in self._origins or host in self._hosts
