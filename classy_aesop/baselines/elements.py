"""Basic elements: recall of pairs of a head and its modifier, from dependency parses.

Hits are clipped and summed over the references, then divided by the summed counts of the references, as by
``ROUGE-1.5.5.pl -3 HM -m -f A`` (Hovy, Lin, Zhou and Fukumoto 2006, LREC); heads and modifiers are stemmed token by
token. NIST's elements, of ``BE-HM``, came from the parser Minipar, which is no longer available. ``BE-like-HM`` takes
the pairs of `dependency_pairs` from any parse in CoNLL-U (universaldependencies.org/format.html), so its scores differ.

A folder has one file per summary or reference, named in NIST's way: ``D0845-A.M.100.H.E`` is the text of summarizer E
for document set D0845-A. A name has five parts separated by dots, of which the first and the last are used; a suffix
``.conllu`` may follow. The extra letter of 2010 and 2011 (``D1001A-B``) is ignored. Other topics keep their names,
followed by the task if there is one (``storm-A.M.100.T.7``). Files are in the folder itself or in its subfolders
``models`` and ``peers``. A human has one file, which is both reference and summary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import ScoreFunction, pooled_recall, score_rows
from classy_aesop.data.cells import format_value
from classy_aesop.data.topics import Topic
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, join_names
from classy_aesop.features.table import read_topics
from classy_aesop.reading.byte_sources import numbered_lines
from classy_aesop.reading.nist import document_set
from classy_aesop.text.count_tables import NgramCounts
from classy_aesop.text.stems import stem

if TYPE_CHECKING:
    import pandas as pd

ElementPair = tuple[str, str]
"""Head and modifier, lower-cased."""

SKIPPED_RELATIONS = frozenset({"det", "punct", "root"})

FUNCTION_WORDS = frozenset({"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "PUNCT", "SCONJ"})
"""Universal parts of speech that do not count as modifiers: the closed classes except numerals."""

_ASCII_BLANKS = re.compile(r"\s+", re.ASCII)
_LETTER_OR_DIGIT = re.compile("[a-z0-9]")
_SHORTEST_STEMMED = 4


def basic_elements(
    corpus: Iterable[Topic], *, jackknife: bool, folder: str | Path | None = None
) -> pd.DataFrame:
    """Score every summary by pairs of a head and its modifier, from dependency parses in CoNLL-U.

    Parameters
    ----------
    corpus, jackknife
        As for `rouge`.
    folder : path-like
        The folder of the parses, with names as described above; required.

    Returns
    -------
    pandas.DataFrame
        Scores of ``BE-like-HM``, 0 to 1; 0 if nothing matches or a file is empty; NaN for a summary compared with no
        reference.

    Raises
    ------
    InputError
        If no folder is given, files are missing or have other names, or a line is not one of CoNLL-U (with file and
        line); and as `base.score_rows`.
    FileNotFoundError
        If the folder does not exist.
    """
    if folder is None:
        raise InputError("BE-like-HM has no folder; expected a folder with a file of parses for each text")
    topics = list(read_topics(corpus))
    files = text_files(folder, topics)

    def prepare(topic: Topic) -> Mapping[str, ScoreFunction]:
        """Read the pairs of a topic's texts, and score by them."""
        parses = [read_conllu(files[name_document_set(topic), writer]) for writer in writers(topic)]
        pairs = [[pair for sentence in parse for pair in dependency_pairs(sentence)] for parse in parses]
        counts = count_pairs(pairs, len(topic.references))
        return {"BE-like-HM": partial(pooled_recall, counts.clipped_hits, counts.reference_totals)}

    return score_rows(topics, prepare, jackknife=jackknife, tokenizer="unicode")


def dependency_pairs(sentence: Sequence[Word]) -> list[ElementPair]:
    """Pair every content word with its head, by lemmas or, without lemmas, by forms.

    Roots, the relations `SKIPPED_RELATIONS` and dependents that are `FUNCTION_WORDS` are left out. A word without a
    part of speech counts as a content word.
    """
    return [
        (sentence[word.head - 1].text.lower(), word.text.lower())
        for word in sentence
        if word.head and word.relation not in SKIPPED_RELATIONS and word.tag not in FUNCTION_WORDS
    ]


def stem_field(field: str) -> str:
    """Stem a head or modifier token by token; one of at most three characters is left unchanged.

    As in the original, this limit applies to the whole field: in a longer field even ``men`` becomes ``man``.

    Examples
    --------
    >>> stem_field("united nations"), stem_field("men"), stem_field("two men")
    ('unit nation', 'men', 'two man')
    """
    if len(field) < _SHORTEST_STEMMED:
        return field
    tokens = _ASCII_BLANKS.split(field.rstrip())
    return " ".join(stem(token, shortest=1) if _LETTER_OR_DIGIT.search(token) else token for token in tokens)


def count_pairs(texts: Sequence[Sequence[ElementPair]], n_references: int) -> NgramCounts:
    """Count the stemmed pairs of texts, of which the first ``n_references`` are references.

    Examples
    --------
    >>> counts = count_pairs([[("a", "b")], [("a", "b"), ("a", "c")]], 1)
    >>> counts.references.tolist(), counts.summaries.tolist()
    ([[1, 0]], [[1, 1]])
    """
    ids: dict[ElementPair, int] = {}
    cells = [
        (text, ids.setdefault((stem_field(head), stem_field(modifier)), len(ids)))
        for text, pairs in enumerate(texts)
        for head, modifier in pairs
    ]
    table = np.zeros((len(texts), len(ids)), np.intp)
    text, pair = np.array(cells, np.intp).reshape(-1, 2).T
    np.add.at(table, (text, pair), 1)
    return NgramCounts(table[n_references:], table[:n_references])


N_CONLLU_COLUMNS = 10
_NUMBER_OF_NO_WORD = re.compile("[0-9]+[-.][0-9]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence."""

    text: str
    tag: str
    head: int
    relation: str


def read_conllu(path: str | Path) -> list[list[Word]]:
    """Read the sentences of a file; a sentence begins where the words are numbered from 1 again.

    Comments, multiword tokens (``3-4``) and empty nodes (``3.1``) are ignored. An empty file has no sentence.
    """
    if not Path(path).read_bytes().strip():
        return []
    sentences: list[list[tuple[Where, Word]]] = []
    for where, line in numbered_lines(path):
        columns = line.split("\t")
        if line.startswith("#") or (
            len(columns) == N_CONLLU_COLUMNS and _NUMBER_OF_NO_WORD.fullmatch(columns[0])
        ):
            continue
        if len(columns) != N_CONLLU_COLUMNS:
            raise where.error(f"{len(columns)} columns; expected {N_CONLLU_COLUMNS}, separated by tabs")
        if columns[0] == "1":
            sentences.append([])
        next_number = len(sentences[-1]) + 1 if sentences else 1
        if columns[0] != str(next_number):
            raise where.error(f"word number {format_value(columns[0])}; expected {next_number} or 1")
        _, form, lemma, tag, _, _, head, relation, _, _ = columns
        if not (head.isascii() and head.isdigit() and len(head) < 10):
            raise where.error(f"head is {format_value(head)}; expected the number of a word, or 0")
        word = Word(form if lemma == "_" else lemma, tag, int(head), relation.partition(":")[0])
        sentences[-1].append((where, word))
    for sentence in sentences:
        for where, word in sentence:
            if word.head > len(sentence):
                expected = f"expected 0 to {len(sentence)}, the words of its sentence"
                raise where.error(f"head is {word.head}; {expected}")
    return [[word for _, word in sentence] for sentence in sentences]


SUBFOLDERS = ("", "models", "peers")

TextName = tuple[str, str]
"""Document set and summarizer."""


def text_files(folder: str | Path, topics: Sequence[Topic]) -> dict[TextName, Path]:
    """Find the file of every summary and reference; other files are ignored."""
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: no such folder")
    paths_by_name: dict[TextName, list[Path]] = {}
    for subfolder in SUBFOLDERS:
        for path in sorted((folder / subfolder).iterdir()) if (folder / subfolder).is_dir() else ():
            if path.is_file() and (name := _parse_name(path.name)) is not None:
                paths_by_name.setdefault(name, []).append(path)
    document_sets = [name_document_set(topic) for topic in topics]
    repeated = sorted({name for name in document_sets if document_sets.count(name) > 1})
    if repeated:
        raise InputError(
            f"topics of several years have the same name ({join_names(repeated)}); select a year"
        )
    names = dict.fromkeys(
        (document_set, writer)
        for document_set, topic in zip(document_sets, topics, strict=True)
        for writer in writers(topic)
    )
    problems = {
        "no file for": [" ".join(name) for name in names if name not in paths_by_name],
        "several files for": [
            f"{' '.join(name)} ({join_names(paths_by_name[name])})"
            for name in names
            if len(paths_by_name.get(name, ())) > 1
        ],
    }
    messages = [f"{problem} {join_names(texts)}" for problem, texts in problems.items() if texts]
    if messages:
        raise InputError(
            f"{'; '.join(messages)}; expected one file per text, named like D0845-A.M.100.H.E", path=folder
        )
    return {name: paths_by_name[name][0] for name in names}


def _parse_name(file_name: str) -> TextName | None:
    """Give the document set and the summarizer that a file name says, or None if it is not named in NIST's way."""
    parts = file_name.removesuffix(".conllu").split(".")
    if len(parts) != 5 or not parts[0] or not parts[4]:
        return None
    return "-".join(document_set(parts[0]) or (parts[0],)), parts[4]


def name_document_set(topic: Topic) -> str:
    """Name a topic's document set as in file names."""
    return f"{topic.topic}-{topic.task}" if topic.task else topic.topic


def writers(topic: Topic) -> Iterator[str]:
    """Give the summarizers of a topic's texts, references first."""
    yield from (reference.summarizer for reference in topic.references)
    yield from (summary.summarizer for summary in topic.summaries)
