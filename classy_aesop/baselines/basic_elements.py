"""Basic elements: recall of pairs of a head and its modifier, read from the output files of a parser.

``BE-HM`` is the result of ``ROUGE-1.5.5.pl -3 HM -m -f A`` for files of lines ``head|modifier|relation`` (Hovy, Lin,
Zhou and Fukumoto 2006, LREC). Elements are lower-cased and stemmed token by token; those whose modifier is ``NIL`` are
dropped. Hits are clipped and summed over the references, then divided by the summed counts of the references. NIST's
elements came from the parser Minipar, which is no longer available. ``BE-like-HM`` is the same recall for the pairs
that `dependency_pairs` takes from any dependency parse; its scores differ from those of ``BE-HM``.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import Score, nothing_met, score_rows
from classy_aesop.baselines.conllu import Word, read_conllu
from classy_aesop.baselines.element_files import set_of, text_files, writers
from classy_aesop.data.sources import numbered_lines
from classy_aesop.data.topics import Topic
from classy_aesop.data.values import shown
from classy_aesop.errors import InputError
from classy_aesop.features.table import HasTopics, topics_of
from classy_aesop.text.counts import Booleans, Floats, NgramCounts
from classy_aesop.text.stems import stem

if TYPE_CHECKING:
    import pandas as pd

Pair = tuple[str, str]
"""Head and modifier, lower-cased."""

NO_MODIFIER = "nil"

SKIPPED_RELATIONS = frozenset({"det", "punct", "root"})
FUNCTION_WORDS = frozenset({"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "PUNCT", "SCONJ"})
"""Universal parts of speech that do not count as modifiers: the closed classes except numerals."""

_A_TO_Z = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_BLANKS = re.compile(r"\s+", re.ASCII)
_LETTER_OR_DIGIT = re.compile("[a-z0-9]")
_SHORTEST = 4


def basic_elements(
    corpus: HasTopics | Iterable[Topic], *, jackknife: bool, folder: str | Path | None = None
) -> pd.DataFrame:
    """Score every summary by BE-HM, from files of basic elements.

    Parameters
    ----------
    corpus, jackknife
        As for `base.score_rows`.
    folder : path-like
        The folder of the files, with names as described in `element_files`; required.

    Returns
    -------
    pandas.DataFrame
        Scores of ``BE-HM``, 0 to 1; 0 if nothing matches or a file is empty; NaN for a summary compared with no
        reference.

    Raises
    ------
    InputError
        If no folder is given, files are missing or have other names, or a line is not an element (with file and
        line); and as `base.score_rows`.
    FileNotFoundError
        If the folder does not exist.
    """
    return _scores(corpus, "BE-HM", read_elements, folder, jackknife=jackknife)


def basic_elements_like(
    corpus: HasTopics | Iterable[Topic], *, jackknife: bool, folder: str | Path | None = None
) -> pd.DataFrame:
    """Score every summary by BE-like-HM, from dependency parses in CoNLL-U.

    Parameters, returns and errors are those of `basic_elements`, except for the contents of the files.
    """
    return _scores(corpus, "BE-like-HM", read_dependency_pairs, folder, jackknife=jackknife)


def _scores(
    corpus: HasTopics | Iterable[Topic],
    metric: str,
    read: Callable[[Path], list[Pair]],
    folder: str | Path | None,
    *,
    jackknife: bool,
) -> pd.DataFrame:
    if folder is None:
        raise InputError(
            f"{metric} has no folder; expected a folder with a file of elements or parses for each text"
        )
    topics = list(topics_of(corpus))
    files = text_files(folder, topics)

    def prepare(topic: Topic) -> Mapping[str, Score]:
        """Read the pairs of a topic's texts, and score by them."""
        pairs = [read(files[set_of(topic), writer]) for writer in writers(topic)]
        return {metric: pooled_recall(pair_counts(pairs, len(topic.references)))}

    return score_rows(topics, prepare, jackknife=jackknife, tokenizer="unicode")


# --- from files to pairs ---


def read_elements(path: str | Path) -> list[Pair]:
    """Read the pairs of a file of lines ``head|modifier|relation``, except those with the modifier NIL.

    The letters A to Z are lower-cased. Blank lines are ignored; an empty file has no pair.

    Raises
    ------
    InputError
        If a line does not have three fields (with file and line). Empty fields at the end of a line do not count,
        as in the original.
    """
    if not Path(path).read_bytes().strip():
        return []
    pairs = []
    for where, line in numbered_lines(path):
        fields = line.translate(_A_TO_Z).rstrip("|").split("|")
        if len(fields) != 3:
            raise where.error(f"found {shown(line)}; expected head|modifier|relation")
        pairs.append((fields[0], fields[1]))
    return [pair for pair in pairs if pair[1] != NO_MODIFIER]


def read_dependency_pairs(path: str | Path) -> list[Pair]:
    """Read the pairs of a file in CoNLL-U."""
    return [pair for sentence in read_conllu(path) for pair in dependency_pairs(sentence)]


def dependency_pairs(sentence: Sequence[Word]) -> list[Pair]:
    """Pair every content word with its head, by lemmas or, without lemmas, by forms.

    Roots, the relations `SKIPPED_RELATIONS` and dependents that are `FUNCTION_WORDS` are left out. A word without
    a part of speech counts as a content word.
    """
    return [
        (sentence[word.head - 1].text.lower(), word.text.lower())
        for word in sentence
        if word.head and word.relation not in SKIPPED_RELATIONS and word.tag not in FUNCTION_WORDS
    ]


# --- from pairs to scores ---


def stemmed(field: str) -> str:
    """Stem a head or modifier token by token; one of at most three characters is left unchanged.

    As in the original, this limit applies to the whole field: in a longer field even ``men`` becomes ``man``.

    Examples
    --------
    >>> stemmed("united nations"), stemmed("men"), stemmed("two men")
    ('unit nation', 'men', 'two man')
    """
    if len(field) < _SHORTEST:
        return field
    tokens = _BLANKS.split(field.rstrip())
    return " ".join(stem(token, shortest=1) if _LETTER_OR_DIGIT.search(token) else token for token in tokens)


def pair_counts(texts: Sequence[Sequence[Pair]], n_references: int) -> NgramCounts:
    """Count the stemmed pairs of texts, of which the first ``n_references`` are references.

    Examples
    --------
    >>> counts = pair_counts([[("a", "b")], [("a", "b"), ("a", "c")]], 1)
    >>> counts.references.tolist(), counts.summaries.tolist()
    ([[1, 0]], [[1, 1]])
    """
    ids: dict[Pair, int] = {}
    cells = [
        (text, ids.setdefault((stemmed(head), stemmed(modifier)), len(ids)))
        for text, pairs in enumerate(texts)
        for head, modifier in pairs
    ]
    table = np.zeros((len(texts), len(ids)), np.intp)
    text, pair = np.array(cells, np.intp).reshape(-1, 2).T
    np.add.at(table, (text, pair), 1)
    return NgramCounts(table[n_references:], table[:n_references])


def pooled_recall(counts: NgramCounts) -> Score:
    """Score by the clipped hits over all references met, divided by the number of their pairs; 0 without pairs."""

    def score(meets: Booleans) -> Floats:
        """Give the recall of the references met."""
        totals = (counts.reference_totals * meets).sum(axis=-1)
        recall: Floats = (counts.clipped_hits * meets).sum(axis=-1) / np.maximum(totals, 1)
        return recall + nothing_met(meets)

    return score
