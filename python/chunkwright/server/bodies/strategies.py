"""Strategies of requests: made before any work, with the models that a service has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.chunking.registry import make_strategy, options_of
from chunkwright.errors import ConfigError
from chunkwright.server.problems import Problem, problem_of
from chunkwright.server.schemas.requests import WITHOUT, offered

if TYPE_CHECKING:
    from chunkwright.chunking.registry import AnyStrategy
    from chunkwright.server.schemas.requests import Chunking
    from chunkwright.server.service import Service


def strategy_of(chunking: Chunking, service: Service, *, at: str = "chunking") -> AnyStrategy:
    """Return the strategy that a request describes.

    Parameters
    ----------
    chunking
        Its name and its options.
    service
        The service, which has models by their names.
    at
        Where the request has it.

    Raises
    ------
    Problem
        If the strategy or an option is unknown or has no such value: names the field, and the
        nearest right name.
    """
    if chunking.strategy in WITHOUT:
        names = ", ".join(map(repr, offered()))
        message = f"strategy {chunking.strategy!r} asks a language model, and is none of {names}"
        raise Problem(422, "invalid_value", message, field=f"{at}.strategy")
    options = {**chunking.options}
    where = f"{at}.options"
    try:
        known = options_of(chunking.strategy)
        # What names a model is looked up before the strategy would take it for a path.
        for option in options.keys() & {"tokenizer", "embedder"} & {*known}:
            options[option] = _model(service, option, options[option], f"{where}.{option}")
        return make_strategy(chunking.strategy, options)
    except ConfigError as error:
        raise problem_of(error, at=at if error.option == "strategy" else where) from error


def _model(service: Service, option: str, name: Any, field: str) -> Any:
    if option == "embedder":
        return None if name is None else service.models.embedder(name, field=field)
    return service.models.tokenizer(name, field=field)
