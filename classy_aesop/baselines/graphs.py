"""AutoSummENG, MeMoG and NPowER: summaries compared with references as graphs of character n-grams.

AutoSummENG is the mean, over references, of the value similarity of two graphs (Giannakopoulos and others 2008, *ACM
TSLP* 5(3)). MeMoG is the similarity with one graph, merged from all references (Giannakopoulos and Karkaletsis 2010,
TAC). NPowER is a linear combination of both (2013, CICLing). Parameters are those of TAC: 3-grams of characters, which
are neighbours if at most 3 characters apart.

Departs from the paper: MeMoG uses value similarity and not the normalized one, because in published scores against one
reference MeMoG equals AutoSummENG.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import (
    ScoreFunction,
    mean_over_references,
    nan_without_references,
    score_rows,
)
from classy_aesop.data.topics import Topic
from classy_aesop.text.arrays import Booleans, Floats
from classy_aesop.text.ngram_graphs import NgramGraphs, raw_text

if TYPE_CHECKING:
    import pandas as pd

NPOWER = (0.05866, 0.52905, 0.30053)
"""NPowER's constant and its weights of AutoSummENG and MeMoG, derived from published scores of all three."""


def ngram_graphs(corpus: Iterable[Topic], *, jackknife: bool) -> pd.DataFrame:
    """Score every summary by n-gram graphs.

    Parameters
    ----------
    corpus, jackknife
        As for `rouge`.

    Returns
    -------
    pandas.DataFrame
        Scores of 0 to 1 (NPowER .05866 to .88824); NaN for a summary compared with no reference. A text of at most 3
        characters, including its last line feed, has an empty graph and a similarity of 0, so its NPowER is the
        constant.

    Raises
    ------
    InputError
        As `base.score_rows`.
    """

    def prepare(topic: Topic) -> Mapping[str, ScoreFunction]:
        """Make a topic's graphs."""
        references = [raw_text(reference.text) for reference in topic.references]
        summaries = [raw_text(summary.text) for summary in topic.summaries]
        graphs = TopicGraphs(NgramGraphs.from_texts(references, summaries))
        return {
            "AutoSummENG": graphs.autosummeng(),
            "MeMoG": graphs.memog(),
            "NPowER": graphs.npower(),
        }

    return score_rows(corpus, prepare, jackknife=jackknife, tokenizer="unicode")


class TopicGraphs:
    """The summaries of a topic, compared with merged graphs of its references, each choice of them once."""

    def __init__(self, graphs: NgramGraphs) -> None:
        self.shape = graphs.sizes.size, len(graphs.references)
        self.similarities = cache(graphs.similarities)

    def autosummeng(self) -> ScoreFunction:
        """Score by the mean similarity with each reference met."""
        values = np.empty(self.shape)
        for reference in range(self.shape[1]):
            values[:, reference] = self.similarities((reference,))
        return lambda meets: mean_over_references(values, meets)

    def memog(self) -> ScoreFunction:
        """Score by the similarity with the merged graph of all references met."""

        def score(meets: Booleans) -> Floats:
            """Compare each summary with the references that it meets; shape (n_summaries,)."""
            scores = nan_without_references(meets)
            for is_chosen in dict.fromkeys(map(tuple, meets.tolist())):
                similarities = self.similarities(tuple(np.flatnonzero(is_chosen)))
                scores += np.where((meets == is_chosen).all(axis=1), similarities, 0.0)
            return scores

        return score

    def npower(self) -> ScoreFunction:
        """Score by a constant plus weighted AutoSummENG and MeMoG."""
        constant, weight_of_autosummeng, weight_of_memog = NPOWER
        autosummeng = self.autosummeng()
        memog = self.memog()
        return lambda meets: (
            constant + weight_of_autosummeng * autosummeng(meets) + weight_of_memog * memog(meets)
        )
