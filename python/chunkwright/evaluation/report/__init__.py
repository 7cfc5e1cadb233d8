"""Reports of evaluations, for people and for programs.

Examples
--------
>>> import chunkwright as cw
>>> from chunkwright.evaluation import Dataset, Excerpt, Question, evaluate
>>> from chunkwright.evaluation.report import Report, to_html
>>> text = "The mill was built in 1743. It burnt down twice."
>>> question = Question("When was the mill built?", "mill", (Excerpt(text[:27], 0, 27),))
>>> dataset = Dataset({"mill": text}, (question,), name="mills")
>>> runs = [
...     evaluate(cw.Sentence(sentences=1), dataset, name="sentences"),
...     evaluate(cw.Recursive(max_tokens=100), dataset, name="all of it"),
... ]
>>> page = to_html(Report(runs, baseline="all of it"))
>>> page[:15]
'<!DOCTYPE html>'
"""

from chunkwright.evaluation.report.chunk_report import ChunkReport, chunk_table
from chunkwright.evaluation.report.exports import to_dict, to_json, to_table, write_parquet
from chunkwright.evaluation.report.html import to_html
from chunkwright.evaluation.report.report import Report
from chunkwright.evaluation.report.score_tables import corpus_table, summary_table
from chunkwright.evaluation.report.twins import twin_table

__all__ = [
    "ChunkReport",
    "Report",
    "chunk_table",
    "corpus_table",
    "summary_table",
    "to_dict",
    "to_html",
    "to_json",
    "to_table",
    "twin_table",
    "write_parquet",
]
