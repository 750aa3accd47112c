"""What the log says of a trained run: which subsets and learners were selected, and by what."""

from __future__ import annotations

import logging

from classy_aesop.errors import listed
from classy_aesop.training.record import TrainedRun

_LOG = logging.getLogger(__name__)
_MOST = 5


def log_run(trained: TrainedRun) -> None:
    """Log what a run's predictor is made of."""
    label, chosen = trained.run.label, trained.chosen
    _LOG.info("run %s: %d subsets used, best score %.3f", label, len(chosen.members), chosen.score)
    for member in chosen.members[:_MOST]:
        names, weight = "+".join(member.subset.names), member.weight
        _LOG.info("run %s: subset %s by %s, weight %.3f", label, names, member.fitter, weight)
    learners = trained.predictor.training.get("learners", [])
    if learners:
        shares = (f"{one['name']} {one['share']:.0%}" for one in learners if one["share"])
        _LOG.info("run %s: learners: %s", label, listed(shares, most=len(learners)))
    columns = listed(trained.predictor.columns, most=20)
    _LOG.info("run %s: %d columns: %s", label, len(trained.predictor.columns), columns)
