"""Lookup of passages in all corpora, for questions that name none or the wrong one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import PurePath

from chunkwright.evaluation.locating import Searched


class Lookup:
    """Corpora by name, in which passages are looked for.

    Parameters
    ----------
    corpora
        The texts, by name.
    """

    def __init__(self, corpora: Mapping[str, str]) -> None:
        self.searched: dict[str, Searched] = {
            name: Searched(text) for name, text in corpora.items()
        }

    def named(self, corpus: str) -> str:
        """Return the name of the corpus that is meant: that itself, or the name of its file."""
        path = PurePath(corpus)
        names = (corpus, path.with_suffix("").as_posix() if path.name else corpus, path.stem)
        return next((name for name in names if name in self.searched), corpus)

    def holding(self, passages: Iterable[str]) -> list[str]:
        """Return the names of the corpora that hold the most of some passages; [] if none has one.

        They stand there as they are, else but for case and whitespace, else as a similar sentence.

        Raises
        ------
        MissingExtraError
            If sentences have to be compared, and the library rapidfuzz is not installed.
        """
        sought = [passage for passage in passages if passage.strip()]
        for is_in in (self._is_exact, self._is_spaced, self._is_similar):
            if found := self._most(sought, is_in):
                return found
        return []

    def elsewhere(self, passage: str, corpus: str) -> str | None:
        """Return the first other corpus in which a passage stands, but for case and whitespace."""
        others = [name for name in self.searched if name != corpus]
        ways = (self._is_exact, self._is_spaced)
        return next((name for is_in in ways for name in others if is_in(passage, name)), None)

    def _most(self, passages: list[str], is_in: Callable[[str, str], bool]) -> list[str]:
        counts = {name: sum(is_in(each, name) for each in passages) for name in self.searched}
        most = max(counts.values(), default=0)
        return [name for name, count in counts.items() if count == most] if most else []

    def _is_exact(self, passage: str, corpus: str) -> bool:
        return passage in self.searched[corpus].document

    def _is_spaced(self, passage: str, corpus: str) -> bool:
        # A search by whitespace costs memory: it is made where it may find something.
        return (
            _without_spaces(passage) in self._bare[corpus]
            and self.searched[corpus].spaced(passage) is not None
        )

    def _is_similar(self, passage: str, corpus: str) -> bool:
        return self.searched[corpus].sentence(passage) is not None

    @cached_property
    def _bare(self) -> dict[str, str]:
        return {name: _without_spaces(each.document) for name, each in self.searched.items()}


def _without_spaces(text: str) -> str:
    return "".join(text.lower().split())
