"""Links between blocks that say nearly the same, over all documents of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.store.duplicates import candidates, contradiction, signatures, similarity
from chunkwright.store.notes import note, noted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chunkwright.store.database.protocol import Session

# What was compared, and how: texts that contradict each other are kept apart.
_THRESHOLD = "duplicates kept apart"
_BLOCKS = (
    "SELECT DISTINCT b.id, b.text, p.document, p.ordinal FROM placements p"
    " JOIN documents d ON d.id = p.document AND d.current_version = p.version"
    " JOIN blocks b ON b.id = p.block ORDER BY p.document, p.ordinal"
)


def link(session: Session, threshold: float) -> int:
    """Link blocks of current versions that are nearly the same; return how many links are new.

    Blocks that contradict each other, see :func:`~chunkwright.store.duplicates.contradiction`, are
    not linked. Blocks that were compared before are compared with new ones only.

    Parameters
    ----------
    session
        The transaction.
    threshold
        The least similarity; another one than before compares all anew.
    """
    _forget_others(session, threshold)
    known: dict[str, bytes] = dict(session.rows("SELECT block, data FROM signatures"))
    blocks = [(row[0], row[1]) for row in session.rows(_BLOCKS)]
    old = [each for each in blocks if each[0] in known]
    new = [each for each in blocks if each[0] not in known]
    own = signatures([text for _, text in new], keep_apart=True)
    pairs = candidates(
        [known[block] for block, _ in old] + own, threshold=threshold, first_new=len(old)
    )
    both = [*old, *new]
    links = [
        (both[first][0], both[second][0], score)
        for first, second in pairs
        if (score := similarity(both[first][1], both[second][1])) >= threshold
        and contradiction(both[first][1], both[second][1]) is None
    ]
    session.insert("duplicates", links)
    session.insert("signatures", [(block, data) for (block, _), data in zip(new, own, strict=True)])
    return len(links)


class Duplicates:
    """Blocks that say nearly the same as others, as a transaction sees them.

    Parameters
    ----------
    session
        The transaction.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.any: bool = session.row("SELECT 1 FROM duplicates LIMIT 1") is not None

    def of(self, block: str) -> list[str]:
        """Return the blocks that say nearly the same as one, those over other blocks too.

        Links hold together more than says the same: what contradicts the block is left out.
        """
        group = self._group(block)
        texts = self._texts(group)
        return [
            other
            for other in group
            if other != block and contradiction(texts[block], texts[other]) is None
        ]

    def shown(self, blocks: Sequence[str]) -> list[int]:
        """Return the numbers of blocks, best first, without those that a better one stands for.

        A block that contradicts another one of its group stands for itself.
        """
        found, seen = list[int](), list[frozenset[str]]()
        for number, block in enumerate(blocks):
            group = frozenset(self._group(block))
            if group in seen and not self._is_contradicted(block, group.intersection(blocks)):
                continue
            seen += [group] if len(group) > 1 else []
            found.append(number)
        return found

    def _is_contradicted(self, block: str, others: Iterable[str]) -> bool:
        texts = self._texts([block, *others])
        own = texts[block]
        return any(contradiction(own, text) is not None for text in texts.values())

    def _group(self, block: str) -> list[str]:
        """Return what links hold together with a block, itself first."""
        found, waiting = {block: None}, [block] if self.any else []
        sql = "SELECT other FROM duplicates WHERE block = ? UNION SELECT block FROM duplicates"
        while waiting:
            each = waiting.pop()
            for (other,) in self._session.rows(f"{sql} WHERE other = ? ORDER BY 1", (each, each)):
                if other not in found:
                    found[other] = None
                    waiting.append(other)
        return list(found)

    def _texts(self, blocks: Sequence[str]) -> dict[str, str]:
        """Return the texts of several blocks; one alone is compared with none."""
        found = dict.fromkeys(blocks, "")
        if len(found) > 1:
            found |= dict(self._session.among("SELECT id, text FROM blocks WHERE id IN", blocks))
        return found


def _forget_others(session: Session, threshold: float) -> None:
    """Remove links and signatures that were made for another threshold."""
    before = noted(session, _THRESHOLD)
    if before is not None and float(before) == threshold:
        return
    for table in ("duplicates", "signatures"):
        session.run(f"DELETE FROM {table}")  # noqa: S608 - a name of its own
    note(session, _THRESHOLD, repr(threshold))
