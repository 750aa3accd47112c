"""Commands that score summaries by metrics we are compared with: rouge, baselines, leaderboard."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.commands import Asked, Command, How
from classy_aesop.cli.streaming import FORMATS, Streamable, result
from classy_aesop.cli.testing import Intervals
from classy_aesop.errors import InputError, UsageError
from classy_aesop.report.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.baselines.rouge_metrics import Aggregate, RougeMetric
    from classy_aesop.cli.sources import CorpusSource, Names
    from classy_aesop.data.corpus import Corpus
    from classy_aesop.text.sentences import Sentences
    from classy_aesop.text.stems import Stemming


def rouge(
    streamable: Streamable,
    rouge_metrics: Sequence[RougeMetric] | None = None,
    jackknife: bool = False,
    stemming: Stemming = "exceptions",
    stop_words: bool = False,
    aggregate: Aggregate = "average",
    limit_words: int | None = None,
    recall_weight: float = 0.5,
    sentences: Sentences = "given",
    per_summary: bool = False,
    n_resamples: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
    *,
    asked: Asked,
) -> Result | None:
    """Score every summary of a corpus by ROUGE-1.5.5, and average over topics."""
    import numpy as np

    from classy_aesop.baselines import Rouge, rouge_averages
    from classy_aesop.baselines.rouge import METRICS
    from classy_aesop.baselines.rouge_metrics import STATISTICS
    from classy_aesop.data.scores import with_places
    from classy_aesop.data.streaming import Stream
    from classy_aesop.report.screen import rouge_lines

    scorer = Rouge(
        stemming=stemming,
        stop_words=stop_words,
        aggregate=aggregate,
        limit_words=limit_words,
        alpha=recall_weight,
        metrics=tuple(rouge_metrics or METRICS),
    )
    if n_resamples < 2:
        raise UsageError(f"--resamples is {n_resamples}; expected 2 or more")
    score = partial(scorer.table, statistics=STATISTICS, jackknife=jackknife, sentences=sentences)
    corpus = streamable.topics()
    if isinstance(corpus, Stream):
        streamed = corpus.table(score, n_jobs=streamable.n_jobs)
        if per_summary and asked.format in FORMATS:
            return result(streamed, asked)
        scores = streamed.whole()
    else:
        scores = score(corpus, progress=asked.progress)
    rng = np.random.default_rng(seed)
    averages = rouge_averages(scores, rng, n_resamples=n_resamples, confidence=confidence)
    lines = partial(rouge_lines, averages, scores, confidence=confidence, per_summary=per_summary)
    return Result(with_places(scores if per_summary else averages), lines=lines)


def baselines(
    streamable: Streamable,
    baselines: Names = None,
    references: Names = None,
    metrics: Names = None,
    jackknife: bool = False,
    *,
    asked: Asked,
) -> Result | None:
    """Score summaries by ROUGE and other known metrics."""
    from classy_aesop.baselines import BASELINES, ONLY_BY_NAME
    from classy_aesop.data.scores import with_places
    from classy_aesop.data.streaming import Stream

    signed: dict[str, Any] = {
        "baselines": baselines or [name for name in BASELINES if name not in ONLY_BY_NAME]
    }
    corpus = streamable.topics()
    score = partial(
        _scored, baselines=_named(baselines), references=references, metrics=metrics, jackknife=jackknife
    )
    if isinstance(corpus, Stream):
        return result(corpus.table(score, n_jobs=streamable.n_jobs), asked, signed)
    return Result(with_places(score(corpus, progress=asked.progress)), signed)


def _scored(
    corpus: Corpus,
    *,
    baselines: Names,
    references: Names,
    metrics: Names,
    jackknife: bool,
    progress: bool = False,
) -> pd.DataFrame:
    """Score a corpus, or a block of one, and keep the metrics that are asked for."""
    from classy_aesop.analysis.tables import only
    from classy_aesop.baselines.scoring import score_baselines

    chosen = _of_references(corpus, references)
    table = score_baselines(chosen, baselines, jackknife=jackknife, progress=progress)
    return only(table, "metric", metrics)


def _named(baselines: Names) -> list[str] | None:
    """Give the baselines that are named; ``none`` is no baseline, and None is all."""
    return None if baselines is None else [name for name in baselines if name != "none"]


def _of_references(corpus: Corpus, references: Names) -> Corpus:
    try:
        return corpus if references is None else corpus.select(references=references)
    except InputError as error:
        raise UsageError(f"--reference: {error}") from None


def leaderboard(
    source: CorpusSource,
    intervals: Intervals,
    target: str,
    baselines: Names = None,
    references: Names = None,
    metrics: Names = None,
    predictors: Names = (),
    scores: Names = (),
    ceiling: bool = False,
    *,
    how: How,
) -> Result:
    """Compare baselines, predictors and imported metrics by their correlation with humans."""
    from classy_aesop.analysis.leaderboard import leaderboard
    from classy_aesop.data.scores import with_places
    from classy_aesop.predictor import Predictor

    learned = [Predictor.load(path) for path in predictors or ()]
    part = source.read(who=False)
    table = leaderboard(
        _of_references(part, references),
        target,
        peers=source.selection(),
        metrics=_named(baselines),
        shown=metrics,
        predictors=learned,
        scores=source.imported(part, scores or ()),
        interval=intervals.options(),
        raters=ceiling,
        **how,
    )
    files = [Path(name).name for name in scores or ()]
    signed = {
        "peers": list(table["peers"].unique()),
        "baselines": "all" if baselines is None else baselines,
        "predictors": [one.name for one in learned],
        "scores": [*files, *part.scores["metric"].unique()],
    }
    return Result(with_places(table), signed | intervals.signed())


COMMANDS = (
    Command(rouge, tables=("per_summary",)),
    Command(baselines, format="tsv"),
    Command(leaderboard, passed="levels coefficients n_jobs"),
)
