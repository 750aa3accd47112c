"""Workers and bars change no table."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.analysis.assessors import assessor_agreement
from classy_aesop.analysis.metric_pairs import compare_metrics
from classy_aesop.analysis.metrics import IntervalOptions, agree, evaluate
from classy_aesop.analysis.systems import plan_topics
from classy_aesop.data import tidy

INTERVAL = IntervalOptions("boot-both", n_resamples=99)


def tables():
    rng = np.random.default_rng(5)
    keys = [(f"t{topic}", f"s{system}") for topic in range(8) for system in range(7)]
    frame = pd.DataFrame(keys, columns=["topic", "summarizer"])
    level = frame["summarizer"].str[1:].astype(float)
    noise = {name: level + rng.normal(size=len(frame)) for name in ("m1", "m2", "m3")}
    truth = tidy(frame.assign(overall=level + rng.normal(size=len(frame))))
    return tidy(frame.assign(**noise)), truth


@pytest.mark.slow
def test_workers_and_bars_change_no_table(capsys):
    scores, truth = tables()
    score = truth["score"].round()
    rated = pd.concat([truth.assign(assessor=name, score=score + at) for at, name in enumerate("xy")])
    works = {
        "agreement": lambda **how: agree(scores, truth, "overall", combine=2, **how),
        "metrics": lambda **how: compare_metrics(scores, truth, "overall", n_resamples=199, **how),
        "correlations": lambda **how: evaluate(scores, truth, levels=["system"], interval=INTERVAL, **how),
        "topics needed": lambda **how: plan_topics(
            truth, "overall", 1.0, systems=["s0", "s1", "s2"], n_trials=50, max_topics=60, **how
        ),
        "alpha": lambda **how: assessor_agreement(rated, n_resamples=99, **how),
    }
    for step, work in works.items():
        alone = work()
        assert capsys.readouterr().err == ""
        pd.testing.assert_frame_equal(work(n_jobs=2, progress=True), alone)
        assert f"{step}: 100%" in capsys.readouterr().err
