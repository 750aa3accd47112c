"""BLEU and chrF of single summaries, as the package sacreBLEU computes them (extra ``sacrebleu``).

A summary is compared with all its references at once. BLEU is that of a sentence with effective order: lengths of
n-grams without a match at the end do not count. Both are from 0 to 100, as sacreBLEU gives them. Texts are joined by
spaces; the tokenizers are sacreBLEU's own. Post (2018), "A call for clarity in reporting BLEU scores".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from classy_aesop.baselines.base import Score, score_rows
from classy_aesop.data.topics import Topic
from classy_aesop.errors import UsageError
from classy_aesop.features.table import HasTopics
from classy_aesop.text.counts import Booleans, Floats

if TYPE_CHECKING:
    import pandas as pd


def bleu(corpus: HasTopics | Iterable[Topic], *, jackknife: bool) -> pd.DataFrame:
    """Score every summary by BLEU.

    Parameters
    ----------
    corpus, jackknife
        As for `base.score_rows`.

    Returns
    -------
    pandas.DataFrame
        Scores of the metric ``BLEU``, 0 to 100; NaN for a summary compared with no reference.

    Raises
    ------
    UsageError
        If sacreBLEU is not installed.
    """
    return _scored(corpus, "BLEU", _sacrebleu().BLEU(effective_order=True), jackknife)


def chrf(corpus: HasTopics | Iterable[Topic], *, jackknife: bool) -> pd.DataFrame:
    """Score every summary by chrF, the F-score of n-grams of characters; otherwise as `bleu`."""
    return _scored(corpus, "chrF", _sacrebleu().CHRF(), jackknife)


def _sacrebleu() -> Any:
    try:
        import sacrebleu
    except ModuleNotFoundError:
        raise UsageError("BLEU and chrF need sacrebleu: pip install classy-aesop[sacrebleu]") from None
    return sacrebleu


def _scored(corpus: HasTopics | Iterable[Topic], name: str, metric: Any, jackknife: bool) -> pd.DataFrame:
    def prepare(topic: Topic) -> Mapping[str, Score]:
        texts = [" ".join(one.text) for one in topic.summaries]
        references = [" ".join(one.text) for one in topic.references]
        return {name: partial(_score, metric, texts, references)}

    return score_rows(corpus, prepare, jackknife=jackknife, tokenizer="unicode")


def _score(metric: Any, texts: list[str], references: list[str], meets: Booleans) -> Floats:
    """Score each text against the references that it meets; shape (..., n_summaries)."""
    scores = np.full(meets.shape[:-1], np.nan)
    for place in zip(*np.nonzero(meets.any(axis=-1)), strict=True):
        met = [references[at] for at in np.flatnonzero(meets[place])]
        scores[place] = metric.sentence_score(texts[place[-1]], met).score
    return scores
