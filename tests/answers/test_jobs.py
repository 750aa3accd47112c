"""Workers and bars change no table."""

import pandas as pd
import pytest

from classy_aesop.answers.assessors import assessors
from classy_aesop.answers.metric_pairs import evaluate_pairs
from classy_aesop.answers.metrics import evaluate
from classy_aesop.answers.topic_plans import power

INTERVAL = {"interval": "boot-both", "n_resamples": 99}
PLAN = {"systems": ["1", "2", "3"], "n_trials": 50, "max_topics": 60}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:6 systems")
@pytest.mark.filterwarnings("ignore:.*least-squares means are reported:classy_aesop.errors.DataWarning")
def test_workers_and_bars_change_no_table(tables, capsys):
    scores, truth = tables
    score = truth["score"].round()
    rated = pd.concat([truth.assign(assessor=name, score=score + at) for at, name in enumerate("xy")])
    works = {
        "metrics": lambda **how: evaluate_pairs(scores, truth, "human", n_resamples=199, **how).table,
        "correlations": lambda **how: evaluate(scores, truth, level=["system"], **INTERVAL, **how).table,
        "topics needed": lambda **how: power(truth, "human", 1.0, **PLAN, **how).table,
        "alpha": lambda **how: assessors(rated, **how).table,
    }
    for step, work in works.items():
        alone = work()
        assert capsys.readouterr().err == ""
        pd.testing.assert_frame_equal(work(n_jobs=2, progress=True), alone)
        assert f"{step}: 100%" in capsys.readouterr().err
