"""Corpora as JSON lines in SacreROUGE's field names: a folder, or one file of summaries; plain or compressed.

A folder holds ``summaries.jsonl`` and, if there are human judgments, ``judgments.jsonl``. The rows are those of
`summary_rows`; the optional fields ``year``, ``task``, ``human``, ``earlier_references`` and ``documents`` are
additions of this package.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.data.cells import HALF
from classy_aesop.data.scores import KEYS
from classy_aesop.data.topics import Reference, Topic
from classy_aesop.errors import InputError
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.corpus import Corpus, assemble_corpus
from classy_aesop.reading.score_files import read_scores
from classy_aesop.reading.summary_rows import parse_lines
from classy_aesop.work.files import atomic_file

if TYPE_CHECKING:
    import pandas as pd

JsonRow = dict[str, object]
"""A row that is written as one object of JSON."""

_FILE_ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst")
SUMMARIES = tuple(f"summaries{ending}" for ending in _FILE_ENDINGS)
JUDGMENTS = (
    *(f"judgments{ending}" for ending in _FILE_ENDINGS),
    "judgments.tsv",
    *(f"judgments_annotators{ending}" for ending in _FILE_ENDINGS),
)
"""The names of their files in a folder; the first that is there is read."""


def read_jsonl(path: str | Path | Source) -> Corpus:
    """Read a folder with summaries and judgments, or one file of summaries.

    Parameters
    ----------
    path : path-like
        The folder, or the file of summaries; ``-`` is standard input.

    Raises `InputError`, with file and line, if something in a file is wrong.
    """
    source = Source.from_path(path)
    judgments = None
    if source.content is None and source.path.is_dir():
        summaries = summaries_in(path)
        if summaries is None:
            raise InputError("no summaries.jsonl in this folder", path=source.name)
        judgments = judgments_in(path)
        source = Source.from_path(summaries)
    return assemble_corpus(parse_lines(source.lines(), path=source.name), judgments, path=str(path))


def summaries_in(folder: str | Path | Source) -> Path | None:
    """Give the file of the summaries in a folder; None if there is none."""
    return _first_file(Path(str(folder)), SUMMARIES)


def judgments_in(folder: str | Path | Source) -> pd.DataFrame | None:
    """Read the first of the files of judgments in a folder; None if there is none."""
    path = _first_file(Path(str(folder)), JUDGMENTS)
    return None if path is None else read_scores(path)


def _first_file(folder: Path, names: tuple[str, ...]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)


def write_jsonl(corpus: Corpus, folder: str | Path) -> None:
    """Write ``summaries.jsonl`` and, if there are judgments, ``judgments.jsonl``; `read_jsonl` reads them back.

    Scores of metrics that the corpus came with go to ``scores.jsonl``, which `read_scores` reads.
    Ratings by single assessors are written if there are any, else the judgments. In a judged corpus, references
    that are not evaluated become rows of type ``reference``. They are listed in the ``references`` of every row
    instead if there are no judgments, since such rows would then be evaluated, or if a reference has a peer's name.

    Raises `FileExistsError` if the corpus has no judgments, but the folder holds those of another corpus.
    """
    folder = Path(folder)
    older = _first_file(folder, JUDGMENTS)
    if older and not len(corpus.judgments):
        raise FileExistsError(f"{older}: would be read as the judgments of this corpus, which has none")
    folder.mkdir(parents=True, exist_ok=True)
    judgments = corpus.ratings if len(corpus.ratings) else corpus.judgments
    for name, lines in (
        ("summaries", summary_lines(corpus)),
        ("judgments", map(_format_row, _rows_of_scores(judgments))),
        ("scores", map(_format_row, _rows_of_scores(corpus.scores))),
    ):
        if first := next(lines, None):
            with atomic_file(folder / f"{name}.jsonl") as stream:
                stream.writelines(f"{line}\n" for line in chain([first], lines))


def _format_row(row: JsonRow) -> str:
    """Write a row; with escapes if it holds half of a character, which UTF-8 has no bytes for."""
    text = json.dumps(row, ensure_ascii=False)
    return text if text.isascii() or not HALF.search(text) else json.dumps(row)


def summary_lines(corpus: Corpus) -> Iterator[str]:
    """Give the lines of one file of summaries, without judgments and without line ends."""
    initial = {topic.key: topic.references for topic in corpus if topic.task == "A"}
    for topic in corpus:
        implied = initial.get((topic.year, topic.topic, "A"), ()) if topic.task == "B" else ()
        for row in _rows_of_topic(topic, implied, is_judged=len(corpus.judgments) > 0):
            yield _format_row(row)


def _rows_of_topic(topic: Topic, implied: tuple[Reference, ...], *, is_judged: bool) -> Iterator[JsonRow]:
    """Give the rows of a topic; ``implied`` are the earlier references that it has if none are listed."""
    texts = {reference.summarizer: reference.text for reference in topic.references}
    authors = {s.summarizer for s in topic.summaries if s.human and texts.get(s.summarizer) == s.text}
    unevaluated = [reference for reference in topic.references if reference.summarizer not in authors]
    peers = {summary.summarizer for summary in topic.summaries}
    is_name_taken = any(reference.summarizer in peers for reference in unevaluated)
    written_as_rows = unevaluated if is_judged and not is_name_taken else []
    for number, summary in enumerate(topic.summaries):
        row = _row(topic, summary.summarizer, summary.text, is_reference=summary.summarizer in authors)
        if summary.human and summary.summarizer not in authors:
            row["human"] = True
        if summary.references is not None or len(written_as_rows) < len(unevaluated):
            row["references"] = _format_references(
                reference
                for reference, meets in zip(topic.references, topic.meets(summary), strict=True)
                if meets or summary.references is None
            )
        if number == 0 and topic.documents:
            row["documents"] = list(topic.documents)
        if number == 0 and topic.earlier_references != implied:
            row["earlier_references"] = _format_references(topic.earlier_references)
        yield row
    for reference in written_as_rows:
        yield _row(topic, reference.summarizer, reference.text, is_reference=True)


def _row(topic: Topic, summarizer: str, text: tuple[str, ...], *, is_reference: bool) -> JsonRow:
    return {
        "instance_id": f"{topic.topic}-{topic.task}" if topic.task else topic.topic,
        "year": topic.year,
        "task": topic.task,
        "summarizer_id": summarizer,
        "summarizer_type": "reference" if is_reference else "peer",
        "summary": {"text": list(text)},
    }


def _format_references(references: Iterable[Reference]) -> list[JsonRow]:
    return [
        {
            "summarizer_id": reference.summarizer,
            "summarizer_type": "reference",
            "text": list(reference.text),
        }
        for reference in references
    ]


def _rows_of_scores(frame: pd.DataFrame) -> Iterator[JsonRow]:
    names = [*KEYS, *(["assessor"] if "assessor" in frame else [])]
    for key, rows in frame.groupby(names, sort=False):
        year, topic, task, summarizer, *assessor = key
        numbers = (None if math.isnan(score) else score for score in rows["score"])
        yield {
            "instance_id": f"{topic}-{task}" if task else topic,
            "year": year,
            "task": task,
            "summarizer_id": summarizer,
            **({"assessor": assessor[0]} if assessor else {}),
            "metrics": dict(zip(rows["metric"], numbers, strict=True)),
        }
