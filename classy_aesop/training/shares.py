"""How much of a mixture each of its learners has.

Learners of many columns have equal shares, which are hard to beat: few data do not show which of them is best, and
held-out single summaries do not show which ranks systems best (docs/prediction.md). Single columns are known metrics;
the fewer systems or judged summaries there are to learn from, the larger their share.

How single columns divide it where some are imported metrics: not by their correlations, whose errors on few judgments
are as large as their differences, but by how often a resample of the judgments chooses them (docs/prediction.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from classy_aesop.fitters.nonnegative import MIN_CORRELATION
from classy_aesop.search import Rows
from classy_aesop.search.row_arrays import Mask, cell_means
from classy_aesop.text.arrays import Floats
from classy_aesop.training.learners import Learner, SingleColumn
from classy_aesop.training.year_rows import YearRows
from classy_aesop.work.seeds import seeded_rng

MIN_SUMMARIZERS_FOR_FITTERS = 10
"""Number of summarizers up to which only single columns are used."""

MIN_JUDGMENTS_FOR_FITTERS = 80
"""Number of judged summaries up to which only single columns are used, where one is an imported metric."""

N_RESAMPLES_OF_SHARES = 500
"""Resamples of topics and summarizers, each of which chooses one single column."""

MIN_SHARE_TO_REVERSE = 0.99
"""Share of resamples in which the correlation of an imported metric is negative, from which its sign is turned."""

_DECIMALS = 9
"""Correlations are compared after rounding: which of two equal columns is chosen must not depend on the processor."""


def learner_shares(
    learners: Sequence[Learner],
    stacked: YearRows,
    target: int,
    *,
    relative: Sequence[str],
    imported: Sequence[str],
    same_summarizers: bool,
    seed: int = 0,
) -> tuple[float, ...]:
    """Give all learners of many columns the same share, and known metrics, which are single columns, their own.

    For other summarizers than the n learned from, the single columns together have (`MIN_SUMMARIZERS_FOR_FITTERS` / n)
    squared of the prediction, at most all. Else as much as another learner if one of them is imported, and nothing if
    not. With an imported metric they have at least the square root of `MIN_JUDGMENTS_FOR_FITTERS` over the number of
    judged summaries.
    """
    single = [learner for learner in learners if isinstance(learner, SingleColumn)]
    n_fitters = len(learners) - len(single)
    if not single or (not n_fitters and not any(learner.name in imported for learner in single)):
        return (1 / len(learners),) * len(learners)
    is_imported = np.array([learner.name in imported for learner in single])
    if not n_fitters:
        single_share = 1.0
    elif same_summarizers:
        single_share = 1 / (n_fitters + 1) if is_imported.any() else 0.0
    else:
        n_summarizers = np.unique(stacked.summarizer_names).size
        single_share = min((MIN_SUMMARIZERS_FOR_FITTERS / n_summarizers) ** 2, 1.0)
    if is_imported.any():
        n_judgments = max(int(np.isfinite(stacked.Y[:, target]).sum()), 1)
        single_share = max(single_share, min((MIN_JUDGMENTS_FOR_FITTERS / n_judgments) ** 0.5, 1.0))
    divided = _divide_among_metrics(single, is_imported, stacked, target, len(relative), seed)
    shares = iter((single_share * divided).tolist())
    fitter_share = (1 - single_share) / max(n_fitters, 1)
    return tuple(next(shares) if isinstance(learner, SingleColumn) else fitter_share for learner in learners)


def _divide_among_metrics(
    single: Sequence[SingleColumn], is_imported: Mask, rows: Rows, target: int, n_relative: int, seed: int
) -> Floats:
    """Divide what single columns have together among them, (n_single,); equally if none gets anything here.

    Features share equally, but one that correlates negatively within topics, by at most two standard errors, has none,
    as a falling line would reverse it. With an imported metric shares are in proportion to the squared share of
    resamples that choose a column: the probability that two of them agree on it.
    """
    positions = [learner.position for learner in single]
    values = _values_within_topics(rows, positions, target, n_relative)
    correlations, errors = _correlations_within_topics(values)
    if is_imported.any():
        weights = _selection_rates(values, correlations, rows, is_imported, seed) ** 2
    else:
        is_negative_by_chance = (correlations < -MIN_CORRELATION) & (correlations > -2 * errors)
        is_of_same_topic = np.array([not learner.name.endswith("@A") for learner in single])
        weights = np.where(is_of_same_topic & is_negative_by_chance, 0.0, 1.0)
    return np.asarray(weights / weights.sum() if weights.any() else np.full(len(single), 1 / len(single)))


def _values_within_topics(rows: Rows, positions: Sequence[int], target: int, n_relative: int) -> Floats:
    """Return columns, then the human scores, less their topic's mean, (n_rows, n_columns + 1); NaN where missing.

    Positions are counted from the first relative column, a difference, if there are any.
    """
    first = rows.X.shape[1] - n_relative if n_relative else 0
    code = np.unique(rows.topics, return_inverse=True)[1]
    values = np.hstack([rows.X[:, np.array(positions) + first], rows.Y[:, [target]]])
    values[~np.isfinite(values)] = np.nan
    return np.asarray(values - cell_means(values, code, int(code.max()) + 1)[code])


def _correlations_within_topics(values: Floats) -> tuple[Floats, Floats]:
    """Correlate columns with the last one (n_columns,), 0 where either is constant; and their standard errors."""
    X, y = np.split(values, [-1], axis=1)
    exists = np.isfinite(X) & np.isfinite(y)
    X = np.where(exists, X, 0.0)
    y = np.where(exists, y, 0.0)
    squares = (X**2).sum(axis=0) * (y**2).sum(axis=0)
    correlations = np.zeros(len(squares))
    np.divide((X * y).sum(axis=0), np.sqrt(squares), out=correlations, where=squares > 0)
    return correlations, 1 / np.sqrt(np.maximum(exists.sum(axis=0), 1))


def _selection_rates(
    values: Floats, correlations: Floats, rows: Rows, may_be_reversed: Mask, seed: int
) -> Floats:
    """Return how often each column correlates best with the human scores on resamples, (n_columns,).

    Summarizers and topics are resampled. The correlation is the mean of those of the summarizers' means and of single
    summaries within topics: the first is what users ask for, the second rests on more data. Best is the highest above
    0. The sign of an imported metric, for which less may be better, is turned only where nearly all resamples agree.
    Any other column whose correlation within topics is negative is never chosen: its line falls by chance.
    """
    resampled = resampled_correlations(values, rows.summarizers, rows.topics, N_RESAMPLES_OF_SHARES, seed)
    is_reversed = may_be_reversed & ((resampled < 0).mean(axis=0) >= MIN_SHARE_TO_REVERSE)
    signs = np.where(is_reversed, -1.0, 1.0)
    resampled = np.where(signs * correlations > MIN_CORRELATION, signs * resampled, 0.0)
    chosen = resampled.argmax(axis=1)[resampled.max(axis=1) > 0]
    return np.bincount(chosen, minlength=len(correlations)) / N_RESAMPLES_OF_SHARES


def resampled_correlations(
    values: Floats,
    summarizers: NDArray[np.int64],
    topics: NDArray[np.int64],
    n_resamples: int,
    seed: int,
) -> Floats:
    """Correlate columns with human scores on resamples of summarizers and topics."""
    summarizer = np.unique(summarizers, return_inverse=True)[1]
    topic = np.unique(topics, return_inverse=True)[1]
    shape = (int(summarizer.max()) + 1, int(topic.max()) + 1)
    rng = seeded_rng(seed, "metrics")
    of_summarizers = _draw_counts(shape[0], n_resamples, rng)
    of_topics = _draw_counts(shape[1], n_resamples, rng)
    cells = np.full((values.shape[1], *shape), np.nan)
    cells[:, summarizer, topic] = values.T
    *columns, human = cells
    correlations = [_correlate_cells(column, human, of_summarizers, of_topics) for column in columns]
    return np.stack(correlations, axis=1).round(_DECIMALS)


def _draw_counts(n: int, n_resamples: int, rng: np.random.Generator) -> Floats:
    """Draw how often each of n is in each resample, (n_resamples, n)."""
    return np.asarray(rng.multinomial(n, np.full(n, 1 / n), size=n_resamples), np.float64)


def _correlate_cells(x: Floats, y: Floats, of_summarizers: Floats, of_topics: Floats) -> Floats:
    """Correlate cells (n_summarizers, n_topics) on resamples, (n_resamples,), as `resampled_correlations` says."""
    exists = np.isfinite(x) & np.isfinite(y)
    weights = exists.astype(np.float64)
    x = np.where(exists, x, 0.0)
    y = np.where(exists, y, 0.0)
    n_cells = of_summarizers @ weights  # of each topic of a resample, (n_resamples, n_topics)
    divisor = np.maximum(n_cells, 1.0)
    x_means = of_summarizers @ x / divisor
    y_means = of_summarizers @ y / divisor

    def sum_within(a: Floats, b: Floats, a_means: Floats, b_means: Floats) -> Floats:
        """Sum the products of deviations from topic means over a resample, (n_resamples,)."""
        return np.asarray(((of_summarizers @ (a * b) - n_cells * a_means * b_means) * of_topics).sum(axis=1))

    within = _correlation_of(
        sum_within(x, y, x_means, y_means),
        sum_within(x, x, x_means, x_means),
        sum_within(y, y, y_means, y_means),
    )
    n_topics = of_topics @ weights.T  # of each summarizer of a resample, (n_resamples, n_summarizers)
    x_effects = (of_topics @ x.T - (of_topics * x_means) @ weights.T) / np.maximum(n_topics, 1.0)
    y_effects = (of_topics @ y.T - (of_topics * y_means) @ weights.T) / np.maximum(n_topics, 1.0)
    counts = of_summarizers * (n_topics > 0)
    x_effects -= (counts * x_effects).sum(axis=1, keepdims=True) / np.maximum(
        counts.sum(axis=1, keepdims=True), 1.0
    )
    y_effects -= (counts * y_effects).sum(axis=1, keepdims=True) / np.maximum(
        counts.sum(axis=1, keepdims=True), 1.0
    )
    between = _correlation_of(
        (counts * x_effects * y_effects).sum(axis=1),
        (counts * x_effects**2).sum(axis=1),
        (counts * y_effects**2).sum(axis=1),
    )
    return np.asarray(0.5 * (within + between))


_ROUNDING = 1e-12
"""A sum of squares below this share of the largest of all resamples counts as 0."""


def _correlation_of(products: Floats, x_squares: Floats, y_squares: Floats) -> Floats:
    """Return correlations from sums of products and of squares, 0 where one does not vary."""
    varies = (x_squares > _ROUNDING * x_squares.max(initial=0.0)) & (
        y_squares > _ROUNDING * y_squares.max(initial=0.0)
    )
    scale = np.sqrt(np.where(varies, x_squares * y_squares, 1.0))
    return np.where(varies, products / scale, 0.0)
