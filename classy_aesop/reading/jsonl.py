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
from classy_aesop.reading.summary_rows import json_lines, parse_rows
from classy_aesop.work.files import atomic_file

if TYPE_CHECKING:
    import pandas as pd

JsonRow = dict[str, object]
"""A row that is written as one object of JSON."""

_FILE_ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst")
"""Endings of the names of files in a folder; the first that is there is read."""


def read_jsonl(path: str | Path | Source) -> Corpus:
    """Read a folder with summaries and judgments, or one file of summaries.

    Parameters
    ----------
    path : path-like
        The folder, or the file of summaries; ``-`` is standard input.

    Raises `InputError`, with file and line, if something in a file is wrong.
    """
    source, judgments = open_folder(Source.from_path(path))
    return assemble_corpus(parse_rows(json_lines(source), path=source.name), judgments, path=str(path))


def open_folder(source: Source) -> tuple[Source, pd.DataFrame | None]:
    """Give the file of summaries in a folder, and the judgments if there are any; a file is one of summaries."""
    if source.content is not None or not source.path.is_dir():
        return source, None
    if (summaries := summaries_in(source.path)) is None:
        raise InputError("no summaries.jsonl in this folder", path=source.name)
    judgments = _first_file(source.path, "judgments")
    return Source.from_path(summaries), None if judgments is None else read_scores(judgments)


def summaries_in(folder: Path) -> Path | None:
    """Give the file of the summaries in a folder; None if there is none."""
    return _first_file(folder, "summaries")


def _first_file(folder: Path, name: str) -> Path | None:
    return next((path for ending in _FILE_ENDINGS if (path := folder / f"{name}{ending}").is_file()), None)


def write_jsonl(corpus: Corpus, folder: str | Path) -> None:
    """Write ``summaries.jsonl`` and, if there are judgments, ``judgments.jsonl``; `read_jsonl` reads them back.

    Scores of metrics that the corpus came with go to ``scores.jsonl``, which `read_scores` reads.
    Ratings by single assessors are written if there are any, else the judgments. References that are not evaluated are
    listed in the first row of their topic that is compared with all, or in each where others are rows of type
    ``reference``.

    Raises `FileExistsError` if the corpus has no judgments, but the folder holds those of another corpus.
    """
    folder = Path(folder)
    older = _first_file(folder, "judgments")
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
    return json.dumps(row) if HALF.search(text) else text


def summary_lines(corpus: Corpus) -> Iterator[str]:
    """Give the lines of one file of summaries, without judgments and without line ends."""
    initial = {topic.key: topic.references for topic in corpus if topic.task == "A"}
    for topic in corpus:
        implied = initial.get((topic.year, topic.topic, "A"), ()) if topic.task == "B" else ()
        yield from map(_format_row, _rows_of_topic(topic, implied))


def _rows_of_topic(topic: Topic, implied: tuple[Reference, ...]) -> Iterator[JsonRow]:
    """Give the rows of a topic; ``implied`` are the earlier references that it has if none are listed."""
    texts = {reference.summarizer: reference.text for reference in topic.references}
    authors = {s.summarizer for s in topic.summaries if s.human and texts.get(s.summarizer) == s.text}
    are_unlisted = not texts.keys() <= authors
    for number, summary in enumerate(topic.summaries):
        is_author = summary.summarizer in authors
        row: JsonRow = {
            **_key_fields(*topic.key, summary.summarizer),
            "summarizer_type": "reference" if is_author else "peer",
            "summary": {"text": list(summary.text)},
        }
        if summary.human and not is_author:
            row["human"] = True
        if summary.references is not None:
            met = zip(topic.references, topic.meets(summary), strict=True)
            row["references"] = _format_references(reference for reference, meets in met if meets)
        elif are_unlisted:
            row["references"] = _format_references(topic.references)
            are_unlisted = bool(
                authors
            )  # the other rows are compared with those of authors, unless there are none
        if number == 0 and topic.documents:
            row["documents"] = list(topic.documents)
        if number == 0 and topic.earlier_references != implied:
            row["earlier_references"] = _format_references(topic.earlier_references)
        yield row


def _key_fields(year: str, topic: str, task: str, summarizer: str) -> JsonRow:
    instance = f"{topic}-{task}" if task else topic
    return {"instance_id": instance, "year": year, "task": task, "summarizer_id": summarizer}


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
    names = [name for name in (*KEYS, "assessor") if name in frame]
    for key, rows in frame.groupby(names, sort=False):
        numbers = (None if math.isnan(score) else score for score in rows["score"])
        yield {
            **_key_fields(*map(str, key[:4])),
            **dict(zip(names[4:], key[4:], strict=True)),
            "metrics": dict(zip(rows["metric"], numbers, strict=True)),
        }
