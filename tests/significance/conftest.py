"""What other programs answer, and what they do with scores that differ by rounding only."""

import json

import numpy as np
import pytest


@pytest.fixture
def nlpstats(shared):
    """The scores of SummEval, and what nlpstats answers for them by section."""
    answers = json.loads((shared / "oracles/resampling/expected.json").read_text())
    scores = np.load(shared / "data/score_matrices/scores_fabbri2020.npz")
    return scores, {section: one["fabbri2020"] for section, one in answers.items() if "fabbri2020" in one}


@pytest.fixture(scope="session")
def ranks_noise():
    """Whether another program ranks rounding noise in a matrix at a level, which this package takes for ties."""

    def found(X, level, coefficient):
        steps = np.diff(np.sort(X, axis=0), axis=0)
        noise = ((steps > 0) & (steps < 1e-12 * np.abs(X).max(axis=0))).any()
        return bool(noise) and level in ("input", "global") and coefficient in ("spearman", "kendall")

    return found
