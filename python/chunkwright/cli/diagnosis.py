"""Diagnosis of the installation: versions, extras, tokenizers, settings, kept vectors."""

import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from chunkwright.cli.extras import Extra, extras
from chunkwright.cli.settings.file import read_config, used_config
from chunkwright.errors import ConfigError, MissingExtraError


@dataclass(frozen=True)
class Model:
    """A model with vectors in the cache: what tells it from others, how many, in how many bytes."""

    name: str
    entries: int
    bytes: int


@dataclass(frozen=True)
class Cache:
    """The folder of vectors that are kept."""

    folder: str | None
    models: list[Model]
    error: str | None = None


@dataclass(frozen=True)
class Diagnosis:
    """All of it."""

    chunkwright: str
    python: str
    platform: str
    processors: int
    tokenizers: list[str]
    extras: list[Extra]
    config: str | None
    config_error: str | None
    cache: Cache

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        of_extras = {
            extra.name: {
                "installed": extra.is_installed,
                "packages": extra.packages,
                "install": extra.install,
            }
            for extra in self.extras
        }
        return asdict(self) | {"extras": of_extras}


def diagnose(config: Path | None) -> Diagnosis:
    """Look at everything; what is missing or broken is said, not raised.

    Parameters
    ----------
    config
        The configuration file; None for the one in the current folder, if there is one.
    """
    from chunkwright import _core

    found = used_config(config)
    return Diagnosis(
        chunkwright=_core.__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=platform.platform(),
        processors=_core.available_workers(),
        tokenizers=_core.Tokenizer.names(),
        extras=extras(),
        config=None if found is None else str(found),
        config_error=None if found is None else _wrong(found),
        cache=look_at_cache(),
    )


def _wrong(config: Path) -> str | None:
    try:
        read_config(config)
    except ConfigError as error:
        return str(error)
    return None


def look_at_cache() -> Cache:
    """Return what vectors are kept, and where."""
    from chunkwright.embed import cache_folder, cached_models

    folder = None
    try:
        folder = str(cache_folder())
        models = [Model(m.model or str(m.path), m.entries, m.bytes) for m in cached_models()]
    except MissingExtraError as error:
        return Cache(folder, [], str(error))
    except OSError as error:
        return Cache(folder, [], f"{folder} cannot be read: {error.strerror or error}")
    return Cache(folder, models)
