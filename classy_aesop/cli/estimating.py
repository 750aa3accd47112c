"""Commands on a part of the judgments: what the others would say (estimate), how many it takes (estimate-plan)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.commands import Asked, Command
from classy_aesop.cli.sources import GROUPS, CorpusOfTables, Group, imported
from classy_aesop.errors import InputError, UsageError
from classy_aesop.report.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.analysis.judgments import Population
    from classy_aesop.cli.sources import Names
    from classy_aesop.data import Humans
    from classy_aesop.data.corpus import Corpus
    from classy_aesop.significance.choices import MethodOfMeans


@dataclass(frozen=True, kw_only=True)
class PartlyJudged(CorpusOfTables):
    """Judgments of a part, scores of everything, and how means are estimated from them."""

    judgments: str
    target: str
    scores: Names = ()
    metrics: Names = None
    predictors: Names = ()
    estimator: MethodOfMeans = "hierarchical"
    population: Population | None = None
    confidence: float = 0.95
    looks: int = 1
    seed: int = 0

    def found_by(
        self, function: Callable[..., pd.DataFrame], n_jobs: int, asked: Asked, **how: Any
    ) -> pd.DataFrame:
        """Read the tables and call a function of the analysis; say what helps where just humans lack scores."""
        from classy_aesop.analysis.judgments import IncompleteScoresError
        from classy_aesop.data.scores import with_places

        given, humans = self._arguments(n_jobs, asked)
        try:
            return with_places(function(**given, **how))
        except IncompleteScoresError as error:
            if not all(humans.get(one) for one in error.summarizers):
                raise
            raise InputError(
                f"{error}; humans alone lack scores, and --peers no_models leaves them out"
            ) from None

    def _arguments(self, n_jobs: int, asked: Asked) -> tuple[dict[str, Any], Humans]:
        """Give what the functions of the analysis take, and who is human."""
        corpus = self.corpus()
        tables, humans = self.tables((), [self.judgments], corpus)
        scores = imported(self.scores or (), corpus)
        if self.predictors:
            scores = self._predicted(corpus, scores, n_jobs, asked)
        tables += [] if scores is None else [scores]
        kept = self.selection().of_tables(tables, humans=humans)
        who = {"target": self.target, "metrics": self.metrics, "year": self.year, "task": self.task}
        named = dict(zip(("judgments", "scores"), kept, strict=False))
        how = {"method": self.estimator, "population": self.population, "confidence": self.confidence}
        return {**named, **who, **how, "looks": self.looks, "seed": self.seed}, humans

    def _predicted(
        self, corpus: Corpus | None, scores: pd.DataFrame | None, n_jobs: int, asked: Asked
    ) -> pd.DataFrame:
        """Predict the corpus; imported scores are for the predictors."""
        import pandas as pd

        from classy_aesop.predictor import Predictor

        if corpus is None:
            raise UsageError("--predictor needs the summaries; expected --corpus IN")
        learned = [Predictor.load(path) for path in self.predictors or ()]
        how: dict[str, Any] = {"scores": scores, "n_jobs": n_jobs, "progress": asked.progress}
        return pd.concat([one.predict(corpus.topics, **how) for one in learned], ignore_index=True)


GROUPS["partly_judged"] = Group(PartlyJudged)


def estimate(
    partly_judged: PartlyJudged,
    differences: bool = False,
    baseline: str | None = None,
    margin: float | tuple[float, float] | None = None,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> Result:
    """Estimate the mean human scores of systems from a part of the judgments."""
    from classy_aesop.analysis.judgments import estimate, estimate_differences

    if not differences and (baseline is not None or margin is not None):
        raise UsageError("--baseline and --equivalence go with --differences")
    if differences:
        how: dict[str, Any] = {"baseline": baseline, "margin": margin}
        return Result(partly_judged.found_by(estimate_differences, n_jobs, asked, **how))
    return Result(partly_judged.found_by(estimate, n_jobs, asked))


def estimate_plan(
    partly_judged: PartlyJudged,
    width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    raters: int | None = None,
    n_jobs: int = 1,
    *,
    asked: Asked,
) -> Result:
    """Say how many judged topics make estimates precise enough (for a test of two summarizers: power)."""
    from classy_aesop.analysis.judgments import estimate_plan

    wanted: dict[str, Any] = {"width": width, "difference": difference, "power": power, "raters": raters}
    return Result(partly_judged.found_by(estimate_plan, n_jobs, asked, **wanted))


COMMANDS = (Command(estimate, tables=("differences",)), Command(estimate_plan))
