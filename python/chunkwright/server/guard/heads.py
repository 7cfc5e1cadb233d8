"""Guard of requests for a head alone: HEAD is answered wherever GET is, without the body."""

from __future__ import annotations

from chunkwright.server.guard.requests import App, Message, Receive, Scope, Send


class Heads:
    """Answers HEAD as GET, and leaves out the body.

    Proxies and clients look by HEAD whether a service is there; the framework knows it only where
    a route names it.

    Parameters
    ----------
    app
        What stands behind the guard.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self._app({**scope, "method": "GET"}, receive, without_body)
