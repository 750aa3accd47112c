"""Commands on what a test rests on: do assessors agree (assessors), are there enough topics (power)?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classy_aesop.cli.commands import NOT_DRAWN, Command, How
from classy_aesop.cli.sources import imported
from classy_aesop.errors import UsageError
from classy_aesop.report.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.sources import CorpusOfTables, Names, Table
    from classy_aesop.data import Corpus
    from classy_aesop.significance.choices import Scale


def assessors(
    corpus_of_tables: CorpusOfTables,
    ratings: str | None = None,
    labels: pd.DataFrame | None = None,
    metrics: Names = None,
    scale: Scale = "interval",
    confidence: float = 0.95,
    confusion: bool = False,
    reliability: bool = False,
    worst: int | None = None,
    identical_texts: bool = False,
    scores: Names = (),
    *,
    how: How,
) -> Result:
    """Say how far raters agree with each other, or with themselves on identical texts."""
    from classy_aesop.analysis.assessors import assessor_agreement, assessor_confusion, assessor_exclusion
    from classy_aesop.analysis.raters import rater_reliability
    from classy_aesop.data.scores import with_places
    from classy_aesop.studies.printed import misprints

    if scores and not worst:
        raise UsageError("--scores goes with --worst; expected both or none")
    if sum(map(bool, (confusion, reliability, worst))) > 1:
        raise UsageError("--confusion, --reliability and --worst do not go together; expected one of them")
    corpus = corpus_of_tables.corpus()
    if identical_texts and corpus is None:
        raise UsageError("--identical-texts needs the texts; expected --corpus IN")
    rated = _rated(ratings, corpus, corpus_of_tables, labels)
    texts = corpus if identical_texts else None
    part: dict[str, Any] = {"metrics": metrics, "year": corpus_of_tables.year, "task": corpus_of_tables.task}
    signed: dict[str, object] = {"of": "identical-texts" if identical_texts or worst else "summaries"}
    if confusion:
        table = assessor_confusion(rated, corpus=texts, **part)
        signed |= {"scale": None, "confidence": None, **NOT_DRAWN}
    elif reliability:
        if scale != "interval":
            raise UsageError(f"--scale {scale} is about alpha; --reliability is of interval ratings")
        table = rater_reliability(rated, n_jobs=how["n_jobs"], progress=how["progress"], **part)
        signed |= {"scale": None, "confidence": None, "of": None, **NOT_DRAWN}
        return Result(with_places(table), signed)
    elif worst:
        if corpus is None:
            raise UsageError("--worst needs --corpus: who agrees least is found on identical texts")
        found = imported(scores or (), corpus)
        table = assessor_exclusion(rated, corpus, scores=found, scale=scale, worst=worst, **part)
        signed |= {"confidence": None, **NOT_DRAWN}
    else:
        table = assessor_agreement(rated, corpus=texts, scale=scale, confidence=confidence, **how, **part)
    return Result(with_places(table), signed, misprints("assessors") if identical_texts or worst else ())


def _rated(
    path: str | None, corpus: Corpus | None, part: CorpusOfTables, labels: pd.DataFrame | None
) -> pd.DataFrame:
    """Read the ratings of those who take part, with the assessors of a table of topics."""
    from classy_aesop.data import joined_humans, read_humans, read_scores
    from classy_aesop.studies.judged import with_labels

    humans = {} if corpus is None else corpus.humans()
    if path is not None:
        how = part.how_read(path, of_humans=True)
        ratings = read_scores(path, of_humans=True, **how)
        humans = joined_humans(read_humans(path, **how), humans)
    elif corpus is not None:
        ratings = corpus.judgments if corpus.ratings.empty else corpus.ratings
    else:
        raise UsageError("nothing to read; expected RATINGS, --corpus IN or both")
    if labels is not None:
        ratings = with_labels(ratings, labels, "assessor")
    return part.selection().of(ratings, humans=humans) if part.names_peers else ratings


def power(score_table: Table, metric: str, difference: float, systems: Names = None, *, how: How) -> Result:
    """Say how many topics a test takes to show a difference (for estimates: estimate-plan)."""
    from classy_aesop.analysis.systems import plan_topics
    from classy_aesop.data.scores import with_places

    (scores,), _ = score_table.read([metric], default="all_peers" if systems else None)
    return Result(with_places(plan_topics(scores, metric, difference, systems=systems, **how)))


COMMANDS = (
    Command(assessors, passed="n_resamples seed n_jobs", tables=("confusion", "reliability", "worst")),
    Command(power, passed="power test preset alpha max_topics n_trials seed n_jobs"),
)
