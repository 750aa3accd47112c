"""Judgments of a part, scores of everything: what ``estimate`` and ``power`` read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from classy_aesop.cli.sources import (
    CorpusOfTables,
    OptionalNames,
    choose_only_name,
    select_metrics,
)
from classy_aesop.errors import NOTE, UsageError, join_names
from classy_aesop.work.options import keywords_of, option

if TYPE_CHECKING:
    from classy_aesop.answers.answer_options import EstimateOptions
    from classy_aesop.answers.selection import PeerSet
    from classy_aesop.predictor import Predictor
    from classy_aesop.tables.result import Result

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class PartlyJudged(CorpusOfTables):
    """Judgments of a part, scores of everything, and how means are estimated from them."""

    judgments: Sequence[str]
    target: str
    scores: OptionalNames = ()
    metric: OptionalNames = None
    lower_is_better: OptionalNames = None
    predictors: OptionalNames = ()
    n_jobs: int = 1

    @property
    def paths(self) -> tuple[Sequence[str], Sequence[str]]:
        """The files of scores, and those of judgments."""
        return tuple(self.scores or ()), self.judgments

    def names(self, option: str) -> Iterable[str]:
        """Give the human measures that there are."""
        return self.tables((), self.judgments, self.corpus)[0][0]["metric"]

    def call_with_tables(
        self,
        function: Callable[..., Result],
        options: EstimateOptions | None,
        progress: bool,
        /,
        **other_options: object,
    ) -> Result:
        """Call a function of `answers` with the tables."""
        if not self._tables_read:
            self._tables_read.update(self._read(progress))
        arguments: dict[str, object] = {} if options is None else dict(keywords_of(options))
        arguments |= {"target": self.target, "metric": self.metric, "year": self.year, "task": self.task}
        arguments["lower_is_better"] = self.lower_is_better
        return function(**(arguments | self._tables_read | other_options))

    @cached_property
    def _tables_read(self) -> dict[str, object]:
        """The tables and the predictor, once they are read."""
        return {}

    def _read(self, progress: bool) -> dict[str, object]:
        """Give the judgments, the scores if there are any, and the only predictor; name the metrics."""
        from classy_aesop.data.doubts import warn_of_doubts
        from classy_aesop.data.scales import set_scale

        corpus = self.corpus
        selection = self.selection
        tables, humans = self.tables((), self.judgments, corpus)
        scores = self.read_imported(self.scores or (), corpus)
        if self.metric and scores is None and not self.predictors:
            raise UsageError("--metric needs --scores or --predictor")
        if scores is not None and not self.metric:
            used = dict.fromkeys(name for name in scores["metric"] if name != self.target)
            _LOG.log(NOTE, "metrics: %s", join_names(used, limit=20))
        predictors: list[Predictor] = []
        if self.predictors:
            import pandas as pd

            from classy_aesop.predictor import Predictor

            if corpus is None:
                raise UsageError("--predictor needs the summaries; expected --corpus IN")
            # summarizers who are left out are no peers of the others, as in `predict`
            topics = self.select_subset(corpus).topics
            predictors += [Predictor.load(path) for path in self.predictors]
            predictions = [
                predictor.predict(topics, scores=scores, n_jobs=self.n_jobs, progress=progress)
                for predictor in predictors
            ]
            scores = pd.concat(predictions, ignore_index=True)
            summarizers = {*tables[0]["summarizer"], *scores["summarizer"]}
            selection = replace(
                selection, exclude=[name for name in self.exclude or () if name in summarizers]
            )
        tables += [] if scores is None else [scores]
        tables[0] = set_scale(tables[0], self.scale, [self.target])
        by_role = dict(
            zip(("judgments", "scores"), selection.select_tables(tables, humans=humans), strict=False)
        )
        names = {"judgments": [self.target], "scores": self.metric}
        warn_of_doubts(*(select_metrics(table, names[role]) for role, table in by_role.items()))
        return {**by_role, "predictor": predictors[0] if len(predictors) == 1 else None}


@dataclass(frozen=True, kw_only=True)
class PlannedSource(PartlyJudged):
    """Judgments whose topics are planned; for estimates from a part of them also scores of everything."""

    metric: OptionalNames = option(
        None,
        "the metric or human measure; of --scores only these metrics",
        metavar="M",
        is_list=True,
        without="the only one; of --scores every one",
        unset="all",
    )
    target: OptionalNames = option(  # type: ignore[assignment]
        None,
        "the human measure that is estimated",
        metavar="T",
        is_list=True,
        without="the only one",
        unset="none",
    )
    scores: OptionalNames = None
    predictors: OptionalNames = None

    def choose_target(self, *, of_estimates: bool, peers: PeerSet | None) -> None:
        """Choose the one measure that is planned for: with scores --target names it, else --metric does as well."""
        has_scores = bool(self.scores or self.predictors)
        names = self.target if has_scores else self.target or self.metric
        option = "target" if of_estimates else "metric"
        if len(names or ()) > 1:
            raise UsageError(f"--{option} is {join_names(names)}; expected one, whose topics are planned")
        chosen = {
            "target": names[0] if names else choose_only_name(option, self.names(option)),
            "metric": self.metric if has_scores else None,
            "peers": self.peers or peers,
        }
        for name, value in chosen.items():
            object.__setattr__(self, name, value)
