"""Short way to a route that is asked often: a body that is right passes FastAPI's own work by."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match

from chunkwright.server.guard.requests import (
    Message,
    Receive,
    Scope,
    Send,
    header,
    path_in,
    replaying,
)

if TYPE_CHECKING:
    from starlette.routing import Router

_Asked = TypeVar("_Asked", bound=BaseModel)
_JSON = frozenset({"application/json", "application/json; charset=utf-8"})
_LONG = "chunkwright.long_way"


class QuickRoute(BaseRoute, Generic[_Asked]):
    """A route for requests of one path whose body is right; FastAPI answers all others there.

    FastAPI looks for a route, and for what a function depends on, in several times the time in
    which a text of some pages is cut. What is wrong with a request is still said by it alone.

    Parameters
    ----------
    router
        The router that has the route itself, described for OpenAPI.
    path
        Its path.
    shape
        What a body is.
    answer
        Answers a request of that shape.
    """

    def __init__(
        self,
        router: Router,
        path: str,
        shape: type[_Asked],
        answer: Callable[[_Asked, Request], Awaitable[Response]],
    ) -> None:
        self.path = path
        self._router = router
        self._shape = shape
        self._answer = answer

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether a request may go this way."""
        is_asked = (
            scope["type"] == "http"
            and scope["method"] == "POST"
            and _LONG not in scope
            and path_in(scope) == self.path
            and (header(scope, b"content-type") or "").lower() in _JSON
        )
        if not is_asked:
            return Match.NONE, {}
        return Match.FULL, {"endpoint": self._answer, "path_params": {}, "route": self}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have it answered."""
        first = await receive()
        asked = self._asked(first)
        if asked is None:
            await self._router({**scope, _LONG: True}, replaying(first, receive), send)
            return
        answer = await self._answer(asked, Request(scope, receive, send))
        await answer(scope, receive, send)

    def _asked(self, first: Message) -> _Asked | None:
        # The guard of bodies hands on a body in one piece.
        if first["type"] != "http.request" or first.get("more_body", False):
            return None
        try:
            return self._shape.model_validate_json(first["body"])
        except ValidationError:
            # Also what only Python's JSON takes, such as half of a surrogate pair.
            return None
