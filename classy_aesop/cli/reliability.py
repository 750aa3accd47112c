"""Commands on what a test rests on: do assessors agree (assessors), are there enough topics (power)?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classy_aesop.cli.commands import Asked, Command
from classy_aesop.cli.sources import corpus_of_tables, imported
from classy_aesop.errors import UsageError
from classy_aesop.report.result import Result
from classy_aesop.significance.defaults import ALPHA, N_RESAMPLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from classy_aesop.cli.sources import Names, Part, Table
    from classy_aesop.corpus import Corpus


def assessors(
    part: Part,
    ratings: str | None = None,
    corpus_path: str | None = None,
    layout: str = "auto",
    columns: Sequence[tuple[str, str]] = (),
    labels: pd.DataFrame | None = None,
    metrics: Names = None,
    scale: str = "interval",
    confidence: float = 0.95,
    confusion: bool = False,
    worst: int | None = None,
    scores: Names = (),
    scores_layout: str = "auto",
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> Result:
    """Say how far assessors agree with each other, or with themselves (--corpus)."""
    from classy_aesop.analysis import assessors, exclusion
    from classy_aesop.studies.misprints import misprints

    if scores and not worst:
        raise UsageError("--scores goes with --worst; expected both or none")
    if confusion and worst:
        raise UsageError("--confusion does not go with --worst; expected one of them")
    corpus = corpus_of_tables(corpus_path, layout, columns)
    rated = _rated(ratings, corpus, part, labels)
    chosen: dict[str, Any] = {"metrics": metrics, "year": part.year, "task": part.task}
    signed: dict[str, object] = {"of": "summaries" if corpus is None else "identical-texts"}
    drawn = {"n_resamples": n_resamples, "seed": seed}
    unused = {"confidence": None, "resamples": None, "seed": None}
    if confusion:
        table = assessors.assessor_confusion(rated, corpus=corpus, **chosen)
        signed |= unused | {"scale": None}
    elif worst:
        if corpus is None:
            raise UsageError("--worst needs --corpus: who agrees least is found on identical texts")
        found = imported(scores or (), scores_layout, corpus)
        table = exclusion.assessor_exclusion(rated, corpus, scores=found, scale=scale, worst=worst, **chosen)
        signed |= unused
    else:
        how: dict[str, Any] = {"scale": scale, "confidence": confidence, "n_jobs": n_jobs, **drawn}
        table = assessors.assessor_agreement(rated, corpus=corpus, progress=asked.progress, **how, **chosen)
    return Result(table, signed, misprints("assessors") if corpus is not None else ())


def _rated(path: str | None, corpus: Corpus | None, part: Part, labels: pd.DataFrame | None) -> pd.DataFrame:
    """Read the ratings of those who take part, with the assessors of a table of topics."""
    from classy_aesop.scores import joined_humans, read_humans, read_scores
    from classy_aesop.studies.topic_labels import with_labels

    humans = {} if corpus is None else corpus.humans()
    if path is not None:
        ratings = read_scores(path)
        humans = joined_humans(read_humans(path), humans)
    elif corpus is not None:
        ratings = corpus.judgments if corpus.ratings.empty else corpus.ratings
    else:
        raise UsageError("nothing to read; expected RATINGS, --corpus IN or both")
    if labels is not None:
        ratings = with_labels(ratings, labels, "assessor")
    return part.selection().of(ratings, humans=humans) if part.names_peers else ratings


def power(
    score_table: Table,
    metric: str,
    difference: float,
    systems: Names = None,
    power: float = 0.8,
    test: str = "wilcoxon",
    preset: str = "standard",
    alpha: float = ALPHA,
    max_topics: int = 2_000,
    n_trials: int = 2_000,
    seed: int = 0,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> Result:
    """Say how many topics show a difference between summarizers."""
    from classy_aesop.analysis.power import plan_topics

    (scores,), _ = score_table.read([metric], default="all_peers" if systems else None)
    how: dict[str, Any] = {"power": power, "test": test, "preset": preset, "alpha": alpha}
    how |= {"max_topics": max_topics, "n_trials": n_trials, "seed": seed, "systems": systems}
    table = plan_topics(scores, metric, difference, n_jobs=n_jobs, progress=asked.progress, **how)
    return Result(table)


COMMANDS = (Command(assessors, tables=("confusion", "worst")), Command(power))
