"""The columns of what an experiment finds: predictions, correlations, the comparison with a rival, contributions."""

from __future__ import annotations

from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    PEER_SET,
    SELDOM,
    TARGET,
    TASK,
    YEAR,
    estimate,
    interval,
    item,
    optional,
    p_value,
    remark,
    setting,
)

RUN = item("run", "the run of the configuration; empty for a metric that is no prediction")
FITTER = item("fitter", "what fitted the predictor")
PREDICTOR = item("metric", "the predictor of the run, or the metric beside it")

RUN_OF_METRIC = (RUN, TARGET, TASK, PEER_SET, FITTER, PREDICTOR)
"""Of which run and metric a correlation is."""

CORRELATION_ENDS = interval("low", "high", "Fisher's 95 % interval, of system means", priority=MAIN)

PREDICTIONS = (
    YEAR,
    item("topic", "the topic"),
    TASK,
    item("summarizer", "who wrote the summary"),
    METRIC,
    estimate("score", "the prediction, on the scale of the human measure", priority=MAIN),
    *interval("low", "high", "the interval of a mean judgment of this summary", priority=MAIN),
    *optional(
        remark("form", "whether a score is relative to its topic's summaries or by itself", priority=SELDOM)
    ),
    remark("outside", "columns that lie outside the range of the training data", priority=SELDOM),
    item("human", "whether the summarizer is a human", "bool", priority=0),
    estimate("judged", "the human score", priority=MAIN),
)

VERDICT = (
    RUN,
    TARGET,
    TASK,
    PEER_SET,
    PREDICTOR,
    item("against", "the rival: ROUGE-2, or the best imported metric where there is no ROUGE-2"),
    estimate("selected", "score of the selected subset on the selection years", priority=MAIN),
    estimate("value", "Pearson's correlation of system means on the predicted year", priority=MAIN),
    estimate("rival", "that of the rival", priority=MAIN),
    estimate("difference", "value less rival", priority=MAIN),
    p_value("p", "of the difference, for other systems like these", priority=MAIN),
    p_value("p_here", "of the difference, for these systems and topics", priority=MAIN),
    p_value("p_adjusted", "p corrected for all runs (Holm)", is_corrected=True, priority=MAIN),
    p_value("p_here_adjusted", "p_here corrected for all runs (Holm)", is_corrected=True, priority=MAIN),
    setting("n_resamples", "resamples of the tests", "int"),
)

CONTRIBUTIONS = (
    METRIC,
    item("part", "the column of the predictor"),
    item("group", "the group of the feature", priority=0),
    estimate("mean", "mean of its contributions to the predictions", priority=MAIN),
    estimate("spread", "their standard deviation", priority=MAIN),
)
