"""The study of made-up scores has a row for each design and method, and refuses what it cannot know at once."""

import pytest

from classy_aesop.errors import UsageError
from classy_aesop.running.seeding import seeded_rng
from classy_aesop.significance.coverage import METHODS
from classy_aesop.significance.simulated_coverage import Design, simulated_coverage
from classy_aesop.studies import made_up_coverage as study

HOW = {"n_trials": 3, "n_resamples": 19}


def test_each_design_has_the_coverage_of_its_own_samples():
    table = study.made_up_coverage(n_systems=5, n_topics=4, levels=["system"], coefficients=["acc_eq"], **HOW)
    methods = [name for name in METHODS if name != "fisher"]  # which knows no accuracy
    assert len(table) == len(study.CORRELATIONS) * len(study.NOISE) * len(methods)
    own = table[(table["correlation"] == 0.5) & (table["noise"] == 3)]
    rng = seeded_rng(0, "5", "4", "0.5", "3.0", "system", "acc_eq")
    design = Design(5, 4, correlation=0.5, noise=3.0)
    found = simulated_coverage(design, methods=methods, coefficient="acc_eq", rng=rng, **HOW)
    assert own["coverage"].tolist() == [one.coverage for one in found]
    assert own["method"].tolist() == methods


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"levels": ["system", "global"]}, "level is 'global'; expected one of system, input"),
        ({"coefficients": ["pearson", "phi"]}, "coefficient is 'phi'; expected one of pearson"),
    ],
)
def test_what_is_not_known_is_refused_before_anything_is_drawn(options, said, monkeypatch):
    monkeypatch.setattr(study, "simulated_coverage", lambda *_, **__: pytest.fail("drawn"))
    with pytest.raises(UsageError, match=said):
        study.made_up_coverage(n_systems=5, n_topics=4, **HOW, **options)
