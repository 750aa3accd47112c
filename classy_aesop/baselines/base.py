"""The common part of all baselines: scoring every topic, with or without the jackknife over references.

A baseline prepares a topic's texts once, and returns for each of its metrics a function that scores all summaries
against any choice of references. The jackknife is therefore implemented here, once for all baselines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from classy_aesop.data import COLUMNS
from classy_aesop.data.topics import Topic, all_sentences
from classy_aesop.errors import InputError, join_names
from classy_aesop.features.counts import average_left_out, mark_humans, meets_of_topic
from classy_aesop.features.table import FewReferences, read_topics, warn_of_lost_letters
from classy_aesop.text.arrays import Booleans, Floats, IndexArray
from classy_aesop.text.stems import stem
from classy_aesop.text.tokens import TOKENIZERS, Tokenizer, count_letters
from classy_aesop.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import pandas as pd

AnyName = TypeVar("AnyName", bound=str)

Baseline = Callable[..., "pd.DataFrame"]
"""Takes a corpus, ``jackknife`` and further options; returns a score table."""

ScoreFunction = Callable[[Booleans], Floats]
"""Takes whether each summary meets (is compared with) each reference, (n_summaries, n_references); scores each."""

Prepare = Callable[[Topic], Mapping[str, ScoreFunction]]
"""Takes a topic; returns the functions of its metrics by name."""


def score_rows(
    corpus: Iterable[Topic], prepare: Prepare, *, jackknife: bool, tokenizer: Tokenizer = "rouge"
) -> pd.DataFrame:
    """Score every summary of a corpus by the metrics of one baseline.

    Parameters
    ----------
    corpus : iterable of Topic
        The summaries and the references that they are compared with.
    prepare : callable
        Counts a topic's texts, and gives a function for each metric, see `Prepare`.
    jackknife : bool
        Whether systems get the mean over leaving each reference out, which makes them comparable with humans.
    tokenizer : {"rouge", "unicode"}
        How the baseline finds tokens.

    Returns
    -------
    pandas.DataFrame
        A score table; NaN for a summary compared with no reference.

    Raises
    ------
    InputError
        If a reference is to be left out and no topic has two of them.

    Warns
    -----
    DataWarning
        If a reference is to be left out and some topics have fewer than two: their systems get NaN. And if ROUGE's
        tokenizer drops letters outside ASCII that are more than 5 % of the letters.
    """
    import pandas as pd

    rows: list[tuple[str, ...]] = []
    scores: list[Floats] = []
    letters = []
    few_references = FewReferences()
    topics = read_topics(corpus)
    for topic in few_references.watch(topics) if jackknife else topics:
        meets = meets_of_topic(topic)
        letters.append(count_letters(all_sentences(topic)) if tokenizer == "rouge" else (0, 0))
        for metric, score in prepare(topic).items():
            scores.append(average_left_out(score, meets, mark_humans(topic)) if jackknife else score(meets))
            rows += [(*topic.key, summary.summarizer, metric) for summary in topic.summaries]
    few_references.warn()
    warn_of_lost_letters(letters)
    table = pd.DataFrame(rows, columns=COLUMNS[:-1], dtype=str)
    return table.assign(score=np.concatenate(scores) if scores else np.zeros(0))


def check_known_names(
    names: Iterable[AnyName], known_names: Iterable[str], description: str
) -> list[AnyName]:
    """Check that all names are known, and return them as a list, each once."""
    expected = f"expected some of {', '.join(known_names)}"
    if not isinstance(names, Iterable):
        raise InputError(f"no {description} is named {names!r}; {expected}")
    listing: list[Any] = [names] if isinstance(names, str) else list(names)
    unknown = [name for name in listing if not isinstance(name, str) or name not in set(known_names)]
    if unknown:
        raise InputError(f"no {description} is named {join_names(map(str, unknown))}; {expected}")
    if not listing:
        raise InputError(f"no {description} is named; {expected}")
    return list(dict.fromkeys(listing))


def texts_of(topic: Topic) -> list[Sequence[str]]:
    """Give the texts of a topic, references first, in the form that `text.term_ids.term_ids` takes."""
    references = [text.text for text in topic.references]
    return [*references, *(summary.text for summary in topic.summaries)]


def make_vocabulary(tokenizer: Tokenizer) -> Vocabulary:
    """Make an empty vocabulary: ``"rouge"`` (ASCII, stemmed) or ``"unicode"`` (any script, unstemmed)."""
    check_known_names([tokenizer], TOKENIZERS, "tokenizer")
    return Vocabulary(TOKENIZERS[tokenizer], stem if tokenizer == "rouge" else None)


def mean_over_references(values: Floats, meets: Booleans) -> Floats:
    """Mean of (n_summaries, n_references) values over the references met; NaN if none is met."""
    n_met = meets.sum(axis=-1)
    mean: Floats = (values * meets).sum(axis=-1) / np.maximum(n_met, 1) + nan_without_references(meets)
    return mean


def nan_without_references(meets: Booleans) -> Floats:
    """NaN for each summary that meets no reference, else 0; shape (n_summaries,)."""
    return np.where(meets.any(axis=-1), 0.0, np.nan)


def pooled_recall(hits: IndexArray | Floats, totals: IndexArray | Floats, meets: Booleans) -> Floats:
    """Sum of hits (n_summaries, n_references) over that of totals (n_references,) of the references met: 0 if empty."""
    total = (totals * meets).sum(axis=-1)
    recall: Floats = (hits * meets).sum(axis=-1) / np.where(total > 0, total, 1)
    return recall + nan_without_references(meets)
