"""Search of a store."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from chunkwright.checks import (
    checked_flag,
    checked_name,
    checked_number,
    checked_text,
)
from chunkwright.errors import ConfigError
from chunkwright.retrieval.expansion import Scope
from chunkwright.retrieval.options import Options
from chunkwright.retrieval.retriever import Retriever
from chunkwright.store.duplicates import THRESHOLD
from chunkwright.store.interface.base import StoreBase
from chunkwright.store.searching.calibration import (
    Calibration,
    calibration_of,
    checked_questions,
    scores_of,
    thresholds_of,
    write_thresholds,
)
from chunkwright.store.searching.candidates import Thresholds
from chunkwright.store.searching.expansion import Expansion
from chunkwright.store.searching.filters import Filter
from chunkwright.store.searching.linking import link
from chunkwright.store.searching.search import Request, StoreSearch
from chunkwright.store.settings import FLOOR, GATE, MAX_TOKENS, N_LOOKED_AT, K
from chunkwright.store.versions import TOKENIZER
from chunkwright.tokens.tokenizer import as_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from chunkwright.store.searching.found import Results

    Questions: TypeAlias = (
        Mapping[str, str | Sequence[str]] | Iterable[tuple[str, str | Sequence[str]]]
    )

# Hits of a search that says nothing else.
_USUAL = 5


class Search(StoreBase):
    """Methods that find blocks."""

    def search(  # noqa: PLR0913 - options by name
        self,
        question: str,
        k: int | None = None,
        *,
        max_tokens: int | None = None,
        where: Filter | Mapping[str, Any] | None = None,
        floor: float | None = None,
        gate: float | None = None,
        expand: Scope | None = None,
        retriever: Options | None = None,
        field_weights: Mapping[str, float] | None = None,
        skip_duplicates: bool = True,
        compose: bool = False,
    ) -> Results:
        """Find the blocks that answer a question, and page headers and footers with its words.

        Parameters
        ----------
        question
            The question.
        k
            The largest number of blocks; 5 by default, or as many as fit with ``max_tokens``.
        max_tokens
            A budget of tokens for all hits together, with everything that is added to them. Hits
            are taken while they fit, and of the first that does not fit its best sentences. With
            ``expand``, the rest of the budget is filled with the text around the hits. If a block
            fits, but not what ``gate`` or ``compose`` would add, it is a hit without the addition.
        where
            Which blocks are searched: a :class:`Filter`, or its options by name.
        floor
            The threshold below which a block is no hit; None: that of :meth:`calibrate`, if any.
        gate
            The threshold from which a block is a hit by itself. Between floor and gate the shadows
            of the block are searched, and a neighbour that answers the question becomes part of the
            hit, unless it is shown already.
            None: that of :meth:`calibrate`, if any; else no shadow is searched.
        expand
            How far hits are widened: to their ``"neighbours"``, ``"section"``, ``"element"`` or
            ``"page"``. Each text appears once, with the better hit.
        retriever
            How blocks are scored; by default :class:`chunkwright.Retriever` with the store's
            embedder.
        field_weights
            The weights of fields of source files, an option of :class:`chunkwright.Retriever`.
            Other weights need no new index. None: those of the retriever.
        skip_duplicates
            Whether only the best of several near-duplicates is a hit; see :meth:`link_duplicates`.
        compose
            Whether a figure and the table beside it on a page are one hit.

        Returns
        -------
        Results
            A list of :class:`Found`, best first.

        Raises
        ------
        ConfigError
            If an option makes no sense.
        StoreError
            If blocks have no vectors of the embedder: :meth:`embed` makes them.
        ModelError
            If the embedder or the reranker fails.
        """
        options = self._retriever(retriever)
        if field_weights is not None:
            options = replace(options, field_weights=field_weights)
        is_counted = max_tokens is None or expand is not None
        request = Request(
            k=_USUAL if k is None and is_counted else K.checked(k),
            max_tokens=MAX_TOKENS.checked(max_tokens),
            where=Filter.of(where),
            thresholds=self._thresholds(options, floor, gate),
            expansion=self._expansion(expand),
            skips_duplicates=checked_flag("skip_duplicates", skip_duplicates),
            composes=checked_flag("compose", compose),
        )
        asked = checked_text("question", question)
        return StoreSearch(self._database, self._indexes, options).found(asked, request)

    def link_duplicates(self, threshold: float = THRESHOLD) -> int:
        """Link near-duplicate blocks of all documents, so that searches show each group once.

        Blocks that contradict each other are not linked, however alike they are; see
        ``chunkwright.store.duplicates.contradiction``. Blocks that were compared before are
        compared with new ones only.

        Parameters
        ----------
        threshold
            The lowest share of three-word sequences that two texts must have in common.

        Returns
        -------
        int
            The number of new links.

        Raises
        ------
        ConfigError
            If the threshold is not above 0 and at most 1.
        """
        least = checked_number("threshold", threshold, least=0, most=1)
        with self._database.writing() as session:
            return link(session, least)

    def calibrate(
        self,
        questions: Questions,
        *,
        k: int = N_LOOKED_AT.default,
        retriever: Options | None = None,
    ) -> Calibration:
        """Choose the thresholds floor and gate from questions with known answers, and keep them.

        Thresholds depend on the model, so they hold only for searches with this retriever.

        Parameters
        ----------
        questions
            Pairs of a question and the words that answer it, or a list of such words; or a mapping.
        k
            The number of hits to look at for each question.
        retriever
            As for :meth:`search`.

        Returns
        -------
        Calibration
            The floor, above which 98 of 100 answering hits score, and the gate, above which 75 do.

        Raises
        ------
        ConfigError
            If there are no questions, or no hit answers any of them.
        """
        options, n_hits = self._retriever(retriever), N_LOOKED_AT.checked(k)
        labelled = checked_questions(questions)
        search = StoreSearch(self._database, self._indexes, options)
        scores = [
            score
            for question, answers in labelled
            for score in scores_of(
                search.found(question, Request(k=n_hits, has_lines=False)), answers
            )
        ]
        found = calibration_of(scores, len(labelled))
        if found is None:
            message = f"no hit of {len(labelled)} questions has the words of their answers"
            raise ConfigError(message, option="questions")
        with self._database.writing() as session:
            write_thresholds(session, options, found)
        return found

    @property
    def retriever(self) -> Retriever:
        """The default retriever of searches, with the store's embedder."""
        return Retriever(embedder=self._embedder)

    def _retriever(self, retriever: Options | None) -> Options:
        """Return a retriever, by default the store's."""
        if retriever is None:
            return self.retriever
        if not isinstance(retriever, Options):
            kind = type(retriever).__name__
            message = f"retriever must be a Retriever, got {kind}"
            raise ConfigError(message, option="retriever")
        return retriever

    def _thresholds(self, options: Options, floor: float | None, gate: float | None) -> Thresholds:
        floor, gate = FLOOR.checked(floor), GATE.checked(gate)
        known = Thresholds()
        if floor is None or gate is None:
            with self._database.reading() as session:
                known = thresholds_of(session, options)
        return Thresholds(
            known.floor if floor is None else floor,
            known.gate if gate is None else gate,
        )

    @staticmethod
    def _expansion(to: Scope | None) -> Expansion | None:
        if to is None:
            return None
        checked_name("expand", to, get_args(Scope))
        return Expansion(to, as_tokenizer(TOKENIZER))
