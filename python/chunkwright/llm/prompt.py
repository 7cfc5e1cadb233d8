"""Prompts as versioned files: templates of messages, and their fingerprints."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TypeAlias, cast

from chunkwright.errors import ConfigError, ReadError
from chunkwright.llm.protocol import Message, Role

_FOLDER = "prompts"
_HEADING = re.compile(r"^# (system|user)( \(prefix\))?[ \t]*$", re.MULTILINE)
_HEX_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Prompt:
    """Messages to a model, with places for texts.

    A prompt is a Markdown file. Each message has a heading, ``# system`` or ``# user``;
    ``(prefix)`` after it means that the part that many requests share ends with this message, so
    that a provider can cache it. ``$name`` is a placeholder, ``$$`` a dollar. Text before the first
    heading is for readers of the file.

    Parameters
    ----------
    name
        The name of the file, with its version, without ``.md``.
    templates
        The messages, as they stand in the file.
    fingerprint
        The name, and the beginning of the SHA-256 of the messages.
    """

    name: str
    templates: tuple[Message, ...]
    fingerprint: str

    @staticmethod
    def named(name: str) -> Prompt:
        """Return a prompt of the package by its name, such as ``"boundaries-1"``.

        Raises
        ------
        ConfigError
            If there is no such prompt; the message lists those that exist.

        Examples
        --------
        >>> from chunkwright.llm import Prompt
        >>> Prompt.named("boundaries-1").placeholders == {"pieces", "first", "last"}
        True
        """
        return _named(name)

    @staticmethod
    def read(path: str | os.PathLike[str]) -> Prompt:
        """Return the prompt in a file of your own.

        Raises
        ------
        ReadError
            If it cannot be read.
        ConfigError
            If it has no message, or a ``$`` that is not a placeholder.
        """
        try:
            text = Path(path).read_text("utf-8")
        except (OSError, ValueError) as error:
            raise ReadError(f"the prompt {os.fspath(path)} cannot be read: {error}") from error
        return _parsed(Path(path).stem, text)

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of the placeholders."""
        return frozenset(
            name for each in self.templates for name in Template(each.content).get_identifiers()
        )

    def check_placeholders(self, known: Collection[str], needed: Collection[str]) -> None:
        """Check that a prompt has the required placeholders, and no others.

        Raises
        ------
        ConfigError
            If a placeholder is missing or unknown.
        """
        for name in sorted(self.placeholders - set(known)):
            places = ", ".join(f"${each}" for each in sorted(known))
            raise ConfigError(f"the prompt {self.name} has ${name}; there are {places}")
        for name in sorted(set(needed) - self.placeholders):
            raise ConfigError(f"the prompt {self.name} has no place for ${name}")

    def messages(self, **texts: object) -> tuple[Message, ...]:
        """Return the messages with texts for placeholders; a text is never read as a template."""
        return tuple(
            Message(each.role, Template(each.content).substitute(texts), each.ends_prefix)
            for each in self.templates
        )


PromptLike: TypeAlias = "Prompt | str | os.PathLike[str]"


def as_prompt(like: PromptLike | None, usual: str) -> Prompt:
    """Return a prompt, the one in a file, or the usual one.

    Parameters
    ----------
    like
        A prompt, or the path of its file; None: the package's.
    usual
        The name of that.

    Raises
    ------
    ReadError
        If the file cannot be read.
    ConfigError
        If it is none of these, or the file holds no prompt.
    """
    if like is None:
        return Prompt.named(usual)
    if isinstance(like, Prompt):
        return like
    if not isinstance(like, str | os.PathLike):
        raise ConfigError(
            f"prompt must be a Prompt or the path of its file, got {like!r}", option="prompt"
        )
    return Prompt.read(like)


@cache
def _named(name: str) -> Prompt:
    folder = files("chunkwright.llm") / _FOLDER
    known = sorted(file.name.removesuffix(".md") for file in folder.iterdir())
    if name not in known:
        raise ConfigError(f"there is no prompt {name!r}; there are {', '.join(known)}")
    return _parsed(name, (folder / f"{name}.md").read_text("utf-8"))


def _parsed(name: str, text: str) -> Prompt:
    _, *parts = _HEADING.split(text)
    templates = tuple(
        Message(cast("Role", role), content.strip(), bool(prefix))
        for role, prefix, content in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    )
    if not templates:
        raise ConfigError(f"the prompt {name} has no message under # system or # user")
    for each in templates:
        if not Template(each.content).is_valid():
            raise ConfigError(f"the prompt {name} has a $ before no name; write $$ for a dollar")
    said = "\0".join(f"{each.role}\0{each.ends_prefix}\0{each.content}" for each in templates)
    digest = sha256(said.encode()).hexdigest()[:_HEX_DIGITS]
    return Prompt(name, templates, f"{name}:{digest}")
