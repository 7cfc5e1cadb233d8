"""Chroma's evaluation: how much of what answers a question its retrieved chunks hold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from chunkwright.embed import EmbedderLike
from chunkwright.errors import ConfigError, nearest
from chunkwright.messages.terminal_text import short_repr

from .embedding import RateLimiter, embedder_or_openai
from .questions import Row, read_frame, read_rows, rows_of
from .scores import Metadata, hit_scores, omega_scores
from .search import nearest_chunks, rigorous_document_search

if TYPE_CHECKING:
    import pandas as pd

MOST_BY_MINIMUM = 20  # chunks that count for a question, whatever holds its references
DATA_VARIABLE = "CHUNKWRIGHT_CHROMA_DATA"
PEER = "chunking_evaluation"
PEER_DATA = Path("evaluation_framework", "general_evaluation_data")
QUESTIONS, CORPORA = "questions_df.csv", "corpora"
STATS = ("iou", "recall", "precision_omega", "precision")


class Splitter(Protocol):
    """A chunker of a corpus."""

    def split_text(self, text: str, /) -> list[str]:
        """Split a text into chunks."""


class Results(dict[str, Any]):
    """The means and deviations of a run, and the scores of each question by corpus.

    A dictionary as the peer's. Its next version gives two in its place, ``"scores"`` and
    ``"stats"``: these can be asked for as well, though they are no keys.
    """

    def __init__(self, flat: dict[str, Any], nested: dict[str, Any]) -> None:
        super().__init__(flat)
        self._nested = nested

    def __missing__(self, key: str) -> Any:
        return self._nested[key]


def _texts(chunks: object, corpus_id: Any) -> list[str]:
    """Return what a splitter gave as a list; it may be any iterable but a text."""
    listed = list(chunks) if isinstance(chunks, Iterable) and not isinstance(chunks, str) else None
    if listed is None or not all(isinstance(chunk, str) for chunk in listed):
        got = f"{short_repr(chunks if listed is None else listed)} for the corpus {corpus_id!r}"
        raise ConfigError(f"split_text must give a list of texts, got {got}")
    return listed


class BaseEvaluation:
    """Evaluates chunkers on questions whose answers are known places of corpora.

    Each corpus is cut, and each chunk searched for in it; a question's chunks are those with the
    nearest vectors, by an exact search. Scores are counted in characters.

    Parameters
    ----------
    questions_csv_path
        A file with columns ``question``, ``references`` (JSON: a list of objects with ``content``,
        ``start_index`` and ``end_index``) and ``corpus_id``. If it does not exist there are no
        questions.
    chroma_db_path
        Without effect: no database is needed.
    corpora_id_paths
        For each corpus its file; None: a corpus's id is its path.

    Attributes
    ----------
    corpus_list
        The ids of all corpora that are asked about.

    Raises
    ------
    ReadError
        If the file has another form.
    """

    def __init__(
        self,
        questions_csv_path: str,
        chroma_db_path: str | None = None,
        corpora_id_paths: Mapping[str, str] | None = None,
    ) -> None:
        del chroma_db_path
        self.questions_csv_path = questions_csv_path
        self.corpora_id_paths = corpora_id_paths
        self.is_general = False
        self.corpus_list: list[Any] = []
        self._rows: list[Row] = []
        self._frame: pd.DataFrame | None = None
        self._load_questions_df()

    def _load_questions_df(self) -> None:
        self._rows, self._frame = read_rows(self.questions_csv_path), None
        self.corpus_list = list(dict.fromkeys(row.corpus_id for row in self._rows))

    @property
    def questions_df(self) -> pd.DataFrame:
        """The questions as a frame of pandas, which is imported when this is asked for.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        if self._frame is None:
            self._frame = read_frame(self.questions_csv_path)
        return self._frame

    @questions_df.setter
    def questions_df(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def _questions(self) -> list[Row]:
        """Return the questions: those of the frame, once somebody has got or set it."""
        return self._rows if self._frame is None else rows_of(self._frame)

    def _get_chunks_and_metadata(self, splitter: Splitter) -> tuple[list[str], list[Metadata]]:
        """Cut all corpora, and say where each chunk stands."""
        documents: list[str] = []
        metadatas: list[Metadata] = []
        for corpus_id in self.corpus_list:
            corpus = self._corpus(corpus_id)
            chunks = _texts(splitter.split_text(corpus), corpus_id)
            documents += chunks
            metadatas += (_metadata(corpus, chunk, corpus_id) for chunk in chunks)
        return documents, metadatas

    def _corpus(self, corpus_id: Any) -> str:
        paths = self.corpora_id_paths
        if paths is not None and corpus_id not in paths:
            hint = nearest(corpus_id, list(paths))
            raise ConfigError(f"corpora_id_paths has no corpus {corpus_id!r}: {hint}")
        return Path(corpus_id if paths is None else paths[corpus_id]).read_text(encoding="utf-8")

    def _full_precision_score(
        self, chunk_metadatas: Sequence[Metadata]
    ) -> tuple[list[float], list[int]]:
        """Return for each question precision omega, and how many chunks hold a reference."""
        return omega_scores(self._questions(), chunk_metadatas)

    def _scores_from_dataset_and_retrievals(
        self,
        question_metadatas: Sequence[Sequence[Metadata]],
        highlighted_chunks_count: Sequence[int],
    ) -> tuple[list[float], list[float], list[float]]:
        """Return for each question IoU, recall and precision of so many of its chunks."""
        both = zip(question_metadatas, highlighted_chunks_count, strict=True)
        iou, recall, precision = hit_scores(self._questions(), [metas[:n] for metas, n in both])
        return iou, recall, precision

    def _compute_corpora_scores(
        self,
        omega_scores: Sequence[float],
        iou_scores: Sequence[float],
        recall_scores: Sequence[float],
        precision_scores: Sequence[float],
    ) -> dict[Any, dict[str, list[float]]]:
        """Return the scores of each corpus's questions."""
        named = {
            "precision_omega_scores": omega_scores,
            "iou_scores": iou_scores,
            "recall_scores": recall_scores,
            "precision_scores": precision_scores,
        }
        corpora: dict[Any, dict[str, list[float]]] = {}
        for number, row in enumerate(self._questions()):
            corpus = corpora.setdefault(row.corpus_id, {name: [] for name in named})
            for name, scores in named.items():
                corpus[name].append(scores[number])
        return corpora

    def run(  # noqa: PLR0913, PLR0917 - the peer's signature
        self,
        chunker: Splitter,
        embedding_function: EmbedderLike | None = None,
        retrieve: int = 5,
        db_to_save_chunks: str | os.PathLike[str] | None = None,
        use_tqdm: bool = False,
        rate_limiter: RateLimiter | None = None,
    ) -> dict[str, Any]:
        """Evaluate a chunker.

        Parameters
        ----------
        chunker
            Anything with a method ``split_text`` that cuts a text into a list of texts.
        embedding_function
            Gives a vector for each text of a list; see `ClusterSemanticChunker`.
        retrieve
            How many chunks are retrieved for a question; -1: as many as hold or touch its
            references, 20 at most.
        db_to_save_chunks
            A folder where the chunks' vectors are kept, by model and text: what another run needs
            of them it finds there, whatever the chunker is.
        use_tqdm
            Whether to show on standard error how many texts are embedded; tqdm is not needed.
        rate_limiter
            Is asked to wait before each call of the embedding function.

        Returns
        -------
        dict
            ``corpora_scores``: for each corpus four lists with the scores of its questions; and of
            ``iou``, ``recall``, ``precision_omega`` and ``precision`` each ``_mean`` and ``_std``.

        Raises
        ------
        ValueError
            If there is neither an embedding function nor a key for OpenAI's.
        ConfigError
            If there are no questions, a corpus has no file, or the splitter gives something else
            than texts of which each stands in its corpus.
        ModelError
            If the embedding function gives no vector of finite numbers for each text.
        """
        if type(retrieve) is not int or (retrieve < 1 and retrieve != -1):
            raise ConfigError(f"retrieve must be at least 1, or -1, got {retrieve!r}")
        self._load_questions_df()
        function = embedder_or_openai(embedding_function)
        if self._frame is not None:
            self._frame = self._frame.sort_index()
        questions = [row.question for row in self._questions()]
        if not questions:
            raise ConfigError(f"there are no questions in {str(self.questions_csv_path)!r}")
        documents, metadatas = self._get_chunks_and_metadata(chunker)
        omega, counts = self._full_precision_score(metadatas)
        most = min(MOST_BY_MINIMUM, max(counts)) if retrieve == -1 else retrieve
        counts = counts if retrieve == -1 else [retrieve] * len(counts)
        nearest_numbers = nearest_chunks(
            documents,
            questions,
            function,
            most,
            folder=db_to_save_chunks,
            limiter=rate_limiter,
            shown=use_tqdm,
        )
        hits = [[metadatas[number] for number in numbers] for numbers in nearest_numbers]
        iou, recall, precision = self._scores_from_dataset_and_retrievals(hits, counts)
        corpora = self._compute_corpora_scores(omega, iou, recall, precision)
        scores = zip(STATS, (iou, recall, omega, precision), strict=True)
        return _results(corpora, dict(scores), counts)


class GeneralEvaluation(BaseEvaluation):
    """Evaluates chunkers on the five corpora and 472 questions of Chroma's report.

    Parameters
    ----------
    chroma_db_path
        Without effect: no database is needed.
    data_path
        The folder with the report's ``questions_df.csv`` and ``corpora``. None: the one that the
        environment's ``CHUNKWRIGHT_CHROMA_DATA`` names, else that of an installed
        chunking_evaluation.

    Raises
    ------
    ConfigError
        If the data is in none of these places.
    """

    def __init__(
        self,
        chroma_db_path: str | None = None,
        *,
        data_path: str | os.PathLike[str] | None = None,
    ) -> None:
        self.general_benchmark_path: Path = _data_folder(data_path)
        corpora = sorted((self.general_benchmark_path / CORPORA).iterdir())
        super().__init__(
            str(self.general_benchmark_path / QUESTIONS),
            chroma_db_path,
            {file.stem: str(file) for file in corpora if file.is_file()},
        )
        self.is_general = True


def _data_folder(given: str | os.PathLike[str] | None) -> Path:
    for folder in _candidates(given):
        if (folder / QUESTIONS).is_file() and (folder / CORPORA).is_dir():
            return folder
        if given is not None:
            raise ConfigError(
                f"data_path: there is no {QUESTIONS} and {CORPORA} in {str(folder)!r}"
            )
    raise ConfigError(
        f"the report's data is not found: pass data_path, a folder with {QUESTIONS} and {CORPORA}, "
        f"or name it in the environment variable {DATA_VARIABLE}, or install {PEER}"
    )


def _candidates(given: str | os.PathLike[str] | None) -> Iterator[Path]:
    if given is not None:
        yield Path(given)
        return
    if named := os.environ.get(DATA_VARIABLE):
        yield Path(named)
    # Found without importing it, which would need all that it imports.
    spec = find_spec(PEER)
    for folder in (spec and spec.submodule_search_locations) or ():
        yield Path(folder) / PEER_DATA


def _metadata(corpus: str, chunk: str, corpus_id: Any) -> Metadata:
    found = rigorous_document_search(corpus, chunk)
    if found is None:
        raise ConfigError(f"Error in finding {chunk} in {corpus_id}")
    _, start, end = found
    return {"start_index": start, "end_index": end, "corpus_id": corpus_id}


def _results(
    corpora: dict[Any, dict[str, list[float]]], scores: dict[str, list[float]], counts: list[int]
) -> Results:
    import numpy as np

    stats: dict[str, Any] = {}
    for name, some in scores.items():
        stats |= {f"{name}_mean": np.mean(some), f"{name}_std": np.std(some)}
    lists = {f"{_short(name)}_scores": some for name, some in scores.items()}
    by_corpus = {
        corpus: {_short(name): some for name, some in named.items()}
        for corpus, named in corpora.items()
    }
    nested = {
        "scores": {
            "corpora_scores": by_corpus,
            **_last(lists, "omega"),
            "highlighted_chunks_counts": counts,
        },
        "stats": _last({_short(name): value for name, value in stats.items()}, "omega"),
    }
    return Results({"corpora_scores": corpora, **stats}, nested)


def _short(name: str) -> str:
    """Return a score's name in the peer's next version."""
    return name.replace("precision_omega", "omega")


def _last(named: dict[str, Any], prefix: str) -> dict[str, Any]:
    """Return the same, with some names behind all others."""
    return dict(sorted(named.items(), key=lambda item: item[0].startswith(prefix)))
