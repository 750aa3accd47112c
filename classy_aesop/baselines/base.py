"""The common part of all baselines: scoring every topic, with or without the jackknife over references.

A baseline prepares a topic's texts once, and returns for each of its metrics a function that scores all summaries
against any choice of references. The jackknife is therefore implemented here, once for all baselines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data import COLUMNS
from classy_aesop.data.topics import Topic, all_sentences
from classy_aesop.errors import InputError
from classy_aesop.features.counts import is_human, leaving_one_out, mean_left_out, meetings
from classy_aesop.features.table import FewReferences, topics_of, warn_of_lost_letters
from classy_aesop.text.arrays import Booleans, Floats
from classy_aesop.text.count_tables import NgramCounts
from classy_aesop.text.stems import stem
from classy_aesop.text.tokens import TOKENIZERS, Tokenizer, letter_counts
from classy_aesop.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import pandas as pd

Baseline = Callable[..., "pd.DataFrame"]
"""Takes a corpus, ``jackknife`` and further options; returns a score table."""

Score = Callable[[Booleans], Floats]
"""Takes whether each summary meets (is compared with) each reference, shape (..., n_summaries, n_references).

Returns scores of shape (..., n_summaries).
"""

Prepare = Callable[[Topic], Mapping[str, Score]]
"""Takes a topic; returns the functions of its metrics by name."""


def score_rows(
    corpus: Iterable[Topic], prepare: Prepare, *, jackknife: bool, tokenizer: Tokenizer = "rouge"
) -> pd.DataFrame:
    """Score every summary of a corpus by the metrics of one baseline, which ``prepare`` counts of a topic's texts.

    A jackknifed system has the mean over leaving each reference out, which makes it comparable with humans.
    `InputError` if no topic has two references, `DataWarning` if some have not: their systems get NaN; and if ROUGE's
    tokenizer drops letters outside ASCII that are more than 5 % of the letters.
    """
    import pandas as pd

    rows: list[tuple[str, ...]] = []
    scores: list[Floats] = []
    letters = []
    few, topics = FewReferences(), topics_of(corpus)
    for topic in few.watch(topics) if jackknife else topics:
        meets, human = meetings(topic), is_human(topic)
        letters.append(letter_counts(all_sentences(topic)) if tokenizer == "rouge" else (0, 0))
        for metric, score in prepare(topic).items():
            plain = score(meets)
            scores.append(
                mean_left_out(score(leaving_one_out(meets)), plain, meets, human) if jackknife else plain
            )
            rows += [(*topic.key, summary.summarizer, metric) for summary in topic.summaries]
    few.warn()
    warn_of_lost_letters(letters)
    table = pd.DataFrame(rows, columns=COLUMNS[:-1], dtype=str)
    return table.assign(score=np.concatenate(scores) if scores else np.zeros(0))


def texts_of(topic: Topic) -> list[Sequence[str]]:
    """Give the texts of a topic, references first, in the form that `text.terms.term_ids` takes."""
    references = [text.text for text in topic.references]
    return [*references, *(summary.text for summary in topic.summaries)]


def vocabulary(tokenizer: Tokenizer) -> Vocabulary:
    """Make an empty vocabulary: ``"rouge"`` (ASCII, stemmed) or ``"unicode"`` (any script, unstemmed)."""
    check_tokenizer(tokenizer)
    return Vocabulary(TOKENIZERS[tokenizer], stem if tokenizer == "rouge" else None)


def check_tokenizer(tokenizer: Tokenizer) -> None:
    """Refuse what is no tokenizer."""
    if tokenizer not in TOKENIZERS:
        raise InputError(f"tokenizer is {tokenizer!r}; expected one of {', '.join(TOKENIZERS)}")


def mean_met(values: Floats, meets: Booleans) -> Floats:
    """Mean of (n_summaries, n_references) values over the references met; NaN if none is met."""
    n_met = meets.sum(axis=-1)
    mean: Floats = (values * meets).sum(axis=-1) / np.maximum(n_met, 1) + nothing_met(meets)
    return mean


def nothing_met(meets: Booleans) -> Floats:
    """NaN for each summary that meets no reference, else 0; shape (..., n_summaries)."""
    return np.where(meets.any(axis=-1), 0.0, np.nan)


def pooled_recall(counts: NgramCounts, meets: Booleans) -> Floats:
    """Clipped hits over the n-grams of all references met, (..., n_summaries): 0 if empty, NaN without reference."""
    totals = (counts.reference_totals * meets).sum(axis=-1)
    recall: Floats = (counts.clipped_hits * meets).sum(axis=-1) / np.maximum(totals, 1)
    return recall + nothing_met(meets)
