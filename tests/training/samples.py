"""Small experiments and stacks of years, and a learner whose predictions are known by hand."""

import dataclasses
from dataclasses import dataclass

import numpy as np

from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.formulas import Linear
from classy_aesop.training.fit_options import FitOptions
from classy_aesop.training.learners import Learner
from classy_aesop.training.year_rows import YearRows, stack_years

SMALL = SearchOptions.from_method("classy2011", names=("r2", "coverage", "redundancy1", "neg_log2_sentences"))
PLAIN = SearchOptions(effects="none", scale="none")
RESPONSIVENESS = RunTable("x", "responsiveness", "best")


def small_config(*names, runs=(RESPONSIVENESS,), **options):
    years = tuple(Year(name) for name in names)
    return Config(years=years, runs=tuple(runs), search=SMALL, tasks=("A",), **options)


def fit_options(**options):
    """Give the options of fits of the first measure, without effects of topics and scales of years."""
    return FitOptions(0, dataclasses.replace(PLAIN, **options))


def stacked_years(n_summarizers, n_topics, *, X=None, y=None, n_years=1):
    """Every summarizer on every topic of every year; years share the names of summarizers, not of topics."""
    n_rows = n_summarizers * n_topics
    years = []
    for year in range(n_years):
        rows = slice(year * n_rows, (year + 1) * n_rows)
        who, topics = np.divmod(np.arange(n_rows), n_topics)
        years.append(
            YearRows(
                X=np.zeros((n_rows, 1)) if X is None else np.asarray(X, float)[rows],
                Y=np.zeros((n_rows, 1)) if y is None else np.asarray(y, float)[rows, None],
                summarizers=who,
                topics=topics,
                years=np.zeros(n_rows, int),
                topic_names=year * n_topics + topics,
                summarizer_names=who,
                human=np.zeros(n_rows, bool),
            )
        )
    return stack_years(years)


@dataclass(frozen=True)
class Mean(Learner):
    """Predicts the mean judgment."""

    name: str = "mean"

    def fit(self, rows, target):
        return Linear((0.0,) * rows.X.shape[1], float(rows.Y[:, target].mean()))
